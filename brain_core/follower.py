"""Files that turns refer to, taken in as documents in the background: a commit neither waits for it nor depends on it.

Each memory counts how far its turns were followed, after what they refer to was taken in, so a crash takes a file in a
second time, which changes nothing. A file that cannot be taken in is named in the status and skipped. What is not in
an allowed folder is left alone, and nothing is ever fetched from a network.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from itertools import islice
from typing import BinaryIO

from smartbrain.v1.event_pb2 import Ref, Turn
from smartbrain.v1.resource_service_pb2 import DocumentHeader

from brain_core.allowed import AllowedFolders, opened
from brain_core.check import check_size
from brain_core.env import Env
from brain_core.errors import (
    EmbedderUnavailable,
    FailedPrecondition,
    ResourceExhausted,
    Stopping,
    StoreFailed,
    UnreadableDocument,
)
from brain_core.policy import Policy
from brain_core.rounds import Rounds, Stopped
from brain_core.store import events, log
from brain_core.store.followed import name_skipped, read_followed, write_followed
from brain_core.store.kv import KV, ReadView
from brain_core.store.v1.records_pb2 import FollowedRecord, SpaceRecord

_LONGEST_PAUSE_SECONDS = 30.0
_TURNS_AT_ONCE = 256
_PART_BYTES = 1 << 20
_TITLE_CHARS = 300

_NOT_THE_FILE = (EmbedderUnavailable, FailedPrecondition, ResourceExhausted, StoreFailed, OSError, Stopped, Stopping)
"""Failures that the next file would meet too."""

Ingest = Callable[[DocumentHeader, Iterable[bytes], SpaceRecord | None], object]
"""Takes a document into a memory unless something was purged of that since its counters were read."""

Hold = Callable[[str], AbstractContextManager[object]]
"""Holds the lock of a memory."""


class Follower:
    """One thread that takes in the files that each memory's turns refer to, oldest first.

    A turn that names a file says nothing of its labels: what its document was taken in with stays.
    """

    def __init__(self, kv: KV, policy: Policy, ingest: Ingest, env: Env, hold: Hold) -> None:
        """Begin with what earlier runs have left. ingest: raises InvalidArgument; NotFound after a purge."""
        self._kv = kv
        self._include = frozenset(policy.documents.ingest_refs.include)
        self._folders = AllowedFolders(policy.documents.ingest_refs.roots)
        self._limits = policy.limits
        self._ingest = ingest
        self._env = env
        self._hold = hold
        self._rounds = Rounds("follower", self._follow_some, _LONGEST_PAUSE_SECONDS)
        self._rounds.start(log.memory_ids(kv.snapshot()))

    def notice(self, memory_id: str) -> None:
        """Look at a memory, for it has a new turn."""
        self._rounds.notice(memory_id)

    def status(self, view: ReadView) -> tuple[int, int, str]:
        """Return (turns of all memories not followed yet, files skipped, why in words).

        The words are why this is not getting on, else the last file skipped, "" if there is none.
        """
        left = skipped = 0
        newest, of = FollowedRecord(), ""
        for memory_id in log.memory_ids(view):
            record, space = read_followed(view, memory_id), log.read_space(view, memory_id)
            left += space.turns - record.turns if space is not None else 0
            skipped += record.skipped
            if record.problem and record.problem_at_us >= newest.problem_at_us:
                newest, of = record, memory_id
        problem = newest.problem and f"memory {of!r}: {newest.problem}"
        return left, skipped, self._rounds.problem or self._folders.missing or problem

    def close(self) -> None:
        """End the thread, once the document under way is in or given up."""
        self._rounds.close()

    def _follow_some(self, memory_id: str) -> bool:
        """Follow a memory's turns up to the next that refers to a file; return whether there may be more."""
        view = self._kv.snapshot()
        space, record = log.read_space(view, memory_id), read_followed(view, memory_id)
        begun = record.revision
        for change in islice(log.scan_changes(view, memory_id, begun), _TURNS_AT_ONCE):
            turn = events.turn_of(view, memory_id, change)
            refs = self._wanted(turn)
            for ref in refs:
                self._take_in(memory_id, ref, record, space)
            record.turns += turn is not None or change.had_turn
            record.revision = change.revision
            if refs:
                break
        if record.revision == begun:
            return False
        with self._hold(memory_id):
            if log.is_unpurged(space, log.read_space(self._kv, memory_id)):  # else all this is looked at again
                write_followed(self._kv, memory_id, record)
        return True

    def _wanted(self, turn: Turn | None) -> list[Ref]:
        return [ref for ref in turn.events.refs if ref.ref_type in self._include] if turn is not None else []

    def _take_in(self, memory_id: str, ref: Ref, record: FollowedRecord, space: SpaceRecord | None) -> None:
        """Take in the file of a ref, or note in the record why it was skipped.

        space: the memory's counters when the ref was read.
        """
        try:
            found = self._folders.find(ref.uri)
            if found is None:
                return
            with opened(found) as file:
                facts = os.fstat(file.fileno())
                check_size("content", facts.st_size, self._limits.document_bytes)
                header = DocumentHeader(memory_id=memory_id, source_uri=found.uri, title=_title(ref))
                header.changed_at.FromNanoseconds(facts.st_mtime_ns)
                self._ingest(header, self._parts(file), space)
        except Exception as error:  # a file may break a reader in any way, and must hold up no other
            if isinstance(error, _NOT_THE_FILE):
                raise
            name_skipped(record, ref.uri, error, self._env.now_us())

    def _parts(self, file: BinaryIO) -> Iterator[bytes]:
        while True:
            if self._rounds.stopping:
                raise Stopped
            try:
                part = file.read(_PART_BYTES)
            except OSError as error:
                raise UnreadableDocument(f"cannot be read: {error.strerror}", field="content") from error
            if not part:
                return
            yield part


def _title(ref: Ref) -> str:
    return ref.meta.fields["title"].string_value[:_TITLE_CHARS] if "title" in ref.meta.fields else ""
