"""What the benchmark asks of a store of memories, whatever is behind it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

WANTED = 12
"""How many memories a search is asked for."""

Vector = NDArray[np.float32]
"""float32[dimension] of unit length, so that cosine, inner product and Euclidean distance rank alike."""


@dataclass(frozen=True, slots=True)
class Memory:
    """One text that belongs to one owner."""

    number: int
    owner: str
    text: str
    vector: Vector


@dataclass(frozen=True, slots=True)
class Query:
    """A text to look for among one owner's memories."""

    owner: str
    text: str
    vector: Vector


class Found(NamedTuple):
    """A memory as a search gives it back, with its text: the number alone is of no use to an agent."""

    number: int
    text: str


Search = Callable[[Query], list[Found]]
"""Finds the owner's WANTED best memories, best first; never one of another owner."""


class Peer(Protocol):
    """A store, open. Each module of `benchmarks.peers.stores` has `open_peer(folder, dimension)`, which gives one."""

    told: str
    """Version, index and settings, for whoever reads the table."""

    def add(self, memories: Sequence[Memory]) -> None:
        """Add memories of one owner; when it returns they are found, and are safe should this process be killed."""

    def settle(self) -> None:
        """Build what the store recommends to build once it is filled; the time counts as adding."""

    def ways(self) -> Mapping[str, Search]:
        """Give the ways of searching by name. Most stores have one, without a name."""

    def close(self) -> None:
        """Write out what is left and let go of the folder."""
