"""The ASGI application: each request becomes one call over gRPC, and decides nothing on its way."""

from __future__ import annotations

import asyncio
import contextlib
import time
from array import array
from collections.abc import AsyncIterator, Callable
from typing import Any

import grpc
import structlog
from google.protobuf.message import Message
from google.rpc import code_pb2
from smartbrain import streams
from smartbrain.v1.resource_service_pb2 import DocumentHeader, IngestDocumentRequest

from brain_core.errors import BrainError, require
from brain_server.http.body import Gone, Limits, Receive
from brain_server.http.exchange import Exchange, Send
from brain_server.http.guard import check_body, check_host, check_sender, document_type, timeout_seconds
from brain_server.http.reading import bind, from_json, from_query, unmarked
from brain_server.http.refusals import Broken, Stopping, at_line, code_of, done_before, reason_of
from brain_server.http.routes import Route, Routes
from brain_server.observe import loggable
from brain_server.services.decode import MALFORMED
from brain_server.tokens import HEADER, Tokens

log = structlog.get_logger()

_NO_REQUEST = b"\xff"
"""What no request is, and the only such thing that a door sends."""


class Door:
    """What is served over HTTP."""

    def __init__(
        self,
        channel: grpc.aio.Channel,
        routes: Routes,
        host: str,
        limits: Limits,
        called: Callable[[str, str, str, float], None],
        tokens: Tokens,
    ) -> None:
        """host: what a request must name; empty where any name is proof enough, by a certificate or a token.

        called: is told of what becomes no call, as metrics count calls.
        """
        self._channel = channel
        self._routes = routes
        self._host = host
        self._limits = limits
        self._called = called
        self._tokens = tokens

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:  # noqa: ANN401  as ASGI has it
        """Serve one request."""
        exchange = Exchange(scope, receive, send, self._limits)
        try:
            await self._serve(exchange)
        except Gone:
            log.debug("client has left", request=exchange.line)
        except BrainError as error:
            self._tell(exchange, error)
            await exchange.refuse(error)
        except grpc.aio.AioRpcError as error:
            # Nobody else cancels a call whose client is still there.
            cut_off = error.code() is grpc.StatusCode.CANCELLED
            await exchange.refuse(Stopping("the server is stopping") if cut_off else error)
        except asyncio.CancelledError:  # the grace is over
            await exchange.refuse(Stopping("the server is stopping"))
        except Exception:
            log.exception("failed", request=exchange.line)
            await exchange.refuse(Broken("the request failed on the server; its log says why"))

    async def _serve(self, exchange: Exchange) -> None:
        check_sender(exchange.headers)
        if self._host:
            check_host(exchange.headers, self._host)
        route, fields = self._routes.find(exchange.http_method, exchange.path)
        exchange.called(route, timeout_seconds(exchange.headers))
        self._tokens.caller(exchange.headers.get(HEADER))
        check_body(route, exchange.headers)
        if route.raw:
            await self._take_document(exchange, route, fields)
            return
        require(not (route.body and exchange.query), "query", exchange.query, "fields of the body", "is not read")
        if route.call.client_streaming:
            await self._take_lines(exchange, route, fields)
        else:
            await self._ask(exchange, route, fields)

    async def _ask(self, exchange: Exchange, route: Route, fields: dict[str, str]) -> None:
        """Make a call with one request."""
        raw = await exchange.body.whole(self._limits.request) if route.body else b""
        request = await asyncio.to_thread(_request, route, exchange.query, fields, raw)
        if route.call.server_streaming:
            ask: Any = self._channel.unary_stream(route.path, None, route.answer.FromString)
            await exchange.attended(
                exchange.write_lines(ask(request, timeout=exchange.seconds_left(), metadata=self._metadata(exchange)))
            )
        else:
            ask = self._channel.unary_unary(route.path, None, route.answer.FromString)
            await exchange.write(
                await exchange.attended(
                    ask(request, timeout=exchange.seconds_left(), metadata=self._metadata(exchange))
                )
            )

    async def _take_lines(self, exchange: Exchange, route: Route, fields: dict[str, str]) -> None:
        """Make a call with a stream of requests, one a line. What comes before a bad one is taken in, as over gRPC.

        Failures name the line, from 1, blank ones counted.
        """
        line_of = array("q")  # each request's

        async def requests() -> AsyncIterator[bytes]:
            number = 0
            async for sent in exchange.body.lines(self._limits.request):
                number += 1
                line = unmarked(sent) if number == 1 else sent
                if line.strip():
                    line_of.append(number)
                    yield await asyncio.to_thread(_request_of_line, route, fields, line, f"line {number}")

        try:
            answer = await self._stream(exchange, route, requests())
        except grpc.aio.AioRpcError as error:
            raise at_line(error, line_of) from error
        await exchange.write(answer)

    async def _take_document(self, exchange: Exchange, route: Route, fields: dict[str, str]) -> None:
        """Make the call whose content is the body as it is. HTTP tells where that ends, so the size is stated."""
        exchange.body.check_size(self._limits.document)
        header = DocumentHeader()
        from_query(header, exchange.query, fields)
        bind(header, fields)
        header.media_type = header.media_type or document_type(exchange.headers)
        header.states_size = True
        most = self._limits.request // 2  # of one message, which has some bytes more

        async def requests() -> AsyncIterator[bytes]:
            yield IngestDocumentRequest(header=header).SerializeToString()
            size = 0
            async for part in exchange.body.parts(self._limits.document):
                size += len(part)
                for at in range(0, len(part), most):
                    yield IngestDocumentRequest(content=part[at : at + most]).SerializeToString()
            yield IngestDocumentRequest(size_bytes=size).SerializeToString()

        await exchange.write(await self._stream(exchange, route, requests()))

    async def _stream(self, exchange: Exchange, route: Route, requests: AsyncIterator[bytes]) -> Message:
        """Send requests as they come, until they end or the call is answered, whichever is first.

        Where one cannot be made, what is no request goes in its place, so that the server takes what came before, and
        refuses and counts the call.
        """
        ask: Any = self._channel.stream_unary(route.path, None, route.answer.FromString)
        call = ask(timeout=exchange.seconds_left(), metadata=self._metadata(exchange))
        exchange.handed_on = True
        refusals: list[BrainError] = []

        async def send() -> None:
            try:
                async for request in requests:
                    await call.write(request)
            except BrainError as error:
                refusals.append(error)
                await call.write(_NO_REQUEST)
            await call.done_writing()

        sending, answering = asyncio.create_task(send()), asyncio.create_task(streams.answer(call))
        try:
            await asyncio.wait({sending, answering}, return_when=asyncio.FIRST_COMPLETED)
            if answering.done():
                answer: Message = answering.result()
                return answer
            with contextlib.suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):  # then the answer says why
                sending.result()
            return await exchange.attended(answering)
        except grpc.aio.AioRpcError as error:
            if refusals and reason_of(error) == MALFORMED:  # else it is of a request before
                refusals[0].done = done_before(error)
                raise refusals[0] from error
            raise
        finally:
            sending.cancel()
            answering.cancel()
            await asyncio.gather(sending, answering, return_exceptions=True)

    def _metadata(self, exchange: Exchange) -> tuple[tuple[str, str], ...]:
        """Return by what gRPC tells what the caller may do; it has been looked at, so it can be sent."""
        return ((HEADER, exchange.headers[HEADER]),) if self._tokens else ()

    def _tell(self, exchange: Exchange, error: BrainError) -> None:
        """Log a refusal, and count what has become no call, as refused calls are."""
        seconds = time.perf_counter() - exchange.began
        call = {"call": exchange.route.name} if exchange.route else {}
        facts = {"reason": error.reason, "field": error.field, "error": loggable(error), "ms": round(seconds * 1000, 3)}
        log.info("refused", **call, request=exchange.line, **facts)
        if exchange.route and not exchange.handed_on:
            self._called(exchange.route.name, code_pb2.Code.Name(code_of(error)), error.reason, seconds)


def _request(route: Route, query: str, fields: dict[str, str], raw: bytes) -> bytes:
    request = route.request()
    if route.body:
        from_json(request, unmarked(raw) or b"{}")
    else:
        from_query(request, query, fields)
    bind(request, fields)
    return request.SerializeToString()


def _request_of_line(route: Route, fields: dict[str, str], line: bytes, place: str) -> bytes:
    request = route.request()
    part: Message = getattr(request, route.body)
    from_json(part, line, place)
    bind(part, fields, place)
    part.SetInParent()
    return request.SerializeToString()
