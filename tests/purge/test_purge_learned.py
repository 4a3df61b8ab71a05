"""What a language model made of a turn goes with it, also what it is still making."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from smartbrain.v1.brain_service_pb2 import DeleteMemoryRequest, DeleteTurnRequest

from brain_core import Brain
from brain_core.store import keys, learned
from brain_core.store.kv import Batch
from brain_core.store.v1.records_pb2 import LearnedRecord, SetAsideRecord
from tests.building import found, open_brain, say
from tests.models.chat_endpoint import ChatStub, chat_endpoint
from tests.models.learning import answering, drink, keys_of, open_reading, until_status
from tests.purge.files import erased, files_with

SAID, WORD = "My mornings always begin with xylophonist tea here.", "xylophonist"
_SECONDS = 20


@pytest.fixture
def chat() -> Iterator[ChatStub]:
    with chat_endpoint() as running:
        answering(running, drink(f"{WORD} tea", f"mornings always begin with {WORD} tea"))
        yield running


def sound(brain: Brain) -> None:
    assert [problem for answer in brain.verify() for problem in answer.problems] == []


def test_what_was_learned_from_a_turn_goes_with_it(folder: Path, chat: ChatStub) -> None:
    with open_reading(folder, chat) as brain:
        gone = brain.commit_turn(say("m", "s", SAID))
        kept = brain.commit_turn(say("m", "s", "Nothing else."))
        until_status(brain)
        assert keys_of(brain) == ["pref:other:drink"]
        did = brain.delete_turn(DeleteTurnRequest(memory_id="m", turn_id=gone.turn_id))
        assert did.purged.items == 1
        assert keys_of(brain) == []
        assert not [text for text in found(brain, "m", WORD) if WORD in text]
        erased(brain)
        assert files_with(folder, WORD) == []
        assert brain.status().turns_to_learn == 0
        brain.delete_turn(DeleteTurnRequest(memory_id="m", turn_id=kept.turn_id))
        assert brain.status().turns_to_learn == 0
        sound(brain)


def test_what_a_model_is_reading_is_not_learned_after_a_purge(folder: Path, chat: ChatStub) -> None:
    chat.behaviour.gate.clear()
    with open_reading(folder, chat) as brain:
        gone = brain.commit_turn(say("m", "s", SAID))
        assert chat.behaviour.entered.wait(_SECONDS)
        brain.delete_turn(DeleteTurnRequest(memory_id="m", turn_id=gone.turn_id))
        assert brain.status().turns_to_learn == 0
        brain.commit_turn(say("m", "s", "Nothing else."))
        chat.behaviour.gate.set()
        until_status(brain)
        assert keys_of(brain) == []
        erased(brain)
        assert files_with(folder, WORD) == []
        sound(brain)


def test_what_a_model_is_reading_does_not_begin_a_purged_memory(folder: Path, chat: ChatStub) -> None:
    chat.behaviour.gate.clear()
    with open_reading(folder, chat) as brain:
        brain.commit_turn(say("m", "s", SAID))
        assert chat.behaviour.entered.wait(_SECONDS)
        brain.delete_memory(DeleteMemoryRequest(memory_id="m"))
        assert brain.status().memories == 0
        brain.commit_turn(say("m", "s", "Nothing else."))
        chat.behaviour.gate.set()
        until_status(brain)
        assert keys_of(brain) == []
        erased(brain)
        assert files_with(folder, WORD) == []
        sound(brain)


def test_a_turn_that_was_set_aside_is_so_no_more_once_it_went(folder: Path) -> None:
    with open_brain(folder) as brain:
        turns = [brain.commit_turn(say("m", "s", text)) for text in (SAID, "Nothing else.", "Nor this.")]
        batch = Batch()
        learned.put_learned(batch, LearnedRecord(revision=turns[1].revision, turns=1))
        learned.put_set_aside(batch, turns[0].revision, SetAsideRecord(problem="no answer"))
        brain._kv.write(keys.memory("m"), batch)
    with open_brain(folder) as brain:
        brain.delete_turn(DeleteTurnRequest(memory_id="m", turn_id=turns[0].turn_id))
        assert list(learned.scan_set_aside(brain._kv, "m")) == []
        assert learned.read_learned(brain._kv, "m").turns == 2, "one that was read, and the one that never will be"
        brain.delete_turn(DeleteTurnRequest(memory_id="m", turn_id=turns[2].turn_id))
        assert learned.read_learned(brain._kv, "m").turns == 3
        brain.delete_turn(DeleteTurnRequest(memory_id="m", turn_id=turns[1].turn_id))
        assert learned.read_learned(brain._kv, "m").turns == 3
