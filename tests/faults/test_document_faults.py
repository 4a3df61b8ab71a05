"""kill -9 while a document goes in or out: the version that was shown stays whole until the next one is."""

from __future__ import annotations

import grpc
import pytest
from smartbrain.v1.admin_service_pb2 import VerifyRequest
from smartbrain.v1.resource_service_pb2 import (
    DeleteDocumentRequest,
    DocumentHeader,
    IngestDocumentRequest,
    IngestDocumentResponse,
    ListDocumentsRequest,
)

from brain_core.commit.ingest import CHUNKS_AT_ONCE
from tests.faults.victim import Victim
from tests.server.asking import refusal, retrieve
from tests.serving import Stubs

CONFIG = "documents: {purge_share: 1}"
SECTIONS = 3 * CHUNKS_AT_ONCE + 10
BATCHES = 4
"""Of a document of as many sections."""


def text(version: str) -> str:
    """Return a document whose every section is another in each version."""
    return "\n\n".join(f"# Part {n}\n\nPart {n} of version {version} is {version}{n}." for n in range(SECTIONS))


def ingest(stubs: Stubs, memory_id: str, version: str) -> IngestDocumentResponse:
    header = DocumentHeader(memory_id=memory_id, source_uri="file:///parts.md", media_type="text/markdown")
    parts = [IngestDocumentRequest(header=header), IngestDocumentRequest(content=text(version).encode())]
    return stubs.resources.IngestDocument(iter(parts))


def found(stubs: Stubs, memory_id: str, word: str) -> int:
    """Return how many evidences have a word."""
    return len(stubs.retrieval.Retrieve(retrieve(memory_id, word)).pack.evidences)


def check(stubs: Stubs, memory_id: str, **versions: int) -> None:
    """Check that parts of versions are found as often as said, and that the memory is sound."""
    for version, times in versions.items():
        for number in (0, CHUNKS_AT_ONCE, SECTIONS - 1):
            assert found(stubs, memory_id, f"{version}{number}") == times
    answers = list(stubs.admin.Verify(VerifyRequest(memory_id=memory_id)))
    assert [problem for answer in answers for problem in answer.problems] == []


@pytest.mark.parametrize(
    ("point", "nth"), [("batch written", 1), ("index has followed", BATCHES - 1), ("batch written", BATCHES)]
)
def test_a_document_that_dies_half_way_is_not_there(victim: Victim, point: str, nth: int) -> None:
    memory_id = f"{point} {nth}"
    with victim.server.stubs() as stubs:
        assert ingest(stubs, memory_id, "qzold").outcome == "created"
        victim.die_at(point, nth)
        assert refusal(lambda: ingest(stubs, memory_id, "qznew")).code == grpc.StatusCode.UNAVAILABLE
    victim.wait_for_death()
    with victim.server.stubs() as stubs:
        check(stubs, memory_id, qznew=int(nth == BATCHES), qzold=int(nth < BATCHES))
        assert ingest(stubs, memory_id, "qznew").outcome == ("unchanged" if nth == BATCHES else "replaced")
        check(stubs, memory_id, qznew=1, qzold=0)


@pytest.mark.parametrize(("point", "nth"), [("batch written", 1), ("index has followed", 2)])
def test_a_deletion_that_dies_is_made_or_not_and_its_text_can_be_purged(victim: Victim, point: str, nth: int) -> None:
    memory_id = f"deleted {point} {nth}"
    request = DeleteDocumentRequest(memory_id=memory_id, document_id="file:///parts.md", purge=True, request_id="once")
    with victim.server.stubs() as stubs:
        ingest(stubs, memory_id, "qzold")
        ingest(stubs, memory_id, "qznew")  # what it replaces is to be purged too: more than one batch
        victim.die_at(point, nth)
        assert refusal(lambda: stubs.resources.DeleteDocument(request)).code == grpc.StatusCode.UNAVAILABLE
    victim.wait_for_death()
    with victim.server.stubs() as stubs:
        check(stubs, memory_id, qznew=0, qzold=0)
        assert stubs.resources.DeleteDocument(request).document.sections == SECTIONS
        assert len(stubs.resources.ListDocuments(ListDocumentsRequest(memory_id=memory_id)).documents) == 0
        assert found(stubs, memory_id, "version") == 0
        assert b"of version" not in b"".join(file.read_bytes() for file in (victim.folder / "data/index").glob("*"))
