"""A turn or a session goes for good, and what else it was part of stays."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from google.protobuf import text_format
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message
from smartbrain.v1.brain_service_pb2 import (
    ComposeContextRequest,
    DeleteSessionRequest,
    DeleteSessionResponse,
    DeleteTurnRequest,
    DeleteTurnResponse,
    GetContextRequest,
    GetSessionRequest,
    ListTurnsRequest,
)
from smartbrain.v1.event_pb2 import Decision, Entity, Retraction, Task
from smartbrain.v1.item_pb2 import ITEM_STATUS_ACTIVE, ITEM_STATUS_DELETED, AsOf, ItemStatus, MemoryItem
from smartbrain.v1.memory_service_pb2 import (
    GetCommitRequest,
    GetItemHistoryRequest,
    GetItemRequest,
    ListItemsRequest,
    RollbackItemRequest,
)
from smartbrain.v1.plan_pb2 import PlanFilters

from brain_core import Brain
from brain_core.errors import FailedPrecondition, NotFound
from brain_core.store import keys
from brain_core.store.v1.records_pb2 import ContextRecord
from tests.building import compose, found, open_brain, plan, pref, retrieve, say, turn
from tests.purge.files import erased, files_with

ENGLISH, CHINESE = "xylophonist", "鳜鱼火锅"
EVERY = [status for status in ItemStatus.values() if status]


def delete_turn(brain: Brain, turn_id: str, **fields: Any) -> DeleteTurnResponse:  # noqa: ANN401
    return brain.delete_turn(DeleteTurnRequest(memory_id="m", turn_id=turn_id, **fields))


def delete_session(brain: Brain, session_id: str, **fields: Any) -> DeleteSessionResponse:  # noqa: ANN401
    return brain.delete_session(DeleteSessionRequest(memory_id="m", session_id=session_id, **fields))


def history(brain: Brain, item_type: str, key: str) -> list[MemoryItem]:
    return list(brain.item_history(GetItemHistoryRequest(memory_id="m", type=item_type, key=key)).versions)


def all_told(brain: Brain) -> str:
    """Return all that a brain tells of memory m by lists, histories, searches and contexts."""
    listed = brain.list_items(ListItemsRequest(memory_id="m", statuses=EVERY)).items
    told: list[Message] = [*listed]
    told += [version for item in listed for version in history(brain, item.type, item.key)]
    for session in ("s", "other"):
        with suppress(NotFound):
            told.append(brain.list_turns(ListTurnsRequest(memory_id="m", session_id=session)))
        told.append(compose(brain, "m", session, "What do you know of me?"))
    asked = plan(ENGLISH, CHINESE, "what do you know of me", filters=PlanFilters(statuses=EVERY))
    pack = retrieve(brain, "m", asked)
    pack.ClearField("plan")
    for evidence in pack.evidences:
        evidence.provenance.ClearField("query_text")
    return "\n".join(text_format.MessageToString(each, as_utf8=True) for each in (*told, pack))


def sound(brain: Brain) -> None:
    for answer in brain.verify("m"):
        assert not answer.problems


@pytest.mark.parametrize("word", [ENGLISH, CHINESE])
@pytest.mark.parametrize("whole_session", [False, True])
def test_what_only_it_said_is_gone(folder: Path, word: str, whole_session: bool) -> None:
    with open_brain(folder) as brain:
        brain.commit_turn(say("m", "other", "I live in Ulm.", "A fine town."))
        parts = say("m", "s", f"Please remember that I am a {word}. 我喜欢{word}。", f"A {word}, I see.").turn
        parts.tasks.add(task_id=word, title=f"Find {word}")
        parts.decisions.add(topic=f"about {word}", decision=word)
        gone = brain.commit_turn(turn("m", "s", messages=parts.messages, tasks=parts.tasks, decisions=parts.decisions))
        brain.commit_turn(say("m", "other", "I own a green bicycle.", "Noted."))
        asked = compose(brain, "m", "s", f"What of {word}?")
        elsewhere = compose(brain, "m", "other", "What do I own?")
    with open_brain(folder) as brain:
        assert files_with(folder, word)
        would = (
            delete_session(brain, "s", validate_only=True)
            if whole_session
            else delete_turn(brain, gone.turn_id, validate_only=True)
        )
        assert (would.purged.turns, would.purged.messages, would.purged.sessions) == (1, 2, int(whole_session))
        assert would.purged.items >= 2
        assert would.purged.contexts == 2
        assert word in "".join(found(brain, "m", word))
        sound(brain)
        did = delete_session(brain, "s") if whole_session else delete_turn(brain, gone.turn_id)
        assert did.purged == would.purged
        assert did.revision == would.revision + 1
        for context in (asked, elsewhere):
            with pytest.raises(NotFound):
                brain.get_context(GetContextRequest(memory_id="m", context_id=context.context_id))
        assert word not in all_told(brain)
        assert any("bicycle" in text for text in found(brain, "m", "bicycle"))
        with pytest.raises(NotFound, match="was purged at 20"):
            brain.get_commit(GetCommitRequest(memory_id="m", commit_id=gone.commit_id))
        with pytest.raises(NotFound, match="was purged at 20"):
            delete_turn(brain, gone.turn_id)
        erased(brain)
        assert files_with(folder, word) == []
        sound(brain)
    with open_brain(folder) as brain:
        assert word not in all_told(brain)
        sound(brain)
    assert files_with(folder, word) == []


def test_a_purged_turn_keeps_its_place(brain: Brain) -> None:
    brain.commit_turn(say("m", "s", "First of all.", "Yes."))
    gone = brain.commit_turn(say("m", "s", f"I am a {ENGLISH}.", "Yes?"))
    brain.commit_turn(say("m", "s", "Third of all.", "Yes!"))
    delete_turn(brain, gone.turn_id)
    first, second, third = brain.list_turns(ListTurnsRequest(memory_id="m", session_id="s")).turns
    assert second.HasField("purged_at")
    assert (second.turn_id, second.purged_messages) == (gone.turn_id, 2)
    assert not second.HasField("events")
    assert first.events.messages and third.events.messages
    recent = compose(brain, "m", "s", "And now?").recent_turns
    assert [one.content for one in recent] == ["First of all.", "Yes.", "Third of all.", "Yes!"]
    brain.commit_turn(say("m", "s", "Fourth of all."))
    sound(brain)


def test_the_value_before_holds_again(brain: Brain) -> None:
    brain.commit_turn(turn("m", "s", preferences=[pref("editor", "vim")]))
    gone = brain.commit_turn(turn("m", "s", preferences=[pref("editor", ENGLISH)]))
    assert ENGLISH in str(compose(brain, "m", "s", "hello").system_blocks)
    did = delete_turn(brain, gone.turn_id)
    assert (did.purged.items, did.purged.items_changed, did.purged.item_versions) == (0, 1, 1)
    first, second, third = history(brain, "preferences", "pref:writing:editor")
    assert second.status == ITEM_STATUS_DELETED
    assert second.HasField("purged_at")
    assert not second.text and not second.value.fields
    assert third.status == ITEM_STATUS_ACTIVE
    assert third.HasField("purged_at")
    assert third.value["value"] == "vim"
    assert third.revision == did.revision
    assert not first.HasField("purged_at")
    assert "vim" in str(compose(brain, "m", "s", "hello").system_blocks)
    assert ENGLISH not in all_told(brain)
    with pytest.raises(FailedPrecondition, match="was deleted"):
        brain.rollback_item(RollbackItemRequest(memory_id="m", type="preferences", key=second.key, version=2))
    later = brain.commit_turn(turn("m", "s", preferences=[pref("editor", "emacs")]))
    assert later.items[0].version == 4
    sound(brain)


def test_what_two_turns_said_stays_with_the_other(brain: Brain) -> None:
    gone = brain.commit_turn(turn("m", "s", preferences=[pref("editor", "vim")]))
    brain.commit_turn(turn("m", "other", preferences=[pref("editor", "vim")]))
    did = delete_session(brain, "s")
    assert (did.purged.items, did.purged.items_changed) == (0, 1)
    item = brain.get_item(GetItemRequest(memory_id="m", type="preferences", key="pref:writing:editor")).item
    assert item.value["value"] == "vim"
    assert item.HasField("purged_at")
    assert item.session_id == "other"
    assert item.source_turn_id != gone.turn_id
    sound(brain)


def test_a_denial_that_is_purged_denies_nothing(brain: Brain) -> None:
    brain.commit_turn(turn("m", "s", preferences=[pref("editor", "vim")]))
    denial = Retraction(type="preferences", key="pref:writing:editor", reason=ENGLISH)
    gone = brain.commit_turn(turn("m", "s", retractions=[denial]))
    delete_turn(brain, gone.turn_id)
    item = brain.get_item(GetItemRequest(memory_id="m", type="preferences", key="pref:writing:editor")).item
    assert (item.status, item.version) == (ITEM_STATUS_ACTIVE, 3)
    assert ENGLISH not in all_told(brain)
    assert any("vim" in text for text in found(brain, "m", "editor vim"))


def test_what_a_later_version_carries_on_goes_too(brain: Brain) -> None:
    """A task's title is of the turn that gave it, its state of the one that changed it."""
    gone = brain.commit_turn(turn("m", "s", tasks=[Task(task_id="t", title=f"Call the {ENGLISH}")]))
    brain.commit_turn(turn("m", "s", tasks=[Task(task_id="t", status="doing")]))
    delete_turn(brain, gone.turn_id)
    item = brain.get_item(GetItemRequest(memory_id="m", type="tasks", key="task:default:t")).item
    assert item.value["status"] == "doing"
    assert "title" not in item.value.fields
    assert ENGLISH not in all_told(brain)
    sound(brain)


def test_lists_lose_what_was_purged(brain: Brain) -> None:
    names = "Ann", ENGLISH, "Nan"
    each = [Entity(canonical="Anna", kind="person", aliases=[name], remember=True) for name in names]
    answers = [brain.commit_turn(turn("m", "s", entities=[one])) for one in each]
    delete_turn(brain, answers[1].turn_id)
    item = brain.get_item(GetItemRequest(memory_id="m", type="entities", key="entity:person:Anna")).item
    assert MessageToDict(item.value)["aliases"] == ["Ann", "Nan"]
    assert ENGLISH not in all_told(brain)
    sound(brain)


def test_the_turns_of_a_profile_are_told_apart(brain: Brain) -> None:
    brain.commit_turn(say("m", "s", "I live in Berlin."))
    gone = brain.commit_turn(say("m", "s", f"I work as a {ENGLISH}."))
    brain.commit_turn(say("m", "s", "My name is Ada."))
    key = "profile:user"
    assert ENGLISH in str(history(brain, "profile", key)[-1])
    delete_turn(brain, gone.turn_id)
    newest = history(brain, "profile", key)[-1]
    assert ENGLISH not in all_told(brain)
    assert "Berlin" in newest.text and "Ada" in newest.text
    sound(brain)


def test_a_summary_loses_its_lines(folder: Path) -> None:
    with open_brain(folder, policies={"retention": {"summarize_after_turns": 1}}) as brain:
        brain.commit_turn(turn("m", "s", decisions=[Decision(topic="database", decision="rocksdb")]))
        gone = brain.commit_turn(turn("m", "s", decisions=[Decision(topic="band", decision=f"hire a {ENGLISH}")]))
        again = brain.commit_turn(
            turn("m", "s", request_id="r", decisions=[Decision(topic="database", decision=f"{CHINESE}")])
        )
        assert ENGLISH in str(compose(brain, "m", "s", "so?").working_summary)
        delete_turn(brain, gone.turn_id)
        summary = str(compose(brain, "m", "s", "so?").working_summary)
        assert ENGLISH not in summary
        assert "database" in summary
        kept = brain.get_commit(GetCommitRequest(memory_id="m", commit_id=again.commit_id)).response
        assert kept.summary.text == ""
        assert [item.key for item in kept.items] == [item.key for item in again.items]
        delete_turn(brain, again.turn_id)
        assert "rocksdb" in str(compose(brain, "m", "s", "so?").working_summary)


def test_a_request_of_a_purged_turn_stays_used(brain: Brain) -> None:
    request = turn("m", "s", request_id="once", preferences=[pref("editor", ENGLISH)])
    first = brain.commit_turn(request)
    delete_turn(brain, first.turn_id)
    again = brain.commit_turn(request)
    assert (again.turn_id, again.revision, again.commit_id) == (first.turn_id, first.revision, first.commit_id)
    assert not again.items
    assert "the turn was purged at 20" in again.summary.reason
    assert not found(brain, "m", ENGLISH)


def test_what_its_commit_answered_is_not_kept(brain: Brain) -> None:
    request = turn("m", "s", request_id="once", preferences=[pref("editor", "vim")])
    gone = brain.commit_turn(request)
    brain.commit_turn(turn("m", "other", preferences=[pref("editor", "vim")]))
    assert brain._kv.get(keys.memory("m"), keys.commit(gone.revision)) is not None
    delete_turn(brain, gone.turn_id)
    assert brain._kv.get(keys.memory("m"), keys.commit(gone.revision)) is None
    kept = brain._kv.get(keys.memory("m"), keys.request("once"))
    assert kept is not None
    assert b"editor" not in kept


def test_bytes_stay_while_a_call_that_began_before_reads_them(brain: Brain, folder: Path) -> None:
    gone = brain.commit_turn(say("m", "s", f"I am a {ENGLISH}."))
    view = brain._kv.snapshot()
    delete_turn(brain, gone.turn_id)
    last = time.monotonic() + 20
    while "waits for calls that began before a purge" not in brain.status().erase_problem:
        assert time.monotonic() < last
    assert brain.status().purges_to_erase == 1
    assert files_with(folder, ENGLISH)
    assert view.get(keys.memory("m"), keys.turn("s", 0))
    del view
    erased(brain)
    assert files_with(folder, ENGLISH) == []


def test_a_context_that_comes_after_a_purge_is_not_kept(brain: Brain) -> None:
    """It was composed before: so much time passes between the search and the storing of what it gave."""
    gone = brain.commit_turn(say("m", "s", f"I am a {ENGLISH}."))
    epoch = brain._contexts.epoch("m")
    asked = ContextRecord(request=ComposeContextRequest(memory_id="m", session_id="s", user_message=ENGLISH))
    delete_turn(brain, gone.turn_id)
    brain._contexts.put("m", "late", asked, epoch)
    with pytest.raises(NotFound):
        brain.get_context(GetContextRequest(memory_id="m", context_id="late"))


def test_a_purge_is_repeated_by_its_request(brain: Brain) -> None:
    gone = brain.commit_turn(say("m", "s", f"I am a {ENGLISH}."))
    first = delete_turn(brain, gone.turn_id, request_id="p")
    assert delete_turn(brain, gone.turn_id, request_id="p") == first
    did = delete_session(brain, "s", request_id="q")
    assert delete_session(brain, "s", request_id="q") == did


def test_a_purged_session_begins_anew(brain: Brain) -> None:
    brain.commit_turn(say("m", "s", f"I am a {ENGLISH}.", "Yes?"))
    delete_session(brain, "s")
    with pytest.raises(NotFound):
        brain.get_session(GetSessionRequest(memory_id="m", session_id="s"))
    with pytest.raises(NotFound):
        delete_session(brain, "s")
    brain.commit_turn(say("m", "s", "I like tea.", "Yes."))
    session = brain.get_session(GetSessionRequest(memory_id="m", session_id="s")).session
    assert (session.turn_count, session.message_count) == (1, 2)
    sound(brain)
    delete_session(brain, "s")
    sound(brain)


def test_the_past_says_nothing_of_it(brain: Brain) -> None:
    gone = brain.commit_turn(turn("m", "s", preferences=[pref("editor", ENGLISH)]))
    brain.commit_turn(turn("m", "s", preferences=[pref("editor", "vim")]))
    delete_turn(brain, gone.turn_id)
    for revision in (1, 2, 3):
        listed = brain.list_items(ListItemsRequest(memory_id="m", as_of=AsOf(revision=revision))).items
        assert ENGLISH not in str(listed)
        assert ENGLISH not in str(compose(brain, "m", "s", "which?", as_of=AsOf(revision=revision)))


def test_what_other_commits_answered_of_it_stands_without_reasons(brain: Brain) -> None:
    brain.commit_turn(turn("m", "s", preferences=[pref("tone", "short")]))
    answer = brain.commit_turn(turn("m", "s", preferences=[pref("tone", "long"), pref("语言", "中文")]))
    assert all(one.reason for one in answer.explain.retention)
    assert [bool(one.reason) for one in answer.explain.conflicts] == [True]
    delete_turn(brain, "t1")
    explain = brain.get_commit(GetCommitRequest(memory_id="m", commit_id="c2")).response.explain
    assert [(one.key, bool(one.reason)) for one in explain.retention] == [
        ("pref:writing:tone", False),
        ("pref:writing:语言", True),
    ]
    assert [(one.key, one.reason) for one in explain.conflicts] == [("pref:writing:tone", "")]


def test_what_hangs_together_is_found_beside_what_was_purged(folder: Path) -> None:
    """Of what was purged only places are left, which hang together with nothing."""
    asked = plan("Mei", mode="relational")
    mei = Entity(kind="person", canonical="Mei", aliases=["小梅"], remember=True)
    with open_brain(folder) as brain:
        told = brain.commit_turn(say("m", "one", "My badge is 4711. 我的工牌号是4711。"))
        told_too = brain.commit_turn(turn("m", "one", preferences=[pref("tone", "dry")]))
        delete_turn(brain, told.turn_id)
        delete_turn(brain, told_too.turn_id)
        assert not retrieve(brain, "m", asked).evidences
    with open_brain(folder) as brain:
        assert not retrieve(brain, "m", asked).evidences
        brain.commit_turn(turn("m", "two", entities=[mei]))
        brain.commit_turn(say("m", "two", "小梅对花生过敏"))
        assert "小梅对花生过敏" in {each.snippet for each in retrieve(brain, "m", asked).evidences}


def test_purged_versions_in_a_row_stay_without_content(brain: Brain) -> None:
    for color in ("red", "green", "blue"):
        barn = Entity(canonical="barn 谷仓", attrs={"color": color}, remember=True)
        brain.commit_turn(turn("m", "s", entities=[barn]))
    delete_turn(brain, "t2")
    delete_turn(brain, "t1")
    slot: dict[str, Any] = {"memory_id": "m", "type": "entities", "key": "entity:other:barn_谷仓"}
    for revision in (1, 2):
        item = brain.get_item(GetItemRequest(**slot, as_of=AsOf(revision=revision))).item
        assert item.status == ITEM_STATUS_DELETED
        with pytest.raises(FailedPrecondition, match="was deleted"):
            brain.rollback_item(RollbackItemRequest(**slot, version=revision))
    assert retrieve(brain, "m", plan("barn 谷仓", mode="relational")).evidences
