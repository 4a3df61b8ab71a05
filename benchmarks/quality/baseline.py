"""Baselines in this process: any index of texts, asked as a system, with a greedy package."""

import time
from collections.abc import Callable
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from smartbrain.conversations import Session, Turn

from benchmarks.quality.systems import Package, Ranking

Scores = NDArray[np.float64]
Texts = NDArray[np.intp]


class Index(Protocol):
    """Numbers texts 0, 1, … as they are added and ranks them for a question."""

    def add(self, text: str, speaker: str) -> None:
        """Add the next text and who said it."""

    def rank(self, question: str) -> Texts:
        """Return the numbers of the texts that match, best first, intp (matches,)."""


class BaselineMemory:
    """The turns of one conversation behind an index."""

    def __init__(self, index: Index, word_pieces: Callable[[str], int], longest: int) -> None:
        self._index = index
        self._word_pieces = word_pieces
        self._longest = longest
        self._turn_ids: list[str] = []
        self._texts: list[str] = []
        self._tokens: dict[int, int] = {}

    def add(self, session: Session, turn: Turn) -> None:  # noqa: ARG002
        """Add the next turn of the stream."""
        self._index.add(turn.text, turn.speaker)
        self._turn_ids.append(turn.turn_id)
        self._texts.append(turn.text)

    def retrieve(self, question: str) -> Ranking:
        """Follow the index's order, at most `longest` turns."""
        start = time.perf_counter()
        ranked = self._index.rank(question)[: self._longest]
        took_ms = (time.perf_counter() - start) * 1e3
        return Ranking([self._turn_ids[number] for number in ranked], took_ms)

    def package(self, question: str, token_limit: int) -> Package:
        """Take whole turns in ranked order while they fit; one that does not is passed over, smaller ones still go in.

        Counted in word pieces of the turns' texts and nothing else: no names, times, markup or question.
        """
        start = time.perf_counter()
        chosen: list[str] = []
        used = 0
        for number in self._index.rank(question)[: self._longest].tolist():
            tokens = self._count(number)
            if used + tokens <= token_limit:
                chosen.append(self._turn_ids[number])
                used += tokens
        return Package(chosen, used, (time.perf_counter() - start) * 1e3)

    def _count(self, number: int) -> int:
        if number not in self._tokens:
            self._tokens[number] = self._word_pieces(self._texts[number])
        return self._tokens[number]


class Baseline:
    """A system whose memories each have an index of their own."""

    counter = "word pieces of the turns' texts"
    longest = 500  # turns ranked and offered to the package

    def __init__(self, name: str, new_index: Callable[[], Index], word_pieces: Callable[[str], int]) -> None:
        self.name = name
        self._new_index = new_index
        self._word_pieces = word_pieces

    def open(self, memory_id: str) -> BaselineMemory:  # noqa: ARG002
        """Make a new, empty memory; baselines keep nothing under its name."""
        return BaselineMemory(self._new_index(), self._word_pieces, self.longest)
