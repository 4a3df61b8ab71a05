"""A fact of a profile that was denied stays so, whatever was said before the denial and is committed after it."""

from __future__ import annotations

import pytest

from brain_core import Brain
from tests.building import Clock, active, say

DAY = 86_400
TOLD = [
    ("My name is Sam. I live in Rome.", "I don't live in Rome any more.", "I live in Rome.", "Rome"),
    ("My name is Sam. I work at Bosch.", "I no longer work at Bosch.", "I work at Bosch.", "Bosch"),
    ("My name is Sam. I live in Rome.", "I don't live in Rome any more.", "I live in Oslo.", "Oslo"),
    ("我叫小明。我住在上海。", "我不住上海了。", "我住在上海。", "上海"),
]


@pytest.fixture
def brain(brain_by_clock: Brain) -> Brain:
    return brain_by_clock


def held(brain: Brain) -> str:
    return "\n".join(item.text for item in active(brain, "m", "events"))


@pytest.mark.parametrize(("first", "denial", "told", "fact"), TOLD)
def test_an_import_of_what_was_said_before_does_not_bring_it_back(
    brain: Brain, clock: Clock, first: str, denial: str, told: str, fact: str
) -> None:
    clock.at = 100 * DAY
    brain.commit_turn(say("m", "s", first, at=90 * DAY))
    brain.commit_turn(say("m", "s", denial, at=95 * DAY))
    brain.commit_turn(say("m", "s", "My name is Sam. 我叫小明。", at=99 * DAY))
    answer = brain.commit_turn(say("m", "last year", told, at=10 * DAY))
    assert fact not in held(brain)
    assert any(one.reason.startswith("said before it was denied, on 2024-02-17") for one in answer.explain.retention)


@pytest.mark.parametrize("at", [None, 97])
@pytest.mark.parametrize(("first", "denial", "told", "fact"), TOLD)
def test_what_is_said_after_it_holds(
    brain: Brain, clock: Clock, first: str, denial: str, told: str, fact: str, at: int | None
) -> None:
    clock.at = 100 * DAY
    brain.commit_turn(say("m", "s", first, at=90 * DAY))
    brain.commit_turn(say("m", "s", denial, at=95 * DAY))
    brain.commit_turn(say("m", "s", "My name is Sam. 我叫小明。", at=99 * DAY))
    brain.commit_turn(say("m", "s", told, at=None if at is None else at * DAY))
    assert fact in held(brain)


@pytest.mark.parametrize(("first", "denial", "told", "fact"), TOLD)
def test_within_a_turn_too_and_after_a_correction_of_its_own(
    brain: Brain, clock: Clock, first: str, denial: str, told: str, fact: str
) -> None:
    clock.at = 100 * DAY
    brain.commit_turn(say("m", "s", first, "ok", denial, "ok", told, at=90 * DAY))
    assert fact in held(brain)
    brain.commit_turn(say("m", "s", denial if fact != "Oslo" else "I don't live in Oslo any more.", at=95 * DAY))
    assert fact not in held(brain)
    brain.commit_turn(say("m", "s", told, at=93 * DAY))
    assert fact not in held(brain)
