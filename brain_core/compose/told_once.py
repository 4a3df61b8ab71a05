"""An item, and the message it was read in: where both are found, the message says it already."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set

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
    kind_of = dict(zip(offers, kinds[[*offers]].tolist(), strict=True)) if offers else {}
    rows = [row for row, kind in kind_of.items() if kind == CHUNK_KIND_ITEM]
    if not rows:
        return {}
    items = {row: (item, _read_in(item)) for row, item in zip(rows, chunks.records.read(rows), strict=True)}
    said = (*repeats.values(), *(offer for row, offer in offers.items() if kind_of[row] == CHUNK_KIND_MESSAGE))
    windows = _windows(said, {message_id for _, message_id in items.values() if message_id})
    if not windows:
        return {}
    places = {row: place for place, row in enumerate(order.tolist())}
    found = {}
    for row, (item, message_id) in items.items():
        offered = windows.get(message_id, [])
        for offer, window in zip(offered, chunks.records.read([each.row for each in offered]), strict=True):
            share = _share(window, item)
            if share >= _ALL_BUT or (share and (offer.row in repeats or places[offer.row] < places[row])):
                found[row] = offer
    return found


def _read_in(item: Evidence) -> str:
    """Return the id of the message that an item was read in, "" of one that stands for itself.

    What callers gave was read in none; and a value that has replaced another one says which of two messages holds.
    """
    if item.metadata.offset_end and item.id.endswith(_FIRST_VERSION):
        return f"{item.ref.turn_id}:{item.ref.message_id}"
    return ""


def _windows(said: Iterable[Offer], wanted: Set[str]) -> dict[str, list[Offer]]:
    """Return the windows of the messages of these ids, by the id. A long message's second window is `id#1`."""
    found: dict[str, list[Offer]] = {}
    for offer in said:
        for name in (offer.id, offer.id.rpartition("#")[0]):
            if name in wanted:
                found.setdefault(name, []).append(offer)
    return found


def _share(window: Evidence, item: Evidence) -> float:
    """Return the share of a window that an item was read from, 0 if it is not all in there."""
    start, stop = window.metadata.offset_start, window.metadata.offset_end
    if not start <= item.metadata.offset_start or item.metadata.offset_end > stop:
        return 0.0
    return (item.metadata.offset_end - item.metadata.offset_start) / (stop - start)
