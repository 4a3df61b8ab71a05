"""An item, and the message it was read in: where both are found, the message says it already."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from typing import NamedTuple

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


class Told(NamedTuple):
    """Rows of items that a found message says too, with that message.

    already: it is of the recent turns, is given room first, or is hardly longer than what the item was read from.
    twins: all others, of which the message may stand all the same.
    """

    already: dict[int, Offer]
    twins: dict[int, Offer]


def told_by_messages(
    offers: Mapping[int, Offer], repeats: Mapping[int, Offer], order: NDArray[np.int32], chunks: ChunkTable
) -> Told:
    """Return which items found messages say. repeats: of the recent turns. order: rows, as room is given to them."""
    kinds = chunks.column("kind")
    kind_of = dict(zip(offers, kinds[[*offers]].tolist(), strict=True)) if offers else {}
    rows = [row for row, kind in kind_of.items() if kind == CHUNK_KIND_ITEM]
    if not rows:
        return Told({}, {})
    items = {row: chunks.records.made_of(row, "read in", _read_in) for row in rows}
    said = (*repeats.values(), *(offer for row, offer in offers.items() if kind_of[row] == CHUNK_KIND_MESSAGE))
    windows = _windows(said, {item.message_id for item in items.values() if item.message_id})
    if not windows:
        return Told({}, {})
    places = {row: place for place, row in enumerate(order.tolist())}
    told = Told({}, {})
    for row, item in items.items():
        offered = windows.get(item.message_id, [])
        for offer, window in zip(offered, chunks.records.read([each.row for each in offered]), strict=True):
            share = _share(window, item)
            if share >= _ALL_BUT or (share and (offer.row in repeats or places[offer.row] < places[row])):
                told.already[row] = offer
            elif share:
                told.twins[row] = offer
    return told


class _ReadIn(NamedTuple):
    """Where an item was read. message_id: "" of one that stands for itself. start, stop: characters of the message."""

    message_id: str
    start: int
    stop: int


def _read_in(item: Evidence) -> _ReadIn:
    """Return the message that an item was read in.

    What callers gave was read in none; a value that has replaced another one says which of two messages holds; and what
    was accepted stands in another message, which it refers to: "ok do that" does not say it.
    """
    start, stop = item.metadata.offset_start, item.metadata.offset_end
    is_told = stop and item.id.endswith(_FIRST_VERSION) and not item.evidence_refs
    return _ReadIn(f"{item.ref.turn_id}:{item.ref.message_id}" if is_told else "", start, stop)


def _windows(said: Iterable[Offer], wanted: Set[str]) -> dict[str, list[Offer]]:
    """Return the windows of the messages of these ids, by the id. A long message's second window is `id#1`."""
    found: dict[str, list[Offer]] = {}
    for offer in said:
        for name in (offer.id, offer.id.rpartition("#")[0]):
            if name in wanted:
                found.setdefault(name, []).append(offer)
    return found


def _share(window: Evidence, item: _ReadIn) -> float:
    """Return the share of a window that an item was read from, 0 if it is not all in there."""
    start, stop = window.metadata.offset_start, window.metadata.offset_end
    if not start <= item.start or item.stop > stop:
        return 0.0
    return (item.stop - item.start) / (stop - start)
