"""Items, refs and tool results as single lines of a summary."""

from __future__ import annotations

from smartbrain.v1.event_pb2 import Ref, ToolCall, Turn
from smartbrain.v1.item_pb2 import MemoryItem

from brain_core.extract.secrets import MASKED, find_secrets
from brain_core.kinds.plainly import is_named_by
from brain_core.store.v1.records_pb2 import SummaryLine
from brain_core.summary import DECISIONS, GOALS, REFERENCES, TASKS

SECTION_OF = {"goals": GOALS, "decisions": DECISIONS, "tasks": TASKS, "entities": REFERENCES}
"""Section by type of item; other types have no place in a summary."""

_MARKUP = ("{", "[", "<")
_READ_PER_CHAR = 4  # white space is folded after the cut
_TITLES = ("title", "name", "summary", "description")


def without_secrets(text: str) -> str:
    """Return a text with each key, password or card number in it masked."""
    for start, stop, _ in reversed(find_secrets(text)):
        text = f"{text[:start]}{MASKED}{text[stop:]}"
    return text


def one_line(text: str, longest: int) -> str:
    """Return a text on one line, cut with … at `longest` characters."""
    line = " ".join(text[: _READ_PER_CHAR * longest].split())
    return line if len(line) <= longest else f"{line[: longest - 1].rstrip()}…"


def item_line(item: MemoryItem, chunk: int, longest: int) -> SummaryLine:
    """Return the line of an item of a type of SECTION_OF. chunk: ordinal of its version's chunk."""
    return SummaryLine(
        section=SECTION_OF[item.type],
        text=one_line(_TEXT[item.type](item), longest),
        time_us=item.updated_at.ToMicroseconds(),
        chunks=[chunk],
        item_type=item.type,
        item_key=item.key,
        turn_id=item.source_turn_id,
        message_id=item.source_message_id if item.HasField("source_span") else "",
    )


def event_line(turn: Turn, event: Ref | ToolCall, longest: int) -> SummaryLine:
    """Return the line of a ref or a tool call of a turn."""
    text = _ref(event) if isinstance(event, Ref) else _tool(event, longest)
    return SummaryLine(
        section=REFERENCES,
        text=one_line(without_secrets(text), longest),
        time_us=turn.committed_at.ToMicroseconds(),
        turn_id=turn.turn_id,
    )


def value_of(item: MemoryItem, name: str) -> str:
    """Return a text field of an item's value; empty if it has none."""
    return item.value.fields[name].string_value if name in item.value.fields else ""


def _ref(ref: Ref) -> str:
    known = ref.meta.fields
    title = next((known[name].string_value for name in _TITLES if name in known and known[name].string_value), "")
    return f"{ref.ref_type} {ref.uri}" + (f" — {title}" if title else "")


def _tool(call: ToolCall, longest: int) -> str:
    """Return what a tool gave if that is one short line, else how much it gave."""
    status = "" if call.status in {"", "ok"} else f" ({call.status})"
    result = call.result.strip()
    is_short = len(result) <= longest and not result.startswith(_MARKUP)
    told = result if is_short else f"{len(result)} characters"
    return f"{call.name}{status}: {told}" if told else f"{call.name}{status}"


def _of_project(item: MemoryItem, *notes: str) -> str:
    project = value_of(item, "project")
    known = [note for note in (value_of(item, "subject_name"), "" if project == "default" else project, *notes) if note]
    return f" ({'; '.join(known)})" if known else ""


def _goal(item: MemoryItem) -> str:
    name, description = value_of(item, "name"), value_of(item, "description")
    return _named(name, description) + _of_project(item)


def _decision(item: MemoryItem) -> str:
    return _named(value_of(item, "topic"), value_of(item, "decision")) + _of_project(item)


def _named(name: str, said: str) -> str:
    """Return what is said under its name, unless that is made of its words and says nothing more."""
    if not said:
        return name
    return said if is_named_by(name, said) else f"{name}: {said}"


def _task(item: MemoryItem) -> str:
    due = value_of(item, "due")
    title = value_of(item, "title") or value_of(item, "task_id")
    return f"[{value_of(item, 'status')}] {title}{_of_project(item, due and f'due {due}')}"


def _entity(item: MemoryItem) -> str:
    aliases = item.value.fields["aliases"].list_value.values if "aliases" in item.value.fields else ()
    also = ", ".join(alias.string_value for alias in aliases)
    return f"{value_of(item, 'kind')} {value_of(item, 'canonical')}" + (f" ({also})" if also else "")


_TEXT = {"goals": _goal, "decisions": _decision, "tasks": _task, "entities": _entity}
