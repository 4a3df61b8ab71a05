"""Do words stand in what was said? A search may take words from there and from nowhere else."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

from brain_core.text.words import CJK, terms

_RUN = re.compile(rf"[{CJK}]+")


class Grounds:
    """The words of some texts.

    Latin words count by their stem. Chinese has no spaces between words, so each character must stand beside one of its
    neighbours as it does in a text: pieces of what was said may be joined, with nothing of another's between them.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = [_plain(text) for text in texts]
        self._words = {word for text in texts for word in terms(text)}

    def lacking(self, text: str) -> list[str]:
        """Return the words of a text that stand nowhere; all of it where it has no word that can be searched for."""
        one_width = unicodedata.normalize("NFKC", text)
        latin, runs = terms(_RUN.sub(" ", one_width)), _RUN.findall(one_width)
        if not latin and not runs:
            return [text]
        lacking = [word for word in latin if word not in self._words]
        lacking += [letter for run in runs for letter in self._loose(run)]
        return list(dict.fromkeys(lacking))

    def hold(self, words: str) -> bool:
        """Return whether words stand in one text as they are, white space, width and case aside."""
        plain = _plain(words)
        return bool(plain) and any(plain in text for text in self._texts)

    def _loose(self, run: str) -> Iterator[str]:
        """Yield the characters that stand beside none of their neighbours in any text."""
        pairs = [run[place : place + 2] in self._words for place in range(len(run) - 1)]
        alone = len(run) == 1 and run in self._words
        for place, letter in enumerate(run):
            if not alone and not any(pairs[max(0, place - 1) : place + 1]):
                yield letter


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())
