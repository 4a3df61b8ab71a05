"""Lasting vectors for documents, in the background: what a commit does not wait for.

Each memory counts how many of its chunks have them, in the same batch that writes them, so a crash loses at most the
batch under way. A batch is one revision of its memory that changes chunks and adds nothing.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from brain_core.env import Env
from brain_core.index.cache import IndexCache
from brain_core.index.derive import chunk_text
from brain_core.models.embedder import RefiningEmbedder
from brain_core.rounds import Rounds
from brain_core.store import keys, log
from brain_core.store.kv import KV, Batch, ReadView
from brain_core.store.v1.records_pb2 import ChangeRecord, SpaceRecord

_LONGEST_PAUSE_SECONDS = 30.0


def refined_chunks(space: SpaceRecord, encoder: str) -> int:
    """Return how many of a memory's chunks, from the first on, have an encoder's vectors."""
    return space.refined_chunks if space.refined_by == encoder else 0


class Refiner:
    """One thread that gives chunks their lasting vectors, a batch of each memory in turn."""

    def __init__(self, kv: KV, indexes: IndexCache, embedder: RefiningEmbedder, env: Env) -> None:
        """Begin with what earlier runs have left."""
        self._kv = kv
        self._indexes = indexes
        self._embedder = embedder
        self._env = env
        self._rounds = Rounds("refiner", self._refine_batch, _LONGEST_PAUSE_SECONDS)
        self._rounds.start(log.memory_ids(kv.snapshot()))

    @property
    def problem(self) -> str:
        """Why the last batch failed, in words; "" if it did not."""
        return self._rounds.problem

    def notice(self, memory_id: str) -> None:
        """Look at a memory, for it has new chunks."""
        self._rounds.notice(memory_id)

    def chunks_left(self, view: ReadView) -> int:
        """Return how many chunks of all memories are still to be done."""
        left = 0
        for memory_id in log.memory_ids(view):
            space = log.read_space(view, memory_id)
            if space is not None:
                left += space.next_chunk - refined_chunks(space, self._embedder.encoder)
        return left

    def close(self) -> None:
        """End the thread, once the batch under way is done or given up."""
        self._rounds.close()

    def _refine_batch(self, memory_id: str) -> bool:
        """Do a memory's next batch; return whether there may be more."""
        view = self._kv.snapshot()
        space = log.read_space(view, memory_id)
        if space is None:
            return False
        first = refined_chunks(space, self._embedder.encoder)
        stop = min(first + self._embedder.batch, space.next_chunk)
        if first == stop:
            return False
        texts = [chunk_text(chunk) for chunk in log.read_chunks(view, memory_id, range(first, stop))]
        self._write(memory_id, space, first, self._embedder.embed_documents(texts))
        return True

    def _write(self, memory_id: str, begun: SpaceRecord, first: int, vectors: NDArray[np.float32]) -> None:
        """Put vectors into a memory's chunks as they are now: a commit may have changed one meanwhile.

        begun: the counters when the texts were read; after a purge these are read again.
        """
        with self._indexes.hold(memory_id) as index:
            space = log.read_space(self._kv, memory_id)
            if space is None or not log.is_unpurged(begun, space):
                return
            chunks = log.read_chunks(self._kv, memory_id, range(first, first + len(vectors)))
            space.refined_chunks, space.refined_by = first + len(vectors), self._embedder.encoder
            expected = self._kv.revision(keys.memory(memory_id))
            change = ChangeRecord(revision=expected + 1, committed_at_us=self._env.now_us())
            batch = Batch()
            log.put_vectors(batch, space, chunks, vectors, change)
            revision = self._kv.write(keys.memory(memory_id), batch, expect=expected)
            if index is not None:
                with self._indexes.discarding(memory_id):
                    index.apply(revision, (), chunks)
