"""What an embedder is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol, TypeGuard, runtime_checkable

import numpy as np
from numpy.typing import NDArray


class Embedder(Protocol):
    """Turns texts into vectors of one space. Safe for use from many threads."""

    @property
    def name(self) -> str:
        """Name that a store is locked to."""

    @property
    def dimension(self) -> int:
        """Length of its vectors."""

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the weights, hex: two embedders with the same one give vectors of the same space."""

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return float32[n, dimension], rows of unit length; a text without a vector gives zeros."""


@runtime_checkable
class RefiningEmbedder(Embedder, Protocol):
    """An Embedder whose lasting vectors of documents take longer than a commit waits: they come after it.

    `embed` is for queries.
    """

    @property
    def encoder(self) -> str:
        """SHA-256 that names what makes the lasting vectors, hex."""

    @property
    def batch(self) -> int:
        """Texts to give `embed_documents` at once."""

    def embed_fresh(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return float32[n, dimension] at once, for documents just committed: passing vectors, or zeros."""

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the lasting float32[n, dimension], of unit length; a blank text gives zeros.

        Raises EmbedderUnavailable.
        """

    def close(self) -> None:
        """Let go of connections. Later calls fail."""


class Words(NamedTuple):
    """The words of a query. terms: what an index of words knows each by, none of a stop word.

    vectors: float32[words, dimension], what each adds to the query's vector.
    """

    terms: Sequence[Sequence[str]]
    vectors: NDArray[np.float32]


class WordwiseEmbedder(Embedder, Protocol):
    """An Embedder whose vector of a query is a sum over its words, which a memory may weigh by how common they are."""

    def words(self, text: str) -> Words:
        """Return what each word of a query adds to its vector."""


def _refines(embedder: Embedder) -> TypeGuard[RefiningEmbedder]:
    """Return what isinstance tells, which takes a look at each attribute; every commit asks."""
    return hasattr(embedder, "embed_fresh")


def is_wordwise(embedder: Embedder) -> TypeGuard[WordwiseEmbedder]:
    """Return whether an embedder takes queries apart; isinstance would take a look at each attribute."""
    return hasattr(embedder, "words")


def fresh_vectors(embedder: Embedder, texts: Sequence[str]) -> NDArray[np.float32]:
    """Return float32[n, dimension] for documents just committed, without waiting for a model or an endpoint."""
    return embedder.embed_fresh(texts) if _refines(embedder) else embedder.embed(texts)


def lasting_vectors(embedder: Embedder, texts: Sequence[str]) -> NDArray[np.float32]:
    """Return float32[n, dimension] for documents, however long it takes. Raises EmbedderUnavailable."""
    return embedder.embed_documents(texts) if isinstance(embedder, RefiningEmbedder) else embedder.embed(texts)


def encoder_of(embedder: Embedder) -> str:
    """Return what a refining embedder's encoder is named by; "" for any other."""
    return embedder.encoder if isinstance(embedder, RefiningEmbedder) else ""
