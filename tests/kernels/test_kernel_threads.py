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

from brain_core.kernels.best import top_k
from brain_core.kernels.bm25 import Postings
from brain_core.kernels.budget import fit
from brain_core.kernels.diversify import select
from brain_core.kernels.evidence import context_evidences
from brain_core.kernels.features import features, neighbours
from brain_core.kernels.fuse import fuse
from brain_core.kernels.passages import Passages
from brain_core.kernels.rank import Memory, Query, rank
from brain_core.kernels.reasons import dropped
from brain_core.kernels.scan import near
from brain_core.kernels.vectors import SCALE_BYTES, cosines, expand, nearest, quantise

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
    return lambda: postings.score(query, np.zeros(5_000, dtype=np.int32), np.ones(5_000), 1.0, 0.9, 0.4, 0.9)


def top() -> Callable[[], object]:
    scores = np.arange(1, 1_000_001, dtype=np.float32)
    allowed = np.ones(1_000_000, dtype=np.uint8)
    return lambda: top_k(scores, allowed, 1_000)


def diversify() -> Callable[[], object]:
    m = 500
    vectors = np.ones((m, 64), dtype=np.float32)
    rows, none, caps = np.arange(m, dtype=np.int32), np.full(m, -1, dtype=np.int32), np.ones(1, dtype=np.int32)
    return lambda: select(rows, np.ones(m), vectors, (none,), (), caps, 0.9, m, 0)


def columns(n: int) -> dict[str, NDArray[Any]]:
    rows, none = np.arange(n, dtype=np.int32), np.full(n, -1, dtype=np.int32)
    one = np.ones(n, dtype=np.uint8)
    return {
        "before": none, "after": none, "start": rows, "session": none, "speaker": none, "chars": rows,
        "assistant": one, "first_person": one, "priority": one, "confidence": np.ones(n, dtype=np.float32),
        "time_us": np.zeros(n, dtype=np.int64),
    }  # fmt: skip


def known() -> Callable[[], object]:
    n = 200_000
    rows, one = np.arange(n, dtype=np.int32), np.ones(n, dtype=np.uint8)
    scores = np.ones(n, dtype=np.float32)
    words, vectors = (scores, np.zeros(n, dtype=np.uint64), np.ones(64), np.zeros(0)), (scores, scores, 0.0, 1.0)
    known_columns = columns(n)
    return lambda: features(rows, words, 1.0, vectors, 1.0, one, known_columns, 1, 1.0)


def beside() -> Callable[[], object]:
    n = 500_000
    rows, none, allowed = np.arange(n, dtype=np.int32), np.full(n, -1, dtype=np.int32), np.ones(n, dtype=np.uint8)
    return lambda: neighbours(rows, n, none, none, allowed)


def joined() -> Callable[[], object]:
    n = 500_000
    rows, scores = np.arange(n, dtype=np.int32), np.zeros(n)
    return lambda: fuse([(rows, scores, 1.0)], "none", 1.0)


def packed() -> tuple[NDArray[np.uint8], NDArray[np.int32], NDArray[np.float32]]:
    n = 20_000
    return np.ones((n, 384 + SCALE_BYTES), dtype=np.uint8), np.arange(n, dtype=np.int32), np.ones(384, dtype=np.float32)


def product() -> Callable[[], object]:
    given = packed()
    return lambda: cosines(*given)


def close_by() -> Callable[[], object]:
    given = packed()
    return lambda: nearest(*given, 100)


def scanned() -> Callable[[], object]:
    n = 64_000
    codes, centroids = np.ones(n * 48, dtype=np.uint8), np.ones((96, 4, 16), dtype=np.float32)
    query, allowed = np.ones(384, dtype=np.float32), np.ones(n, dtype=np.uint8)
    return lambda: near(codes, centroids, query, allowed, 100)


def quantised() -> Callable[[], object]:
    given = np.ones((20_000, 384), dtype=np.float32)
    return lambda: quantise(given)


def full() -> Callable[[], object]:
    vectors, rows, _ = packed()
    return lambda: expand(vectors, rows)


def ranked() -> Callable[[], object]:
    n = 200_000
    rows, one, none = np.arange(n, dtype=np.int32), np.ones(n, dtype=np.uint8), np.empty(0, dtype=np.int32)
    vectors, sums = np.zeros((n, 4 + SCALE_BYTES), dtype=np.uint8), np.empty((0, 4), dtype=np.float32)
    memory = Memory(columns(n), one, vectors, none, sums)
    words = (np.ones(n, dtype=np.float32), np.zeros(n, dtype=np.uint64), np.ones(64), np.zeros(0))
    query = Query(words, 1.0, np.ones(4, dtype=np.float32), 1.0, one, one, 1.0, n)
    lists = [(rows, np.zeros(n), 1.0, 0)]
    settings = (n, np.ones(13), 1.0, 1, 1.0, none.astype(np.int64))
    return lambda: rank(memory, [query], lists, "rrf", 60.0, settings)


def records(n: int) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Return n records of 1,000 bytes, which say nothing."""
    return np.frombuffer((b"\x4a\xe5\x07" + bytes(997)) * n, dtype=np.uint8), np.arange(n + 1, dtype=np.int64) * 1_000


def pieces() -> Callable[[], object]:
    n = 20_000
    rows, offsets = np.arange(n, dtype=np.int32), np.arange(n + 1, dtype=np.int64)
    nothing = np.empty(0, dtype=np.uint8), np.zeros(n + 1, dtype=np.int64)
    none = np.full(n, -1, dtype=np.int32)
    ranks, signals, scores = np.zeros((n, 2), dtype=np.int32), np.zeros((n, 5)), np.zeros(n)
    stored = records(n)
    return lambda: context_evidences(
        *stored,
        (rows, offsets, rows, np.zeros(n, dtype=np.uint8)),
        (np.ones(n, dtype=np.uint8), np.zeros(n, dtype=np.int32), none.astype(np.uint8), none.astype(np.uint8), 2, 5),
        [b""],
        [""] * n,
        nothing,
        none,
        ranks,
        signals,
        scores,
        2,
        10,
        ([""] * n, [""] * n, [""] * n, "messages", "sections", 1),
    )


def drops() -> Callable[[], object]:
    n = 50_000
    rows, words = [*range(n)], [b"\x12\x00"] * n
    stored = records(n)
    return lambda: dropped(*stored, rows, words, 3)


def budget() -> Callable[[], object]:
    tokens = np.ones(10_000_000, dtype=np.int64)
    return lambda: fit(tokens, 10_000_000, 10_000_000)


def opened() -> tuple[Passages, NDArray[np.int32]]:
    n = 200_000
    one, rows = np.ones(n, dtype=np.int32), np.arange(n, dtype=np.int32)
    passages = Passages(
        one,
        {},
        one,
        one,
        rows - 1,
        np.append(rows[1:], np.int32(-1)),
        one,
        one.astype(np.uint8),
        1,
        1,
        n,
        0,
        rows[:1],
    )
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


_KERNELS = [
    score, top, diversify, known, beside, joined, product, close_by, scanned, quantised, full, ranked, pieces, drops,
    budget, filled, widened,
]  # fmt: skip


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
