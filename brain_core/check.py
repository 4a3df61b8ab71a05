"""Checks that every request shares: ids, words, numbers, times. Each failure names field, value and limit."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from google.protobuf.descriptor import EnumDescriptor
from google.protobuf.struct_pb2 import Struct, Value
from google.protobuf.timestamp_pb2 import Timestamp
from smartbrain.v1.item_pb2 import AsOf

from brain_core.errors import refused, unprintable

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")  # Unicode's category Cc
_LAST_REVISION = 2**63 - 1
_FIRST_SECOND = -62_135_596_800  # 0001-01-01T00:00:00Z
_LAST_SECOND = 253_402_300_799  # 9999-12-31T23:59:59Z


def check_id(field: str, value: str, limit_bytes: int, *, required: bool = True) -> None:
    """Check an id: 1 to `limit_bytes` bytes of UTF-8, no control characters; empty only where it is not required."""
    if required and not value:
        raise refused(field, value, f"1..{limit_bytes} bytes", "is required")
    _check_bytes(field, value, limit_bytes)
    if _CONTROL.search(value):
        raise unprintable(field, value)


def check_text(field: str, value: str, limit_bytes: int) -> None:
    """Check a text: not blank, at most `limit_bytes` bytes of UTF-8."""
    if not value.strip():
        raise refused(field, value, f"1..{limit_bytes} bytes, not blank", "is empty")
    _check_bytes(field, value, limit_bytes)


def _check_bytes(field: str, value: str, limit_bytes: int) -> None:
    size = len(value.encode())
    if size > limit_bytes:
        raise refused(field, value, f"{limit_bytes} bytes", f"has {size} bytes")


def check_size(field: str, size: int, limit_bytes: int) -> None:
    """Check a size in bytes."""
    if size > limit_bytes:
        raise refused(field, f"{size} bytes", f"{limit_bytes} bytes", "is too large")


def check_word(field: str, value: str, words: Sequence[str], *, required: bool = False) -> None:
    """Check a word of a closed vocabulary; empty means the default unless it is required."""
    if (value or required) and value not in words:
        raise refused(field, value, " | ".join(words), "is required" if not value else "unknown word")


def check_enum(field: str, number: int, enum: EnumDescriptor) -> None:
    """Check a value of an enum, which arrives as a number: one of those that have a name."""
    known = enum.values_by_number.get(number)
    check_word(field, known.name if known else str(number), list(enum.values_by_name))


def check_range(field: str, value: float, low: float, high: float) -> None:
    """Check a number: in low..high, both included."""
    if not low <= value <= high:
        raise refused(field, value, f"{low}..{high}", "is out of range")


def check_numbers(field: str, value: Struct) -> None:
    """Check the numbers of a JSON object: JSON has none that is infinite, nor NaN."""
    for name, each in value.fields.items():
        _check_number(f"{field}.{name}", each)


def _check_number(field: str, value: Value) -> None:
    kind = value.WhichOneof("kind")
    if kind == "number_value":
        if not math.isfinite(value.number_value):
            raise refused(field, value.number_value, "a finite number", "is no number of JSON")
    elif kind == "struct_value":
        check_numbers(field, value.struct_value)
    elif kind == "list_value":
        for number, each in enumerate(value.list_value.values):
            _check_number(f"{field}[{number}]", each)


def check_count(field: str, count: int, most: int) -> None:
    """Check the length of a list."""
    if count > most:
        raise refused(field, f"{count} entries", f"{most} entries", "has too many entries")


def check_length(field: str, text: str, most: int) -> None:
    """Check the characters of a text."""
    if len(text) > most:
        raise refused(field, f"{len(text)} characters", f"{most} characters", "is too long")


def check_time(field: str, value: Timestamp) -> None:
    """Check a Timestamp: within the years 1 to 9999, as protobuf defines it."""
    check_range(f"{field}.seconds", value.seconds, _FIRST_SECOND, _LAST_SECOND)
    check_range(f"{field}.nanos", value.nanos, 0, 999_999_999)


def check_as_of(as_of: AsOf) -> None:
    """Check the moment of an as-of read: no negative revision, a time that can be."""
    check_range("as_of.revision", as_of.revision, 0, _LAST_REVISION)
    check_time("as_of.time", as_of.time)
