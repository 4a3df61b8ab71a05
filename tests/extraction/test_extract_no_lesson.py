"""What users say that teaches nothing: what points elsewhere, asks, or is of the moment; and what is much alike."""

from __future__ import annotations

import pytest

from brain_core.extract.dangling import points_away
from brain_core.extract.english.clauses import before_question
from brain_core.kinds.draft import Draft
from tests.extraction.reading import JUDGED, read


def told(text: str, *types: str) -> list[str]:
    """Return what one message leaves, as the judge comes, of some types or of all but entities."""
    kept = [draft for draft in read(text, worth=JUDGED) if isinstance(draft, Draft) and not draft.denies]
    wanted = [each for each in kept if (each.kind.type in types if types else each.kind.type != "entities")]
    return [" ".join(map(str, each.given.values())) for each in wanted]


@pytest.mark.parametrize(
    ("item_type", "text"),
    [
        ("goals", "I want to pass it on to my students"),
        ("goals", "we hope to get them back"),
        ("preferences", "their work"),
        ("preferences", "it over Foundation for its documentation"),
        ("preferences", "I don't want anybody else to go through that"),
        ("preferences", "the temps get that wrong all the time"),
    ],
)
def test_a_wish_that_names_its_matter_by_a_pronoun_alone_points_away(item_type: str, text: str) -> None:
    field = "value" if item_type == "preferences" else "description"
    assert points_away(item_type, {field: text})


@pytest.mark.parametrize(
    ("item_type", "text"),
    [
        ("goals", "I want to learn Greek and teach it to my daughter"),
        ("goals", "I want to make it to the finals"),
        ("preferences", "I like it when people are on time"),
        ("preferences", "coffee, and I drink it black"),
        ("preferences", "their bread at the corner bakery"),
        ("preferences", "no meetings on days like that one in May"),
        ("knowledge", "we use it for backups"),
    ],
)
def test_a_wish_that_names_its_matter_does_not_point_away(item_type: str, text: str) -> None:
    field = {"preferences": "value", "goals": "description", "knowledge": "content"}[item_type]
    assert not points_away(item_type, {field: text})


@pytest.mark.parametrize(
    "text",
    [
        "I'd love to hand it on to my nephews one day",
        "I really love their music!",
        "I don't want any other family to go through that",
    ],
)
def test_what_points_away_is_not_kept(text: str) -> None:
    assert not told(text, "preferences", "goals")


def test_what_is_asked_at_the_end_is_no_part_of_what_is_told() -> None:
    [aim] = told("I want to save $2,000 for an emergency fund by June, can you help me make a plan?", "goals")
    assert "emergency fund" in aim
    assert "help me" not in aim
    assert before_question("We sell honey from 40 hives, how should I label it?") == "We sell honey from 40 hives"
    assert before_question("My son is six and what he likes is trains") == "My son is six and what he likes is trains"


@pytest.mark.parametrize(
    "text",
    [
        "so what's the profit on a latte at 3.80 if the milk is 20p and I use 18g of coffee at 15 a kilo?",
        "how can I make sure that everybody has a good time on May 6-7, 2026?",
        "I'm having trouble understanding how the chain rule applies to my field, can you explain it?",
        "my back is killing me",
        "the new neighbours are driving me mad",
        "I'm kinda stressed about saving enough, any ideas?",
        "Here's a photo of our school last year, after the flood",
    ],
)
def test_questions_and_moods_teach_nothing(text: str) -> None:
    assert not told(text)


@pytest.mark.parametrize(
    "text",
    [
        "I'll also look into a power of attorney just in case they need help in the future",
        "there's definitely a chance I'll be visiting more castles in the future",
        "for the wedding invitation only: no abbreviations, dates in full",
        "My grandson has set this up, so please bear with me",
    ],
)
def test_what_is_planned_or_for_once_is_no_standing_wish(text: str) -> None:
    assert not told(text, "preferences")


def test_what_is_offered_to_a_friend_is_no_standing_wish() -> None:
    assert not told("don't hesitate to call if you ever need anything at all", "preferences")
    [wish] = told("I like football, but, of course", "preferences")
    assert "but" not in wish


def test_a_standing_wish_for_the_future_is_kept() -> None:
    assert told("please answer in German in the future", "preferences")
    assert told("I'd like shorter answers in the future", "preferences")


def test_what_has_to_be_done_by_a_day_is_a_task_and_no_event() -> None:
    said = "I have to choose the worktop by Friday"
    assert told(said, "tasks")
    assert not told(said, "events")
    assert not told("There's a cover lesson I promised to plan for Year 4, and by Monday at that", "events")
    assert not told("I'm worried that my resume won't be ready by April 10", "events")
    assert told("The exam is on Friday", "events")


def test_a_weekday_that_tells_a_group_from_others_is_no_day_of_an_event() -> None:
    assert not told("Leo moved up to the Thursday group in swimming", "events")
    assert told("Leo's swimming gala is on Thursday", "events")


def test_a_secret_that_is_kept_is_no_goal() -> None:
    assert not told("I am sworn to secrecy", "goals")
    assert told("the plan's to open a stall at the market within the year", "goals")


def test_the_article_before_a_due_day_is_no_part_of_a_title() -> None:
    [task] = [
        each
        for each in read("I must open a bank account until the end of the month", worth=JUDGED)
        if isinstance(each, Draft) and each.kind.type == "tasks"
    ]
    assert task.given["title"] == "open a bank account"


def test_a_person_is_no_statement() -> None:
    assert not told("my close friend Dawn, who I met in 2015, gave me a list", "knowledge")
    assert not told("My girlfriend Lauren, who's 30, what should I give her?", "knowledge")


@pytest.mark.parametrize(
    "text", ["It rains since three weeks", "this thing costs 400 euros a year with all the extras"]
)
def test_a_fact_of_what_is_named_nowhere_is_none(text: str) -> None:
    assert not told(text, "knowledge")


def test_a_fact_that_names_its_matter_in_the_sentence_before_is_kept_with_it() -> None:
    [fact] = told("I swim in the lido. It opens at 7 on weekdays", "knowledge")
    assert "lido" in fact


def test_what_each_of_two_children_must_not_eat_is_two_facts() -> None:
    held = told("Theo won't eat cheese, Mia's allergic to sesame", "knowledge")
    assert [any(word in each for each in held) for word in ("cheese", "sesame")] == [True, True]
    assert len(held) == 2
    assert not told("Theo won't eat his dinner", "knowledge")


@pytest.mark.parametrize(
    "text",
    ["My electricity provider is Octopus", "our tracker is called Magpie", "Sven leads the mobile team since October"],
)
def test_what_firms_and_things_are_to_the_user_is_a_fact_and_not_only_a_name(text: str) -> None:
    assert told(text, "knowledge", "profile")


@pytest.mark.parametrize(
    "text",
    [
        "I'm trying to figure out what day it will be in a week from January 10",
        "I've managed to gather the financial documents that the bank asked for",
        "I've got a decision to make about the heating, and since Wyatt has doubts, I want to hear yours",
        "I'm deciding between a van from Corvid for $9,500 and a trailer that costs $4,000",
        "I'll start with the easy chapters and set aside Fridays from 2 to 5 for the rest",
    ],
)
def test_what_one_is_at_for_now_is_no_wish_fact_or_task(text: str) -> None:
    assert not told(text, "preferences", "knowledge", "profile", "goals", "tasks", "decisions")


def test_what_happened_yesterday_is_an_event_and_no_lasting_fact() -> None:
    said = "Lost my job as a banker yesterday, so I'm gonna take a shot at my own business"
    assert told(said, "events")
    assert not told(said, "profile")


def test_an_amount_in_a_list_is_no_task() -> None:
    held = told("still to do: NGN 200,000, call the tiler", "tasks")
    assert len(held) == 1
    assert "tiler" in held[0]


def test_those_told_of_behind_a_name_are_no_question() -> None:
    [kids] = told("I've got three kids, Emma, who's 11, Michelle, 12, and Rachel, 7", "profile")
    assert "Rachel" in kids


def test_who_somebody_is_to_the_user_is_no_event_whatever_day_is_named() -> None:
    said = "Tomasz is my barista, he's on Thursday to Sunday."
    assert told(said, "knowledge")
    assert not told(said, "events")
