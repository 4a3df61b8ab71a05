"""A real brain-server over a real socket, and both clients behind one shape."""

import asyncio
import shutil
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Self, cast

import pytest
from smartbrain import AsyncClient, Client, Unavailable


@dataclass(slots=True)
class Server:
    """A running brain-server."""

    target: str
    data: Path
    process: subprocess.Popen[bytes]

    def stop(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def start_server(data: Path, target: str, log: Path) -> Server:
    """Start brain-server and wait until it answers."""
    binary = shutil.which("brain-server", path=Path(sys.executable).parent)
    assert binary is not None, "brain-server is not installed in this environment"
    with log.open("ab") as output:
        process = subprocess.Popen(
            [binary, "--data", str(data), "--listen", target], stdout=output, stderr=subprocess.STDOUT
        )
    server = Server(target, data, process)
    with Client(target, retries=0) as client:
        while True:
            try:
                client.status()
            except Unavailable:
                assert process.poll() is None, log.read_text(errors="replace")
                time.sleep(0.05)
            else:
                return server


@pytest.fixture
def folder() -> Iterator[Path]:
    """Give a folder with a name short enough for a unix socket."""
    with tempfile.TemporaryDirectory(prefix="brain-", ignore_cleanup_errors=True) as name:
        yield Path(name)


@pytest.fixture
def start(folder: Path) -> Iterator[Callable[[], Server]]:
    """Give a function that starts a server on `folder`, the next one where the one before was killed."""
    started: list[Server] = []

    def once_more() -> Server:
        started.append(start_server(folder / "data", f"unix:{folder}/sock", folder / "log"))
        return started[-1]

    yield once_more
    for server in started:
        server.stop()


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    with tempfile.TemporaryDirectory(prefix="brain-", ignore_cleanup_errors=True) as name:
        started = start_server(Path(name) / "data", f"unix:{name}/sock", Path(name) / "log")
        yield started
        started.stop()


@pytest.fixture
def memory_id() -> str:
    """Give a memory that no other test touches."""
    return f"memory-{uuid.uuid4().hex}"


class Blocking:
    """An AsyncClient whose verbs wait and whose streams come as lists, so that one test speaks for both clients."""

    def __init__(self, target: str, *, memory_id: str | None = None, timeout: float = 10.0, retries: int = 4) -> None:
        async def opened() -> AsyncClient:
            return AsyncClient(target, memory_id=memory_id, timeout=timeout, retries=retries)

        self._runner = asyncio.Runner()
        self._client = self._runner.run(opened())

    def __getattr__(self, verb: str) -> Callable[..., object]:
        async def finished(outcome: Awaitable[object] | AsyncIterator[object]) -> object:
            return [each async for each in outcome] if isinstance(outcome, AsyncIterator) else await outcome

        return lambda *args, **options: self._runner.run(finished(getattr(self._client, verb)(*args, **options)))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._runner.run(self._client.close())
        self._runner.close()


@pytest.fixture(params=["sync", "async"])
def open_client(request: pytest.FixtureRequest) -> type[Client]:
    """How to open the client under test."""
    return Client if request.param == "sync" else cast("type[Client]", Blocking)


@pytest.fixture
def client(server: Server, memory_id: str, open_client: type[Client]) -> Iterator[Client]:
    with open_client(server.target, memory_id=memory_id, timeout=30.0) as opened:
        yield opened
