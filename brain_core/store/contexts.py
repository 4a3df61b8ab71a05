"""What ComposeContext answered, kept for a while. Audit, not truth: it moves no memory's revision."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from brain_core.errors import BrainError, NotFound
from brain_core.store import keys
from brain_core.store.kv import KV, Batch
from brain_core.store.v1.records_pb2 import ContextRecord

_PAUSE_SECONDS = 0.02  # what is put meanwhile is written together
_RETRY_SECONDS = 1.0
_MOST_PENDING = 256


class ContextLog:
    """The newest contexts of each memory. Safe for use from many threads.

    They are found at once and written a moment later, together: a write of its own was a tenth of a compose. What a
    killed process had not written yet is lost.
    """

    def __init__(self, kv: KV, keep: int) -> None:
        self._kv = kv
        self._keep = keep
        self._pending: dict[tuple[str, str], bytes] = {}
        self._problem = ""
        self._stopping = False
        self._state = threading.Condition()
        self._writing = threading.Lock()
        self._newest: dict[str, int] = {}  # number of the newest context of each memory written to
        self._thread: threading.Thread | None = None

    @property
    def problem(self) -> str:
        """Why contexts could not be written when that was last tried, in words; empty if they were."""
        return self._problem

    def put(self, memory_id: str, context_id: str, record: ContextRecord) -> None:
        """Keep a context and drop the one that is `keep` older."""
        with self._state:
            self._pending[memory_id, context_id] = record.SerializeToString()
            crowded = len(self._pending) > _MOST_PENDING
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="contexts", daemon=True)
                self._thread.start()
            self._state.notify()
        if crowded:
            self.flush()

    def get(self, memory_id: str, context_id: str) -> ContextRecord:
        """Return a kept context; raise NotFound."""
        with self._state:
            found = self._pending.get((memory_id, context_id))
        found = found or self._kv.get(keys.contexts(memory_id), keys.context(context_id))
        if found is None:
            raise NotFound(
                f"context_id: memory {memory_id!r} keeps no context {context_id!r}",
                field="context_id",
                value=context_id,
                limit="the newest policies.observability.contexts_kept contexts",
                hint="contexts are kept while policies.observability.store_contexts is true",
            )
        return ContextRecord.FromString(found)

    def newest(self, memory_id: str, before: int, limit: int) -> list[tuple[int, ContextRecord]]:
        """Return (number, context) of up to `limit` contexts that are written, newest first.

        before: give those with lower numbers; 0 gives all. What is pending is written first; `problem` says why not.
        """
        self.flush()
        partition = keys.contexts(memory_id)
        after = keys.context_order(before) if before else b""
        rows = list(self._kv.scan(partition, keys.CONTEXT_ORDER, after=after, limit=limit, reverse=True))
        found = self._kv.multi_get(partition, [keys.context(context_id.decode()) for _, context_id in rows])
        return [
            (keys.number_of(key), ContextRecord.FromString(record))
            for (key, _), record in zip(rows, found, strict=True)
            if record is not None  # dropped since, by a newer one
        ]

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
                    del self._pending[key]
                for key in list(self._pending)[: max(0, len(self._pending) - _MOST_PENDING)]:
                    del self._pending[key]

    def close(self) -> None:
        """Write what is pending and end the thread."""
        with self._state:
            self._stopping = True
            self._state.notify()
        if self._thread is not None:
            self._thread.join()
        self.flush()

    def _write(self, memory_id: str, contexts: Sequence[tuple[str, bytes]]) -> None:
        partition = keys.contexts(memory_id)
        batch = Batch()
        number = self._newest_number(memory_id)
        for context_id, record in contexts[-self._keep :]:
            number += 1
            batch.put(keys.context(context_id), record)
            batch.put(keys.context_order(number), context_id.encode())
            oldest = keys.context_order(number - self._keep) if number > self._keep else b""
            found = self._kv.get(partition, oldest) if oldest else None
            if found is not None:
                batch.delete(keys.context(found.decode()))
                batch.delete(oldest)
        self._kv.write(partition, batch)
        self._newest[memory_id] = number

    def _newest_number(self, memory_id: str) -> int:
        if memory_id not in self._newest:
            rows = self._kv.scan(keys.contexts(memory_id), keys.CONTEXT_ORDER, limit=1, reverse=True)
            last = [key for key, _ in rows]
            self._newest[memory_id] = keys.number_of(last[0]) if last else 0
        return self._newest[memory_id]

    def _run(self) -> None:
        while True:
            with self._state:
                self._state.wait_for(lambda: self._pending or self._stopping)
                self._state.wait_for(
                    lambda: self._stopping, timeout=_RETRY_SECONDS if self._problem else _PAUSE_SECONDS
                )
                if self._stopping:
                    return
            self.flush()
