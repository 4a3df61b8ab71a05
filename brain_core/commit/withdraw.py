"""A document goes out: hidden at once, its text taken from the store by `purge`."""

from __future__ import annotations

from collections.abc import Iterable

from smartbrain.v1.evidence_pb2 import Evidence
from smartbrain.v1.resource_service_pb2 import DeleteDocumentRequest, DeleteDocumentResponse

from brain_core.commit.pipeline import Prepared
from brain_core.commit.revisions import begin_revision, put_revision, set_withdrawn
from brain_core.commit.seen import answer_given, digest_of
from brain_core.env import Env
from brain_core.store import documents, log
from brain_core.store.kv import ReadView
from brain_core.store.v1.records_pb2 import ChunkRange, ChunkRecord, RequestRecord, SpaceRecord

_CHUNKS_AT_ONCE = 1000


def prepare_delete(view: ReadView, request: DeleteDocumentRequest, env: Env) -> Prepared[DeleteDocumentResponse]:
    """Work out what taking a document out changes. Raises NotFound or AlreadyExists."""
    memory_id = request.memory_id
    digest = digest_of(request)
    given = answer_given(view, memory_id, request.request_id, digest)
    if given is not None:
        return Prepared(DeleteDocumentResponse.FromString(given), None)
    old = documents.require_document(view, memory_id, request.document_id)
    space, change, batch = begin_revision(view, memory_id, env)
    change.hidden.extend(old.chunks)
    documents.delete_document(batch, old)
    set_withdrawn(space, [*space.withdrawn, *old.chunks])
    put_revision(batch, view, space, change)
    response = DeleteDocumentResponse(document=old.document, revision=change.revision)
    if request.request_id:
        kept = DeleteDocumentResponse.FromString(response.SerializeToString())
        if request.purge:  # both are of its text
            kept.document.ClearField("title")
            kept.document.ClearField("summary")
        record = RequestRecord(content_hash=digest, response=kept.SerializeToString())
        log.put_request(batch, request.request_id, record)
    return Prepared(response, batch, hidden=list(old.chunks))


def withdrawn_share(view: ReadView, memory_id: str) -> float:
    """Return the share of a memory's chunks that nobody finds and that still have their text."""
    space = log.read_space(view, memory_id) or SpaceRecord()
    return sum(one.count for one in space.withdrawn) / max(space.next_chunk, 1)


def prepare_purge(view: ReadView, memory_id: str, dimension: int, env: Env) -> Prepared[DeleteDocumentResponse]:
    """Work out the next batch that takes the text of withdrawn chunks; one without a batch if none is left."""
    space, change, batch = begin_revision(view, memory_id, env)
    if not space.withdrawn:
        return Prepared(DeleteDocumentResponse(), None)
    now, later = _first(space.withdrawn, _CHUNKS_AT_ONCE)
    change.purged = True
    space.purges += 1
    emptied = []
    for chunk in log.read_chunks(view, memory_id, documents.chunks_of(now)):
        emptied.append(blank(chunk, dimension))
        log.put_chunk(batch, emptied[-1])
        change.changed_chunks.append(chunk.ordinal)
    set_withdrawn(space, later)
    put_revision(batch, view, space, change)
    return Prepared(DeleteDocumentResponse(revision=change.revision), batch, changed=emptied, purged=True)


def blank(chunk: ChunkRecord, dimension: int) -> ChunkRecord:
    """Return what stays of a chunk: its place."""
    return ChunkRecord(
        ordinal=chunk.ordinal,
        kind=chunk.kind,
        evidence=Evidence(),
        position=chunk.position,
        time_us=chunk.time_us,
        newest_said_us=chunk.newest_said_us,
        vector=bytes(2 * dimension),
    )


def _first(ranges: Iterable[ChunkRange], most: int) -> tuple[list[ChunkRange], list[ChunkRange]]:
    """Return (the first `most` chunks of ranges, the others)."""
    now, later = [], []
    for one in ranges:
        taken = min(one.count, most)
        most -= taken
        now.append(ChunkRange(first=one.first, count=taken))
        later.append(ChunkRange(first=one.first + taken, count=one.count - taken))
    return documents.joined_ranges(now), documents.joined_ranges(later)
