"""Fill a brain with small memories, then search all of them in turn, in this process."""

import gc
import multiprocessing
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import TypedDict

import psutil
from smartbrain.v1.brain_service_pb2 import CommitTurnRequest, ComposeContextRequest
from smartbrain.v1.event_pb2 import Message, TurnEvents
from smartbrain.v1.plan_pb2 import PlanQuery, RetrievalPlan
from smartbrain.v1.retrieval_service_pb2 import RetrieveRequest
from tqdm import tqdm

from benchmarks.engine.texts import Texts
from benchmarks.quality.metrics import percentile
from brain_core import Brain, load_policy
from brain_core.index import snapshot
from brain_core.models.static import StaticEmbedder

_OF_A_TURN = 20
_OF_A_SESSION = 40
_LOADED_ALONE = 400  # memories whose indexes are loaded to see what one takes


Spent = tuple[float, float]
"""Milliseconds of a call: of the clock, of the calling thread's CPU."""


class Times(TypedDict):
    """Milliseconds of some calls: of the clock, and of the calling thread's CPU, which others on the machine leave."""

    calls: int
    p50_ms: float
    p95_ms: float
    max_ms: float
    cpu_p50_ms: float
    cpu_p95_ms: float


class Way(TypedDict):
    """One way of asking all memories in turn.

    loading: calls whose index had to be loaded first. loaded: calls whose index was there. again: a second call to the
    same memory, right after the first. None is no call of that sort.
    """

    name: str
    loading: Times | None
    loaded: Times | None
    again: Times | None
    loads: int
    evictions: int


class Trial(TypedDict):
    """Bytes. rss: beyond what the process had with one memory of two chunks. index_bytes: as the brain counts them.

    of_one: what an index takes in a process that does nothing but load some. disk: as allocated, after closing.
    """

    memories: int
    chunks: int
    cache_bytes: int
    fill_seconds: float
    commit: Times | None
    rss_filled: int
    rss_searched: int
    index_bytes: int
    loaded: int
    of_one: int
    of_one_counted: int
    store_disk: int
    snapshot_disk: int
    ways: list[Way]


def run_trial(texts: Texts, folder: Path, memories: int, chunks: int, cache_bytes: int) -> Trial:
    """Make a brain in an empty folder, fill it, search it, close it."""
    policy = load_policy({"store": {"durability": "process"}, "index": {"cache_bytes": cache_bytes}})
    embedder = StaticEmbedder()
    with Brain.open(folder, policy, embedder) as brain:
        brain.commit_turn(_turn(texts, "warm", range(2)))
        _retrieve(brain, "warm", texts.question(0))
        before = _rss()
        began = time.perf_counter()
        commits = _fill(brain, texts, memories, chunks)
        took, filled = time.perf_counter() - began, _rss()
        asking = (("retrieve", _retrieve), ("compose", _compose))
        ways = [_searched(brain, texts, memories, chunks, *one) for one in asking]
        status, searched = brain.status(), _rss()
    of_one, counted = _of_one(folder / "index", memories, embedder.dimension)
    return Trial(
        memories=memories,
        chunks=chunks,
        cache_bytes=cache_bytes,
        fill_seconds=round(took, 1),
        commit=_times(commits),
        rss_filled=filled - before,
        rss_searched=searched - before,
        index_bytes=status.index_bytes,
        loaded=status.memories_loaded,
        of_one=of_one,
        of_one_counted=counted,
        store_disk=_on_disk(folder / "store"),
        snapshot_disk=_on_disk(folder / "index"),
        ways=ways,
    )


def _fill(brain: Brain, texts: Texts, memories: int, chunks: int) -> list[Spent]:
    """Commit turn by turn, all of a memory and then the next; return what each commit took."""
    spent = []
    with tqdm(total=memories * chunks, desc="fill", unit="", leave=False, disable=None) as bar:
        for memory in range(memories):
            start, stop = memory * chunks, (memory + 1) * chunks
            for first in range(start, stop, _OF_A_TURN):
                request = _turn(texts, _name(memory), range(first, min(first + _OF_A_TURN, stop)))
                spent.append(_timed(lambda: brain.commit_turn(request)))  # noqa: B023  called at once
                bar.update(len(request.turn.messages))
    return spent


Ask = Callable[[Brain, str, str], None]


def _searched(brain: Brain, texts: Texts, memories: int, chunks: int, name: str, ask: Ask) -> Way:
    """Ask every memory about two of its texts, one right after the other."""
    cache = brain._indexes  # nothing else tells what was loaded and dropped
    loads, evictions = cache.loads, cache.evictions
    loading, loaded, again = list[Spent](), list[Spent](), list[Spent]()
    for memory in tqdm(range(memories), desc=name, unit="", leave=False, disable=None):
        for kept in (None, again):
            question = texts.question(memory * chunks + (memory * 7919 + bool(kept)) % chunks)
            loads_before = cache.loads
            took = _timed(lambda: ask(brain, _name(memory), question))  # noqa: B023  called at once
            if kept is None:
                kept = loading if cache.loads > loads_before else loaded  # noqa: PLW2901
            kept.append(took)
    return Way(
        name=name,
        loading=_times(loading),
        loaded=_times(loaded),
        again=_times(again),
        loads=cache.loads - loads,
        evictions=cache.evictions - evictions,
    )


def _retrieve(brain: Brain, memory: str, question: str) -> None:
    plan = RetrievalPlan(queries=[PlanQuery(text=question)])
    brain.retrieve(RetrieveRequest(memory_id=memory, plan=plan))


def _compose(brain: Brain, memory: str, question: str) -> None:
    brain.compose_context(ComposeContextRequest(memory_id=memory, session_id="asking", user_message=question))


def _turn(texts: Texts, memory: str, numbers: range) -> CommitTurnRequest:
    messages = [Message(role="assistant" if number % 2 else "user", content=texts.text(number)) for number in numbers]
    session = f"session-{numbers.start // _OF_A_SESSION}"
    return CommitTurnRequest(memory_id=memory, session_id=session, turn=TurnEvents(messages=messages))


def _name(memory: int) -> str:
    return f"memory-{memory}"


def _timed(call: Callable[[], object]) -> Spent:
    began, began_cpu = time.perf_counter(), time.thread_time()
    call()
    return 1e3 * (time.perf_counter() - began), 1e3 * (time.thread_time() - began_cpu)


def _times(spent: Sequence[Spent]) -> Times | None:
    if not spent:
        return None
    wall, cpu = [one for one, _ in spent], [one for _, one in spent]
    return Times(
        calls=len(spent),
        p50_ms=round(percentile(wall, 0.5), 4),
        p95_ms=round(percentile(wall, 0.95), 4),
        max_ms=round(max(wall), 4),
        cpu_p50_ms=round(percentile(cpu, 0.5), 4),
        cpu_p95_ms=round(percentile(cpu, 0.95), 4),
    )


def _of_one(snapshots: Path, memories: int, dimension: int) -> tuple[int, int]:
    """Return what a loaded index takes: bytes that a fresh process grows by, and bytes as it counts them."""
    paths = [snapshot.snapshot_path(snapshots, _name(memory)) for memory in range(memories)]
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        return pool.submit(load_alone, [path for path in paths if path.exists()][:_LOADED_ALONE], dimension).result()


def load_alone(paths: Sequence[Path], dimension: int) -> tuple[int, int]:
    """Load indexes and keep them; return bytes of RSS and bytes counted, per index."""
    if not paths:
        return 0, 0
    snapshot.load(paths[0], dimension)
    before = _rss()
    kept = [snapshot.load(path, dimension) for path in paths]
    return (_rss() - before) // len(kept), sum(one.nbytes for one in kept) // len(kept)


def _rss() -> int:
    gc.collect()
    return int(psutil.Process().memory_info().rss)


def _on_disk(folder: Path) -> int:
    """Return the bytes allocated, which for files with holes are fewer than their length."""
    return sum(512 * path.stat().st_blocks for path in folder.rglob("*") if path.is_file())
