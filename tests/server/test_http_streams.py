"""Over HTTP: documents, many turns, answers line by line, deadlines, clients that leave, and the end of a server."""

from __future__ import annotations

import http.client
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psutil
import pytest

from tests.models.chat_endpoint import ChatStub, chat_endpoint
from tests.planning.advised import section
from tests.server.asking import all_turns, commit, texts
from tests.server.over_http import JSON, LINES, Http, turn
from tests.server.scraped import scraped
from tests.server.test_serving import log_lines
from tests.serving import Server, Stubs, start_server

_MIB = 1 << 20
_SECONDS = 60
COMMIT, COMPOSE = "/v1/memories/m/sessions/s/turns:commit", "/v1/memories/m/sessions/s/context:compose"
QUESTION = {"user_message": "what did I say about the roof? 屋顶怎么说的？"}
HURRIED = "policies: {retrieval: {deadline: {expansion_ms: 1.0e+9, depth_ms: 1.0e+9, semantic_ms: 1.0e+9}}}"


@pytest.fixture
def start(folder: Path) -> Iterator[Callable[..., Server]]:
    """Give a function that starts a server over HTTP, of this test's own."""
    started: list[Server] = []

    def start_one(*options: str, config: str = "") -> Server:
        started.append(start_server(folder, *(options or ("--http", "127.0.0.1:0")), config=config))
        return started[-1]

    yield start_one
    for server in started:
        if server.process.poll() is None:
            assert server.terminate() == 0


def wait_until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + _SECONDS
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.01)


# Documents


def test_a_document_of_many_megabytes_goes_through_in_little_memory(start: Callable[..., Server]) -> None:
    """What comes is refused at its end only, as no text: between, it stood nowhere but in the spool."""
    server = start()
    ask, process = Http.of(server), psutil.Process(server.process.pid)
    assert ask("POST", "/v1/memories/m/documents:ingest?document_id=a", b"Warm.", "text/plain").status == 200
    before, most = process.memory_info().rss, 0

    def content() -> Iterator[bytes]:
        nonlocal most
        for _ in range(100):
            yield bytes(_MIB)
            most = max(most, process.memory_info().rss)

    answer = ask("POST", "/v1/memories/m/documents:ingest?document_id=b", content(), "application/pdf")
    assert answer.json["error"]["details"][0]["reason"] == "UNREADABLE_DOCUMENT"
    assert most - before < 50 * _MIB
    assert [one["document_id"] for one in ask.get("/v1/memories/m/documents").json["documents"]] == ["a"]


def test_some_megabytes_of_text_are_found(http: Http, memory_id: str) -> None:
    text = "".join(f"# Door {number}\n\nThe colour of door {number} is green.\n\n" for number in range(3000))
    text += "# 港口\n\n港口的起重机叫泽比迪。\n\n" + "Filling words. " * 220_000
    place = f"/v1/memories/{memory_id}"
    query = "source_uri=test:harbour.md&title=Harbour&tag_ids=a&tagIds=b&changed_at=2024-05-08T12:00:00Z"
    parts = (text.encode()[at : at + 100_000] for at in range(0, len(text.encode()), 100_000))
    ingested = http("POST", f"{place}/documents:ingest?{query}", parts, "text/markdown; charset=utf-8").json
    document = ingested["document"]
    assert int(document["size_bytes"]) == len(text.encode()) > 3 * _MIB
    assert (document["media_type"], document["title"], document["tag_ids"]) == ("text/markdown", "Harbour", ["a", "b"])
    assert document["changed_at"] == "2024-05-08T12:00:00Z"
    plan = {"queries": [{"text": "港口的起重机叫什么", "mode": "hybrid"}]}
    assert "泽比迪" in http.post(f"{place}:retrieve", {"plan": plan}).json["pack"]["evidences"][0]["snippet"]
    again = http("POST", f"{place}/documents:ingest?{query}", text.encode(), "text/markdown")
    assert again.json["outcome"] == "unchanged"


def test_the_type_of_a_document_is_told_from_it_where_none_is_given(http: Http, memory_id: str) -> None:
    documents = f"/v1/memories/{memory_id}/documents:ingest"
    for number, content_type in enumerate(("", "application/octet-stream")):
        answer = http("POST", f"{documents}?source_uri=test:{number}.md", b"# Title\n\nText.", content_type)
        assert answer.json["document"]["media_type"] == "text/markdown"
    said = http("POST", f"{documents}?document_id=c&media_type=text/plain", b"# Title\n\nText.", "text/markdown")
    assert said.json["document"]["media_type"] == "text/plain"


def test_a_document_is_refused_by_the_name_of_its_field(http: Http, memory_id: str) -> None:
    documents = f"/v1/memories/{memory_id}/documents:ingest"
    for query, field in (
        ("", "header.document_id"),
        ("document_id=:", "header.document_id"),
        ("document_id=a&titel=x", "titel"),
        ("document_id=a&header.title=x", "header.title"),
        ("document_id=a&changed_at=now", "changed_at"),
        ("document_id=a&memory_id=m", "memory_id"),
    ):
        assert http("POST", f"{documents}?{query}", b"Text.", "text/plain").fault == (400, "INVALID_ARGUMENT", field)


@pytest.mark.parametrize("framing", ["Content-Length: 99999", "Transfer-Encoding: chunked"])
def test_an_upload_that_breaks_off_leaves_nothing(http_server: Server, http: Http, framing: str) -> None:
    head = f"POST /v1/memories/broken/documents:ingest?document_id=a HTTP/1.1\r\nHost: localhost\r\n{framing}\r\n\r\n"
    for _ in range(10):
        with socket.create_connection((http.host, http.port), timeout=30) as connection:
            connection.sendall(head.encode() + b"5\r\nHello\r\n")
            wait_until(lambda: spooled(http_server) != [])
        wait_until(lambda: spooled(http_server) == [])
    assert http.get("/v1/memories/broken/documents").fault[:2] == (404, "NOT_FOUND")


def spooled(server: Server) -> list[Path]:
    return list(server.data.glob("spool/*"))


# Turns, a line each


def lines(*turns: dict[str, Any]) -> bytes:
    return b"".join(json.dumps(each, ensure_ascii=False).encode() + b"\r\n" for each in turns)


def test_many_turns_are_imported_and_again_change_nothing(http: Http, stubs: Stubs, memory_id: str) -> None:
    turns = [{"session_id": f"s{n % 3}", "request_id": f"r{n}", **turn(f"Line {n}. 第{n}行。")} for n in range(300)]
    first, again = (http("POST", f"/v1/memories/{memory_id}/turns:import", lines(*turns), LINES).json for _ in range(2))
    assert (first["committed"], first["revision"]) == ("300", "300")
    assert {**first, "repeated": "300"} == again
    said = [each[0] for session in ("s0", "s1", "s2") for each in texts(all_turns(stubs, memory_id, session))]
    assert sorted(said) == sorted(f"Line {n}. 第{n}行。" for n in range(300))


@pytest.mark.parametrize(
    ("bad", "field"),
    [
        ({"session_id": "s", "trun": {}}, "line 3.trun"),
        ({"session_id": "s", **turn(" ")}, "line 3.turn.messages[0].content"),
        ({"memory_id": "other", "session_id": "s", **turn("Hello.")}, "line 3.memory_id"),
    ],
)
def test_what_comes_before_a_bad_line_is_imported(
    http: Http, stubs: Stubs, memory_id: str, bad: dict[str, Any], field: str
) -> None:
    good = [{"session_id": "s", **turn(word)} for word in ("one", "two", "three")]
    answer = http("POST", f"/v1/memories/{memory_id}/turns:import", lines(*good[:2], bad, good[2]), LINES)
    assert answer.fault == (400, "INVALID_ARGUMENT", field)
    assert texts(all_turns(stubs, memory_id, "s")) == [["one"], ["two"]]


_MARK = b"\xef\xbb\xbf"
_GOOD = lines({"session_id": "s", **turn("four 四")})


@pytest.mark.parametrize(
    ("bad", "field", "words"),
    [
        (b'{"session_id": "s", }\n', "line 6", "line 6: column 21: "),
        (b"[1]\n", "line 6", "line 6: is not a JSON object"),
        (b'{"session_id": "\xff"}\n', "line 6", "line 6: byte 16 is not UTF-8"),
        (b'{"session_id": "\\ud800"}\n', "line 6.session_id", "without unpaired surrogates"),
        (b'{"\\ud800": "s"}\n', "line 6.\\ud800", "unknown field"),
        (_MARK + _GOOD, "line 6", "line 6: begins with a byte order mark"),
        (lines({"session_id": "s", **turn(" ")}), "line 6.turn.messages[0].content", "line 6: turn.messages[0]."),
    ],
    ids=["cut", "list", "bytes", "surrogate", "surrogate name", "mark", "blank"],
)
def test_a_bad_line_of_an_import_is_told_by_its_number_with_what_was_taken_in_before(
    http: Http, stubs: Stubs, memory_id: str, bad: bytes, field: str, words: str
) -> None:
    """What was malformed lost its counts, and was told by requests, without blank lines, and as JSON's own line 1."""
    twice = {"request_id": "r", "session_id": "s", **turn("two 二")}
    good = [lines({"session_id": "s", **turn("one 一")}), b"\n", lines(twice), b"  \r\n", lines(twice)]
    answer = http("POST", f"/v1/memories/{memory_id}/turns:import", b"".join([*good, bad, _GOOD]), LINES)
    facts = answer.json["error"]["details"][0]["metadata"]
    assert (facts["field"], facts["committed"], facts["repeated"]) == (field, "3", "1")
    message = answer.json["error"]["message"]
    assert words in message and "line 1" not in message and "requests[" not in message
    assert texts(all_turns(stubs, memory_id, "s")) == [["one 一"], ["two 二"]]


def test_a_byte_order_mark_may_begin_what_is_sent(http: Http, stubs: Stubs, memory_id: str) -> None:
    place = f"/v1/memories/{memory_id}"
    assert http("POST", f"{place}/turns:import", _MARK + _GOOD, LINES).json["committed"] == "1"
    assert http("POST", f"{place}/turns:import", _MARK + b"\r\n" + _GOOD, LINES).json["committed"] == "1"
    said = _MARK + json.dumps(turn("five 五")).encode()
    assert http("POST", f"{place}/sessions/s/turns:commit", said).status == 200
    assert texts(all_turns(stubs, memory_id, "s")) == [["four 四"], ["four 四"], ["five 五"]]


def test_an_import_that_is_refused_while_more_of_it_comes_says_why(http: Http, memory_id: str) -> None:
    """What is sent when the refusal has come fails, and grpc.aio then makes INTERNAL of it: of one in ten."""
    body = lines({"session_id": "s", **turn(" ")}, *[{"session_id": "s", **turn("x" * 200_000)}] * 40)
    for _ in range(100):
        fault = http("POST", f"/v1/memories/{memory_id}/turns:import", body, LINES).fault
        assert fault == (400, "INVALID_ARGUMENT", "line 1.turn.messages[0].content")


def test_a_stream_that_is_refused_on_its_way_is_counted_once(start: Callable[..., Server]) -> None:
    server = start(config="limits: {document_bytes: 3000}")
    ask = Http.of(server)
    good, long = lines({"session_id": "s", **turn("Hello.")}), iter([b"word " * 500] * 2)
    assert ask("POST", "/v1/memories/m/turns:import", good + b"{\n" + good, LINES).fault[2] == "line 2"
    assert ask("POST", "/v1/memories/m/turns:import", b"{\n", LINES).fault[2] == "line 1"
    assert (
        ask("POST", "/v1/memories/m/turns:import", lines({**turn(" ")}) + b"{\n", LINES).fault[2] == "line 1.session_id"
    )
    assert ask("POST", "/v1/memories/m/documents:ingest?document_id=d", long, "text/plain").status == 413
    with server.stubs() as stubs:
        assert texts(all_turns(stubs, "m", "s")) == [["Hello."]]
        found = scraped(stubs).by("calls_total", "call", "code", "reason")
    assert {key: count for key, count in found.items() if key[0] in {"CommitTurns", "IngestDocument"}} == {
        ("CommitTurns", "INVALID_ARGUMENT", "MALFORMED"): 2,
        ("CommitTurns", "INVALID_ARGUMENT", "INVALID"): 1,
        ("IngestDocument", "INVALID_ARGUMENT", "MALFORMED"): 1,
    }
    assert [line["field"] for line in log_lines(server) if line.get("reason") == "TOO_LARGE"] == ["body"]


def test_nothing_to_import(http: Http, memory_id: str) -> None:
    for content in (b"", b"\n \n"):
        assert http("POST", f"/v1/memories/{memory_id}/turns:import", content, LINES).json == {}
    assert http("POST", f"/v1/memories/{memory_id}/turns:import", b"{}", JSON).fault[0] == 415


# Answers, a line each


def test_verify_and_rebuild_answer_line_by_line(start: Callable[..., Server]) -> None:
    ask = Http.of(start())
    for memory in ("notes", "笔记"):
        assert ask.post(f"/v1/memories/{quote(memory)}/sessions/s/turns:commit", turn("Hello. 你好。")).status == 200
    verified = ask.get("/v1/verify")
    assert [(line["memory_id"], line["done"]) for line in verified.lines] == [("notes", "1"), ("笔记", "2")]
    assert verified.headers["transfer-encoding"] == "chunked"
    assert [line["memory_id"] for line in ask.get("/v1/verify?memory_id=notes").lines] == ["notes"]
    assert [line["memory_id"] for line in ask.post("/v1/index:rebuild", {}).lines] == ["notes", "笔记"]
    assert ask.get("/v1/verify?memory_id=none").fault[:2] == (404, "NOT_FOUND")


def test_nothing_to_verify(start: Callable[..., Server]) -> None:
    assert Http.of(start()).get("/v1/verify").lines == []


# Deadlines, and clients that leave


def test_a_deadline_that_has_passed_writes_nothing(http: Http, memory_id: str) -> None:
    path = f"/v1/memories/{memory_id}/sessions/s/turns:commit"
    for timeout in ("0S", "1n", "0m"):
        assert http.post(path, turn("Hello."), Grpc_Timeout=timeout).fault[:2] == (504, "DEADLINE_EXCEEDED")
    assert http.get(f"/v1/memories/{memory_id}/sessions").status == 404


def test_the_longest_deadline_that_can_be_written_has_not_passed(http: Http) -> None:
    """For gRPC, 11,000 years from now have passed."""
    assert http.get("/v1/status", Grpc_Timeout="99999999H").status == 200


def test_a_deadline_near_leaves_out_what_it_does_over_grpc(start: Callable[..., Server]) -> None:
    server = start(config=HURRIED)
    ask = Http.of(server)
    ask.post(COMMIT, turn("The roof leaks. 屋顶漏了。"))
    hurried = ask.post(COMPOSE, QUESTION, Grpc_Timeout="1H").json["context"]["debug"]
    assert "deadline_semantic" in hurried["degraded"]
    assert "degraded" not in ask.post(COMPOSE, QUESTION).json["context"]["debug"]


@pytest.fixture
def chat() -> Iterator[ChatStub]:
    with chat_endpoint() as running:
        yield running
        running.behaviour.gate.set()


@pytest.fixture
def held(start: Callable[..., Server], chat: ChatStub) -> Server:
    """Give a server of one worker whose composes last until chat's gate is open."""
    planner = section(chat.url, timeout_ms=60_000, reserve_ms=1)
    running = start(config=json.dumps({"planner": planner, "server": {"workers": 1, "grace_seconds": 20}}))
    with running.stubs() as stubs:
        stubs.brain.CommitTurn(commit("m", "s", "The roof leaks. 屋顶漏了。"))
    chat.behaviour.gate.clear()
    return running


def test_a_deadline_that_passes_meanwhile_is_answered_at_once(held: Server, chat: ChatStub) -> None:
    ask = Http.of(held)
    with ThreadPoolExecutor(1) as pool:
        composing = pool.submit(ask.post, COMPOSE, QUESTION)
        assert chat.behaviour.entered.wait(_SECONDS)
        assert ask.get("/v1/status", Grpc_Timeout="200m").fault[:2] == (504, "DEADLINE_EXCEEDED")
        chat.behaviour.gate.set()
        assert composing.result().status == 200


def test_a_client_that_leaves_is_not_waited_for(held: Server, chat: ChatStub) -> None:
    ask = Http.of(held)
    with ask.connection() as leaving:
        leaving.request("POST", COMPOSE, json.dumps(QUESTION), {"Content-Type": JSON})
        assert chat.behaviour.entered.wait(_SECONDS)
    assert ask.get("/v1/status", Grpc_Timeout="20S").status == 200
    assert not chat.behaviour.gate.is_set()
    with held.stubs() as stubs:
        assert scraped(stubs)("calls_total", call="ComposeContext", code="CANCELLED", reason="") == 1


# The end


def test_a_call_in_flight_is_answered_before_the_server_stops(held: Server, chat: ChatStub) -> None:
    ask = Http.of(held)
    with ThreadPoolExecutor(1) as pool, socket.create_connection((ask.host, ask.port)) as idle:
        idle.sendall(b"GET /v1/sta")
        composing = pool.submit(ask.post, COMPOSE, QUESTION)
        assert chat.behaviour.entered.wait(_SECONDS)
        held.process.terminate()
        wait_until(lambda: not listens(ask))
        assert not composing.done()
        chat.behaviour.gate.set()
        assert composing.result().json["context"]["recent_turns"]
    assert held.process.wait(_SECONDS) == 0
    assert not [line for line in log_lines(held) if line["level"] in {"warning", "error"}]


def listens(ask: Http) -> bool:
    with socket.socket() as connection:
        return connection.connect_ex((ask.host, ask.port)) == 0


def test_the_grace_ends_what_does_not_end(start: Callable[..., Server]) -> None:
    server = start(config="server: {grace_seconds: 0.5}")
    ask, begun, over = Http.of(server), threading.Event(), threading.Event()

    def endless() -> Iterator[bytes]:
        while not over.is_set():
            yield lines({"session_id": "s", **turn("Once more.")})
            begun.set()
            time.sleep(0.01)

    def upload() -> int:
        try:
            return ask("POST", "/v1/memories/m/turns:import", endless(), LINES).status
        except (OSError, http.client.HTTPException):
            return 0

    with ThreadPoolExecutor(1) as pool:
        uploading = pool.submit(upload)
        assert begun.wait(_SECONDS)
        assert server.terminate() == 0
        over.set()
        assert uploading.result() in {0, 499, 503}
    log_lines(server)


def test_the_address_may_stand_in_the_config_and_the_option_wins(start: Callable[..., Server]) -> None:
    config = "server: {http: '127.0.0.1:0'}"
    server = start("--log-level", "info", config=config)
    assert Http.of(server).get("/v1/status").status == 200
    assert server.terminate() == 0
    server.log.unlink()
    assert "http" not in start("--http", "", config=config).listening()


def test_an_address_open_to_others_is_warned_of(start: Callable[..., Server]) -> None:
    server = start("--http", "0.0.0.0:0")
    address = str(server.listening()["http"]).removeprefix("http://")
    assert server.terminate() == 0
    warned: list[Any] = [line for line in log_lines(server) if line["level"] == "warning"]
    assert [line["addresses"] for line in warned] == [[address]]
