"""Both clients on a line that breaks: nobody there, connections dropped, answers lost, a server that restarts."""

import socket
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import grpc
import pytest
from google.rpc.status_pb2 import Status
from smartbrain import Client, DeadlineExceeded, NotFound, Unavailable

from tests.clients.lines import answer_lost, dropped, line_to

if TYPE_CHECKING:
    from tests.serving import Server

USER = {"role": "user", "content": "My favourite tea is Longjing, from Hangzhou."}


def test_nobody_at_the_address(folder: Path, open_client: type[Client]) -> None:
    with open_client(f"unix:{folder}/nobody", retries=0) as client, pytest.raises(Unavailable):
        client.status()


def test_a_proxy_is_not_asked_for_the_server(
    server: "Server", open_client: type[Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("http_proxy", "https_proxy", "grpc_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.delenv("no_proxy", raising=False)
    with line_to(server) as target, open_client(target, retries=0) as client:
        assert client.status().version


@pytest.mark.parametrize("details", [b"\xff", Status(code=3, message="of another").SerializeToString()])
def test_details_that_a_proxy_has_garbled_leave_code_and_words(
    folder: Path, open_client: type[Client], details: bytes
) -> None:
    def refuse(_: bytes, context: grpc.ServicerContext) -> bytes:
        context.set_trailing_metadata((("grpc-status-details-bin", details),))
        context.abort(grpc.StatusCode.NOT_FOUND, "there is no such memory")

    handler: Any = grpc.unary_unary_rpc_method_handler(refuse)
    with ThreadPoolExecutor(1) as pool:
        refusing = grpc.server(pool)
        service = grpc.method_handlers_generic_handler("smartbrain.v1.AdminService", {"GetStatus": handler})
        refusing.add_generic_rpc_handlers([service])
        refusing.add_insecure_port(f"unix:{folder}/refusing")
        refusing.start()
        with (
            open_client(f"unix:{folder}/refusing") as client,
            pytest.raises(NotFound, match="no such memory") as caught,
        ):
            client.status()
        refusing.stop(0).wait()
    assert (caught.value.reason, caught.value.field) == ("", "")


def test_no_answer_in_time(folder: Path, open_client: type[Client]) -> None:
    with socket.socket(socket.AF_UNIX) as silent:
        silent.bind(f"{folder}/silent")
        silent.listen()
        with open_client(f"unix:{folder}/silent", timeout=0.2) as client, pytest.raises(DeadlineExceeded):
            client.status()


def test_a_dropped_connection_is_tried_again(server: "Server", memory_id: str, open_client: type[Client]) -> None:
    with (
        line_to(server, dropped, dropped) as target,
        open_client(target, memory_id=memory_id, timeout=30.0) as client,
    ):
        client.commit("chat", [USER])
        assert len(list(client.turns("chat"))) == 1


def test_an_upload_over_a_dropped_connection_is_tried_again(
    server: "Server", memory_id: str, open_client: type[Client]
) -> None:
    with line_to(server, dropped, dropped) as target, open_client(target, memory_id=memory_id) as client:
        parts = (b"The harbour crane is called Zebedee.\n\n" for _ in range(100))
        assert client.ingest(parts, document_id="a").outcome == "created"
        assert [document.document_id for document in client.list_documents()] == ["a"]


def test_without_retries_a_dropped_connection_is_an_error(server: "Server", open_client: type[Client]) -> None:
    with (
        line_to(server, dropped, dropped) as target,
        open_client(target, retries=0) as client,
        pytest.raises(Unavailable),
    ):
        client.status()


def test_a_commit_whose_answer_is_lost_is_there_once(
    server: "Server", memory_id: str, open_client: type[Client]
) -> None:
    lost = threading.Event()
    with (
        line_to(server, answer_lost(server, memory_id, lost)) as target,
        open_client(target, memory_id=memory_id, timeout=30.0) as client,
    ):
        committed = client.commit("chat", [USER])
        assert lost.is_set()
        assert [turn.turn_id for turn in client.turns("chat")] == [committed.turn_id]


def test_a_client_outlives_a_restart_of_its_server(start: "Callable[[], Server]") -> None:
    first = start()
    with Client(first.target, memory_id="m", timeout=30.0) as client:
        committed = client.commit("chat", [USER])
        first.process.kill()
        first.process.wait()
        start()
        assert [turn.turn_id for turn in client.turns("chat")] == [committed.turn_id]
