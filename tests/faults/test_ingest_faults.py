"""kill -9 amid an ingest: the older version is whole and found, nothing of the newer; again, it goes in."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest
import yaml
from smartbrain.v1.admin_service_pb2 import GetStatusRequest, VerifyRequest
from smartbrain.v1.event_pb2 import Ref
from smartbrain.v1.resource_service_pb2 import (
    DocumentHeader,
    GetDocumentRequest,
    IngestDocumentRequest,
    ListDocumentsRequest,
)
from smartbrain.v1.resource_service_pb2_grpc import ResourceServiceStub

from tests.faults.victim import Victim
from tests.server.asking import commit, retrieve
from tests.serving import Server, Stubs

SECTIONS = 900
"""More than three batches, so that two are hidden when the third dies."""

_URI = "file:///doors.md"


def text(word: str) -> bytes:
    return "".join(
        f"# {word} {number}\n\nThe {word} of 门 {number} is green.\n\n" for number in range(SECTIONS)
    ).encode()


def stream(content: bytes) -> Iterator[IngestDocumentRequest]:
    yield IngestDocumentRequest(header=DocumentHeader(memory_id="m", source_uri=_URI, states_size=True))
    for at in range(0, len(content), 10_000):
        yield IngestDocumentRequest(content=content[at : at + 10_000])
    yield IngestDocumentRequest(size_bytes=len(content))


def check(server: Server, word: str, absent: str) -> None:
    """Check that the document of a word is there, whole and found, and nothing of the other; doctor is content."""
    with server.stubs() as stubs, server.channel() as channel:
        asked = GetDocumentRequest(memory_id="m", document_id=_URI, include_sections=True, page_size=1000)
        answer = ResourceServiceStub(channel).GetDocument(asked)
        whole = "\n\n".join(section.text for section in answer.sections)
        assert whole.count(f"The {word} of ") == SECTIONS
        assert found(stubs, word)
        assert not found(stubs, absent)
        assert [list(one.problems) for one in stubs.admin.Verify(VerifyRequest())] == [[]]
        assert list((server.data / "spool").iterdir()) == []


def found(stubs: Stubs, word: str) -> bool:
    pack = stubs.retrieval.Retrieve(retrieve("m", word)).pack
    return any(word in evidence.snippet for evidence in pack.evidences)


def ingest(server: Server, word: str) -> str:
    with server.channel() as channel:
        return str(ResourceServiceStub(channel).IngestDocument(stream(text(word))).outcome)


@pytest.mark.parametrize("batches", [1, 3])
def test_killed_between_the_batches_of_a_document(folder: Path, batches: int) -> None:
    victim = Victim(folder)
    assert ingest(victim.server, "qzold") == "created"
    victim.die_at("batch written", batches)
    with pytest.raises(grpc.RpcError) as died:
        ingest(victim.server, "qznew")
    assert died.value.code() == grpc.StatusCode.UNAVAILABLE
    victim.wait_for_death()
    check(victim.server, "qzold", absent="qznew")
    assert ingest(victim.server, "qznew") == "replaced"
    check(victim.server, "qznew", absent="qzold")
    victim.stop()


def test_killed_while_the_content_comes(folder: Path) -> None:
    victim = Victim(folder)
    ingest(victim.server, "qzold")

    def half(server: Server) -> Iterator[IngestDocumentRequest]:
        sent = list(stream(text("qznew")))
        yield from sent[: len(sent) // 2]
        wait_for_content(server.data / "spool")
        server.kill()

    with victim.server.channel() as channel, pytest.raises(grpc.RpcError):
        ResourceServiceStub(channel).IngestDocument(half(victim.server))
    victim.wait_for_death()
    assert list((folder / "data/spool").iterdir())
    check(victim.server, "qzold", absent="qznew")
    victim.stop()


def wait_for_content(spool: Path) -> None:
    deadline = time.monotonic() + 60
    while not any(file.stat().st_size for file in spool.iterdir()):
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.mark.parametrize(
    "point", ["file about to be taken in", "file's batch written", "file taken in", "refs counted as followed"]
)
def test_killed_amid_a_file_that_a_turn_refers_to(folder: Path, point: str) -> None:
    """It is taken in by the next run, once, and the turns after it too."""
    root = folder / "root"
    root.mkdir()
    names = ("one.md", "二.md")
    for name in names:
        (root / name).write_text(f"# {name}\n\nThe code word of {name} is qzcode.\n", "utf-8")
    victim = Victim(folder, yaml.safe_dump({"documents": {"ingest_refs": {"roots": [str(root)]}}}))
    with victim.server.stubs() as stubs:
        victim.die_at(point)
        first = commit("m", "s", "See the file.", request_id="r")
        first.turn.refs.append(Ref(ref_type="file", uri=(root / names[0]).as_uri()))
        with contextlib.suppress(grpc.RpcError):  # it may die before the answer is sent
            stubs.brain.CommitTurn(first)
    victim.wait_for_death()
    with victim.server.stubs() as stubs, victim.server.channel() as channel:
        stubs.brain.CommitTurn(first)
        request = commit("m", "s", "See the other file.")
        request.turn.refs.append(Ref(ref_type="artifact", uri=str(root / names[1])))
        stubs.brain.CommitTurn(request)
        deadline = time.monotonic() + 60
        while (status := stubs.admin.GetStatus(GetStatusRequest())).turns_to_follow:
            assert time.monotonic() < deadline, status
            time.sleep(0.01)
        assert (status.refs_skipped, status.follow_problem) == (0, "")
        listed = ResourceServiceStub(channel).ListDocuments(ListDocumentsRequest(memory_id="m")).documents
        assert sorted(one.source_uri for one in listed) == sorted((root / name).as_uri() for name in names)
        assert found(stubs, "qzcode")
        assert [list(one.problems) for one in stubs.admin.Verify(VerifyRequest())] == [[]]
    victim.stop()
