"""What the server counts, in OpenMetrics: how calls ended, what went into answers and what was left out.

Counted from the answers, once each. Labels are words of the contracts, of this code and of the registry of kinds, never
ids or texts, so that the number of series has a bound.
"""

from __future__ import annotations

import threading
from collections import Counter as Tally
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from wsgiref.types import StartResponse, WSGIEnvironment

import structlog
from prometheus_client import CollectorRegistry, Counter, Histogram, ProcessCollector, make_wsgi_app
from prometheus_client.metrics_core import GaugeMetricFamily, InfoMetricFamily, Metric
from prometheus_client.openmetrics.exposition import generate_latest
from prometheus_client.registry import Collector
from smartbrain.v1.brain_service_pb2 import CommitTurnResponse
from smartbrain.v1.evidence_pb2 import EvidencePack

from brain_core.compose.degrade import DEGRADATIONS
from brain_core.compose.draft import Contents
from brain_core.compose.drops import SELECTION
from brain_core.compose.write import CONVERSATION, MEMORY_ITEM, RESOURCE
from brain_core.errors import BrainError
from brain_server.status import Status

PATH = "/metrics"

_OPENMETRICS = "application/openmetrics-text"
_SECONDS = (1e-4, 2e-4, 5e-4, 1e-3, 2e-3, 5e-3, 1e-2, 2e-2, 5e-2, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
_SHARES = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0)
_SOURCES = (CONVERSATION, MEMORY_ITEM, RESOURCE)
_LIMITED = ("system_blocks", "working_summary", "recent_turns", "evidence")
_TOGETHER = 32  # contexts that are counted in one go
_COMPOSE, _RETRIEVE = "ComposeContext", "Retrieve"

log = structlog.get_logger()


class Metrics:
    """The metrics of one server, in a registry of its own. Safe for use from many threads."""

    def __init__(self, status: Status) -> None:
        self._registry = CollectorRegistry(auto_describe=True)
        self._gauges = _Gauges(status)
        self._registry.register(self._gauges)
        ProcessCollector(registry=self._registry)
        self._page = make_wsgi_app(self._registry)

        self._calls = self._counter("calls", "Calls by how they ended.", "call", "code", "reason")
        self._call_seconds = self._seconds("call_duration", "Time from request to answer, of answered calls.", "call")

        self._waiting = deque[Contents]()
        self._stage_seconds = self._seconds("compose_stage_duration", "Time of each stage of a compose.", "stage")
        self._packages = self._counter("compose_packages", "Contexts composed.")()
        self._evidence = self._counter("compose_evidence", "Pieces of evidence in contexts.", "source")
        self._hits = self._counter("compose_hits", "Contexts with at least one piece of evidence.", "source")
        self._tokens = self._counter("compose_tokens", "Tokens in contexts.", "slot")
        self._dropped = self._counter("compose_dropped", "Candidates that did not go in.", "slot", "reason")
        self._over = self._counter("compose_over_budget", "Contexts in which tokens lacked for a candidate.", "slot")
        self._used = Histogram(
            "smartbrain_compose_tokens_used",
            "Share of the token limit that a context uses.",
            unit="ratio",
            buckets=_SHARES,
            registry=self._registry,
        )
        self._packs = self._counter("retrieve_packs", "Packs retrieved.")()
        self._pack_evidence = self._counter("retrieve_evidence", "Evidences in packs.")()
        self._degraded = self._counter("degraded_answers", "Answers from which something was left out.", "call")
        self._left_out = self._counter("left_out", "What was left out of answers.", "call", "what")

        self._turns = self._counter("commit_turns", "Turns written.")()
        self._verdicts = self._counter("commit_verdicts", "Verdicts on what might be memory.", "type", "verdict")
        self._summaries = self._counter("commit_summaries", "Summaries made.", "trigger")
        self._start_at_zero()

    def called(self, call: str, code: str, reason: str, seconds: float) -> None:
        """Count a call. code: gRPC's name. reason: of its ErrorInfo, empty if it was answered."""
        self._calls(call, code, reason).inc()
        if code == "OK":
            self._call_seconds(call).observe(seconds)

    def composed(self, contents: Contents) -> None:
        """Count what went into a context: when many have come, or somebody looks."""
        self._waiting.append(contents)
        if len(self._waiting) >= _TOGETHER:
            self._count_waiting()

    def _count_waiting(self) -> None:
        """Count the contexts that wait for it. Each by itself took 4 % of a compose: its code was in no cache."""
        packages, evidence, hits, tokens, dropped = 0, Tally[str](), Tally[str](), Tally[str](), Tally[str]()
        over = Tally[str]()
        while self._waiting:
            try:
                one = self._waiting.popleft()
            except IndexError:  # another thread counts, too
                break
            packages += 1
            for stage, spent_ms in one.timings_ms.items():
                self._stage_seconds(stage).observe(spent_ms / 1000)
            self._used.observe(sum(one.slots.values()) / one.limit)
            evidence.update(one.sources)
            hits.update(one.sources.keys())
            tokens.update(one.slots)
            dropped.update(one.dropped)
            over.update(_slots_over(one.dropped))
            self._count_degraded(_COMPOSE, one.degraded)
        self._packages.inc(packages)
        for counter, counts in ((self._evidence, evidence), (self._hits, hits), (self._tokens, tokens)):
            for label, count in counts.items():
                counter(label).inc(count)
        for place, count in dropped.items():
            slot, _, reason = place.partition("/")
            self._dropped(slot, reason).inc(count)
        for slot, count in over.items():
            self._over(slot).inc(count)

    def retrieved(self, pack: EvidencePack) -> None:
        """Count what went into a pack."""
        self._packs.inc()
        self._pack_evidence.inc(pack.stats.returned)
        self._count_degraded(_RETRIEVE, pack.degraded)

    def committed(self, response: CommitTurnResponse) -> None:
        """Count what a turn that was written left behind."""
        self._turns.inc()
        verdicts = Tally((verdict.type, verdict.verdict) for verdict in response.explain.retention)
        for (item_type, verdict), count in verdicts.items():
            self._verdicts(item_type, verdict).inc(count)
        if response.summary.triggered:
            self._summaries(response.summary.trigger).inc()

    def text(self) -> str:
        """Return all of it in the text format of OpenMetrics 1.0."""
        self._count_waiting()
        text: bytes = generate_latest(self._registry)  # type: ignore[no-untyped-call]
        return text.decode()

    def page(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Serve it over HTTP, as a WSGI application: OpenMetrics, whatever the client accepts, under PATH alone."""
        if environ["PATH_INFO"] != PATH:
            start_response("404 Not Found", [("Content-Type", "text/plain; charset=utf-8")])
            return [f"there is {PATH} alone\n".encode()]
        self._count_waiting()
        answer: Iterable[bytes] = self._page({**environ, "HTTP_ACCEPT": _OPENMETRICS}, start_response)
        return answer

    def close(self) -> None:
        """Look at the brain no more."""
        self._gauges.close()

    def _count_degraded(self, call: str, what: Iterable[str]) -> None:
        words = list(what)
        if words:
            self._degraded(call).inc()
        for word in words:
            self._left_out(call, word if word in DEGRADATIONS else "other").inc()

    def _counter(self, name: str, text: str, *labels: str) -> Callable[..., Counter]:
        """Return what gives the counter of some label values; looking it up in the library takes a microsecond."""
        counter = Counter(f"smartbrain_{name}", text, labels, registry=self._registry)
        return cache(counter.labels) if labels else lambda: counter

    def _seconds(self, name: str, text: str, label: str) -> Callable[[str], Histogram]:
        histogram = Histogram(
            f"smartbrain_{name}", text, (label,), unit="seconds", buckets=_SECONDS, registry=self._registry
        )
        return cache(histogram.labels)

    def _start_at_zero(self) -> None:
        """Make the series whose first count should be seen as a rise."""
        for source in _SOURCES:
            self._evidence(source)
            self._hits(source)
        for slot in _LIMITED:
            self._over(slot)
        for call in (_COMPOSE, _RETRIEVE):
            self._degraded(call)
            for word in DEGRADATIONS:
                self._left_out(call, word)


def _slots_over(dropped: Iterable[str]) -> Iterator[str]:
    """Yield the slots in which tokens lacked. dropped: as ContextDebug.dropped_counts."""
    for place in dropped:
        slot, _, reason = place.partition("/")
        if reason == "budget" and slot != SELECTION:
            yield slot


class _Gauges(Collector):
    """What the brain holds at the time it is asked, until it is closed."""

    def __init__(self, status: Status) -> None:
        self._status: Status | None = status
        self._reading = threading.Lock()

    def close(self) -> None:
        with self._reading:
            self._status = None

    def collect(self) -> Iterable[Metric]:
        with self._reading:  # so that no brain is closed while it is looked at
            if self._status is None:
                return []
            try:
                now = self._status.read()
            except BrainError as error:
                log.warning("no gauges in the metrics", error=str(error))
                return []
        build = {"version": now.version, "store_format": str(now.store_format), "durability": now.durability}
        build |= {"embedder": now.embedder, "dimension": str(now.dimension)}
        return [
            InfoMetricFamily("smartbrain_build", "What this server is.", build),
            GaugeMetricFamily("smartbrain_memories", "Memories in the store.", now.memories),
            GaugeMetricFamily("smartbrain_memories_loaded", "Memories with their index in RAM.", now.memories_loaded),
            GaugeMetricFamily("smartbrain_index_bytes", "Bytes of loaded indexes.", now.index_bytes, unit="bytes"),
            GaugeMetricFamily("smartbrain_chunks_to_refine", "Chunks without lasting vectors.", now.chunks_to_refine),
            GaugeMetricFamily(
                "smartbrain_purges_to_erase", "Purges that have not left the files.", now.purges_to_erase
            ),
            GaugeMetricFamily("smartbrain_turns_to_learn", "Turns no language model has read.", now.turns_to_learn),
            GaugeMetricFamily("smartbrain_uptime", "Time since the start.", now.uptime_seconds, unit="seconds"),
        ]
