"""The documents of a brain: in and out."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol, TypeVar
from weakref import WeakValueDictionary

from smartbrain.v1.resource_service_pb2 import (
    DeleteDocumentRequest,
    DeleteDocumentResponse,
    DocumentHeader,
    IngestDocumentResponse,
)

from brain_core.commit.check_document import check_delete, check_header
from brain_core.commit.ingest import Ingesting, as_given_before, named
from brain_core.commit.pipeline import Answer, Prepared
from brain_core.commit.spool import Content, SectionFile, clear_spool, spooled
from brain_core.commit.withdraw import prepare_delete, prepare_purge, withdrawn_share
from brain_core.env import Env
from brain_core.errors import Stopping
from brain_core.models.embedder import Embedder
from brain_core.policy import Policy
from brain_core.readers.read import ReadLimits, read_document
from brain_core.store.documents import id_at
from brain_core.store.documents import read_document as stored_document
from brain_core.store.kv import KV
from brain_core.store.log import require_memory, require_unpurged
from brain_core.store.v1.records_pb2 import SpaceRecord

Each = TypeVar("Each")


class Written(Protocol):
    """Prepares a change of a memory with its lock held, writes it and hands it to the index."""

    def __call__(self, memory_id: str, prepare: Callable[[], Prepared[Answer]]) -> Prepared[Answer]:
        """Return what was prepared."""


class Library:
    """Takes documents in and out, one at a time in each memory. Safe for use from many threads."""

    def __init__(
        self,
        kv: KV,
        folder: Path,
        policy: Policy,
        embedder: Embedder,
        env: Env,
        written: Written,
        renew_index: Callable[[str], object],
    ) -> None:
        """folder: of spool files. renew_index: makes the index of a memory anew from the store."""
        self._kv = kv
        self._folder = folder
        self._policy = policy
        self._embedder = embedder
        self._env = env
        self._written = written
        self._renew_index = renew_index
        self._locks: WeakValueDictionary[str, threading.Lock] = WeakValueDictionary()  # of memories at work
        self._state = threading.Lock()
        self._ending = False
        clear_spool(folder)

    def end(self) -> None:
        """Have documents that are on their way end with Stopping before their next step: nothing of them is found."""
        self._ending = True

    def ingest(self, header: DocumentHeader, parts: Iterable[bytes]) -> IngestDocumentResponse:
        """Take a document in, durably and findably. Raises InvalidArgument, UnreadableDocument among it."""
        return self._ingest(header, parts, lambda _: header)

    def ingest_again(
        self, header: DocumentHeader, parts: Iterable[bytes], space: SpaceRecord | None
    ) -> IngestDocumentResponse:
        """Do so, unless something was purged of the memory since its counters were read: raises NotFound then.

        What the document of this address was taken in with (labels, title, …) stands over the header.
        """

        def given_before(known_id: str) -> DocumentHeader:
            require_unpurged(self._kv, header.memory_id, space)
            return as_given_before(header, stored_document(self._kv, header.memory_id, known_id))

        return self._ingest(header, parts, given_before)

    def _ingest(
        self, header: DocumentHeader, parts: Iterable[bytes], filled: Callable[[str], DocumentHeader]
    ) -> IngestDocumentResponse:
        """Take a document in. filled: its header, by the id of the document that is at its address, "" for none."""
        check_header(header, self._policy.limits)
        memory_id = header.memory_id
        with (
            spooled(self._folder, self._going(parts), self._policy.limits.document_bytes) as content,
            self.alone(memory_id),
        ):
            known_id = id_at(self._kv, memory_id, header.source_uri)
            full = named(filled(known_id), known_id)
            work = Ingesting(self._kv, full, content, self._policy.index.window_chars, self._embedder, self._env)
            if not work.unchanged():
                self._take_in(work, full, content)
                if not header.validate_only:
                    self._purge_if_due(memory_id)
        self._kv.sync()
        return work.response

    def _take_in(self, work: Ingesting, header: DocumentHeader, content: Content) -> None:
        documents = self._policy.documents
        limits = ReadLimits(self._policy.limits.document_bytes, documents.section_chars, documents.read_seconds)
        reading = read_document(content.path, header.source_uri, header.media_type, limits)
        with SectionFile(self._folder, self._going(reading.sections)) as sections:
            for step in self._going(work.steps(reading, sections)):
                self._written(header.memory_id, step)

    def delete(self, request: DeleteDocumentRequest) -> DeleteDocumentResponse:
        """Take a document out. Raises NotFound."""
        check_delete(request, self._policy.limits)
        require_memory(self._kv, request.memory_id)
        with self.alone(request.memory_id):
            prepared = self._written(request.memory_id, lambda: prepare_delete(self._kv, request, self._env))
            if request.purge:
                self._purge(request.memory_id)
            else:
                self._purge_if_due(request.memory_id)
        self._kv.sync()
        return prepared.response

    def _purge_if_due(self, memory_id: str) -> None:
        if not self._ending and withdrawn_share(self._kv, memory_id) > self._policy.documents.purge_share:
            self._purge(memory_id)

    def _purge(self, memory_id: str) -> None:
        def prepare() -> Prepared[DeleteDocumentResponse]:
            return prepare_purge(self._kv, memory_id, self._embedder.dimension, self._env)

        purged = False
        while self._written(memory_id, prepare).batch is not None:
            purged = True
        if purged:
            self._renew_index(memory_id)

    def _going(self, some: Iterable[Each]) -> Iterator[Each]:
        """Yield what there is to be done until the end is near. Raises Stopping then."""
        for each in some:
            if self._ending:
                again = "send it again once the server has been started again: what is known is not taken in twice"
                raise Stopping("the server is stopping: nothing of this document was taken in", hint=again)
            yield each

    @contextmanager
    def alone(self, memory_id: str) -> Iterator[None]:
        """Let no other document into or out of a memory."""
        with self._state:
            lock = self._locks.setdefault(memory_id, threading.Lock())
        with lock:
            yield
