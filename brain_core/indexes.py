"""The indexes of a store's memories: read at one revision, written to together with the store, made anew from it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from datetime import tzinfo
from pathlib import Path

from brain_core.commit.pipeline import Answer, Prepared
from brain_core.errors import FailedPrecondition
from brain_core.index import snapshot
from brain_core.index.cache import IndexCache, Using
from brain_core.index.follow import open_index, rebuild_index, replay
from brain_core.index.memory_index import MemoryIndex
from brain_core.store import keys
from brain_core.store.kv import KV
from brain_core.store.log import is_unpurged, read_space, require_memory
from brain_core.store.v1.records_pb2 import ChunkRecord, SpaceRecord
from brain_core.text.tokens import TokenCounter


@dataclass(frozen=True, slots=True)
class Foreseen:
    """An index made while calls went on, which nobody has yet.

    begun: the memory's counters when it was made. changed: by ordinal, chunks that it has as they are about to be
    written.
    """

    index: MemoryIndex
    begun: SpaceRecord | None
    changed: Mapping[int, ChunkRecord]


class Indexes(IndexCache):
    """Loaded indexes that stand where the store does. Who holds a memory's lock sees both at one revision."""

    def __init__(
        self, kv: KV, folder: Path, dimension: int, counter: TokenCounter, zone: tzinfo, capacity_bytes: int
    ) -> None:
        """folder: of snapshots. dimension: of vectors. counter: by which texts cost. zone: in which they are titled."""
        super().__init__(self._open, self._save_snapshot, capacity_bytes)
        self._kv = kv
        self._folder = folder
        self._made_for = dimension, counter, zone

    def snapshot_path(self, memory_id: str) -> Path:
        """Return where the snapshot of a memory's index lies or would lie."""
        return snapshot.snapshot_path(self._folder, memory_id)

    def reading(self, memory_id: str, min_revision: int) -> AbstractContextManager[MemoryIndex]:
        """Give an index with its memory's lock held: until it is let go, the store holds the memory at its revision.

        Raises NotFound where the memory has not begun, FailedPrecondition where it is not yet at min_revision.
        """
        if not self.holds(memory_id):
            require_memory(self._kv, memory_id)
        return _Reading(self, memory_id, min_revision)

    def reading_if_begun(self, memory_id: str, min_revision: int) -> AbstractContextManager[MemoryIndex]:
        """Do so; of a memory that has not begun yet give an empty index, which nobody keeps."""
        if self.holds(memory_id) or self._kv.revision(keys.memory(memory_id)):
            return self.reading(memory_id, min_revision)
        _check_reached(memory_id, min_revision, 0)
        dimension, counter, zone = self._made_for
        return nullcontext(MemoryIndex(dimension, counter=counter, zone=zone))

    def written(self, memory_id: str, prepare: Callable[[], Prepared[Answer]]) -> Prepared[Answer]:
        """Prepare a change with the memory's lock held, write it and hand its chunks to the index.

        Texts that leave the store with it leave the index's file before, and the loaded index with the next `renew`.
        """
        with self.use(memory_id) as index:
            try:
                prepared = prepare()
                if prepared.batch is not None:
                    expected = prepared.response.revision - 1
                    if prepared.purged:
                        self._remove_file(memory_id)
                        self.withhold(memory_id)
                    revision = self._kv.write(keys.memory(memory_id), prepared.batch, expect=expected)
                    with self.discarding(memory_id):
                        index.apply(revision, prepared.added, prepared.changed, prepared.shown, prepared.hidden)
            finally:
                if index.revision == 0:  # the memory has not begun: a dry run, or refused
                    self.forget(memory_id)
        return prepared

    def foresee(self, memory_id: str, changed: Sequence[ChunkRecord] = ()) -> Foreseen:
        """Make an index of the store while calls go on. changed: chunks that are about to be written, as they will be.

        The index has nothing of what they say now.
        """
        view, instead = self._kv.snapshot(), {chunk.ordinal: chunk for chunk in changed}
        index = rebuild_index(view, memory_id, *self._made_for, instead)
        return Foreseen(index, read_space(view, memory_id), instead)

    def come_true(
        self,
        memory_id: str,
        foreseen: Foreseen,
        revision: int,
        added: Sequence[ChunkRecord],
        changed: Sequence[ChunkRecord],
    ) -> MemoryIndex | None:
        """Bring a foreseen index to a revision that is about to be written, past what was committed meanwhile.

        None where other chunks are to be written than were foreseen. The memory's lock is held.
        """
        is_so = foreseen.changed == {chunk.ordinal: chunk for chunk in changed}
        if not (is_so and self._caught_up(memory_id, foreseen)):
            return None
        foreseen.index.apply(revision, added, changed)
        return foreseen.index

    def renew(self, memory_id: str) -> MemoryIndex:
        """Make an index anew from the store and put it in the place of the loaded one. Calls go on meanwhile."""
        with self.beside(memory_id) as (_, made):
            self._remove_file(memory_id)
            self.replace(memory_id, made)
        return made

    @contextmanager
    def beside(self, memory_id: str) -> Iterator[tuple[MemoryIndex, MemoryIndex]]:
        """Give the loaded index and one that is made of the store while calls go on; hold the lock from then on.

        Where texts have left the store and the loaded one is about to be made anew, both are the one that was made.
        """
        made = self.foresee(memory_id)
        with self.use(memory_id) as index:
            is_of_now = self._caught_up(memory_id, made)
            fresh = made.index if is_of_now else rebuild_index(self._kv.snapshot(), memory_id, *self._made_for)
            yield fresh if self.is_withheld(memory_id) else index, fresh

    def _caught_up(self, memory_id: str, made: Foreseen) -> bool:
        """Bring an index to the store's revision; return whether it could be. The memory's lock is held."""
        now = read_space(self._kv, memory_id)
        return is_unpurged(made.begun, now) and replay(self._kv, memory_id, made.index)

    def _remove_file(self, memory_id: str) -> None:
        with suppress(OSError):  # the folder may be gone, and there be no room for a new one
            snapshot.remove(self.snapshot_path(memory_id))

    def _open(self, memory_id: str) -> tuple[MemoryIndex, int]:
        index, saved_revision, _ = open_index(self._kv.snapshot(), memory_id, self._folder, *self._made_for)
        return index, saved_revision

    def _save_snapshot(self, memory_id: str, index: MemoryIndex) -> None:
        snapshot.save(self.snapshot_path(memory_id), index)


class _Reading(Using):
    """The same of an index that has a revision already."""

    __slots__ = ("_min_revision",)

    def __init__(self, cache: IndexCache, memory_id: str, min_revision: int) -> None:
        super().__init__(cache, memory_id)
        self._min_revision = min_revision

    def __enter__(self) -> MemoryIndex:
        """Wait for the lock. Raises FailedPrecondition where the memory is not yet at the revision."""
        index = super().__enter__()
        if index.revision < self._min_revision:
            self.__exit__()
            _check_reached(self._memory_id, self._min_revision, index.revision)
        return index


def _check_reached(memory_id: str, min_revision: int, revision: int) -> None:
    if revision < min_revision:
        raise FailedPrecondition(
            f"min_revision: memory {memory_id!r} is at revision {revision}, not yet at {min_revision}",
            field="min_revision",
            value=min_revision,
            limit=revision,
        )
