"""kill -9 in a purge: nothing is done, or all of it is, and its bytes leave the files after the next start."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress

import grpc
import pytest
from smartbrain.v1.admin_service_pb2 import GetStatusRequest, VerifyRequest
from smartbrain.v1.brain_service_pb2 import (
    DeleteMemoryRequest,
    DeleteSessionRequest,
    DeleteTurnRequest,
    ListContextsRequest,
    Purged,
)
from smartbrain.v1.event_pb2 import Preference

from tests.faults.victim import Victim
from tests.purge.files import files_with
from tests.server.asking import commit, compose, refusal, retrieve
from tests.serving import Stubs

_LONGEST_SECONDS = 60
_NOTHING_DONE = ("purge prepared", "index about to be forgotten", "index forgotten")
_OF_TURNS = (*_NOTHING_DONE, "purge written", "contexts purged", "purge durable")
_OF_MEMORIES = (*_NOTHING_DONE, "memory removed", "purge durable")
_OF_FILES = ("files about to be erased", "files erased")


def word_of(memory_id: str) -> str:
    """Return a word that nothing else says."""
    return "qz" + "".join(letter for letter in memory_id if letter.isalpha()) + "xk"


def fill(stubs: Stubs, memory_id: str) -> str:
    """Commit two turns, the second with the word in messages, an item and a context; return its id."""
    word = word_of(memory_id)
    stubs.brain.CommitTurn(commit(memory_id, "other", "I own a green bicycle. 我有一辆绿色自行车。"))
    request = commit(memory_id, "s", f"Please remember that the code is {word}. 密码是{word}。")
    request.turn.preferences.append(Preference(name=word, value=word, confirmed=True))
    turn_id: str = stubs.brain.CommitTurn(request).turn_id
    stubs.brain.ComposeContext(compose(memory_id, "s", f"What is {word}?"))
    assert len(stubs.brain.ListContexts(ListContextsRequest(memory_id=memory_id)).contexts) == 1
    return turn_id


def wait_until_erased(stubs: Stubs) -> None:
    last = time.monotonic() + _LONGEST_SECONDS
    while stubs.admin.GetStatus(GetStatusRequest()).purges_to_erase:
        assert time.monotonic() < last
        time.sleep(0.02)


def purge_call(stubs: Stubs, memory_id: str, kind: str, turn_id: str) -> Callable[[], Purged]:
    if kind == "turn":
        one = DeleteTurnRequest(memory_id=memory_id, turn_id=turn_id, request_id="once")
        return lambda: stubs.brain.DeleteTurn(one).purged
    if kind == "session":
        session = DeleteSessionRequest(memory_id=memory_id, session_id="s", request_id="once")
        return lambda: stubs.brain.DeleteSession(session).purged
    memory = DeleteMemoryRequest(memory_id=memory_id, request_id="once")
    return lambda: stubs.brain.DeleteMemory(memory).purged


@pytest.mark.parametrize(
    ("kind", "point"),
    [
        *(("turn", point) for point in (*_OF_TURNS, *_OF_FILES)),
        *(("session", point) for point in _OF_TURNS),
        *(("memory", point) for point in (*_OF_MEMORIES, *_OF_FILES)),
    ],
)
def test_a_purge_that_dies_is_made_or_not(victim: Victim, kind: str, point: str) -> None:
    memory_id = f"{kind} {point}"
    word, folder = word_of(memory_id), victim.folder / "data"
    with victim.server.stubs() as stubs:
        turn_id = fill(stubs, memory_id)
        wait_until_erased(stubs)
        victim.die_at(point)
        purge = purge_call(stubs, memory_id, kind, turn_id)
        if point in _OF_FILES:
            with suppress(grpc.RpcError):  # the thread may be the faster one
                purge()
        else:
            assert refusal(purge).code == grpc.StatusCode.UNAVAILABLE
    victim.wait_for_death()
    with victim.server.stubs() as stubs:
        purge = purge_call(stubs, memory_id, kind, turn_id)
        if point in _NOTHING_DONE:
            pack = stubs.retrieval.Retrieve(retrieve(memory_id, word)).pack
            assert any(word in evidence.snippet for evidence in pack.evidences)
            assert len(stubs.brain.ListContexts(ListContextsRequest(memory_id=memory_id)).contexts) == 1
        else:
            wait_until_erased(stubs)
            assert files_with(folder, word) == []
        assert purge().turns == 1 + (kind == "memory")
        assert purge().turns == 1 + (kind == "memory")
        wait_until_erased(stubs)
        assert files_with(folder, word) == []
        if kind == "memory":
            assert refusal(lambda: stubs.retrieval.Retrieve(retrieve(memory_id, "x"))).code.name == "NOT_FOUND"
        else:
            pack = stubs.retrieval.Retrieve(retrieve(memory_id, f"{word} bicycle")).pack
            snippets = [evidence.snippet for evidence in pack.evidences]
            assert "bicycle" in str(snippets)
            assert word not in str(snippets)
            assert not stubs.brain.ListContexts(ListContextsRequest(memory_id=memory_id)).contexts
        for answer in stubs.admin.Verify(VerifyRequest()):
            assert list(answer.problems) == []
