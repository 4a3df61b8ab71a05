"""What is told otherwise later takes the place of what was told; what only mentions it changes nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.building import open_brain, say
from tests.extraction.updates import UPDATES, believed, changed, crowded, lines, outdated, rows

KNOWN = (
    "My gym is FitX.",
    "My favourite tea is longjing.",
    "I live in Berlin.",
    "My dog's name is Rex.",
    "My boss is Karen.",
    "The deadline is March 3.",
    "I prefer dark mode.",
    "My car is a Golf.",
    "Our office is in Munich.",
    "I work at Google.",
    "The spare key is under the blue pot.",
)
PASSING = (
    "I'm at the gym now",
    "I'm having some tea now",
    "my dog is asleep now",
    "my boss is annoyed now",
    "I'm driving my car now",
    "the office is quiet now",
    "it's dark now",
    "I'm looking at the key now",
    "the deadline is killing me now",
    "I'm in the office now, what's the wifi like",
    "Karen moved to another desk",
    "my boss is in Paris now",
    "I'm in Munich now",
    "I changed to the other shoes",
)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_new_value_takes_the_place_of_the_old_one(language: str) -> None:
    assert not outdated(f"{language}_plain")


RULES_ALONE = {"policies": {"retention": {"worth": {"doubt": 1, "revise": 1}}}}
_MISTAKEN = 3
"""Of 60 sentences that change nothing, those that the judge of revisions is let to be wrong about."""


@pytest.mark.parametrize(
    ("name", "least"),
    [("en_seen", 52), ("zh_seen", 60), ("en_more", 37), ("zh_more", 42), ("en_held", 36), ("zh_held", 39)],
)
def test_as_many_are_up_to_date_as_were(name: str, least: int) -> None:
    up_to_date = len(rows(name)) - len(outdated(name))
    assert up_to_date >= least


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_only_mentions_a_fact_changes_nothing(language: str) -> None:
    assert not changed(f"{language}_unchanged", **RULES_ALONE)
    assert len(changed(f"{language}_unchanged")) <= _MISTAKEN


@pytest.mark.parametrize("language", ["en", "zh"])
def test_few_traps_change_a_fact(language: str) -> None:
    """Of 60 sentences that were written to be taken for a revision, those that are."""
    assert len(changed(f"{language}_unchanged_more")) <= 6


@pytest.mark.parametrize(("language", "ended", "doubted"), [("en", 4, 18), ("zh", 12, 6)])
def test_hardly_anything_ends_that_other_facts_of_the_same_people_only_look_like(
    language: str, ended: int, doubted: int
) -> None:
    """Of 348 lines of worlds of a few names, 24 and 21 ended a fact that they said nothing of."""
    told = crowded(UPDATES / f"{language}_crowds.tsv")
    losing, doubting, up_to_date = len(told.losing), len(told.doubting), told.up_to_date
    del told  # a failure shows counts alone: nobody who writes rules is to read them
    assert losing <= ended
    assert doubting <= doubted
    assert up_to_date >= 5


@pytest.mark.parametrize("sentence", PASSING)
def test_how_things_are_just_now_is_no_correction(folder: Path, sentence: str) -> None:
    """Ten of 24 such sentences put themselves in the place of a fact: "I'm at the gym now" was the name of the dog."""
    with open_brain(folder) as brain:
        for number, fact in enumerate(KNOWN):
            brain.commit_turn(say("m", "s", fact, at=number))
        before = lines(brain, "m")
        brain.commit_turn(say("m", "now", sentence, at=86_400))
        assert before <= lines(brain, "m")


def test_a_name_in_a_statement_about_now_does_take_a_place(folder: Path) -> None:
    with open_brain(folder) as brain:
        brain.commit_turn(say("m", "s", "We're on Python 3.11.", "Our Jenkins runs on Debian."))
        brain.commit_turn(say("m", "s", "We're on Python 3.12 now.", at=86_400))
        assert [text for _, text in believed(brain, "m") if "Python" in text] == ["Fact: We're on Python 3.12 now"]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_only_mentions_facts_changes_hardly_any_of_many(folder: Path, language: str) -> None:
    mistaken = []
    with open_brain(folder) as brain:
        told = rows(f"{language}_unchanged")
        for number, (fact, _) in enumerate(told):
            brain.commit_turn(say("m", "s", fact, at=60 * number))
        for number, (_, later) in enumerate(told):
            before = lines(brain, "m")
            answer = brain.commit_turn(say("m", f"later {number}", later, at=86_400 + 60 * number))
            if not before <= lines(brain, "m"):
                mistaken.append(later)
                assert "revision" in [verdict.rule for verdict in answer.explain.retention], later
    assert len(mistaken) <= _MISTAKEN, mistaken


@pytest.mark.parametrize(
    "told",
    [
        ("My daughter goes to Hillside Primary.", "My sister lives in Rome."),
        ("My cat's name is Tom.", "My dog's name is Rex."),
        ("我养了一只猫叫咪咪。", "我还养了一条狗叫旺财。"),
    ],
)
def test_one_relative_or_pet_does_not_take_the_place_of_another(folder: Path, told: tuple[str, ...]) -> None:
    """All facts of relatives were one fact, "family", and all of pets another: the last one told was known."""
    with open_brain(folder) as brain:
        for number, fact in enumerate(told):
            brain.commit_turn(say("m", "s", fact, at=60 * number))
        assert len(lines(brain, "m") - {"Profile of the user"}) == len(told), lines(brain, "m")


def test_the_state_of_a_phone_is_not_its_number(folder: Path) -> None:
    """As "my phone is at 4% now" was read, which took the place of "My phone is a Pixel 8"."""
    with open_brain(folder) as brain:
        brain.commit_turn(say("m", "s", "My phone is a Pixel 8.", at=0))
        brain.commit_turn(say("m", "s", "my phone is at 4% now", at=86_400))
        assert "phone: a Pixel 8" in lines(brain, "m")


def test_what_another_team_changes_is_not_ours(folder: Path) -> None:
    """隔壁组 stands a clause before 换成."""
    with open_brain(folder) as brain:
        brain.commit_turn(say("m", "s", "我们组长是韩冰", at=0))
        brain.commit_turn(say("m", "s", "隔壁组换组长了，换成梁栋", at=86_400))
        assert any("韩冰" in line for line in lines(brain, "m"))
