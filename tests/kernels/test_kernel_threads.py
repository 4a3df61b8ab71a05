"""Kernels run with the GIL released.

While a kernel runs in one thread, another one must be able to run Python. Threads are told never to take turns by
themselves, so the other gets its turn only if the kernel gives up the GIL. Where it does not, no number of tries helps.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from brain_core.kernels.bm25 import Postings, top_k
from brain_core.kernels.budget import fit
from brain_core.kernels.diversify import select
from brain_core.kernels.features import features, neighbours
from brain_core.kernels.fuse import order
from brain_core.kernels.passages import Passages
from brain_core.kernels.ranker import linear
from brain_core.kernels.vectors import cosines

_TRIES = 30
_NO_TURNS_SECONDS = 1000.0


@pytest.fixture(autouse=True)
def _no_turns() -> Iterator[None]:
    usual = sys.getswitchinterval()
    sys.setswitchinterval(_NO_TURNS_SECONDS)
    yield
    sys.setswitchinterval(usual)


def score() -> Callable[[], object]:
    postings = Postings()
    for _ in range(5_000):
        postings.add(np.array([1, 2], dtype=np.int32), np.array([1, 2], dtype=np.float32))
    query = np.ones(5_000, dtype=np.int32)
    return lambda: postings.score(query, np.zeros(5_000, dtype=np.int32), 1.0, 0.9, 0.4, 0.9)


def top() -> Callable[[], object]:
    scores = np.arange(1, 1_000_001, dtype=np.float32)
    allowed = np.ones(1_000_000, dtype=np.uint8)
    return lambda: top_k(scores, allowed, 1_000)


def diversify() -> Callable[[], object]:
    m = 500
    vectors = np.ones((m, 64), dtype=np.float32)
    groups, caps = np.full((m, 1), -1, dtype=np.int32), np.ones(1, dtype=np.int32)
    return lambda: select(np.ones(m), vectors, groups, caps, 0.9, m)


def known() -> Callable[[], object]:
    n = 200_000
    rows, none = np.arange(n, dtype=np.int32), np.full(n, -1, dtype=np.int32)
    scores, bits, one = np.ones(n, dtype=np.float32), np.zeros(n, dtype=np.uint64), np.ones(n, dtype=np.uint8)
    columns: dict[str, NDArray[Any]] = {
        "before": none, "after": none, "start": rows, "session": none, "speaker": none, "chars": rows,
        "assistant": one, "first_person": one, "priority": one, "confidence": scores,
        "time_us": np.zeros(n, dtype=np.int64),
    }  # fmt: skip
    words, vectors = (scores, bits, np.ones(64), np.zeros(0)), (scores, scores, 0.0, 1.0)
    return lambda: features(rows, words, 1.0, vectors, 1.0, one, columns, 1, 1.0)


def beside() -> Callable[[], object]:
    n = 500_000
    rows, none, allowed = np.arange(n, dtype=np.int32), np.full(n, -1, dtype=np.int32), np.ones(n, dtype=np.uint8)
    return lambda: neighbours(rows, n, none, none, allowed)


def ordered() -> Callable[[], object]:
    n = 500_000
    rows, scores, ties = np.arange(n, dtype=np.int32), np.zeros(n), np.zeros(n, dtype=np.int64)
    return lambda: order(rows, scores, ties)


def product() -> Callable[[], object]:
    vectors, query = np.ones((20_000, 384), dtype=np.float16), np.ones(384, dtype=np.float32)
    rows = np.arange(len(vectors)) * vectors.strides[0] + vectors.ctypes.data
    return lambda: (cosines(rows, query), vectors)


def rank() -> Callable[[], object]:
    matrix = np.ones((1_000_000, 10))
    return lambda: linear(matrix, np.ones(10))


def budget() -> Callable[[], object]:
    tokens = np.ones(10_000_000, dtype=np.int64)
    return lambda: fit(tokens, 10_000_000, 10_000_000)


def opened() -> tuple[Passages, NDArray[np.int32]]:
    n = 200_000
    one, rows = np.ones(n, dtype=np.int32), np.arange(n, dtype=np.int32)
    passages = Passages(one, one, one, rows - 1, np.append(rows[1:], np.int32(-1)), 1, n)
    passages.fill(rows[:1], np.ones(1, dtype=np.uint8), 1)
    return passages, rows


def filled() -> Callable[[], object]:
    passages, rows = opened()
    return lambda: passages.fill(rows, np.zeros(len(rows), dtype=np.uint8), len(rows))


def widened() -> Callable[[], object]:
    def call() -> object:
        passages, rows = opened()
        return passages.widen(np.ones(len(rows), dtype=np.uint8), rows, rows[:0], len(rows))

    return call


_KERNELS = [score, top, diversify, known, beside, ordered, product, rank, budget, filled, widened]


@pytest.mark.parametrize("made", _KERNELS)
def test_a_kernel_lets_other_threads_run(made: Callable[[], Callable[[], object]]) -> None:
    call = made()
    assert any(_runs_beside(call) for _ in range(_TRIES))


def test_the_check_itself_tells_a_kernel_that_holds_the_gil() -> None:
    numbers = list(range(2_000_000))
    assert not any(_runs_beside(lambda: sum(numbers)) for _ in range(_TRIES // 3))


def _runs_beside(call: Callable[[], object]) -> bool:
    """Return whether this thread ran while another was inside the call."""
    inside = False

    def work() -> None:
        nonlocal inside
        inside = True
        call()
        inside = False

    thread = threading.Thread(target=work)
    thread.start()  # comes back once the thread has begun and gives up the GIL
    seen = inside
    thread.join()
    return seen
