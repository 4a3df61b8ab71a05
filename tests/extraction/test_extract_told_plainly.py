"""What an English message plainly tells is kept, of whatever it is; and so is what rules leave of a sentence."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from brain_core import Brain
from tests.building import active, fresh, open_brain, say


@pytest.fixture(scope="module")
def brain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Brain]:
    with open_brain(Path(tmp_path_factory.mktemp("plain"))) as opened:
        yield opened


def told(brain: Brain, text: str) -> dict[str, str]:
    """Return what a message teaches, by type."""
    memory = fresh()
    brain.commit_turn(say(memory, "s", text, "OK."))
    return {item.type: item.text.partition("\n")[2] for item in active(brain, memory, "entities")}


@pytest.mark.parametrize(
    ("text", "item_type", "words"),
    [
        ("I'm on Python 3.12 here, the server too.", "knowledge", "Python 3.12"),
        ("The plumber will be here Monday between 8 and 10.", "events", "plumber"),
        ("Babysitter gets 12 an hour, 15 after midnight.", "knowledge", "15 after midnight"),
        ("I sold the Yamaha to a guy called Petr for 2,300.", "knowledge", "Petr"),
        ("We ordered 200 flyers from the copy shop.", "knowledge", "200 flyers"),
        ("Alina is my cousin, she's a vet in Graz.", "knowledge", "vet in Graz"),
        ("I run 5 k every other morning before work, rain or not.", "knowledge", "5 k"),
    ],
)
def test_a_plain_statement_is_kept(brain: Brain, text: str, item_type: str, words: str) -> None:
    assert words in told(brain, text)[item_type]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("My password manager is Bitwarden and I pay for the family plan.", "Bitwarden"),
        ("btw my manager Ruth is pregnant, due in april", "pregnant"),
        ("Our contact at the printer's is Marion Feld, she does all the proofs.", "proofs"),
    ],
)
def test_what_is_said_of_one_who_is_named_is_kept_beside_the_name(brain: Brain, text: str, words: str) -> None:
    assert words in told(brain, text)["knowledge"]


@pytest.mark.parametrize(
    "text",
    [
        "I went to the shop today and it was closed.",
        "She said it would be fine.",
        "I think the second version reads better.",
        "The function returns 3 for an empty list.",
        "Good morning, lovely weather.",
        "I keep reading the same page 3 times.",
        "I used to swim on Friday mornings.",
    ],
)
def test_what_tells_nothing_definite_is_not(brain: Brain, text: str) -> None:
    assert not told(brain, text)
