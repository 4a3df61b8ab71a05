"""Streams of IngestDocument: bad ones, broken ones, many at once, and beside commits and composes."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import grpc
import pytest
from smartbrain.v1.admin_service_pb2 import VerifyRequest
from smartbrain.v1.resource_service_pb2 import (
    DocumentHeader,
    GetDocumentRequest,
    IngestDocumentRequest,
    IngestDocumentResponse,
    ListDocumentsRequest,
)
from smartbrain.v1.resource_service_pb2_grpc import ResourceServiceStub

from tests.server.asking import commit, compose, missing, refusal
from tests.serving import Server, start_server

_SECONDS = 60
LIMIT = 100_000


def header(memory_id: str, document_id: str = "a", **fields: Any) -> IngestDocumentRequest:  # noqa: ANN401
    return IngestDocumentRequest(header=DocumentHeader(memory_id=memory_id, document_id=document_id, **fields))


def stream(memory_id: str, text: str, document_id: str = "a") -> Iterator[IngestDocumentRequest]:
    """Yield all of a document, in parts of 1,000 bytes."""
    content = text.encode()
    yield header(memory_id, document_id, states_size=True)
    for at in range(0, len(content), 1000):
        yield IngestDocumentRequest(content=content[at : at + 1000])
    yield IngestDocumentRequest(size_bytes=len(content))


def long_text(word: str, sections: int = 600) -> str:
    return "".join(f"# {word} {number}\n\nThe {word} of door {number} is green.\n\n" for number in range(sections))


def documents(resources: ResourceServiceStub, memory_id: str) -> list[str]:
    listed = resources.ListDocuments(ListDocumentsRequest(memory_id=memory_id))
    return [document.document_id for document in listed.documents]


def spooled(server: Server) -> list[Path]:
    return list((server.data / "spool").iterdir())


def wait_until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + _SECONDS
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.01)


CONTENT = IngestDocumentRequest(content=b"The harbour crane.")
SIZE = IngestDocumentRequest(size_bytes=18)


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ((), "requests[0]"),
        ((IngestDocumentRequest(),), "requests[0]"),
        ((CONTENT,), "requests[0]"),
        ((header("m"), CONTENT, header("m"), CONTENT), "requests[2]"),
        ((header("m", states_size=True), CONTENT), "size_bytes"),
        ((header("m", states_size=True), CONTENT, IngestDocumentRequest(size_bytes=17)), "size_bytes"),
        ((header("m"), CONTENT, IngestDocumentRequest(size_bytes=19)), "size_bytes"),
        ((header("m", states_size=True), CONTENT, SIZE, CONTENT), "requests[3]"),
        ((header("m", states_size=True), CONTENT, SIZE, SIZE), "requests[3]"),
        ((header("m", ":"), CONTENT), "header.document_id"),
        ((header(""), CONTENT), "header.memory_id"),
    ],
)
def test_a_bad_stream_is_refused_by_name(
    server: Server, memory_id: str, sent: Sequence[IngestDocumentRequest], field: str
) -> None:
    for request in sent:
        if request.header.memory_id:
            request.header.memory_id = memory_id
    with server.channel() as channel:
        resources = ResourceServiceStub(channel)
        refused = refusal(lambda: resources.IngestDocument(iter(sent)))
        assert refused.code == grpc.StatusCode.INVALID_ARGUMENT
        assert refused.facts["field"] == field
        assert refusal(lambda: documents(resources, memory_id)).code == grpc.StatusCode.NOT_FOUND


def test_a_stream_that_states_no_size_is_taken_as_it_comes(server: Server, memory_id: str) -> None:
    with server.channel() as channel:
        resources = ResourceServiceStub(channel)
        resources.IngestDocument(iter([header(memory_id), CONTENT, CONTENT]))
        resources.IngestDocument(iter([header(memory_id, "b"), CONTENT, SIZE]))
        assert documents(resources, memory_id) == ["a", "b"]


@pytest.fixture
def small(folder: Path) -> Iterator[Server]:
    """Give a server that takes documents of LIMIT bytes and no more."""
    running = start_server(folder, config=f"limits: {{document_bytes: {LIMIT}}}")
    yield running
    assert running.terminate() == 0


def test_content_over_the_limit_is_refused_as_soon_as_it_is(small: Server) -> None:
    sent = 0

    def endless() -> Iterator[IngestDocumentRequest]:
        nonlocal sent
        yield header("m", states_size=True)
        while True:
            sent += 1000
            yield IngestDocumentRequest(content=b"x" * 1000)

    with small.channel() as channel:
        resources = ResourceServiceStub(channel)
        refused = refusal(lambda: resources.IngestDocument(endless()))
        assert refused.code == grpc.StatusCode.INVALID_ARGUMENT
        assert refused.facts["field"] == "content"
        assert refused.facts["limit"] == f"{LIMIT} bytes"
        assert spooled(small) == []
        resources.IngestDocument(stream("m", "x" * LIMIT))


def test_streams_that_are_cut_off_half_way_leave_nothing(small: Server) -> None:
    """A cancelled stream may look to the server as one that has ended: the size tells."""
    with small.channel() as channel:
        resources = ResourceServiceStub(channel)
        resources.IngestDocument(stream("m", "Before.", "before"))
        for number in range(100):
            begun, over = threading.Event(), threading.Event()

            def half(number: int = number, begun: threading.Event = begun, over: threading.Event = over) -> Any:  # noqa: ANN401
                yield header("m", f"cut-{number}", states_size=True)
                yield CONTENT
                begun.set()
                over.wait(_SECONDS)

            call = resources.IngestDocument.future(half())
            assert begun.wait(_SECONDS)
            time.sleep(number / 50_000)
            call.cancel()
            over.set()
        wait_until(lambda: spooled(small) == [])
        resources.IngestDocument(stream("m", "After.", "z-after"))
        assert documents(resources, "m") == ["before", "z-after"]


def test_two_clients_that_ingest_the_same_document_make_one(server: Server, memory_id: str) -> None:
    """Of each content one of the two is told that it changed something; the last one in is there, whole."""
    texts = [long_text("qzone"), long_text("qztwo")]

    def ingest(number: int) -> IngestDocumentResponse:
        with server.channel() as channel:
            return ResourceServiceStub(channel).IngestDocument(stream(memory_id, texts[number % 2]))

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(ingest, range(8)))
    assert [answer.outcome for answer in answers].count("created") == 1
    with server.stubs() as stubs, server.channel() as channel:
        last = max(answers, key=lambda answer: answer.revision)
        document = ResourceServiceStub(channel).GetDocument(GetDocumentRequest(memory_id=memory_id, document_id="a"))
        assert document.document.content_hash == last.document.content_hash
        assert [list(answer.problems) for answer in stubs.admin.Verify(VerifyRequest(memory_id=memory_id))] == [[]]


def test_commits_and_composes_go_on_meanwhile(server: Server, memory_id: str) -> None:
    ended = threading.Event()

    def ingest() -> int:
        try:
            with server.channel() as channel:
                resources = ResourceServiceStub(channel)
                return sum(
                    resources.IngestDocument(stream(memory_id, long_text(f"qz{letter}q"), letter)).document.sections
                    for letter in "abcd"
                )
        finally:
            ended.set()

    said: dict[str, str] = {}
    with ThreadPoolExecutor(1) as pool, server.stubs() as stubs:
        stubs.brain.CommitTurn(commit(memory_id, "s", "We begin."))
        taken_in = pool.submit(ingest)
        seen = 0
        while not ended.is_set():
            word = f"qw{''.join(chr(ord('a') + int(digit)) for digit in f'{len(said):04d}')}"
            said[word] = f"The code word is {word}."
            stubs.brain.CommitTurn(commit(memory_id, "s", said[word]))
            package = stubs.brain.ComposeContext(compose(memory_id, "other", f"What about {word}?")).context
            seen += any(word in evidence.snippet for evidence in package.evidence)
        assert taken_in.result() > 0
        assert said
        assert seen == len(said)
        assert missing(stubs, memory_id, said) == []
        assert [list(answer.problems) for answer in stubs.admin.Verify(VerifyRequest(memory_id=memory_id))] == [[]]
