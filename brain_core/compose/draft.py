"""A ContextPackage while it is filled, most of it as the bytes that it is sent as."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from smartbrain.v1.brain_service_pb2 import ComposeContextResponse
from smartbrain.v1.context_pb2 import ContextDebug, ContextPackage, PlannerDebug
from smartbrain.v1.evidence_pb2 import Dropped

from brain_core.index.records import Records
from brain_core.kernels.reasons import WRITTEN, dropped

_CONTEXT = ComposeContextResponse.DESCRIPTOR.fields_by_name["context"].number
_DEBUG = ContextPackage.DESCRIPTOR.fields_by_name["debug"].number
_PLANNER = ContextDebug.DESCRIPTOR.fields_by_name["planner"].number
_DROPPED = ContextDebug.DESCRIPTOR.fields_by_name["dropped"].number
_BYTES_FOLLOW = 2  # wire type of what has a length
_SEVEN_BITS = 0x7F


class Contents(NamedTuple):
    """What went into a context, in numbers, for whoever counts.

    timings_ms: by stage. sources: pieces of evidence by what they are of: conversation, memory_item, resource. slots:
    tokens by slot, of `limit`. dropped: as ContextDebug.dropped_counts. degraded: as there.
    """

    timings_ms: Mapping[str, float]
    sources: Mapping[str, int]
    slots: Mapping[str, int]
    limit: int
    dropped: Mapping[str, int]
    degraded: tuple[str, ...]


class Draft:
    """A package on its way. What kernels write and what is stored as bytes is joined and never parsed.

    package: all but system_blocks, working_summary, recent_turns, evidence (each of which is a ContextPackage with
    nothing else, serialised) and `debug`. debug: all but why_selected, which is `why` (serialised ContextDebug),
    `planner`, and what was dropped. planner: all but its expansions, which is `expanded` (serialised PlannerDebug).
    dropped_counts: as ContextDebug has them. timings_ms: by stage. sources: as in Contents.
    """

    __slots__ = (
        "_ids", "_records", "_rows", "_words", "debug", "dropped_counts", "evidence", "expanded", "package", "planner",
        "recent_turns", "sources", "system_blocks", "timings_ms", "why", "working_summary",
    )  # fmt: skip

    def __init__(self, records: Records) -> None:
        """Begin one. records: of the rows that it is told of."""
        self.package = ContextPackage()
        self.debug = ContextDebug()
        self.planner = PlannerDebug()
        self.expanded = b""
        self.system_blocks = b""
        self.working_summary = b""
        self.recent_turns = b""
        self.evidence = b""
        self.why = b""
        self.sources: Mapping[str, int] = {}
        self.timings_ms: Mapping[str, float] = {}
        self.dropped_counts: dict[str, int] = {}
        self._records = records
        self._rows: list[int] = []  # that are dropped, WRITTEN for what is no row
        self._words: list[bytes] = []  # of each
        self._ids: list[str] = []

    def drop_rows(self, rows: Iterable[int], words: Iterable[bytes]) -> None:
        """Name rows that did not go in. words: why of each, a serialised Dropped without id."""
        self._rows += rows
        self._words += words

    def drop_each(self, left_out: Sequence[Dropped]) -> None:
        """Name what did not go in."""
        told = ContextDebug()
        told.dropped.extend(left_out)
        self.drop_serialised([one.id for one in left_out], told.SerializeToString())

    def drop_serialised(self, ids: Sequence[str], serialised: bytes) -> None:
        """Name what did not go in. serialised: a ContextDebug with nothing but `dropped`, of these ids."""
        self._rows.append(WRITTEN)
        self._words.append(serialised)
        self._ids += ids

    def dropped_ids(self) -> set[str]:
        """Return the ids of all that is named so far."""
        return {*self._ids, *self._records.ids([row for row in self._rows if row != WRITTEN])}

    def count_dropped(self, slot: str, reason: str, count: int) -> None:
        """Count candidates that did not go into a package."""
        if count:
            counts, name = self.dropped_counts, f"{slot}/{reason}"
            counts[name] = counts.get(name, 0) + count

    def contents(self) -> Contents:
        """Return the numbers of it."""
        budget = self.package.constraints.token_budget
        slots, degraded = dict(budget.slots), tuple(self.debug.degraded)
        return Contents(self.timings_ms, self.sources, slots, budget.limit, self.dropped_counts, degraded)

    def response(self, revision: int, *, trace: bool) -> bytes:
        """Return the package at a revision as a serialised ComposeContextResponse. trace: whether with its trace."""
        rest = ContextDebug(dropped_counts=self.dropped_counts, timings_ms=self.timings_ms if trace else {})
        records = self._records
        left_out = dropped(records.content, records.ends, self._rows, self._words, _DROPPED) if trace else b""
        planner = as_field(_PLANNER, (self.planner.SerializeToString(), self.expanded))
        debug = (self.debug.SerializeToString(), *planner, self.why, left_out, rest.SerializeToString())
        slots = (self.system_blocks, self.working_summary, self.recent_turns, self.evidence)
        context = (self.package.SerializeToString(), *slots, *as_field(_DEBUG, debug))
        told = ComposeContextResponse(revision=revision).SerializeToString()
        return b"".join((*as_field(_CONTEXT, context), told))


def as_field(field: int, parts: tuple[bytes, ...]) -> tuple[bytes, ...]:
    """Return the serialised parts of a message as a field, in parts. field: 1..15."""
    left, head = sum(map(len, parts)), [field << 3 | _BYTES_FOLLOW]
    while left > _SEVEN_BITS:
        head.append(left & _SEVEN_BITS | _SEVEN_BITS + 1)
        left >>= 7
    return bytes([*head, left]), *parts
