"""SmartBrain's own index. It takes texts, not terms, so its times include their analysis."""

from collections.abc import Sequence
from importlib.metadata import version

import numpy as np

from benchmarks.peers.lexical.engine import K1, TOP, B, Document, Engine
from brain_core.index.lexical import Formula, LexicalIndex
from brain_core.kernels.best import top_k


class SmartBrain:
    """A LexicalIndex that takes texts as short as they are, as the other engines do."""

    told = f"smartbrain-server {version('smartbrain-server')}: LexicalIndex in memory; times include text analysis"

    def __init__(self) -> None:
        self._index = LexicalIndex(least_length=0.0)

    def build(self, documents: Sequence[Document]) -> None:
        """Add one by one: it has no other way."""
        for document in documents:
            self.add(document)

    def top(self, query: Document) -> list[int]:
        """Score and select."""
        scores = self._index.score(query.text, Formula(K1, B, K1)).rows
        rows: list[int] = top_k(scores, np.ones(len(scores), dtype=np.uint8), TOP).tolist()
        return rows

    def add(self, document: Document) -> None:
        """Add; it is found at once."""
        self._index.add(document.text)


def open_engine() -> Engine:
    """Make an empty one."""
    return SmartBrain()
