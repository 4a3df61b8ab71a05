"""All that is searched of one memory."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from brain_core.index.chunks import ChunkTable
from brain_core.index.derive import chunk_text
from brain_core.index.lexical import LexicalIndex
from brain_core.index.vector import VectorIndex
from brain_core.store.v1.records_pb2 import ChunkRecord


class MemoryIndex:
    """Attributes, terms and vectors of a memory's chunks at a revision.

    Not safe for use from two threads at once; whoever uses it holds the memory's lock.
    """

    def __init__(
        self,
        dimension: int,
        revision: int = 0,
        chunks: ChunkTable | None = None,
        lexical: LexicalIndex | None = None,
        vectors: VectorIndex | None = None,
    ) -> None:
        self.dimension = dimension
        self.revision = revision
        self.chunks = chunks or ChunkTable()
        self.lexical = lexical or LexicalIndex()
        self.vectors = vectors or VectorIndex(dimension)

    @property
    def nbytes(self) -> int:
        """Bytes held, estimated."""
        return self.chunks.nbytes + self.lexical.nbytes + self.vectors.nbytes

    def apply(self, revision: int, added: Sequence[ChunkRecord], changed: Sequence[ChunkRecord]) -> None:
        """Take over what a revision changed. Raises ValueError unless it is the next and its chunks are too."""
        if revision != self.revision + 1:
            raise ValueError(f"index is at revision {self.revision}, change is {revision}")
        self.add(added)
        for chunk in changed:
            self.chunks.restate(chunk.ordinal, chunk)
        self.revision = revision

    def add(self, added: Sequence[ChunkRecord]) -> None:
        """Append chunks. Raises ValueError unless their ordinals follow on."""
        if not added:
            return
        for row, chunk in enumerate(added, start=len(self.chunks)):
            if chunk.ordinal != row:
                raise ValueError(f"index has {row} chunks, next is ordinal {chunk.ordinal}")
            if len(chunk.vector) != 2 * self.dimension:
                raise ValueError(
                    f"chunk {chunk.ordinal}: vector of {len(chunk.vector)} bytes, not {2 * self.dimension}"
                )
        for chunk in added:
            self.chunks.add(chunk)
            self.lexical.add(chunk_text(chunk))
        joined = np.frombuffer(b"".join(chunk.vector for chunk in added), dtype="<f2")
        self.vectors.add(joined.reshape(len(added), self.dimension))
