"""The session's working summary as a slot: what of it still holds, and as much as there is room for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from smartbrain.v1.evidence_pb2 import Dropped
from smartbrain.v1.item_pb2 import ITEM_STATUS_ACTIVE

from brain_core.compose.draft import Draft
from brain_core.compose.said import SaidTurn
from brain_core.compose.slots import Room, SlotCounter
from brain_core.compose.then import Then
from brain_core.index.chunks import ChunkTable
from brain_core.store.kv import ReadView
from brain_core.store.summaries import read_newest, read_newest_by
from brain_core.store.v1.records_pb2 import SummaryLine, SummaryRecord
from brain_core.summary import QUESTIONS, fill, fit, shown_lines

Said = tuple[str, str]
"""(turn_id, message_id)."""


_ENDED = "below_threshold", "an item that it rests on no longer holds"


class SessionSummary(NamedTuple):
    """The newest summary of a session. lines: those that still hold."""

    record: SummaryRecord
    lines: Sequence[SummaryLine]


def read_summary(
    view: ReadView, chunks: ChunkTable, memory_id: str, session_id: str, ends_by_us: int, then: Then | None = None
) -> SessionSummary | None:
    """Return a session's newest summary, less the lines under which an item has ended, or None if there is none.

    ends_by_us: the time by which ends are judged. then: the moment whose newest it is, None for now.
    """
    place = view, memory_id, session_id
    record = read_newest(*place) if then is None else read_newest_by(*place, then.revision)
    if record is None:
        return None
    status = chunks.column("status") if then is None else then.status
    ends = chunks.column("ends_us")
    lines = [
        line
        for line in shown_lines(record)
        if all(status[row] == ITEM_STATUS_ACTIVE and not 0 < ends[row] <= ends_by_us for row in line.chunks)
    ]
    return SessionSummary(record, lines)


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
        record = self._summary.record
        kept = [line for line in self._summary.lines if _name(line) in self._kept]
        fill(draft.package.working_summary, record, kept)
        holding = set(map(_name, self._summary.lines))
        for number, line in enumerate(shown_lines(record)):
            if _name(line) not in self._kept:
                reason, detail = self._why_not[_name(line)] if _name(line) in holding else _ENDED
                name = f"summary:{record.version}.{number}"
                draft.drop_each([Dropped(id=name, reason=reason, detail=detail)])
                draft.count_dropped("working_summary", reason, 1)

    def _take(self, lines: Sequence[SummaryLine], room: Room, counter: SlotCounter) -> None:
        def cost(some: Iterable[SummaryLine]) -> int:
            opened, total = set(self._opened), 0
            for line in some:
                title, text = counter.summary_line(line.section, line.text)
                total += text if line.section in opened else title + text
                opened.add(line.section)
            return total

        def take(*some: SummaryLine) -> bool:
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


def _said_in(turns: Iterable[SaidTurn], lines: Iterable[SummaryLine]) -> list[SummaryLine]:
    """Return the lines that turns say."""
    said = {(turn.turn_id, message.id) for turn in turns for message in turn.messages}
    return [line for line in lines if (line.turn_id, line.message_id) in said]


def _name(line: SummaryLine) -> tuple[str, str]:
    return line.section, line.text
