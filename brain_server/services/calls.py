"""How each kind of call is served. Requests come as bytes and answers go as bytes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import chain
from typing import Any

import grpc
import structlog
from google.protobuf.message import Message

from brain_core.errors import BrainError, DeadlineExceeded
from brain_server.executors import ASKED_AS
from brain_server.observe import loggable
from brain_server.services.decode import decode
from brain_server.services.failures import code_name, to_status
from brain_server.tokens import Caller, Tokens

log = structlog.get_logger()

_CANCELLED = "CANCELLED"


Called = Callable[[str, str, str, float], None]
"""Is handed of each call that ends its name, gRPC's name of its code, its reason and seconds."""


class Calls:
    """The kinds of call. called: hears how each ends. tokens: tell who may make one."""

    def __init__(self, called: Called, tokens: Tokens) -> None:
        self._called = called
        self._tokens = tokens

    def unary(self, kind: type[Message], call: Callable[[Any], Message]) -> grpc.RpcMethodHandler[Any, Any]:
        """Serve a call with one request and one answer."""

        def serve(raw: bytes, context: grpc.ServicerContext) -> bytes:
            with self._answering(kind, context) as read:
                return call(read(raw)).SerializeToString()

        return grpc.unary_unary_rpc_method_handler(serve)

    def in_time(self, kind: type[Message], call: Callable[..., bytes]) -> grpc.RpcMethodHandler[Any, Any]:
        """Serve a call with one request and one serialised answer.

        It takes `due`, when the client stops waiting, and `watch`.
        """

        def serve(raw: bytes, context: grpc.ServicerContext) -> bytes:
            with self._answering(kind, context) as read:
                return call(read(raw), due=_due(context), watch=context.add_callback)

        return grpc.unary_unary_rpc_method_handler(serve)

    def relayed(self, kind: type[Message], call: Callable[..., bytes]) -> grpc.RpcMethodHandler[Any, Any]:
        """Serve a call as `in_time` that another brain may make; it takes `asked_by`: what that one calls this."""

        def serve(raw: bytes, context: grpc.ServicerContext) -> bytes:
            with self._answering(kind, context) as read:
                names = (str(value) for key, value in context.invocation_metadata() if key == ASKED_AS)
                asked_by = next(names, "")
                return call(read(raw), due=_due(context), asked_by=asked_by)

        return grpc.unary_unary_rpc_method_handler(serve)

    def within_reach(self, kind: type[Message], call: Callable[..., Message]) -> grpc.RpcMethodHandler[Any, Any]:
        """Serve a call that names no memory; it takes `reach`: which memories the caller is told of."""

        def serve(raw: bytes, context: grpc.ServicerContext) -> bytes:
            with self._answering(kind, context) as read:
                request = read(raw)
                reach = self._tokens.caller_of(context.invocation_metadata()).reach
                return call(request, reach=reach).SerializeToString()

        return grpc.unary_unary_rpc_method_handler(serve)

    def answers(self, kind: type[Message], call: Callable[[Any], Iterable[Message]]) -> grpc.RpcMethodHandler[Any, Any]:
        """Serve a call with one request and a stream of answers."""

        def serve(raw: bytes, context: grpc.ServicerContext) -> Iterator[bytes]:
            with self._answering(kind, context) as read:
                for answer in call(read(raw)):
                    if not context.is_active():
                        return
                    yield answer.SerializeToString()

        return grpc.unary_stream_rpc_method_handler(serve)

    def requests(
        self, kind: type[Message], call: Callable[[Iterator[Any]], Message]
    ) -> grpc.RpcMethodHandler[Any, Any]:
        """Serve a call with a stream of requests and one answer.

        gRPC may end the stream of a cancelled call as that of a complete one, and know better a moment later: at its
        end it is asked once more, which raises then.
        """

        def serve(raw: Iterator[bytes], context: grpc.ServicerContext) -> bytes:
            with self._answering(kind, context) as read:
                return call(map(read, chain(raw, raw))).SerializeToString()

        return grpc.stream_unary_rpc_method_handler(serve)

    @contextmanager
    def _answering(self, kind: type[Message], context: grpc.ServicerContext) -> Iterator[Callable[[bytes], Any]]:
        """Refuse what comes too late, turn failures into statuses, log the call, tell how it ended.

        Gives what reads each request, and refuses those that the caller may not make.

        A call whose client has gone, or has stopped to wait, ends as CANCELLED.
        """
        began = time.perf_counter()
        call = kind.DESCRIPTOR.name.removesuffix("Request")
        try:
            _check_time_left(call, context)
            yield partial(_read, kind, call, self._tokens.caller_of(context.invocation_metadata()))
        except BrainError as error:
            log.info("refused", call=call, reason=error.reason, field=error.field, error=loggable(error), ms=_ms(began))
            self._called(call, code_name(error), error.reason, time.perf_counter() - began)
            context.abort_with_status(to_status(error))
        except GeneratorExit:
            self._called(call, _CANCELLED, "", time.perf_counter() - began)
            raise
        except Exception:
            code = "INTERNAL" if context.is_active() else _CANCELLED
            self._called(call, code, "", time.perf_counter() - began)
            if code == _CANCELLED:
                raise
            log.exception("failed", call=call, ms=_ms(began))
            context.abort(grpc.StatusCode.INTERNAL, f"{call} failed on the server; its log says why")
        else:
            log.debug("served", call=call, ms=_ms(began))
            self._called(call, "OK" if context.is_active() else _CANCELLED, "", time.perf_counter() - began)


def _read(kind: type[Message], call: str, caller: Caller, raw: bytes) -> Message:
    request = decode(kind, raw)
    caller.check(call, request)
    return request


def _due(context: grpc.ServicerContext) -> float | None:
    """Return when the client stops waiting, seconds of time.perf_counter."""
    remaining = context.time_remaining()
    return None if remaining is None else time.perf_counter() + remaining


def _check_time_left(call: str, context: grpc.ServicerContext) -> None:
    remaining = context.time_remaining()
    if remaining is not None and remaining <= 0:
        raise DeadlineExceeded(f"{call}: the deadline passed before work began", field="deadline", limit="0 s")


def _ms(began: float) -> float:
    return round((time.perf_counter() - began) * 1000, 3)
