"""An item, and the message it was read in: where both are found, the message says it already.

A value that has replaced another one says which of two messages holds, so it stands beside its own; not a task that is
done: the message that closed it says so.

Items that callers gave were read in no message and stand for themselves.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from smartbrain.v1.evidence_pb2 import Evidence
from smartbrain.v1.item_pb2 import LAYER_EPISODIC

from brain_core.index.chunks import ChunkTable
from brain_core.index.records import Records
from brain_core.index.source import OF_ANY, OF_NONE, read_in
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
    offered: NDArray[np.int32], repeats: Sequence[int], order: NDArray[np.int32], chunks: ChunkTable
) -> Told:
    """Return which items found messages say. offered: rows int32[m], best first. repeats: rows of the recent turns.

    order: rows, int32[n], as room is given to them.
    """
    told = Told({}, {})
    kinds = chunks.column("kind")[offered]
    own = offered[kinds == CHUNK_KIND_ITEM].tolist()
    if not own:
        return told
    own, said = _of_one_source(own, [*repeats, *offered[kinds == CHUNK_KIND_MESSAGE].tolist()], chunks)
    if not said:
        return told
    records = chunks.records
    items = {row: item for row in own if (item := records.made_of(row, "read in", _read_in)).message_id}
    replacing = [row for row, item in items.items() if item.replaces]
    for row in _not_done(chunks, replacing) if replacing else ():
        del items[row]
    wanted = {item.message_id for item in items.values()}
    windows = _windows(said, records.ids(said), wanted) if wanted else {}
    for row, item in items.items() if windows else ():
        for message in windows.get(item.message_id, ()):
            if item.replaces and not _names_it(records, row, message):
                continue
            share = _share(records.made_of(message, "window", _window), item)
            if share >= _ALL_BUT or (share and (message in repeats or _stands_first(order, message, row))):
                told.already[row] = message
            elif share:
                told.twins[row] = message
    return told


def _of_one_source(
    items: Sequence[int], messages: Sequence[int], chunks: ChunkTable
) -> tuple[Sequence[int], Sequence[int]]:
    """Return (which items may have been read in some of the messages, and in which of these). items, messages: rows."""
    sources = chunks.column("source")
    of_items, of_messages = sources[items].tolist(), sources[messages].tolist() if messages else []
    there, wanted = set(of_messages), {OF_ANY, *of_items} - {OF_NONE}
    said = [row for row, source in zip(messages, of_messages, strict=True) if source in wanted]
    if OF_ANY in there:
        return items, said
    return [row for row, source in zip(items, of_items, strict=True) if source in there], said


def _not_done(chunks: ChunkTable, rows: Sequence[int]) -> list[int]:
    """Return which rows of items are no tasks that are done, by the layer that their kind gives them."""
    tasks = set(chunks.names["item_type"].find(["tasks"]).tolist())
    types, layers = chunks.column("item_type")[rows].tolist(), chunks.column("layer")[rows].tolist()
    of_each = zip(rows, types, layers, strict=True)
    return [row for row, own, layer in of_each if own not in tasks or layer != LAYER_EPISODIC]


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
    """Which characters of a message a text is."""

    start: int
    stop: int


def _window(text: Evidence) -> _Window:
    return _Window(text.metadata.offset_start, text.metadata.offset_end)


def _windows(said: Sequence[int], ids: Sequence[str], wanted: Set[str]) -> dict[str, list[int]]:
    """Return the windows of the messages of the wanted ids, by the id. A long message's second window is `id#1`.

    said: rows. ids: of each.
    """
    found: dict[str, list[int]] = {}
    for row, own in zip(said, ids, strict=True):
        if own in wanted:
            found.setdefault(own, []).append(row)
        if "#" in own and (whole := own.rpartition("#")[0]) in wanted:
            found.setdefault(whole, []).append(row)
    return found


def _stands_first(order: NDArray[np.int32], one: int, other: int) -> bool:
    [places] = ((order == one) | (order == other)).nonzero()
    return bool(order[places[0]] == one)


def _share(window: _Window, item: _ReadIn) -> float:
    """Return the share of a window that an item was read from, 0 if it is not all in there."""
    if not window.start <= item.start or item.stop > window.stop:
        return 0.0
    return (item.stop - item.start) / (window.stop - window.start)
