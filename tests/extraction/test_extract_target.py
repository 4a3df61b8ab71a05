"""What a sentence does not speak of is not ended, overwritten or invented by it; plain updates are taken."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.building import open_brain, say
from tests.extraction.updates import believed, lines

RULES_ALONE = {"policies": {"retention": {"worth": {"doubt": 1, "revise": 1}}}}
"""The judge of revisions is held to its own tests."""

BESIDE = [
    (
        "I'm allergic to peanuts.",
        "Please use almonds instead of peanuts.",
        "I ordered cashews instead of peanuts.",
        "We swapped peanuts for raisins.",
        "My nephew is allergic to walnuts, not peanuts.",
        "Wait, use the shorter version.",
        "I meant the other Karen.",
        "I'm not allergic to dairy.",
        "We don't have peanuts anymore.",
        "My peanut delivery got cancelled.",
    ),
    (
        "I live in Berlin.",
        "The fair is in Hamburg, not Berlin.",
        "My aunt lives in Potsdam, not Berlin.",
        "I was born in Potsdam, not Berlin.",
        "They moved the fair from Berlin to Munich.",
        "Actually, it's foggy in Berlin.",
        "It's 2 degrees in Berlin now.",
        "Turns out Berlin has two zoos.",
        "I lived in Tokyo when I was a kid.",
        "We lived in Oslo for a bit.",
        "I live next to a bakery.",
        "I've been in hospital since Tuesday.",
        "I've been in a choir for 20 years.",
        "We moved to Slack last week.",
        "Once I live in Munich, I'll sell the car.",
        "I hope I don't live in Berlin anymore in five years.",
        "The flight to Berlin was cancelled.",
    ),
    (
        "I work at Siemens.",
        "My brother works at Bosch, not Siemens.",
        "I bought a Bosch drill instead of Siemens.",
        "Turns out my neighbour works at Siemens too.",
        "It's 3 years at Siemens now.",
        "I work with Python every day.",
        "I work with Jo.",
        "I'm at Lidl now.",
        "I've been with Anna for ten years.",
        "I'd be happier if I no longer worked at Siemens.",
        "It's not true that I don't work at Siemens anymore.",
        "My cousin doesn't work at Siemens anymore.",
        "I don't park at Siemens anymore.",
    ),
    (
        "My wife is called Jane.",
        "I dropped Jane at the airport.",
        "My wife is sick.",
        "My wife is on the phone.",
        "My wife is feeling better.",
        "My wife is 40 now.",
    ),
    (
        "I take lisinopril.",
        "I don't take the bus anymore.",
        "I don't take naps anymore.",
        "I take the tram, not the bus.",
    ),
    (
        "We have a dog called Max.",
        "We left the dog with Tom.",
        "I don't have a dog sitter anymore.",
        "My dog is at the vet.",
    ),
    ("I have a cat called Luna.", "I'm not allergic to cats.", "I meant to call mom.", "My cat is on a diet."),
    ("I'm vegetarian.", "I'm not vegan.", "My aunt is no longer vegetarian."),
    ("My phone is a Pixel 8.", "My phone is dead.", "My phone is nearly full.", "I dropped my phone in the sink."),
    ("I play the piano.", "The piano recital is off.", "I'm done with the piano for today."),
]


@pytest.mark.parametrize("told", BESIDE, ids=lambda told: told[0])
def test_what_a_sentence_does_not_speak_of_stays(folder: Path, told: tuple[str, ...]) -> None:
    fact, *others = told
    with open_brain(folder, **RULES_ALONE) as brain:
        for number, other in enumerate(others):
            memory = f"m{number}"
            brain.commit_turn(say(memory, "one", fact, at=0))
            before = lines(brain, memory)
            brain.commit_turn(say(memory, "two", other, at=86_400))
            assert before <= lines(brain, memory), other


@pytest.mark.parametrize(
    ("fact", "later", "old", "new"),
    [
        ("I live in Berlin.", "I live in Potsdam, not Berlin.", "Berlin", "Potsdam"),
        ("I live in Berlin.", "Actually I don't live in Berlin, I live in Lisbon.", "Berlin", "Lisbon"),
        ("I live in Berlin.", "We moved from Berlin to Leipzig.", "Berlin", "Leipzig"),
        ("I live in Berlin.", "I've lived in Porto since 2019.", "Berlin", "Porto"),
        ("I live in Berlin.", "We moved to Munich for my wife's job.", "Berlin", "Munich"),
        ("I work at Siemens.", "I don't work at Siemens anymore.", "Siemens", ""),
        ("I work at Siemens.", "I left Siemens, I'm at Meta now.", "Siemens", "Meta"),
        ("I work at Siemens.", "Actually I work for Bosch.", "Siemens", "Bosch"),
        ("I'm allergic to peanuts.", "I'm allergic to almonds, not peanuts.", "peanuts", "almonds"),
        ("I'm allergic to peanuts.", "I was wrong, I'm not allergic to peanuts but to walnuts.", "peanuts", "walnuts"),
        ("I'm allergic to peanuts.", "Actually I'm not allergic to peanuts, I'm allergic to soy.",
         "I'm allergic to peanuts", "soy"),
        ("I'm allergic to peanuts.", "Got tested: turns out I'm not allergic after all!", "peanuts", ""),
        ("I take metformin.", "Actually I don't take metformin, I take insulin.", "metformin", "insulin"),
        ("I take metformin.", "I take insulin instead of metformin now.", "metformin", "insulin"),
        ("My name is Ann.", "Actually my name isn't Ann, it's Anna.", "isn't", "Anna"),
        ("My wife is called Anna.", "Sorry, my wife is called Hannah.", "Anna", "Hannah"),
        ("We have a dog called Max.", "We don't have a dog anymore.", "Max", ""),
        ("My sister lives in Ghent.", "My sister doesn't live in Ghent anymore.", "in Ghent", ""),
        ("I play the piano.", "I no longer play the piano.", "piano", ""),
        ("We're planning a trip to Japan in October.", "We're doing Korea instead of Japan.", "Japan",
         "a trip to Korea"),
        ("We're planning a trip to Japan in October.", "The Japan trip is off.", "Japan", ""),
        ("I have two cats.", "I have three cats now.", "two", "three"),
    ],
)  # fmt: skip
def test_a_plain_update_is_taken(folder: Path, fact: str, later: str, old: str, new: str) -> None:
    with open_brain(folder, **RULES_ALONE) as brain:
        brain.commit_turn(say("m", "one", fact, at=0))
        brain.commit_turn(say("m", "two", later, at=2 * 86_400))
        held = believed(brain, "m")
        assert not [text for item_type, text in held if old in text and item_type != "events"], held
        assert not new or any(new in text for _, text in held), held


@pytest.mark.parametrize(
    "moved",
    ["My dentist appointment got moved to Friday at 10.", "The dentist appointment was pushed to Friday at 10."],
)
def test_a_moved_appointment_has_the_new_hour(folder: Path, moved: str) -> None:
    with open_brain(folder, **RULES_ALONE) as brain:
        brain.commit_turn(say("m", "one", "I have a dentist appointment on Thursday at 3pm.", at=0))
        brain.commit_turn(say("m", "two", moved, at=3600))
        told = [text for _, text in believed(brain, "m") if "dentist" in text]
        assert told
        assert all("at 10" in text and "3pm" not in text for text in told), told
