"""What the benchmark asks of a BM25 engine."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

K1 = 1.2
B = 0.75
TOP = 10


@dataclass(frozen=True, slots=True)
class Document:
    """A text and its index terms in order, repeats included."""

    text: str
    terms: list[str]


class Engine(Protocol):
    """An index, empty when opened. Each module of `benchmarks.peers.lexical.engines` has `open_engine()`.

    A row's score is BM25 with K1 and B and Lucene's idf; a term that the query repeats counts once.
    """

    told: str
    """Version and settings, for whoever reads the table."""

    def build(self, documents: Sequence[Document]) -> None:
        """Index documents as rows 0, 1, …."""

    def top(self, query: Document) -> list[int]:
        """Return the TOP best rows that share a term with the query, best first."""

    def add(self, document: Document) -> None:
        """Add a document as the next row; when it returns, a search finds it."""
