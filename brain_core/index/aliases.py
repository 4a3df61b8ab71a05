"""What else the things are called that a text names, as the memory's entities tell."""

from __future__ import annotations

import re
from collections.abc import Set
from dataclasses import dataclass

import numpy as np
from smartbrain.v1.item_pb2 import ITEM_STATUS_ACTIVE

from brain_core.index.chunks import ChunkTable
from brain_core.text.language import has_han
from brain_core.text.words import terms

_ALSO = re.compile(r"^Also called: (.+)$", re.MULTILINE)  # as kinds/world.py words it
_MOST = 4


@dataclass(frozen=True, slots=True)
class _Name:
    """What an entity is called. written: a Chinese name in lower case, else empty. words: its terms."""

    text: str
    written: str
    words: frozenset[str]

    def stands_in(self, words: Set[str], lower: str) -> bool:
        """Return whether it stands in a text: its words among the text's, Chinese as it is written."""
        return self.written in lower if self.written else bool(self.words) and self.words <= words


class Aliases:
    """Names of entities that have several, found by their words."""

    def __init__(self) -> None:
        self._rows_seen = 0
        self._entities: list[tuple[int, list[_Name]]] = []
        self._by_word: dict[str, set[int]] = {}

    def others(self, text: str, chunks: ChunkTable) -> list[str]:
        """Return up to four names, of entities that are active, that the text leaves out though it has another."""
        self._learn(chunks)
        if not self._by_word:
            return []
        words, lower = set(terms(text)), text.lower()
        status = chunks.column("status")
        found: dict[str, None] = {}
        for number in sorted({each for word in words for each in self._by_word.get(word, ())}):
            row, names = self._entities[number]
            if status[row] == ITEM_STATUS_ACTIVE and any(name.stands_in(words, lower) for name in names):
                found.update(dict.fromkeys(name.text for name in names if not name.stands_in(words, lower)))
        return list(found)[:_MOST]

    def _learn(self, chunks: ChunkTable) -> None:
        if len(chunks) == self._rows_seen:
            return
        items = chunks.items()
        new = items[np.searchsorted(items, self._rows_seen) :]
        self._rows_seen = len(chunks)
        kind = chunks.names["item_type"].find(["entities"])
        rows = new[np.isin(chunks.column("item_type")[new], kind)].tolist()
        for row, evidence in zip(rows, chunks.records.read(rows), strict=True):
            names = entity_names(evidence.snippet)
            if len(names) > 1:
                self._add(row, names)

    def _add(self, row: int, names: list[str]) -> None:
        known = [_Name(name, name.lower() if has_han(name) else "", frozenset(terms(name))) for name in names]
        for word in {word for name in known for word in name.words}:
            self._by_word.setdefault(word, set()).add(len(self._entities))
        self._entities.append((row, known))


def entity_names(text: str) -> list[str]:
    """Return what an entity is called, as its item's text says: its own name, then others."""
    also = _ALSO.search(text)
    return [text.split("\n", 2)[1].partition(": ")[2], *(also[1].split(", ") if also else ())]
