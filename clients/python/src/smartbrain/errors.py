"""What a call to the server can raise.

SmartBrainError               any other code, and the base to catch
├── InvalidArgument           a field is missing, malformed or over its limit
├── NotFound                  no such memory, session or context
├── AlreadyExists             a request_id or message_id came again with other content
├── FailedPrecondition        min_revision is not reached, or the embedder does not fit the store
├── ResourceExhausted         a quota is used up, or a message is too large for the wire
├── DeadlineExceeded          no answer within `timeout`
├── Unavailable               nobody answers at the address, or the server is shutting down
├── Unauthenticated           the server wants a token
├── PermissionDenied          the token does not reach this memory
├── Unimplemented             the server does not know this call: it is older than the client
└── Internal                  a fault of the server
    └── DataLoss              a stored record is damaged
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import ClassVar, cast

import google.protobuf.message
import grpc
from google.rpc.error_details_pb2 import ErrorInfo
from grpc_status import rpc_status

_DOMAIN = "smartbrain"
_UNREACHED = ("failed to connect", "errors resolving")
"""Words of gRPC about a connection that could not be made."""
_UNREACHABLE = {
    "errors resolving": "no machine has this name: an address is host:port, as 127.0.0.1:7700, or unix:/path",
    "parsing HTTP/2": "what answers there does not speak gRPC: name the address of --listen, not that of --http",
    "WRONG_VERSION_NUMBER": "the server does not encrypt: leave tls, ca and certificate out, or give it server.tls",
    "CERTIFICATE_VERIFY_FAILED": "no authority that is trusted has signed the server's certificate, or it has expired: "
    "name who did by ca= (brain --ca)",
    "Hostname Verification": "the server's certificate is not for this name: ask it by one that stands in it",
    "peer certificate": "the server's certificate is not for this name: ask it by one that stands in it",
    "Socket closed": "a server that encrypts takes no other connection: name its authority by ca= (brain --ca), and "
    "show a certificate if it asks for one, by certificate= and key= (brain --certificate, --key)",
}
"""What to do, by words of gRPC about why."""
_HINTS = {
    grpc.StatusCode.UNAVAILABLE: "start a server with `brain-server --data ./brain`, or name the address of another "
    "(brain --server)",
    grpc.StatusCode.DEADLINE_EXCEEDED: "allow more by timeout=, and see that the address is a brain-server's; what was "
    "written may be there: repeat it under the same request_id",
    grpc.StatusCode.UNIMPLEMENTED: "the server is older than this client, or no brain-server: install both of one "
    "version",
}
"""What to do about a failure of which the server has said nothing itself."""

_IN_STREAM = re.compile(r"requests\[(\d+)\]")


class SmartBrainError(Exception):
    """A call that failed, with all that the server said about it.

    `reason` is a word for machines (FIELD_REQUIRED); `field`, `value` and `limit` name the input concerned as text;
    `hint` says what to do. Each is empty where it does not apply. `metadata` holds these and whatever else the server
    named. `index` is the 0-based request at which a stream stopped, None for other calls.
    """

    status: ClassVar[grpc.StatusCode] = grpc.StatusCode.UNKNOWN

    def __init__(
        self,
        message: str,
        *,
        code: grpc.StatusCode | None = None,
        reason: str = "",
        metadata: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code or self.status
        self.reason = reason
        self.metadata = dict(metadata or {})
        self.field = self.metadata.get("field", "")
        self.value = self.metadata.get("value", "")
        self.limit = self.metadata.get("limit", "")
        self.hint = self.metadata.get("hint", "")
        in_stream = _IN_STREAM.match(self.field)
        self.index = int(in_stream[1]) if in_stream else None

    def __str__(self) -> str:
        return f"{self.message} ({self.hint})" if self.hint else self.message


class InvalidArgument(SmartBrainError):
    """A field is missing, malformed or over its limit."""

    status = grpc.StatusCode.INVALID_ARGUMENT


class NotFound(SmartBrainError):
    """There is no such memory, session or context."""

    status = grpc.StatusCode.NOT_FOUND


class AlreadyExists(SmartBrainError):
    """A request_id or message_id came again with other content."""

    status = grpc.StatusCode.ALREADY_EXISTS


class FailedPrecondition(SmartBrainError):
    """The store is not in the state that the call needs."""

    status = grpc.StatusCode.FAILED_PRECONDITION


class ResourceExhausted(SmartBrainError):
    """A quota is used up, or a message is too large for the wire."""

    status = grpc.StatusCode.RESOURCE_EXHAUSTED


class DeadlineExceeded(SmartBrainError):
    """No answer came within the timeout. A commit may have happened: repeat it under the same request_id."""

    status = grpc.StatusCode.DEADLINE_EXCEEDED


class Unavailable(SmartBrainError):
    """Nobody answers at the address, or the server is shutting down; the retries are used up."""

    status = grpc.StatusCode.UNAVAILABLE


class Unauthenticated(SmartBrainError):
    """The server wants a token."""

    status = grpc.StatusCode.UNAUTHENTICATED


class PermissionDenied(SmartBrainError):
    """The token does not reach this memory."""

    status = grpc.StatusCode.PERMISSION_DENIED


class Unimplemented(SmartBrainError):
    """The server does not know this call."""

    status = grpc.StatusCode.UNIMPLEMENTED


class Internal(SmartBrainError):
    """A fault of the server."""

    status = grpc.StatusCode.INTERNAL


class DataLoss(Internal):
    """A stored record is damaged."""

    status = grpc.StatusCode.DATA_LOSS


_BY_CODE = {
    kind.status: kind
    for kind in (
        InvalidArgument,
        NotFound,
        AlreadyExists,
        FailedPrecondition,
        ResourceExhausted,
        DeadlineExceeded,
        Unavailable,
        Unauthenticated,
        PermissionDenied,
        Unimplemented,
        Internal,
        DataLoss,
    )
}


@contextmanager
def translated() -> Iterator[None]:
    """Raise the SmartBrainError for an error of gRPC raised inside; serves synchronous and asynchronous calls."""
    try:
        yield
    except grpc.RpcError as error:
        raise from_rpc(error) from error


def from_rpc(error: grpc.RpcError) -> SmartBrainError:
    """Give the typed error for one of gRPC, with the server's ErrorInfo where it sent one."""
    info = _error_info(error)
    kind = _BY_CODE.get(error.code(), SmartBrainError)
    message = error.details() or error.code().name
    hint = "" if info.reason else _hint(error.code(), message)
    metadata = {**({"hint": hint} if hint else {}), **info.metadata}
    return kind(message, code=error.code(), reason=info.reason, metadata=metadata)


def _hint(code: grpc.StatusCode, message: str) -> str:
    """Say what to do about a failure that gRPC tells in its own words; empty where that cannot be told."""
    unreached = code is grpc.StatusCode.UNAVAILABLE and any(words in message for words in _UNREACHED)
    return next((hint for sign, hint in _UNREACHABLE.items() if unreached and sign in message), _HINTS.get(code, ""))


def _error_info(error: grpc.RpcError) -> ErrorInfo:
    """Give the server's ErrorInfo, an empty one where there is none or a proxy garbled it."""
    info = ErrorInfo()
    try:
        status = rpc_status.from_call(cast("grpc.Call", error))
    except (ValueError, google.protobuf.message.DecodeError):  # the details contradict the code, or are none
        return info
    for detail in status.details if status is not None else ():
        if detail.Is(ErrorInfo.DESCRIPTOR):
            detail.Unpack(info)
            if info.domain == _DOMAIN:
                return info
    return ErrorInfo()
