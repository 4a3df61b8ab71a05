"""Filters as a mask over chunks: applied inside the search, never after it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from smartbrain.v1.item_pb2 import ITEM_STATUS_ACTIVE, LAYER_EPISODIC
from smartbrain.v1.plan_pb2 import PlanFilters

from brain_core.compose.labels import KINDS as LABELS
from brain_core.compose.labels import NONE, Labels
from brain_core.compose.own_days import rows_about
from brain_core.compose.then import Then, status_of
from brain_core.errors import shorten
from brain_core.index.chunks import FOUND_BY_DEFAULT, ChunkTable
from brain_core.text.language import language_code

Mask = NDArray[np.uint8]

_FEW = 8
_TOLD, _LONGEST_TOLD = 20, 300  # entries of a list, characters of an address
_UNSPECIFIED_MEANS = {"layers": LAYER_EPISODIC, "statuses": ITEM_STATUS_ACTIVE}


@dataclass(frozen=True, slots=True)
class Allowed:
    """Which rows a search may find. mask: uint8[n]. count: how many. words: what narrowed the search.

    idle: those of the words that hold for nothing in the memory.
    """

    mask: Mask
    count: int
    words: list[str]
    idle: Sequence[str] = ()

    def only(self, rows: NDArray[np.int32]) -> Allowed:
        """Return the same with nothing but these rows, int32[m], which are all allowed."""
        mask = np.zeros_like(self.mask)
        mask[rows] = 1
        return Allowed(mask, len(rows), self.words, self.idle)


def allowed_rows(
    chunks: ChunkTable,
    filters: Sequence[PlanFilters],
    labels: Labels = NONE,
    then: Then | None = None,
    *,
    documents: bool = True,
) -> Allowed:
    """Return the rows for which all filters hold.

    A row whose status is not asked for is out: without a status filter active and deprecated ones are in. labels: of
    the whole plan. then: the moment whose rows and statuses count, None for now. documents: whether sections of
    documents may be found.
    """
    by_default, count = chunks.found_by_default() if then is None else _found_then(then)
    status = status_of(chunks, then)
    sections, section_count = chunks.sections()
    conditions = [pair for one in filters for pair in _conditions(chunks, one, labels, status)]
    for days in (one.days for one in filters if one.HasField("days")):
        words = f"about {getattr(days, 'from')}..{days.to}"
        conditions.append((words, rows_about(chunks, days, then)))
    if section_count and not documents:
        conditions.append(("no documents", sections == 0))
    if then is not None:
        conditions.append((f"as of revision {then.revision}", then.status > 0))
    if not conditions:
        return Allowed(by_default, count, [])
    by_status = any(one.statuses for one in filters)
    mask = np.ones(len(chunks), dtype=bool) if by_status else by_default.view(bool)
    for _, condition in conditions:
        mask = mask & condition
    idle = [name for name, condition in conditions if len(chunks) and not condition.any()]
    return Allowed(mask.view(np.uint8), int(np.count_nonzero(mask)), [name for name, _ in conditions], idle)


def _found_then(then: Then) -> tuple[Mask, int]:
    found = np.isin(then.status, FOUND_BY_DEFAULT)
    return found.view(np.uint8), int(np.count_nonzero(found))


def _conditions(
    chunks: ChunkTable, filters: PlanFilters, labels: Labels, status: NDArray[np.uint8]
) -> list[tuple[str, NDArray[np.bool_]]]:
    found: list[tuple[str, NDArray[np.bool_]]] = []
    if not filters.ListFields():
        return found
    for field, column in (
        ("document_ids", "document"),
        ("source_type", "source_type"),
        ("types", "item_type"),
        ("session_ids", "session"),
    ):
        wanted = getattr(filters, field)
        if wanted:
            known = chunks.names[column].find(wanted)
            found.append((_one_of(field, wanted), _is_any_of(chunks.column(column), known)))
    for field in LABELS:
        wanted = getattr(filters, field)
        if wanted:
            known = chunks.names["document"].find(labels.having(field, wanted))
            found.append((_one_of(field, wanted), _is_any_of(chunks.column("document"), known)))
    if filters.language:
        known = chunks.names["language"].find([language_code(filters.language)])
        found.append((f"language = {shorten(filters.language)}", _is_any_of(chunks.column("language"), known)))
    if filters.source_uri_prefix:
        known = chunks.names["uri"].starting_with(filters.source_uri_prefix)
        prefix = shorten(filters.source_uri_prefix, _LONGEST_TOLD)
        found.append((f"source_uri starts with {prefix}", _is_any_of(chunks.column("uri"), known)))
    for field, values in (("layers", chunks.column("layer")), ("statuses", status)):
        named = dict.fromkeys(int(number) or _UNSPECIFIED_MEANS[field] for number in getattr(filters, field))
        numbers = list(named)
        if numbers:
            found.append((f"{field} in {numbers}", _is_any_of(values, numbers)))
    return found + _ranges(chunks, filters)


def _is_any_of(column: NDArray[np.integer[Any]], wanted: Sequence[int] | NDArray[np.int32]) -> NDArray[np.bool_]:
    """Return by row whether its number is wanted: of a few, as most filters have, sooner than by np.isin."""
    if len(wanted) > _FEW:
        return np.isin(column, wanted)
    found: NDArray[np.bool_] = np.zeros(len(column), dtype=bool)
    for number in wanted:
        found |= column == number
    return found


def _one_of(field: str, wanted: Sequence[str]) -> str:
    first = ", ".join(repr(shorten(each)) for each in wanted[:_TOLD])
    return f"{field} in [{first}]" if len(wanted) <= _TOLD else f"{field} in [{first}, …] ({len(wanted)} entries)"


def _ranges(chunks: ChunkTable, filters: PlanFilters) -> list[tuple[str, NDArray[np.bool_]]]:
    found: list[tuple[str, NDArray[np.bool_]]] = []
    times = chunks.column("time_us")
    if filters.time_range.HasField("from"):
        start = getattr(filters.time_range, "from")
        found.append((f"time ≥ {start.ToJsonString()}", np.asarray(times >= start.ToMicroseconds())))
    if filters.time_range.HasField("to"):
        stop = filters.time_range.to
        found.append((f"time < {stop.ToJsonString()}", np.asarray(times < stop.ToMicroseconds())))
    if filters.HasField("min_confidence"):
        low = filters.min_confidence
        found.append((f"confidence ≥ {low}", np.asarray(chunks.column("confidence") >= np.float32(low))))
    if filters.HasField("max_priority"):
        high = filters.max_priority
        found.append((f"priority ≤ {high}", np.asarray(chunks.column("priority") <= high)))
    return found
