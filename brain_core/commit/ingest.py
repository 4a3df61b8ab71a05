"""A document goes in: known already? → read → which sections are new? → their chunks → shown, all at once.

A document of many sections goes in as several batches; what they add is hidden until the last one shows the document
and hides what it replaces. What was hidden, or never shown since the process died, stands in the counters as withdrawn
until `purge` takes its text.

Whether a section is found is not written in its chunk but in the changes and in the document's record, so a chunk that
is kept from version to version is never written again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from urllib.parse import unquote, urlsplit

from google.protobuf.timestamp_pb2 import Timestamp
from smartbrain.v1.resource_service_pb2 import Document, DocumentHeader, DocumentSection, IngestDocumentResponse

from brain_core.addresses import address_part
from brain_core.commit.pipeline import Prepared
from brain_core.commit.revisions import begin_revision, put_revision, set_withdrawn
from brain_core.commit.spool import Content, SectionFile
from brain_core.commit.writing import embed_chunks
from brain_core.env import Env
from brain_core.errors import AlreadyExists
from brain_core.index.derive import section_chunks
from brain_core.models.embedder import Embedder
from brain_core.readers.document import Reading
from brain_core.store import documents, keys, log
from brain_core.store.kv import Batch, ReadView
from brain_core.store.v1.records_pb2 import (
    ChangeRecord,
    ChunkRange,
    ChunkRecord,
    DocumentRecord,
    SectionRecord,
    SpaceRecord,
)
from brain_core.text.language import written_language
from brain_core.text.windows import summary_of

CHUNKS_AT_ONCE = 256
"""Chunks of one batch: it holds the memory's lock for some ten milliseconds."""

_SPLITTING = "2"  # of how readers cut; another number makes every document anew when it is ingested again
_ID_CHARS = 16
_LANGUAGE_CHARS = 10_000
_OWN_SCRIPTS = {"zh", "ja", "ko"}
_WARNINGS_NAMED = 20

_LABELS = ("tag_ids", "topic_ids")

Step = Callable[[], Prepared[IngestDocumentResponse]]
_Fresh = tuple[SectionRecord, list[ChunkRecord]]


def named(header: DocumentHeader, known_id: str) -> DocumentHeader:
    """Return a checked header with source_uri, document_id and source_type filled in.

    known_id: of the document that the memory has under its source_uri, if any. Raises AlreadyExists if another document
    stands there.
    """
    if known_id and header.document_id not in ("", known_id):
        raise AlreadyExists(
            f"header.source_uri: {header.source_uri!r} is the address of document {known_id!r}",
            field="header.source_uri",
            value=header.source_uri,
            limit="one document per address",
            hint="leave document_id empty to replace that document, or delete it first",
        )
    full = DocumentHeader()
    full.CopyFrom(header)
    full.document_id = header.document_id or known_id or f"d{_digest(header.source_uri)}"
    address = f"smartbrain://{address_part(header.memory_id)}/documents/{address_part(full.document_id)}"
    full.source_uri = header.source_uri or address
    scheme = full.source_uri.split(":", 1)[0].lower()
    by_scheme = {"http": "url", "https": "url", "file": "file"}
    full.source_type = header.source_type or by_scheme.get(scheme, "manual")
    return full


def as_given_before(header: DocumentHeader, old: DocumentRecord | None) -> DocumentHeader:
    """Return a header that says of its document what the last ingest said, where there was one."""
    if old is None:
        return header
    full = DocumentHeader()
    full.CopyFrom(old.given)
    full.memory_id, full.source_uri = header.memory_id, header.source_uri
    full.changed_at.CopyFrom(header.changed_at)
    return full


@dataclass(slots=True)
class Ingesting:
    """One document under way. header: of `named`. The caller lets no other ingest into the memory meanwhile."""

    view: ReadView
    header: DocumentHeader
    content: Content
    window_chars: int
    embedder: Embedder
    env: Env
    response: IngestDocumentResponse = field(default_factory=IngestDocumentResponse)

    def unchanged(self) -> bool:
        """Return whether the memory has the document like this; then `response` is complete."""
        old = self._old()
        if old is None or (old.made_as, old.document.content_hash) != (self._made_as(), self.content.digest):
            return False
        if any(set(getattr(old.given, name)) != set(getattr(self.header, name)) for name in _LABELS):
            return False
        self.response.document.CopyFrom(old.document)
        self.response.outcome = "unchanged"
        self.response.sections_kept = old.document.sections
        self.response.revision = self.view.revision(keys.memory(self.header.memory_id))
        return True

    def steps(self, reading: Reading, sections: SectionFile) -> Iterator[Step]:
        """Yield what is to be done, one batch after the other; each with the memory's lock held, the last one shows.

        reading: exhausted into `sections`. With validate_only nothing is yielded, and `response` is complete.
        """
        document = self._document(reading, sections)
        old = self._old()
        kept = self._kept(old, document)
        fresh: list[_Fresh] = []
        records: list[SectionRecord] = []
        waiting = chunks = again = 0
        for section in _identified(document, sections):
            record = kept.get(section.section_id) or SectionRecord(section_id=section.section_id, path=section.path)
            record.page, record.offset_start = section.page, section.offset_start
            records.append(record)
            if section.section_id in kept:
                again += 1
                chunks += record.chunks.count
                continue
            pieces = list(section_chunks(document, section, self.window_chars))
            chunks += len(pieces)
            if self.header.validate_only:
                continue
            if waiting and waiting + len(pieces) > CHUNKS_AT_ONCE:
                yield self._step(partial(self._stage, fresh), fresh)
                fresh, waiting = [], 0
            fresh.append((record, pieces))
            waiting += len(pieces)
        document.chunks = chunks
        document.language = document.language or written_language(sections.first_text[:_LANGUAGE_CHARS])
        self._tell(document, old, again)
        if not self.header.validate_only:
            yield self._step(partial(self._show, old, document, records, fresh), fresh)

    def _step(self, step: Step, fresh: Sequence[_Fresh]) -> Step:
        """Give a step's chunks their vectors, which needs no lock."""
        embed_chunks([chunk for _, pieces in fresh for chunk in pieces], self.embedder)
        return step

    def _old(self) -> DocumentRecord | None:
        return documents.read_document(self.view, self.header.memory_id, self.header.document_id)

    def _made_as(self) -> str:
        header = self.header
        parts = (
            header.document_id,
            header.source_uri,
            header.source_type,
            header.title,
            header.media_type,
            header.language,
            str(self.window_chars),
            _SPLITTING,
        )
        return hashlib.sha256("\x00".join(parts).encode()).hexdigest()

    def _given(self) -> DocumentHeader:
        header = self.header
        return DocumentHeader(
            title=header.title,
            media_type=header.media_type,
            language=header.language,
            source_type=header.source_type,
            tag_ids=header.tag_ids,
            topic_ids=header.topic_ids,
        )

    def _lost(self, old: DocumentRecord | None) -> Iterator[str]:
        """Yield, in words, what the last ingest said of the document and this one does not."""
        if old is None:
            return
        for name in ("title", *_LABELS):
            before = getattr(old.given, name)
            if before and not getattr(self.header, name):
                words = before if isinstance(before, str) else ", ".join(before)
                yield f"{name} of before ({words}) not given again: gone"

    def _document(self, reading: Reading, sections: SectionFile) -> Document:
        header, now = self.header, Timestamp()
        now.FromMicroseconds(self.env.now_us())
        self.response.warnings.extend(reading.warnings[:_WARNINGS_NAMED])
        if len(reading.warnings) > _WARNINGS_NAMED:
            self.response.warnings.append(f"{len(reading.warnings) - _WARNINGS_NAMED} more warnings")
        title = header.title or reading.title or _last_part(header.source_uri) or header.document_id
        return Document(
            document_id=header.document_id,
            source_uri=header.source_uri,
            source_type=header.source_type,
            title=" ".join(title.split())[:300],
            summary=summary_of(sections.first_text),
            media_type=reading.media_type,
            language=header.language or _declared(reading.language, sections.first_text[:_LANGUAGE_CHARS]),
            tag_ids=dict.fromkeys([*header.tag_ids, *reading.tags]),
            topic_ids=dict.fromkeys(header.topic_ids),
            content_hash=self.content.digest,
            size_bytes=self.content.size,
            sections=sections.count,
            changed_at=header.changed_at if header.HasField("changed_at") else now,
            ingested_at=now,
        )

    def _kept(self, old: DocumentRecord | None, document: Document) -> dict[str, SectionRecord]:
        """Return the sections that an older version has, by id; none if all of them look different now."""
        if old is None or (old.made_as, old.document.title) != (self._made_as(), document.title):
            return {}
        stored = documents.scan_sections(self.view, self.header.memory_id, document.document_id)
        return {section.section_id: section for section in stored}

    def _tell(self, document: Document, old: DocumentRecord | None, again: int) -> None:
        """Answer. again: how many sections the older version has too."""
        response = self.response
        response.document.CopyFrom(document)
        response.warnings.extend(self._lost(old))
        response.outcome = "created" if old is None else "replaced"
        response.sections_kept = again
        response.sections_added = document.sections - again
        response.sections_removed = (old.document.sections if old is not None else 0) - again
        response.revision = self.view.revision(keys.memory(self.header.memory_id))

    def _stage(self, pieces: Sequence[_Fresh]) -> Prepared[IngestDocumentResponse]:
        """Add chunks that nobody finds yet."""
        space, change, batch = begin_revision(self.view, self.header.memory_id, self.env)
        added = self._add(batch, space, change, pieces)
        set_withdrawn(space, [*space.withdrawn, ChunkRange(first=change.first_chunk, count=len(added))])
        put_revision(batch, self.view, space, change)
        return Prepared(self._at(change.revision), batch, added)

    def _show(
        self,
        old: DocumentRecord | None,
        document: Document,
        records: Sequence[SectionRecord],
        pieces: Sequence[_Fresh],
    ) -> Prepared[IngestDocumentResponse]:
        """Add the last chunks and let the document be found in the place of its older version."""
        space, change, batch = begin_revision(self.view, self.header.memory_id, self.env)
        added = self._add(batch, space, change, pieces)
        shown = documents.joined_ranges([record.chunks for record in records])
        hidden = documents.without_ranges(old.chunks, shown) if old is not None else []
        set_withdrawn(space, [*documents.without_ranges(space.withdrawn, shown), *hidden])
        change.shown.extend(shown)
        change.hidden.extend(hidden)
        document.revision = change.revision
        new = DocumentRecord(document=document, chunks=shown, made_as=self._made_as())
        new.given.CopyFrom(self._given())
        documents.put_document(batch, old, new, records)
        put_revision(batch, self.view, space, change)
        self.response.document.CopyFrom(document)
        return Prepared(self._at(change.revision), batch, added, (), shown, hidden)

    def _add(
        self,
        batch: Batch,
        space: SpaceRecord,
        change: ChangeRecord,
        pieces: Sequence[_Fresh],
    ) -> list[ChunkRecord]:
        """Put new chunks under the next ordinals, and note in their sections where they stand."""
        at = space.next_chunk
        for record, chunks in pieces:
            record.chunks.first, record.chunks.count = at, len(chunks)
            at += len(chunks)
        added = [chunk for _, chunks in pieces for chunk in chunks]
        for ordinal, chunk in enumerate(added, start=space.next_chunk):
            chunk.ordinal = ordinal
            log.put_chunk(batch, chunk)
        change.chunk_count = len(added)
        space.next_chunk = at
        return added

    def _at(self, revision: int) -> IngestDocumentResponse:
        self.response.revision = revision
        return self.response


def _identified(document: Document, sections: SectionFile) -> Iterator[DocumentSection]:
    """Yield sections with their ids: made of headings and text, and for the n-th same one of n."""
    seen: dict[str, int] = {}
    for section in sections:
        path = (*section.path, section.title) if section.title else section.path
        base = _digest(document.document_id, *path, str(section.page), section.text)
        again = seen[base] = seen.get(base, -1) + 1
        yield DocumentSection(
            section_id=f"s{_digest(base, str(again)) if again else base}",
            path=path,
            text=section.text,
            page=section.page,
            offset_start=section.start,
        )


def _declared(code: str, text: str) -> str:
    """Return the language that a document declares; "" where its script is another's: templates say en of any page."""
    told = written_language(text)
    return code if told in ("", code) or not {told, code} & _OWN_SCRIPTS else ""


def _last_part(source_uri: str) -> str:
    return unquote(urlsplit(source_uri).path.rstrip("/").rsplit("/", 1)[-1])


def _digest(*parts: str) -> str:
    return hashlib.sha256("\x00".join(parts).encode()).hexdigest()[:_ID_CHARS]
