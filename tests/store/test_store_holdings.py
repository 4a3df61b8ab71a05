"""What a memory holds, as its counters tell it: in stores of earlier versions, after other ones, and after damage."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from smartbrain.v1.brain_service_pb2 import DeleteMemoryRequest, DeleteSessionRequest, ListMemoriesRequest, Memory
from smartbrain.v1.event_pb2 import Message, Preference, Retraction
from smartbrain.v1.item_pb2 import ITEM_STATUS_ACTIVE, ITEM_STATUS_RETRACTED
from smartbrain.v1.memory_service_pb2 import RollbackItemRequest
from smartbrain.v1.resource_service_pb2 import DeleteDocumentRequest, DocumentHeader

from brain_core import Brain
from brain_core.errors import InvalidArgument
from brain_core.store import holdings, keys, log
from brain_core.store.kv import Batch
from brain_core.store.v1.records_pb2 import SpaceRecord
from tests.building import FIRST_SECOND, Clock, open_brain, open_by, turn

KEY = "pref:coding:editor"


def listed(brain: Brain, memory_id: str = "m") -> Memory:
    (found,) = (one for one in brain.list_memories(ListMemoriesRequest()).memories if one.memory_id == memory_id)
    return found


def counts(one: Memory) -> tuple[int, int, dict[int, int], int]:
    return one.sessions, one.messages, {each.status: each.count for each in one.items}, one.documents


def pref(value: str) -> Preference:
    return Preference(scope="coding", name="editor", value=value, confirmed=True)


def fill(brain: Brain, memory_id: str = "m") -> None:
    hello = [Message(role="user", content="Hello."), Message(role="assistant", content="你好。")]
    brain.commit_turn(turn(memory_id, "a", messages=hello, preferences=[pref("vim")]))
    brain.commit_turn(turn(memory_id, "a", messages=hello[:1], preferences=[pref("emacs")]))
    brain.commit_turn(turn(memory_id, "b", retractions=[Retraction(type="preferences", key=KEY, reason="no")]))
    brain.ingest_document(DocumentHeader(memory_id=memory_id, document_id="d"), [b"The baker closes at six."])


def test_a_memory_is_listed_with_what_it_holds(folder: Path) -> None:
    clock = Clock()
    with open_by(clock, folder) as brain:
        fill(brain)
        assert counts(listed(brain)) == (2, 3, {ITEM_STATUS_RETRACTED: 1}, 1)
        clock.at = 60.0
        brain.rollback_item(RollbackItemRequest(memory_id="m", type="preferences", key=KEY, version=1))
        one = listed(brain)
        assert counts(one) == (2, 3, {ITEM_STATUS_ACTIVE: 1}, 1)
        assert (one.created_at.seconds, one.updated_at.seconds) == (FIRST_SECOND, FIRST_SECOND + 60)
        (verified,) = brain.verify()
        assert (one.revision, one.chunks) == (verified.revision, verified.chunks)
        brain.ingest_document(DocumentHeader(memory_id="m", document_id="d"), [b"It closes at five."])
        assert counts(listed(brain))[3] == 1
        brain.delete_document(DeleteDocumentRequest(memory_id="m", document_id="d"))
        assert counts(listed(brain))[3] == 0
        brain.delete_session(DeleteSessionRequest(memory_id="m", session_id="a"))
        assert counts(listed(brain))[:2] == (1, 0)
        brain.delete_memory(DeleteMemoryRequest(memory_id="m"))
        assert not brain.list_memories(ListMemoriesRequest()).memories
        fill(brain)
        assert counts(listed(brain)) == (2, 3, {ITEM_STATUS_RETRACTED: 1}, 1)


def forget_them(space: SpaceRecord) -> None:
    """As a version before 2026-11-28 left them."""
    space.ClearField("holdings")


def write_since(space: SpaceRecord) -> None:
    """As such a version leaves them that has written to a store of a later one."""
    space.holdings.revision -= 2
    space.holdings.messages += 5


@pytest.mark.parametrize("earlier", [forget_them, write_since])
def test_what_another_version_did_not_count_is_counted(folder: Path, earlier: Callable[[SpaceRecord], None]) -> None:
    with open_brain(folder) as brain:
        fill(brain)
        space = log.read_space(brain._kv, "m")
        assert space is not None
        expected = counts(listed(brain))
        earlier(space)
        batch = Batch()
        batch.put(keys.SPACE, space.SerializeToString())
        _write_without_a_revision(brain, batch)
    with open_brain(folder) as brain:
        assert counts(listed(brain)) == expected
        assert listed(brain).updated_at.seconds > FIRST_SECOND
        brain.commit_turn(turn("m", "c", messages=[Message(role="user", content="Again.")]))
        kept = log.read_space(brain._kv, "m")
        assert kept is not None
        assert kept.holdings.revision == listed(brain).revision
        assert counts(listed(brain)) == (expected[0] + 1, expected[1] + 1, *expected[2:])
        assert not [problem for each in brain.verify() for problem in each.problems]


def _write_without_a_revision(brain: Brain, batch: Batch) -> None:
    """Change rows behind the store's back."""
    kv = brain._kv
    for key, value in batch.puts:
        kv._db.put(keys.memory("m") + b"\x00" + key, value)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (lambda held: setattr(held, "messages", 7), "it has 3 messages, the counters say 7"),
        (lambda held: setattr(held, "sessions", 0), "it has 2 sessions, the counters say 0"),
        (lambda held: held.items.__setitem__(ITEM_STATUS_ACTIVE, 4), "it has items by status {3: 1}, the counters say"),
    ],
)
def test_the_doctor_names_counters_that_are_wrong(folder: Path, wrong: Callable[[object], None], told: str) -> None:
    with open_brain(folder) as brain:
        fill(brain)
        space = log.read_space(brain._kv, "m")
        assert space is not None
        wrong(space.holdings)
        batch = Batch()
        batch.put(keys.SPACE, space.SerializeToString())
        _write_without_a_revision(brain, batch)
    with open_brain(folder) as brain:
        (answer,) = brain.verify()
        assert [problem for problem in answer.problems if problem.startswith(told)]


def test_a_list_reads_no_rows_of_memories_that_are_counted(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_brain(folder) as brain:
        for number in range(5):
            fill(brain, f"m{number}")

        def refuse(*_: object) -> None:
            raise AssertionError("counted row by row")

        monkeypatch.setattr(holdings, "count_holdings", refuse)
        assert len(brain.list_memories(ListMemoriesRequest()).memories) == 5


def test_pages_go_on_where_memories_come_and_go(folder: Path) -> None:
    with open_brain(folder) as brain:
        for memory_id in ("a", "b", "d", "e"):
            brain.commit_turn(turn(memory_id, "s", messages=[Message(role="user", content="Hello.")]))
        first = brain.list_memories(ListMemoriesRequest(page_size=2))
        brain.delete_memory(DeleteMemoryRequest(memory_id="b"))
        brain.commit_turn(turn("c", "s", messages=[Message(role="user", content="Hello.")]))
        rest = brain.list_memories(ListMemoriesRequest(page_token=first.next_page_token))
        assert [one.memory_id for one in rest.memories] == ["c", "d", "e"]
        assert not rest.next_page_token
        for refused in (
            ListMemoriesRequest(page_size=1001),
            ListMemoriesRequest(page_size=-1),
            ListMemoriesRequest(page_token="?"),
            ListMemoriesRequest(prefix="\x00"),
            ListMemoriesRequest(prefix="p" * 129),
        ):
            with pytest.raises(InvalidArgument):
                brain.list_memories(refused)
