"""An item, and the message it was read in: where both are found, the message says it already.

A value that has replaced another one says which of two messages holds, so it stands beside its own; not a task that is
done: the message that closed it says so.

Items that callers gave were read in no message and stand for themselves.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from smartbrain.v1.evidence_pb2 import Evidence
from smartbrain.v1.item_pb2 import LAYER_EPISODIC

from brain_core.index.chunks import ChunkTable
from brain_core.index.records import Records
from brain_core.index.source import OF_ANY, read_in
from brain_core.kernels.offers import REPEATS, of_one_source
from brain_core.store.v1.records_pb2 import CHUNK_KIND_ITEM, CHUNK_KIND_MESSAGE
from brain_core.text.words import terms

_ALL_BUT = 0.8
"""Share of a message from which on what was read of it says no less."""

_FIRST_VERSION = ":1"
"""How the id of an item ends that has replaced nothing."""


class Told(NamedTuple):
    """Rows of items that a found message says too, with the row of that message.

    already: it is of the recent turns, is given room first, or is hardly longer than what the item was read from.
    twins: all others, of which the message may stand all the same.
    """

    already: dict[int, int]
    twins: dict[int, int]


def told_by_messages(
    rows: NDArray[np.int32], fates: NDArray[np.int8], order: NDArray[np.int32], chunks: ChunkTable
) -> Told:
    """Return which items found messages say. rows: int32[k], best first, fates: int8[k], as `offered` gives them.

    order: rows, int32[n], as room is given to them.
    """
    told, column = Told({}, {}), chunks.column
    kinds = CHUNK_KIND_ITEM, CHUNK_KIND_MESSAGE, OF_ANY
    pairs = of_one_source(rows, fates, column("kind"), column("source"), kinds, order)
    recent = frozenset(rows[fates == REPEATS].tolist()) if pairs else frozenset()
    for row, message, is_first in pairs:
        item = chunks.records.made_of(row, "read in", _read_in)
        window = chunks.records.made_of(message, "window", _window)
        if item.message_id not in window.messages or not _may_stand_for(chunks, row, item, message):
            continue
        share = _share(window, item)
        if share >= _ALL_BUT or (share and (is_first or message in recent)):
            told.already[row] = message
        elif share:
            told.twins[row] = message
    return told


def _may_stand_for(chunks: ChunkTable, row: int, item: _ReadIn, message: int) -> bool:
    """Return whether a message can stand for an item that was read in it. row: of the item."""
    return not item.replaces or (_is_done(chunks, row) and _names_it(chunks.records, row, message))


def _is_done(chunks: ChunkTable, row: int) -> bool:
    """Return whether an item is a task that is done, by the layer that its kind gives it."""
    item_type = int(chunks.column("item_type")[row])
    is_task = item_type >= 0 and chunks.names["item_type"][item_type] == "tasks"
    return is_task and bool(chunks.column("layer")[row] == LAYER_EPISODIC)


def _names_it(records: Records, task: int, message: int) -> bool:
    """Return whether the message that closed a task says which: "paid it" does not."""
    return not records.made_of(task, "names", _names).isdisjoint(records.made_of(message, "terms", _terms))


def _names(task: Evidence) -> frozenset[str]:
    """Return the words of a task's name, of Chinese the pairs of characters."""
    return frozenset(term for term in terms(task.snippet.partition("\n")[0].partition(":")[2]) if len(term) > 1)


def _terms(message: Evidence) -> frozenset[str]:
    return frozenset(terms(message.snippet))


class _ReadIn(NamedTuple):
    """Where an item was read. message_id: "" of one that stands for itself. start, stop: characters of the message.

    replaces: whether its value has replaced another one.
    """

    message_id: str
    start: int
    stop: int
    replaces: bool


def _read_in(item: Evidence) -> _ReadIn:
    """Return the message that an item was read in. A value that has replaced another one says which of two holds."""
    start, stop = item.metadata.offset_start, item.metadata.offset_end
    return _ReadIn(read_in(item), start, stop, not item.id.endswith(_FIRST_VERSION))


class _Window(NamedTuple):
    """Which characters of a message a text is. messages: the ids of which it may be one; `id#1` is a second window."""

    start: int
    stop: int
    messages: tuple[str, ...]


def _window(text: Evidence) -> _Window:
    ids = (text.id, text.id.rpartition("#")[0]) if "#" in text.id else (text.id,)
    return _Window(text.metadata.offset_start, text.metadata.offset_end, ids)


def _share(window: _Window, item: _ReadIn) -> float:
    """Return the share of a window that an item was read from, 0 if it is not all in there."""
    if not window.start <= item.start or item.stop > window.stop:
        return 0.0
    return (item.stop - item.start) / (window.stop - window.start)
