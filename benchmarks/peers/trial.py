"""One peer at one size, in a process of its own so that its memory can be told from others'.

`python -m benchmarks.peers.trial` is started by `benchmarks.peers`, which says what the arguments are.
"""

import argparse
import gc
import importlib
import json
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TypedDict

import psutil
from tqdm import tqdm

from benchmarks.peers.corpus import Corpus, load_corpus
from benchmarks.peers.peer import Found, Peer, Query, Search
from benchmarks.quality.metrics import percentile

_SINGLES = 100  # memories that come last, one by one
_ROUNDS = 4  # over all queries; the first is warm-up and not counted unless time is over after it
_FEWEST = 20  # searches measured, however slow
_SHARE_TO_ADD = 0.75  # of the time a peer has


class Way(TypedDict):
    """One way of searching. Times in milliseconds; `found`: the numbers of the memories, per query of the first round.

    A peer whose time was over has fewer queries than there are.
    """

    name: str
    p50_ms: float
    p95_ms: float
    rounds: int
    found: list[list[int]]


class Trial(TypedDict):
    """What one peer did at one size. Times in milliseconds per memory."""

    told: str
    add_ms: float  # in batches, with what is built afterwards
    add_one_ms: float  # one by one into the full store, not settled yet, median
    memory_mb: float  # growth from just before opening until after the searches, servers included
    disk_mb: float  # after closing
    ways: list[Way]


class OutOfTimeError(Exception):
    """The peer's time was over before all memories were in."""


def main() -> None:
    """Measure and write a Trial as JSON, or {"left_out": reason}."""
    parser = argparse.ArgumentParser()
    parser.add_argument("peer")
    parser.add_argument("corpus", type=Path, help="folder that Corpus.save wrote")
    parser.add_argument("folder", type=Path, help="where the peer keeps its data: empty")
    parser.add_argument("seconds", type=int, help="time for adding and searching together")
    parser.add_argument("result", type=Path, help="JSON file to write")
    chosen = parser.parse_args()
    result: Trial | dict[str, str]
    try:
        module = importlib.import_module(f"benchmarks.peers.stores.{chosen.peer}")
        result = run_trial(chosen.peer, module.open_peer, load_corpus(chosen.corpus), chosen.folder, chosen.seconds)
    except ImportError as error:
        result = {"left_out": f"not installed: {error}"}
    except OutOfTimeError as error:
        result = {"left_out": str(error)}
    except Exception as error:  # noqa: BLE001  whatever a peer raises is its line of the table
        result = {"left_out": f"failed: {type(error).__name__}: {error}"}
    chosen.result.write_text(json.dumps(result), encoding="utf-8")


def run_trial(name: str, opening: Callable[[Path, int], Peer], corpus: Corpus, folder: Path, seconds: float) -> Trial:
    """Open, fill, search, close. Raises OutOfTimeError; ValueError for an answer that is not what was stored."""
    gc.collect()
    before = _memory()
    began = time.perf_counter()
    peer = opening(folder, corpus.dimension)
    try:
        add_ms, add_one_ms = _fill(name, peer, corpus, seconds * _SHARE_TO_ADD)
        ways = _search_all(name, peer, corpus, began + seconds)
        gc.collect()
        grown = _memory() - before
        told = peer.told
    finally:
        peer.close()
    return Trial(
        told=told,
        add_ms=round(add_ms, 4),
        add_one_ms=round(add_one_ms, 4),
        memory_mb=round(grown / 2**20, 1),
        disk_mb=round(_on_disk(folder) / 2**20, 1),
        ways=ways,
    )


def _fill(name: str, peer: Peer, corpus: Corpus, seconds: float) -> tuple[float, float]:
    """Return milliseconds per memory: in batches, one by one."""
    count = len(corpus.texts)
    singles = min(_SINGLES, count // 2)
    batched, spent, began = 0, 0.0, time.perf_counter()
    with tqdm(total=count, desc=f"{name}: add", unit="", leave=False, disable=None) as bar:
        for batch in corpus.batches(count - singles):
            spent += _timed(partial(peer.add, batch))
            batched += len(batch)
            bar.update(len(batch))
            if time.perf_counter() - began > seconds:
                raise OutOfTimeError(f"out of time: {batched:,} of {count:,} memories were in after {seconds:.0f} s")
        one_by_one = []
        for number in range(count - singles, count):
            one_by_one.append(_timed(partial(peer.add, [corpus.memory(number)])))
            bar.update()
    spent += _timed(peer.settle)
    return 1e3 * spent / batched, 1e3 * percentile(one_by_one, 0.5)


def _timed(call: Callable[[], None]) -> float:
    began = time.perf_counter()
    call()
    return time.perf_counter() - began


def _search_all(name: str, peer: Peer, corpus: Corpus, until: float) -> list[Way]:
    """Measure each way for an equal part of the time that is left."""
    queries, ways = corpus.queries(), peer.ways()
    measured = []
    for done, (way, search) in enumerate(ways.items()):
        now = time.perf_counter()
        part = max(0.0, until - now) / (len(ways) - done)
        with tqdm(total=_ROUNDS * len(queries), desc=f"{name}: search", unit="", leave=False, disable=None) as bar:
            rounds, found = _search(search, queries, now + part, bar.update)
        for query, answer in zip(queries, found, strict=False):
            _refuse_wrong(corpus, query, answer)
        counted = rounds[1:] or rounds
        measured.append(
            Way(
                name=way,
                p50_ms=round(percentile([percentile(one, 0.50) for one in counted], 0.5), 4),
                p95_ms=round(percentile([percentile(one, 0.95) for one in counted], 0.5), 4),
                rounds=len(counted),
                found=[[one.number for one in answer] for answer in found],
            )
        )
    return measured


def _search(
    search: Search, queries: Sequence[Query], until: float, on_search: Callable[[], object]
) -> tuple[list[list[float]], list[list[Found]]]:
    """Return milliseconds per round and query, and the answers of the first round.

    A round that the end of the time breaks off is dropped, unless it is the first.
    """
    rounds: list[list[float]] = []
    answers: list[list[Found]] = []
    for _ in range(_ROUNDS):
        latencies: list[float] = []
        for query in queries:
            if time.perf_counter() > until and (rounds or len(latencies) >= _FEWEST):
                return rounds or [latencies], answers
            began = time.perf_counter()
            found = search(query)
            latencies.append(1e3 * (time.perf_counter() - began))
            if not rounds:
                answers.append(found)
            on_search()
        rounds.append(latencies)
    return rounds, answers


def _refuse_wrong(corpus: Corpus, query: Query, answer: Sequence[Found]) -> None:
    for one in answer:
        stored = corpus.memory(one.number)
        if stored.owner != query.owner:
            raise ValueError(f"asked for {query.owner}, it gave memory {one.number} of {stored.owner}")
        if stored.text != one.text:
            raise ValueError(f"the text of memory {one.number} came back changed")


def _memory() -> int:
    """Return the bytes of this process and its children; what processes share is divided among them where known."""
    here = psutil.Process()
    used = [one.memory_full_info() for one in (here, *here.children(recursive=True))]
    return sum(int(getattr(one, "pss", one.rss)) for one in used)


def _on_disk(folder: Path) -> int:
    """Return the bytes allocated, which for files with holes are fewer than their length."""
    return sum(512 * path.stat().st_blocks for path in folder.rglob("*") if path.is_file())


if __name__ == "__main__":
    main()
