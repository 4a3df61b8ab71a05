"""Reading requests, so that bytes that are no request give an error that names the field."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeVar

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import DecodeError, Message

from brain_core.errors import InvalidArgument, shorten

MALFORMED = "MALFORMED"
"""Reason of what is refused because it is no request."""

Request = TypeVar("Request", bound=Message)

_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5


def decode(kind: type[Request], raw: bytes) -> Request:
    """Parse a request; raise InvalidArgument that names the field, as far as it can be told."""
    try:
        return kind.FromString(raw)
    except DecodeError as error:
        field, value = _bad_text(kind.DESCRIPTOR, raw) or ("request", f"{len(raw)} bytes")
        limit = "UTF-8" if field != "request" else f"a serialised {kind.DESCRIPTOR.full_name}"
        raise InvalidArgument(
            f"{field}: is not {limit} (got {value})", reason=MALFORMED, field=field, value=value, limit=limit
        ) from error


def _bad_text(descriptor: Any, raw: bytes) -> tuple[str, str] | None:  # noqa: ANN401  upb's class has no stub
    """Return (path, value) of the first string field that is not UTF-8, or None."""
    seen: dict[int, int] = {}
    try:
        for number, value in _fields(raw):
            field = descriptor.fields_by_number.get(number)
            if field is None:
                continue
            index = seen[number] = seen.get(number, -1) + 1
            path = f"{field.name}[{index}]" if field.is_repeated else field.name
            if field.type == FieldDescriptor.TYPE_STRING:
                try:
                    value.decode()
                except UnicodeDecodeError:
                    return path, shorten(repr(value))
            elif field.type == FieldDescriptor.TYPE_MESSAGE and field.message_type is not None:
                below = _bad_text(field.message_type, value)
                if below:
                    return f"{path}.{below[0]}", below[1]
    except (IndexError, ValueError):
        return None
    return None


def _fields(raw: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield (field number, content) of the length-delimited fields of a message."""
    at = 0
    while at < len(raw):
        tag, at = _varint(raw, at)
        number, wire = tag >> 3, tag & 7
        if wire == _VARINT:
            _, at = _varint(raw, at)
        elif wire == _FIXED64:
            at += 8
        elif wire == _FIXED32:
            at += 4
        elif wire == _BYTES:
            size, at = _varint(raw, at)
            yield number, raw[at : at + size]
            at += size
        else:
            raise ValueError(f"wire type {wire}")


def _varint(raw: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = raw[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7
