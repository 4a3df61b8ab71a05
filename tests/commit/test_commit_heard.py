"""What is held of earlier turns is what the store holds of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from smartbrain.v1.brain_service_pb2 import CommitTurnRequest, DeleteTurnRequest
from smartbrain.v1.event_pb2 import Message, Turn, TurnEvents

from brain_core import Brain
from brain_core.commit import heard
from brain_core.commit.heard import Heard
from brain_core.commit.learn import said_in
from brain_core.store import events
from brain_core.store.kv import ReadView

TEXTS = ("I moved to Lisbon.", "我搬到杭州了。", "The boiler is fixed.")


def _commit(brain: Brain, session: str, *texts: str) -> str:
    messages = [Message(role=role, content=text) for text in texts for role in ("user", "assistant")]
    request = CommitTurnRequest(memory_id="m", session_id=session, turn=TurnEvents(messages=messages))
    return brain.commit_turn(request).turn_id


def _as_stored(brain: Brain, session: str, limit: int) -> list[str]:
    return said_in(events.newest_turns(brain._kv, "m", session, limit))


def test_it_is_what_the_newest_turns_say(brain: Brain, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heard, "_MOST_TURNS", 6)
    kept = Heard()
    for number in range(12):
        session = "ab"[number % 3 % 2]
        _commit(brain, session, f"{number} {TEXTS[number % 3]}", "嗯")
        for each, limit in (("a", 4), ("b", 4), (session, 2), ("c", 4)):
            assert kept.newest(brain._kv, "m", each, limit) == _as_stored(brain, each, limit)
    assert kept.nbytes == sum(map(heard._nbytes, kept._said.values()))
    assert len(kept._said) == 6


def test_a_turn_is_read_once(brain: Brain, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = Heard()
    for text in TEXTS:
        _commit(brain, "a", text)
    assert kept.newest(brain._kv, "m", "a", 20) == list(TEXTS)
    _commit(brain, "a", "new")
    read: list[Sequence[int]] = []
    stored = events.turns_at

    def turns_at(view: ReadView, memory: str, session: str, places: Sequence[int]) -> Iterator[tuple[int, Turn]]:
        read.append(places)
        return stored(view, memory, session, places)

    monkeypatch.setattr(events, "turns_at", turns_at)
    assert kept.newest(brain._kv, "m", "a", 20) == [*TEXTS, "new"]
    assert read == [[3]]


def test_of_a_purged_turn_nothing_is_held(brain: Brain) -> None:
    turns = [_commit(brain, "a", text) for text in TEXTS]
    with brain._memories.use(brain._kv, "m") as held:
        assert held.heard.newest(brain._kv, "m", "a", 20) == list(TEXTS)
    brain.delete_turn(DeleteTurnRequest(memory_id="m", turn_id=turns[1]))
    _commit(brain, "a", "And one more.")
    with brain._memories.use(brain._kv, "m") as held:
        said = held.heard.newest(brain._kv, "m", "a", 20)
    assert said == _as_stored(brain, "a", 20)
    assert TEXTS[1] not in said
