"""One call of a kernel, and the same by other means. Each module of `benchmarks.kernels.cases` has `cases(size)`."""

from collections.abc import Callable
from dataclasses import dataclass

from numpy.random import Generator, default_rng

DIMENSION = 384
_SEED = 7


@dataclass(frozen=True, slots=True)
class Size:
    """Chunks of a memory, and how many of them are candidates."""

    rows: int
    candidates: int


SIZES = {"tiny": Size(400, 40), "small": Size(10_000, 400), "large": Size(100_000, 400)}


def _as_it_is(result: object) -> object:
    return result


@dataclass(frozen=True, slots=True)
class Case:
    """The same work done three ways. What they return is compared in order; `naive` may leave out the last results.

    calls: how many calls of the kernel `compiled` makes; times are for one. seen: turns what `compiled` returns into
    what the others return, outside of the time.
    """

    kernel: str
    told: str
    compiled: Callable[[], object]
    twin: Callable[[], object]
    naive: Callable[[], object] | None = None
    calls: int = 1
    seen: Callable[[object], object] = _as_it_is


def chance() -> Generator:
    """Return the same numbers every time."""
    return default_rng(_SEED)
