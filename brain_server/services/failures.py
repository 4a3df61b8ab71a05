"""One table from inner errors to wire errors."""

from __future__ import annotations

import grpc
from google.protobuf.any_pb2 import Any
from google.rpc import code_pb2, error_details_pb2, status_pb2
from grpc_status import rpc_status

from brain_core import errors
from brain_server.tokens import PermissionDenied, Unauthenticated

DOMAIN = "smartbrain"

# gRPC drops a status whose words, percent-encoded and again in its details, pass 8 KiB; a field may be named by a key
# of the caller's.
_LONGEST = 300

CODES: dict[type[errors.BrainError], int] = {
    errors.InvalidArgument: code_pb2.INVALID_ARGUMENT,
    errors.UnreadableDocument: code_pb2.INVALID_ARGUMENT,
    errors.NotFound: code_pb2.NOT_FOUND,
    errors.AlreadyExists: code_pb2.ALREADY_EXISTS,
    errors.FailedPrecondition: code_pb2.FAILED_PRECONDITION,
    errors.EmbedderMismatch: code_pb2.FAILED_PRECONDITION,
    errors.FormatMismatch: code_pb2.FAILED_PRECONDITION,
    errors.PolicyError: code_pb2.FAILED_PRECONDITION,
    errors.ResourceExhausted: code_pb2.RESOURCE_EXHAUSTED,
    errors.DeadlineExceeded: code_pb2.DEADLINE_EXCEEDED,
    errors.Stopping: code_pb2.UNAVAILABLE,
    errors.StoreLocked: code_pb2.UNAVAILABLE,
    errors.StoreFailed: code_pb2.DATA_LOSS,
    errors.EmbedderUnavailable: code_pb2.UNAVAILABLE,
    Unauthenticated: code_pb2.UNAUTHENTICATED,
    PermissionDenied: code_pb2.PERMISSION_DENIED,
}


def code_name(error: errors.BrainError) -> str:
    """Return gRPC's name of the code of an error."""
    name: str = code_pb2.Code.Name(CODES[type(error)])
    return name


def to_status(error: errors.BrainError) -> grpc.Status:
    """Return the status of an error as gRPC sends it."""
    status: grpc.Status = rpc_status.to_status(status_of(error, CODES[type(error)]))
    return status


def status_of(error: errors.BrainError, code: int) -> status_pb2.Status:
    """Return the status of an error: its code, its words, and an ErrorInfo with field, value, limit and hint."""
    facts = {"field": error.field, "limit": error.limit, "hint": error.hint}
    metadata = {name: errors.shorten(fact, _LONGEST) for name, fact in facts.items() if fact}
    if error.field:
        metadata["value"] = error.value  # an empty one is what was wrong with a field that is missing
    metadata |= {name: str(count) for name, count in error.done.items()}
    info = error_details_pb2.ErrorInfo(reason=error.reason, domain=DOMAIN, metadata=metadata)
    detail = Any()
    detail.Pack(info)
    return status_pb2.Status(code=code, message=errors.shorten(error, _LONGEST), details=[detail])
