"""Documents: what is known of each, its sections, and the labels and addresses under which it is named."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from urllib.parse import quote

from brain_core.errors import NotFound
from brain_core.store import keys
from brain_core.store.kv import Batch, ReadView
from brain_core.store.v1.records_pb2 import ChunkRange, DocumentRecord, SectionRecord

_OF_ADDRESSES = "%:/?#[]@!$&'()*+,;=~"
"""What quoting leaves in an address: reserved characters of RFC 3986, and what is quoted already."""


def read_document(view: ReadView, memory_id: str, document_id: str) -> DocumentRecord | None:
    """Return a document, or None."""
    found = view.get(keys.memory(memory_id), keys.document(document_id))
    return None if found is None else DocumentRecord.FromString(found)


def id_at(view: ReadView, memory_id: str, source_uri: str) -> str:
    """Return the id of the document of an address; "" if there is none."""
    return (view.get(keys.memory(memory_id), keys.address(source_uri)) or b"").decode()


def require_document(view: ReadView, memory_id: str, name: str) -> DocumentRecord:
    """Return the document that has a name as its id or address; raise NotFound.

    An address that is stored percent-encoded may be named in plain letters, too.
    """
    found = read_document(view, memory_id, name)
    for address in (name, quote(name, safe=_OF_ADDRESSES)):
        if found is None:
            found = read_document(view, memory_id, id_at(view, memory_id, address) or name)
    if found is None:
        raise NotFound(
            f"document_id: memory {memory_id!r} has no document {name!r}",
            field="document_id",
            value=name,
            limit="the id or source_uri of a document of the memory",
            hint="ListDocuments names those there are; that of a file begins with file:///",
        )
    return found


def scan_documents(view: ReadView, memory_id: str, after: str = "") -> Iterator[DocumentRecord]:
    """Yield documents by id, past one."""
    start = keys.document(after) if after else b""
    for _, value in view.scan(keys.memory(memory_id), keys.DOCUMENTS, after=start):
        yield DocumentRecord.FromString(value)


def scan_sections(view: ReadView, memory_id: str, document_id: str, first: int = 0) -> Iterator[SectionRecord]:
    """Yield a document's sections in order, from the n-th on."""
    after = keys.section(document_id, first - 1) if first else b""
    for _, value in view.scan(keys.memory(memory_id), keys.sections(document_id), after=after):
        yield SectionRecord.FromString(value)


def labelled_documents(view: ReadView, memory_id: str, kind: bytes, label: str) -> list[str]:
    """Return the ids of the documents with a label. kind: keys.TAGS or keys.TOPICS."""
    prefix = keys.labelled(kind, label)
    return [key[len(prefix) :].decode() for key, _ in view.scan(keys.memory(memory_id), prefix)]


def put_document(
    batch: Batch, old: DocumentRecord | None, new: DocumentRecord, sections: Sequence[SectionRecord]
) -> None:
    """Put a document in the place of its older version."""
    if old is not None:
        delete_document(batch, old, keep_sections=len(sections))
    document = new.document
    document_id = document.document_id
    batch.put(keys.document(document_id), new.SerializeToString())
    batch.put(keys.address(document.source_uri), document_id.encode())
    for number, section in enumerate(sections):
        batch.put(keys.section(document_id, number), section.SerializeToString())
    for key in _labels(new):
        batch.put(key, b"")


def delete_document(batch: Batch, old: DocumentRecord, keep_sections: int = 0) -> None:
    """Remove a document's records, those of its first sections excepted. Its chunks stay."""
    document = old.document
    batch.delete(keys.document(document.document_id))
    batch.delete(keys.address(document.source_uri))
    for number in range(keep_sections, document.sections):
        batch.delete(keys.section(document.document_id, number))
    for key in _labels(old):
        batch.delete(key)


def _labels(record: DocumentRecord) -> Iterator[bytes]:
    document = record.document
    own = document.document_id.encode()
    for kind, labels in ((keys.TAGS, document.tag_ids), (keys.TOPICS, document.topic_ids)):
        for label in labels:
            yield keys.labelled(kind, label) + own


def joined_ranges(ranges: Sequence[ChunkRange]) -> list[ChunkRange]:
    """Return the same chunks in the same order in as few ranges as there can be."""
    found: list[ChunkRange] = []
    for one in ranges:
        if one.count == 0:
            continue
        if found and found[-1].first + found[-1].count == one.first:
            found[-1].count += one.count
        else:
            found.append(ChunkRange(first=one.first, count=one.count))
    return found


def without_ranges(ranges: Sequence[ChunkRange], removed: Sequence[ChunkRange]) -> list[ChunkRange]:
    """Return the chunks of ranges that are in none of those removed."""
    left = list(ranges)
    for gone in removed:
        stop = gone.first + gone.count
        left = [
            ChunkRange(first=first, count=end - first)
            for one in left
            for first, end in (
                (one.first, min(one.first + one.count, gone.first)),
                (max(one.first, stop), one.first + one.count),
            )
            if first < end
        ]
    return left


def chunks_of(ranges: Sequence[ChunkRange]) -> list[int]:
    """Return the ordinals in ranges, in order."""
    return [ordinal for one in ranges for ordinal in range(one.first, one.first + one.count)]
