"""What ends, or takes the place of, what was told some turns before, in the words of those who live it."""

from __future__ import annotations

import pytest

from brain_core import Brain
from tests.building import active, brain, say

__all__ = ["brain"]


def told(brain: Brain, *messages: str) -> list[str]:
    """Return what a memory holds after messages of one session, without entities."""
    for message in messages:
        brain.commit_turn(say("m", "s", message))
    return [each.text for each in active(brain, "m", "entities")]


@pytest.mark.parametrize(
    ("task", "said"),
    [
        ("we need to buy black trousers for both of the children", "got the trousers from M&S. one less thing"),
        ("I must renew my passport before May.", "The passport came by post today."),
        ("remind me to apply for the parking permit", "the permit is here!"),
        ("we have to order new tiles for the bathroom", "the tiles have arrived"),
    ],
)
def test_a_thing_that_is_got_or_has_come_ends_the_task_to_get_it(brain: Brain, task: str, said: str) -> None:
    assert [text for text in told(brain, task, said) if "Status: done" in text]


@pytest.mark.parametrize(
    ("task", "said"),
    [
        ("I need to renew my passport", "my brother's passport came today"),
        ("I need to buy a birthday present for Anna by Friday", "Anna came over today"),
        ("we need to order new tiles for the bathroom", "my sister got new tiles in her bathroom"),
        ("I need to clean the parking permit holder", "the parking permit is here"),
    ],
)
def test_what_another_gets_ends_no_task(brain: Brain, task: str, said: str) -> None:
    assert not [text for text in told(brain, task, said) if "Status: done" in text]


@pytest.mark.parametrize(
    ("first", "second", "old", "new"),
    [
        (
            "I take amlodipine, five milligrams, every morning.",
            "Dr Lindqvist has raised the amlodipine to ten milligrams, as of this morning.",
            "five",
            "ten milligrams",
        ),
        (
            "I run in Brooks Ghosts, size 40",
            "swapped the Brooks for Asics Novablast, heaven",
            "Brooks",
            "Asics Novablast",
        ),
        ("We use Datadog for monitoring", "switched from Datadog to Grafana, way cheaper", "Datadog", "Grafana"),
        (
            "My insurance is with Menzis, I pay 138 euros per month.",
            "I changed the insurance also, now it is Zilveren Kruis because the work pays a part.",
            "Menzis",
            "Zilveren Kruis",
        ),
        (
            "our beans come from Roastworks in Devon, 12 kilos a week",
            "switched the beans. Roastworks kept delivering late so it's Origin now",
            "Roastworks",
            "beans come from Origin",
        ),
    ],
)
def test_a_new_value_takes_the_place_of_the_old(brain: Brain, first: str, second: str, old: str, new: str) -> None:
    held = told(brain, first, second)
    assert any(new in text for text in held)
    assert not any(old in text for text in held)


@pytest.mark.parametrize(
    ("first", "second", "kept"),
    [
        ("our beans come from Roastworks in Devon", "we drink tea. the post is late so it's Monday now", "Roastworks"),
        ("My insurance is with Menzis.", "I changed the bulb, now it is Bright", "Menzis"),
        (
            "the flight is on January 17",
            "And I found a flat, on the canal, from January 1. It costs 1,340.",
            "January 17",
        ),
    ],
)
def test_what_is_told_of_another_thing_ends_nothing(brain: Brain, first: str, second: str, kept: str) -> None:
    assert any(kept in text for text in told(brain, first, second))


def test_hours_told_plainly_are_kept(brain: Brain) -> None:
    assert any("tue to sat" in text for text in told(brain, "we're open tue to sat, 10 to 6"))


def test_what_to_do_whenever_one_errs_is_kept_and_what_is_for_the_next_time_is_not(brain: Brain) -> None:
    held = told(brain, "Please correct my English when I make mistakes, I like that.")
    assert any("correct my English" in text for text in held)
    assert not any(
        "spelling" in text for text in told(brain, "please check my spelling when I send you the next draft")
    )


@pytest.mark.parametrize(
    ("first", "answer", "second", "old", "new"),
    [
        (
            "My landlord is Mr. Okafor, his number ends in 771.",
            "Noted: Mr. Okafor, number ending in 771.",
            "Mr. Okoro. I mix him up with my old maths teacher every single time.",
            "fact: landlord",
            "landlord is Mr. Okoro",
        ),
        (
            "My driving test is booked for 9:40 on the 22nd.",
            "Good luck! 9:40 on the 22nd.",
            "Not 9:40! 8:40! would have been standing there an hour late",
            "9:40",
            "8:40",
        ),
        (
            "The band rehearses every Sunday evening in Gareth's garage.",
            "Noted, Sundays at Gareth's.",
            "It isn't Gareth who has the garage, it's Owain.",
            "Gareth",
            "Owain's garage",
        ),
        (
            "My surname changed, I'm Nadia Brennan now",
            "Noted.",
            "Brannigan, phone autocorrected it. They are :)",
            "Brennan",
            "Brannigan",
        ),
    ],
)
def test_what_was_told_just_now_is_put_right(
    brain: Brain, first: str, answer: str, second: str, old: str, new: str
) -> None:
    brain.commit_turn(say("m", "s", first, answer))
    held = told(brain, second)
    assert any(new in text for text in held)
    assert not any(old in text for text in held)


def test_a_part_of_what_is_told_instead_is_not_replaced_by_it(brain: Brain) -> None:
    brain.commit_turn(say("m", "s", "My blood type is A negative.", "Noted."))
    assert not any("A O negative" in text for text in told(brain, "O negative, just found my donor card."))


def test_a_negated_future_is_not_over(brain: Brain) -> None:
    assert any("2023-11-20" in text for text in told(brain, "they won't have the roof finished till November 20th"))


def test_a_number_and_what_is_still_so_are_no_age_and_job(brain: Brain) -> None:
    assert not told(brain, "13, and still 15 after midnight")
