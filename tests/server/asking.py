"""Requests, and what a refusal says, for tests that go over gRPC."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

import grpc
from google.rpc import error_details_pb2
from grpc_status import rpc_status
from smartbrain.v1.brain_service_pb2 import CommitTurnRequest, ComposeContextRequest, ListTurnsRequest
from smartbrain.v1.event_pb2 import Message, Turn, TurnEvents
from smartbrain.v1.evidence_pb2 import EvidencePack
from smartbrain.v1.plan_pb2 import PerModeK, PlanBudget, PlanQuery, RetrievalPlan
from smartbrain.v1.retrieval_service_pb2 import RetrieveRequest

from tests.serving import Stubs

QUERIES_PER_PLAN = 16


def commit(memory_id: str, session_id: str, *contents: str, request_id: str = "") -> CommitTurnRequest:
    """Return a commit of what the user said."""
    messages = [Message(role="user", content=content) for content in contents]
    return CommitTurnRequest(
        memory_id=memory_id, session_id=session_id, request_id=request_id, turn=TurnEvents(messages=messages)
    )


def compose(memory_id: str, session_id: str, message: str, **options: Any) -> ComposeContextRequest:  # noqa: ANN401
    """Return a compose."""
    return ComposeContextRequest(memory_id=memory_id, session_id=session_id, user_message=message, **options)


def retrieve(memory_id: str, *texts: str, mode: str = "exact", k: int = 10) -> RetrieveRequest:
    """Return a retrieve of one query for each text, each of which brings up to k evidences."""
    plan = RetrievalPlan(
        queries=[PlanQuery(text=text, mode=mode) for text in texts],
        budget=PlanBudget(top_k=1000, per_mode_k=PerModeK(exact=k, semantic=k, hybrid=k)),
    )
    return RetrieveRequest(memory_id=memory_id, plan=plan)


def all_turns(stubs: Stubs, memory_id: str, session_id: str, page_size: int = 1000) -> list[Turn]:
    """Return every turn of a session, page by page; none if there is no such session."""
    request = ListTurnsRequest(memory_id=memory_id, session_id=session_id, page_size=page_size)
    turns: list[Turn] = []
    while True:
        try:
            page = stubs.brain.ListTurns(request)
        except grpc.RpcError as error:
            assert error.code() == grpc.StatusCode.NOT_FOUND
            return turns
        turns += page.turns
        if not page.next_page_token:
            return turns
        request.page_token = page.next_page_token


def texts(turns: list[Turn]) -> list[list[str]]:
    """Return what was said, turn by turn."""
    return [[message.content for message in turn.events.messages] for turn in turns]


def missing(stubs: Stubs, memory_id: str, said: dict[str, str]) -> list[str]:
    """Return which words of {word: text that has it and no other has} an exact search does not find with its text."""
    lost = []
    words = list(said)
    for start in range(0, len(words), QUERIES_PER_PLAN):
        some = words[start : start + QUERIES_PER_PLAN]
        pack: EvidencePack = stubs.retrieval.Retrieve(retrieve(memory_id, *some, k=3)).pack
        found = {evidence.snippet for evidence in pack.evidences}
        lost += [word for word in some if said[word] not in found]
    return lost


def send_raw(channel: grpc.Channel, path: str, content: bytes, *, stream: bool = False) -> object:
    """Make a call with bytes that may be no request; return its answer, or answers, as bytes."""
    open_channel: Any = channel  # the stubs have no calls without a serializer
    if stream:
        return list(open_channel.unary_stream(path)(content, timeout=30))
    return open_channel.unary_unary(path)(content, timeout=30)


@dataclass(frozen=True, slots=True)
class Refusal:
    """How a call failed."""

    code: grpc.StatusCode
    message: str
    reason: str
    facts: dict[str, str]


def refusal(call: Callable[[], object]) -> Refusal:
    """Make a call that must fail, and return how it did; reason and facts are those of its ErrorInfo."""
    try:
        answer = call()
    except grpc.RpcError as error:
        status = rpc_status.from_call(cast("grpc.Call", error))
        info = error_details_pb2.ErrorInfo()
        if status is not None:
            assert len(status.details) == 1
            assert status.details[0].Unpack(info)
            assert info.domain == "smartbrain"
        return Refusal(error.code(), error.details() or "", info.reason, dict(info.metadata))
    raise AssertionError(f"was not refused, but answered {answer}")
