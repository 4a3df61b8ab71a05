"""What is refused over HTTP: by its status, by the field, and before anything is done."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from smartbrain.v1.brain_service_pb2 import ListSessionsRequest

from tests.server.asking import commit, refusal
from tests.server.over_http import JSON, LINES, Http, turn
from tests.server.scraped import scraped
from tests.server.test_serving import log_lines
from tests.serving import Server, Stubs, start_server

LIMIT = 2000
COMMIT = "/v1/memories/m/sessions/s/turns:commit"


@pytest.fixture
def unwritten(stubs: Stubs) -> Iterator[None]:
    """Demand that a test has not made the memory m."""
    yield
    refused = refusal(lambda: stubs.brain.ListSessions(ListSessionsRequest(memory_id="m")))
    assert refused.code == grpc.StatusCode.NOT_FOUND


# Paths and methods


@pytest.mark.parametrize(
    "path",
    ["/", "/v1", "/v1/", "/v2/status", "/v1/status/", "/v1/memories//sessions", "//v1/status", "/v1/memories/m/items/a",
     "/v1/memories/m/items:forget", "/v1/memories/a/b/sessions", "*", "/v1/statu%73", "/metrics"],
)  # fmt: skip
def test_a_path_that_is_not_there(http: Http, path: str) -> None:
    assert http.get(path).fault == (404, "NOT_FOUND", "path")


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("POST", "/v1/status", "GET"),
        ("HEAD", "/v1/status", "GET"),
        ("PUT", "/v1/memories/m/documents/d", "DELETE, GET"),
        ("GET", COMMIT, "POST"),
        ("DELETE", "/v1/memories/m/sessions", "GET"),
        ("PUT", "/v1/memories/m/sessions/s", "DELETE, GET"),
        ("GET", "/v1/memories/m:forget", "DELETE"),  # a memory of this name
        ("OPTIONS", COMMIT, "POST"),
        ("GET", "/v1/index:rebuild", "POST"),
        ("BREW", "/v1/verify", "GET"),
    ],
)
@pytest.mark.usefixtures("unwritten")
def test_a_method_that_is_not_served(http: Http, method: str, path: str, allowed: str) -> None:
    answer = http(method, path)
    assert (answer.status, answer.headers["allow"]) == (405, allowed)
    if method != "HEAD":
        assert answer.fault == (405, "UNIMPLEMENTED", "method")


def test_a_path_that_is_not_utf8_names_its_field(http: Http) -> None:
    assert http.get("/v1/memories/%ff/sessions").fault == (400, "INVALID_ARGUMENT", "memory_id")


# JSON


@pytest.mark.parametrize(
    ("body", "field", "words"),
    [
        ("{", "body", "line 1, column 2"),
        ('{"turn": {},\n "session_id" 5}', "body", "line 2, column 15"),
        ("[]", "body", "is not a JSON object"),
        (b"\xff{}", "body", "byte 0 is not UTF-8"),
        ("[" * 100_000, "body", "recursion"),
        ('{"request_id": "a", "request_id": "b"}', "body", "'request_id' stands twice"),
        ('{"request_id": "a", "requestId": "b"}', "request_id", "stands twice"),
        ('{"turn": NaN}', "body", "NaN"),
        ('{"trun": {}}', "trun", "unknown field"),
        ('{"turn": {"messages": [{"role": "user"}, {"text": "x"}]}}', "turn.messages[1].text", "unknown field"),
        ('{"turn": []}', "turn", "is not a JSON object"),
        ('{"turn": {"messages": {}}}', "turn.messages", "is not a JSON array"),
        ('{"turn": {"messages": [{"content": 5}]}}', "turn.messages[0].content", "is not a JSON string"),
        ('{"turn": {"messages": [{"content": "\\ud800"}]}}', "turn.messages[0].content", "surrogate"),
        ('{"turn": {"messages": [{"created_at": "now"}]}}', "turn.messages[0].created_at", "timestamp"),
        ('{"wait_level": "SOON"}', "wait_level", "SOON"),
        ('{"validate_only": "yes"}', "validate_only", "true or false"),
        ('{"memory_id": "other"}', "memory_id", "is not that of the path"),
        ("{}", "turn", "has no events"),
        ("", "turn", "has no events"),
        ('{"turn": {"messages": [{"role": "wizard", "content": "x"}]}}', "turn.messages[0].role", "wizard"),
    ],
)
@pytest.mark.usefixtures("unwritten")
def test_a_bad_body_is_refused_with_its_place(http: Http, body: str | bytes, field: str, words: str) -> None:
    answer = http("POST", COMMIT, body)
    assert answer.fault == (400, "INVALID_ARGUMENT", field)
    assert words in answer.json["error"]["message"]


_LONG = f"1{'0' * 79}… (401 characters)"


@pytest.mark.parametrize(
    ("verb", "body", "field", "value", "limit"),
    [
        (":retrieve", {"plan": {"budget": {"top_k": "x"}}}, "plan.budget.top_k", '"x"', "a whole number"),
        (":retrieve", {"plan": {"budget": {"topK": 1.5}}}, "plan.budget.topK", "1.5", "a whole number"),
        (":retrieve", {"plan": {"queries": [{}, {"weight": "重"}]}}, "plan.queries[1].weight", '"重"', "a number"),
        ("/sessions/s/context:compose", {"token_limit": 1 << 40}, "token_limit", str(1 << 40), "to 2147483647"),
        (":retrieve", {"plan": {"queries": [{}, {"weight": 10**400}]}}, "plan.queries[1].weight", _LONG, "a number"),
        (
            "/sessions/s/turns:commit",
            {"turn": {"items": [{}, {"priority": 1 << 31}]}},
            "turn.items[1].priority",
            str(1 << 31),
            "to 2147483647",
        ),
        ("/sessions/s/context:compose", {"now": "明天"}, "now", '"明天"', "a timestamp with its zone"),
        ("/sessions/s/turns:commit", {"validate_only": 1}, "validate_only", "1", "true or false"),
        ("/sessions/s/turns:commit", {"wait_level": "SOON"}, "wait_level", '"SOON"', "WAIT_LEVEL_DURABLE"),
        ("/items?page_size=all", None, "page_size", '"all"', "a whole number"),
        ("/items?statuses=GONE", None, "statuses[0]", '"GONE"', "ITEM_STATUS_ACTIVE"),
    ],
)
def test_what_a_field_cannot_hold_is_refused_with_value_and_limit(
    http: Http, verb: str, body: dict[str, Any] | None, field: str, value: str, limit: str
) -> None:
    """It said: invalid literal for int() with base 10."""
    path = f"/v1/memories/m{verb}"
    error = (http.get(path) if body is None else http.post(path, body)).json["error"]
    facts = error["details"][0]["metadata"]
    assert (facts["field"], facts["value"]) == (field, value)
    assert limit in facts["limit"]
    assert error["message"] == f"{field}: must be {facts['limit']} (got {value})"


def test_two_fields_of_which_one_may_stand_alone_are_told_so(http: Http) -> None:
    asked = http.get("/v1/memories/m/items?as_of.revision=1&as_of.time=2026-05-01T09:30:00Z")
    assert asked.fault == (400, "INVALID_ARGUMENT", "as_of")
    assert "as_of: has fields of which one may stand alone" in asked.json["error"]["message"]


def test_a_refusal_of_the_brain_is_that_of_grpc(http: Http, stubs: Stubs) -> None:
    over_grpc = refusal(lambda: stubs.brain.CommitTurn(commit("m", "s", " ")))
    error = http.post(COMMIT, turn(" ")).json["error"]
    (detail,) = error["details"]
    assert error["message"] == over_grpc.message
    assert (detail["reason"], detail["domain"], detail["metadata"]) == (over_grpc.reason, "smartbrain", over_grpc.facts)
    assert detail["@type"] == "type.googleapis.com/google.rpc.ErrorInfo"


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("page=1", "page"),
        ("page_size=ten", "page_size"),
        ("page_size=", "page_size"),
        ("page_size=1&pageSize=1", "page_size"),
        ("as_of=1", "as_of"),
        ("as_of.time=today", "as_of.time"),
        ("as_of.revision=1&as_of.time=2024-01-01T00:00:00Z", "as_of"),
        ("as_of.revision=-1", "as_of.revision"),
        ("types.x=1", "types.x"),
        ("statuses=GONE", "statuses[0]"),
        ("memory_id=m", "memory_id"),
        ("page_token=%ff", "query"),
    ],
)
def test_a_bad_query_is_refused_by_name(http: Http, memory_id: str, query: str, field: str) -> None:
    http.post(f"/v1/memories/{memory_id}/sessions/s/turns:commit", turn("Hello."))
    fault = http.get(f"/v1/memories/{memory_id}/items?{query}").fault
    assert fault == (400, "INVALID_ARGUMENT", field)


@pytest.mark.usefixtures("unwritten")
def test_what_would_not_be_read_is_refused(http: Http) -> None:
    assert http("POST", f"{COMMIT}?request_id=r", json.dumps(turn("Hello."))).fault[2] == "query"
    assert http("DELETE", "/v1/memories/m/documents/d", {"purge": True}).fault[2] == "body"
    assert http("GET", "/v1/status", iter([b"{}"])).fault[2] == "body"
    assert http.get("/v1/status", Grpc_Timeout="soon").fault[2] == "grpc-timeout"


@pytest.mark.parametrize(
    ("content_type", "encoding", "field"),
    [
        ("text/plain", "identity", "content-type"),
        ("application/x-www-form-urlencoded", "identity", "content-type"),
        ("multipart/form-data; boundary=x", "identity", "content-type"),
        ("application/x-ndjson", "identity", "content-type"),
        ("", "identity", "content-type"),
        ("application/json; charset=utf-8", "gzip", "content-encoding"),
    ],
)
@pytest.mark.usefixtures("unwritten")
def test_a_body_of_another_type(http: Http, content_type: str, encoding: str, field: str) -> None:
    answer = http("POST", COMMIT, json.dumps(turn("Hello.")), content_type, Content_Encoding=encoding)
    assert answer.fault == (415, "INVALID_ARGUMENT", field)
    document = http("POST", "/v1/memories/m/documents:ingest?document_id=d", b"x", "multipart/form-data; boundary=x")
    assert document.fault == (415, "INVALID_ARGUMENT", "content-type")


# Size


@pytest.fixture
def small(folder: Path) -> Iterator[Server]:
    """Give a server that takes bodies of four times LIMIT bytes and documents of ten times as many."""
    limits = f"limits: {{request_bytes: {LIMIT}, document_bytes: {10 * LIMIT}}}"
    running = start_server(folder, "--http", "127.0.0.1:0", config=limits)
    yield running
    assert running.terminate() == 0


def test_a_body_over_the_limit_is_refused_whether_its_length_is_told_or_not(small: Server) -> None:
    http = Http.of(small)
    long = json.dumps(turn("x" * 4 * LIMIT))
    documents = "/v1/memories/m/documents:ingest?document_id=d"
    for body in (long, iter([long.encode()])):
        assert http("POST", COMMIT, body).fault == (413, "INVALID_ARGUMENT", "body")
    for content in (b"x" * 10 * LIMIT + b"x", iter([b"x" * LIMIT] * 11)):
        assert http("POST", documents, content, "text/plain").fault == (413, "INVALID_ARGUMENT", "body")
    assert list(small.data.glob("spool/*")) == []
    assert http.get("/v1/memories/m/documents").status == 404
    assert http.post(COMMIT, turn("x" * 3 * LIMIT)).fault == (400, "INVALID_ARGUMENT", "turn")
    assert http("POST", documents, b"x " * 5 * LIMIT, "text/plain").status == 200


def test_a_line_over_the_limit_is_refused_and_what_came_before_is_in(small: Server) -> None:
    http = Http.of(small)
    fine = json.dumps({"session_id": "s", **turn("Hello.")}).encode() + b"\n"
    drops = (letter.to_bytes() for letter in fine + b"x" * (4 * LIMIT + 1))
    for body in (fine + b"x" * (4 * LIMIT + 1) + b"\n" + fine, drops):
        refused = http("POST", "/v1/memories/m/turns:import", body, LINES)
        assert refused.fault == (413, "INVALID_ARGUMENT", "line 2")
        assert refused.json["error"]["details"][0]["metadata"]["committed"] == "1"
    assert len(http.get("/v1/memories/m/sessions/s/turns").json["turns"]) == 2
    long = json.dumps({"session_id": "s", **turn("x")}).encode().ljust(4 * LIMIT)
    taken = http("POST", "/v1/memories/m/turns:import", (letter.to_bytes() for letter in long), LINES)
    assert taken.json["committed"] == "1"


def test_a_body_that_is_announced_too_large_is_not_asked_for(small: Server) -> None:
    http = Http.of(small)
    head = f"POST {COMMIT} HTTP/1.1\r\nHost: localhost\r\nContent-Type: {JSON}\r\nContent-Length: 99999999\r\n"
    with socket.create_connection((http.host, http.port), timeout=30) as connection:
        connection.sendall(f"{head}Expect: 100-continue\r\n\r\n".encode())
        assert connection.recv(100).startswith(b"HTTP/1.1 413 ")


# Browsers


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://example.org"},
        {"Origin": "http://127.0.0.1:7780"},
        {"Origin": "null"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-origin"},
        {"Host": "example.org"},
        {"Host": "example.org:7780"},
        {"Host": "127.0.0.1.example.org"},
        {"Host": "localhost.example.org"},
        {"Host": ""},
        {"Host": "[::1"},
    ],
)
@pytest.mark.usefixtures("unwritten")
def test_a_page_in_a_browser_is_refused(http: Http, headers: dict[str, str]) -> None:
    for answer in (
        http.get("/v1/status", **headers),
        http("OPTIONS", COMMIT, **headers),
        http.post(COMMIT, turn("Hello."), **headers),
        http("POST", "/v1/memories/m/documents:ingest?document_id=d", b"x", "text/plain", **headers),
    ):
        assert answer.fault[:2] == (403, "PERMISSION_DENIED")
        assert not [name for name in answer.headers if name.startswith("access-control")]


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:80", "brain.localhost", "127.0.0.1", "[::1]:1", "10.1.2.3"])
def test_names_of_this_machine_and_addresses_are_served(http: Http, host: str) -> None:
    assert http.get("/v1/status", Host=host, Sec_Fetch_Site="none").status == 200


# What is told of it


def test_refusals_are_logged_and_counted_as_those_of_grpc(folder: Path) -> None:
    server = start_server(folder, "--http", "127.0.0.1:0")
    http = Http.of(server)
    http("POST", COMMIT, "{")
    http.post(COMMIT, turn(" "))
    http.get("/v1/nothing")
    http.post(COMMIT, turn("Hello."), Origin="https://example.org")
    with socket.create_connection((http.host, http.port), timeout=30) as connection:
        connection.sendall(b"no HTTP\r\n\r\n")
        assert connection.recv(100).startswith(b"HTTP/1.1 400 ")
    with server.stubs() as stubs:
        found = scraped(stubs).by("calls_total", "call", "code", "reason")
    assert server.terminate() == 0
    assert found == {
        ("CommitTurn", "INVALID_ARGUMENT", "MALFORMED"): 1,
        ("CommitTurn", "INVALID_ARGUMENT", "INVALID"): 1,
    }
    refused = [(line["reason"], line.get("call", "")) for line in log_lines(server) if line["event"] == "refused"]
    assert refused == [
        ("MALFORMED", "CommitTurn"), ("INVALID", "CommitTurn"), ("NO_ROUTE", ""), ("FORBIDDEN", ""),
    ]  # fmt: skip
