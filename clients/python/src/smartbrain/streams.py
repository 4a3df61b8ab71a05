"""The answer to a stream of requests, with the server's own status where grpc.aio writes over it."""

from collections.abc import Coroutine
from typing import TypeVar

import grpc
from grpc import aio

_Request = TypeVar("_Request")
_Response = TypeVar("_Response")
_T = TypeVar("_T")


async def answer(call: "aio.StreamUnaryCall[_Request, _Response]") -> _Response:
    """Await a call with a stream of requests; raise as it does, with the status that came first.

    A server may refuse a stream while a message is under way. That message fails after the status has come, and
    grpc.aio then puts an INTERNAL of its own in the place of what the server said.
    """
    ends: list[aio.AioRpcError] = []
    call.add_done_callback(lambda _: ends.append(_end(call)))
    try:
        return await call
    except aio.AioRpcError as error:
        if error.code() is grpc.StatusCode.INTERNAL and ends:
            raise ends[0] from error
        raise


def _end(call: "aio.StreamUnaryCall[_Request, _Response]") -> aio.AioRpcError:
    """Return the status of a call that is done, as it is now."""
    return aio.AioRpcError(
        _at_once(call.code()),
        _at_once(call.initial_metadata()),
        _at_once(call.trailing_metadata()),
        _at_once(call.details()),
    )


def _at_once(done: "Coroutine[None, None, _T]") -> _T:
    """Return what a coroutine gives that has nothing to wait for: the next turn of the loop may be too late."""
    try:
        done.send(None)
    except StopIteration as end:
        value: _T = end.value
        return value
    raise RuntimeError("the call is not done")
