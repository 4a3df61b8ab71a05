"""An item, and the message it was read in: where both are found, the message says it already."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray
from smartbrain.v1.evidence_pb2 import Evidence

from brain_core.compose.passages import Offer
from brain_core.index.chunks import ChunkTable
from brain_core.store.v1.records_pb2 import CHUNK_KIND_ITEM, CHUNK_KIND_MESSAGE

_ALL_BUT = 0.8
"""Share of a message from which on what was read of it says no less."""

_FIRST_VERSION = ":1"
"""How the id of an item ends that has replaced nothing."""


def told_already(
    offers: Mapping[int, Offer], repeats: Mapping[int, Offer], order: NDArray[np.int32], chunks: ChunkTable
) -> dict[int, Offer]:
    """Return the rows of items that a found message says already, with that message.

    It is of the recent turns (repeats), is given room first, or is hardly longer than what the item was read from.
    order: rows, as room is given to them.
    """
    kinds = chunks.column("kind")
    items = [row for row in offers if kinds[row] == CHUNK_KIND_ITEM]
    if not items:
        return {}
    messages = [*repeats.values(), *(offer for row, offer in offers.items() if kinds[row] == CHUNK_KIND_MESSAGE)]
    places = {row: place for place, row in enumerate(order.tolist())}
    found = {}
    for row, item in zip(items, chunks.records.read(items), strict=True):
        offered = list(_windows(messages, item))
        for offer, window in zip(offered, chunks.records.read([each.row for each in offered]), strict=True):
            share = _share(window, item)
            if share >= _ALL_BUT or (share and (offer.row in repeats or places[offer.row] < places[row])):
                found[row] = offer
    return found


def _windows(messages: list[Offer], item: Evidence) -> Iterator[Offer]:
    """Yield the windows of the message that an item was read in.

    What callers gave was read in none; and a value that has replaced another one stands for itself, for it says which
    of two messages holds.
    """
    message_id = f"{item.ref.turn_id}:{item.ref.message_id}"
    if item.metadata.offset_end and item.id.endswith(_FIRST_VERSION):
        yield from (each for each in messages if each.id == message_id or each.id.startswith(f"{message_id}#"))


def _share(window: Evidence, item: Evidence) -> float:
    """Return the share of a window that an item was read from, 0 if it is not all in there."""
    start, stop = window.metadata.offset_start, window.metadata.offset_end
    if not start <= item.metadata.offset_start or item.metadata.offset_end > stop:
        return 0.0
    return (item.metadata.offset_end - item.metadata.offset_start) / (stop - start)
