"""Of a session that went no key is left that names it, and of a turn that went none that takes up a name."""

from __future__ import annotations

from smartbrain.v1.brain_service_pb2 import CommitTurnRequest, DeleteSessionRequest, DeleteTurnRequest
from smartbrain.v1.event_pb2 import Message, Task
from smartbrain.v1.memory_service_pb2 import RollbackItemRequest

from brain_core import Brain
from brain_core.store import keys
from brain_core.store.log import read_space
from tests.building import pref, say, turn

SESSION = "zither 日记"


def keys_with(brain: Brain, *words: str) -> list[bytes]:
    """Return the keys of the memory's records that hold one of some words in key or value."""
    wanted = [word.encode() for word in words]
    rows = brain._kv.scan(keys.memory("m"), b"")
    return [key for key, value in rows if any(word in key or word in value for word in wanted)]


def test_no_key_names_a_session_that_went(brain: Brain) -> None:
    brain.commit_turn(say("m", "other", "Hello!", "Good morning."))
    for number in range(14):
        brain.commit_turn(say("m", SESSION, f"Part {number} of the tale.", "Go on."))
    brain.commit_turn(turn("m", SESSION, tasks=[Task(task_id="1", title="Tune it", status="done")]))
    named = keys_with(brain, SESSION)
    begun = (
        keys.summary_progress(SESSION),
        keys.summaries(SESSION),
        keys.session_changes(SESSION),
        keys.turns(SESSION),
    )
    assert all(any(key.startswith(begin) for key in named) for begin in begun)
    brain.delete_session(DeleteSessionRequest(memory_id="m", session_id=SESSION))
    assert keys_with(brain, SESSION) == []
    again = brain.commit_turn(say("m", SESSION, "Another tale."))
    assert again.summary.summary_version == 0, "it begins anew"


def test_a_message_id_is_free_again_once_its_turn_went(brain: Brain) -> None:
    def told() -> CommitTurnRequest:
        return turn("m", "s", messages=[Message(role="user", content="The barn is red.", message_id="mine")])

    brain.commit_turn(say("m", "s", "Hello!"))
    went = brain.commit_turn(told()).turn_id
    brain.delete_turn(DeleteTurnRequest(memory_id="m", turn_id=went))
    assert keys_with(brain, "mine") == []
    assert brain.commit_turn(told()).message_ids == ["mine"]


def test_who_speaks_first_of_those_that_are_left_is_the_owner(brain: Brain) -> None:
    def said(name: str, text: str) -> str:
        return brain.commit_turn(turn("m", "s", messages=[Message(role="user", speaker=name, content=text)])).turn_id

    def owner() -> str:
        space = read_space(brain._kv, "m")
        assert space is not None
        return space.owner

    went = said("Ann", "I live in Berlin.")
    said("Tom", "I live in Oslo.")
    assert owner() == "ann"
    brain.delete_turn(DeleteTurnRequest(memory_id="m", turn_id=went))
    said("Tom", "I work as a nurse.")
    assert owner() == "tom"


def test_a_rollback_that_is_asked_for_again_tells_nothing_of_what_went(brain: Brain) -> None:
    first = brain.commit_turn(turn("m", "s", preferences=[pref("instrument", "xylophone 木琴")]))
    brain.commit_turn(turn("m", "s", preferences=[pref("instrument", "drum")]))
    back = RollbackItemRequest(
        memory_id="m", type="preferences", key="pref:writing:instrument", version=1, request_id="again"
    )
    answer = brain.rollback_item(back)
    assert answer.item.value["value"] == "xylophone 木琴"
    brain.delete_turn(DeleteTurnRequest(memory_id="m", turn_id=first.turn_id))
    assert keys_with(brain, "xylophone", "木琴") == []
    again = brain.rollback_item(back)
    assert (again.revision, again.HasField("item")) == (answer.revision, False)
