"""What comes again and again: moved to another day in few words, left alone by one time and by what others do."""

from __future__ import annotations

import pytest

from brain_core import Brain
from tests.building import active, fresh, say


def _told(brain: Brain, *texts: str) -> list[str]:
    """Return the texts of what is held after these turns, entities apart."""
    memory = fresh()
    for number, text in enumerate(texts):
        brain.commit_turn(say(memory, f"s{number}", text, at=2 * 86_400 * number))
    return [one.text.split("\n", 1)[-1] for one in active(brain, memory, "entities")]


@pytest.mark.parametrize(("first", "then", "wanted"), [
    ("physio is every Wednesday at 17:30", "physio moved to Thursdays same time",
     "Fact: physio is every Thursday at 17:30"),
    ("I have piano lessons every Friday at four", "piano is Saturdays from now on",
     "Fact: I have piano lessons every Saturday at four"),
    ("The cleaner comes on Tuesday mornings", "the cleaner can only come Thursdays now",
     "Fact: The cleaner comes on Thursday mornings"),
    ("My one-on-one with Dana is on Mondays at 2", "Dana moved our one-on-one to Wednesdays",
     "The user's one-on-one with Dana is on Wednesdays at 2"),
    ("瑜伽课是周一晚上七点", "瑜伽课现在改周二了", "Fact: 瑜伽课是周二晚上七点"),
    ("女儿每周五四点上钢琴课", "钢琴课以后改成周六上", "Fact: 女儿每周六四点上钢琴课"),
])  # fmt: skip
def test_what_comes_every_week_is_moved_with_all_else_as_it_was(
    brain: Brain, first: str, then: str, wanted: str
) -> None:
    """The old day stayed, and 「改周二了」 left an event on the next Tuesday."""
    assert [text.removeprefix("Profile of the user\n") for text in _told(brain, first, then)] == [wanted]


@pytest.mark.parametrize(("first", "then"), [
    ("My yoga class is on Mondays at 7pm", "this week yoga is on Tuesday"),
    ("瑜伽课是周一晚上七点", "这周瑜伽课在周二"),
    ("The library is open on Saturdays", "I was at the library on Friday"),
    ("The market is open on Sundays", "I went to the market on Saturday"),
    ("超市周日也开门", "我周六去了超市"),
    ("My sister plays tennis on Wednesdays", "I play tennis on Thursdays now"),
    ("我妹每周三打网球", "我现在周四打网球"),
    ("我哥在西门子上班", "我现在去博世上班了"),
])  # fmt: skip
def test_one_time_and_the_users_own_doings_leave_what_holds(brain: Brain, first: str, then: str) -> None:
    """Each was doubted, or ended, by the judge of revisions."""
    [before] = _told(brain, first)
    held = _told(brain, first, then)
    assert any(before.split("\n", 1)[-1] in text for text in held), held
    assert not any("erhaps no longer so" in text for text in held), held


def test_what_is_said_of_the_sister_still_ends_what_is_hers(brain: Brain) -> None:
    held = _told(brain, "My sister lives in Leeds", "my sister moved to York")
    assert not any("Leeds" in text and "erhaps" not in text for text in held), held


def test_a_chore_of_every_week_is_learned(brain: Brain) -> None:
    assert _told(brain, "We do the food shop on Saturdays") == ["Fact: We do the food shop on Saturdays"]
