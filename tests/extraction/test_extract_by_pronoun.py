"""Whose allergy it is where a pronoun tells of it, and what the user suffers from and takes, in general words."""

from __future__ import annotations

import pytest

from tests.extraction.reading import drafts


def told(text: str) -> list[str]:
    """Return what a message teaches by vital rules of health, as text."""
    found = []
    for draft in drafts(text):
        if draft.kind.type == "knowledge":
            found.append(str(draft.given["content"]))
        elif draft.kind.type == "profile":
            found += [str(fact["v"]) for fact in draft.given["facts"] if str(fact["k"])[:6] in {"health", "medici"}]
    return found


@pytest.mark.parametrize(
    ("text", "content"),
    [
        (
            "what should i cook on saturday? Hannah and her boyfriend Ravi come over, he's lactose intolerant",
            "Ravi is lactose intolerant",
        ),
        ("Ravi comes on Saturday, he's allergic to nuts", "Ravi is allergic to nuts"),
        ("Should I bake for Ravi? He's allergic to nuts.", "Ravi is allergic to nuts"),
        ("Tom visits tomorrow and he is vegan.", "Tom is vegan"),
        ("My boss Karin is coming over, she can't eat gluten.", "My boss Karin can't eat gluten"),
        ("my sister Eva called, she's diabetic now", "my sister Eva is diabetic now"),
        ("小王周六来吃饭，他对花生过敏。", "小王，他对花生过敏"),
    ],
)
def test_what_a_pronoun_tells_is_of_the_one_person_named(text: str, content: str) -> None:
    assert told(text) == [content]


@pytest.mark.parametrize(
    "text",
    [
        "Tom and Ben come on Friday, he's allergic to nuts",
        "He's allergic to nuts.",
        "Should I go? She is vegan.",
        "I wonder if Tom comes and he is vegan",
        "Tom comes on Saturday, he's tired of meetings",
        "Tom visits tomorrow, he can't eat out with us",
        "My sister rang, he is vegan",
        "小王和小李周六来吃饭，他对花生过敏。",
        "他对花生过敏。",
    ],
)
def test_a_pronoun_that_may_be_of_anybody_teaches_nothing(text: str) -> None:
    assert told(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "I have sleep apnea",
        "I have mild sleep apnea",
        "I have high blood pressure",
        "I've been diagnosed with gout",
        "doctor says it's mild sleep apnea",
        "results of the sleep study: mild sleep apnea",
        "physio says it's runner's knee, 3 weeks no running",
        "I'm on iron tablets",
        "so i'm on iron tablets till june",
        "I have been taking iron tablets since March",
        "我有睡眠呼吸暂停",
        "我有轻度睡眠呼吸暂停",
        "我在吃铁剂",
    ],
)
def test_what_the_user_suffers_from_and_takes(text: str) -> None:
    assert told(text)


@pytest.mark.parametrize(
    "text",
    [
        "I have a dog",
        "I have high hopes",
        "I'm on holiday",
        "I'm on the train",
        "I have an exam on depression",
        "I have depression questions in my essay",
        "I'm on drawing tablets all day",
        "I take my tablets to school",
        "I don't have sleep apnea",
        "I might have sleep apnea",
        "if I have high blood pressure, what then?",
        "Do I have gout?",
        "我没有睡眠呼吸暂停",
        "我有一只狗",
    ],
)
def test_what_is_no_condition_of_the_user(text: str) -> None:
    assert told(text) == []
