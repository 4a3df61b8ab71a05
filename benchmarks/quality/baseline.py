"""Baselines in this process: any index of texts, asked as a system, with a greedy package."""

import time
from collections.abc import Callable
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from smartbrain.conversations import Session, Turn

from benchmarks.quality.systems import ALONE, Package, Ranking, Setting
from brain_core.text.tokens import TOKEN, whole_tokens

Scores = NDArray[np.float64]
Texts = NDArray[np.intp]


class Index(Protocol):
    """Numbers texts 0, 1, … as they are added and ranks them for a question."""

    def add(self, text: str, speaker: str) -> None:
        """Add the next text and who said it."""

    def rank(self, question: str) -> Texts:
        """Return the numbers of the texts that match, best first, intp (matches,)."""


class Counting(Protocol):
    """How much of a token limit a package takes up, in hundredths of a token."""

    name: str

    def evidence(self, session: Session, turn: Turn) -> int:
        """Count a turn as a piece of evidence."""

    def said(self, turn: Turn) -> int:
        """Count a turn that was said just before the question."""

    def frame(self, question: str) -> int:
        """Count what is always there."""


class BaselineMemory:
    """The turns of one conversation behind an index."""

    def __init__(self, index: Index, counting: Counting, longest: int) -> None:
        self._index = index
        self._counting = counting
        self._longest = longest
        self._turns: list[tuple[Session, Turn]] = []
        self._costs: dict[int, int] = {}

    def add(self, session: Session, turn: Turn) -> None:
        """Add the next turn of the stream."""
        self._index.add(turn.text, turn.speaker)
        self._turns.append((session, turn))

    def retrieve(self, question: str, setting: Setting = ALONE) -> Ranking:
        """Follow the index's order, at most `longest` turns."""
        start = time.perf_counter()
        ranked = self._ranked(question, setting)
        took_ms = (time.perf_counter() - start) * 1e3
        return Ranking([self._turns[number][1].turn_id for number in ranked], took_ms)

    def package(self, question: str, token_limit: int, setting: Setting = ALONE) -> Package:
        """Take what was said, newest first, and then whole turns in ranked order, each while it fits.

        One that does not fit is passed over, smaller ones still go in.
        """
        start = time.perf_counter()
        chosen: list[str] = []
        used, limit = self._counting.frame(question), TOKEN * token_limit
        for turn in reversed(setting.said):
            cost = self._counting.said(turn)
            if used + cost <= limit:
                chosen.append(turn.turn_id)
                used += cost
        there = set(chosen)
        for number in self._ranked(question, setting):
            cost = self._cost(number)
            turn_id = self._turns[number][1].turn_id
            if turn_id not in there and used + cost <= limit:
                chosen.append(turn_id)
                used += cost
        return Package(chosen, whole_tokens(used), (time.perf_counter() - start) * 1e3)

    def _ranked(self, question: str, setting: Setting) -> list[int]:
        """Return the numbers of turns; what was said is part of what is looked for."""
        amid = " ".join([*(turn.text for turn in setting.said), question])
        ranked: list[int] = self._index.rank(amid)[: self._longest].tolist()
        return ranked

    def _cost(self, number: int) -> int:
        if number not in self._costs:
            self._costs[number] = self._counting.evidence(*self._turns[number])
        return self._costs[number]


class Baseline:
    """A system whose memories each have an index of their own."""

    longest = 500  # turns ranked and offered to the package

    def __init__(self, name: str, new_index: Callable[[], Index], counting: Counting) -> None:
        self.name = name
        self.counter = counting.name
        self._new_index = new_index
        self._counting = counting

    def open(self, memory_id: str) -> BaselineMemory:  # noqa: ARG002
        """Make a new, empty memory; baselines keep nothing under its name."""
        return BaselineMemory(self._new_index(), self._counting, self.longest)
