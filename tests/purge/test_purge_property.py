"""Whatever was said and purged: nothing in the store has a word of it, the store is sound, and the rest is there."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from google.protobuf.json_format import MessageToDict, ParseDict
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from smartbrain.v1.brain_service_pb2 import (
    CommitTurnRequest,
    DeleteSessionRequest,
    DeleteTurnRequest,
    ListTurnsRequest,
)
from smartbrain.v1.event_pb2 import TurnEvents
from smartbrain.v1.memory_service_pb2 import ListItemsRequest

from brain_core import Brain
from brain_core.store import keys
from tests.building import compose, found, open_brain

_SESSIONS = ("s", "会话")
_WORDS = [
    *(f"qz{letter}{other}xk" for letter in "abcd" for other in "efgh"),
    *("鳜鱼火锅", "榴莲蛋糕", "藜麦沙拉", "枇杷果酱"),
]

_word = st.sampled_from(_WORDS)
_slot = st.sampled_from(["one", "two"])
_said = st.sampled_from(
    [
        "Please remember that the code is {}.",
        "I work as a {}.",
        "I live in {}.",
        "My favourite food is {}.",
        "请记住，密码是{}。",
        "我最喜欢吃{}。",
        "我住在{}。",
        "Actually, I no longer like {}.",
    ]
)
_entry = st.one_of(
    st.builds(lambda slot, word: ("preferences", {"name": slot, "value": word, "confirmed": True}), _slot, _word),
    st.builds(lambda slot, word: ("preferences", {"name": slot, "value": word}), _slot, _word),
    st.builds(lambda slot, word: ("tasks", {"task_id": slot, "title": word}), _slot, _word),
    st.builds(lambda slot, word: ("tasks", {"task_id": slot, "notes": [word]}), _slot, _word),
    st.builds(
        lambda slot, state: ("tasks", {"task_id": slot, "status": state}), _slot, st.sampled_from(["doing", "done"])
    ),
    st.builds(lambda slot, word: ("decisions", {"topic": slot, "decision": word}), _slot, _word),
    st.builds(lambda slot, word: ("goals", {"name": slot, "description": word}), _slot, _word),
    st.builds(lambda word: ("events", {"title": f"met {word}"}), _word),
    st.builds(
        lambda slot, word: ("entities", {"canonical": slot, "kind": "person", "aliases": [word], "remember": True}),
        _slot,
        _word,
    ),
    st.builds(
        lambda slot, word: ("retractions", {"type": "preferences", "key": f"pref:other:{slot}", "reason": word}),
        _slot,
        _word,
    ),
    st.builds(lambda word: ("tool_calls", {"name": "look", "result": f"a long result about {word} " * 30}), _word),
    st.builds(lambda word: ("refs", {"ref_type": "url", "uri": f"https://example.org/{word}"}), _word),
)
_turn = st.tuples(
    st.sampled_from(_SESSIONS), st.lists(st.tuples(_said, _word), min_size=1, max_size=2), st.lists(_entry, max_size=3)
)


def _events(said: list[tuple[str, str]], entries: list[tuple[str, dict[str, Any]]]) -> dict[str, Any]:
    turn: dict[str, Any] = {"messages": [{"role": "user", "content": form.format(word)} for form, word in said]}
    for kind, entry in entries:
        turn.setdefault(kind, []).append(entry)
    return turn


def _stored(brain: Brain) -> bytes:
    """Return all that the store holds of memory m."""
    kv = brain._kv
    partitions = [keys.memory("m"), keys.contexts("m"), keys.followed("m")]
    return b"\n".join(key + b" " + value for partition in partitions for key, value in kv.scan(partition, b""))


def _items(brain: Brain) -> dict[tuple[str, str], tuple[int, dict[str, Any]]]:
    listed = brain.list_items(ListItemsRequest(memory_id="m", page_size=1000)).items
    return {(item.type, item.key): (item.status, MessageToDict(item.value)) for item in listed}


_TOLD_TWICE: list[tuple[str, Any, Any]] = [
    ("s", [("Please remember that the code is {}.", "qzaexk")], []),
    ("s", [("Please remember that the code is {}.", "qzaexk")], []),
    ("s", [("I work as a {}.", "qzafxk")], []),
    ("s", [("I live in {}.", "qzaexk")], []),
    ("会话", [("I work as a {}.", "qzafxk")], []),
]
"""A fact that another session says again after more was told: once it was held to be of the turn between."""


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(
    turns=st.lists(_turn, min_size=2, max_size=9),
    purged=st.lists(st.integers(0, 8), min_size=1, max_size=3, unique=True),
    session=st.sampled_from([None, None, *_SESSIONS]),
)
@example(turns=_TOLD_TWICE, purged=[2], session="会话")
def test_no_word_of_what_was_purged_is_stored(
    turns: list[tuple[str, Any, Any]], purged: list[int], session: str | None
) -> None:
    with tempfile.TemporaryDirectory(prefix="brain-") as name:
        policies = {"retention": {"summarize_after_turns": 2}, "consolidation": {"versions_kept": 3}}
        with open_brain(Path(name), policies=policies) as brain:
            _check(brain, turns, {number for number in purged if number < len(turns)}, session)


def _check(brain: Brain, turns: list[tuple[str, Any, Any]], purged: set[int], session: str | None) -> None:
    said = [_events(messages, entries) for _, messages, entries in turns]
    ids = []
    for number, ((of, _, _), events) in enumerate(zip(turns, said, strict=True)):
        request = CommitTurnRequest(memory_id="m", session_id=of, request_id=f"r{number}")
        request.turn.CopyFrom(ParseDict(events, TurnEvents()))
        ids.append(brain.commit_turn(request).turn_id)
        compose(brain, "m", of, "What do you know?")
    before = _items(brain)
    for number in sorted(purged):
        brain.delete_turn(DeleteTurnRequest(memory_id="m", turn_id=ids[number], request_id=f"p{number}"))
    if session is not None and any(of == session for of, _, _ in turns):
        brain.delete_session(DeleteSessionRequest(memory_id="m", session_id=session))
        purged = purged | {number for number, (of, _, _) in enumerate(turns) if of == session}
    kept = [json.dumps(events, ensure_ascii=False) for number, events in enumerate(said) if number not in purged]
    gone = [json.dumps(events, ensure_ascii=False) for number, events in enumerate(said) if number in purged]
    words = {word for word in _WORDS if any(word in turn for turn in gone) and not any(word in turn for turn in kept)}
    stored = _stored(brain)
    assert {word for word in words if word.encode() in stored} == set()
    for answer in brain.verify("m"):
        assert not answer.problems
    package = str(MessageToDict(compose(brain, "m", "s", "What do you know?")))
    assert not [word for word in words if word in package]
    for number, (of, _, _) in enumerate(turns):
        if number not in purged:
            listed = brain.list_turns(ListTurnsRequest(memory_id="m", session_id=of)).turns
            assert any(turn.turn_id == ids[number] and turn.events.messages for turn in listed)
    after = _items(brain)
    untouched = {slot: item for slot, item in before.items() if not any(_names(turn, slot) for turn in gone)}
    assert {slot: after.get(slot) for slot in untouched if slot[0] in {"preferences", "tasks", "goals"}} == {
        slot: item for slot, item in untouched.items() if slot[0] in {"preferences", "tasks", "goals"}
    }
    for number, (_, messages, _) in enumerate(turns):
        if number not in purged:
            assert any(messages[0][1] in snippet for snippet in found(brain, "m", messages[0][1]))


def _names(turn: str, slot: tuple[str, str]) -> bool:
    """Return whether a turn may have written an item: it names the last part of its key, or says something at all."""
    return slot[1].rsplit(":", 1)[-1] in turn or not slot[1].endswith((":one", ":two"))
