"""SmartBrain as a system under test: a running server, asked through its wire contracts with nothing special set."""

import time
from collections.abc import Iterator
from datetime import datetime

import grpc
from google.protobuf.timestamp_pb2 import Timestamp
from smartbrain.conversations import Session, Turn
from smartbrain.v1 import brain_service_pb2 as brain
from smartbrain.v1 import event_pb2, plan_pb2
from smartbrain.v1.brain_service_pb2_grpc import BrainServiceStub
from smartbrain.v1.context_pb2 import ContextPackage
from smartbrain.v1.evidence_pb2 import EvidencePack
from smartbrain.v1.retrieval_service_pb2 import RetrieveRequest
from smartbrain.v1.retrieval_service_pb2_grpc import RetrievalServiceStub

from benchmarks.quality.metrics import unique
from benchmarks.quality.systems import ALONE, Package, Ranking, Setting
from brain_core import load_policy

_HINTS = load_policy().policies.retrieval.hints  # as the server's own planner gives them
_TOP_K = 200  # evidences asked for: several may be windows of one turn, and 50 turns are kept
_NO_CAP = 1000
_TIMEOUT = 60.0  # seconds per call
_STREAM_TIMEOUT = 600.0  # seconds per CommitTurns


class SmartBrain:
    """A server at a gRPC target. Close it after use."""

    name = "smartbrain"

    counter = "of the whole rendered package with the question, as the server counts them (it errs high)"

    def __init__(self, target: str) -> None:
        unlimited = [("grpc.max_receive_message_length", -1), ("grpc.max_send_message_length", -1)]
        self._channel = grpc.insecure_channel(target, options=unlimited)
        self._brain = BrainServiceStub(self._channel)
        self._retrieval = RetrievalServiceStub(self._channel)

    def open(self, memory_id: str) -> "SmartBrainMemory":
        """Name a memory, which the server makes at its first commit."""
        return SmartBrainMemory(memory_id, self._brain, self._retrieval)

    def close(self) -> None:
        """Close the connection."""
        self._channel.close()


class SmartBrainMemory:
    """One memory of the server. Turns wait here until the next question and then go in as one CommitTurns stream."""

    def __init__(self, memory_id: str, brain_stub: BrainServiceStub, retrieval_stub: RetrievalServiceStub) -> None:
        self._memory_id = memory_id
        self._brain = brain_stub
        self._retrieval = retrieval_stub
        self._waiting: list[brain.CommitTurnsRequest] = []
        self._asked = 0

    def add(self, session: Session, turn: Turn) -> None:
        """Queue the turn as one commit of one message, under the data's ids and with its time."""
        self._waiting.append(brain.CommitTurnsRequest(turn=commit_of(self._memory_id, session, turn)))

    def retrieve(self, question: str, setting: Setting = ALONE) -> Ranking:
        """Ask one hybrid query, caps too high to bind; windows of one turn count once, where the first stands."""
        self.commit_waiting()
        plan = hybrid_plan(question)
        plan.queries[0].hints.extend(turn.text[-_HINTS.chars :] for turn in setting.said[-_HINTS.messages :])
        request = RetrieveRequest(memory_id=self._memory_id, plan=plan)
        start = time.perf_counter()
        response = self._retrieval.Retrieve(request, timeout=_TIMEOUT)
        took_ms = (time.perf_counter() - start) * 1e3
        return Ranking(turns_of(response.pack), took_ms)

    def package(self, question: str, token_limit: int, setting: Setting = ALONE) -> Package:
        """Call ComposeContext as an agent would; in a new session no recent turns come in."""
        self.commit_waiting()
        self._asked += 1
        request = brain.ComposeContextRequest(
            memory_id=self._memory_id,
            session_id=setting.session_id or f"benchmark-question-{self._asked}",
            user_message=question,
            token_limit=token_limit,
        )
        start = time.perf_counter()
        context = self._brain.ComposeContext(request, timeout=_TIMEOUT).context
        took_ms = (time.perf_counter() - start) * 1e3
        return Package(turns_in(context), context.constraints.token_budget.used, took_ms)

    def commit_waiting(self) -> None:
        """Send the turns that wait."""
        if self._waiting:
            self._brain.CommitTurns(iter(self._waiting), timeout=_STREAM_TIMEOUT)
            self._waiting = []


def commit_of(memory_id: str, session: Session, turn: Turn) -> brain.CommitTurnRequest:
    """Return the commit of one message that a turn of the data is, under the data's ids and with its time."""
    message = event_pb2.Message(
        message_id=turn.turn_id,
        role=turn.role,
        speaker=turn.speaker,
        content=turn.text,
        created_at=_timestamp(turn.datetime or session.datetime),
    )
    return brain.CommitTurnRequest(
        memory_id=memory_id, session_id=session.session_id, turn=event_pb2.TurnEvents(messages=[message])
    )


def hybrid_plan(question: str) -> plan_pb2.RetrievalPlan:
    """Return a plan of one hybrid query whose caps do not bind, for evidences without text."""
    return plan_pb2.RetrievalPlan(
        queries=[plan_pb2.PlanQuery(text=question, mode="hybrid")],
        budget=plan_pb2.PlanBudget(
            top_k=_TOP_K,
            candidate_k=_TOP_K,
            per_mode_k=plan_pb2.PerModeK(hybrid=_TOP_K),
            diversity=plan_pb2.PlanDiversity(by_document=_NO_CAP, by_source=_NO_CAP, by_section=_NO_CAP),
        ),
        output=plan_pb2.PlanOutput(include_snippets=False),
    )


def turns_of(pack: EvidencePack) -> list[str]:
    """Return the ids of a pack's turns, the best first."""
    return _turn_ids(evidence.ref.message_id for evidence in pack.evidences)


def turns_in(context: ContextPackage) -> list[str]:
    """Return the ids of the turns in a package."""
    evidence = [ref.message_id for one in context.evidence for ref in one.merged or [one.ref]]
    return _turn_ids(iter(evidence + [one.message_id for one in context.recent_turns]))


def _turn_ids(message_ids: Iterator[str]) -> list[str]:
    """Keep the messages' ids, each once; a memory item that was learned from no message has none and is passed over."""
    return unique(one for one in message_ids if one)


def _timestamp(moment: datetime | None) -> Timestamp | None:
    if moment is None:
        return None
    timestamp = Timestamp()
    timestamp.FromDatetime(moment)
    return timestamp
