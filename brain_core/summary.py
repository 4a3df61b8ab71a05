"""What a working summary looks like: five sections of single lines, as many as there is room for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import count
from typing import Protocol, TypeVar

from smartbrain.v1.context_pb2 import SummarySection, WorkingSummary

from brain_core.store.v1.records_pb2 import SummaryLine, SummaryRecord

GOALS, DECISIONS, TASKS = "Goals", "Decisions", "Tasks"
REFERENCES, QUESTIONS = "Key References", "Open Questions"
SECTIONS = (GOALS, DECISIONS, TASKS, REFERENCES, QUESTIONS)
"""Titles in order (policies §2.3)."""


def shown_lines(record: SummaryRecord) -> Sequence[SummaryLine]:
    """Return the lines of a summary that are shown: a model's if it has given any."""
    return record.rewritten or record.lines


class Line(Protocol):
    """A line, in whatever form it is read."""

    @property
    def section(self) -> str:
        """Its title."""

    @property
    def text(self) -> str:
        """The line."""


_Some = TypeVar("_Some", bound=Line)


def fit(lines: Iterable[_Some], take: Callable[[_Some], bool]) -> list[_Some]:
    """Return the lines that `take` takes. The first of each section are offered first, then the second of each, …."""
    ranks = {section: count() for section in SECTIONS}
    offered = sorted(((next(ranks[line.section]), SECTIONS.index(line.section), line) for line in lines), key=_place)
    return [line for _, _, line in offered if take(line)]


def _place(offered: tuple[int, int, Line]) -> tuple[int, int]:
    return offered[:2]


def fill(summary: WorkingSummary, record: SummaryRecord, lines: Iterable[Line]) -> None:
    """Write lines of a record as a contract's summary, sections in order."""
    summary.summary_version = record.version
    summary.source_turn_from, summary.source_turn_to = record.turn_from, record.turn_to
    summary.generated_at.FromMicroseconds(record.generated_at_us)
    texts: dict[str, list[str]] = {}
    for line in lines:
        texts.setdefault(line.section, []).append(line.text)
    summary.sections.extend(SummarySection(title=title, lines=texts[title]) for title in SECTIONS if title in texts)
