"""Which was said first, where the clock of the server or of a caller was wrong."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from smartbrain.v1.brain_service_pb2 import CommitTurnResponse
from smartbrain.v1.event_pb2 import Message

from brain_core import Brain
from tests.building import Clock, active, open_by, say, second, turn
from tests.commit.drafting import decisions, draft, give, value_at

DAY = 86_400
TOLD = [
    ("The staging server runs on port 8080.", "The staging server runs on port 9090.", "8080", "9090"),
    ("I prefer short answers.", "I prefer long answers.", "short", "long"),
    ("我喜欢简短的回答。", "我喜欢详细的回答。", "简短", "详细"),
    ("I live in Oslo.", "I live in Bergen.", "Oslo", "Bergen"),
    ("我住在北京。", "我住在上海。", "北京", "上海"),
    ("数据库我们决定用Postgres。", "数据库我们决定用SQLite。", "Postgres", "SQLite"),
]


@pytest.fixture
def brain(brain_by_clock: Brain) -> Brain:
    return brain_by_clock


def held(brain: Brain) -> str:
    return "\n".join(item.text for item in active(brain, "m"))


def reports(answer: CommitTurnResponse) -> list[str]:
    return [one.reason for one in answer.explain.conflicts if one.decision == "reported"]


@pytest.mark.parametrize("at", [None, 8])
@pytest.mark.parametrize(("first", "then", "old", "new"), TOLD)
def test_a_correction_stands_when_the_clock_was_ahead(
    brain: Brain, clock: Clock, first: str, then: str, old: str, new: str, at: float | None
) -> None:
    brain.commit_turn(say("m", "s", "Good morning."))
    clock.at = 7 * DAY
    brain.commit_turn(say("m", "s", first))
    clock.at = 10
    answer = brain.commit_turn(say("m", "s", then, at=at))
    assert new in held(brain)
    assert old not in held(brain)
    [report] = reports(answer)
    assert "2023-11-21T22:13:20Z, later than this" in report
    clock.at = 20
    brain.commit_turn(say("m", "s", first))
    assert old in held(brain), "and so does what corrects the correction"


@pytest.mark.parametrize("at", [None, 8])
@pytest.mark.parametrize(("first", "then", "old", "new"), TOLD)
def test_a_correction_stands_when_the_caller_was_ahead(
    brain: Brain, clock: Clock, first: str, then: str, old: str, new: str, at: float | None
) -> None:
    brain.commit_turn(say("m", "s", first, at=7 * DAY))
    clock.at = 10
    answer = brain.commit_turn(say("m", "s", then, at=at))
    assert new in held(brain)
    assert old not in held(brain)
    assert reports(answer)


@pytest.mark.parametrize(("first", "then", "old", "new"), TOLD)
def test_what_is_imported_does_not_replace_what_was_said_while_the_clock_was_ahead(
    brain: Brain, clock: Clock, first: str, then: str, old: str, new: str
) -> None:
    brain.commit_turn(say("m", "s", "Good morning."))
    clock.at = 7 * DAY
    brain.commit_turn(say("m", "s", then))
    clock.at = 10
    answer = brain.commit_turn(say("m", "last year", first, at=-365 * DAY))
    assert new in held(brain)
    assert old not in held(brain)
    assert any("said before what holds" in one.reason for one in answer.explain.retention)


@pytest.mark.parametrize("at", [None, 8])
@pytest.mark.parametrize(("first", "then", "old", "new"), TOLD)
def test_within_a_turn_what_stands_later_holds_where_what_stands_before_it_is_of_a_time_to_come(
    brain: Brain, clock: Clock, first: str, then: str, old: str, new: str, at: float | None
) -> None:
    clock.at = 10
    when = None if at is None else second(at)
    messages = [
        Message(role="user", content=first, created_at=second(7 * DAY)),
        Message(role="user", content=then, created_at=when),
    ]
    brain.commit_turn(turn("m", "s", messages=messages))
    assert new in held(brain)
    assert old not in held(brain)


def test_of_callers_that_are_all_ahead_the_times_decide(brain: Brain, clock: Clock) -> None:
    tone = {"scope": "writing", "name": "tone"}
    give(brain, draft("preferences", {**tone, "value": "short"}), at=300 * DAY)
    clock.at = 10
    assert decisions(give(brain, draft("preferences", {**tone, "value": "long"}), at=200 * DAY)) == [
        ("validity", "kept")
    ]
    assert value_at(brain, "preferences", "pref:writing:tone")["value"] == "short"


def test_saying_it_again_puts_its_time_right(brain: Brain, clock: Clock) -> None:
    clock.at = 7 * DAY
    brain.commit_turn(say("m", "s", "I prefer short answers."))
    clock.at = 10
    brain.commit_turn(say("m", "s", "I prefer short answers."))
    clock.at = 20
    assert not reports(brain.commit_turn(say("m", "s", "I prefer long answers.", at=15)))
    assert "long" in held(brain)


class Told(NamedTuple):
    """One turn.

    after: seconds since the one before. ahead: days that the clock is ahead of the time. age: days since it was said,
    None where it comes without a time.
    """

    after: int
    ahead: int
    age: int | None


_AHEAD = st.builds(Told, st.integers(1, 5000), st.integers(0, 40), st.none())
_RIGHT = st.builds(Told, st.integers(1, 5000), st.just(0), st.sampled_from([None, 0, 0, 300, 400]))


@settings(max_examples=40, deadline=None)
@given(st.lists(_AHEAD, max_size=5), st.lists(_RIGHT, min_size=1, max_size=6))
@example([Told(1, 0, None), Told(1, 7, None)], [Told(1, 0, 0)])
@example([Told(1, 0, None), Told(1, 7, None)], [Told(1, 0, 300), Told(1, 0, None)])
def test_what_was_said_last_holds(ahead: list[Told], right: list[Told]) -> None:
    """While the clock jumps ahead nothing comes with a time; once it is right, what is old may be told, too."""
    clock, time, newest = Clock(), 0, (-(10**12), "")
    with tempfile.TemporaryDirectory() as folder, open_by(clock, Path(folder)) as brain:
        for number, told in enumerate([Told(0, 0, None), *ahead, *right]):
            time += told.after
            clock.at = time + told.ahead * DAY
            age = (told.age or 0) * DAY
            at = None if told.age is None else time - age - 0.5
            give(brain, draft("notes", {"uri": "project://gate", "content": f"code {number}"}), at=at)
            newest = max(newest, (time - age, f"code {number}"))
            [item] = active(brain, "m")
            assert item.value["content"] == newest[1]
