"""The sieve against its twin."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brain_core.kernels import reference
from brain_core.kernels.sieve import Sieve

LETTERS = "ab字𝄞 _0"
WORDS = st.tuples(st.text(LETTERS, min_size=1, max_size=6), st.integers(0, 2), st.integers(0, 2))
WAYS = st.lists(st.lists(st.lists(WORDS, max_size=4), min_size=1, max_size=3), max_size=3)


def way(words: str) -> list[list[tuple[str, int, int]]]:
    """Return a way with one demand: one of some words, wherever they stand."""
    return [[(word, 0, 0) for word in words.split(",")]]


@settings(max_examples=500, deadline=None)
@given(st.dictionaries(st.integers(), WAYS, max_size=6), st.text(LETTERS + "c٣", max_size=30))
def test_it_equals_the_twin(ways: dict[int, list[list[list[tuple[str, int, int]]]]], text: str) -> None:
    assert Sieve(ways).found(text) == reference.sieve.Sieve(ways).found(text)


def test_by_hand() -> None:
    sieve = Sieve({"ask": [way("?,？,what")], "sum": [way("summary,sum up"), way("总结")], "none": []})
    assert sieve.found("what a summer") == {"ask"}
    assert sieve.found("请总结一下") == {"sum"}
    assert sieve.found("sum up what we said？") == {"ask", "sum"}
    assert sieve.found("the summary") == {"sum"}
    assert sieve.found("summar") == sieve.found("") == set()


def test_a_way_is_met_by_all_its_demands() -> None:
    sieve = Sieve({"asked back": [[[("did i", 0, 0), ("did we", 0, 0)], [("say", 0, 0)]], way("remind me")]})
    assert sieve.found("what did we say") == sieve.found("remind me") == {"asked back"}
    assert sieve.found("did i, did we") == sieve.found("they say") == set()


@pytest.mark.parametrize(
    ("edges", "there", "lacking"),
    [
        ((1, 0), ["do", "a do", "字 done"], ["undo", "字do", "_do", "3do"]),
        ((0, 1), ["do", "undo it", "do."], ["done", "do字", "do_", "do3"]),
        ((2, 0), ["do", "- done", "?! do"], ["a do", "字 do"]),
        ((0, 2), ["do", "undo!", "to do. "], ["do a", "do 字"]),
    ],
)
def test_a_word_stands_at_its_edges(edges: tuple[int, int], there: list[str], lacking: list[str]) -> None:
    sieve = Sieve({"it": [[[("do", *edges)]]]})
    assert [text for text in there + lacking if sieve.found(text)] == there


def test_a_nought_stands_for_any_figure() -> None:
    sieve = Sieve({"it": [way("error 00")]})
    assert sieve.found("error 17") == sieve.found("error ٣٣") == {"it"}
    assert sieve.found("error x7") == set()


def test_without_names_nothing_is_found() -> None:
    assert Sieve({}).found("anything") == set()


def test_many_words_that_begin_alike_are_told_apart() -> None:
    ways = {number: [way(f"word{'abcdefghij'[number // 10]}{'abcdefghij'[number % 10]}")] for number in range(100)}
    assert Sieve(ways).found("here is wordah, there wordjj") == {7, 99}


@pytest.mark.parametrize(
    ("ways", "why"),
    [
        ([way("a\0b")], "a word must have characters, none of them NUL"),
        ([[[("", 0, 0)]]], "a word must have characters, none of them NUL"),
        ([[[("a", 0, 3)]]], "edges must be in 0..2"),
        ([[]], "a way must have 1 to 255 demands"),
    ],
)
def test_what_is_no_way_is_refused_by_both(ways: list[list[list[tuple[str, int, int]]]], why: str) -> None:
    for one in (Sieve, reference.sieve.Sieve):
        with pytest.raises(ValueError, match=why):
            one({"name": ways})
