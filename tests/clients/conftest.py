"""Both clients behind one shape, and a server that can be started again."""

import asyncio
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import Self, cast

import pytest
from smartbrain import AsyncClient, Client

from tests.clients.command import Brain
from tests.clients.node import Bridge, Node, needs_node
from tests.serving import Server, start_server


@pytest.fixture
def start(folder: Path) -> Iterator[Callable[..., Server]]:
    """Give a function that starts a server on `folder`, with a config or none, again where one was killed."""
    started: list[Server] = []

    def once_more(config: str = "") -> Server:
        started.append(start_server(folder, config=config))
        return started[-1]

    yield once_more
    for server in started:
        if server.process.poll() is None:
            server.terminate()


@pytest.fixture
def memory_id() -> str:
    """Give a memory that no other test touches."""
    return f"memory-{uuid.uuid4().hex}"


class Blocking:
    """An AsyncClient whose verbs wait and whose streams come as lists, so that one test speaks for both clients."""

    def __init__(
        self,
        target: str,
        *,
        memory_id: str | None = None,
        timeout: float = 10.0,
        retries: int = 4,
        ca: Path | None = None,
    ) -> None:
        async def opened() -> AsyncClient:
            return AsyncClient(target, memory_id=memory_id, timeout=timeout, retries=retries, ca=ca)

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


@pytest.fixture
def brain(server: Server) -> Brain:
    """Give the command line, pointed at the server."""
    return Brain(server.target)


@pytest.fixture(scope="session")
def node_is_here() -> None:
    """Skip where Node is not."""
    needs_node()


@pytest.fixture(scope="session")
def bridge(node_is_here: None) -> Iterator[Bridge]:  # noqa: ARG001
    """Give a process of Node that calls the Node client."""
    opened = Bridge()
    yield opened
    opened.close()


@pytest.fixture
def node(bridge: Bridge, server: Server, memory_id: str) -> Node:
    """Give a Node client of the server."""
    return bridge.open(server.target, memory_id=memory_id, timeout=30)


@pytest.fixture
def python(server: Server, memory_id: str) -> Iterator[Client]:
    """Give a Python client of the same memory."""
    with Client(server.target, memory_id=memory_id, timeout=30.0) as opened:
        yield opened
