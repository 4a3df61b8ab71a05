"""The Node client against a real server: what it says, takes and refuses is what the Python client does."""

from __future__ import annotations

import base64
import json
import os
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.json_format import MessageToDict
from smartbrain import Client, SmartBrainError
from smartbrain.v1.brain_service_pb2 import (
    CommitTurnRequest,
    CommitTurnResponse,
    CommitTurnsRequest,
    CommitTurnsResponse,
)

from tests.clients.lines import answer_lost, dropped, line_to
from tests.clients.node import Bridge, Node, NodeError
from tests.server.certificates import files
from tests.serving import Server, start_server

USER = {"role": "user", "content": "x"}


def test_what_is_committed_is_what_python_reads(node: Node, python: Client) -> None:
    said = "I moved to Lisbon. 我搬到了里斯本。 🍵 e\u0301"
    answer = node(
        "commit",
        "chat",
        [{"role": "user", "speaker": "小王", "content": said, "created_at": "2024-05-01T10:00:00.123456+08:00"}],
    )
    assert answer["revision"] == 1
    (turn,) = python.turns("chat")
    (message,) = turn.events.messages
    assert (message.speaker, message.content, turn.turn_id) == ("小王", said, answer["turn_id"])
    assert message.created_at.ToJsonString() == "2024-05-01T02:00:00.123456Z"
    assert node("turns", "chat") == [
        MessageToDict(turn, preserving_proto_field_name=True, always_print_fields_with_no_presence=True)
        | {"sequence": 0, "revision": 1}
    ]


def test_what_is_null_is_left_out(node: Node, python: Client) -> None:
    call = {"name": "search", "args": None, "result": "3 hits", "status": None}
    node("commit", "chat", {"messages": [USER | {"speaker": None, "created_at": None}], "tool_calls": [call]})
    (turn,) = python.turns("chat")
    assert not turn.events.tool_calls[0].HasField("args")
    context = node("compose", "chat", "hello", agent_state=None, plan=None, as_of=None, timeout=None)["context"]
    assert "working_summary" not in context


def test_a_whole_turn_goes_in_and_its_items_come_out(node: Node, python: Client) -> None:
    arguments = {"query": "茶", "deep": {"list": [1, 2.5, None, True, {"a": "b"}]}, "none": None}
    turn = {
        "decisions": [{"project": "web", "topic": "database", "decision": "SQLite"}],
        "tool_calls": [{"name": "search", "args": arguments, "result": "3 hits"}],
    }
    first = node("commit", "standup", turn)
    turn["decisions"][0]["decision"] = "Postgres"  # type: ignore[index]
    node("commit", "standup", turn, wait_level="WAIT_LEVEL_DURABLE", timezone="Asia/Shanghai")
    calls = [call for each in python.turns("standup") for call in each.events.tool_calls]
    assert MessageToDict(calls[0].args) == arguments
    assert node("turns", "standup")[0]["events"]["tool_calls"][0]["args"] == arguments
    key = "decision:web:database"
    (item,) = node("listItems", types=["decisions"], statuses=["ITEM_STATUS_ACTIVE"], page_size=1)
    assert (item["key"], item["value"]["decision"], item["version"]) == (key, "Postgres", 2)
    assert node("getItem", "decisions", key, as_of=first["revision"])["item"]["value"]["decision"] == "SQLite"
    assert node("getItem", "decisions", key, as_of=item["created_at"])["item"]["value"]["decision"] == "SQLite"
    assert [each["version"] for each in node("itemHistory", "decisions", key, page_size=1)] == [1, 2]
    changes = node("diffItem", "decisions", key)["changes"]
    assert {"field": "value.decision", "old_value": "SQLite", "new_value": "Postgres"} in changes
    node("rollbackItem", "decisions", key, 1)
    assert python.get_item("decisions", key).item.value["decision"] == "SQLite"
    assert "Postgres" in json.dumps(node("retrieve", {"queries": [{"text": "database"}]}, as_of=2))
    assert [memory["memory_id"] for memory in node("memories", prefix=item["memory_id"])] == [item["memory_id"]]
    assert node("getCommit", first["commit_id"])["response"]["turn_id"] == first["turn_id"]
    assert node("replay", node("compose", "standup", "Which database?")["context"]["context_id"])["identical"] is True
    assert node("deleteSession", "standup")["purged"]["turns"] == 2
    assert node("status")["version"] == python.status().version


WRONG: list[tuple[str, str, list[Any], dict[str, Any]]] = [
    ("commit", "commit", ["chat", []], {}),
    ("commit", "commit", ["", [{"role": "user", "content": "x"}]], {}),
    ("commit", "commit", ["chat", [{"role": "user", "content": " "}]], {}),
    ("commit", "commit", ["chat", [{"role": "user", "content": "x"}]], {"timezone": "Mars/Olympus"}),
    ("compose", "compose", ["chat", ""], {}),
    ("compose", "compose", ["chat", "hello"], {"token_limit": -1}),
    ("compose", "compose", ["chat", "hello"], {"min_revision": 99}),
    ("getSession", "get_session", ["nowhere"], {}),
    ("getContext", "get_context", ["nothing"], {}),
    ("getItem", "get_item", ["notes", "note:none"], {}),
    ("getDocument", "get_document", ["nothing"], {}),
    ("deleteTurn", "delete_turn", ["t99"], {}),
]


@pytest.mark.parametrize(("verb", "word", "args", "options"), WRONG, ids=str)
def test_errors_are_those_of_the_python_client(
    node: Node, python: Client, verb: str, word: str, args: list[Any], options: dict[str, Any]
) -> None:
    python.commit("begun", [{"role": "user", "content": "hello"}])
    with pytest.raises(SmartBrainError) as here:
        getattr(python, word)(*args, **options)
    with pytest.raises(NodeError) as there:
        node(verb, *args, **options)
    expected = {name: getattr(here.value, name) for name in ("reason", "field", "limit", "hint", "index")}
    expected |= {"name": type(here.value).__name__, "code": here.value.code.name}
    told = {name: there.value.told[name] for name in expected}
    assert (told, there.value.told["details"], str(there.value)) == (expected, here.value.message, str(here.value))


@pytest.mark.parametrize(
    ("verb", "args", "options", "field"),
    [
        ("commit", ["chat", [{"role": "user", "text": "x"}]], {}, "messages[0].text"),
        ("commit", ["chat", [{"role": "user", "content": 5}]], {}, "messages[0].content"),
        ("commit", ["chat", [{"role": "user", "content": "a\ud800"}]], {}, "messages[0].content"),
        (
            "commit",
            ["chat", [{"role": "user", "content": "x", "created_at": "2024-02-30T00:00:00Z"}]],
            {},
            "messages[0].created_at",
        ),
        (
            "commit",
            ["chat", [{"role": "user", "content": "x", "created_at": "2024-02-03 10:00"}]],
            {},
            "messages[0].created_at",
        ),
        ("commit", ["chat", "hello"], {}, "messages"),
        ("commit", ["chat", [{"role": "user", "content": "x"}]], {"wait_level": "SOON"}, "wait_level"),
        ("commit", ["chat", {"items": [{"type": "notes", "value": [1]}]}], {}, "turn.items[0].value"),
        ("compose", ["chat", "hello"], {"tokenLimit": 100}, "tokenLimit"),
        ("compose", ["chat", "hello"], {"token_limit": 1.5}, "token_limit"),
        ("compose", ["chat", "hello"], {"token_limit": 1 << 40}, "token_limit"),
        ("compose", ["chat", "hello"], {"as_of": {"revision": 1}}, "as_of"),
        ("compose", ["chat", "hello"], {"timeout": "soon"}, "timeout"),
        ("compose", ["chat", "hello"], {"plan": {"queries": [{"text": "x", "weight": "2"}]}}, "plan.queries[0].weight"),
        ("listItems", [], {"types": "notes"}, "types"),
        (
            "commitMany",
            [[{"session_id": "chat", "turn": {"messages": [{"rôle": "user"}]}}]],
            {},
            "turns[0].turn.messages[0].rôle",
        ),
        ("ingest", [{"text": "README.md"}], {}, "source"),
    ],
)
def test_what_no_field_holds_is_refused_before_it_is_sent(
    bridge: Bridge, folder: Path, verb: str, args: list[Any], options: dict[str, Any], field: str
) -> None:
    nowhere = bridge.open(f"unix:{folder}/nobody", memory_id="m", retries=0)
    with pytest.raises(NodeError) as caught:
        nowhere(verb, *args, **options)
    told = caught.value.told
    assert (told["name"], told["reason"], told["field"]) == ("InvalidArgument", "FIELD_INVALID", field)
    assert told["limit"]
    assert told["limit"] in str(caught.value)


@pytest.mark.parametrize(
    ("target", "settings", "field"),
    [
        ("", {}, "target"),
        ("127.0.0.1:99999", {}, "target"),
        ("unix:/tmp/x", {"tls": True}, "tls"),
        ("example.org:7700", {"token": "a" * 32}, "token"),
        ("127.0.0.1:7700", {"token": "short"}, "token"),
        ("127.0.0.1:7700", {"memoryId": "m"}, "memoryId"),
        ("127.0.0.1:7700", {"retries": 5}, "retries"),
        ("127.0.0.1:7700", {"ca": "/nowhere.pem"}, "ca"),
        ("127.0.0.1:7700", {"certificate": "/nowhere.pem"}, "key"),
    ],
)
def test_a_client_that_cannot_be_is_refused(bridge: Bridge, target: str, settings: dict[str, Any], field: str) -> None:
    with pytest.raises(NodeError) as caught:
        bridge.open(target, **settings)
    assert (caught.value.told["name"], caught.value.told["field"]) == ("InvalidArgument", field)


def test_a_deadline_passes(node: Node) -> None:
    with pytest.raises(NodeError) as caught:
        node("compose", "chat", "hello", timeout=0)
    assert caught.value.told["name"] == "DeadlineExceeded"
    assert "request_id" in caught.value.told["hint"]


def test_nobody_at_the_address(bridge: Bridge, folder: Path) -> None:
    with pytest.raises(NodeError) as caught:
        bridge.open(f"unix:{folder}/nobody", retries=0)("status")
    assert caught.value.told["name"] == "Unavailable"
    assert "brain-server --data ./brain" in caught.value.told["hint"]


def test_many_turns_in_one_stream(node: Node, python: Client) -> None:
    turns = [
        {
            "session_id": "chat",
            "request_id": f"r{at}",
            "turn": {"messages": [{"role": "user", "content": f"line {at} 第{at}行"}]},
        }
        for at in range(200)
    ]
    assert node("commitMany", turns)["committed"] == 200
    assert [turn.events.messages[0].content for turn in python.turns("chat")] == [
        f"line {at} 第{at}行" for at in range(200)
    ]
    assert node("commitMany", turns)["repeated"] == 200
    turns += [{"session_id": "chat", "turn": {"messages": [{"role": "nobody", "content": "x"}]}}, *turns * 20]
    with pytest.raises(NodeError) as caught:
        node("commitMany", turns)
    assert (caught.value.told["name"], caught.value.told["index"]) == ("InvalidArgument", 200)
    assert len(list(python.turns("chat"))) == 200


def test_a_file_is_one_document_for_both_clients(node: Node, python: Client, tmp_path: Path) -> None:
    file = tmp_path / "a b(1)!'*~+&;=@:$,%茶#?.md"
    file.write_text("# 茶\n\n龙井茶要用八十度的水冲泡。\n", "utf-8")
    os.utime(file, ns=(1_700_000_000_123_456_789,) * 2)
    taken = python.ingest(file).document
    url = file.as_uri()
    again = node("ingest", {"url": url})
    assert (again["outcome"], again["document"]["source_uri"]) == ("unchanged", taken.source_uri)
    assert again["document"]["changed_at"] == taken.changed_at.ToJsonString()
    (section,) = node("documentSections", url)
    assert "八十度" in section["text"]
    node("ingest", {"url": url}, tags=["house"], source_uri="test:a.md", changed_at="2024-01-01T00:00:00Z")
    (document,) = node("listDocuments", tags=["house"])
    assert (document["source_uri"], document["changed_at"]) == ("test:a.md", "2024-01-01T00:00:00Z")
    node("deleteDocument", "test:a.md", purge=True)
    assert [each.document_id for each in python.list_documents()] == [taken.document_id]


def test_a_large_document_goes_up_in_parts(node: Node) -> None:
    part = f"<!-- {'filler ' * 40_000} --><p>A crane.</p>"
    answer = node("ingest", {"repeated": part, "times": 40}, document_id="large", media_type="text/html")
    assert answer["document"]["size_bytes"] == 40 * len(part) > 10 << 20
    tail = [base64.b64encode(part.encode()).decode() for part in ("<p>The crane is called ", "Zebedee.</p>")]
    assert node("ingest", {"parts": tail}, document_id="large")["outcome"] == "replaced"
    assert "Zebedee" in node("retrieve", "What is the crane called?")["pack"]["evidences"][0]["snippet"]


def test_a_source_that_fails_leaves_nothing(node: Node, python: Client) -> None:
    node("commit", "chat", [{"role": "user", "content": "x"}])
    with pytest.raises(NodeError, match="my disk"):
        node("ingest", {"broken": "my disk"}, document_id="broken")
    assert list(python.list_documents()) == []


def test_a_document_that_is_refused_stops_its_upload(node: Node) -> None:
    with pytest.raises(NodeError) as caught:
        node("ingest", {"repeated": "a" * (1 << 20), "times": 300}, source_uri="x" * 5000)
    assert (caught.value.told["name"], caught.value.told["field"]) == ("InvalidArgument", "header.source_uri")


def test_a_source_that_gives_nothing_more_is_not_waited_for(node: Node) -> None:
    with pytest.raises(NodeError) as caught:
        node("ingest", {"stalled": True}, source_uri="x" * 5000)
    assert caught.value.told["field"] == "header.source_uri"
    with pytest.raises(NodeError) as caught:
        node("ingest", {"stalled": True}, document_id="stalled", timeout=0.5)
    assert caught.value.told["name"] == "DeadlineExceeded"


def test_a_dropped_connection_is_tried_again(bridge: Bridge, server: Server, memory_id: str, python: Client) -> None:
    bridge.open(server.target)("status")  # what has just been started answers late
    with line_to(server, dropped, dropped) as target:
        bridge.open(target, memory_id=memory_id, timeout=30)("commit", "chat", [{"role": "user", "content": "x"}])
    with line_to(server, dropped, dropped) as target, pytest.raises(NodeError) as caught:
        bridge.open(target, memory_id=memory_id, retries=0)("commit", "chat", [{"role": "user", "content": "x"}])
    assert caught.value.told["name"] == "Unavailable"
    assert len(list(python.turns("chat"))) == 1


def test_a_request_id_commits_once(node: Node, python: Client) -> None:
    said = [{"role": "user", "content": "x"}]
    first = node("commit", "chat", said, request_id="r")
    assert node("commit", "chat", said, request_id="r")["turn_id"] == first["turn_id"]
    with pytest.raises(NodeError) as caught:
        node("commit", "chat", [{"role": "user", "content": "y"}], request_id="r")
    assert caught.value.told["name"] == "AlreadyExists"
    assert len(list(python.turns("chat"))) == 1


def test_a_commit_whose_answer_is_lost_is_there_once(
    bridge: Bridge, server: Server, memory_id: str, python: Client
) -> None:
    lost = threading.Event()
    with line_to(server, answer_lost(server, memory_id, lost)) as target:
        said = [{"role": "user", "content": "My favourite tea is Longjing, from Hangzhou."}]
        committed = bridge.open(target, memory_id=memory_id, timeout=30)("commit", "chat", said)
    assert lost.is_set()
    assert [turn.turn_id for turn in python.turns("chat")] == [committed["turn_id"]]


def test_each_write_goes_under_a_request_id(bridge: Bridge, folder: Path) -> None:
    came: list[CommitTurnRequest] = []

    def commit_turn(request: CommitTurnRequest, _: grpc.ServicerContext) -> CommitTurnResponse:
        came.append(request)
        return CommitTurnResponse()

    def commit_turns(requests: Iterator[CommitTurnsRequest], _: grpc.ServicerContext) -> CommitTurnsResponse:
        came.extend(request.turn for request in requests)
        return CommitTurnsResponse()

    one: Any = grpc.unary_unary_rpc_method_handler(
        commit_turn, CommitTurnRequest.FromString, CommitTurnResponse.SerializeToString
    )
    many: Any = grpc.stream_unary_rpc_method_handler(
        commit_turns, CommitTurnsRequest.FromString, CommitTurnsResponse.SerializeToString
    )
    with ThreadPoolExecutor(1) as pool:
        recording = grpc.server(pool)
        calls = {"CommitTurn": one, "CommitTurns": many}
        service: Any = grpc.method_handlers_generic_handler("smartbrain.v1.BrainService", calls)
        recording.add_generic_rpc_handlers([service])
        recording.add_insecure_port(f"unix:{folder}/recording")
        recording.start()
        opened = bridge.open(f"unix:{folder}/recording", memory_id="m", timezone="Asia/Shanghai")
        for none in ({}, {"request_id": None, "memory_id": None}, {"request_id": ""}):
            opened("commit", "chat", [USER], **none)
            opened("commitMany", [{"session_id": "chat", "turn": {"messages": [USER]}, **none}])
        opened(
            "commit", "chat", [USER], request_id="mine", memory_id="n", timezone="UTC", wait_level="WAIT_LEVEL_DURABLE"
        )
        recording.stop(0).wait()
    *made, mine = came
    assert len({request.request_id for request in made} - {""}) == len(made) == 6
    assert {(request.memory_id, request.timezone) for request in made} == {("m", "Asia/Shanghai")}
    assert (mine.request_id, mine.memory_id, mine.timezone, mine.wait_level) == ("mine", "n", "UTC", 1)


def test_a_closed_client_says_so(node: Node) -> None:
    node("status")
    node("close")
    with pytest.raises(NodeError, match="the client was closed") as caught:
        node("status")
    assert caught.value.told["name"] == "Unavailable"


def test_a_server_that_encrypts_and_asks_for_a_token(bridge: Bridge, folder: Path) -> None:
    ca, certificate, key = files(folder, "localhost")
    (folder / "other").mkdir()
    other, _, _ = files(folder / "other", "localhost")
    (folder / "token").write_text("a" * 32)
    config = f"""
server:
  tls: {{certificate: {certificate}, key: {key}}}
  tokens: [{{name: ann, file: {folder / "token"}, memories: [ann]}}]
"""
    running = start_server(folder, "--listen", "localhost:0", config=config)
    target = running.listening()["addresses"][1]
    said = [{"role": "user", "content": "x"}]

    def refused(target: str, **settings: object) -> tuple[str, str]:
        with pytest.raises(NodeError) as caught:
            bridge.open(target, **{"memory_id": "ann", "retries": 0} | settings)("commit", "chat", said)
        return caught.value.told["name"], caught.value.told["hint"]

    trusted = {"ca": str(ca), "token": "a" * 32}
    assert bridge.open(target, memory_id="ann", **trusted)("commit", "chat", said)["turn_id"]
    assert refused(target, ca=str(ca))[0] == "Unauthenticated"
    assert refused(target, memory_id="bob", **trusted)[0] == "PermissionDenied"
    assert "name who did by ca" in refused(target, ca=str(other))[1]
    assert "name its authority by ca" in refused(target)[1]
    assert "is not for this name" in refused(target.replace("localhost", "127.0.0.1"), **trusted)[1]
    assert running.terminate() == 0
