"""What could not be called says what to do: both clients and the command line, over real sockets."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
from smartbrain import Client, DeadlineExceeded, SmartBrainError, Unavailable, Unimplemented

from brain_core import load_policy
from brain_server.app import App
from tests.clients.command import Brain
from tests.server.certificates import files
from tests.serving import start_server

START = "brain-server --data ./brain"


def told(open_client: type[Client], target: str, *, timeout: float = 10.0, ca: Path | None = None) -> SmartBrainError:
    """Give the error of a call to an address."""
    with open_client(target, timeout=timeout, retries=0, ca=ca) as client, pytest.raises(SmartBrainError) as caught:
        client.status()
    assert caught.value.hint in str(caught.value)
    return caught.value


@contextmanager
def plain_server(get_status: Any = None) -> Iterator[str]:  # noqa: ANN401  a handler of gRPC
    """Give the address of a server that speaks gRPC without encryption and knows no call of ours but `get_status`."""
    with ThreadPoolExecutor(1) as pool:
        other = grpc.server(pool)
        known = {"GetStatus": get_status} if get_status else {}
        other.add_generic_rpc_handlers([grpc.method_handlers_generic_handler("smartbrain.v1.AdminService", known)])
        port = other.add_insecure_port("127.0.0.1:0")
        other.start()
        yield f"127.0.0.1:{port}"
        other.stop(0).wait()


def closed_port() -> str:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return f"127.0.0.1:{taken.getsockname()[1]}"


@pytest.mark.parametrize("unix", [False, True])
def test_where_no_server_runs_the_command_to_start_one_is_said(
    folder: Path, open_client: type[Client], unix: bool
) -> None:
    target = f"unix:{folder}/nobody" if unix else closed_port()
    error = told(open_client, target)
    assert isinstance(error, Unavailable)
    assert START in error.hint
    ended = Brain(target).run("status")
    assert ended.returncode == 1
    assert ended.stderr.count(START) == 1
    assert f"no server answers at {target}" in ended.stderr


def test_a_proxy_whose_server_is_gone_says_so_too(open_client: type[Client]) -> None:
    def gone(_: bytes, context: grpc.ServicerContext) -> None:
        context.abort(grpc.StatusCode.UNAVAILABLE, "upstream connect error")

    handler: Any = grpc.unary_unary_rpc_method_handler(gone)
    with plain_server(handler) as target:
        assert START in told(open_client, target).hint
        assert START in Brain(target).run("status").stderr


@pytest.mark.parametrize("target", ["http://127.0.0.1:7700", "no-such-host.invalid:7700"])
def test_an_address_that_is_none_says_how_one_looks(open_client: type[Client], target: str) -> None:
    error = told(open_client, target)
    assert isinstance(error, Unavailable)
    assert "host:port" in error.hint
    assert "host:port" in Brain(target).run("status").stderr


def test_the_door_for_http_is_told_from_that_for_grpc(folder: Path, open_client: type[Client]) -> None:
    running = start_server(folder, "--http", "127.0.0.1:0")
    error = told(open_client, str(running.listening()["http"]).removeprefix("http://"))
    assert running.terminate() == 0
    assert "--listen" in error.hint


def test_who_encrypts_where_the_server_does_not(folder: Path, open_client: type[Client]) -> None:
    ca, _, _ = files(folder, "127.0.0.1")
    with plain_server() as target:
        error = told(open_client, target, ca=ca)
        ended = Brain(target).run("--ca", str(ca), "status")
    assert isinstance(error, Unavailable)
    assert "does not encrypt" in error.hint
    assert "does not encrypt" in ended.stderr


def test_who_does_not_encrypt_where_the_server_does(folder: Path, open_client: type[Client]) -> None:
    _, certificate, key = files(folder, "127.0.0.1")
    tls = {"certificate": str(certificate), "key": str(key)}
    app = App(folder / "data", load_policy({"server": {"tls": tls}}), ["127.0.0.1:0"])
    try:
        error = told(open_client, app.addresses[0])
        ended = Brain(app.addresses[0]).run("status")
    finally:
        app.stop()
    assert isinstance(error, Unavailable)
    assert "ca=" in error.hint
    assert "brain --ca" in ended.stderr


def test_a_server_that_does_not_know_the_call(open_client: type[Client]) -> None:
    with plain_server() as target:
        error = told(open_client, target)
        ended = Brain(target).run("status")
    assert isinstance(error, Unimplemented)
    assert "older than this client" in error.hint
    assert "older than this client" in ended.stderr


def test_no_answer_in_time_says_what_to_do(open_client: type[Client]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        error = told(open_client, f"127.0.0.1:{silent.getsockname()[1]}", timeout=0.3)
    assert isinstance(error, DeadlineExceeded)
    assert "timeout=" in error.hint
    assert "request_id" in error.hint
