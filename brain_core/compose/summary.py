"""The session's working summary as a slot: what of it still holds, and as much as there is room for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from smartbrain.v1.context_pb2 import ContextPackage
from smartbrain.v1.evidence_pb2 import Dropped
from smartbrain.v1.item_pb2 import ITEM_STATUS_ACTIVE

from brain_core.compose.draft import Draft
from brain_core.compose.said import SaidTurn
from brain_core.compose.slots import Room, SlotCounter
from brain_core.compose.then import Then, status_of
from brain_core.index.chunks import ChunkTable
from brain_core.store.kv import ReadView
from brain_core.store.summaries import newest_version, read_newest_by
from brain_core.store.v1.records_pb2 import SummaryRecord
from brain_core.summary import QUESTIONS, fill, fit, shown_lines

Said = tuple[str, str]
"""(turn_id, message_id)."""


_ENDED = "below_threshold", "an item that it rests on no longer holds"


_REMEMBERED = 64  # summaries


class Line(NamedTuple):
    """A line of a summary. chunks: rows of the items that it rests on. The rest as in SummaryLine."""

    section: str
    text: str
    turn_id: str
    message_id: str
    chunks: tuple[int, ...]


class _Shown(NamedTuple):
    """A version of a summary: all lines that are shown of it, and the rows int64[m] of the items that they rest on."""

    version: int
    lines: tuple[Line, ...]
    chunks: NDArray[np.int64]


class SessionSummary(NamedTuple):
    """The newest summary of a session, serialised, and its version. shown: its lines. lines: those that still hold."""

    record: bytes
    version: int
    shown: tuple[Line, ...]
    lines: Sequence[Line]


def read_summary(
    view: ReadView, chunks: ChunkTable, memory_id: str, session_id: str, ends_by_us: int, then: Then | None = None
) -> SessionSummary | None:
    """Return a session's newest summary, less the lines under which an item has ended, or None if there is none.

    ends_by_us: the time by which ends are judged. then: the moment whose newest it is, None for now.
    """
    record = _newest(view, memory_id, session_id, then)
    if record is None:
        return None
    version, shown, rows = _shown_of(record)
    ends = chunks.column("ends_us")[rows]
    over = (status_of(chunks, then)[rows] != ITEM_STATUS_ACTIVE) | ((ends > 0) & (ends <= ends_by_us))
    if not np.count_nonzero(over):
        return SessionSummary(record, version, shown, shown)
    ended = frozenset(rows[over].tolist())
    return SessionSummary(record, version, shown, [line for line in shown if ended.isdisjoint(line.chunks)])


def _newest(view: ReadView, memory_id: str, session_id: str, then: Then | None) -> bytes | None:
    if then is None:
        return newest_version(view, memory_id, session_id)
    record = read_newest_by(view, memory_id, session_id, then.revision)
    return None if record is None else record.SerializeToString()


@lru_cache(maxsize=_REMEMBERED)
def _shown_of(record: bytes) -> _Shown:
    """Return what is shown of a record. It comes back with each compose of its session until the summary changes."""
    parsed = SummaryRecord.FromString(record)
    lines = [
        Line(line.section, line.text, line.turn_id, line.message_id, tuple(line.chunks)) for line in shown_lines(parsed)
    ]
    return _Shown(
        parsed.version, tuple(lines), np.array([row for line in lines for row in line.chunks], dtype=np.int64)
    )


@lru_cache(maxsize=_REMEMBERED)
def _written(record: bytes, lines: tuple[Line, ...]) -> bytes:
    """Return a ContextPackage with nothing but lines of a summary, serialised."""
    package = ContextPackage()
    fill(package.working_summary, SummaryRecord.FromString(record), lines)
    return package.SerializeToString()


def forget_summaries() -> None:
    """Let go of all that is remembered."""
    _shown_of.cache_clear()
    _written.cache_clear()


class SummarySlot:
    """The slot while it is filled: before the recent turns with what they do not say, after them with the rest.

    slot_limit: tokens of the slot, heading included.
    """

    def __init__(self, summary: SessionSummary, turns: Iterable[SaidTurn], slot_limit: int) -> None:
        self._summary = summary
        self._slot_limit = slot_limit
        self._later = _said_in(turns, summary.lines) if summary.lines else []
        self._opened: set[str] = set()
        self._kept: set[tuple[str, str]] = set()
        self._why_not: dict[tuple[str, str], tuple[str, str]] = {}

    def fill(self, room: Room, counter: SlotCounter) -> None:
        """Take the lines that no recent turn says."""
        later = {_name(line) for line in self._later}
        self._take([line for line in self._summary.lines if _name(line) not in later], room, counter)

    def fill_rest(self, shown: set[Said], room: Room, counter: SlotCounter) -> None:
        """Take the others, less the questions that stand in the recent turns. shown: messages that are whole there."""
        rest = []
        for line in self._later:
            if line.section == QUESTIONS and (line.turn_id, line.message_id) in shown:
                self._why_not[_name(line)] = "duplicate", "stands in recent_turns"
            else:
                rest.append(line)
        self._take(rest, room, counter)

    def write(self, draft: Draft) -> None:
        """Put what was taken into a package, and say what was not."""
        summary = self._summary
        kept = tuple([line for line in summary.lines if _name(line) in self._kept])
        draft.working_summary = _written(summary.record, kept)
        if len(kept) == len(summary.shown):
            return
        holding, left = set(map(_name, summary.lines)), list[Dropped]()
        for number, line in enumerate(summary.shown):
            if _name(line) not in self._kept:
                reason, detail = self._why_not[_name(line)] if _name(line) in holding else _ENDED
                left.append(Dropped(id=f"summary:{summary.version}.{number}", reason=reason, detail=detail))
                draft.count_dropped("working_summary", reason, 1)
        draft.drop_each(left)

    def _take(self, lines: Sequence[Line], room: Room, counter: SlotCounter) -> None:
        def cost(some: Iterable[Line]) -> int:
            opened, total = set(self._opened), 0
            for line in some:
                title, text = counter.summary_line(line.section, line.text)
                total += text if line.section in opened else title + text
                opened.add(line.section)
            return total

        def take(*some: Line) -> bool:
            fits = bool(room.take_first("working_summary", [cost(some)], slot_limit=self._slot_limit))
            for line in some if fits else ():
                self._opened.add(line.section)
                self._kept.add(_name(line))
            return fits

        if not lines or take(*lines):
            return
        taken = set(map(_name, fit(lines, take)))
        over = "budget", "over summary_max_tokens or token_limit"
        self._why_not |= {_name(line): over for line in lines if _name(line) not in taken}


def _said_in(turns: Iterable[SaidTurn], lines: Iterable[Line]) -> list[Line]:
    """Return the lines that turns say."""
    said = {(turn.turn_id, message.id) for turn in turns for message in turn.messages}
    return [line for line in lines if (line.turn_id, line.message_id) in said]


def _name(line: Line) -> tuple[str, str]:
    return line.section, line.text
