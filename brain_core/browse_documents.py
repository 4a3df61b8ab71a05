"""Reading documents back, as they are now."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from smartbrain.v1.resource_service_pb2 import (
    Document,
    DocumentSection,
    GetDocumentRequest,
    GetDocumentResponse,
    ListDocumentsRequest,
    ListDocumentsResponse,
)

from brain_core import paging
from brain_core.check import check_count, check_id
from brain_core.policy import Limits
from brain_core.store import documents, keys
from brain_core.store.kv import ReadView
from brain_core.store.log import read_chunks, require_memory
from brain_core.store.v1.records_pb2 import ChunkRecord, SectionRecord
from brain_core.text.windows import summary_of

_MOST_DIGITS = 9
_LABELS = 1000


def document(view: ReadView, request: GetDocumentRequest, limits: Limits) -> GetDocumentResponse:
    """Give a document, with a page of its sections if asked for; raise NotFound."""
    check_id("memory_id", request.memory_id, limits.id_bytes)
    check_id("document_id", request.document_id, limits.uri_bytes)
    size = paging.page_size(request.page_size, limits)
    start = paging.number_of(request.page_token, _MOST_DIGITS)
    require_memory(view, request.memory_id)
    found = documents.require_document(view, request.memory_id, request.document_id).document
    answer = GetDocumentResponse(document=found, revision=view.revision(keys.memory(request.memory_id)))
    if request.include_sections:
        stored = documents.scan_sections(view, request.memory_id, found.document_id, start)
        page, more = paging.filled((_section(view, request.memory_id, one) for one in stored), size)
        answer.sections.extend(page)
        answer.next_page_token = paging.token_of(str(start + len(page))) if more else ""
    return answer


def list_documents(view: ReadView, request: ListDocumentsRequest, limits: Limits) -> ListDocumentsResponse:
    """Give a page of documents by id."""
    check_id("memory_id", request.memory_id, limits.id_bytes)
    check_id("source_uri_prefix", request.source_uri_prefix, limits.uri_bytes, required=False)
    check_count("tag_ids", len(request.tag_ids), _LABELS)
    size = paging.page_size(request.page_size, limits)
    after = paging.place_of(request.page_token)
    require_memory(view, request.memory_id)
    page, more = paging.filled(_wanted(view, request, after), size)
    return ListDocumentsResponse(
        documents=page,
        next_page_token=paging.token_of(page[-1].document_id) if more else "",
        revision=view.revision(keys.memory(request.memory_id)),
    )


def _wanted(view: ReadView, request: ListDocumentsRequest, after: str) -> Iterator[Document]:
    tags = set(request.tag_ids)
    for record in documents.scan_documents(view, request.memory_id, after):
        found = record.document
        if found.source_uri.startswith(request.source_uri_prefix) and (not tags or tags & set(found.tag_ids)):
            yield found


def _section(view: ReadView, memory_id: str, record: SectionRecord) -> DocumentSection:
    text = _text(read_chunks(view, memory_id, documents.chunks_of([record.chunks])))
    return DocumentSection(
        section_id=record.section_id,
        path=record.path,
        summary=summary_of(text),
        text=text,
        page=record.page,
        offset_start=record.offset_start,
    )


def _text(chunks: Sequence[ChunkRecord]) -> str:
    """Return the text that windows were cut from, but for the sort of white space between them."""
    parts: list[str] = []
    at = 0
    for chunk in chunks:
        place = chunk.evidence.metadata
        gap = place.offset_start - at
        parts += ["\n" * min(gap, 2) if parts else "", chunk.evidence.snippet]
        at = place.offset_end
    return "".join(parts)
