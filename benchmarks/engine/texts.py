"""Texts to fill a memory with: made up by a fixed rule, or taken from a data folder."""

import itertools
import random
from pathlib import Path
from typing import Protocol

from smartbrain.conversations import load_conversations

_ENGLISH_WORDS = 20_000
_CHINESE_WORDS = 10_000
_SHORTEST, _LONGEST = 15, 45  # words of a text
_QUESTION_WORDS = 6


class Texts(Protocol):
    """An endless row of texts by number, each short enough to be one chunk."""

    def text(self, number: int) -> str:
        """Give the text of this number, always the same."""

    def question(self, number: int) -> str:
        """Give words that stand in the text of this number."""


class MadeUpTexts:
    """Words drawn by Zipf's law from made-up vocabularies; a third English, a third Chinese, a third mixed."""

    def __init__(self, seed: int = 7) -> None:
        self._seed = seed
        chance = random.Random(seed)
        self._english = _english_words(chance)
        self._chinese = _chinese_words(chance)
        self._english_weights = _zipf(len(self._english))
        self._chinese_weights = _zipf(len(self._chinese))

    def text(self, number: int) -> str:
        """Give 15 to 45 words, as one sentence."""
        chance = random.Random(f"{self._seed}:{number}")
        count = chance.randint(_SHORTEST, _LONGEST)
        english = (count, 0, count // 2)[number % 3]
        words = chance.choices(self._english, cum_weights=self._english_weights, k=english)
        hanzi = chance.choices(self._chinese, cum_weights=self._chinese_weights, k=count - english)
        return " ".join(part for part in (" ".join(words), "".join(hanzi)) if part)

    def question(self, number: int) -> str:
        """Give a few of the text's words, or of its Chinese characters, from one place in it."""
        chance = random.Random(f"{self._seed}:question:{number}")
        return _part(self.text(number), chance)


class GivenTexts:
    """Turns of a data folder's conversations, cut to 600 characters, over and over with a number that makes each new.

    Raises ValueError when the folder has no turn.
    """

    def __init__(self, folder: Path) -> None:
        paths = sorted(folder.glob("conversations.jsonl*"))
        conversations = itertools.chain.from_iterable(load_conversations(path) for path in paths)
        self._texts = [
            turn.text[:600]
            for conversation in conversations
            for session in conversation.sessions
            for turn in session.turns
        ]
        if not self._texts:
            raise ValueError(f"{folder}: no conversations.jsonl with turns is there")

    def text(self, number: int) -> str:
        """Give a turn's text and its number."""
        return f"{self._texts[number % len(self._texts)]} #{number}"

    def question(self, number: int) -> str:
        """Give a few words, or Chinese characters, from one place in the text."""
        return _part(self._texts[number % len(self._texts)], random.Random(number))


def _part(text: str, chance: random.Random) -> str:
    words = text.split()
    if len(words) > _QUESTION_WORDS:
        start = chance.randrange(len(words) - _QUESTION_WORDS)
        return " ".join(words[start : start + _QUESTION_WORDS])
    start = chance.randrange(max(1, len(text) - 2 * _QUESTION_WORDS))
    return text[start : start + 2 * _QUESTION_WORDS]


def _english_words(chance: random.Random) -> list[str]:
    starts = [*"bcdfghjklmnprstvw", "ch", "sh", "st", "th", "tr"]
    middles = [*"aeiou", "ea", "ou", "ai"]
    ends = ["", "n", "r", "s", "t", "l", "nd", "ck"]
    words: dict[str, None] = {}
    while len(words) < _ENGLISH_WORDS:
        syllables = [chance.choice(starts) + chance.choice(middles) for _ in range(chance.choice((1, 2, 2, 3)))]
        words["".join(syllables) + chance.choice(ends)] = None
    return list(words)


def _chinese_words(chance: random.Random) -> list[str]:
    words: dict[str, None] = {}
    while len(words) < _CHINESE_WORDS:
        words["".join(chr(chance.randrange(0x4E00, 0x5600)) for _ in range(chance.choice((1, 2, 2, 2))))] = None
    return list(words)


def _zipf(size: int) -> list[float]:
    return list(itertools.accumulate(1.0 / rank for rank in range(1, size + 1)))
