"""Requests that come again: the same request_id gives the same answer, and other content under it is refused."""

from __future__ import annotations

import hashlib
from collections.abc import Collection

from google.protobuf.message import Message

from brain_core.errors import AlreadyExists
from brain_core.store import log
from brain_core.store.kv import ReadView


def digest_of(request: Message, besides: Collection[str] = ()) -> bytes:
    """Return the SHA-256 of what a request asks for: all but its request_id and the fields named."""
    content = type(request)()
    content.CopyFrom(request)
    for name in ("request_id", *besides):
        content.ClearField(name)
    return hashlib.sha256(content.SerializeToString(deterministic=True)).digest()


def answer_given(view: ReadView, memory_id: str, request_id: str, digest: bytes) -> bytes | None:
    """Return the serialised answer that a request_id was given, or None. Raises AlreadyExists for other content.

    What was purged cannot be compared any more: its request_id is answered whatever it comes with.
    """
    seen = log.read_request(view, memory_id, request_id) if request_id else None
    if seen is None:
        return None
    if seen.purged:
        return seen.response
    if seen.content_hash != digest:
        raise AlreadyExists(
            f"request_id: {request_id!r} was used for another request",
            field="request_id",
            value=request_id,
            limit="one request per request_id",
            hint="send a new request_id with new content",
        )
    return seen.response
