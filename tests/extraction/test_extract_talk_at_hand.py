"""What the talk at hand is no memory of."""

from __future__ import annotations

from datetime import date

import pytest

from brain_core.extract.dates import first_day
from brain_core.kinds.draft import Draft
from tests.extraction.reading import drafts, item, read, skips


@pytest.mark.parametrize(
    "text",
    [
        "I like the second draft.",
        "I like #3.",
        "I think I'd prefer to start with the intro.",
        "I'm not going to lie.",
        "Remember the soup you made me last time?",
    ],
)
def test_what_is_said_of_the_talk_at_hand_is_not_kept(text: str) -> None:
    assert not drafts(text)


@pytest.mark.parametrize("text", ["I like rye bread.", "I love the sea.", "I prefer short answers."])
def test_what_is_liked_in_general_is(text: str) -> None:
    assert [draft.kind.type for draft in drafts(text)] == ["preferences"]


def test_what_the_assistant_made_is_no_fact() -> None:
    assert skips("The plan you suggested runs every Monday at 9.") == ["of_the_talk"]
    assert skips("Our plan runs every Monday at 9.") == []


def test_a_reaction_is_no_fact() -> None:
    assert skips("The map of the 12 stops is super helpful.") in ([], ["reaction"])
    assert not [found for found in read("The map of the 12 stops is super helpful.") if isinstance(found, Draft)]


@pytest.mark.parametrize(
    ("text", "past", "day"),
    [
        ("the party is Saturday the 13th of June", False, "2026-06-13"),
        ("we meet on Wednesday 8 April", False, "2026-04-08"),
        ("I rebooked for Friday 8 May", True, "2026-05-08"),
        ("we met on Friday, May 9th", True, "2025-05-09"),
    ],
)
def test_a_weekday_with_a_date_is_one_day_and_tells_the_year(text: str, past: bool, day: str) -> None:
    found = first_day(text, date(2026, 3, 18), past)
    assert found is not None
    assert found.day.isoformat() == day


@pytest.mark.parametrize(
    "text",
    [
        "Don't forget to take care of yourself and have some fun too!",
        "Don't forget to take some nice pictures.",
        "don't forget to get enough sleep and take time for self-care",
        "Remember, forgiveness is a process.",
        "Remember I'm always here if you need to chat.",
        "Remember we talked about this just last week.",
    ],
)
def test_what_is_told_to_a_friend_is_neither_a_task_nor_a_fact(text: str) -> None:
    assert drafts(text) == []


@pytest.mark.parametrize("text", ["Don't forget to take care of the roses.", "Remember that Kim is here on Mondays."])
def test_what_is_to_be_remembered_still_is(text: str) -> None:
    assert len(drafts(text)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "June 3rd, a week from today.",
        "I will be out by the 29th.",
        "It was September 5th in the end.",
        "I said August 29th.",
        "It's mornings only till the 15th of May.",
        "Moved to the 25th.",
    ],
)
def test_a_day_of_nothing_is_no_event(text: str) -> None:
    assert drafts(text) == []


@pytest.mark.parametrize("text", ["Dentist on the 5th of May at nine.", "The wedding is on the 5th of May."])
def test_a_day_of_something_is_an_event(text: str) -> None:
    assert [draft.kind.type for draft in drafts(text)] == ["events"]


def test_an_errand_after_other_sentences_is_a_task() -> None:
    """Kept from .8 on, it was not: of three sentences the judge gives it .58."""
    said = "Our office is in Munich. I have to send the tax form to Kim by Friday. I need to book the dentist."
    assert [draft.kind.type for draft in drafts(said)] == ["knowledge", "tasks", "tasks"]


@pytest.mark.parametrize(
    "text",
    [
        "I play badminton every Wednesday evening.",
        "We have dinner at my parents' every Sunday.",
        "I run five kilometres every morning before work.",
        "我每周三晚上打羽毛球。",
        "我们每个月去一次宜家。",
    ],
)
def test_a_habit_with_its_days_is_known(text: str) -> None:
    """The judge was sure that each teaches something, and of no type."""
    assert len(drafts(text)) == 1


@pytest.mark.parametrize(
    "text", ["I see him every day.", "Do I have to run every day?", "I feel tired every morning.", "我每天都觉得累。"]
)
def test_what_is_no_habit_is_not(text: str) -> None:
    assert drafts(text) == []


def test_an_answer_corrects_nothing_that_it_does_not_name() -> None:
    known = item("knowledge", topic="gym", title="gym", content="The new routines begin with a warm-up of five minutes")
    assert not drafts("Oh, no, I was talking about the new gym routines.", known)
    assert [draft.rule for draft in drafts("Actually, ten minutes of warm-up.", known)] == ["corrects"]
