"""MemoryService over gRPC: items as they are and were, history, differences, rollback, what a commit answered."""

from __future__ import annotations

import base64
import uuid
from collections.abc import Iterator
from typing import Any

import grpc
import pytest
from google.protobuf import json_format
from google.protobuf.message import Message as Proto
from smartbrain.v1.admin_service_pb2 import VerifyRequest
from smartbrain.v1.brain_service_pb2 import CommitTurnRequest, CommitTurnResponse
from smartbrain.v1.event_pb2 import Decision, Entity, Preference, Retraction, TurnEvents
from smartbrain.v1.item_pb2 import (
    ITEM_STATUS_ACTIVE,
    ITEM_STATUS_RETRACTED,
    ITEM_STATUS_SUPERSEDED,
    AsOf,
    ItemStatus,
    MemoryItem,
)
from smartbrain.v1.memory_service_pb2 import (
    DiffItemRequest,
    FieldChange,
    GetCommitRequest,
    GetItemHistoryRequest,
    GetItemRequest,
    ListItemsRequest,
    RollbackItemRequest,
    RollbackItemResponse,
)

from tests.server.asking import compose, refusal
from tests.serving import Server, Stubs

INVALID = grpc.StatusCode.INVALID_ARGUMENT
UNKNOWN = grpc.StatusCode.NOT_FOUND
EARLY = grpc.StatusCode.FAILED_PRECONDITION
TAKEN = grpc.StatusCode.ALREADY_EXISTS
ACTIVE, SUPERSEDED, RETRACTED = ITEM_STATUS_ACTIVE, ITEM_STATUS_SUPERSEDED, ITEM_STATUS_RETRACTED
DB, LANGUAGE = "decision:default:database", "pref:coding:language"


class Memory:
    """A memory of its own on a server, with its calls in one line."""

    def __init__(self, stubs: Stubs, memory_id: str) -> None:
        self.stubs, self.id = stubs, memory_id

    def commit(self, session: str = "s", **parts: Any) -> CommitTurnResponse:  # noqa: ANN401
        request = CommitTurnRequest(memory_id=self.id, session_id=session, turn=TurnEvents(**parts))
        return self.stubs.brain.CommitTurn(request)

    def decide(self, decision: str, **facts: str) -> CommitTurnResponse:
        return self.commit(decisions=[Decision(topic="database", decision=decision, made_at="2024-05-01", **facts)])

    def deny(self) -> CommitTurnResponse:
        return self.commit(retractions=[Retraction(type="decisions", key=DB, reason="not true")])

    def items(self, **fields: Any) -> list[MemoryItem]:  # noqa: ANN401
        request = ListItemsRequest(memory_id=self.id, **fields)
        found: list[MemoryItem] = []
        while True:
            page = self.stubs.memory.ListItems(request)
            assert len(page.items) <= (request.page_size or 100)
            found += page.items
            if not page.next_page_token:
                return found
            request.page_token = page.next_page_token

    def database(self, version: int = 0, as_of: AsOf | None = None) -> MemoryItem:
        request = GetItemRequest(memory_id=self.id, type="decisions", key=DB, version=version, as_of=as_of)
        return self.stubs.memory.GetItem(request).item

    def history(self, page_size: int = 0) -> list[tuple[str, int]]:
        """Return (decision, status) of every version, fetched page by page."""
        request = GetItemHistoryRequest(memory_id=self.id, type="decisions", key=DB, page_size=page_size)
        found: list[MemoryItem] = []
        while True:
            page = self.stubs.memory.GetItemHistory(request)
            found += page.versions
            if not page.next_page_token:
                assert [version.version for version in found] == list(range(1, len(found) + 1))
                return [(decision(version), version.status) for version in found]
            request.page_token = page.next_page_token

    def diff(self, start: int = 0, stop: int = 0) -> dict[str, tuple[Any, Any]]:
        request = DiffItemRequest(memory_id=self.id, type="decisions", key=DB, from_version=start, to_version=stop)
        return {change.field: sides(change) for change in self.stubs.memory.DiffItem(request).changes}

    def back_to(self, version: int, request_id: str = "") -> RollbackItemResponse:
        request = RollbackItemRequest(
            memory_id=self.id, type="decisions", key=DB, version=version, request_id=request_id
        )
        return self.stubs.memory.RollbackItem(request)

    def evidence(self, question: str) -> str:
        context = self.stubs.brain.ComposeContext(compose(self.id, "other", question)).context
        return "\n".join(evidence.snippet for evidence in context.evidence)

    def problems(self) -> list[str]:
        [verified] = self.stubs.admin.Verify(VerifyRequest(memory_id=self.id))
        return list(verified.problems)


def decision(item: MemoryItem) -> str:
    return str(item.value["decision"])


def sides(change: FieldChange) -> tuple[Any, Any]:
    """Return the value before and after, None for none."""
    old = json_format.MessageToDict(change.old_value) if change.HasField("old_value") else None
    return old, json_format.MessageToDict(change.new_value) if change.HasField("new_value") else None


@pytest.fixture
def memory(server: Server) -> Iterator[Memory]:
    with server.stubs() as stubs:
        yield Memory(stubs, f"m-{uuid.uuid4().hex}")


# Items as they are


def test_items_are_listed_by_type_and_key(memory: Memory) -> None:
    memory.commit(
        preferences=[
            Preference(scope="coding", name=name, value="yes", confirmed=True) for name in ("tabs", "language", "语言")
        ],
        decisions=[Decision(topic="database", decision="SQLite")],
    )
    listed = [(item.type, item.key) for item in memory.items()]
    assert listed == [
        ("decisions", DB),
        ("preferences", LANGUAGE),
        ("preferences", "pref:coding:tabs"),
        ("preferences", "pref:coding:语言"),
    ]
    for page_size in (1, 2, 3, 4):
        assert [(item.type, item.key) for item in memory.items(page_size=page_size)] == listed


def test_items_are_narrowed_by_type_status_prefix_and_session(memory: Memory) -> None:
    memory.decide("SQLite")
    memory.commit("other", preferences=[Preference(scope="coding", name="language", value="Rust", confirmed=True)])
    memory.commit("other", entities=[Entity(kind="org", canonical="Acme", remember=True)])
    memory.deny()

    def listed(**fields: Any) -> list[str]:  # noqa: ANN401
        return [item.key for item in memory.items(**fields)]

    assert listed() == ["entity:org:Acme", LANGUAGE]
    assert listed(statuses=[RETRACTED]) == [DB]
    assert listed(statuses=[ACTIVE, RETRACTED]) == [DB, "entity:org:Acme", LANGUAGE]
    assert listed(types=["preferences", "entities"]) == ["entity:org:Acme", LANGUAGE]
    assert listed(types=["decisions"]) == []
    assert listed(key_prefix="entity:org") == ["entity:org:Acme"]
    assert listed(types=["preferences"], key_prefix="pref:cod") == [LANGUAGE]
    assert listed(key_prefix="ref:") == []
    assert listed(session_id="s", statuses=[RETRACTED]) == [DB]
    assert listed(session_id="other") == ["entity:org:Acme", LANGUAGE]
    assert listed(session_id="none") == []


def test_a_page_of_large_items_ends_before_the_wire_does(memory: Memory) -> None:
    for name in "abcdefgh":
        memory.commit(
            entities=[
                Entity(kind="org", canonical=f"{name}{number}", attrs={"note": name * 60_000}, remember=True)
                for number in range(10)
            ]
        )
    page = memory.stubs.memory.ListItems(ListItemsRequest(memory_id=memory.id))
    assert 0 < len(page.items) < 80
    assert page.ByteSize() < 4 << 20
    assert len(memory.items()) == 80


# Items as they were


def test_as_of_a_revision_or_time_gives_what_was_believed_then(memory: Memory) -> None:
    one = memory.decide("SQLite").revision
    two = memory.decide("Postgres").revision
    three = memory.deny().revision
    four = memory.decide("DuckDB").revision
    expected = {
        one: ("SQLite", ACTIVE),
        two: ("Postgres", ACTIVE),
        three: ("Postgres", RETRACTED),
        four: ("DuckDB", ACTIVE),
    }
    for revision, then in expected.items():
        item = memory.database(as_of=AsOf(revision=revision))
        assert (decision(item), item.status) == then
        committed = memory.stubs.memory.GetCommit(GetCommitRequest(memory_id=memory.id, commit_id=f"c{revision}"))
        item = memory.database(as_of=AsOf(time=committed.committed_at))
        assert (decision(item), item.status) == then
        listed = memory.items(as_of=AsOf(revision=revision))
        assert [decision(item) for item in listed] == ([then[0]] if then[1] == ACTIVE else [])
    request = ListItemsRequest(memory_id=memory.id, as_of=AsOf(revision=two))
    assert memory.stubs.memory.ListItems(request).revision == two
    assert memory.items(as_of=AsOf(revision=0)) == []
    refused = refusal(lambda: memory.database(as_of=AsOf(revision=0)))
    assert (refused.code, refused.facts["field"]) == (UNKNOWN, "key")


def test_one_version_has_the_status_it_has_now(memory: Memory) -> None:
    memory.decide("SQLite")
    memory.decide("Postgres")
    assert (decision(memory.database()), memory.database().version) == ("Postgres", 2)
    first = memory.database(version=1)
    assert (decision(first), first.status, first.version) == ("SQLite", SUPERSEDED, 1)


def test_the_history_is_paged_and_keeps_every_version(memory: Memory) -> None:
    for name in ("SQLite", "Postgres", "DuckDB", "LMDB"):
        memory.decide(name)
    memory.deny()
    expected = [
        ("SQLite", SUPERSEDED),
        ("Postgres", SUPERSEDED),
        ("DuckDB", SUPERSEDED),
        ("LMDB", RETRACTED),
        ("LMDB", RETRACTED),
    ]
    for page_size in (0, 1, 2, 5):
        assert memory.history(page_size) == expected


# Differences


def test_a_difference_names_the_fields_of_the_value(memory: Memory) -> None:
    memory.decide("SQLite", rationale="one file")
    memory.decide("Postgres")
    assert memory.diff()["value.decision"] == ("SQLite", "Postgres")
    assert "value.rationale" not in memory.diff()
    assert memory.diff(2, 1)["value.decision"] == ("Postgres", "SQLite")
    assert memory.diff(2, 2) == {}
    born = memory.diff(0, 1)
    assert born["value.rationale"] == (None, "one file")
    assert born["status"] == (None, "ITEM_STATUS_ACTIVE")
    assert not {"version", "revision", "updated_at", "text", "key"} & set(born)


def test_a_denial_differs_in_its_status(memory: Memory) -> None:
    memory.decide("SQLite")
    memory.deny()
    changes = memory.diff()
    assert changes["status"] == ("ITEM_STATUS_ACTIVE", "ITEM_STATUS_RETRACTED")
    assert "value.decision" not in changes


def test_values_within_values_differ_by_their_path(memory: Memory) -> None:
    memory.commit(
        entities=[Entity(kind="org", canonical="Acme", aliases=["A"], attrs={"city": "Kyoto"}, remember=True)]
    )
    memory.commit(entities=[Entity(kind="org", canonical="Acme", aliases=["B"], attrs={"城市": "京都"}, remember=True)])
    request = DiffItemRequest(memory_id=memory.id, type="entities", key="entity:org:Acme")
    changes = {change.field: sides(change) for change in memory.stubs.memory.DiffItem(request).changes}
    assert changes["value.attrs.城市"] == (None, "京都")
    assert changes["value.aliases"] == (["A"], ["A", "B"])
    assert "value.attrs.city" not in changes


# Rollback


def test_a_rollback_holds_for_the_very_next_context(memory: Memory) -> None:
    memory.decide("zebra SQLite")
    memory.decide("walrus Postgres")
    question = "Which database did we decide on?"
    assert "walrus" in memory.evidence(question)
    answer = memory.back_to(1)
    assert (answer.revision, answer.item.version, answer.item.status, answer.item.revision) == (3, 3, ACTIVE, 3)
    assert decision(answer.item) == "zebra SQLite"
    found = memory.evidence(question)
    assert "zebra" in found
    assert "walrus" not in found
    assert memory.database() == answer.item
    assert memory.history() == [("zebra SQLite", SUPERSEDED), ("walrus Postgres", SUPERSEDED), ("zebra SQLite", ACTIVE)]
    assert decision(memory.database(as_of=AsOf(revision=2))) == "walrus Postgres"
    assert decision(memory.database(as_of=AsOf(revision=3))) == "zebra SQLite"
    assert memory.problems() == []


def test_what_was_denied_can_be_brought_back(memory: Memory) -> None:
    memory.decide("zebra SQLite")
    memory.deny()
    assert "zebra" not in memory.evidence("zebra?")
    memory.back_to(1)
    assert "zebra" in memory.evidence("zebra?")
    assert memory.history() == [("zebra SQLite", RETRACTED), ("zebra SQLite", RETRACTED), ("zebra SQLite", ACTIVE)]
    assert memory.database(as_of=AsOf(revision=2)).status == RETRACTED
    memory.decide("walrus Postgres")
    assert "zebra" not in memory.evidence("zebra?")
    assert memory.problems() == []


def test_a_pinned_value_that_is_rolled_back_is_pinned(memory: Memory) -> None:
    for value in ("zebra", "walrus"):
        memory.commit(preferences=[Preference(scope="coding", name="language", value=value, confirmed=True)])
    request = RollbackItemRequest(memory_id=memory.id, type="preferences", key=LANGUAGE, version=1)
    memory.stubs.memory.RollbackItem(request)
    context = memory.stubs.brain.ComposeContext(compose(memory.id, "s", "Hello.")).context
    pinned = "\n".join(block.text for block in context.system_blocks)
    assert "zebra" in pinned
    assert "walrus" not in pinned


def test_a_rollback_under_one_request_id_is_made_once(memory: Memory) -> None:
    memory.decide("SQLite")
    memory.decide("Postgres")
    answer = memory.back_to(1, "r-1")
    assert memory.back_to(1, "r-1") == answer
    assert len(memory.history()) == 3
    refused = refusal(lambda: memory.back_to(2, "r-1"))
    assert (refused.code, refused.facts["field"]) == (TAKEN, "request_id")
    request = CommitTurnRequest(memory_id=memory.id, session_id="s", request_id="r-1")
    request.turn.messages.add(role="user", content="Hello.")
    assert refusal(lambda: memory.stubs.brain.CommitTurn(request)).code == TAKEN
    assert len(memory.history()) == 3


def test_a_rolled_back_value_is_learned_from_like_any_other(memory: Memory) -> None:
    memory.decide("SQLite")
    memory.decide("Postgres")
    memory.back_to(1)
    [item] = memory.decide("DuckDB").items
    assert (item.version, item.status) == (4, ACTIVE)
    assert memory.history()[2] == ("SQLite", SUPERSEDED)


@pytest.mark.parametrize(
    ("version", "code", "limit"),
    [(2, EARLY, "an earlier version"), (3, UNKNOWN, "1..2"), (0, INVALID, "1..2147483647")],
)
def test_a_rollback_that_cannot_be_made_changes_nothing(
    memory: Memory, version: int, code: grpc.StatusCode, limit: str
) -> None:
    memory.decide("SQLite")
    memory.decide("Postgres")
    refused = refusal(lambda: memory.back_to(version, "r"))
    assert (refused.code, refused.facts["field"], refused.facts["value"]) == (code, "version", str(version))
    assert limit in refused.facts["limit"]
    assert len(memory.history()) == 2
    assert memory.back_to(1, "r").item.version == 3


# Commits


def test_a_commit_is_given_as_it_was_answered(memory: Memory) -> None:
    memory.decide("SQLite")
    answer = memory.decide("Postgres")
    memory.decide("DuckDB")
    found = memory.stubs.memory.GetCommit(GetCommitRequest(memory_id=memory.id, commit_id=answer.commit_id))
    assert found.response == answer
    assert (found.session_id, found.revision) == ("s", 3)
    assert found.committed_at.seconds > 0
    assert found.response.explain.conflicts[0].decision == "versioned"


def test_a_commit_that_decided_nothing_is_given_too(memory: Memory) -> None:
    request = CommitTurnRequest(memory_id=memory.id, session_id="s")
    request.turn.messages.add(role="user", content="Hello.")
    answer = memory.stubs.brain.CommitTurn(request)
    found = memory.stubs.memory.GetCommit(GetCommitRequest(memory_id=memory.id, commit_id=answer.commit_id))
    assert found.response.commit_id == answer.commit_id
    assert found.response.turn_id == answer.turn_id
    assert found.response.message_ids == answer.message_ids


def test_a_rollback_is_no_commit(memory: Memory) -> None:
    memory.decide("SQLite")
    memory.decide("Postgres")
    memory.back_to(1)
    for commit_id in ("c3", "c4", "t1", "c", "c01", "c99999999999999999999", "１"):
        request = GetCommitRequest(memory_id=memory.id, commit_id=commit_id)
        refused = refusal(lambda request=request: memory.stubs.memory.GetCommit(request))  # type: ignore[misc]
        assert (refused.code, refused.facts["field"], refused.facts["value"]) == (UNKNOWN, "commit_id", commit_id)


# Bad input


def token(place: str) -> str:
    return base64.urlsafe_b64encode(place.encode()).decode()


_ITEM = {"type": "decisions", "key": DB}
BAD: dict[str, tuple[str, dict[str, Any], str, str, str]] = {
    "no memory id": ("ListItems", {"memory_id": ""}, "memory_id", "", "1..128 bytes"),
    "long memory id": ("GetItem", {**_ITEM, "memory_id": "m" * 129}, "memory_id", "mmm", "128 bytes"),
    "unknown type": ("ListItems", {"types": ["decisions", "wish"]}, "types[1]", "wish", "decisions"),
    "unknown type of an item": ("GetItem", {**_ITEM, "type": "wish"}, "type", "wish", "decisions"),
    "no type": ("GetItemHistory", {"key": DB}, "type", "", "decisions"),
    "no key": ("DiffItem", {"type": "decisions"}, "key", "", "1..2048 bytes"),
    "long key": ("RollbackItem", {**_ITEM, "key": "k" * 2049, "version": 1}, "key", "kkk", "2048 bytes"),
    "control in key": ("GetItem", {**_ITEM, "key": "a\u0000b"}, "key", "\\x00", "no control characters"),
    "long prefix": ("ListItems", {"key_prefix": "键" * 683}, "key_prefix", "键键", "2048 bytes"),
    "control in session": ("ListItems", {"session_id": "a\tb"}, "session_id", "\\t", "no control characters"),
    "unknown status": ("ListItems", {"statuses": [1, 77]}, "statuses[1]", "77", "ITEM_STATUS_ACTIVE"),
    "too many types": ("ListItems", {"types": ["tasks"] * 1001}, "types", "1001 entries", "1000 entries"),
    "negative page_size": ("ListItems", {"page_size": -1}, "page_size", "-1", "0..1000"),
    "page_size too large": ("ListItems", {"page_size": 1001}, "page_size", "1001", "0..1000"),
    "page_size of history too large": ("GetItemHistory", {**_ITEM, "page_size": 1001}, "page_size", "1001", "0..1000"),
    "page_token garbage": ("ListItems", {"page_token": "!!!"}, "page_token", "!!!", "page before"),
    "page_token of sessions": ("ListItems", {"page_token": token("s")}, "page_token", token("s"), "page before"),
    "page_token ahead": ("ListItems", {"page_token": token("99\0a\0b")}, "page_token", "OTk", "page before"),
    "page_token negative": ("ListItems", {"page_token": token("-1\0a\0b")}, "page_token", "LTE", "page before"),
    "page_token of another moment": (
        "ListItems",
        {"as_of": {"revision": 1}, "page_token": token("2\0decisions\0a")},
        "page_token",
        "Mg",
        "page before",
    ),
    "page_token of history no number": (
        "GetItemHistory", {**_ITEM, "page_token": token("two")}, "page_token", token("two"), "page before"
    ),
    "page_token of history huge": (
        "GetItemHistory", {**_ITEM, "page_token": token("9" * 10)}, "page_token", "OTk5", "page before"
    ),
    "negative version": ("GetItem", {**_ITEM, "version": -1}, "version", "-1", "0..2147483647"),
    "version and as_of": (
        "GetItem", {**_ITEM, "version": 1, "as_of": {"revision": 1}}, "version", "1", "version or as_of"
    ),
    "negative revision": (
        "GetItem", {**_ITEM, "as_of": {"revision": -1}}, "as_of.revision", "-1", "0..9223372036854775807"
    ),
    "negative from_version": ("DiffItem", {**_ITEM, "from_version": -2}, "from_version", "-2", "0..2147483647"),
    "negative to_version": ("DiffItem", {**_ITEM, "to_version": -2}, "to_version", "-2", "0..2147483647"),
    "negative version to go back to": ("RollbackItem", {**_ITEM, "version": -1}, "version", "-1", "1..2147483647"),
    "long request id": (
        "RollbackItem", {**_ITEM, "version": 1, "request_id": "r" * 129}, "request_id", "rrr", "128 bytes"
    ),
    "no commit id": ("GetCommit", {}, "commit_id", "", "1..128 bytes"),
}  # fmt: skip

ABSENT: dict[str, tuple[str, dict[str, Any], str, str, str]] = {
    "memory to list": ("ListItems", {"memory_id": "nobody"}, "memory_id", "nobody", "at least one commit"),
    "memory to get": ("GetItem", {**_ITEM, "memory_id": "nobody"}, "memory_id", "nobody", "at least one commit"),
    "memory to go back in": (
        "RollbackItem", {**_ITEM, "memory_id": "nobody", "version": 1}, "memory_id", "nobody", "at least one commit"
    ),
    "memory of a commit": ("GetCommit", {"memory_id": "nobody", "commit_id": "c1"}, "memory_id", "nobody", "commit"),
    "item": ("GetItem", {**_ITEM, "key": "decision:default:没有"}, "key", "decision:default:没有", "type decisions"),
    "item of the other type": ("GetItem", {**_ITEM, "type": "goals"}, "key", DB, "type goals"),
    "item of a history": ("GetItemHistory", {**_ITEM, "key": "none"}, "key", "none", "type decisions"),
    "item to compare": ("DiffItem", {**_ITEM, "key": "none"}, "key", "none", "type decisions"),
    "item to go back": ("RollbackItem", {**_ITEM, "key": "none", "version": 1}, "key", "none", "type decisions"),
    "version": ("GetItem", {**_ITEM, "version": 3}, "version", "3", "1..2"),
    "version to compare to": ("DiffItem", {**_ITEM, "to_version": 3}, "to_version", "3", "1..2"),
    "version to compare from": ("DiffItem", {**_ITEM, "from_version": 9}, "from_version", "9", "1..2"),
}  # fmt: skip


@pytest.mark.parametrize(
    ("code", "case"),
    [*((INVALID, each) for each in BAD.values()), *((UNKNOWN, each) for each in ABSENT.values())],
    ids=[*BAD, *(f"no such {name}" for name in ABSENT)],
)
def test_it_is_refused_by_name(
    memory: Memory, code: grpc.StatusCode, case: tuple[str, dict[str, Any], str, str, str]
) -> None:
    memory.decide("SQLite")
    memory.decide("Postgres")
    call, fields, field, value, limit = case
    stub: Any = getattr(memory.stubs.memory, call)
    kind: type[Proto] = {
        "ListItems": ListItemsRequest,
        "GetItem": GetItemRequest,
        "GetItemHistory": GetItemHistoryRequest,
        "DiffItem": DiffItemRequest,
        "RollbackItem": RollbackItemRequest,
        "GetCommit": GetCommitRequest,
    }[call]
    request = json_format.ParseDict({"memory_id": memory.id, **fields}, kind())
    refused = refusal(lambda: stub(request))
    assert refused.code == code, refused
    assert refused.facts["field"] == field
    assert value in refused.facts["value"]
    assert limit in refused.facts["limit"]
    assert len(memory.history()) == 2


def test_a_moment_to_come(memory: Memory) -> None:
    memory.decide("SQLite")
    refused = refusal(lambda: memory.database(as_of=AsOf(revision=2)))
    assert (refused.code, refused.facts["field"], refused.facts["limit"]) == (EARLY, "as_of.revision", "1")
    bad = AsOf()
    bad.time.seconds = 2**62
    refused = refusal(lambda: memory.items(as_of=bad))
    assert (refused.code, refused.facts["field"]) == (INVALID, "as_of.time.seconds")


def test_no_call_reads_another_memory(memory: Memory) -> None:
    memory.decide("SQLite")
    other = Memory(memory.stubs, f"{memory.id}-other")
    other.commit(preferences=[Preference(name="tone", value="dry", confirmed=True)])
    assert [item.type for item in other.items(statuses=[status for status in ItemStatus.values() if status])] == [
        "preferences"
    ]
    assert refusal(other.database).code == UNKNOWN
