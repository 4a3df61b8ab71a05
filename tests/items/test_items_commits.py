"""What a commit answered, where that was not kept."""

from __future__ import annotations

from smartbrain.v1.memory_service_pb2 import GetCommitRequest

from brain_core import Brain
from brain_core.store import keys
from brain_core.store.kv import Batch
from tests.building import pref, say, turn


def test_a_commit_of_an_earlier_release_is_put_together_from_what_it_changed(brain: Brain) -> None:
    request = say("m", "s", "Good evening.", "Good evening to you.")
    request.turn.preferences.append(pref("tone", "dry"))
    answer = brain.commit_turn(request)
    brain.commit_turn(turn("m", "s", preferences=[pref("tone", "warm")]))
    batch = Batch()
    batch.delete(keys.commit(answer.revision))
    brain._kv.write(keys.memory("m"), batch)
    found = brain.get_commit(GetCommitRequest(memory_id="m", commit_id=answer.commit_id))
    assert found.response.items == answer.items
    assert (found.response.commit_id, found.response.turn_id) == (answer.commit_id, answer.turn_id)
    assert (found.response.message_ids, found.response.revision) == (answer.message_ids, answer.revision)
    assert not found.response.HasField("explain")
    assert found.session_id == "s"
    assert found.committed_at.seconds > 0
