"""What is worth learning: how likely a sentence of the user teaches something, and of which type.

A linear judge of sentences, fitted on labelled ones (`benchmarks/quality/train_judge.py`), beside rules that know only
what their writers thought of. It sees the words (`text/linear.py`), where the sentence stands, which rule has read it,
and what it means: the vector that the built-in table gives it, whatever embedder the store has. It says nothing of
values: those are made by the rules, and by `Language.proposals` where no rule has read a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from brain_core.extract.chinese.spoken import as_mandarin
from brain_core.extract.language import MASK
from brain_core.models.static import built_in
from brain_core.text.language import has_han
from brain_core.text.linear import Linear, read_linear

TYPES = ("preferences", "goals", "tasks", "decisions", "events", "profile", "knowledge")
"""What a sentence may teach; entities are for the gate to weigh."""

LABELS = ("learned", *TYPES)
"""learned: whether a sentence teaches anything; of one that does, whether each type fits it."""

WEIGHTS = Path(__file__).parent / "worth-linear" / "model.safetensors"
_ASKS = re.compile(r"[?？][\s\"'”’)）」』]*$")
_QUESTION = re.compile(r"[?？]")
_MOST = (1, 3, 7)
"""Sentences of a message, by which messages of much the same length are told apart."""

Scores = NDArray[np.float32]
"""float32[passages, LABELS] or float32[LABELS], log odds."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A sentence under judgement: its words, and names of what is known of it besides."""

    text: str
    named: tuple[str, ...]


def passages(words: str, spans: Sequence[tuple[int, int]]) -> list[Passage]:
    """Return the sentences of a masked message as the judge sees them, in Simplified characters and Mandarin."""
    asking = sum(1 for start, stop in spans if _QUESTION.search(words, start, stop))
    many = next((most for most in _MOST if len(spans) <= most), "more")
    found: list[Passage] = []
    for number, (start, stop) in enumerate(spans):
        text = words[start:stop]
        names = [
            f"of {many}",
            "first" if number == 0 else "later",
            "last" if number + 1 == len(spans) else "earlier",
        ]
        asks = _QUESTION.search(text) is not None
        if asks and _ASKS.search(text):
            names.append("asks")
        if asking > asks:
            names.append("question beside")
        if MASK in text:
            names.append("masked")
        found.append(Passage(as_mandarin(text) if has_han(text) else text, tuple(names)))
    return found


def of_rule(rule: str, item_type: str) -> tuple[str, str, str]:
    """Return what the judge is told of a rule that has read a sentence, as an item of a type."""
    return "read", f"read as {item_type}", f"rule {rule}"


def judged(read: Sequence[Passage]) -> Scores:
    """Return the scores of passages that no rule has read."""
    vectors = built_in().embed([each.text for each in read])
    return judge().scores([(each.text, each.named) for each in read], vectors)


def likely(scores: Scores) -> list[list[float]]:
    """Return of each passage how likely it teaches anything, then, for each of TYPES, something of that type; 0..1."""
    each = 1 / (np.exp(-scores) + np.float32(1))
    each[:, 1:] *= each[:, :1]
    shares: list[list[float]] = each.tolist()
    return shares


@lru_cache(maxsize=1)
def judge() -> Linear:
    """Return the fitted judge, loaded once."""
    return read_linear(WEIGHTS)


@lru_cache(maxsize=2048)
def told_by(rule: str, item_type: str) -> tuple[float, float]:
    """Return what a rule that has read a sentence as a type adds to the scores of `learned` and of the type."""
    adds = judge().named(of_rule(rule, item_type))
    return float(adds[0]), float(adds[LABELS.index(item_type)])
