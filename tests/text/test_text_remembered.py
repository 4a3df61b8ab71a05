"""What is kept of texts is bounded by their size: long ones do not pile up."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from brain_core.models.static import built_in
from brain_core.models.thesaurus import built_in_thesaurus
from brain_core.text.remembered import LONG_CHARACTERS, LONGEST_SHORT, remembered
from brain_core.text.words import distinct_terms

_HAN = "".join(map(chr, range(0x4E00, 0x9FA5)))


def _words(text: str) -> object:
    chinese = built_in().chinese
    assert chinese is not None
    return chinese.words(text)


def test_many_short_texts_and_some_long_ones_are_kept() -> None:
    made: list[str] = []

    @remembered(100)
    def size(text: str, factor: int) -> int:
        made.append(text)
        return len(text) * factor

    short = [f"{number:03}" for number in range(100)]
    long = [f"{number:03}" + "x" * (LONG_CHARACTERS // 5) for number in range(9)]
    for text in (*short, *long, *short, *long[-4:]):
        assert size(text, 2) == 2 * len(text)
    assert made == [*short, *long]
    assert size(long[0], 2) == 2 * len(long[0])
    assert size(long[-1], 3) == 3 * len(long[-1])
    assert made == [*short, *long, long[0], long[-1]]
    huge = "x" * (LONG_CHARACTERS + 1)
    for text in (huge, huge, long[-1]):
        assert size(text, 2) == 2 * len(text)
    assert made == [*short, *long, long[0], long[-1], huge, long[-1]]


@pytest.mark.parametrize(
    "make",
    [lambda text: built_in_thesaurus().alike(text), built_in().vector, distinct_terms, _words],
    ids=["thesaurus", "vector", "terms", "words"],
)
def test_what_is_made_of_long_texts_is_soon_let_go(make: Callable[[str], object]) -> None:
    """256 Chinese queries of 10,000 characters took 1.1 GB in the thesaurus, and messages without a mark more."""
    drawn = random.Random(1)
    size = max(LONGEST_SHORT + 1, LONG_CHARACTERS // 9)
    first, *others = ("".join(drawn.choices(_HAN, k=size)) for _ in range(10))
    made = make(first)
    assert make(first) is made
    for text in others:
        make(text)
    assert make(first) is not made
