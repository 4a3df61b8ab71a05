"""What is about certain days, whenever it was said: items by their own day, and the messages that they were read in."""

from __future__ import annotations

from datetime import date

import numpy as np
from numpy.typing import NDArray
from smartbrain.v1.item_pb2 import ITEM_STATUS_ACTIVE
from smartbrain.v1.plan_pb2 import DayRange

from brain_core.compose.then import Then, status_of
from brain_core.index.chunks import ChunkTable
from brain_core.store.v1.records_pb2 import CHUNK_KIND_MESSAGE

_FIRST = date.min.toordinal()
_PAST_LAST = date.max.toordinal() + 1


def day_range(start: date, stop: date) -> DayRange:
    """Return the days from `start` up to, and without, `stop`."""
    days = DayRange(to=stop.isoformat())
    setattr(days, "from", start.isoformat())
    return days


def rows_about(chunks: ChunkTable, days: DayRange, then: Then | None) -> NDArray[np.bool_]:
    """Return which rows are about some days, bool[n]: of active items alone, for what was replaced no longer holds.

    A message stands for an item that it was read in unless that is in doubt: it does not say so, the item does.
    days: checked. then: the moment whose items count, None for now.
    """
    items = items_about(chunks, days, then)
    found: NDArray[np.bool_] = np.zeros(len(chunks), dtype=bool)
    found[items] = True
    sure = items[chunks.column("doubted")[items] == 0]
    if len(sure):
        found[_read_in(chunks, sure)] = True
    return found


def items_about(chunks: ChunkTable, days: DayRange, then: Then | None) -> NDArray[np.int64]:
    """Return the rows of the active items that are about some days, ascending. Each has the time of its message."""
    first, stop = bounds(days)
    own = chunks.column("own_day")
    dated = own.nonzero()[0]
    fits = (own[dated] < stop) & (chunks.column("own_last")[dated] >= first)
    items: NDArray[np.int64] = dated[fits & (status_of(chunks, then)[dated] == ITEM_STATUS_ACTIVE)]
    return items


def bounds(days: DayRange) -> tuple[int, int]:
    """Return days as ordinals, the first and the one past the last. Raises ValueError where one is no day."""
    start, stop = getattr(days, "from"), days.to
    return (
        date.fromisoformat(start).toordinal() if start else _FIRST,
        date.fromisoformat(stop).toordinal() if stop else _PAST_LAST,
    )


def _read_in(chunks: ChunkTable, items: NDArray[np.int64]) -> list[int]:
    """Return the rows of the messages that items were read in. An item has the session and time of its message."""
    sessions, times = chunks.column("session"), chunks.column("time_us")
    near = np.isin(sessions, sessions[items], kind="table") & (chunks.column("kind") == CHUNK_KIND_MESSAGE)
    among = np.flatnonzero(near)
    rows = among[np.isin(times[among], times[items])].tolist()
    wanted = {f"{one.ref.turn_id}:{one.ref.message_id}" for one in chunks.records.read(items.tolist())}
    # A long message's second window is `id#1`.
    ids = chunks.records.ids(rows)
    return [row for row, name in zip(rows, ids, strict=True) if name in wanted or name.rpartition("#")[0] in wanted]
