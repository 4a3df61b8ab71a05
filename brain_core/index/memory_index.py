"""All that is searched of one memory."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, tzinfo

import numpy as np
from numpy.typing import NDArray

from brain_core.index.aliases import Aliases
from brain_core.index.chunks import ChunkTable
from brain_core.index.derive import chunk_text, titled, token_costs
from brain_core.index.lexical import LexicalIndex
from brain_core.index.relations import Relations
from brain_core.index.sessions import SessionVectors
from brain_core.index.speakers import Speakers
from brain_core.index.vector import VectorIndex
from brain_core.kernels.features import COLUMNS
from brain_core.kernels.rank import Memory
from brain_core.store.v1.records_pb2 import CHUNK_KIND_SECTION, ChunkRange, ChunkRecord
from brain_core.text.tokens import ApproxCounter, TokenCounter

_ROWS_AT_ONCE = 1024


_BYTES_EMPTY = 80_000
"""What an index without a row takes: room to grow is free of charge in large arrays alone."""


class MemoryIndex:
    """Attributes, terms and vectors of a memory's chunks at a revision.

    zone: in which what was said is titled, unless it has one of its own. Not safe for use from two threads at once;
    whoever uses it holds the memory's lock.
    """

    def __init__(  # noqa: PLR0913  the parts of a snapshot
        self,
        dimension: int,
        revision: int = 0,
        counter: TokenCounter | None = None,
        chunks: ChunkTable | None = None,
        lexical: LexicalIndex | None = None,
        vectors: VectorIndex | None = None,
        sessions: SessionVectors | None = None,
        zone: tzinfo = UTC,
    ) -> None:
        self.dimension = dimension
        self.revision = revision
        self.counter = counter or ApproxCounter()
        self.zone = zone
        self.chunks = chunks or ChunkTable()
        self.lexical = lexical or LexicalIndex()
        self.vectors = vectors or VectorIndex(dimension)
        self.sessions = sessions or SessionVectors(dimension)
        self.speakers = Speakers()
        self.aliases = Aliases()
        self.relations = Relations()
        self._memory: Memory | None = None
        self._measured: int | None = None
        self._take_in(0 if sessions is None else len(self.chunks))

    @property
    def nbytes(self) -> int:
        """Bytes held, estimated when this is first asked for after an add."""
        if self._measured is None:
            of_sessions = self.sessions.nbytes + self.relations.nbytes
            parts = self.chunks.nbytes + self.lexical.nbytes + self.vectors.nbytes + of_sessions
            self._measured = _BYTES_EMPTY + parts
        return self._measured

    @property
    def memory(self) -> Memory:
        """What a ranking reads of every row; not to be kept past the next add."""
        if self._memory is None:
            column = self.chunks.column
            # An answer stands beside its question though "yes please" was said between them.
            beside = {"before": column("told_before"), "after": column("told_after")}
            columns = {name: column(name) for name in COLUMNS} | beside
            self._memory = Memory(columns, column("faded"), self.vectors.all(), *self.sessions.sums())
        return self._memory

    def _take_in(self, first: int) -> None:
        """Bring what is kept of sessions and speakers up to the rows from `first` on."""
        self.speakers.learn(self.chunks.names["speaker"])
        sessions = self.chunks.column("session")
        for start in range(first, len(self.chunks), _ROWS_AT_ONCE):
            rows = np.arange(start, min(start + _ROWS_AT_ONCE, len(self.chunks)), dtype=np.int32)
            for row, vector in zip(rows.tolist(), self.vectors.vectors(rows), strict=True):
                self.sessions.add(row, int(sessions[row]), vector, self.vectors)

    def apply(
        self,
        revision: int,
        added: Sequence[ChunkRecord],
        changed: Sequence[ChunkRecord],
        shown: Sequence[ChunkRange] = (),
        hidden: Sequence[ChunkRange] = (),
    ) -> None:
        """Take over what a revision changed. Raises ValueError unless it is the next and its chunks are too.

        shown: the sections of a whole document, in order. hidden: sections that are no longer found.
        """
        if revision != self.revision + 1:
            raise ValueError(f"index is at revision {self.revision}, change is {revision}")
        self.add(added)
        for chunk in changed:
            self.chunks.restate(chunk.ordinal, chunk)
        if changed:
            self._replace_vectors(changed)
        if hidden:
            self.chunks.hide(self._rows(hidden))
        self.show(shown)
        self.revision = revision

    def show(self, document: Sequence[ChunkRange]) -> None:
        """Let the sections of a document be found. Raises ValueError if a chunk is not there, or no section."""
        if document:
            self.chunks.show(self._rows(document))

    def _rows(self, ranges: Sequence[ChunkRange]) -> NDArray[np.int64]:
        rows = np.concatenate([np.arange(one.first, one.first + one.count, dtype=np.int64) for one in ranges])
        if len(rows) and not 0 <= int(rows.min()) <= int(rows.max()) < len(self.chunks):
            raise ValueError(f"a section is chunk {rows.min()} or {rows.max()}, the index has {len(self.chunks)}")
        if not (self.chunks.column("kind")[rows] == CHUNK_KIND_SECTION).all():
            raise ValueError(f"a chunk in {rows.min()}..{rows.max()} is no section")
        return rows

    def _replace_vectors(self, changed: Sequence[ChunkRecord]) -> None:
        rows = np.array([chunk.ordinal for chunk in changed], dtype=np.int32)
        joined = np.frombuffer(b"".join(chunk.vector for chunk in changed), dtype="<f2")
        given = joined.reshape(len(rows), self.dimension)  # ValueError if one is of another dimension
        replaced = self.vectors.replace(rows, given)
        sessions = self.chunks.column("session")
        for session in np.unique(sessions[replaced]).tolist():
            self.sessions.replaced(session, np.flatnonzero(sessions == session).astype(np.int32), self.vectors)

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
        self._memory = self._measured = None
        first = len(self.chunks)
        for chunk in (titled(one, self.zone) for one in added):
            self.chunks.add(chunk, *token_costs(chunk.evidence, self.counter))
            self.lexical.add(chunk_text(chunk), int(self.chunks.column("session")[-1]))
        joined = np.frombuffer(b"".join(chunk.vector for chunk in added), dtype="<f2")
        self.vectors.add(joined.reshape(len(added), self.dimension))
        self._take_in(first)
