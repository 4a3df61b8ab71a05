"""What keeps a brain sound: its memories checked, indexed anew, and backed up."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

from smartbrain.v1.admin_service_pb2 import BackupRequest, BackupResponse, RebuildIndexResponse, VerifyResponse

from brain_core import verify
from brain_core.backup import back_up, clear_checkpoint
from brain_core.damage import readable_memories
from brain_core.env import Env
from brain_core.errors import FailedPrecondition, StoreFailed
from brain_core.indexes import Indexes
from brain_core.policy import Policy
from brain_core.store.contexts import ContextLog
from brain_core.store.kv import KV
from brain_core.store.log import memory_ids, require_memory


class Care:
    """Checks, rebuilds and copies memories while calls go on."""

    def __init__(self, kv: KV, indexes: Indexes, contexts: ContextLog, folder: Path, policy: Policy, env: Env) -> None:
        """folder: all that the brain keeps, of which a backup is made."""
        self._kv = kv
        self._indexes = indexes
        self._contexts = contexts
        self._folder = folder
        self._policy = policy
        self._env = env
        self._backing_up = threading.Lock()
        clear_checkpoint(folder)

    def verify(self, memory_id: str) -> Iterator[VerifyResponse]:
        """Check one memory, or all for "", as Brain.verify does. Raises NotFound."""
        if memory_id:
            require_memory(self._kv, memory_id)
        wanted, problem = ([memory_id], "") if memory_id else readable_memories(self._kv)
        total = len(wanted) + bool(problem)
        for done, each in enumerate(wanted, start=1):
            answer = self._verified(each, done, total)
            yield answer  # with no lock held: the caller may take its time, or never come back
        if problem:
            yield VerifyResponse(problems=[f"not all memories can be told: {problem}"], done=total, total=total)

    def _verified(self, memory_id: str, done: int, total: int) -> VerifyResponse:
        path = self._indexes.snapshot_path(memory_id)
        try:
            with self._indexes.use(memory_id) as index:
                view, usual = self._kv.snapshot(), (index.dimension, index.counter, index.zone)
        except StoreFailed as error:
            return verify.verify_without_index(self._kv.snapshot(), memory_id, error, done, total)
        # With no lock held: of 100,000 chunks it takes half a minute, in which calls go on.
        return verify.verify_memory(view, memory_id, lambda: self._indexes.beside(memory_id), usual, path, done, total)

    def rebuild_index(self, memory_id: str) -> Iterator[RebuildIndexResponse]:
        """Make the index of one memory, or of all for "", anew from the store. Raises NotFound."""
        if memory_id:
            require_memory(self._kv, memory_id)
        wanted = [memory_id] if memory_id else list(memory_ids(self._kv))
        for done, each in enumerate(wanted, start=1):
            index = self._indexes.renew(each)
            yield RebuildIndexResponse(
                memory_id=each, revision=index.revision, chunks=len(index.chunks), done=done, total=len(wanted)
            )

    def back_up(self, request: BackupRequest) -> Iterator[BackupResponse]:
        """Write a backup to a new folder. Raises FailedPrecondition while another is under way."""
        if not self._backing_up.acquire(blocking=False):
            raise FailedPrecondition("a backup is under way", field="folder", hint="try again when it has ended")
        try:
            self._contexts.flush()
            roots = self._policy.store.backup_folders
            yield from back_up(self._kv, self._folder, request.folder, roots, self._env.now_us())
        finally:
            self._backing_up.release()
