"""The working summary of a session: when it is made anew, and of what.

It is extracted, not written: one line per active goal, decision, task and entity, per ref and tool call, and per open
question. So the same turns give the same summary. A line remembers the item versions it rests on, and whoever shows it
leaves it out once one of them has ended (`brain_core/compose/summary.py`); the next version is made without it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from smartbrain.render import render_summary
from smartbrain.v1.brain_service_pb2 import CommitSummary
from smartbrain.v1.context_pb2 import WorkingSummary
from smartbrain.v1.event_pb2 import Ref, ToolCall, Turn
from smartbrain.v1.item_pb2 import ITEM_STATUS_ACTIVE, MemoryItem

from brain_core.commit.ledger import Ledger
from brain_core.commit.lines import SECTION_OF, event_line, item_line, one_line, value_of
from brain_core.commit.questions import open_questions
from brain_core.kinds.kind import NO_PROJECT
from brain_core.kinds.registry import KINDS, key_part
from brain_core.policy import Policies
from brain_core.store import events, items, keys, log, summaries
from brain_core.store.kv import Batch, ReadView
from brain_core.store.v1.records_pb2 import SummaryLine, SummaryProgress, SummaryRecord
from brain_core.summary import QUESTIONS, REFERENCES, SECTIONS, TASKS, fill, fit
from brain_core.text.tokens import ApproxCounter

Slot = tuple[str, str]

_MOST_TURNS = 200
"""Newest turns that one summary reads, where no summary was made of more."""

_SPARE_EVENTS = 2  # as many refs and tool calls are looked at for each that may stand: some come twice
_MOST_PROJECTS = 3
_MOST_OF_PROJECT = 100  # items of each type
_OF_PROJECTS = ("goals", "decisions", "tasks")

_count = lru_cache(maxsize=4096)(ApproxCounter().count)
"""Of single lines: most of them come back in the next summary."""


@dataclass(frozen=True, slots=True)
class Learned:
    """A turn and what was learned from it. ordinals: of the chunks of the ledger's fresh items."""

    memory_id: str
    turn: Turn
    ledger: Ledger
    ordinals: Mapping[Slot, int]


def follow_summary(batch: Batch, view: ReadView, learned: Learned, policies: Policies) -> CommitSummary:
    """Add to a batch what a turn means for its session's summary, and say it. view: before the batch."""
    session_id = learned.turn.session_id
    progress = summaries.read_progress(view, learned.memory_id, session_id)
    progress.tokens_since += _tokens(learned.turn)
    making = _Making(view, learned, policies, progress)
    trigger, reason = making.reason()
    if not trigger:
        summaries.put_progress(batch, session_id, progress)
        return CommitSummary(reason=making.not_yet(), summary_version=progress.version)
    record = making.record()
    summaries.put_version(batch, session_id, record, policies.consolidation.versions_kept)
    done = SummaryProgress(
        version=record.version, covered_turns=learned.turn.sequence + 1, revision=learned.turn.revision
    )
    summaries.put_progress(batch, session_id, done)
    text = render_summary(fitted(record, policies.composition.summary_max_tokens))
    version = record.version
    return CommitSummary(triggered=True, trigger=trigger, reason=reason, summary_version=version, text=text)


def fitted(record: SummaryRecord, max_tokens: int) -> WorkingSummary:
    """Return a new summary with as many of its lines as fit, by the estimate of ApproxCounter."""
    summary = WorkingSummary()
    left, opened = max_tokens, set[str]()

    def take(line: SummaryLine) -> bool:
        nonlocal left
        cost = _count(f"- {line.text}")
        cost += 0 if line.section in opened else _count(f"## {line.section}")
        if cost > left:
            return False
        left -= cost
        opened.add(line.section)
        return True

    taken = fit(record.lines, take)
    fill(summary, record, taken)
    return summary


def _tokens(turn: Turn) -> int:
    """Estimate the tokens of a turn: four letters are one, and so is one character beyond ASCII."""
    texts = [message.content for message in turn.events.messages]
    texts += [call.result for call in turn.events.tool_calls]
    total = 0
    for text in texts:
        beyond = (len(text.encode()) - len(text)) // 2
        total += beyond + max(len(text) - beyond, 0) // 4
    return total


class _Making:
    """A summary that may be due. progress: with the turn's tokens counted in."""

    def __init__(self, view: ReadView, learned: Learned, policies: Policies, progress: SummaryProgress) -> None:
        self._view = view
        self._memory_id = learned.memory_id
        self._turn = learned.turn
        self._ledger = learned.ledger
        self._ordinals = learned.ordinals
        self._policies = policies
        self._progress = progress
        self._turns_since = learned.turn.sequence + 1 - progress.covered_turns
        self._tokens_allowed = policies.consolidation.token_share * policies.composition.token_limit
        self._lines: dict[str, list[SummaryLine]] = {section: [] for section in SECTIONS}

    def reason(self) -> tuple[str, str]:
        """Return why a summary is due, in a word (CommitSummary.trigger) and in words; both empty if it is not."""
        if self._policies.composition.summary_max_tokens == 0:
            return "", ""
        if self._turns_since >= self._policies.retention.summarize_after_turns:
            return "turns", f"{self._turns_since} turns since the last summary"
        if self._progress.tokens_since >= self._tokens_allowed:
            return "tokens", f"about {self._progress.tokens_since} tokens since the last summary"
        return next(self._stage_events(), ("", ""))

    def not_yet(self) -> str:
        """Return why no summary is due."""
        if self._policies.composition.summary_max_tokens == 0:
            return "policies.composition.summary_max_tokens is 0"
        turns = f"{self._turns_since} of {self._policies.retention.summarize_after_turns} turns"
        return f"{turns}, about {self._progress.tokens_since} of {self._tokens_allowed:.0f} tokens since the last one"

    def _stage_events(self) -> Iterator[tuple[str, str]]:
        for item in self._ledger.fresh.values():
            if item.type == "decisions":
                yield "decision", f"decision made: {item.key}"
            elif item.type == "tasks" and value_of(item, "status") == "done":
                yield "task", f"task done: {item.key}"
        for call in self._turn.events.tool_calls:
            if len(call.result) >= self._policies.consolidation.major_result_chars:
                yield "tool_result", f"major tool result: {call.name} gave {len(call.result)} characters"
        if any(ref.ref_type == "artifact" for ref in self._turn.events.refs):
            yield "tool_result", "major tool result: an artifact was made"
        ended = {(item.type, item.key) for item in self._ledger.ended}
        previous = self._previous() if ended else None
        if previous and any((line.item_type, line.item_key) in ended for line in previous.lines):
            yield "item_changed", "an item that it names has changed"

    def _previous(self) -> SummaryRecord | None:
        version = self._progress.version
        return summaries.read_version(self._view, self._memory_id, self._turn.session_id, version) if version else None

    def record(self) -> SummaryRecord:
        """Return the summary as it is after the turn."""
        previous = self._previous() or SummaryRecord()
        first = max(self._progress.covered_turns, self._turn.sequence - _MOST_TURNS)
        turns = [*events.scan_turns(self._view, self._memory_id, self._turn.session_id, first), self._turn]
        self._add_items(previous)
        self._add_events(previous, turns)
        asked = (line for line in previous.lines if line.section == QUESTIONS)
        self._lines[QUESTIONS] = open_questions(asked, turns)
        return SummaryRecord(
            version=previous.version + 1,
            turn_from=previous.turn_from or turns[0].turn_id,
            turn_to=self._turn.turn_id,
            generated_at_us=self._turn.committed_at.ToMicroseconds(),
            revision=self._turn.revision,
            lines=[line for section in SECTIONS for line in self._best(section)],
        )

    def _best(self, section: str) -> list[SummaryLine]:
        """Return a section's lines, open tasks first, then newest first."""
        policy = self._policies.consolidation
        # Of lines of one time the later stands first, as it would with a time of its own.
        newest_first = self._lines[section][::-1]
        newest_first.sort(key=lambda line: (_is_done(line), -line.time_us))
        best = newest_first[: policy.lines_per_section]
        for line in best:
            line.text = one_line(line.text, policy.line_chars)
        return best

    def _add_items(self, previous: SummaryRecord) -> None:
        longest = self._policies.consolidation.line_chars
        for slot, item in sorted(self._items(previous).items()):
            ordinal = self._ordinals.get(slot)
            if ordinal is None:
                ordinal = items.read_item_chunk(self._view, self._memory_id, *slot)
            if ordinal is not None:
                line = item_line(item, ordinal, longest)
                self._lines[line.section].append(line)

    def _items(self, previous: SummaryRecord) -> dict[Slot, MemoryItem]:
        """Return what holds of the session and of its projects, by type and key."""
        slots = [(line.item_type, line.item_key) for line in previous.lines if line.item_type]
        written = log.session_items(
            self._view, self._memory_id, self._turn.session_id, self._progress.revision, _MOST_TURNS
        )
        slots += [(each.type, each.key) for each in written]
        slots += self._ledger.written
        found = self._holding(dict.fromkeys(slot for slot in slots if slot[0] in SECTION_OF))
        for project in self._projects(found.values()):
            for item_type in _OF_PROJECTS:
                found |= self._holding(slot for slot in self._of_project(item_type, project) if slot not in found)
        return found

    def _holding(self, slots: Iterable[Slot]) -> dict[Slot, MemoryItem]:
        """Return the items of those slots that hold now."""
        found = {}
        for slot in slots:
            item = self._ledger.written.get(slot) or items.read_item(self._view, self._memory_id, *slot)
            if item is not None and self._holds(item):
                found[slot] = item
        return found

    def _holds(self, item: MemoryItem) -> bool:
        now = self._turn.committed_at.ToMicroseconds()
        ends = [getattr(item, name) for name in ("expires_at", "valid_to") if item.HasField(name)]
        if item.status != ITEM_STATUS_ACTIVE or any(end.ToMicroseconds() <= now for end in ends):
            return False
        return item.type != "goals" or value_of(item, "status") == "active"

    def _projects(self, found: Iterable[MemoryItem]) -> list[str]:
        """Return the newest projects that the session's items name."""
        newest_first = sorted(found, key=lambda item: (-item.updated_at.ToMicroseconds(), item.type, item.key))
        names = dict.fromkeys(value_of(item, "project") for item in newest_first if item.type in _OF_PROJECTS)
        return [name for name in names if name not in {"", NO_PROJECT}][:_MOST_PROJECTS]

    def _of_project(self, item_type: str, project: str) -> Iterator[Slot]:
        prefix = keys.items(item_type, f"{KINDS[item_type].prefix}:{key_part(project)}:")
        start = len(keys.items(item_type))
        for key, _ in self._view.scan(keys.memory(self._memory_id), prefix, limit=_MOST_OF_PROJECT):
            yield item_type, key[start:].decode()

    def _add_events(self, previous: SummaryRecord, turns: Iterable[Turn]) -> None:
        policy = self._policies.consolidation
        told = [(turn, event) for turn in turns for event in _events(turn)]
        newest = told[-_SPARE_EVENTS * policy.lines_per_section :]
        known = [line for line in previous.lines if line.section == REFERENCES and not line.item_type]
        lines = known[::-1]  # oldest first, as those of the turns are
        lines += [event_line(turn, event, policy.line_chars) for turn, event in newest]
        by_text = {line.text: line for line in lines}
        named = {word for text in by_text for word in text.split()}
        entities = [line for line in self._lines[REFERENCES] if line.text.split()[1] not in named]
        self._lines[REFERENCES] = [*entities, *by_text.values()]


def _is_done(line: SummaryLine) -> bool:
    return line.section == TASKS and line.text.startswith("[done]")


def _events(turn: Turn) -> Iterator[Ref | ToolCall]:
    yield from turn.events.refs
    yield from turn.events.tool_calls
