"""One workload measured beside the echo, in turns, so that both see the same moods of the machine."""

import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

import psutil

from benchmarks.engine.append import Appended, append
from benchmarks.engine.calls import Call, Workload
from benchmarks.engine.clients import Clients, Result
from benchmarks.engine.echo import PATH, echo_request
from benchmarks.engine.texts import Texts
from benchmarks.quality.metrics import percentile
from benchmarks.server import Server

ROUNDS = 4  # of workload and echo in turn; the first is warm-up and not counted
_DISTINCT = 400  # calls made for a workload that only reads; they are sent over and over
_PER_SECOND = 2500  # calls made per second and client for one that writes, where each call is sent once
_GROWTH = 0.2  # a workload that writes may add this share of the chunks, at least 2,000 …
_LEAST_CALLS = 20  # … and at least these calls of each client in each round


class Row(TypedDict):
    """One line of engine.json. Times in milliseconds, rates in calls per second over all clients.

    append_p50_ms, append_qps: of a bare append and fdatasync, where each call of the workload waits for the disk.
    """

    workload: str
    chunks: int
    clients: int
    p50_ms: float
    p95_ms: float
    p99_ms: float
    qps: float
    echo_p50_ms: float
    echo_qps: float
    append_p50_ms: float | None
    append_qps: float | None
    rss_mb: float
    chunks_after: int
    calls: int
    request_bytes: int
    response_bytes: int


@dataclass(slots=True)
class Filled:
    """A server whose memory was filled with `chunks` chunks and has grown to `now` since. folder: of its data."""

    server: Server
    folder: Path
    texts: Texts
    chunks: int
    now: int
    sent: int  # calls made so far per client, so that no commit repeats


def measure(filled: Filled, echo: str, workload: Workload, clients: Clients, seconds: float) -> Row:
    """Run a workload for about `seconds` of calls, and the echo for as long. Raises ClientError when a call fails."""
    count = clients.count
    seen: list[Result] = []
    echoed: list[Result] = []
    appended: list[Appended] = []
    calls: list[Call] = []
    for round_number in range(ROUNDS):
        per_client = _next_calls(filled, workload, count, seconds / (ROUNDS - 1))
        calls = per_client[0]
        of_round = clients.run(
            filled.server.target, per_client, repeat=not workload.commits, seconds=seconds / (ROUNDS - 1)
        )
        filled.now += sum(_added(workload, len(result.latencies)) for result in of_round)
        mirror = [_mirror(calls, of_round[0])] * count
        echo_of_round = clients.run(echo, mirror, repeat=True, seconds=seconds / (ROUNDS - 1))
        if round_number:
            seen.extend(of_round)
            echoed.extend(echo_of_round)
            appended += _appended(filled, workload, calls, count, seconds / (ROUNDS - 1))
    latencies = [one for result in seen for one in result.latencies]
    return Row(
        workload=workload.name,
        chunks=filled.chunks,
        clients=count,
        p50_ms=round(percentile(latencies, 0.50), 3),
        p95_ms=round(percentile(latencies, 0.95), 3),
        p99_ms=round(percentile(latencies, 0.99), 3),
        qps=round(_rate(seen, count), 1),
        echo_p50_ms=round(percentile([one for result in echoed for one in result.latencies], 0.50), 3),
        echo_qps=round(_rate(echoed, count), 1),
        append_p50_ms=_append_p50_ms(appended),
        append_qps=_append_qps(appended),
        rss_mb=round(_rss(filled.server), 1),
        chunks_after=filled.now,
        calls=len(latencies),
        request_bytes=round(statistics.median(len(request) for _, request in calls)),
        response_bytes=round(statistics.median(size for result in seen for size in result.sizes)),
    )


def _next_calls(filled: Filled, workload: Workload, count: int, seconds: float) -> list[list[Call]]:
    number = _DISTINCT
    if workload.commits:
        room = max(2000, int(_GROWTH * filled.chunks))
        by_room = room * workload.of // (workload.turns.chunks * workload.commits * count * ROUNDS)
        number = max(_LEAST_CALLS, min(int(_PER_SECOND * seconds), by_room))
    first = filled.sent
    filled.sent += number
    return [workload.calls(filled.texts, filled.chunks, client, first, number) for client in range(count)]


def _added(workload: Workload, calls: int) -> int:
    return workload.turns.chunks * workload.commits * calls // workload.of


def _appended(
    filled: Filled, workload: Workload, calls: Sequence[Call], count: int, seconds: float
) -> Iterator[Appended]:
    """Append records of the size of a request to a file beside the store, where each call waits for the disk."""
    if workload.durability == "disk" and workload.commits == workload.of:
        size = round(statistics.median(len(request) for _, request in calls))
        yield append(filled.folder, bytes(size), count, seconds)


def _append_p50_ms(appended: Sequence[Appended]) -> float | None:
    latencies = [one for each in appended for one in each.latencies]
    return round(percentile(latencies, 0.50), 3) if latencies else None


def _append_qps(appended: Sequence[Appended]) -> float | None:
    seconds = sum(each.seconds for each in appended)
    return round(sum(len(each.latencies) for each in appended) / seconds, 1) if appended else None


def _mirror(calls: Sequence[Call], result: Result) -> list[Call]:
    """Make echo calls of the same request sizes in the same order, each answered as its method's median response is."""
    sizes: dict[str, list[int]] = {}
    for number, size in enumerate(result.sizes):
        sizes.setdefault(calls[number % len(calls)][0], []).append(size)
    medians = {path: round(statistics.median(of_path)) for path, of_path in sizes.items()}
    return [(PATH, echo_request(len(request), medians[path])) for path, request in calls if path in medians]


def _rate(results: Sequence[Result], count: int) -> float:
    """Divide calls by wall time in seconds; a round takes from its first client's start to its last one's end."""
    calls = sum(len(result.latencies) for result in results)
    return calls / sum(
        max(result.ended for result in of_round) - min(result.began for result in of_round)
        for of_round in _rounds(results, count)
    )


def _rounds(results: Sequence[Result], count: int) -> Iterator[Sequence[Result]]:
    for first in range(0, len(results), count):
        yield results[first : first + count]


def _rss(server: Server) -> float:
    return 0.0 if server.pid is None else float(psutil.Process(server.pid).memory_info().rss) / 2**20
