"""Which message a text is of or was read in, as a number that tells two of one message without their records."""

from __future__ import annotations

import zlib

from smartbrain.v1.evidence_pb2 import Evidence

from brain_core.store.v1.records_pb2 import CHUNK_KIND_ITEM, CHUNK_KIND_MESSAGE

OF_NONE, OF_ANY = -1, -2
"""Of what is neither; and of a message whose id does not tell whether it is a window of another one."""


def read_in(item: Evidence) -> str:
    """Return the id of the message that an item was read in; "" of one that stands for itself.

    What callers gave was read in none, and what was accepted stands in another message, which it refers to: "ok do
    that" does not say it.
    """
    is_told = item.metadata.offset_end and not item.evidence_refs
    return f"{item.ref.turn_id}:{item.ref.message_id}" if is_told else ""


def source_of(kind: int, evidence: Evidence) -> int:
    """Return 31 bits of the id of the message that a message's window is of, or that an item was read in.

    OF_NONE of all else. Others may have the same number.
    """
    if kind == CHUNK_KIND_ITEM:
        message = read_in(evidence)
        return _hashed(message) if message else OF_NONE
    if kind != CHUNK_KIND_MESSAGE:
        return OF_NONE
    if evidence.metadata.chunk_index > 0:
        message, _, _ = evidence.id.rpartition("#")
        return _hashed(message) if "#" not in message else OF_ANY
    return _hashed(evidence.id) if "#" not in evidence.id else OF_ANY


def _hashed(message: str) -> int:
    return zlib.crc32(message.encode()) & 0x7FFFFFFF
