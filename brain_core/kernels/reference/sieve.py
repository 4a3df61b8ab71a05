"""What `sieve.Sieve` answers."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Generic, TypeVar

Name = TypeVar("Name")
Word = tuple[str, int, int]
Ways = Collection[Collection[Collection[Word]]]

_BEGINS = ("", r"(?<!\w)", r"\A\W*")
_ENDS = ("", r"(?!\w)", r"\W*\Z")


class Sieve(Generic[Name]):
    """Names with ways. Twin of the kernel's."""

    def __init__(self, ways: Mapping[Name, Ways]) -> None:
        for way in (way for of_name in ways.values() for way in of_name):
            if not way:
                raise ValueError("a way must have 1 to 255 demands, got 0")
            for text, *edges in (word for demand in way for word in demand):
                if not text or "\0" in text:
                    raise ValueError(f"a word must have characters, none of them NUL, got {text!r}")
                if not set(edges) <= {0, 1, 2}:
                    raise ValueError(f"edges must be in 0..2, got {edges[0]}, {edges[1]}")
        self._ways = ways

    def found(self, text: str) -> set[Name]:
        """Return the names of which a way is met by a text."""
        return {name for name, ways in self._ways.items() if any(_is_met(way, text) for way in ways)}


def _is_met(way: Collection[Collection[Word]], text: str) -> bool:
    return all(any(_stands(word, text) for word in demand) for demand in way)


def _stands(word: Word, text: str) -> bool:
    letters = r"\d".join(map(re.escape, word[0].split("0")))
    return re.search(rf"{_BEGINS[word[1]]}{letters}{_ENDS[word[2]]}", text) is not None
