"""The named workloads, as calls that are ready to send: a method's path and a serialised request."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, Never

import grpc
from google.protobuf.timestamp_pb2 import Timestamp
from smartbrain.v1 import brain_service_pb2 as brain
from smartbrain.v1 import event_pb2, plan_pb2
from smartbrain.v1.brain_service_pb2_grpc import BrainServiceStub
from smartbrain.v1.retrieval_service_pb2 import RetrieveRequest
from tqdm import tqdm

from benchmarks.engine import rich
from benchmarks.engine.texts import Texts

Call = tuple[str, bytes]
Durability = Literal["disk", "process"]

MEMORY = "engine"
_COMMIT = "/smartbrain.v1.BrainService/CommitTurn"
_COMPOSE = "/smartbrain.v1.BrainService/ComposeContext"
_RETRIEVE = "/smartbrain.v1.RetrievalService/Retrieve"
_FILL_MESSAGES = 100  # of one turn while filling
_SESSION_MESSAGES = 400
_CHAT = "chat"  # the session that composes are for
_CHAT_TURNS = 20  # of two messages each, at the end of the filling
_EPOCH = 1_750_000_000  # seconds; message n was said a minute after message n-1
_FILL_TIMEOUT = 1800.0


def _message(texts: Texts, number: int, role: str) -> event_pb2.Message:
    created = Timestamp(seconds=_EPOCH + 60 * number)
    return event_pb2.Message(role=role, content=texts.text(number), created_at=created)


def _pair(texts: Texts, number: int) -> event_pb2.TurnEvents:
    messages = [_message(texts, number, "user"), _message(texts, number + 1, "assistant")]
    return event_pb2.TurnEvents(messages=messages)


def _rich(_: Texts, number: int) -> event_pb2.TurnEvents:
    return rich.rich_turn(number // 2, _EPOCH + 60 * number)


@dataclass(frozen=True, slots=True)
class Turns:
    """What is committed: a rule that makes a turn of texts and an even number, and its chunks, items apart."""

    make: Callable[[Texts, int], event_pb2.TurnEvents]
    chunks: int


PAIR = Turns(_pair, 2)
"""A user and an assistant message of a text each."""

RICH = Turns(_rich, rich.CHUNKS)
"""Six messages of which something is learned, a tool call, two refs."""


@dataclass(frozen=True, slots=True)
class Workload:
    """What a client sends over and over. `commits` of every `of` calls add a turn."""

    name: str
    durability: Durability
    commits: int
    of: int
    reads: Literal["compose", "retrieve"] = "compose"
    turns: Turns = PAIR

    def calls(self, texts: Texts, chunks: int, client: int, first: int, count: int) -> list[Call]:
        """Make calls `first` … `first + count - 1` of a client against a memory filled with `chunks` chunks."""
        return [self._call(texts, chunks, client, number) for number in range(first, first + count)]

    def _call(self, texts: Texts, chunks: int, client: int, number: int) -> Call:
        if number % self.of < self.commits:
            turn = self.turns.make(texts, chunks + (client * 1_000_000 + number) * 2)
            return _COMMIT, _commit(turn, client)
        about = (client * 7919 + number * 104_729) % chunks
        if self.reads == "retrieve":
            return _RETRIEVE, _retrieve(texts, about)
        return compose_call(texts.question(about))


WORKLOADS = (
    Workload("compose", "disk", commits=0, of=1),
    Workload("retrieve", "disk", commits=0, of=1, reads="retrieve"),
    Workload("mixed", "disk", commits=1, of=2),
    Workload("commit_disk", "disk", commits=1, of=1),
    Workload("commit_rich_disk", "disk", commits=1, of=1, turns=RICH),
    Workload("commit_process", "process", commits=1, of=1),
    Workload("commit_rich_process", "process", commits=1, of=1, turns=RICH),
)
"""In the order they are run: the memory grows only from `mixed` on."""


def compose_call(user_message: str, plan: plan_pb2.RetrievalPlan | None = None) -> Call:
    """Make a call of ComposeContext for the chat that the filling ends with. Without a plan the server makes one."""
    request = brain.ComposeContextRequest(memory_id=MEMORY, session_id=_CHAT, user_message=user_message, plan=plan)
    return _COMPOSE, request.SerializeToString()


def fill(target: str, texts: Texts, chunks: int) -> None:
    """Commit `chunks` messages, each one chunk: large turns to be quick, and at the end a chat of common ones."""
    with grpc.insecure_channel(target) as channel, tqdm(total=chunks, desc="filling", disable=None) as bar:
        BrainServiceStub(channel).CommitTurns(_filling(texts, chunks, bar), timeout=_FILL_TIMEOUT)


def _filling(texts: Texts, chunks: int, bar: "tqdm[Never]") -> Iterator[brain.CommitTurnsRequest]:
    bulk = max(0, chunks - 2 * _CHAT_TURNS)
    for first in range(0, bulk, _FILL_MESSAGES):
        session = f"session-{first // _SESSION_MESSAGES}"
        yield _turn(texts, range(first, min(bulk, first + _FILL_MESSAGES)), session, bar)
    for first in range(bulk, chunks, 2):
        yield _turn(texts, range(first, min(chunks, first + 2)), _CHAT, bar)


def _turn(texts: Texts, numbers: range, session: str, bar: "tqdm[Never]") -> brain.CommitTurnsRequest:
    messages = [_message(texts, number, "assistant" if number % 2 else "user") for number in numbers]
    bar.update(len(messages))
    turn = event_pb2.TurnEvents(messages=messages)
    return brain.CommitTurnsRequest(turn=brain.CommitTurnRequest(memory_id=MEMORY, session_id=session, turn=turn))


def _commit(turn: event_pb2.TurnEvents, client: int) -> bytes:
    request = brain.CommitTurnRequest(
        memory_id=MEMORY, session_id=f"client-{client}", turn=turn, wait_level=brain.WAIT_LEVEL_FINDABLE
    )
    return request.SerializeToString()


def _retrieve(texts: Texts, about: int) -> bytes:
    plan = plan_pb2.RetrievalPlan(queries=[plan_pb2.PlanQuery(text=texts.question(about))])
    return RetrieveRequest(memory_id=MEMORY, plan=plan).SerializeToString()
