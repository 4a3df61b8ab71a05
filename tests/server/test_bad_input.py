"""Every sort of bad request: the right code, field, value and limit named, and nothing changed."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import grpc
import pytest
from google.protobuf import json_format
from google.protobuf.message import Message as Proto
from smartbrain.v1 import admin_service_pb2, brain_service_pb2, retrieval_service_pb2
from smartbrain.v1.brain_service_pb2 import (
    CommitTurnRequest,
    ComposeContextRequest,
    GetSessionRequest,
    ListSessionsRequest,
    ListTurnsRequest,
)
from smartbrain.v1.event_pb2 import Message, TurnEvents
from smartbrain.v1.retrieval_service_pb2 import RetrieveRequest

from tests.server.asking import commit, refusal, send_raw
from tests.serving import Server, Stubs

INVALID = grpc.StatusCode.INVALID_ARGUMENT
TAKEN = grpc.StatusCode.ALREADY_EXISTS
UNKNOWN = grpc.StatusCode.NOT_FOUND
EARLY = grpc.StatusCode.FAILED_PRECONDITION

MEMORY, SESSION = "bad-input", "first"
_MIB = 1 << 20
_REQUESTS = {
    "CommitTurn": ("BrainService", brain_service_pb2.CommitTurnRequest),
    "ComposeContext": ("BrainService", brain_service_pb2.ComposeContextRequest),
    "GetContext": ("BrainService", brain_service_pb2.GetContextRequest),
    "ListContexts": ("BrainService", brain_service_pb2.ListContextsRequest),
    "Replay": ("BrainService", brain_service_pb2.ReplayRequest),
    "GetSession": ("BrainService", brain_service_pb2.GetSessionRequest),
    "ListSessions": ("BrainService", brain_service_pb2.ListSessionsRequest),
    "ListTurns": ("BrainService", brain_service_pb2.ListTurnsRequest),
    "Retrieve": ("RetrievalService", retrieval_service_pb2.RetrieveRequest),
    "Verify": ("AdminService", admin_service_pb2.VerifyRequest),
    "RebuildIndex": ("AdminService", admin_service_pb2.RebuildIndexRequest),
    "Backup": ("AdminService", admin_service_pb2.BackupRequest),
}
_STREAMS = {"Verify", "RebuildIndex", "Backup"}


@dataclass(frozen=True, slots=True)
class Case:
    """A request, as bytes, and how it must be refused. value and limit are parts of what must be named."""

    call: str
    request: bytes
    field: str
    value: str
    limit: str
    code: grpc.StatusCode = INVALID


def _case(call: str, request: dict[str, Any], field: str, value: str, limit: str, **options: Any) -> Case:  # noqa: ANN401
    full = {"memory_id": MEMORY, **request}
    if call in {"CommitTurn", "ComposeContext", "GetSession", "ListTurns"}:
        full = {"session_id": SESSION, **full}
    if call == "ComposeContext":
        full = {"user_message": "Where was I?", **full}
    kept = {name: value for name, value in full.items() if value is not None}
    made: Proto = json_format.ParseDict(kept, _REQUESTS[call][1]())
    return Case(call, made.SerializeToString(), field, value, limit, **options)


def _turn(turn: dict[str, Any], field: str, value: str, limit: str, **options: Any) -> Case:  # noqa: ANN401
    return _case("CommitTurn", {"turn": turn}, f"turn.{field}" if field else "turn", value, limit, **options)


def _said(message: dict[str, Any], field: str, value: str, limit: str, **options: Any) -> Case:  # noqa: ANN401
    full = {"role": "user", "content": "Hello.", **message}
    return _turn({"messages": [full]}, f"messages[0].{field}", value, limit, **options)


def _plan(plan: dict[str, Any], field: str, value: str, limit: str) -> Case:
    full = {"queries": [{"text": "where"}], **plan}
    return _case("Retrieve", {"plan": full}, f"plan.{field}", value, limit)


def _holding(number: float) -> dict[str, Any]:
    """Return a JSON object with a number far down in it."""
    return {"fine": 1.5, "below": [None, {"a": number}]}


def _token(place: bytes) -> str:
    return base64.urlsafe_b64encode(place).decode()


def _delimited(number: int, content: bytes) -> bytes:
    """Return a length-delimited protobuf field of less than 128 bytes."""
    return bytes([number << 3 | 2, len(content)]) + content


BAD_KEY = b"caf\xe9"  # Latin-1
_TURN = {"messages": [{"role": "user", "content": "Hello."}]}

MESSAGES = {
    "no turn": _case("CommitTurn", {}, "turn", "empty", "at least one message"),
    "empty turn": _turn({}, "", "empty", "at least one message"),
    "no message": _turn({"messages": []}, "", "empty", "at least one message"),
    "empty message": _said({"content": ""}, "content", "", "1..1048576 bytes, not blank"),
    "blank message": _said({"content": " \n\t\u3000"}, "content", " \n\t\u3000", "not blank"),
    "unknown role": _said({"role": "wizard"}, "role", "wizard", "user | assistant | system | tool"),
    "role in capitals": _said({"role": "User"}, "role", "User", "user | assistant | system | tool"),
    "missing role": _said({"role": ""}, "role", "", "user | assistant | system | tool"),
    "10 MB message": _said({"content": "a" * 10_000_000}, "content", "aaa", "1048576 bytes"),
    "10 MB Chinese message": _said({"content": "记" * 3_333_333}, "content", "记记记", "1048576 bytes"),
    "message just over": _said({"content": "a" * (_MIB + 1)}, "content", "(1048577 characters)", "1048576 bytes"),
    "request too large": _turn(
        {"messages": [{"role": "user", "content": "a" * _MIB}] * 8}, "", "bytes", "8388608 bytes"
    ),
    "too many messages": _turn(
        {"messages": [{"role": "user", "content": "a"}] * 1001}, "messages", "1001 entries", "1000 entries"
    ),
    "long message id": _said({"message_id": "i" * 129}, "message_id", "iii", "128 bytes"),
    "control in message id": _said({"message_id": "a\u0000b"}, "message_id", "\\x00", "no control characters"),
    "long speaker": _said({"speaker": "说" * 43}, "speaker", "说", "128 bytes"),
    "line break in speaker": _said({"speaker": "a\nb"}, "speaker", "\\n", "no control characters"),
    "message id twice": _turn(
        {"messages": [{"role": "user", "content": "a", "message_id": "m-1"}] * 2},
        "messages[1].message_id",
        "m-1",
        "unique within its session",
        code=TAKEN,
    ),
    "message id taken": _said({"message_id": "taken"}, "message_id", "taken", "unique within its session", code=TAKEN),
    "second message bad": _turn(
        {"messages": [_TURN["messages"][0], {"role": "user"}]}, "messages[1].content", "", "not blank"
    ),
}

IDS = {
    "no memory id": _case("CommitTurn", {"memory_id": None, "turn": _TURN}, "memory_id", "", "1..128 bytes"),
    "no session id": _case("CommitTurn", {"session_id": None, "turn": _TURN}, "session_id", "", "1..128 bytes"),
    "long memory id": _case("CommitTurn", {"memory_id": "m" * 129, "turn": _TURN}, "memory_id", "mmm", "128 bytes"),
    "long Chinese session id": _case(
        "CommitTurn", {"session_id": "会" * 43, "turn": _TURN}, "session_id", "会会", "128 bytes"
    ),
    "zero in memory id": _case(
        "CommitTurn", {"memory_id": "a\u0000b", "turn": _TURN}, "memory_id", "\\x00", "no control characters"
    ),
    "tab in session id": _case(
        "CommitTurn", {"session_id": "a\tb", "turn": _TURN}, "session_id", "\\t", "no control characters"
    ),
    "C1 control in session id": _case(
        "CommitTurn", {"session_id": "a\u0085b", "turn": _TURN}, "session_id", "\\x85", "no control characters"
    ),
    "long request id": _case("CommitTurn", {"request_id": "r" * 129, "turn": _TURN}, "request_id", "rrr", "128 bytes"),
    "control in request id": _case(
        "CommitTurn", {"request_id": "\u007f", "turn": _TURN}, "request_id", "\\x7f", "no control characters"
    ),
    "request id used": _case(
        "CommitTurn",
        {"request_id": "used", "turn": _TURN},
        "request_id",
        "used",
        "one request per request_id",
        code=TAKEN,
    ),
    "unknown wait level": _case(
        "CommitTurn", {"wait_level": 9, "turn": _TURN}, "wait_level", "9", "WAIT_LEVEL_DURABLE"
    ),
    "compose without memory": _case("ComposeContext", {"memory_id": None}, "memory_id", "", "1..128 bytes"),
    "compose without session": _case("ComposeContext", {"session_id": None}, "session_id", "", "1..128 bytes"),
    "retrieve without memory": _case("Retrieve", {"memory_id": None}, "memory_id", "", "1..128 bytes"),
    "retrieve, control in session": _case("Retrieve", {"session_id": "\u0001"}, "session_id", "\\x01", "no control"),
    "list sessions without memory": _case("ListSessions", {"memory_id": None}, "memory_id", "", "1..128 bytes"),
    "list turns without session": _case("ListTurns", {"session_id": None}, "session_id", "", "1..128 bytes"),
    "get session without session": _case("GetSession", {"session_id": None}, "session_id", "", "1..128 bytes"),
    "get context without id": _case("GetContext", {}, "context_id", "", "1..128 bytes"),
    "replay without id": _case("Replay", {}, "context_id", "", "1..128 bytes"),
    "replay, control character": _case("Replay", {"context_id": "c\n"}, "context_id", "n", "control"),
    "contexts of no memory": _case("ListContexts", {"memory_id": None}, "memory_id", "", "1..128 bytes"),
    "contexts, long page": _case("ListContexts", {"page_size": 1001}, "page_size", "1001", "0..1000"),
    "get context, long id": _case("GetContext", {"context_id": "c" * 129}, "context_id", "ccc", "128 bytes"),
}

STRUCTURED = {
    "retraction of unknown type": _turn(
        {"retractions": [{"type": "opinions", "key": "k"}]}, "retractions[0].type", "opinions", "preferences"
    ),
    "retraction without key": _turn({"retractions": [{"type": "tasks"}]}, "retractions[0].key", "", "1.."),
    "bad day": _turn({"tasks": [{"task_id": "t", "due": "tomorrow"}]}, "tasks[0].due", "tomorrow", "YYYY-MM-DD"),
    "month 13": _turn({"events": [{"title": "t", "date": "2024-13-01"}]}, "events[0].date", "2024-13-01", "YYYY-MM-DD"),
    "30 February": _turn(
        {"events": [{"title": "t", "date": "2024-02-30"}]}, "events[0].date", "2024-02-30", "YYYY-MM-DD"
    ),
    "day with a line break": _turn(
        {"decisions": [{"topic": "t", "decision": "d", "made_at": "2024-01-01\n"}]},
        "decisions[0].made_at",
        "2024-01-01",
        "YYYY-MM-DD",
    ),
    "unknown entity kind": _turn(
        {"entities": [{"canonical": "Rex", "kind": "dog"}]}, "entities[0].kind", "dog", "person | org"
    ),
    "entity without name": _turn({"entities": [{"kind": "person"}]}, "entities[0].canonical", "", "not blank"),
    "unknown task status": _turn(
        {"tasks": [{"task_id": "t", "status": "never"}]}, "tasks[0].status", "never", "todo | doing | done | blocked"
    ),
    "task without id": _turn({"tasks": [{"title": "t"}]}, "tasks[0].task_id", "", "not blank"),
    "decision without decision": _turn({"decisions": [{"topic": "t"}]}, "decisions[0].decision", "", "not blank"),
    "unknown goal status": _turn(
        {"goals": [{"name": "g", "status": "lost"}]}, "goals[0].status", "lost", "active | reached | dropped"
    ),
    "unknown scope": _turn(
        {"preferences": [{"name": "n", "value": "v", "scope": "food"}]},
        "preferences[0].scope",
        "food",
        "writing | coding",
    ),
    "preference without value": _turn({"preferences": [{"name": "n"}]}, "preferences[0].value", "", "not blank"),
    "preference priority": _turn(
        {"preferences": [{"name": "n", "value": "v", "priority": 1.5}]}, "preferences[0].priority", "1.5", "0..1"
    ),
    "preference priority not a number": _turn(
        {"preferences": [{"name": "n", "value": "v", "priority": "NaN"}]}, "preferences[0].priority", "nan", "0..1"
    ),
    "control in a key part": _turn(
        {"tasks": [{"task_id": "a\u0000b"}]}, "tasks[0].task_id", "\\x00", "no control characters"
    ),
    "long key part": _turn({"tasks": [{"task_id": "t" * 129}]}, "tasks[0].task_id", "ttt", "128 bytes"),
    "long value": _turn({"tasks": [{"task_id": "t", "title": "x" * 70_000}]}, "tasks[0]", "bytes", "65536 bytes"),
    "too many tasks": _turn({"tasks": [{"task_id": "t"}] * 1001}, "tasks", "1001 entries", "1000 entries"),
    "tool without name": _turn({"tool_calls": [{"result": "r"}]}, "tool_calls[0].name", "", "1..128 bytes"),
    "unknown tool status": _turn(
        {"tool_calls": [{"name": "ls", "status": "fine"}]}, "tool_calls[0].status", "fine", "ok | error | cancelled"
    ),
    "long tool result": _turn(
        {"tool_calls": [{"name": "ls", "result": "r" * (_MIB + 1)}]}, "tool_calls[0].result", "1048577 bytes", "1048576"
    ),
    "argument that is infinite": _turn(
        {"tool_calls": [{"name": "ls", "args": _holding(float("inf"))}]},
        "tool_calls[0].args.below[1].a",
        "inf",
        "a finite number",
    ),
    "meta that is no number": _turn(
        {"refs": [{"ref_type": "url", "uri": "u", "meta": _holding(float("nan"))}]},
        "refs[0].meta.below[1].a",
        "nan",
        "a finite number",
    ),
    "value that is infinite": _turn(
        {"items": [{"type": "notes", "value": _holding(-float("inf"))}]},
        "items[0].value.below[1].a",
        "-inf",
        "a finite number",
    ),
    "unknown ref type": _turn({"refs": [{"ref_type": "book", "uri": "u"}]}, "refs[0].ref_type", "book", "file | url"),
    "ref without uri": _turn({"refs": [{"ref_type": "url"}]}, "refs[0].uri", "", "1..4096 bytes"),
}

_PLAN_NUMBERS: dict[str, tuple[dict[str, Any], str]] = {
    "budget.top_k": ({"budget": {"top_k": -1}}, "0..1000"),
    "budget.candidate_k": ({"budget": {"candidate_k": -1}}, "0..10000"),
    "budget.per_mode_k.exact": ({"budget": {"per_mode_k": {"exact": -1}}}, "0..1000"),
    "budget.per_mode_k.semantic": ({"budget": {"per_mode_k": {"semantic": -1}}}, "0..1000"),
    "budget.per_mode_k.hybrid": ({"budget": {"per_mode_k": {"hybrid": -1}}}, "0..1000"),
    "budget.per_mode_k.relational": ({"budget": {"per_mode_k": {"relational": -1}}}, "0..1000"),
    "budget.per_mode_k.associative": ({"budget": {"per_mode_k": {"associative": -1}}}, "0..1000"),
    "budget.diversity.by_document": ({"budget": {"diversity": {"by_document": -1}}}, "0..1000"),
    "budget.diversity.by_source": ({"budget": {"diversity": {"by_source": -1}}}, "0..1000"),
    "budget.diversity.by_section": ({"budget": {"diversity": {"by_section": -1}}}, "0..1000"),
    "ranking.fusion.rrf_k": ({"ranking": {"fusion": {"rrf_k": -1}}}, "0..1000000"),
    "ranking.fusion.weights[exact]": ({"ranking": {"fusion": {"weights": {"exact": -1}}}}, "0..1000"),
    "ranking.rerank.top_n": ({"ranking": {"rerank": {"top_n": -1}}}, "0..10000"),
    "output.max_snippet_chars": ({"output": {"max_snippet_chars": -1}}, "0..100000"),
    "queries[0].weight": ({"queries": [{"text": "where", "weight": -1}]}, "0..1000"),
    "global_filters.min_confidence": ({"global_filters": {"min_confidence": -1}}, "0..1"),
    "global_filters.max_priority": ({"global_filters": {"max_priority": -1}}, "0..10"),
}

NUMBERS = {f"negative {field}": _plan(plan, field, "-1", limit) for field, (plan, limit) in _PLAN_NUMBERS.items()} | {
    "negative token_limit": _case("ComposeContext", {"token_limit": -1}, "token_limit", "-1", "0..1048576"),
    "huge token_limit": _case("ComposeContext", {"token_limit": 2**31 - 1}, "token_limit", "2147483647", "0..1048576"),
    "negative min_revision": _case("ComposeContext", {"min_revision": -1}, "min_revision", "-1", "0.."),
    "negative min_revision of retrieve": _case("Retrieve", {"min_revision": -1}, "min_revision", "-1", "0.."),
    "negative page_size": _case("ListTurns", {"page_size": -1}, "page_size", "-1", "0..1000"),
    "negative page_size of sessions": _case("ListSessions", {"page_size": -1}, "page_size", "-1", "0..1000"),
    "page_size too large": _case("ListTurns", {"page_size": 1001}, "page_size", "1001", "0..1000"),
    "top_k too large": _plan({"budget": {"top_k": 1001}}, "budget.top_k", "1001", "0..1000"),
    "candidate_k too large": _plan({"budget": {"candidate_k": 10_001}}, "budget.candidate_k", "10001", "0..10000"),
    "weight not a number": _plan({"queries": [{"text": "w", "weight": "NaN"}]}, "queries[0].weight", "nan", "0..1000"),
    "infinite weight": _plan({"queries": [{"text": "w", "weight": "Infinity"}]}, "queries[0].weight", "inf", "0..1000"),
    "min_confidence over 1": _plan(
        {"global_filters": {"min_confidence": 2}}, "global_filters.min_confidence", "2", "0..1"
    ),
    "negative number in a plan to compose": _case(
        "ComposeContext",
        {"plan": {"queries": [{"text": "w"}], "budget": {"top_k": -5}}},
        "plan.budget.top_k",
        "-5",
        "0..1000",
    ),
    "token_limit under the message": _case("ComposeContext", {"token_limit": 3}, "token_limit", "3", "≥ "),
}

_LONG = "x" * 2049
_LONG_PLANS: dict[str, tuple[dict[str, Any], str, str]] = {
    "global_filters.document_ids": ({"global_filters": {"document_ids": [_LONG]}}, "2049 char", "2048 char"),
    "global_filters.session_ids": ({"global_filters": {"session_ids": ["s", _LONG]}}, "2049 char", "2048 char"),
    "global_filters.tag_ids": ({"global_filters": {"tag_ids": [_LONG]}}, "2049 char", "2048 char"),
    "global_filters.source_uri_prefix": ({"global_filters": {"source_uri_prefix": _LONG}}, "2049 char", "2048 char"),
    "global_filters.language": ({"global_filters": {"language": _LONG}}, "2049 char", "2048 char"),
    "queries[0].filters.topic_ids": (
        {"queries": [{"text": "w", "filters": {"topic_ids": [_LONG]}}]}, "2049 char", "2048 char"
    ),
    "queries.hints": (
        {"queries": [{"text": "w", "hints": ["记" * 10_000] * 9}, {"text": "x", "hints": ["y" * 10_000] * 8}]},
        "170000 characters",
        "160000 characters in all",
    ),
    "ranking.fusion.weights": (
        {"ranking": {"fusion": {"weights": {f"w{number}": 1 for number in range(101)}}}}, "101 entries", "100 entries"
    ),
    "ranking.source_priority": (
        {"ranking": {"source_priority": {f"w{number}": 1 for number in range(101)}}}, "101 entries", "100 entries"
    ),
    "resource_retrieval.reason": ({"resource_retrieval": {"reason": "x" * 10_001}}, "10001 char", "10000 char"),
    "debug.notes": ({"debug": {"notes": "x" * 10_001}}, "10001 char", "10000 char"),
    "debug.caller.app": ({"debug": {"caller": {"app": "x" * 10_001}}}, "10001 char", "10000 char"),
    "debug.caller.session_id": ({"debug": {"caller": {"session_id": "x" * 10_001}}}, "10001 char", "10000 char"),
}  # fmt: skip

LONG_PARTS = {f"long {field}": _plan(plan, field, *told) for field, (plan, *told) in _LONG_PLANS.items()} | {
    "large attributes": _case(
        "ComposeContext",
        {"agent_state": {"attributes": {"k" * 100: "值" * 20_000, "l": "v" * 6_000}}},
        "agent_state.attributes",
        "66101 bytes",
        "65536 bytes",
    ),
}

WORDS = {
    "unknown mode": _plan(
        {"queries": [{"text": "w", "mode": "magic"}]}, "queries[0].mode", "magic", "exact | semantic"
    ),
    "unknown fusion": _plan(
        {"ranking": {"fusion": {"method": "sum"}}}, "ranking.fusion.method", "sum", "rrf | weighted"
    ),
    "unknown tie_breaker": _plan(
        {"ranking": {"tie_breaker": "coin"}}, "ranking.tie_breaker", "coin", "recency | source"
    ),
    "unknown ranker": _plan({"ranking": {"rerank": {"model": "gpt"}}}, "ranking.rerank.model", "gpt", "linear"),
    "unknown purpose": _plan({"purpose": "fun"}, "purpose", "fun", "qa | continue_task"),
    "unknown version": _plan({"version": "9.9"}, "version", "9.9", "0.1"),
    "unknown snippet_policy": _plan({"output": {"snippet_policy": "l9"}}, "output.snippet_policy", "l9", "l0 | l1"),
    "unknown source_type": _plan(
        {"global_filters": {"source_type": ["tape"]}}, "global_filters.source_type", "tape", "url | file"
    ),
    "unknown status": _plan(
        {"global_filters": {"statuses": [77]}}, "global_filters.statuses", "77", "ITEM_STATUS_ACTIVE"
    ),
    "unknown layer": _plan({"global_filters": {"layers": [77]}}, "global_filters.layers", "77", "LAYER_WORKING"),
    "unknown status of a query": _plan(
        {"queries": [{"text": "w", "filters": {"statuses": [77]}}]}, "queries[0].filters.statuses", "77", "ACTIVE"
    ),
    "unknown task_kind": _case(
        "ComposeContext", {"agent_state": {"task_kind": "odd"}}, "agent_state.task_kind", "odd", "simple | complex"
    ),
    "no plan": _case("Retrieve", {}, "plan", "none", "a plan with at least one query"),
    "plan without queries": _plan({"queries": []}, "queries", "0 entries", "1..16 entries"),
    "compose, plan without queries": _case(
        "ComposeContext", {"plan": {}}, "plan.queries", "0 entries", "1..16 entries"
    ),
    "too many queries": _plan({"queries": [{"text": "w"}] * 17}, "queries", "17 entries", "16 entries"),
    "blank query": _plan({"queries": [{"text": "  "}]}, "queries[0].text", "  ", "not blank"),
    "long query": _plan({"queries": [{"text": "w" * 10_001}]}, "queries[0].text", "10001", "10000"),
    "long request_id of a plan": _plan({"request_id": "r" * 129}, "request_id", "rrr", "128 bytes"),
    "empty user message": _case("ComposeContext", {"user_message": ""}, "user_message", "", "not blank"),
    "blank user message": _case("ComposeContext", {"user_message": "\n"}, "user_message", "\n", "not blank"),
    "10 MB user message": _case("ComposeContext", {"user_message": "a" * 10_000_000}, "user_message", "aaa", "1048576"),
}


def _range(start: str, stop: str) -> dict[str, Any]:
    return {"global_filters": {"time_range": {"from": start, "to": stop}}}


def _stamped(call: str, request: Proto, seconds: int, field: str, limit: str, nanos: int = 0) -> Case:
    """Return a case with times that JSON cannot say, in place of those in `request`."""
    for stamp in _stamps(request):
        stamp.seconds, stamp.nanos = seconds, nanos
    return Case(call, request.SerializeToString(), field, str(nanos or seconds), limit)


def _stamps(message: Proto) -> Iterator[Any]:
    for field, value in message.ListFields():
        for one in value if field.is_repeated else [value]:
            if isinstance(one, Proto):
                yield from [one] if one.DESCRIPTOR.full_name == "google.protobuf.Timestamp" else _stamps(one)


def _said_at() -> CommitTurnRequest:
    message = Message(role="user", content="Hello.")
    message.created_at.seconds = 1
    return CommitTurnRequest(memory_id=MEMORY, session_id=SESSION, turn=TurnEvents(messages=[message]))


def _composed_at() -> ComposeContextRequest:
    request = ComposeContextRequest(memory_id=MEMORY, session_id=SESSION, user_message="Where?")
    request.now.seconds = 1
    return request


def _retrieved_from() -> RetrieveRequest:
    request = RetrieveRequest(memory_id=MEMORY)
    request.plan.queries.add(text="where")
    getattr(request.plan.global_filters.time_range, "from").seconds = 1
    return request


TIMES = {
    "time_range reversed": _plan(
        _range("2024-05-02T00:00:00Z", "2024-05-01T00:00:00Z"),
        "global_filters.time_range",
        "2024-05-02",
        "from before to",
    ),
    "time_range empty": _plan(
        _range("2024-05-01T00:00:00Z", "2024-05-01T00:00:00Z"),
        "global_filters.time_range",
        "2024-05-01",
        "from before to",
    ),
    "year 10000": _stamped(
        "CommitTurn", _said_at(), 253_402_300_800, "turn.messages[0].created_at.seconds", "253402300799"
    ),
    "year 0": _stamped(
        "CommitTurn", _said_at(), -62_135_596_801, "turn.messages[0].created_at.seconds", "-62135596800"
    ),
    "nanos": _stamped("CommitTurn", _said_at(), 1, "turn.messages[0].created_at.nanos", "0..999999999", 1_000_000_000),
    "negative nanos": _stamped("CommitTurn", _said_at(), 1, "turn.messages[0].created_at.nanos", "0..999999999", -1),
    "now out of range": _stamped("ComposeContext", _composed_at(), 2**62, "now.seconds", "253402300799"),
    "from out of range": _stamped(
        "Retrieve", _retrieved_from(), -(2**62), "plan.global_filters.time_range.from.seconds", "-62135596800"
    ),
}

PLACES = {
    "unknown memory to retrieve": _case(
        "Retrieve",
        {"memory_id": "nobody", "plan": {"queries": [{"text": "w"}]}},
        "memory_id",
        "nobody",
        "at least one commit",
        code=UNKNOWN,
    ),
    "unknown memory to list": _case("ListSessions", {"memory_id": "没有"}, "memory_id", "没有", "commit", code=UNKNOWN),
    "unknown memory to get": _case(
        "GetSession", {"memory_id": "nobody"}, "memory_id", "nobody", "commit", code=UNKNOWN
    ),
    "unknown memory of a context": _case(
        "GetContext", {"memory_id": "nobody", "context_id": "c"}, "memory_id", "nobody", "commit", code=UNKNOWN
    ),
    "unknown memory to verify": _case("Verify", {"memory_id": "nobody"}, "memory_id", "nobody", "commit", code=UNKNOWN),
    "unknown memory to rebuild": _case(
        "RebuildIndex", {"memory_id": "nobody"}, "memory_id", "nobody", "commit", code=UNKNOWN
    ),
    "a backup to nowhere": _case("Backup", {"memory_id": None}, "folder", "", "1..4096 bytes"),
    "a backup to a relative folder": _case(
        "Backup", {"memory_id": None, "folder": "here"}, "folder", "here", "an absolute path"
    ),
    "unknown session to get": _case("GetSession", {"session_id": "none"}, "session_id", "none", "turn", code=UNKNOWN),
    "unknown session to list": _case("ListTurns", {"session_id": "none"}, "session_id", "none", "turn", code=UNKNOWN),
    "unknown context to replay": _case(
        "Replay", {"context_id": "没有"}, "context_id", "没有", "contexts_kept", code=UNKNOWN
    ),
    "unknown memory to replay": _case(
        "Replay", {"memory_id": "nobody", "context_id": "c"}, "memory_id", "nobody", "commit", code=UNKNOWN
    ),
    "unknown memory of contexts": _case(
        "ListContexts", {"memory_id": "nobody"}, "memory_id", "nobody", "commit", code=UNKNOWN
    ),
    "page_token of contexts": _case("ListContexts", {"page_token": "!!!"}, "page_token", "!!!", "page before"),
    "page_token of contexts, no number": _case(
        "ListContexts", {"page_token": _token(b"x")}, "page_token", "eA==", "page before"
    ),
    "unknown context": _case("GetContext", {"context_id": "none"}, "context_id", "none", "contexts_kept", code=UNKNOWN),
    "min_revision ahead": _case("ComposeContext", {"min_revision": 99}, "min_revision", "99", "1", code=EARLY),
    "min_revision ahead of retrieve": _case(
        "Retrieve",
        {"min_revision": 2**62, "plan": {"queries": [{"text": "w"}]}},
        "min_revision",
        str(2**62),
        "1",
        code=EARLY,
    ),
    "page_token garbage": _case("ListTurns", {"page_token": "!!!"}, "page_token", "!!!", "page before"),
    "page_token not ASCII": _case("ListTurns", {"page_token": "页"}, "page_token", "页", "page before"),
    "page_token no number": _case("ListTurns", {"page_token": _token(b"two")}, "page_token", _token(b"two"), "page"),
    "page_token negative": _case("ListTurns", {"page_token": _token(b"-1")}, "page_token", _token(b"-1"), "page"),
    "page_token huge": _case("ListTurns", {"page_token": _token(b"9" * 30)}, "page_token", "OTk5", "page before"),
    "page_token endless": _case("ListTurns", {"page_token": _token(b"9" * 6000)}, "page_token", "OTk5", "page before"),
    "page_token not UTF-8": _case("ListSessions", {"page_token": _token(b"\xff")}, "page_token", "_w==", "page before"),
    "page_token of sessions garbage": _case("ListSessions", {"page_token": "a"}, "page_token", "a", "page before"),
}

_HELLO = CommitTurnRequest(session_id=SESSION, turn=TurnEvents(messages=[Message(role="user", content="Hello.")]))
BYTES = {
    "bad UTF-8 memory id": Case(
        "CommitTurn", _HELLO.SerializeToString() + _delimited(1, BAD_KEY), "memory_id", r"b'caf\xe9'", "UTF-8"
    ),
    "bad UTF-8 request id": Case(
        "CommitTurn", _HELLO.SerializeToString() + _delimited(3, BAD_KEY), "request_id", r"\xe9", "UTF-8"
    ),
    "bad UTF-8 message": Case(
        "CommitTurn",
        _delimited(4, _delimited(1, _delimited(2, b"user")) + _delimited(1, _delimited(4, BAD_KEY))),
        "turn.messages[1].content",
        r"\xe9",
        "UTF-8",
    ),
    "bad UTF-8 retraction key": Case(
        "CommitTurn", _delimited(4, _delimited(10, _delimited(2, BAD_KEY))), "turn.retractions[0].key", r"\xe9", "UTF-8"
    ),
    "bad UTF-8 attribute": Case(
        "CommitTurn",
        _delimited(4, _delimited(9, _delimited(4, _delimited(1, BAD_KEY)))),
        "turn.entities[0].attrs[0].key",
        r"\xe9",
        "UTF-8",
    ),
    "surrogate half": Case("ComposeContext", _delimited(1, b"\xed\xa0\x80"), "memory_id", r"\xed", "UTF-8"),
    "bad UTF-8 query": Case(
        "Retrieve", _delimited(3, _delimited(4, _delimited(1, BAD_KEY))), "plan.queries[0].text", r"\xe9", "UTF-8"
    ),
    "garbage": Case("CommitTurn", b"\xff\xff\xff", "request", "3 bytes", "smartbrain.v1.CommitTurnRequest"),
    "text instead": Case("ComposeContext", b'{"memory_id": "m"}', "request", "18 bytes", "smartbrain.v1.Compose"),
    "cut short": Case("Retrieve", b"\x0a\x20abc", "request", "5 bytes", "smartbrain.v1.RetrieveRequest"),
    "nested garbage": Case(
        "CommitTurn",
        _delimited(4, _delimited(1, b"\x22\x7fabc")),
        "request",
        "bytes",
        "smartbrain.v1.CommitTurnRequest",
    ),
}

CASES = MESSAGES | IDS | STRUCTURED | NUMBERS | LONG_PARTS | WORDS | TIMES | PLACES | BYTES


@pytest.fixture(scope="module")
def stubs(server: Server) -> Iterator[Stubs]:
    with server.stubs() as opened:
        request = commit(MEMORY, SESSION, "I was at the river.", request_id="used")
        request.turn.messages[0].message_id = "taken"
        opened.brain.CommitTurn(request)
        yield opened


@pytest.fixture(scope="module")
def channel(server: Server) -> Iterator[grpc.Channel]:
    with server.channel() as opened:
        yield opened


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_it_is_refused_by_name_and_changes_nothing(case: Case, stubs: Stubs, channel: grpc.Channel) -> None:
    before = stubs.brain.ListSessions(ListSessionsRequest(memory_id=MEMORY))
    refused = refusal(lambda: _send(channel, case))
    assert refused.code == case.code, refused
    assert refused.reason
    assert refused.facts.keys() >= {"field", "value", "limit"}
    assert refused.facts["field"] == case.field
    assert case.value in refused.facts["value"]
    assert case.limit in refused.facts["limit"]
    assert case.field in refused.message
    assert "Traceback" not in refused.message
    assert len(refused.message) < 1000
    after = stubs.brain.ListSessions(ListSessionsRequest(memory_id=MEMORY))
    assert after == before
    assert after.revision == 1


def _send(channel: grpc.Channel, case: Case) -> object:
    path = f"/smartbrain.v1.{_REQUESTS[case.call][0]}/{case.call}"
    return send_raw(channel, path, case.request, stream=case.call in _STREAMS)


def test_control_characters_of_an_id_are_escaped_once(stubs: Stubs) -> None:
    refused = refusal(lambda: stubs.brain.ListTurns(ListTurnsRequest(memory_id=MEMORY, session_id="a\x01\n小b")))
    words = "session_id: has a control character (got 'a\\x01\\n小b', limit: no control characters)"
    assert (refused.message, refused.facts["value"]) == (words, "a\\x01\\n小b")


def test_a_field_with_an_endless_name_is_refused_in_few_words(stubs: Stubs) -> None:
    request = RetrieveRequest(memory_id=MEMORY)
    request.plan.queries.add(text="where")
    request.plan.ranking.fusion.weights["权" * 100_000] = 1
    refused = refusal(lambda: stubs.retrieval.Retrieve(request))
    assert refused.code == INVALID
    assert refused.facts["field"].startswith("plan.ranking.fusion.weights[权权")
    assert refused.facts["value"] == "100000 characters"


def test_a_token_limit_too_small_is_refused_with_both_numbers(stubs: Stubs) -> None:
    request = ComposeContextRequest(memory_id=MEMORY, session_id=SESSION, user_message="河边 " * 100, token_limit=50)
    refused = refusal(lambda: stubs.brain.ComposeContext(request))
    needed = int(refused.facts["limit"].split()[1])
    assert needed > 100
    assert "50" in refused.message
    assert str(needed) in refused.message
    request.token_limit = needed
    budget = stubs.brain.ComposeContext(request).context.constraints.token_budget
    assert (budget.used, budget.limit) == (needed, needed)


def test_validating_a_bad_turn_refuses_it_the_same_way(stubs: Stubs) -> None:
    request = CommitTurnRequest(memory_id=MEMORY, session_id=SESSION, validate_only=True)
    request.turn.messages.add(role="wizard", content="Hello.")
    assert refusal(lambda: stubs.brain.CommitTurn(request)).facts["field"] == "turn.messages[0].role"


def test_validating_a_turn_of_a_new_memory_does_not_make_it(stubs: Stubs) -> None:
    request = commit("only-validated", SESSION, "Hello.")
    request.validate_only = True
    assert stubs.brain.CommitTurn(request).revision == 0
    refused = refusal(lambda: stubs.brain.ListSessions(ListSessionsRequest(memory_id="only-validated")))
    assert refused.code == UNKNOWN


def test_a_refused_first_commit_makes_no_memory(stubs: Stubs) -> None:
    refusal(lambda: stubs.brain.CommitTurn(commit("never-made", SESSION, " ")))
    session = GetSessionRequest(memory_id="never-made", session_id=SESSION)
    assert refusal(lambda: stubs.brain.GetSession(session)).facts["field"] == "memory_id"


def test_a_message_far_over_every_limit_is_cut_off_and_the_server_lives(server: Server, stubs: Stubs) -> None:
    with server.channel() as channel:
        refused = refusal(lambda: send_raw(channel, "/smartbrain.v1.BrainService/CommitTurn", bytes(40 * _MIB)))
    assert refused.code == grpc.StatusCode.RESOURCE_EXHAUSTED
    turns = stubs.brain.ListTurns(ListTurnsRequest(memory_id=MEMORY, session_id=SESSION)).turns
    assert len(turns) == 1
