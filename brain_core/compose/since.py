"""What was committed since a context was composed, as far as it explains what differs from it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from smartbrain.v1.brain_service_pb2 import ContextChange
from smartbrain.v1.context_pb2 import ContextPackage
from smartbrain.v1.evidence_pb2 import Dropped, EvidenceRef
from smartbrain.v1.item_pb2 import ITEM_STATUS_ACTIVE, ItemStatus, MemoryItem

from brain_core.compose.replay import Piece, slots
from brain_core.store import events, items, keys, log, summaries
from brain_core.store.kv import ReadView

_MOST_REVISIONS = 1000
_SHOWN = ("system_blocks", "recent_turns", "evidence")


Slot = tuple[str, str]
"""Type and key of an item."""


@dataclass(frozen=True, slots=True)
class Written:
    """An item that has new versions: the first of them, as it was written, and the newest."""

    first: MemoryItem
    newest: MemoryItem


@dataclass(frozen=True, slots=True)
class Since:
    """What revisions past one wrote. items: by (type, key). turns: revisions of new turns by their ids.

    lines: (type, key) of the items that the summary of then told of, by "title: line". unread: how many revisions were
    too many to look into.
    """

    items: Mapping[Slot, Written]
    turns: Mapping[str, int]
    lines: Mapping[str, Slot]
    unread: int


def read_since(view: ReadView, memory_id: str, revision: int, then: ContextPackage) -> Since:
    """Return what was committed past a revision: of the newest thousand revisions. then: composed at that revision."""
    newest = view.revision(keys.memory(memory_id))
    first = max(revision, newest - _MOST_REVISIONS)
    versions: dict[Slot, int] = {}
    turns: dict[str, int] = {}
    for change in log.scan_changes(view, memory_id, first):
        for each in change.items:
            item = items.read_version(view, memory_id, each.type, each.key, each.version)
            if item is not None and item.revision > revision:  # else it was only said again
                versions.setdefault((each.type, each.key), each.version)
        if change.session_id:
            turn = next(events.scan_turns(view, memory_id, change.session_id, change.sequence), None)
            if turn is not None and turn.revision > revision:
                turns[turn.turn_id] = turn.revision
    version = then.working_summary.summary_version
    record = summaries.read_version(view, memory_id, then.session_id, version) if version else None
    lines = () if record is None else (*record.lines, *record.rewritten)
    told = {f"{line.section}: {line.text}": (line.item_type, line.item_key) for line in lines}
    written = {slot: _written(view, memory_id, slot, version) for slot, version in versions.items()}
    return Since(written, turns, told, first - revision)


def _written(view: ReadView, memory_id: str, slot: Slot, version: int) -> Written:
    newest = items.get_item(view, memory_id, *slot)
    return Written(items.version_as_written(view, newest, version), newest)


class Reasons:
    """Why pieces differ, in words. then, now: the packages as they were answered."""

    def __init__(self, since: Since, then: ContextPackage, now: ContextPackage) -> None:
        self._since = since
        self._then, self._now = _Side(then), _Side(now)
        self._by_id = {each.newest.id: each for each in since.items.values()}

    def tell(self, changes: Iterable[ContextChange]) -> None:
        """Add to each change the reason that is known for it."""
        for change in changes:
            change.reason = change.reason or self._reason(change)

    def _reason(self, change: ContextChange) -> str:
        if change.slot == "working_summary":
            return self._of_summary(change)
        if change.slot not in _SHOWN:
            return ""
        if change.kind == "gone":
            return self._gone(change)
        if change.kind == "new":
            return self._new(change)
        return self._text(change) if change.kind == "text_changed" else ""

    def _gone(self, change: ContextChange) -> str:
        piece = self._then.pieces[change.slot][change.id]
        ended = self._ended(change)
        if ended:
            return ended
        dropped = self._now.dropped_as(change)
        if dropped:
            return f"dropped now: {dropped}"
        shown = self._now.shown_in(piece, change.slot)
        if shown:
            return f"stands in {shown} now"
        newer = [each for each in self._now.pieces["recent_turns"].values() if self._turn_revision(each)]
        if change.slot == "recent_turns" and newer:
            return f"{len(newer)} newer messages of the session stand before it"
        return "not among the candidates that are named now" if change.slot == "evidence" else ""

    def _new(self, change: ContextChange) -> str:
        piece = self._now.pieces[change.slot][change.id]
        written = self._written(change)
        if written:
            return written
        revision = self._turn_revision(piece)
        if revision:
            return f"committed at revision {revision}"
        dropped = self._then.dropped_as(change)
        if dropped:
            return f"dropped then: {dropped}"
        shown = self._then.shown_in(piece, change.slot)
        if shown:
            return f"stood in {shown} then"
        return "not among the candidates that were named then" if change.slot == "evidence" else ""

    def _text(self, change: ContextChange) -> str:
        written = self._written(change)
        if written:
            return written
        then, now = self._then.pieces[change.slot][change.id], self._now.pieces[change.slot][change.id]
        return "other messages stand beside the hit" if then.refs != now.refs else ""

    def _of_summary(self, change: ContextChange) -> str:
        written = self._since.items.get(self._since.lines.get(change.id, ("", "")))
        if written is not None and change.kind == "gone":
            return f"{written.first.type} {written.first.key}: {_ended_by(written.first)}"
        then, now = self._then.summary_version, self._now.summary_version
        if then != now:
            return f"version {now} of the summary was made since"
        if change.kind == "gone":
            return self._now.summary_lines_dropped("now")
        return self._then.summary_lines_dropped("then") if change.kind == "new" else ""

    def _ended(self, change: ContextChange) -> str:
        """Return what ended the item version that a block or an evidence tells of; empty if nothing has since."""
        if change.slot == "system_blocks":
            block = self._by_id.get(change.id)
            return _ended_by(block.newest) if block and block.newest.status != ITEM_STATUS_ACTIVE else ""
        item, version = self._version(change)
        return _ended_by(item.first) if item and version == item.first.version - 1 else ""

    def _written(self, change: ContextChange) -> str:
        """Return when the item version that a block or an evidence tells of was written; empty if not since."""
        if change.slot == "system_blocks":
            block = self._by_id.get(change.id)
            return _written_at(block.newest) if block else ""
        item, version = self._version(change)
        return _written_at(item.newest) if item and version == item.newest.version else ""

    def _version(self, change: ContextChange) -> tuple[Written | None, int]:
        """Return the item that an evidence's id names, if it has new versions, and the version that it names."""
        item_id, _, version = change.id.rpartition(":")
        found = self._by_id.get(item_id)
        return found, int(version) if found else 0

    def _turn_revision(self, piece: Piece) -> int:
        return max((self._since.turns.get(ref.turn_id, 0) for ref in piece.refs), default=0)


class _Side:
    """One of the two packages, to be looked into by id."""

    def __init__(self, package: ContextPackage) -> None:
        self.pieces = {slot: {piece.id: piece for piece in found} for slot, found in slots(package).items()}
        self.summary_version = package.working_summary.summary_version
        self._label = {each.id: f"E{number}" for number, each in enumerate(package.evidence, start=1)}
        self._dropped = {each.id: each for each in package.debug.dropped}
        self._dropped_items = {each.id.rpartition(":")[0]: each for each in package.debug.dropped}

    def dropped_as(self, change: ContextChange) -> str:
        """Return why a piece was left out, if it was."""
        blocks = change.slot == "system_blocks"
        found = (self._dropped_items if blocks else self._dropped).get(change.id)
        return "" if found is None else _words(found)

    def summary_lines_dropped(self, when: str) -> str:
        """Return why lines of the summary were left out, if some were; their ids do not say which."""
        found = [each for name, each in self._dropped.items() if name.startswith("summary:")]
        words = ", ".join(sorted({_words(each) for each in found}))
        return f"of {len(found)} lines that are dropped {when}: {words}" if found else ""

    def shown_in(self, piece: Piece, slot: str) -> str:
        """Return where else a piece's messages stand: in the evidence of a label, or in recent_turns."""
        if slot == "evidence":
            for other in self.pieces["evidence"].values():
                if _share(piece.refs, other.refs):
                    return self._label[other.id]
        recent = self.pieces["recent_turns"].values() if slot == "evidence" else ()
        return "recent_turns" if any(_share(piece.refs, other.refs) for other in recent) else ""


def _share(some: Iterable[EvidenceRef], others: Iterable[EvidenceRef]) -> bool:
    def said(refs: Iterable[EvidenceRef]) -> set[tuple[str, str, str]]:
        return {(ref.turn_id, ref.message_id, ref.memory_item_id) for ref in refs if ref.message_id}

    return not said(some).isdisjoint(said(others))


def _ended_by(item: MemoryItem) -> str:
    """Return what became of the version before one."""
    word = "superseded" if item.status == ITEM_STATUS_ACTIVE else _status(item.status)
    return f"{word} by version {item.version} at revision {item.revision}"


def _written_at(item: MemoryItem) -> str:
    return f"version {item.version}, written at revision {item.revision}"


def _status(status: ItemStatus.ValueType) -> str:
    name: str = ItemStatus.Name(status)
    return name.removeprefix("ITEM_STATUS_").lower()


def _words(dropped: Dropped) -> str:
    return f"{dropped.reason} ({dropped.detail})" if dropped.detail else dropped.reason
