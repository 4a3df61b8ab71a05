"""What ComposeContext answered, kept for a while. Audit, not truth: it moves no memory's revision."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from brain_core.errors import BrainError, NotFound
from brain_core.store import keys
from brain_core.store.kv import KV, Batch
from brain_core.store.v1.records_pb2 import ContextRecord

_PAUSE_SECONDS = 0.02  # what is put meanwhile is written together
_RETRY_SECONDS = 1.0
_MOST_PENDING = 256
_MOST_PENDING_BYTES = 64 << 20
_SIZE_BEGINS = b"\x00"  # no id has it

_Numbered = tuple[int, bytes]
"""The how-manieth context of its memory, and its serialised ContextRecord."""


class ContextLog:
    """The newest contexts of each memory. Safe for use from many threads.

    keep: how many of each memory. nbytes: of their records in all; the newest is kept however large it is. They are
    found at once and written a moment later, together: a write of its own was a tenth of a compose. What a killed
    process had not written yet is lost.
    """

    def __init__(self, kv: KV, keep: int, nbytes: int) -> None:
        self._kv = kv
        self._keep = keep
        self._nbytes = nbytes
        self._pending: dict[tuple[str, str], _Numbered] = {}
        self._problem = ""
        self._stopping = False
        self._resting = False  # the thread waits to be called
        self._state = threading.Condition()
        self._writing = threading.Lock()
        self._newest: dict[str, int] = {}  # number of the newest context of each memory composed for
        self._dropped: dict[str, int] = {}  # number up to which those of each memory are known to be dropped
        self._held: dict[str, int] = {}  # bytes of the records that are written of each memory, where that is known
        self._epochs: dict[str, int] = {}
        self._thread: threading.Thread | None = None

    @property
    def problem(self) -> str:
        """Why contexts could not be written when that was last tried, in words; empty if they were."""
        return self._problem

    def epoch(self, memory_id: str) -> int:
        """Return a number that moves when contexts of a memory are purged. Read where they cannot be just then."""
        return self._epochs.get(memory_id, 0)

    def put(self, memory_id: str, context_id: str, record: ContextRecord, epoch: int = 0) -> None:
        """Keep a context, and drop the oldest where it is one too many or they are too large.

        epoch: when its composing began. After a purge since then it is not kept.
        """
        content = record.SerializeToString()
        with self._state:
            if epoch != self.epoch(memory_id):
                return
            number = self._newest[memory_id] = self._newest_number(memory_id) + 1
            self._pending[memory_id, context_id] = number, content
            crowded = self._is_crowded()
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="contexts", daemon=True)
                self._thread.start()
            if self._resting:  # else the thread wakes by itself: a call to it was a quarter of a compose
                self._resting = False
                self._state.notify()
        if crowded:
            self.flush()

    def get(self, memory_id: str, context_id: str) -> ContextRecord:
        """Return a kept context; raise NotFound."""
        with self._state:
            pending = self._pending.get((memory_id, context_id))
        found = pending[1] if pending else self._kv.get(keys.contexts(memory_id), keys.context(context_id))
        if found is None:
            raise NotFound(
                f"context_id: memory {memory_id!r} keeps no context {context_id!r}",
                field="context_id",
                value=context_id,
                limit="the newest policies.observability.contexts_kept contexts, of contexts_kept_bytes at most",
                hint="contexts are kept while policies.observability.store_contexts is true",
            )
        return ContextRecord.FromString(found)

    def newest(self, memory_id: str, before: int, limit: int) -> list[tuple[int, ContextRecord]]:
        """Return (number, context) of up to `limit` contexts with numbers below `before`, newest first; 0 gives all."""
        with self._state:
            found = dict(each for (owner, _), each in self._pending.items() if owner == memory_id)
            last = self._newest_number(memory_id) - self._keep
        partition = keys.contexts(memory_id)
        after = keys.context_order(before) if before else b""
        rows = list(self._kv.scan(partition, keys.CONTEXT_ORDER, after=after, limit=limit, reverse=True))
        records = self._kv.multi_get(partition, [keys.context(_place(found)[0]) for _, found in rows])
        for (key, _), record in zip(rows, records, strict=True):
            if record is not None:  # else it was dropped meanwhile
                found[keys.number_of(key)] = record
        numbers = sorted((each for each in found if each > last and (not before or each < before)), reverse=True)
        return [(number, ContextRecord.FromString(found[number])) for number in numbers[:limit]]

    def count(self, memory_id: str, goes: Callable[[ContextRecord], bool]) -> int:
        """Return how many contexts `purge` would take out."""
        self.flush()
        return len(self._chosen(memory_id, goes))

    def purge(self, memory_id: str, goes: Callable[[ContextRecord], bool]) -> None:
        """Take out contexts, those too that are still on their way."""
        with self._state:
            self._epochs[memory_id] = self.epoch(memory_id) + 1
        self.flush()
        with self._writing:
            with self._state:
                for key, (_, record) in list(self._pending.items()):
                    if key[0] == memory_id and goes(ContextRecord.FromString(record)):
                        del self._pending[key]
            gone = self._chosen(memory_id, goes)
            if gone:
                batch, partition = Batch(), keys.contexts(memory_id)
                batch.deletes += gone
                named = set(gone)
                order = self._kv.scan(partition, keys.CONTEXT_ORDER)
                batch.deletes += [key for key, found in order if keys.context(_place(found)[0]) in named]
                self._held.pop(memory_id, None)
                self._kv.write(partition, batch)

    def forget(self, memory_id: str) -> None:
        """Let go of all that is known of a memory, whose partition is about to be removed."""
        with self._writing, self._state:
            self._epochs[memory_id] = self.epoch(memory_id) + 1
            self._newest.pop(memory_id, None)
            self._dropped.pop(memory_id, None)
            self._held.pop(memory_id, None)
            for key in [key for key in self._pending if key[0] == memory_id]:
                del self._pending[key]

    def _chosen(self, memory_id: str, goes: Callable[[ContextRecord], bool]) -> list[bytes]:
        rows = self._kv.scan(keys.contexts(memory_id), keys.CONTEXTS)
        return [key for key, record in rows if goes(ContextRecord.FromString(record))]

    def flush(self) -> None:
        """Write what is pending. What cannot be written stays pending, the newest of it, and `problem` says why."""
        with self._writing:
            with self._state:
                pending = dict(self._pending)
            written: list[tuple[str, str]] = []
            problem = ""
            for memory_id in dict.fromkeys(memory_id for memory_id, _ in pending):
                own = [key for key in pending if key[0] == memory_id]
                try:
                    self._write(memory_id, [(context_id, pending[memory_id, context_id]) for _, context_id in own])
                    written += own
                except BrainError as error:
                    problem = str(error)
            with self._state:
                self._problem = problem
                for key in written:
                    self._pending.pop(key, None)
                while self._is_crowded():
                    del self._pending[next(iter(self._pending))]

    def close(self) -> None:
        """Write what is pending and end the thread."""
        with self._state:
            self._stopping = True
            self._state.notify()
        if self._thread is not None:
            self._thread.join()
        self.flush()

    def _is_crowded(self) -> bool:
        waiting = self._pending.values()
        return len(waiting) > _MOST_PENDING or sum(len(record) for _, record in waiting) > _MOST_PENDING_BYTES

    def _write(self, memory_id: str, contexts: Sequence[tuple[str, _Numbered]]) -> None:
        partition = keys.contexts(memory_id)
        batch = Batch()
        last = max(0, contexts[-1][1][0] - self._keep)
        held, kept = self._held_bytes(memory_id), self._kept_of(contexts, last)
        if len(kept) < len(contexts):
            last = kept[0][1][0] - 1  # what was written before goes before what was not
        for context_id, (number, record) in kept:
            batch.put(keys.context(context_id), record)
            batch.put(keys.context_order(number), b"%b%b%d" % (context_id.encode(), _SIZE_BEGINS, len(record)))
        fresh = sum(len(record) for _, (_, record) in kept)
        dropped = self._dropped.get(memory_id, 0)
        for key, found in self._kv.scan(partition, keys.CONTEXT_ORDER, after=keys.context_order(dropped)):
            if keys.number_of(key) > last and held + fresh <= self._nbytes:
                break
            context_id, size = _place(found)
            batch.delete(keys.context(context_id))
            batch.delete(key)
            held, dropped = held - size, keys.number_of(key)
        self._kv.write(partition, batch)
        self._dropped[memory_id], self._held[memory_id] = max(last, dropped), held + fresh

    def _kept_of(self, contexts: Sequence[tuple[str, _Numbered]], last: int) -> list[tuple[str, _Numbered]]:
        """Return the newest of some contexts, in order, as many as may be kept. last: number from which on none may."""
        kept: list[tuple[str, _Numbered]] = []
        room = self._nbytes
        for context_id, (number, record) in reversed(contexts):
            room -= len(record)
            if kept and (room < 0 or number <= last):
                break
            kept.append((context_id, (number, record)))
        return kept[::-1]

    def _held_bytes(self, memory_id: str) -> int:
        if memory_id not in self._held:
            order = self._kv.scan(keys.contexts(memory_id), keys.CONTEXT_ORDER)
            self._held[memory_id] = sum(_place(found)[1] for _, found in order)
        return self._held[memory_id]

    def _newest_number(self, memory_id: str) -> int:
        if memory_id in self._newest:
            return self._newest[memory_id]
        rows = self._kv.scan(keys.contexts(memory_id), keys.CONTEXT_ORDER, limit=1, reverse=True)
        return max((keys.number_of(key) for key, _ in rows), default=0)

    def _run(self) -> None:
        while True:
            with self._state:
                self._state.wait_for(
                    lambda: self._stopping, timeout=_RETRY_SECONDS if self._problem else _PAUSE_SECONDS
                )
                if self._stopping:
                    return
                if not self._pending:  # a whole pause in which nothing came
                    self._resting = True
                    self._state.wait_for(lambda: self._pending or self._stopping)
                    continue
            self.flush()


def _place(found: bytes) -> tuple[str, int]:
    """Return which context has a place in the order, and the bytes of its record; 0 where an earlier release wrote."""
    context_id, _, size = found.partition(_SIZE_BEGINS)
    return context_id.decode(), int(size or 0)
