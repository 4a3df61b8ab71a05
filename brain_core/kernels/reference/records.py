"""Serialised messages side by side: how one is read, checked and put into a field. Several twins share it."""

from __future__ import annotations

from collections.abc import Sequence, Sized
from itertools import pairwise

import numpy as np
from google.protobuf.message import DecodeError
from numpy.typing import NDArray
from smartbrain.v1.evidence_pb2 import Evidence

_MOST_FIELDS = 2**29 - 1
Joined = tuple[NDArray[np.uint8], NDArray[np.int64]]
"""Pieces of bytes one after the other, and where each ends, after a 0."""


def check_each(wanted: int, **parts: Sized) -> None:
    """Refuse parts of another length. Raises ValueError."""
    for name, part in parts.items():
        if len(part) != wanted:
            raise ValueError(f"{name} has {len(part)} entries, not {wanted}")


def check_field(field: int) -> None:
    """Refuse what is no number of a field. Raises ValueError."""
    if not 1 <= field <= _MOST_FIELDS:
        raise ValueError(f"field must be in 1..{_MOST_FIELDS}, got {field}")


def in_field(field: int, message: bytes) -> bytes:
    """Return a serialised message as one of a repeated field of this number."""
    return _varint(field << 3 | 2) + _varint(len(message)) + message


def _varint(value: int) -> bytes:
    """Return a number as protobuf writes it: seven bits a byte, the lowest first."""
    return bytes([value & 0x7F | 0x80]) + _varint(value >> 7) if value >= 0x80 else bytes([value])


def record_at(content: NDArray[np.uint8], ends: NDArray[np.int64], row: int) -> Evidence:
    """Return the Evidence of a row. Raises ValueError where its bytes are none."""
    try:
        return Evidence.FromString(content[ends[row] : ends[row + 1]].tobytes())
    except DecodeError as error:
        raise ValueError(f"record {row} is no message") from error


def check_records(content: NDArray[np.uint8], ends: NDArray[np.int64], rows: Sequence[int]) -> None:
    """Refuse rows of which no bytes stand in the content. Raises IndexError or ValueError."""
    for row in rows:
        if not 0 <= row < len(ends) - 1:
            raise IndexError(f"row {row} is not in 0..{len(ends) - 2}")
        if not 0 <= ends[row] <= ends[row + 1] <= len(content):
            raise ValueError(f"record {row} does not stand in the content")


def split(given: Joined, name: str) -> list[bytes]:
    """Return the pieces one by one. Raises ValueError."""
    content, ends = given
    check_ends(ends, len(content), name)
    return [content[start:stop].tobytes() for start, stop in pairwise(ends)]


def check_ends(ends: NDArray[np.int64], size: int, name: str) -> None:
    """Refuse ends that do not run from 0 to the size. Raises ValueError."""
    if len(ends) == 0 or ends[0] != 0 or ends[-1] != size:
        raise ValueError(f"the ends of {name} must run from 0 to {size}")
    if (np.diff(ends) < 0).any():
        raise ValueError(f"the ends of {name} must not fall")
