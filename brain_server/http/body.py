"""The body of a request as it comes: little of it in memory, and none before it is asked for."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from brain_server.http.refusals import TooLarge, TooSlow

Receive = Callable[[], Awaitable[Any]]


class Gone(Exception):
    """The client has left."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Bytes of a body of JSON, or of one line of it, and of a document; how long a body may take.

    idle_seconds: how long nothing of it may come. waiting_seconds: for how long it is waited for in all. Only waiting
    counts: a server that is slow to take in what has come makes no client slow.
    """

    request: int
    document: int
    idle_seconds: float = 60.0
    waiting_seconds: float = 1800.0


class Body:
    """What a client sends. Its methods raise Gone, TooLarge and TooSlow."""

    def __init__(self, receive: Receive, headers: Mapping[str, str], limits: Limits) -> None:
        self._receive = receive
        self._limits = limits
        self._waited = 0.0
        self._size = int(headers.get("content-length", "0"))  # digits: the parser has seen to that

    def check_size(self, limit_bytes: int) -> None:
        """Raise TooLarge if more is announced than may come."""
        _check(self._size, limit_bytes)

    async def parts(self, limit_bytes: int | None = None) -> AsyncIterator[bytes]:
        """Yield the content in parts of at most a few hundred KiB."""
        size, more = 0, True
        while more:
            event = await self._next()
            size += len(event["body"])
            _check(size, limit_bytes)
            more = event["more_body"]
            if event["body"]:
                yield event["body"]

    async def whole(self, limit_bytes: int) -> bytes:
        """Return the content."""
        self.check_size(limit_bytes)
        return b"".join([part async for part in self.parts(limit_bytes)])

    async def lines(self, limit_bytes: int) -> AsyncIterator[bytes]:
        """Yield the lines, of at most so many bytes each. TooLarge names the line, from 1."""
        line, size, number = [b""], 0, 1
        async for part in self.parts():
            first, *others = part.split(b"\n")
            line.append(first)
            size += len(first)  # counted on: to add up a line for each part of it takes the square of its length
            _check(size, limit_bytes, f"line {number}")
            for each in others:
                yield b"".join(line)
                line, size, number = [each], len(each), number + 1
                _check(size, limit_bytes, f"line {number}")
        yield b"".join(line)

    async def gone(self) -> None:
        """Wait until the client leaves. To be called when all content has come."""
        while (await self._receive())["type"] != "http.disconnect":
            pass

    async def _next(self) -> Any:  # noqa: ANN401  as ASGI has it
        idle, left = self._limits.idle_seconds, self._limits.waiting_seconds - self._waited
        began = time.perf_counter()
        try:
            async with asyncio.timeout(min(idle, left)):
                event = await self._receive()
        except TimeoutError:
            limit = f"{self._limits.waiting_seconds if left < idle else idle:g} s"
            words = f"has not come in {limit}" if left < idle else f"nothing has come for {limit}"
            raise TooSlow(f"body: {words}", field="body", limit=limit) from None
        self._waited += time.perf_counter() - began
        if event["type"] == "http.disconnect":
            raise Gone
        return event


def _check(size: int, limit_bytes: int | None, field: str = "body") -> None:
    if limit_bytes is not None and size > limit_bytes:
        words = f"{field}: is too large (got {size} bytes or more, limit: {limit_bytes} bytes)"
        raise TooLarge(words, field=field, value=f"{size} bytes", limit=f"{limit_bytes} bytes")
