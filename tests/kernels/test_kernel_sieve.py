"""The sieve against its twin."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brain_core.kernels import reference
from brain_core.kernels.sieve import Guard, Sieve
from brain_core.text.needed import needed

Ways = list[list[list[tuple[str, int, int]]]]
LETTERS = "ab字𝄞 _0"
WORDS = st.tuples(st.text(LETTERS, min_size=1, max_size=6), st.integers(0, 2), st.integers(0, 2))
WAYS = st.lists(st.lists(st.lists(WORDS, max_size=4), min_size=1, max_size=3), max_size=3)


def way(words: str) -> list[list[tuple[str, int, int]]]:
    """Return a way with one demand: one of some words, wherever they stand."""
    return [[(word, 0, 0) for word in words.split(",")]]


def made(ways: Mapping[str, Ways], kind: type[Sieve | reference.sieve.Sieve] = Sieve) -> Callable[[str], set[str]]:
    """Return what gives the names of the patterns that may match in a text."""
    sieve, names = kind(), list(ways)
    assert [sieve.add(of_name) for of_name in ways.values()] == [*range(len(names))]
    return lambda text: {names[number] for number in sieve.possible(text)}


@settings(max_examples=500, deadline=None)
@given(st.dictionaries(st.text(), WAYS, max_size=6), st.text(LETTERS + "c٣", max_size=30))
def test_it_equals_the_twin(ways: dict[str, Ways], text: str) -> None:
    assert made(ways)(text) == made(ways, reference.sieve.Sieve)(text)


@settings(max_examples=200, deadline=None)
@given(st.lists(WAYS, min_size=1, max_size=5), st.lists(st.text(LETTERS + "c", max_size=20), min_size=1, max_size=5))
def test_one_pattern_after_the_other_is_added_and_asked_for_as_of_the_twin(ways: list[Ways], texts: list[str]) -> None:
    compiled, twin = Sieve(), reference.sieve.Sieve()
    for number, of_one in enumerate(ways):
        assert compiled.add(of_one) == twin.add(of_one) == number
        for text in texts:
            asked = [compiled.excludes(text, each) for each in range(number + 1)]
            assert asked == [twin.excludes(text, each) for each in range(number + 1)]


def test_of_a_long_text_it_is_not_told_that_one_is_excluded() -> None:
    for sieve in (Sieve(), reference.sieve.Sieve()):
        sieve.add([way("what")])
        assert [sieve.excludes("a" * size, 0) for size in (2000, 2001)] == [True, False]
    one = Sieve()
    one.add([way("what")])
    with pytest.raises(ValueError, match=r"number must be in 0\.\.0, got 1"):
        one.excludes("a", 1)


def test_by_hand() -> None:
    found = made({"ask": [way("?,？,what")], "sum": [way("summary,sum up"), way("总结")], "none": []})
    assert found("what a summer") == {"ask"}
    assert found("请总结一下") == {"sum"}
    assert found("sum up what we said？") == {"ask", "sum"}
    assert found("the summary") == {"sum"}
    assert found("summar") == found("") == set()


def test_a_way_is_met_by_all_its_demands() -> None:
    found = made({"asked back": [[[("did i", 0, 0), ("did we", 0, 0)], [("say", 0, 0)]], way("remind me")]})
    assert found("what did we say") == found("remind me") == {"asked back"}
    assert found("did i, did we") == found("they say") == set()


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
    found = made({"it": [[[("do", *edges)]]]})
    assert [text for text in there + lacking if found(text)] == there


def test_a_nought_stands_for_any_figure() -> None:
    found = made({"it": [way("error 00")]})
    assert found("error 17") == found("error ٣٣") == {"it"}
    assert found("error x7") == set()


def test_without_patterns_none_is_possible() -> None:
    assert Sieve().possible("anything") == []


def test_many_words_that_begin_alike_are_told_apart() -> None:
    letters = "abcdefghij"
    ways = {f"{one}{other}": [way(f"word{one}{other}")] for one in letters for other in letters}
    assert made(ways)("here is wordah, there wordjj") == {"ah", "jj"}


@pytest.mark.parametrize(
    ("ways", "why"),
    [
        ([way("a\0b")], "a word must have characters, none of them NUL"),
        ([[[("", 0, 0)]]], "a word must have characters, none of them NUL"),
        ([[[("a", 0, 3)]]], "edges must be in 0..2"),
        ([[]], "a way must have 1 to 255 demands"),
    ],
)
def test_what_is_no_way_is_refused_by_both_and_changes_nothing(ways: Ways, why: str) -> None:
    for sieve in (Sieve(), reference.sieve.Sieve()):
        with pytest.raises(ValueError, match=why):
            sieve.add([way("good"), *ways])
        assert sieve.add([way("better")]) == 0
        assert sieve.possible("good") == []


PATTERNS = (r"\bcats?\b", "cat|dog", r"(?<!a )dog", "c.t$", r"^\W*dog", "[^a]")
TEXTS = st.lists(st.sampled_from(["cat", "CATS", "Dog", "a", " ", "é", "字", ".", "\n"]), max_size=6).map("".join)


@settings(max_examples=50, deadline=None)
@given(st.sampled_from(PATTERNS), st.booleans(), st.lists(TEXTS, min_size=1, max_size=20), st.data())
def test_a_guard_finds_what_its_twin_finds(pattern: str, folds: bool, texts: list[str], data: st.DataObject) -> None:
    whole = partial(re.compile, pattern, re.IGNORECASE if folds else 0)
    fold = partial(re.compile, pattern) if folds else None
    sieve = Sieve(lambda text: text.lower() if text.isascii() else None)
    compiled, twin = Guard(sieve, lambda: needed(pattern), whole, fold), reference.sieve.Guard(whole)
    for text in texts * (256 // len(texts) + 2):
        bounds = data.draw(st.lists(st.integers(0, len(text)), max_size=2))
        for one, other in ((compiled.search, twin.search), (compiled.match, twin.match)):
            found, expected = one(text, *bounds), other(text, *bounds)
            assert (found and found.span()) == (expected and expected.span())
        assert compiled.findall(text, *bounds) == twin.findall(text, *bounds)
        assert compiled.sub("-", text) == twin.sub("-", text)


def test_what_needs_are_is_asked_for_after_256_searches_and_no_expression_compiled_that_finds_none() -> None:
    asked: list[str] = []

    def ways() -> Ways:
        asked.append("ways")
        return [way("cat")]

    def folded() -> re.Pattern[str]:
        asked.append("folded")
        return re.compile("cat")

    def whole() -> re.Pattern[str]:
        asked.append("whole")
        return re.compile("cat", re.IGNORECASE)

    guard = Guard(Sieve(str.lower), ways, whole, folded)
    assert not any(guard.search("a dog") for _ in range(255))
    assert asked == ["folded"]
    assert not any(guard.search("a dog") for _ in range(255))
    assert asked == ["folded", "ways"]
    assert guard.search("a CAT")
    assert asked == ["folded", "ways", "whole"]
