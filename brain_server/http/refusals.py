"""What HTTP itself refuses, and how every failure stands in an answer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from http import HTTPStatus
from typing import Any, ClassVar, cast

import grpc
from google.protobuf import json_format
from google.rpc import code_pb2, error_details_pb2, status_pb2
from grpc_status import rpc_status

from brain_core.errors import BrainError
from brain_server.services.failures import CODES, status_of
from brain_server.tokens import CHALLENGE

Headers = Sequence[tuple[str, str]]

_REQUEST = re.compile(r"^requests\[(\d+)\]")
"""How a failure of a stream over gRPC begins."""

HTTP_STATUSES: dict[int, int] = {
    code_pb2.CANCELLED: 499,
    code_pb2.UNKNOWN: 500,
    code_pb2.INVALID_ARGUMENT: 400,
    code_pb2.DEADLINE_EXCEEDED: 504,
    code_pb2.NOT_FOUND: 404,
    code_pb2.ALREADY_EXISTS: 409,
    code_pb2.PERMISSION_DENIED: 403,
    code_pb2.UNAUTHENTICATED: 401,
    code_pb2.RESOURCE_EXHAUSTED: 429,
    code_pb2.FAILED_PRECONDITION: 400,
    code_pb2.ABORTED: 409,
    code_pb2.OUT_OF_RANGE: 400,
    code_pb2.UNIMPLEMENTED: 501,
    code_pb2.INTERNAL: 500,
    code_pb2.UNAVAILABLE: 503,
    code_pb2.DATA_LOSS: 500,
}
"""As google/rpc/code.proto has them."""


class HttpRefusal(BrainError):
    """A request that is refused for what only HTTP has. http: the answer's status. code: that of google.rpc.

    HttpRefusal
    ├── Unreadable         it is no HTTP, or its head is too long
    ├── NoRoute            nothing is served under this path
    ├── MethodNotAllowed   something is, by another method
    ├── Forbidden          it may come from a page in a browser
    ├── UnsupportedType    its body is of a type that is not read here
    ├── TooLarge           its body has too many bytes
    ├── TooSlow            its body does not come
    ├── Crowded            there are too many connections
    ├── Stopping           the server stops
    └── Broken             it failed
    """

    http: ClassVar[HTTPStatus]
    code: ClassVar[int]

    @property
    def headers(self) -> Headers:
        """Headers of the answer beside the usual ones."""
        return ()


class _Last(HttpRefusal):
    """The answer ends its connection: what else comes on it is not read."""

    @property
    def headers(self) -> Headers:
        """That it does."""
        return (("connection", "close"),)


class Unreadable(_Last):
    """It is no HTTP, or its head is too long."""

    reason, http, code = "UNREADABLE", HTTPStatus.BAD_REQUEST, code_pb2.INVALID_ARGUMENT


class NoRoute(HttpRefusal):
    """Nothing is served under this path."""

    reason, http, code = "NO_ROUTE", HTTPStatus.NOT_FOUND, code_pb2.NOT_FOUND


class MethodNotAllowed(HttpRefusal):
    """Something is served under this path, by another method. limit: those methods."""

    reason, http, code = "METHOD", HTTPStatus.METHOD_NOT_ALLOWED, code_pb2.UNIMPLEMENTED

    @property
    def headers(self) -> Headers:
        """Allow, which HTTP asks for."""
        return (("allow", self.limit),)


class Forbidden(HttpRefusal):
    """It may come from a page in a browser."""

    reason, http, code = "FORBIDDEN", HTTPStatus.FORBIDDEN, code_pb2.PERMISSION_DENIED


class UnsupportedType(HttpRefusal):
    """Its body is of a type that is not read here."""

    reason, http, code = "CONTENT_TYPE", HTTPStatus.UNSUPPORTED_MEDIA_TYPE, code_pb2.INVALID_ARGUMENT


class TooLarge(HttpRefusal):
    """Its body has too many bytes."""

    reason, http, code = "TOO_LARGE", HTTPStatus.REQUEST_ENTITY_TOO_LARGE, code_pb2.INVALID_ARGUMENT


class TooSlow(_Last):
    """Its body does not come."""

    reason, http, code = "TOO_SLOW", HTTPStatus.REQUEST_TIMEOUT, code_pb2.DEADLINE_EXCEEDED


class Crowded(_Last):
    """There are too many connections."""

    reason, http, code = "CONNECTIONS", HTTPStatus.SERVICE_UNAVAILABLE, code_pb2.UNAVAILABLE


class Stopping(HttpRefusal):
    """The server stops."""

    reason, http, code = "STOPPING", HTTPStatus.SERVICE_UNAVAILABLE, code_pb2.UNAVAILABLE


class Broken(HttpRefusal):
    """It failed."""

    reason, http, code = "FAILED", HTTPStatus.INTERNAL_SERVER_ERROR, code_pb2.INTERNAL


def code_of(error: BrainError) -> int:
    """Return the code of google.rpc of an error."""
    return error.code if isinstance(error, HttpRefusal) else CODES[type(error)]


def refused(error: BrainError) -> tuple[int, dict[str, Any], Headers]:
    """Return (HTTP status, body, headers) of the answer to a request that was refused before it became a call."""
    status = status_of(error, code_of(error))
    if isinstance(error, HttpRefusal):
        return error.http, _body(error.http, status), error.headers
    return _answer(status)


def failed(error: grpc.aio.AioRpcError) -> tuple[int, dict[str, Any], Headers]:
    """Return (HTTP status, body, headers) of the answer to a call that failed."""
    return _answer(_status(error))


def reason_of(error: grpc.aio.AioRpcError) -> str:
    """Return the reason of a call that failed, for machines; empty if it says none."""
    reason: str = _info(_status(error)).reason
    return reason


def done_before(error: grpc.aio.AioRpcError) -> dict[str, int]:
    """Return the counts of what a call of many parts had done before it failed, by name."""
    facts = _info(_status(error)).metadata
    return {name: int(facts[name]) for name in ("committed", "repeated") if name in facts}


def at_line(error: grpc.aio.AioRpcError, line_of: Sequence[int]) -> grpc.aio.AioRpcError:
    """Return a failure of a stream with the line in place of the request. line_of: each request's."""
    status = _status(error)
    info = _info(status)
    field = _REQUEST.match(info.metadata["field"]) if "field" in info.metadata else None
    if field is None:
        return error
    line = f"line {line_of[int(field[1])]}"
    info.metadata["field"] = line + info.metadata["field"][field.end() :]
    status.message = _REQUEST.sub(line, status.message)
    status.details[0].Pack(info)
    sent = rpc_status.to_status(status)
    return grpc.aio.AioRpcError(
        sent.code, grpc.aio.Metadata(), grpc.aio.Metadata(*sent.trailing_metadata), sent.details
    )


def _info(status: status_pb2.Status) -> error_details_pb2.ErrorInfo:
    info = error_details_pb2.ErrorInfo()
    next((detail for detail in status.details if detail.Unpack(info)), None)
    return info


def _status(error: grpc.aio.AioRpcError) -> status_pb2.Status:
    number, _ = error.code().value
    call = cast("grpc.Call", error)  # has what from_call asks of one
    return rpc_status.from_call(call) or status_pb2.Status(code=number, message=error.details() or "")


def _answer(status: status_pb2.Status) -> tuple[int, dict[str, Any], Headers]:
    http = HTTP_STATUSES[status.code]
    return http, _body(http, status), (CHALLENGE,) if status.code == code_pb2.UNAUTHENTICATED else ()


def _body(http: int, status: status_pb2.Status) -> dict[str, Any]:
    error = {"code": int(http), "status": code_pb2.Code.Name(status.code), "message": status.message}
    return {"error": {**error, "details": [json_format.MessageToDict(detail) for detail in status.details]}}
