"""Phrases in mode exact, found inside compounds and where they are made of stop words."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from brain_core import Brain
from brain_core.compose.quoted import Rows, with_phrases
from brain_core.index.lexical import Formula, LexicalIndex
from tests.building import found, open_brain, say

TEXTS = (
    "The parser lives in src/foo/bar.py, next to the tests.",
    "Docs are at https://example.com/docs/page for now.",
    "We tagged v1.2.3-rc1 on Friday.",
    "Call client.commit_many() for imports.",
    "The column user_id_hash is new.",
    "Hamlet says: to be or not to be.",
    "The Who played in Leeds.",
    "Is it that one? It is.",
    "那是我的，不是你的。",
)


@pytest.fixture
def told(folder: Path) -> Iterator[Brain]:
    with open_brain(folder, policies={"retention": {"learn_from": []}}) as brain:
        for number, text in enumerate(TEXTS):
            brain.commit_turn(say("m", f"s{number}", text))
        yield brain


@pytest.mark.parametrize(
    ("phrase", "place"),
    [
        ("bar.py", 0),
        ("foo/bar.py", 0),
        ("src/foo", 0),
        ("example.com", 1),
        ("v1.2.3", 2),
        ("commit_many", 3),
        ("user_id", 4),
        ("to be or not to be", 5),
        ("The Who", 6),
        ("that one", 7),
    ],
)
def test_a_phrase_is_found_inside_compounds_and_of_stop_words(told: Brain, phrase: str, place: int) -> None:
    assert found(told, "m", f'"{phrase}"', mode="exact") == [TEXTS[place]]


@pytest.mark.parametrize("phrase", ["ar.py", "v1.2.4", "not to be or", "The Whom", "user hash"])
def test_other_phrases_are_not(told: Brain, phrase: str) -> None:
    assert not found(told, "m", f'"{phrase}"', mode="exact")


def test_a_phrase_of_stop_words_keeps_to_the_filters(told: Brain) -> None:
    assert found(told, "m", '"The Who"', mode="exact", session_ids=["s6"]) == [TEXTS[6]]
    assert not found(told, "m", '"The Who"', mode="exact", session_ids=["s5"])


def test_only_texts_that_have_its_words_are_read() -> None:
    texts = [*(f"Whale number {number} was seen off the coast." for number in range(40)), "A blue whale, they said."]
    index = LexicalIndex()
    for text in texts:
        index.add(text)
    read: list[int] = []

    def read_texts(rows: Rows) -> list[str]:
        read.extend(rows.tolist())
        return [texts[row] for row in rows.tolist()]

    scores = index.score('where is the "blue whale"?', Formula(1.2, 0.75, 1.2))
    rows, unread = with_phrases(scores, np.ones(len(texts), dtype=np.uint8), ["blue whale"], 10, read_texts)
    assert (rows.tolist(), unread, read) == ([40], 0, [40])


def test_texts_are_read_until_there_are_enough_with_the_phrase() -> None:
    texts = [f"A whale, blue {number}." for number in range(200)]
    texts[150] = texts[170] = "A blue whale 1."
    index = LexicalIndex()
    for text in texts:
        index.add(text)
    scores = index.score('"blue whale"', Formula(1.2, 0.75, 1.2))
    for wanted, found_, most_read in ((1, [150], 192), (2, [150, 170], 192), (3, [150, 170], 200)):
        read: list[int] = []

        def read_texts(rows: Rows, read: list[int] = read) -> list[str]:
            read.extend(rows.tolist())
            return [texts[row] for row in rows.tolist()]

        rows, unread = with_phrases(scores, np.ones(200, dtype=np.uint8), ["blue whale"], wanted, read_texts)
        assert (rows.tolist(), unread) == (found_, 0)
        assert len(read) == most_read, "64 at once"
