"""What is known of each chunk, in flat arrays that the kernels read. Row r stands for chunk ordinal r."""

from __future__ import annotations

import unicodedata
import zlib
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from smartbrain.v1.evidence_pb2 import Evidence
from smartbrain.v1.item_pb2 import ITEM_STATUS_ACTIVE, ITEM_STATUS_DEPRECATED, LAYER_EPISODIC

from brain_core.index.derive import begins_section, day_of, label, line, shown_text
from brain_core.index.growing import with_room
from brain_core.index.records import Joined, Records, joined
from brain_core.index.source import source_of
from brain_core.kernels.vocabulary import Vocabulary
from brain_core.store.v1.records_pb2 import (
    CHUNK_KIND_ITEM,
    CHUNK_KIND_MESSAGE,
    CHUNK_KIND_SECTION,
    ChunkRecord,
)
from brain_core.text.contentless import is_contentless
from brain_core.text.words import first_person_words

NONE = -1
"""Ordinal of a name or row that is not there."""

NEVER = 2**63 - 1
"""Microseconds: when what holds for good ends."""

COLUMNS: dict[str, type[np.generic]] = {
    "kind": np.uint8,
    "status": np.uint8,
    "faded": np.uint8,
    "layer": np.uint8,
    "priority": np.uint8,
    "confidence": np.float32,
    "cost": np.int32,
    "line_cost": np.int32,
    "chars": np.int32,
    "time_us": np.int64,
    "ends_us": np.int64,
    "session": np.int32,
    "document": np.int32,
    "section": np.int32,
    "uri": np.int32,
    "item_type": np.int32,
    "source_type": np.int32,
    "language": np.int32,
    "text_hash": np.int32,
    "before": np.int32,
    "after": np.int32,
    "told_before": np.int32,
    "told_after": np.int32,
    "start": np.int32,
    "day": np.int32,
    "speaker": np.int32,
    "assistant": np.uint8,
    "first_person": np.uint8,
    "contentless": np.uint8,
    "own_day": np.int32,
    "own_last": np.int32,
    "doubted": np.uint8,
    "source": np.int32,
}
"""Columns and their types. before, after and start are rows: the neighbours in the session, and where the row's message
begins, for a long message is several; told_before and told_after are the neighbours that are not contentless; day is
the row of a message from which on all of its session was said on one day, -1 of what is no message; a document is a
session of its own, its sections are the messages. assistant tells who spoke; cost and line_cost are hundredths of a
token; first_person counts words like "my", up to 255; contentless is 1 for a message that says nothing by itself; faded
is 1 for what is true and yet over: deprecated items and tasks that are done; chars is the length of a line that follows
another message, its line end included; ends_us is 0 for what holds for good; own_day and own_last are the first and the
last day that an item is about, as `date.toordinal`, 0 for none; text_hash tells copies; source is as `source_of` tells
it; the columns of NAMED are ordinals of names."""

NAMED = ("session", "document", "section", "uri", "item_type", "source_type", "language", "speaker")
_NEIGHBOURS = ("before", "after", "told_before", "told_after")
_FIRST_CAPACITY = 64  # rows
FOUND_BY_DEFAULT = (ITEM_STATUS_ACTIVE, ITEM_STATUS_DEPRECATED)
_HIDDEN = 0
_DOCUMENT_MARK = "\x01"  # no session id begins with a control character


def text_hash(text: str) -> int:
    """Return 31 bits that are equal for texts that differ only in case, width and white space."""
    folded = " ".join(unicodedata.normalize("NFKC", text).casefold().split())
    return zlib.crc32(folded.encode()) & 0x7FFFFFFF


class Names:
    """Ordinals for strings, given in the order they are first seen. The empty string has none (-1)."""

    def __init__(self, known: Iterable[str] = ()) -> None:
        self._names = Vocabulary()
        self._names.learn(known)

    def __len__(self) -> int:
        return len(self._names)

    @property
    def nbytes(self) -> int:
        """Bytes held."""
        return self._names.nbytes

    def ordinal(self, name: str) -> int:
        """Return the ordinal of a name, giving it one if it has none."""
        return self._names.add(name) if name else NONE

    def find(self, names: Iterable[str]) -> NDArray[np.int32]:
        """Return the ordinals of those names that have one."""
        ordinals = self._names.ids(names)
        known: NDArray[np.int32] = ordinals[ordinals != NONE]
        return known

    def starting_with(self, prefix: str) -> NDArray[np.int32]:
        """Return the ordinals of the names with a prefix."""
        return self._names.starting_with(prefix)

    def __getitem__(self, ordinal: int) -> str:
        return self._names[ordinal]

    def all(self) -> list[str]:
        """Return the names in the order of their ordinals."""
        return self._names.terms()


class ChunkTable:
    """Growing columns of chunk attributes. records: what each row becomes.

    Rows of documents are hidden until `show`.
    """

    def __init__(self) -> None:
        self._count = 0
        self._newest_said = self._newest_read = 0
        self._put_right: list[tuple[int, int]] = []  # rows with a newest_said_us, and that
        self._first_end = NEVER
        self.records = Records()
        self._items: list[int] = []
        self._columns = {name: np.zeros(_FIRST_CAPACITY, dtype=kind) for name, kind in COLUMNS.items()}
        self._views: dict[str, NDArray[Any]] = {}  # of columns, as `column` gives them: a compose asks for 30
        self._found = np.zeros(_FIRST_CAPACITY, dtype=np.uint8)
        self._found_count = 0
        self._read = np.zeros(_FIRST_CAPACITY, dtype=np.uint8)
        self._read_count = 0
        self.names = {name: Names() for name in NAMED}
        self._last_of_session: dict[int, int] = {}
        self._days: dict[int, str] = {}  # of the last row of each session
        self._labels: Joined = (np.empty(0, dtype=np.uint8), np.zeros(1, dtype=np.int64))

    def __len__(self) -> int:
        return self._count

    @property
    def nbytes(self) -> int:
        """Bytes held: room of the columns to grow takes none."""
        a_row = sum(each.itemsize for each in (*self._columns.values(), self._found, self._read))
        return self._count * a_row + self.records.nbytes + sum(names.nbytes for names in self.names.values())

    def column(self, name: str) -> NDArray[Any]:
        """Return a column as long as the table; a view, valid until the next add."""
        view = self._views.get(name)
        if view is None:
            view = self._views[name] = self._columns[name][: self._count]
        return view

    @property
    def newest_us(self) -> int:
        """The time of the newest text that was said, of the newest section where nothing was; 0 without rows.

        A time that was no time, since a clock was ahead, is left out.
        """
        return self._newest_said or self._newest_read

    def newest_of(self, rows: int) -> int:
        """Return the same of the first rows."""
        after, newest = next(((row + 1, us) for row, us in reversed(self._put_right) if row < rows), (0, 0))
        said = self._columns["kind"][:rows] != CHUNK_KIND_SECTION
        times = self._columns["time_us"][:rows]
        return int(times[after:][said[after:]].max(initial=newest)) or int(times[~said].max(initial=0))

    @property
    def first_end_us(self) -> int:
        """A time before which nothing ends: the first end that a row has or had, NEVER where none has."""
        return self._first_end

    def found_by_default(self) -> tuple[NDArray[np.uint8], int]:
        """Return (uint8[n], 1 where a search that names no status may find the row; how many there are)."""
        return self._found[: self._count], self._found_count

    def sections(self) -> tuple[NDArray[np.uint8], int]:
        """Return (uint8[n], 1 where a row is of a document's section and shown; how many there are)."""
        return self._read[: self._count], self._read_count

    def labels(self) -> Joined:
        """Return what stands before a further text of a piece, by the ordinal of its speaker."""
        names = self.names["speaker"]
        if len(self._labels[1]) != len(names) + 1:
            self._labels = joined([label(name).encode() for name in names.all()])
        return self._labels

    def items(self) -> NDArray[np.int32]:
        """Return the rows that stand for items, ascending."""
        return np.array(self._items, dtype=np.int32)

    def has_documents(self) -> bool:
        """Return whether a section of a document is shown."""
        return self._read_count > 0

    def resources(self, rows: NDArray[np.int32]) -> NDArray[np.bool_]:
        """Return which rows are sections of documents."""
        found: NDArray[np.bool_] = self.column("kind")[rows] == CHUNK_KIND_SECTION
        return found

    def add(self, chunk: ChunkRecord, cost: int, line_cost: int) -> None:
        """Append a row for a chunk. cost, line_cost: what it costs in a prompt, alone and after another message."""
        row = self._count
        self._make_room(row + 1)
        self._count += 1
        self._views = {}
        evidence = chunk.evidence
        texts = {
            "session": chunk.session_id or (_DOCUMENT_MARK + evidence.document_id if evidence.document_id else ""),
            "document": evidence.document_id,
            "section": evidence.section_id,
            "uri": evidence.source_uri,
            "item_type": chunk.item_type,
            "source_type": evidence.source_type,
            "language": evidence.language,
            "speaker": evidence.metadata.speaker,
        }
        for name, text in texts.items():
            self._columns[name][row] = self.names[name].ordinal(text)
        self._columns["kind"][row] = chunk.kind
        self._columns["layer"][row] = chunk.layer
        self._columns["cost"][row] = cost
        self._columns["line_cost"][row] = line_cost
        said = len(line(evidence)) - len(evidence.snippet)
        if begins_section(evidence):
            said += len(evidence.title) + 1
        self._columns["chars"][row] = said + len(shown_text(evidence)) + 1
        self._columns["assistant"][row] = evidence.metadata.role == "assistant"
        self._columns["first_person"][row] = min(first_person_words(evidence.snippet), 255)
        if chunk.kind == CHUNK_KIND_MESSAGE:
            self._columns["contentless"][row] = is_contentless(evidence.snippet)
        self._columns["time_us"][row] = chunk.time_us
        self._columns["own_day"][row] = chunk.own_day
        self._columns["own_last"][row] = max(chunk.own_day, chunk.own_last)
        self._columns["doubted"][row] = chunk.doubted
        self._columns["text_hash"][row] = text_hash(evidence.snippet)
        self._columns["source"][row] = source_of(chunk.kind, evidence)
        if chunk.kind == CHUNK_KIND_SECTION:
            self._newest_read = max(self._newest_read, chunk.time_us)
        else:
            self._newest_said = max(self._newest_said, chunk.time_us)
        if chunk.newest_said_us:
            self._newest_said = chunk.newest_said_us
            self._put_right.append((row, chunk.newest_said_us))
        self.records.add(evidence)
        if chunk.kind == CHUNK_KIND_ITEM:
            self._items.append(row)
        self._link(row, chunk)
        self.restate(row, chunk)

    def restate(self, row: int, chunk: ChunkRecord) -> None:
        """Take over what may change of a chunk: status, priority, confidence, and from when it no longer holds.

        Whether a section is shown is not its chunk's to say.
        """
        self._columns["priority"][row] = chunk.priority
        self._columns["confidence"][row] = chunk.confidence
        self._columns["ends_us"][row] = chunk.ends_us
        self._first_end = min(self._first_end, chunk.ends_us or NEVER)
        if chunk.kind == CHUNK_KIND_SECTION:
            return
        self._columns["status"][row] = chunk.status
        done = chunk.item_type == "tasks" and chunk.layer == LAYER_EPISODIC
        self._columns["faded"][row] = done or chunk.status == ITEM_STATUS_DEPRECATED
        found = chunk.status in FOUND_BY_DEFAULT
        self._found_count += found - int(self._found[row])
        self._found[row] = found

    def _link(self, row: int, chunk: ChunkRecord) -> None:
        for name in _NEIGHBOURS:
            self._columns[name][row] = NONE
        self._columns["start"][row] = row
        self._columns["day"][row] = NONE
        session = int(self._columns["session"][row])
        if chunk.kind == CHUNK_KIND_SECTION and chunk.evidence.metadata.chunk_index > 0 and row > 0:
            self._columns["start"][row] = self._columns["start"][row - 1]
        if chunk.kind != CHUNK_KIND_MESSAGE:
            return
        before = self._last_of_session.get(session, NONE)
        self._columns["day"][row] = self._day(row, before, session, chunk.evidence)
        self._columns["before"][row] = before
        if before != NONE:
            self._columns["after"][before] = row
            if chunk.evidence.metadata.chunk_index > 0:
                self._columns["start"][row] = self._columns["start"][before]
            self._link_told(row, before)
        self._last_of_session[session] = row

    def _link_told(self, row: int, before: int) -> None:
        """Link a row with those before it, past what says nothing by itself."""
        silent, told_before, told_after = (self._columns[name] for name in ("contentless", *_NEIGHBOURS[2:]))
        told_before[row] = told_before[before] if silent[before] else before
        while before != NONE and not silent[row]:
            told_after[before] = row
            before = int(self._columns["before"][before]) if silent[before] else NONE

    def _day(self, row: int, before: int, session: int, evidence: Evidence) -> int:
        """Return from which row on all of a session up to this one was said on one day. before: the row before it."""
        day = day_of(evidence)
        if before != NONE and session not in self._days:  # of a snapshot
            self._days[session] = day_of(*self.records.read([before]))
        is_same = before != NONE and self._days[session] == day
        self._days[session] = day
        return int(self._columns["day"][before]) if is_same else row

    def show(self, rows: NDArray[np.int64]) -> None:
        """Let the rows of a whole document be found, in the order in which they follow each other."""
        self._set_shown(rows, ITEM_STATUS_ACTIVE)
        for before, after in (_NEIGHBOURS[:2], _NEIGHBOURS[2:]):
            self._columns[before][rows] = np.concatenate([[NONE], rows[:-1]])
            self._columns[after][rows] = np.concatenate([rows[1:], [NONE]])

    def hide(self, rows: NDArray[np.int64]) -> None:
        """Let rows of documents no longer be found."""
        self._set_shown(rows, _HIDDEN)
        for name in _NEIGHBOURS:
            self._columns[name][rows] = NONE

    def _set_shown(self, rows: NDArray[np.int64], status: int) -> None:
        change = len(rows) * int(status != _HIDDEN) - int(self._read[rows].sum())
        self._columns["status"][rows] = status
        self._found[rows] = self._read[rows] = status != _HIDDEN
        self._found_count += change
        self._read_count += change

    def _make_room(self, rows: int) -> None:
        if rows > len(self._found):
            self._columns = {name: with_room(one, rows, _FIRST_CAPACITY) for name, one in self._columns.items()}
            self._found, self._read = (with_room(one, rows, _FIRST_CAPACITY) for one in (self._found, self._read))

    def dump(self) -> dict[str, NDArray[np.generic]]:
        """Return the columns, for a snapshot."""
        return {name: self.column(name).copy() for name in COLUMNS}

    def put_right(self) -> NDArray[np.int64]:
        """Return the rows that put the newest time right, and what it is up to them: int64[n, 2]. For a snapshot."""
        return np.array(self._put_right, dtype=np.int64).reshape(-1, 2)

    @staticmethod
    def load(
        columns: dict[str, NDArray[np.generic]],
        names: dict[str, list[str]],
        records: Records,
        put_right: NDArray[np.int64],
    ) -> ChunkTable:
        """Make a table of what `dump`, names, records and `put_right` gave.

        Raises ValueError if they do not fit together.
        """
        lengths = {len(records), *(len(columns[name]) for name in COLUMNS)}
        if len(lengths) != 1:
            raise ValueError(f"columns differ in length: {sorted(lengths)}")
        table = ChunkTable()
        table._count = lengths.pop()
        for name, least in (*((name, NONE) for name in _NEIGHBOURS), ("start", 0), ("day", NONE)):
            rows = columns[name]
            if len(rows) and not least <= int(rows.min()) <= int(rows.max()) < table._count:
                raise ValueError(f"{name} names a row that is not among the {table._count}")
        table.names = {name: Names(names[name]) for name in NAMED}
        table._columns = {name: columns[name].astype(kind) for name, kind in COLUMNS.items()}
        table._found = np.isin(table.column("status"), FOUND_BY_DEFAULT).astype(np.uint8)
        table._found_count = int(np.count_nonzero(table._found))
        table.records = records
        is_section = table.column("kind") == CHUNK_KIND_SECTION
        table._read = table._found & is_section
        table._read_count = int(np.count_nonzero(table._read))
        table._put_right = [(row, us) for row, us in put_right.tolist()]
        table._newest_read = int(table.column("time_us")[is_section].max(initial=0))
        table._newest_said = 0 if is_section.all() else table.newest_of(table._count)
        ends = table.column("ends_us")
        table._first_end = int(ends[ends > 0].min(initial=NEVER))
        table._items = np.flatnonzero(table.column("kind") == CHUNK_KIND_ITEM).tolist()
        messages = np.flatnonzero(table.column("kind") == CHUNK_KIND_MESSAGE)
        sessions = table.column("session")[messages]
        table._last_of_session = {int(s): int(r) for s, r in zip(sessions, messages, strict=True)}
        return table
