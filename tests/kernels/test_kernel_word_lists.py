"""The word lists against its twin."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brain_core.kernels import reference
from brain_core.kernels.word_lists import WordLists

Name = TypeVar("Name")
Lists = WordLists | reference.word_lists.WordLists
LETTERS = "ab字𝄞 "
WORDS = st.sets(st.text(LETTERS, min_size=1, max_size=6), max_size=6)


def lacking(made: Lists, lists: Mapping[Name, Collection[str]], text: str) -> set[Name]:
    """Return the names of the lists of which no word stands in a text."""
    numbers = {name: made.add(words) for name, words in lists.items()}
    return {name for name, number in numbers.items() if made.lacks(text, number)}


@settings(max_examples=300, deadline=None)
@given(st.dictionaries(st.integers(), WORDS, max_size=6), st.text(LETTERS + "c", max_size=30))
def test_it_equals_the_twin(lists: dict[int, set[str]], text: str) -> None:
    assert lacking(WordLists(), lists, text) == lacking(reference.word_lists.WordLists(), lists, text)


@settings(max_examples=200, deadline=None)
@given(st.lists(WORDS, min_size=1, max_size=5), st.lists(st.text(LETTERS + "c", max_size=20), min_size=1, max_size=5))
def test_one_list_after_the_other_is_added_and_asked_for_as_of_the_twin(
    lists: list[set[str]], texts: list[str]
) -> None:
    compiled, twin = WordLists(), reference.word_lists.WordLists()
    for number, words in enumerate(lists):
        assert compiled.add(words) == twin.add(words) == number
        for text in texts:
            asked = [compiled.lacks(text, each) for each in range(number + 1)]
            assert asked == [twin.lacks(text, each) for each in range(number + 1)]


def test_of_a_long_text_it_is_not_told_what_it_lacks() -> None:
    compiled = WordLists()
    compiled.add({"what"})
    assert [compiled.lacks("a" * size, 0) for size in (2000, 2001)] == [True, False]
    with pytest.raises(ValueError, match=r"number must be in 0\.\.0, got 1"):
        compiled.lacks("a", 1)


def test_by_hand() -> None:
    lists = {"ask": {"?", "？", "what"}, "sum": {"summary", "sum up", "总结"}, "none": set[str]()}
    assert lacking(WordLists(), lists, "what a summer") == {"sum", "none"}
    assert lacking(WordLists(), lists, "请总结一下") == {"ask", "none"}
    assert lacking(WordLists(), lists, "sum up what we said？") == {"none"}
    assert lacking(WordLists(), lists, "the summary") == {"ask", "none"}
    assert lacking(WordLists(), lists, "summar") == lacking(WordLists(), lists, "") == {"ask", "sum", "none"}


def test_no_lists_lack_nothing() -> None:
    assert lacking(WordLists(), dict[str, set[str]](), "anything") == set()


def test_many_words_that_begin_alike_are_told_apart() -> None:
    lists = {number: {f"word{number:03d}"} for number in range(1000)}
    assert lacking(WordLists(), lists, "here is word007, there word999") == set(lists) - {7, 999}


@pytest.mark.parametrize("word", ["", "a\0b"])
def test_what_is_no_word_is_refused_by_both(word: str) -> None:
    for one in (WordLists, reference.word_lists.WordLists):
        with pytest.raises(ValueError, match="a word must have characters, none of them NUL"):
            one().add({word})
