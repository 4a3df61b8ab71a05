"""What holds from now on: a weekly meeting on another day, another provider, who is in charge."""

from __future__ import annotations

import pytest

from brain_core import Brain
from tests.building import active, fresh, say


def told(brain: Brain, *texts: str) -> list[tuple[str, str]]:
    """Return types and texts of the active items after these turns, without entities."""
    memory = fresh()
    for hour, text in enumerate(texts):
        brain.commit_turn(say(memory, "s", text, at=3600 * hour))
    return [(one.type, one.text.split("\n", 1)[-1]) for one in active(brain, memory, "entities")]


@pytest.mark.parametrize("text", [
    "部门例会以后改到周三", "周会从下周起挪到周五上午", "站会在周一九点半", "晨会今后都放周二了",
])  # fmt: skip
def test_a_meeting_that_recurs_is_on_no_date(brain: Brain, text: str) -> None:
    """「例会以后改周四」 left an event on the next Thursday, and a preference."""
    assert told(brain, text) == [("knowledge", f"Fact: {text}")]


@pytest.mark.parametrize("text", ["例会推到周五", "这周例会在周五", "例会改到周五", "例会在周四开了"])
def test_a_meeting_that_is_on_another_day_once_is_no_rule(brain: Brain, text: str) -> None:
    assert not [one for one in told(brain, text) if one[0] == "knowledge"]


def test_a_meeting_that_moves_for_good_leaves_its_old_day(brain: Brain) -> None:
    assert told(brain, "例会在周二", "例会以后改周三") == [("knowledge", "Fact: 例会在周三")]


@pytest.mark.parametrize(("first", "then", "wanted"), [
    ("Our broadband is with Virgin at 40 a month", "switched broadband to Zen", "Fact: Our broadband is with Zen"),
    ("The storage unit is with Shurgard, £85 per month", "moved the storage unit to Safestore",
     "Fact: The storage unit is with Safestore"),
    ("宽带走电信，每月99块", "宽带换成联通了", "Fact: 宽带走联通"),
])  # fmt: skip
def test_another_provider_has_a_price_of_its_own(brain: Brain, first: str, then: str, wanted: str) -> None:
    assert told(brain, first, then) == [("knowledge", wanted)]


def test_a_thing_that_is_moved_keeps_what_it_is(brain: Brain) -> None:
    """Only what is paid by the month is paid to somebody."""
    [(_, text)] = told(brain, "The router is in the hall, it cost 90", "moved the router to the study")
    assert text == "Fact: The router is in the study, it cost 90"


@pytest.mark.parametrize("text", ["Ingrid leads the mobile team", "Priya runs the data platform."])
def test_who_is_in_charge_is_a_fact(brain: Brain, text: str) -> None:
    """It left no more than a name; and "the data" was taken for an example's."""
    assert ("knowledge", f"Fact: {text.rstrip('.')}") in told(brain, text)
