"""The core at one size, in a process of its own so that its memory can be told."""

import ctypes
import gc
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypedDict

import numpy as np
import psutil
from numpy.typing import NDArray
from smartbrain.v1.brain_service_pb2 import ComposeContextRequest
from tqdm import tqdm

from benchmarks.core.fill import Embedding, filled, records, rows_of
from benchmarks.core.shorter import Shorter
from benchmarks.core.texts import Windows
from benchmarks.engine.texts import MadeUpTexts, Texts
from benchmarks.quality.metrics import percentile
from brain_core.compose.plan import completed, plan_message
from brain_core.compose.quoted import Rows
from brain_core.compose.search import Question, alike_of, formula_of, search
from brain_core.compose.select import choose
from brain_core.index.derive import chunk_text
from brain_core.index.memory_index import MemoryIndex
from brain_core.kernels.best import top_k
from brain_core.models.static import StaticEmbedder
from brain_core.policy import load_policy
from brain_core.text.words import terms

WANTED = 10
_ROUNDS = 4  # over all questions; the first is warm-up and not counted
_WARM = 5_000  # chunks of an index made and dropped first: FAISS is no memory's
_ADDED = 300  # chunks added one by one; the first third is warm-up
_NEAR_TIE = 1e-5  # of cosine: which of two so close is better is float32 rounding
_FILTERS = (
    ("all", 1.0, False),
    ("10 % drawn", 0.1, False),
    ("1 % drawn", 0.01, False),
    ("10 % in one stretch", 0.1, True),
    ("1 % in one stretch", 0.01, True),
)


class Stage(TypedDict):
    """Milliseconds of one stage."""

    stage: str
    p50_ms: float
    p95_ms: float


class Recall(TypedDict):
    """VectorIndex.search against a full scan of the vectors as they are stored on disk, which are half floats."""

    rows: str
    recall: float
    worst: float  # the lowest of one question
    p50_ms: float
    p95_ms: float
    scan_p50_ms: float


class Trial(TypedDict):
    """One size. Bytes are for all chunks, their evidence included, but for those beyond the texts, in UTF-8.

    coded: chunks whose vectors have codes, 0 where all are looked at. rss_bytes: what the process grew by. held_bytes:
    without what was freed but is kept by malloc.
    """

    chunks: int
    dimension: int
    coded: int
    questions: int
    stages: list[Stage]
    adding: list[Stage]
    recalls: list[Recall]
    rss_bytes: int
    held_bytes: int
    text_bytes: int
    nbytes: dict[str, int]
    build_seconds: float


def from_folders(folders: Sequence[Path], chunks: int, questions: int, dimension: int | None = None) -> Trial:
    """Run a trial on the texts of data folders, or on made-up ones if there are none."""
    return run_trial(Windows(folders) if folders else MadeUpTexts(), chunks, questions, dimension)


def run_trial(texts: Texts, chunks: int, questions: int, dimension: int | None = None) -> Trial:
    """Fill an index, search it, add to it. dimension: of the vectors; None is the embedder's own."""
    kept = _Texts(texts, chunks)
    built_in = StaticEmbedder()
    embedder: Embedding = built_in
    if dimension is not None:
        embedder = Shorter(built_in, dimension, [kept.text(number) for number in range(min(chunks, _WARM))])
    embedder.embed([kept.text(number) for number in range(min(chunks, 100))])  # what it makes at first use is not ours
    vectors = np.ones((chunks, embedder.dimension), dtype=np.float16)  # in memory from now on, and so not measured
    filled(kept, embedder, vectors[:_WARM])
    _meet_words(kept, embedder, chunks)
    _give_back()
    before = _rss()
    began = time.perf_counter()
    index = filled(kept, embedder, vectors)
    took = time.perf_counter() - began
    gc.collect()
    grown = _rss() - before
    _give_back()
    held = _rss() - before
    asked = [texts.question(number) for number in range(questions)]
    nbytes = {
        "all": index.nbytes,
        "beyond texts": index.nbytes - kept.nbytes,
        "chunks": index.chunks.nbytes,
        "lexical": index.lexical.nbytes,
        "vectors": index.vectors.nbytes,
        "sessions": index.sessions.nbytes,
    }
    return Trial(
        chunks=chunks,
        dimension=embedder.dimension,
        coded=index.vectors.coded,
        questions=len(asked),
        stages=_searched(index, embedder, asked, kept),
        recalls=_recalls(index, vectors, embedder, asked),
        rss_bytes=grown,
        held_bytes=held,
        text_bytes=kept.nbytes,
        nbytes=nbytes,
        build_seconds=round(took, 1),
        adding=_added(index, texts, embedder),
    )


def _meet_words(texts: Texts, embedder: Embedding, chunks: int) -> None:
    """Have the process remember the words of all texts: it does so once, up to a bound, for all memories."""
    for record in records(texts, 0, chunks):
        text = chunk_text(record)
        embedder.embed([text])
        terms(text)


def _rss() -> int:
    return int(psutil.Process().memory_info().rss)


def _give_back() -> None:
    """Have Python and, where it is glibc, malloc give back what is freed."""
    gc.collect()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


class _Texts:
    """The first texts, made before memory is measured; questions are asked elsewhere."""

    def __init__(self, texts: Texts, count: int) -> None:
        self._kept = [texts.text(number) for number in range(count)]
        self.question = texts.question
        self.nbytes = sum(len(text.encode()) for text in self._kept)

    def text(self, number: int) -> str:
        return self._kept[number]

    def of(self, rows: Rows) -> list[str]:
        """Return the texts of chunks, which are read where a question quotes words."""
        return [self._kept[row] for row in rows.tolist()]


def _searched(index: MemoryIndex, embedder: Embedding, asked: Sequence[str], texts: _Texts) -> list[Stage]:
    """Time what ComposeContext does between its plan and its selected rows; then the two searches inside it alone."""
    policy = load_policy()
    policies, ranking = policy.policies, policy.policies.ranking
    everything = np.ones(len(index.chunks), dtype=np.uint8)
    spent: dict[str, list[float]] = {}
    clock = _Clock(spent)
    for number in tqdm(range(_ROUNDS), desc="search", unit="", leave=False, disable=None):
        if number == 1:
            spent.clear()
        for text in asked:
            request = ComposeContextRequest(user_message=text)
            plan = completed(plan_message(request, policies, index, list).plan, "id", policies)
            clock.start()
            vectors = embedder.embed([query.text for query in plan.queries])
            clock.lap("embed")
            alike = alike_of(plan, policies.retrieval)
            newest_us = index.chunks.newest_us
            question = Question(index, plan, ranking, policies.retrieval, newest_us, texts.of, alike=alike)
            found = search(question, vectors)
            clock.lap("search and rank")
            choose(index, plan, found, policies.composition.mmr_trade, plan.budget.top_k)
            clock.lap("select")
            clock.total("embed to selected rows")
            clock.start()
            scores = index.lexical.score(text, formula_of(ranking))
            top_k(scores.rows, everything, plan.budget.candidate_k)
            clock.lap("of search: words")
            if vectors[0].any():
                index.vectors.search(vectors[0], plan.budget.candidate_k, everything, len(everything))
            clock.lap("of search: vectors")
    return clock.stages()


class _Clock:
    """Milliseconds by stage."""

    def __init__(self, spent: dict[str, list[float]]) -> None:
        self._spent = spent
        self._began = self._last = 0.0

    def start(self) -> None:
        self._began = self._last = time.perf_counter()

    def lap(self, stage: str) -> None:
        now = time.perf_counter()
        self._spent.setdefault(stage, []).append(1e3 * (now - self._last))
        self._last = now

    def total(self, stage: str) -> None:
        self._spent.setdefault(stage, []).append(1e3 * (self._last - self._began))

    def stages(self) -> list[Stage]:
        return [
            Stage(stage=stage, p50_ms=round(percentile(one, 0.5), 4), p95_ms=round(percentile(one, 0.95), 4))
            for stage, one in self._spent.items()
        ]


def _recalls(
    index: MemoryIndex, vectors: NDArray[np.float16], embedder: Embedding, asked: Sequence[str]
) -> list[Recall]:
    queries = embedder.embed(asked)
    queries = queries[queries.any(axis=1)]
    count = len(index.chunks)
    every = np.empty((len(queries), count), dtype=np.float32)
    for start in range(0, count, 10_000):
        stop = min(start + 10_000, count)
        every[:, start:stop] = queries @ vectors[start:stop].astype(np.float32).T
    bar = tqdm(_FILTERS, desc="recall", unit="", leave=False, disable=None)
    return [_recall(index, queries, every, name, share, together) for name, share, together in bar]


def _recall(
    index: MemoryIndex,
    queries: NDArray[np.float32],
    every: NDArray[np.float32],
    name: str,
    share: float,
    together: bool,
) -> Recall:
    count = len(index.chunks)
    shares, spent, scanned = list[float](), list[float](), list[float]()
    for number, query in enumerate(queries):
        allowed = rows_of(count, share, together=together, seed=number)
        size = int(allowed.sum())
        spent.append(_timed(lambda: index.vectors.search(query, WANTED, allowed, size)))  # noqa: B023  called at once
        found, _ = index.vectors.search(query, WANTED, allowed, size)
        rows = np.flatnonzero(allowed).astype(np.int32)
        if number < 50:
            scanned.append(_timed(lambda: index.vectors.cosines(rows, query)))  # noqa: B023
        wanted = min(WANTED, size)
        least = np.partition(every[number][rows], -wanted)[-wanted] - _NEAR_TIE
        shares.append(min(wanted, int(np.count_nonzero(every[number][found] >= least))) / wanted)
    return Recall(
        rows=name,
        recall=round(float(np.mean(shares)), 4),
        worst=round(min(shares), 2),
        p50_ms=round(percentile(spent, 0.5), 4),
        p95_ms=round(percentile(spent, 0.95), 4),
        scan_p50_ms=round(percentile(scanned, 0.5), 4),
    )


def _timed(call: Callable[[], object]) -> float:
    began = time.perf_counter()
    call()
    return 1e3 * (time.perf_counter() - began)


def _added(index: MemoryIndex, texts: Texts, embedder: Embedding) -> list[Stage]:
    """Add chunks one by one, each found by the next search."""
    spent: dict[str, list[float]] = {}
    clock = _Clock(spent)
    for number in range(_ADDED):
        if number == _ADDED // 3:
            spent.clear()
        first = len(index.chunks)
        [record] = records(texts, first, first + 1)
        clock.start()
        vector = embedder.embed([chunk_text(record)])[0].astype("<f2").tobytes()
        clock.lap("embed it")
        record.vector = vector
        clock.start()
        index.add([record])
        clock.lap("add it to the index")
    return clock.stages()
