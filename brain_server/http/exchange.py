"""One request and its answer."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterable, Awaitable, Callable, Sequence
from typing import Any, TypeVar

import grpc
from google.protobuf import json_format
from google.protobuf.message import Message

from brain_core.errors import BrainError, DeadlineExceeded, shorten
from brain_server.http.body import Body, Gone, Limits, Receive
from brain_server.http.guard import JSON, JSON_LINES
from brain_server.http.refusals import Headers, failed, refused
from brain_server.http.routes import Route

Send = Callable[[Any], Awaitable[None]]
Answer = TypeVar("Answer")

_ALWAYS = (("cache-control", "no-store"), ("x-content-type-options", "nosniff"))


class Exchange:
    """One request as ASGI gives it, and its answer.

    route: the call it makes, once that is known. handed_on: whether gRPC has it, and so counts it.
    """

    def __init__(self, scope: Any, receive: Receive, send: Send, limits: Limits) -> None:  # noqa: ANN401  as ASGI
        self.began = time.perf_counter()
        self.http_method: str = scope["method"]
        self.path: str = scope["raw_path"].decode("ascii")
        self.query: str = scope["query_string"].decode("ascii")
        self.headers = _joined(scope["headers"])
        self.body = Body(receive, self.headers, limits)
        self.route: Route | None = None
        self.handed_on = False
        self._due: float | None = None
        self._send = send
        self._begun = False

    @property
    def line(self) -> str:
        """What is asked for, for logs."""
        return shorten(f"{self.http_method} {self.path}", 300)

    def seconds_left(self) -> float | None:
        """Return how long the client still waits; None means for ever. Raises DeadlineExceeded if it does not.

        gRPC takes a deadline that is just over for one that is near, and begins.
        """
        if self._due is None:
            return None
        left = self._due - time.perf_counter()
        if left <= 0:
            raise DeadlineExceeded("the deadline passed before work began", field="deadline", limit="0 s")
        return left

    def called(self, route: Route, timeout_seconds: float | None) -> None:
        """Say which call it makes, and how long its client waits from the beginning."""
        self.route = route
        self._due = None if timeout_seconds is None else self.began + timeout_seconds

    async def attended(self, work: Awaitable[Answer]) -> Answer:
        """Return what some work gives, unless the client leaves: then cancel it and raise Gone.

        All of the body that is wanted must have been read.
        """
        working, leaving = asyncio.ensure_future(work), asyncio.create_task(self.body.gone())
        try:
            await asyncio.wait({working, leaving}, return_when=asyncio.FIRST_COMPLETED)
            if not working.done():
                raise Gone
            return working.result()
        finally:
            working.cancel()
            leaving.cancel()
            await asyncio.gather(working, leaving, return_exceptions=True)

    async def write(self, message: Message) -> None:
        """Answer with a message."""
        await self._write(200, await asyncio.to_thread(_json, message))

    async def write_lines(self, messages: AsyncIterable[Message]) -> None:
        """Answer with messages, one a line, as they come."""
        async for message in messages:
            line = await asyncio.to_thread(_json, message)
            if not self._begun:
                await self._begin(200, (("content-type", JSON_LINES),))
            await self._send({"type": "http.response.body", "body": line, "more_body": True})
        if not self._begun:
            await self._begin(200, (("content-type", JSON_LINES),))
        await self._send({"type": "http.response.body", "body": b""})

    async def refuse(self, error: BrainError | grpc.aio.AioRpcError) -> None:
        """Answer with a failure; where lines have been written, as the last of them."""
        status, body, headers = refused(error) if isinstance(error, BrainError) else failed(error)
        content = _line(body)
        if self._begun:
            await self._send({"type": "http.response.body", "body": content})
        else:
            await self._write(status, content, headers)

    async def _write(self, status: int, content: bytes, headers: Headers = ()) -> None:
        await self._begin(status, (*_of(content), *headers))
        await self._send({"type": "http.response.body", "body": content})

    async def _begin(self, status: int, headers: Headers) -> None:
        self._begun = True
        await self._send({"type": "http.response.start", "status": status, "headers": _encoded(headers)})


def refusal(error: BrainError) -> tuple[int, list[tuple[bytes, bytes]], bytes]:
    """Return (status, headers, content) of the answer to what comes to no exchange."""
    status, body, headers = refused(error)
    content = _line(body)
    return status, _encoded((*_of(content), *headers)), content


def _of(content: bytes) -> Headers:
    return (("content-type", JSON), ("content-length", str(len(content))))


def _encoded(headers: Headers) -> list[tuple[bytes, bytes]]:
    return [(name.encode(), value.encode()) for name, value in (*headers, *_ALWAYS)]


def _joined(headers: Sequence[tuple[bytes, bytes]]) -> dict[str, str]:
    """Return headers by name, in lower case, those that stand twice with a comma between."""
    joined: dict[str, str] = {}
    for name, value in headers:
        text = value.decode("latin-1")
        known = joined.get(name.decode("ascii"))
        joined[name.decode("ascii")] = text if known is None else f"{known}, {text}"
    return joined


def _json(message: Message) -> bytes:
    return _line(json_format.MessageToDict(message, preserving_proto_field_name=True))


def _line(value: dict[str, Any]) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode() + b"\n"
