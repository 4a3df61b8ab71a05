"""Other executors: who is asked with a plan, how long their answers are waited for, and what becomes of those.

brain_core opens no connection: whoever opens a brain hands in what asks. A request that itself comes from another
SmartBrain asks nobody, so no question takes more than one hop and no cycle of servers turns.

Answers are waited for before the memory's lock is taken: a slow server must not hold up commits, and a server that
names itself would wait for the lock that its own asker holds.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from smartbrain.v1.admin_service_pb2 import ExecutorStatus
from smartbrain.v1.evidence_pb2 import Evidence, EvidencePack
from smartbrain.v1.item_pb2 import AsOf
from smartbrain.v1.plan_pb2 import RetrievalPlan
from smartbrain.v1.retrieval_service_pb2 import RetrieveRequest, RetrieveResponse

from brain_core.compose.heeded import held_to_filters
from brain_core.compose.validate import check_answer, said
from brain_core.errors import ExecutorUnavailable, InvalidArgument, PolicyError
from brain_core.policy import RemoteRow

MARK = "remote:"
"""How ids of what other executors found begin."""

_WHOLE_CHARS = 800
_UNCONNECTED = "Brain.open was given no executor of this name"


class Pending(Protocol):
    """An answer that is on its way."""

    def result(self, timeout: float) -> RetrieveResponse:
        """Return it, after `timeout` seconds at the latest. Raises ExecutorUnavailable; then nothing goes on."""


class Executor(Protocol):
    """Asks another server of RetrievalService. Safe for use from many threads."""

    @property
    def name(self) -> str:
        """Its name in resources.remote of the policy."""

    def start(self, request: RetrieveRequest, due: float) -> Pending:
        """Send a request, without waiting. due: when the answer must be there, seconds of time.perf_counter.

        Raises ExecutorUnavailable where it is not worth a try.
        """

    def status(self) -> ExecutorStatus:
        """Return how it is doing."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What one executor found, checked, best first."""

    name: str
    evidences: Sequence[Evidence]


@dataclass(frozen=True, slots=True)
class Gathered:
    """What others answered. asked: whether anybody was to be. waits_ms: by executor. trace_ids: of their answers.

    warnings: what went wrong. notes: what is to be known of answers that are as they should be.
    """

    asked: bool = False
    answers: Sequence[Answer] = ()
    warnings: Sequence[str] = ()
    notes: Sequence[str] = ()
    waits_ms: dict[str, float] = field(default_factory=dict)
    trace_ids: Sequence[str] = ()


NOBODY = Gathered()


class Executors:
    """The rows of the policy, each with what asks it."""

    def __init__(self, rows: Sequence[RemoteRow], executors: Sequence[Executor]) -> None:
        """Join them by name. Raises PolicyError for an executor without a row."""
        by_name = {executor.name: executor for executor in executors}
        unknown = sorted(by_name.keys() - {row.name for row in rows})
        if unknown:
            raise PolicyError(
                f"executor {unknown[0]!r} has no row in resources.remote", field="resources.remote", value=unknown[0]
            )
        self._members = tuple((row, by_name.get(row.name)) for row in rows)

    def reach(self, due: float | None, as_of: AsOf, asked_by: str = "") -> Reach:
        """Return how far a request may go. asked_by: what another SmartBrain calls this one, where it asks."""
        return Reach(due, self._members, asked_by, as_of.WhichOneof("moment") is not None)

    def status(self) -> list[ExecutorStatus]:
        """Return how each is doing."""
        return [
            executor.status()
            if executor
            else ExecutorStatus(name=row.name, target=row.target, state="unconnected", problem=_UNCONNECTED)
            for row, executor in self._members
        ]


class Reach(NamedTuple):
    """How far one request may go: until when, seconds of time.perf_counter, None is whenever; and to whom.

    past: whether it is as of a moment, of which others know nothing.
    """

    due: float | None
    members: Sequence[tuple[RemoteRow, Executor | None]] = ()
    asked_by: str = ""
    past: bool = False

    def ask(self, memory_id: str, plan: RetrievalPlan) -> Asking | None:
        """Send a completed plan to every executor that applies; None where none does.

        Whoever is asked by another asks nobody: that is the rule, and nothing that the asker is to be warned of.
        """
        wanted = [one for one in self.members if one[0].when == "always" or plan.resource_retrieval.enabled]
        if not wanted:
            return None
        asking = Asking()
        for row, executor in () if self.asked_by else wanted:
            if self.past:
                asking.warn(row.name, "not asked: as_of is a moment of this memory, not of theirs")
            elif executor is None:
                asking.warn(row.name, f"not asked: {_UNCONNECTED}")
            else:
                asking.start(row, executor, memory_id, plan, self.due)
        return asking


class Asking:
    """A plan that others have been sent."""

    def __init__(self) -> None:
        self._warnings: list[str] = []
        self._notes: list[str] = []
        self._pending: list[tuple[RemoteRow, RetrievalPlan, Pending, float, float]] = []

    def warn(self, name: str, words: str) -> None:
        """Say of an executor what was not done."""
        self._warnings.append(f"remote {name}: {words}")

    def start(self, row: RemoteRow, executor: Executor, memory_id: str, plan: RetrievalPlan, due: float | None) -> None:
        """Send the plan to one, for as many pieces as its row says."""
        began = time.perf_counter()
        seconds = row.timeout_ms / 1000
        if due is not None:
            seconds = min(seconds, row.deadline_share * (due - began))
        if seconds <= 0:
            self.warn(row.name, "not asked: the deadline leaves no time")
            return
        sent = _sent(plan, row)
        try:
            request = RetrieveRequest(memory_id=row.memory_id or memory_id, plan=sent)
            pending = executor.start(request, began + seconds)
        except ExecutorUnavailable as error:
            self.warn(row.name, str(error))
        else:
            self._pending.append((row, sent, pending, began, began + seconds))

    def collect(self) -> Gathered:
        """Return what comes in time and can be used; each is waited for as long as it was given."""
        answers, waits, traces = [], {}, []
        for row, sent, pending, began, until in self._pending:
            try:
                response = pending.result(max(0.0, until - time.perf_counter()))
                check_answer(response, sent)
            except ExecutorUnavailable as error:
                self.warn(row.name, str(error))
            except InvalidArgument as error:
                self.warn(row.name, f"its pack was rejected: {error}")
            else:
                answers.append(Answer(row.name, self._heeded(row.name, response.pack, sent)))
                traces.append(f"remote:{row.name}:{response.pack.plan_id}")
                self._pass_on(row.name, response.pack)
            waits[f"remote.{row.name}"] = (time.perf_counter() - began) * 1000
        return Gathered(True, answers, self._warnings, self._notes, waits, traces)

    def _heeded(self, name: str, pack: EvidencePack, sent: RetrievalPlan) -> Sequence[Evidence]:
        """Return what of a pack the filters of its plan allow, and say what was left out and what it does not show."""
        heeded = held_to_filters(pack.evidences, sent)
        for words in heeded.breaches:
            self.warn(name, words)
        if heeded.unshown:
            self._notes.append(f"remote {name}: what it found does not show {', '.join(heeded.unshown)}: not checked")
        return heeded.kept

    def _pass_on(self, name: str, pack: EvidencePack) -> None:
        """Say what an executor says that it did not do."""
        for words in said(pack.warnings):
            self.warn(name, f"it warns: {words}")
        for words in said(pack.explain.ignored_fields):
            self.warn(name, f"it ignored {words}")


def _sent(plan: RetrievalPlan, row: RemoteRow) -> RetrievalPlan:
    """Return a plan as an executor is to carry it out: for few pieces, with all that they are checked by.

    Texts come whole, since that is how they are told to be the same; what the plan wants of them is cut out here. Ids
    that were found there are sent by the names that they have there.
    """
    sent = RetrievalPlan()
    sent.CopyFrom(plan)
    for filters in (sent.global_filters, *(query.filters for query in sent.queries)):
        for ids in (filters.document_ids, filters.session_ids):
            ids[:] = [one.removeprefix(f"{MARK}{row.name}:") for one in ids]
    sent.budget.top_k = row.top_k
    output = sent.output
    output.snippet_policy, output.max_snippet_chars = "auto", max(output.max_snippet_chars, _WHOLE_CHARS)
    output.include_snippets = output.include_signals = output.include_provenance = True
    output.include_raw = False
    return sent
