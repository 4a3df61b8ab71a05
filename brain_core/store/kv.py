"""The only door to disk: a small ordered key-value interface.

Keys live in partitions (one per memory); a batch is atomic within one partition and moves its revision by one. Batches
of others may land beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Protocol

Partition = bytes
"""Name of a partition: no byte 0x00."""


@dataclass(slots=True)
class Batch:
    """Changes to one partition, in order."""

    puts: list[tuple[bytes, bytes]] = field(default_factory=list)
    deletes: list[bytes] = field(default_factory=list)

    def put(self, key: bytes, value: bytes) -> None:
        """Set a key."""
        self.puts.append((key, value))

    def delete(self, key: bytes) -> None:
        """Remove a key; one that is absent is no error."""
        self.deletes.append(key)


NONE_BESIDE: Mapping[Partition, Batch] = MappingProxyType({})


class ReadView(Protocol):
    """What can be read, all as of one moment where the view is a snapshot."""

    def get(self, partition: Partition, key: bytes) -> bytes | None:
        """Return a value, or None."""

    def multi_get(self, partition: Partition, keys: Sequence[bytes]) -> list[bytes | None]:
        """Return the values in the order of the keys, None for absent ones."""

    def scan(
        self, partition: Partition, prefix: bytes, *, after: bytes = b"", limit: int = 0, reverse: bool = False
    ) -> Iterator[tuple[bytes, bytes]]:
        """Yield (key, value) with the prefix in order of keys, strictly past `after`, at most `limit` (0: all).

        With reverse, from the last key down, strictly before `after`.
        """

    def revision(self, partition: Partition) -> int:
        """Return the number of batches written to a partition; 0 where there is none."""

    def partitions(self, prefix: bytes, *, after: Partition = b"", reverse: bool = False) -> Iterator[Partition]:
        """Yield the partitions whose names have the prefix, in order, strictly past `after`.

        With reverse, from the last down, strictly before `after`.
        """


class KV(ReadView, Protocol):
    """A ReadView of the newest state, and writing."""

    def write(
        self,
        partition: Partition,
        batch: Batch,
        expect: int | None = None,
        beside: Mapping[Partition, Batch] = NONE_BESIDE,
    ) -> int:
        """Apply a batch at once and return the new revision.

        beside: batches of other partitions that are applied at the same moment, or not at all.
        With `expect`, raises FailedPrecondition unless the partition is at that revision. Raises StoreFailed or
        ResourceExhausted if the disk refuses; then nothing of the batch is there.
        """

    def remove(self, partitions: Sequence[Partition], beside: Mapping[Partition, Batch]) -> None:
        """Remove all of some partitions, their revisions too, and apply batches of others, all at once. Raises so."""

    def erase(self, partitions: Sequence[Partition], wait: Callable[[], None]) -> None:
        """Take from the folder's files what was removed or replaced in some partitions before this call.

        wait: called again and again while views are still held that keep it there. It may raise to give up.
        """

    def sync(self) -> None:
        """Return once every earlier write is as durable as the store's setting says."""

    def snapshot(self) -> ReadView:
        """Return a view that later writes do not change."""

    def checkpoint(self, folder: Path) -> None:
        """Write the store as it is at one moment to a new folder of the same file system."""

    def close(self) -> None:
        """Sync and let go of the folder. Later calls fail."""
