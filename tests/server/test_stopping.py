"""A graceful stop: what has come is answered, what comes is refused as of a server that stops."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import grpc
from smartbrain.v1.admin_service_pb2 import GetStatusRequest
from smartbrain.v1.brain_service_pb2_grpc import BrainServiceStub
from smartbrain.v1.resource_service_pb2 import (
    DocumentHeader,
    IngestDocumentRequest,
    IngestDocumentResponse,
    ListDocumentsRequest,
)

from brain_core import load_policy
from brain_server.app import App
from tests.server.asking import commit, compose, refusal
from tests.serving import start_server

_CLIENTS = 24


def test_calls_that_come_as_the_server_stops_are_answered_or_unavailable(folder: Path) -> None:
    """Those that came in the moment of the stop ended as CANCELLED, which no client tries again."""
    server = start_server(folder, config="store: {durability: process}")
    ends: Counter[tuple[str, str]] = Counter()
    begun = threading.Barrier(_CLIENTS + 1)

    def ask(number: int) -> None:
        with server.stubs() as stubs:
            begun.wait(30)
            while True:
                try:
                    if number % 2:
                        stubs.brain.ComposeContext(compose("m", "s", "Which bridge? 哪座桥？"), timeout=30)
                    else:
                        stubs.brain.CommitTurn(commit("m", f"s{number}", "The bridge is blue."), timeout=30)
                except grpc.RpcError as error:
                    ends[error.code().name, error.details() or ""] += 1
                    return

    with server.stubs() as stubs:
        stubs.brain.CommitTurn(commit("m", "s", "The bridge is blue."))
    clients = [threading.Thread(target=ask, args=(number,)) for number in range(_CLIENTS)]
    for client in clients:
        client.start()
    begun.wait(30)
    time.sleep(0.5)
    assert server.terminate() == 0
    for client in clients:
        client.join(60)
    assert {code for code, _ in ends} == {"UNAVAILABLE"}, ends
    assert all("the server is stopping" in told or "connect" in told for _, told in ends), ends


def test_a_call_that_comes_before_grpc_stops_is_refused_by_name(folder: Path) -> None:
    app = App(folder / "data", load_policy({}), [f"unix:{folder}/sock"])
    try:
        with grpc.insecure_channel(f"unix:{folder}/sock") as channel:
            stub = BrainServiceStub(channel)
            stub.CommitTurn(commit("m", "s", "The bridge is blue."), timeout=30)
            app._draining.refuse_new(0.0)
            for call in (
                partial(stub.CommitTurn, commit("m", "s", "One more."), timeout=30),
                partial(stub.ComposeContext, compose("m", "s", "哪座桥？"), timeout=30),
            ):
                refused = refusal(call)
                assert (refused.code, refused.reason) == (grpc.StatusCode.UNAVAILABLE, "STOPPING")
    finally:
        app.stop()


_WAIT_SECONDS = 60


def _document(sections: int) -> Iterator[IngestDocumentRequest]:
    text = "".join(f"# Door {number}\n\nThe key of 门 {number} is blue.\n\n" for number in range(sections)).encode()
    yield IngestDocumentRequest(header=DocumentHeader(memory_id="m", document_id="doors.md", states_size=True))
    for at in range(0, len(text), 1 << 20):
        yield IngestDocumentRequest(content=text[at : at + (1 << 20)])
    yield IngestDocumentRequest(size_bytes=len(text))


def _ingested_while_it_stops(folder: Path, sections: int, grace_seconds: float) -> IngestDocumentResponse:
    """Have a server stop once parts of a document are in its store, and return what it answers."""
    server = start_server(folder, config=f"server: {{grace_seconds: {grace_seconds}}}\nstore: {{durability: process}}")
    try:
        with server.stubs() as stubs:
            answer = stubs.resources.IngestDocument.future(_document(sections), timeout=_WAIT_SECONDS)
            until = time.monotonic() + _WAIT_SECONDS
            while not stubs.admin.GetStatus(GetStatusRequest()).memories:
                assert time.monotonic() < until
                time.sleep(0.01)
            server.process.terminate()
            return answer.result()
    finally:
        assert server.terminate() == 0


def _documents(folder: Path) -> list[str]:
    server = start_server(folder)
    with server.stubs() as stubs:
        listed = stubs.resources.ListDocuments(ListDocumentsRequest(memory_id="m"))
    assert server.terminate() == 0
    return [document.document_id for document in listed.documents]


def test_a_document_that_is_in_within_the_grace_is_acknowledged(folder: Path) -> None:
    assert _ingested_while_it_stops(folder, 5_000, grace_seconds=50).outcome == "created"
    assert _documents(folder) == ["doors.md"]


def test_a_document_that_takes_longer_than_the_grace_is_refused_and_not_there(folder: Path) -> None:
    """It was stored whole behind a call that gRPC had cancelled as the grace was over."""
    refused = refusal(lambda: _ingested_while_it_stops(folder, 60_000, grace_seconds=1))
    assert (refused.code, refused.reason) == (grpc.StatusCode.UNAVAILABLE, "STOPPING")
    assert refused.message == "the server is stopping: nothing of this document was taken in"
    assert "send it again" in refused.facts["hint"]
    assert _documents(folder) == []
