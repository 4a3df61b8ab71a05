"""Messages of the contracts as text for a terminal."""

import json
import re
import sys
import time
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Protocol, TypeVar

import click
from google.protobuf.json_format import MessageToDict, MessageToJson
from google.protobuf.message import Message as ProtoMessage
from google.protobuf.struct_pb2 import Value
from google.protobuf.timestamp_pb2 import Timestamp

from smartbrain.v1.admin_service_pb2 import ExecutorStatus
from smartbrain.v1.brain_service_pb2 import CommitTurnResponse, RetentionVerdict
from smartbrain.v1.event_pb2 import Turn
from smartbrain.v1.evidence_pb2 import Evidence, EvidencePack
from smartbrain.v1.item_pb2 import ItemStatus
from smartbrain.v1.memory_service_pb2 import GetCommitResponse

as_text_or_json = click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True, help="How to print it."
)

# All but line feed and tab: stored text must not steer the terminal.
_CONTROL_CHARACTER = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")

_PATIENCE_SECONDS = 2.0


def printable(text: str) -> str:
    """Give text without the characters that steer a terminal."""
    return _CONTROL_CHARACTER.sub("", text)


def show(lines: Iterable[str]) -> None:
    """Print lines as they come."""
    for line in lines:
        click.echo(printable(line))


def as_json(message: ProtoMessage) -> str:
    """Give the contract's JSON form: original field names, Chinese as it is."""
    return MessageToJson(message, preserving_proto_field_name=True, ensure_ascii=False)


def time_text(time: Timestamp) -> str:
    """Give a time in UTC to the second; empty for an unset one."""
    return time.ToDatetime().strftime("%Y-%m-%d %H:%M:%SZ") if time.seconds or time.nanos else ""


def one_line(text: str, longest: int) -> str:
    """Give text as one line of at most so many columns of a terminal."""
    line = " ".join(text.split())
    if _columns(line) <= longest:
        return line
    while line and _columns(line) >= longest:
        line = line[: -max(1, (_columns(line) - longest) // 2)]
    return f"{line}…"


def table(heading: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Give the lines of a table, its columns aligned where letters are two columns wide, too."""
    cells = [[printable(cell) for cell in row] for row in (heading, *rows)]
    widths = [max(_columns(cell) for cell in column) for column in zip(*cells, strict=True)]
    for row in cells:
        padded = (cell + " " * (width - _columns(cell)) for cell, width in zip(row, widths, strict=True))
        yield "  ".join(padded).rstrip()


def _columns(text: str) -> int:
    """Give how many columns of a terminal text takes: Chinese letters take two, accents none."""
    wide = sum(unicodedata.east_asian_width(letter) in "WF" for letter in text)
    return len(text) + wide - sum(unicodedata.combining(letter) != 0 for letter in text)


def status_text(status: ItemStatus.ValueType) -> str:
    """Give a status as one word."""
    name: str = ItemStatus.Name(status) if status in ItemStatus.values() else str(status)
    return name.removeprefix("ITEM_STATUS_").lower()


def committed(response: CommitTurnResponse) -> Iterator[str]:
    """Give the lines that tell what a commit did."""
    yield f"committed turn {response.turn_id} at revision {response.revision} (commit {response.commit_id})"
    yield from _items(response)
    for conflict in response.explain.conflicts:
        yield f"  {conflict.decision} {conflict.type} {conflict.key}: {conflict.reason}"
    for verdict in response.explain.retention:
        if verdict.verdict == "refused":
            yield f"  refused {verdict.path}: {verdict.reason}"
    if response.summary.triggered:
        yield f"  summary v{response.summary.summary_version}: {response.summary.reason}"


def explained(found: GetCommitResponse) -> Iterator[str]:
    """Give the lines that tell what a commit made of each part of its turn, and why."""
    response = found.response
    when = time_text(found.committed_at)
    yield f"commit {response.commit_id}: turn {response.turn_id} of {found.session_id}, {when}"
    yield "Items:" if response.items else "Items: none"
    yield from _items(response)
    if response.explain.conflicts:
        yield "Conflicts:"
        yield from table(
            ("  DECISION", "POLICY", "KEY", "V", "WHY"),
            [
                (
                    f"  {conflict.decision}",
                    conflict.policy,
                    conflict.key + (f" with {conflict.other_key}" if conflict.other_key else ""),
                    f"{conflict.old_version} → {conflict.new_version}",
                    conflict.reason,
                )
                for conflict in response.explain.conflicts
            ],
        )
    if response.explain.retention:
        yield "Verdicts:"
        yield from table(
            ("  VERDICT", "WHERE", "KEY", "RULE", "WHY"),
            [
                (f"  {verdict.verdict}", _place(verdict), verdict.key or verdict.type, verdict.rule, verdict.reason)
                for verdict in response.explain.retention
            ],
        )
    if response.summary.triggered:
        yield f"Summary v{response.summary.summary_version}: {response.summary.reason}"


def value_text(value: Value) -> str:
    """Give a value on one line, as JSON; a text without quotes."""
    plain = MessageToDict(value)
    if isinstance(plain, float) and plain.is_integer():  # a Value knows no other numbers
        plain = int(plain)
    return plain if isinstance(plain, str) else json.dumps(plain, ensure_ascii=False)


def evidences(pack: EvidencePack) -> Iterator[str]:
    """Give the lines of a pack: evidences in order, then counts and warnings."""
    for number, evidence in enumerate(pack.evidences, start=1):
        yield f"{number}. {' — '.join(part for part in (evidence.title, evidence.source_uri) if part)}"
        yield from (f"   {line}" for line in evidence.snippet.splitlines())
        yield f"   ({_signals(evidence)})"
    yield f"{pack.stats.returned} of {pack.stats.candidates} candidates in {pack.stats.took_ms:.1f} ms"
    yield from (f"Warning: {warning}" for warning in pack.warnings)


def executors(asked: Iterable[ExecutorStatus], what: str = "remote") -> Iterator[str]:
    """Give a line for each other server or model that is asked, and how it is doing."""
    for one in asked:
        rest = f" for another {one.resting_seconds:.0f} s" if one.resting_seconds else ""
        why = f": {one.problem}" if one.problem else ""
        yield f"{what} {one.name} at {one.target}: {one.state}{rest}, {one.failures} of {one.calls} calls failed{why}"


def turn(stored: Turn) -> Iterator[str]:
    """Give the lines of a stored turn."""
    yield f"#{stored.sequence} {stored.turn_id} (revision {stored.revision}, {time_text(stored.committed_at)})"
    if stored.HasField("purged_at"):
        yield f"  purged {time_text(stored.purged_at)}: {stored.purged_messages} messages"
    for message in stored.events.messages:
        speaker = message.speaker or message.role
        name = speaker if speaker == message.role else f"{speaker} ({message.role})"
        yield f"  {time_text(message.created_at)} {name}: " + "\n    ".join(message.content.splitlines())
    for field, value in stored.events.ListFields():
        if field.name != "messages":
            yield from (f"  {field.name}: {' '.join(str(each).split())}" for each in value)


class Step(Protocol):
    """An answer of a stream that says how much there is in all."""

    @property
    def total(self) -> int:
        """Answers in all."""


_Step = TypeVar("_Step", bound=Step)


def with_progress(answers: Iterable[_Step], label: str) -> Iterator[_Step]:
    """Give the answers on, with a progress bar on standard error if that is a terminal."""
    with ExitStack() as stack:
        bar = None
        for answer in answers:
            if bar is None:
                hidden = not sys.stderr.isatty()
                bar = stack.enter_context(
                    click.progressbar(length=answer.total, label=label, file=sys.stderr, hidden=hidden)
                )
            bar.update(1)
            yield answer


@contextmanager
def progress_if_slow(label: str) -> Iterator[Callable[[int, int], None]]:
    """Give what is to be told (done, total) now and then: a terminal is shown a progress bar, after a while."""
    begun = time.monotonic()
    with ExitStack() as stack:
        bar = None

        def told(done: int, total: int) -> None:
            nonlocal bar
            if bar is None and sys.stderr.isatty() and time.monotonic() - begun > _PATIENCE_SECONDS:
                bar = stack.enter_context(click.progressbar(length=total, label=label, file=sys.stderr))
            if bar is not None:
                bar.update(done - bar.pos)

        yield told


def _items(response: CommitTurnResponse) -> Iterator[str]:
    for item in response.items:
        status = status_text(item.status)
        yield f"  {status} {item.type} {item.key} v{item.version} (confidence {item.confidence:.2f})"


def _place(verdict: RetentionVerdict) -> str:
    """Give where in the turn a verdict applies, with the characters where it was read from text."""
    span = f" {verdict.span.start}-{verdict.span.end}" if verdict.HasField("span") else ""
    return f"{verdict.path}{span}"


def _signals(evidence: Evidence) -> str:
    """Give mode and scores; a score that is not set was not seen by its mode."""
    scores = [
        f"{field.name}={value:.3g}" for field, value in evidence.signals.ListFields() if field.name.endswith("_score")
    ]
    return ", ".join([f"mode={evidence.provenance.mode}", *scores])
