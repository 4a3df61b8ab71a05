"""bm25s: every document's score for every term computed ahead, in a sparse matrix. It cannot add to an index."""

from collections.abc import Sequence
from importlib.metadata import version

import bm25s

from benchmarks.peers.lexical.engine import K1, TOP, B, Document, Engine


class Bm25s:
    """An index that is made anew for each added document."""

    told = f"bm25s {version('bm25s')}: method lucene, NumPy; an add is a new index"

    def __init__(self) -> None:
        self._documents: list[Document] = []
        self._index = bm25s.BM25(method="lucene", k1=K1, b=B)

    def build(self, documents: Sequence[Document]) -> None:
        """Index all at once."""
        self._documents = list(documents)
        self._index = bm25s.BM25(method="lucene", k1=K1, b=B)
        self._index.index([document.terms for document in documents], show_progress=False)

    def top(self, query: Document) -> list[int]:
        """Search; it fills up with rows of score 0, which are left out."""
        terms = list(dict.fromkeys(query.terms))
        wanted = min(TOP, len(self._documents))
        rows, scores = self._index.retrieve([terms], k=wanted, show_progress=False)
        return [int(row) for row, score in zip(rows[0], scores[0], strict=True) if score > 0.0]

    def add(self, document: Document) -> None:
        """Build again."""
        self.build([*self._documents, document])


def open_engine() -> Engine:
    """Make an empty one."""
    return Bm25s()
