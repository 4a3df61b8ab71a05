"""No server outlives its test, and one that speaks HTTP too."""

import tempfile
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.over_http import Http
from tests.server.strays import stopped_strays
from tests.serving import Server, Stubs, start_server


@pytest.fixture(autouse=True)
def no_server_stays() -> Iterator[None]:
    """Stop what a failed test leaves running."""
    with stopped_strays():
        yield


@pytest.fixture(scope="session")
def http_server() -> Iterator[Server]:
    """Give one server over HTTP for all tests that only need a memory of their own."""
    with tempfile.TemporaryDirectory(prefix="brain-", ignore_cleanup_errors=True) as name:
        running = start_server(Path(name), "--http", "127.0.0.1:0")
        yield running
        assert running.terminate() == 0, running.log.read_text(errors="replace")


@pytest.fixture
def http(http_server: Server) -> Http:
    """Give what asks it."""
    return Http.of(http_server)


@pytest.fixture
def stubs(http_server: Server) -> Iterator[Stubs]:
    """Give what asks the same server over gRPC."""
    with http_server.stubs() as opened:
        yield opened


@pytest.fixture
def memory_id() -> str:
    """Give the name of a memory that no other test has."""
    return f"m-{uuid.uuid4().hex}"
