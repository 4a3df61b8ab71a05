"""Texts of data folders in windows of at most 400 characters, and questions to them."""

import itertools
import random
from collections.abc import Sequence
from pathlib import Path

from smartbrain.conversations import load_conversations

from benchmarks.quality.datasets import load_data
from brain_core.text.windows import windows

_LONGEST = 400
_TOGETHER = 200
_LONGEST_QUESTION = 300
_QUESTIONS = 400
_SEED = 7


class Windows:
    """An endless row of texts by number; `benchmarks.engine.texts.Texts`.

    Stretches of 200 that stand together in the data are shuffled, so that few texts are of all folders too; when all
    were given away, each text's first half is followed by another's second half. Questions are those of the data, or
    beginnings of texts where it has none. Raises DataError or ValueError when a folder cannot be used.
    """

    def __init__(self, folders: Sequence[Path]) -> None:
        found: dict[str, None] = {}
        asked: dict[str, None] = {}
        for folder in folders:
            paths = sorted(folder.glob("conversations.jsonl*"))
            for conversation in itertools.chain.from_iterable(load_conversations(path) for path in paths):
                for turn in itertools.chain.from_iterable(session.turns for session in conversation.sessions):
                    found.update((turn.text[one.start : one.stop], None) for one in windows(turn.text, _LONGEST))
            if any(folder.glob("questions.jsonl*")):
                asked.update((one.text[:_LONGEST_QUESTION], None) for one in load_data(folder).questions)
        if not found:
            raise ValueError(f"{', '.join(map(str, folders))}: no conversations.jsonl with turns is there")
        chance = random.Random(_SEED)
        every = list(found)
        starts = list(range(0, len(every), _TOGETHER))
        chance.shuffle(starts)
        self._texts = [text for start in starts for text in every[start : start + _TOGETHER]]
        questions = list(asked) or [text[:_LONGEST_QUESTION] for text in self._texts]
        self._questions = chance.sample(questions, min(_QUESTIONS, len(questions)))

    @property
    def distinct(self) -> int:
        """How many texts there are before halves are joined."""
        return len(self._texts)

    def text(self, number: int) -> str:
        """Give the text of this number, always the same."""
        lap, at = divmod(number, len(self._texts))
        text = self._texts[at]
        if not lap:
            return text
        other = self._texts[(at * 31 + lap * 7919) % len(self._texts)]
        return f"{text[: len(text) // 2].strip()} {other[len(other) // 2 :].strip()}"

    def question(self, number: int) -> str:
        """Give a question, over and over the same ones."""
        return self._questions[number % len(self._questions)]
