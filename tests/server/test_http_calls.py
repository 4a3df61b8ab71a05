"""The API over HTTP: every call of the contracts, with the answers that gRPC gives."""

from __future__ import annotations

import json
import re
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import quote

import pytest
from google.api import annotations_pb2
from google.protobuf import descriptor_pool, json_format
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from smartbrain.v1.brain_service_pb2 import (
    CommitTurnResponse,
    ComposeContextResponse,
    GetContextRequest,
    ListTurnsRequest,
)
from smartbrain.v1.event_pb2 import Decision, TurnEvents
from smartbrain.v1.item_pb2 import ITEM_STATUS_ACTIVE, ITEM_STATUS_SUPERSEDED, AsOf
from smartbrain.v1.memory_service_pb2 import GetItemRequest, ListItemsRequest, ListItemsResponse
from smartbrain.v1.resource_service_pb2 import ListDocumentsRequest

from brain_server.services.table import SERVICES
from tests.server.asking import all_turns, commit, compose, retrieve, texts
from tests.server.over_http import JSON, LINES, Http, turn
from tests.server.scraped import scraped
from tests.serving import Server, Stubs

KEY = "decision:web:database"


def read(content: bytes, kind: type[Message]) -> Any:  # noqa: ANN401
    return json_format.Parse(content, kind())


# Every call


def calls() -> dict[str, Any]:
    """Return the descriptors of all calls of the contracts by name."""
    pool = descriptor_pool.Default()
    return {call.name: call for service in SERVICES for call in pool.FindServiceByName(service).methods}


BODIES: dict[str, tuple[str, bytes]] = {
    "CommitTurn": (JSON, json.dumps(turn("Hello. 你好。")).encode()),
    "CommitTurns": (LINES, json.dumps({"session_id": "s", **turn("One.")}).encode()),
    "ComposeContext": (JSON, b'{"user_message": "Which database?"}'),
    "Retrieve": (JSON, b'{"plan": {"queries": [{"text": "database", "mode": "exact"}]}}'),
    "RollbackItem": (JSON, b'{"version": 1}'),
    "RebuildIndex": (JSON, b'{"memory_id": "%s"}'),
    "Backup": (JSON, b'{"folder": "%f/brain-backups/%s"}'),
    "IngestDocument": ("text/plain", "The harbour. 港口。".encode()),
}


def filled(stubs: Stubs, memory_id: str) -> dict[str, str]:
    """Make a memory in which there is one of everything; return what paths may name."""
    for decision in ("Postgres", "SQLite"):
        request = commit(memory_id, "s")
        request.turn.CopyFrom(TurnEvents(decisions=[Decision(project="web", topic="database", decision=decision)]))
        committed = stubs.brain.CommitTurn(request)
    context = stubs.brain.ComposeContext(compose(memory_id, "s", "Which database?")).context
    return {
        "memory_id": memory_id,
        "session_id": "s",
        "type": "decisions",
        "key": KEY,
        "commit_id": committed.commit_id,
        "turn_id": committed.turn_id,
        "context_id": context.context_id,
        "document_id": "harbour",
    }


@pytest.mark.parametrize("name", calls())
def test_every_call_is_served(http: Http, stubs: Stubs, memory_id: str, name: str, http_server: Server) -> None:
    call = calls()[name]
    rule = call.GetOptions().Extensions[annotations_pb2.http]
    verb = rule.WhichOneof("pattern")
    assert verb, f"{name} has no google.api.http"
    path = getattr(rule, verb)
    for field, value in filled(stubs, memory_id).items():
        for each in (field, f"turn.{field}", f"header.{field}"):
            path = path.replace(f"{{{each}}}", quote(value, safe=""))
    assert "{" not in path, "a field that this test does not know"
    if "document" in path:
        ingested = http("POST", f"/v1/memories/{memory_id}/documents:ingest?document_id=harbour", b"Old.", "text/plain")
        assert ingested.status == 200
    if name == "IngestDocument":
        path += "?document_id=harbour"
    content_type, body = BODIES[name] if rule.body else ("", None)
    request = call.input_type.name.removesuffix("Request")
    before = scraped(stubs)("calls_total", call=request, code="OK", reason="")
    if body is not None:
        body = body.replace(b"%s", memory_id.encode()).replace(b"%f", str(http_server.data.parent).encode())
    answer = http(verb.upper(), path, body, content_type)
    assert answer.status == 200, answer.content
    kind = GetMessageClass(call.output_type)
    for line in answer.content.splitlines() if call.server_streaming else [answer.content]:
        read(line, kind)
    assert scraped(stubs)("calls_total", call=request, code="OK", reason="") > before


# Commit and compose


@pytest.mark.parametrize(
    ("said", "question"),
    [
        ("My sister Mei lives in Kyoto and must not eat peanuts.", "What should I not cook for Mei?"),
        ("我妹妹小梅住在京都，她对花生过敏。", "给小梅做饭不能放什么？"),
    ],
)
def test_what_is_committed_is_found_by_the_next_compose(http: Http, memory_id: str, said: str, question: str) -> None:
    place = f"/v1/memories/{memory_id}/sessions"
    committed = http.post(f"{place}/monday/turns:commit", turn(said)).json
    assert (committed["turn_id"], committed["revision"]) == ("t1", "1")
    package = http.post(f"{place}/{quote('周二')}/context:compose", {"userMessage": question, "token_limit": 900}).json
    context = package["context"]
    assert context["session_id"] == "周二"
    assert said in [piece["snippet"] for piece in context["evidence"]]
    assert context["constraints"]["token_budget"]["limit"] == 900


def test_a_request_id_makes_a_commit_idempotent(http: Http, memory_id: str) -> None:
    path = f"/v1/memories/{memory_id}/sessions/s/turns:commit"
    first, again = (http.post(path, {**turn("Hello."), "request_id": "r"}) for _ in range(2))
    assert first.json == again.json
    taken = http.post(path, {**turn("Other."), "request_id": "r"})
    assert taken.fault == (409, "ALREADY_EXISTS", "request_id")


def test_an_answer_may_be_asked_for_on_one_connection_again_and_again(http: Http) -> None:
    with http.connection() as connection:
        for _ in range(20):
            connection.request("GET", "/v1/status")
            answer = connection.getresponse()
            assert json.loads(answer.read())["durability"] == "disk"
            assert answer.getheader("Cache-Control") == "no-store"
            assert answer.getheader("Access-Control-Allow-Origin") is None


# The same as over gRPC


def test_a_commit_answers_the_same(http: Http, stubs: Stubs, memory_id: str) -> None:
    said = ("I prefer tabs over spaces.", "我们决定用 Postgres。")
    over_grpc = stubs.brain.CommitTurn(commit(f"{memory_id}-grpc", "s", *said))
    answer = http.post(f"/v1/memories/{memory_id}/sessions/s/turns:commit", turn(*said))
    assert read(answer.content, CommitTurnResponse) == over_grpc
    assert over_grpc.items


def test_a_compose_answers_the_same(http: Http, stubs: Stubs, memory_id: str) -> None:
    filled(stubs, memory_id)
    stubs.brain.CommitTurn(commit(memory_id, "t", "The web database runs in Hangzhou. 数据库在杭州。"))
    question = "Where does the database run? 数据库在哪里？"
    over_grpc = stubs.brain.ComposeContext(compose(memory_id, "t", question))
    answer = http.post(f"/v1/memories/{memory_id}/sessions/t/context:compose", {"user_message": question})
    over_http = read(answer.content, ComposeContextResponse)
    assert alike(over_http) == alike(over_grpc)
    assert over_grpc.context.evidence


def alike(answer: ComposeContextResponse) -> str:
    """Return a package without ids, times and timings."""
    answer.context.debug.ClearField("timings_ms")
    return re.sub(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|(seconds|nanos): \d+", "", str(answer))


def test_reads_answer_the_same(http: Http, stubs: Stubs, memory_id: str) -> None:
    names = filled(stubs, memory_id)
    place = f"/v1/memories/{memory_id}"
    plan = retrieve(memory_id, "database").plan
    retrieved = http.post(f"{place}:retrieve", {"plan": json_format.MessageToDict(plan)})
    pairs: list[tuple[bytes, Message]] = [
        (
            http.get(f"{place}/sessions/s/turns?page_size=1").content,
            stubs.brain.ListTurns(ListTurnsRequest(memory_id=memory_id, session_id="s", page_size=1)),
        ),
        (
            http.get(f"{place}/contexts/{names['context_id']}").content,
            stubs.brain.GetContext(GetContextRequest(memory_id=memory_id, context_id=names["context_id"])),
        ),
        (
            http.get(f"{place}/documents?tagIds=a&tag_ids=b").content,
            stubs.resources.ListDocuments(ListDocumentsRequest(memory_id=memory_id, tag_ids=["a", "b"])),
        ),
        (
            http.get(f"{place}/items/decisions/{KEY}?version=1").content,
            stubs.memory.GetItem(GetItemRequest(memory_id=memory_id, type="decisions", key=KEY, version=1)),
        ),
    ]
    for content, over_grpc in pairs:
        assert read(content, type(over_grpc)) == over_grpc
    packed = stubs.retrieval.Retrieve(retrieve(memory_id, "database"))
    assert [one["snippet"] for one in retrieved.json["pack"]["evidences"]] == [
        one.snippet for one in packed.pack.evidences
    ]


def test_query_parameters_are_repeated_and_nested(http: Http, stubs: Stubs, memory_id: str) -> None:
    filled(stubs, memory_id)
    both = [ITEM_STATUS_ACTIVE, ITEM_STATUS_SUPERSEDED]
    over_grpc = stubs.memory.ListItems(
        ListItemsRequest(
            memory_id=memory_id, types=["decisions", "tasks"], statuses=both, key_prefix="dec", as_of=AsOf(revision=1)
        )
    )
    query = "types=decisions&types=tasks&statuses=ITEM_STATUS_ACTIVE&statuses=3&keyPrefix=dec&as_of.revision=1"
    answer = http.get(f"/v1/memories/{memory_id}/items?{query}")
    assert read(answer.content, ListItemsResponse) == over_grpc
    assert [item.value["decision"] for item in over_grpc.items] == ["Postgres"]
    before = f"/v1/memories/{memory_id}/items?as_of.time=2000-01-01T00:00:00%2B08:00"
    assert "items" not in http.get(before).json


# Paths


@pytest.mark.parametrize("memory", ["a/b", "笔记", "50%", "a b+c", "x:retrieve", "?&#=", "..x", "😀"])
def test_any_id_goes_into_a_path(http: Http, stubs: Stubs, memory: str) -> None:
    place = f"/v1/memories/{quote(memory, safe='')}/sessions/{quote('ses/sion:1', safe='')}"
    assert http.post(f"{place}/turns:commit", turn("Hello.")).status == 200
    assert texts(all_turns(stubs, memory, "ses/sion:1"))[-1] == ["Hello."]
    assert http.get(f"{place}/turns").json["turns"][-1]["events"]["messages"][0]["content"] == "Hello."


def test_whole_numbers_that_no_double_holds_are_kept_as_text(http: Http, stubs: Stubs, memory_id: str) -> None:
    long, longer = (1 << 53) + 1, int("9" * 400)
    args = {"fits": 1 << 53, "id": long, "within": [{"longer": -longer}], "flag": True, "share": 0.5}
    path = f"/v1/memories/{memory_id}/sessions/s/turns:commit"
    body = {
        "turn": {
            "toolCalls": [{"name": "refund", "args": args}],
            "refs": [{"ref_type": "url", "uri": "https://example.org", "meta": {"id": long}}],
        }
    }
    assert http.post(path, body).status == 200
    (kept,) = all_turns(stubs, memory_id, "s")
    assert dict(kept.events.tool_calls[0].args) == {
        "fits": float(1 << 53), "id": str(long), "within": [{"longer": str(-longer)}], "flag": True, "share": 0.5,
    }  # fmt: skip
    assert kept.events.refs[0].meta["id"] == str(long)


def test_an_unescaped_verb_at_the_end_is_a_verb_and_an_escaped_one_is_none(
    http: Http, stubs: Stubs, memory_id: str
) -> None:
    filled(stubs, memory_id)
    place = f"/v1/memories/{memory_id}/items/decisions"
    assert "item" in http.get(f"{place}/{KEY}").json
    assert "item" in http.get(f"{place}/{quote(KEY, safe='')}").json
    assert "changes" in http.get(f"{place}/{KEY}:diff").json
    assert http.get(f"{place}/{KEY}%3Adiff").fault == (404, "NOT_FOUND", "key")
    assert http.get(f"{place}/{KEY}:rollback").status == 405


def test_a_document_is_named_by_its_address(http: Http, memory_id: str) -> None:
    uri = "https://example.org/a b/茶?x=1"
    documents = f"/v1/memories/{memory_id}/documents"
    ingested = http("POST", f"{documents}:ingest?source_uri={quote(uri, safe='')}", "茶 tea".encode(), "text/plain")
    assert ingested.json["document"]["source_uri"] == uri
    one = f"{documents}/{quote(uri, safe='')}"
    assert http.get(f"{one}?include_sections=true").json["sections"][0]["text"] == "茶 tea"
    assert http("DELETE", f"{one}?purge=true").json["document"]["source_uri"] == uri
    assert http.get(one).fault[:2] == (404, "NOT_FOUND")


# Many at once


def test_concurrent_clients_lose_nothing(http: Http, stubs: Stubs, memory_id: str) -> None:
    each, clients = 25, 8

    def work(client: int) -> None:
        place = f"/v1/memories/{memory_id}/sessions/s{client}"
        for number in range(each):
            said = f"Client {client} says {number}. 客户{client}说{number}。"
            assert http.post(f"{place}/turns:commit", turn(said)).status == 200
            package = http.post(f"{place}/context:compose", {"user_message": f"What did client {client} say?"})
            assert package.status == 200, package.content
            assert http.get("/v1/memories/nobody/sessions").status == 404

    with ThreadPoolExecutor(clients) as pool:
        list(pool.map(work, range(clients)))
    for client in range(clients):
        assert len(all_turns(stubs, memory_id, f"s{client}")) == each
