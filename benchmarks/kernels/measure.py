"""Time, memory and agreement of a case."""

import gc
import statistics
import time
import tracemalloc
from collections.abc import Callable, Iterator
from typing import TypedDict

import numpy as np

from benchmarks.kernels.case import Case

_BATCH_SECONDS = 0.005  # a repeat is as many calls as take that long, so that the clock does not count
_MOST_REPEATS = 31


class Measured(TypedDict):
    """One implementation. The median time of a call in microseconds of its thread's CPU, and its peak in KiB."""

    us: float
    peak_kib: float
    difference: float  # the largest there is from what the kernel returns; 0 is equal, infinite another shape or row


class Row(TypedDict):
    """One line of results.json."""

    kernel: str
    size: str
    told: str
    compiled: Measured
    twin: Measured
    naive: Measured | None


def measure(case: Case, size: str, seconds: float) -> Row:
    """Run every implementation of a case. seconds: for the repeats of each."""
    returned = case.seen(case.compiled())
    return Row(
        kernel=case.kernel,
        size=size,
        told=case.told,
        compiled=_measured(case.compiled, case.calls, seconds, 0.0),
        twin=_measured(case.twin, case.calls, seconds, difference(case.twin(), returned)),
        naive=None
        if case.naive is None
        else _measured(case.naive, case.calls, seconds, difference(case.naive(), returned, whole=False)),
    )


def _measured(run: Callable[[], object], calls: int, seconds: float, differs: float) -> Measured:
    return Measured(us=_median_us(run, seconds) / calls, peak_kib=_peak(run) / 1024, difference=differs)


def _median_us(run: Callable[[], object], seconds: float) -> float:
    once = max(_seconds(run, 1), 1e-7)
    batch = max(1, round(_BATCH_SECONDS / once))
    repeats = max(1, min(_MOST_REPEATS, round(seconds / (once * batch))))
    return 1e6 * statistics.median(_seconds(run, batch) for _ in range(repeats))


def _seconds(run: Callable[[], object], batch: int) -> float:
    began = time.thread_time()
    for _ in range(batch):
        run()
    return (time.thread_time() - began) / batch


def _peak(run: Callable[[], object]) -> int:
    """Return the bytes that Python and NumPy hold at most during a call, beyond those before; C++ is not seen."""
    gc.collect()
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        tracemalloc.reset_peak()
        run()
        return tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()


def difference(left: object, right: object, *, whole: bool = True) -> float:
    """Return the largest difference of two results; infinite where shapes differ or whole numbers do.

    whole: whether both must have as many parts.
    """
    mine, theirs = list(_parts(left)), list(_parts(right))
    if whole and len(mine) != len(theirs):
        return float("inf")
    return max((_differs(one, other) for one, other in zip(mine, theirs, strict=False)), default=0.0)


def _parts(result: object) -> Iterator[np.ndarray[tuple[int, ...], np.dtype[np.generic]]]:
    if isinstance(result, tuple):
        for one in result:
            yield from _parts(one)
    else:
        yield np.asarray(result)


def _differs(
    left: np.ndarray[tuple[int, ...], np.dtype[np.generic]], right: np.ndarray[tuple[int, ...], np.dtype[np.generic]]
) -> float:
    if left.shape != right.shape:
        return float("inf")
    if np.array_equal(left, right):
        return 0.0
    if not (np.issubdtype(left.dtype, np.floating) and np.issubdtype(right.dtype, np.floating)):
        return float("inf")
    return float(np.max(np.abs(left.astype(np.float64) - right.astype(np.float64))))
