"""From truth to chunks: which searchable units a turn and an item become."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, time, tzinfo
from functools import lru_cache

from google.protobuf import json_format
from google.protobuf.timestamp_pb2 import Timestamp
from smartbrain.render import render_label, render_quoted
from smartbrain.v1.context_pb2 import ContextEvidence
from smartbrain.v1.event_pb2 import Message, Ref, ToolCall, Turn
from smartbrain.v1.evidence_pb2 import Evidence, EvidenceMetadata, EvidenceRef
from smartbrain.v1.item_pb2 import ITEM_STATUS_ACTIVE, LAYER_EPISODIC, MemoryItem
from smartbrain.v1.resource_service_pb2 import Document, DocumentSection

from brain_core.addresses import address_part
from brain_core.extract.secrets import masked_everywhere
from brain_core.extract.unkept import kept
from brain_core.kinds.kind import number_told
from brain_core.store.v1.records_pb2 import (
    CHUNK_KIND_ITEM,
    CHUNK_KIND_MESSAGE,
    CHUNK_KIND_REF,
    CHUNK_KIND_SECTION,
    CHUNK_KIND_TOOL_RESULT,
    ChunkKind,
    ChunkRecord,
)
from brain_core.text.best_window import cut_beginning
from brain_core.text.language import language, written_language
from brain_core.text.tokens import TokenCounter
from brain_core.text.windows import windows
from brain_core.zones import clock, day_at, zone_or

_MESSAGE_PRIORITY = 5
_ARG_CHARS, _ARGS_CHARS = 80, 120  # of one argument of a tool, of all
_DAY_CHARS = len("2026-01-31")
_EVENT_CONFIDENCE = 1.0
_OF_MEMORY, _OF_DOCUMENT = "memory_chunk", "resource_section"
_DAY_FIELDS = {"events": "date", "tasks": "due"}


def turn_uri(memory_id: str, session_id: str, turn_id: str) -> str:
    """Return the address of a turn: smartbrain://memory/session/turn. Short, for it stands in every prompt."""
    return _session_uri(memory_id, session_id) + turn_id


@lru_cache(maxsize=4096)
def _session_uri(memory_id: str, session_id: str) -> str:
    return f"smartbrain://{address_part(memory_id)}/{address_part(session_id)}/"


def said_at(turn: Turn) -> Timestamp:
    """Return when a turn was: the time of its last message, of a turn without messages that of its commit."""
    return turn.events.messages[-1].created_at if turn.events.messages else turn.committed_at


def tool_call_id(number: int) -> str:
    """Return what a turn's tool call is called where a message has its id. number: from 0."""
    return f"tool-{number}"


def called_with(call: ToolCall) -> str:
    """Return what a tool was called with, in short: which file, which command. Less long texts, secrets masked."""
    told = []
    for name in sorted(call.args.fields):
        value = json_format.MessageToDict(call.args.fields[name])
        text = number_told(value) if isinstance(value, float) else " ".join(str(value).split())
        if value not in (None, "", {}, []) and len(text) <= _ARG_CHARS:
            told.append(text if isinstance(value, str) else f"{name}={text}")
    return cut_beginning(masked_everywhere([" ".join(told)])[0], _ARGS_CHARS)


def turn_chunks(memory_id: str, turn: Turn, first_position: int, window_chars: int) -> Iterator[ChunkRecord]:
    """Yield the chunks of a turn without ordinals and vectors: messages in order, then tool results, then refs.

    A message that the user asks not to remember has none, nor have answers to it.

    first_position: place of the turn's first message among the session's messages.
    """
    base = _Base(memory_id, turn, window_chars)
    for offset, message in kept(turn.events.messages):
        yield from base.message(message, first_position + offset)
    for number, call in enumerate(turn.events.tool_calls):
        yield from base.tool_result(call, number)
    for number, ref in enumerate(turn.events.refs):
        yield base.ref(ref, number)


def item_chunk(item: MemoryItem) -> ChunkRecord:
    """Return the chunk of an item's version, without ordinal and vector."""
    evidence = Evidence(
        id=f"{item.id}:{item.version}",
        kind=_OF_MEMORY,
        title=_item_title(item.type, item.said_at.ToMicroseconds(), UTC),
        source_uri=item.uri,
        source_type="memory_item",
        snippet=item.text,
        language=language(item.text),
        ref=EvidenceRef(
            turn_id=item.source_turn_id,
            message_id=item.source_message_id,
            memory_item_id=item.id,
            session_id=item.session_id,
        ),
        links=item.links,
        evidence_refs=item.evidence_refs,
    )
    evidence.metadata.created_at.CopyFrom(item.updated_at)
    evidence.metadata.offset_start, evidence.metadata.offset_end = item.source_span.start, item.source_span.end
    return ChunkRecord(
        kind=CHUNK_KIND_ITEM,
        evidence=evidence,
        session_id=item.session_id,
        position=-1,
        time_us=item.said_at.ToMicroseconds(),
        priority=item.priority,
        confidence=item.confidence,
        item_type=item.type,
        layer=item.layer,
        status=item.status,
        ends_us=ends_us(item),
        timezone=item.timezone,
        sure_text=item.sure_text,
        least_confidence=min((origin.confidence for origin in item.fact_origins), default=0.0),
        own_day=own_day(item),
        own_last=own_last(item),
        doubted=item.HasField("doubted_at"),
    )


def section_chunks(document: Document, section: DocumentSection, longest: int) -> Iterator[ChunkRecord]:
    """Yield the chunks of a document's section, without ordinals and vectors.

    document: with all that evidence tells of it; without a language each chunk has its own. longest: characters of a
    chunk.
    """
    names = [document.title, *section.path]
    title = " › ".join(" ".join(name.split()) for number, name in enumerate(names) if name not in names[:number])
    for number, window in enumerate(windows(section.text, longest)):
        text = section.text[window.start : window.stop]
        evidence = Evidence(
            id=f"{document.document_id}:{section.section_id}:{number}",
            kind=_OF_DOCUMENT,
            document_id=document.document_id,
            section_id=section.section_id,
            title=title,
            source_uri=document.source_uri,
            source_type=document.source_type,
            snippet=text,
            language=document.language or written_language(text),
            metadata=EvidenceMetadata(
                chunk_index=number,
                offset_start=window.start,
                offset_end=window.stop,
                page=section.page,
                section_title=section.path[-1] if section.path else "",
                created_at=document.changed_at,
            ),
            ref=EvidenceRef(document_id=document.document_id, section_id=section.section_id),
        )
        yield ChunkRecord(
            kind=CHUNK_KIND_SECTION,
            evidence=evidence,
            position=-1,
            time_us=document.changed_at.ToMicroseconds(),
            priority=_MESSAGE_PRIORITY,
            confidence=_EVENT_CONFIDENCE,
        )


def ends_us(item: MemoryItem) -> int:
    """Return from when an item no longer holds, Unix microseconds; 0 for never."""
    ends = [item.expires_at] if item.HasField("expires_at") else []
    ends += [item.valid_to] if item.HasField("valid_to") else []
    return min(map(Timestamp.ToMicroseconds, ends), default=0)


def own_day(item: MemoryItem) -> int:
    """Return the day that an item is about, as `date.toordinal`, whenever it was said; 0 if it has none."""
    field = _DAY_FIELDS.get(item.type, "")
    named = item.value.fields[field].string_value if field in item.value.fields else ""
    if named:
        return date.fromisoformat(named).toordinal()
    if item.HasField("valid_from"):
        return day_at(item.valid_from.ToMicroseconds(), zone_or(item.timezone, UTC)).toordinal()
    return 0


def own_last(item: MemoryItem) -> int:
    """Return the last of the days that an item is about, as `date.toordinal`; 0 if it is about one or none."""
    until = item.value.fields["until"].string_value if item.type == "events" and "until" in item.value.fields else ""
    return date.fromisoformat(until).toordinal() if until else 0


def day_of(message: Evidence) -> str:
    """Return the day that the title of what was said tells."""
    return message.title.removeprefix(f"{message.metadata.speaker}, ")[:_DAY_CHARS]


def titled(chunk: ChunkRecord, zone: tzinfo) -> ChunkRecord:
    """Return a chunk whose title tells day and hour where it was said: in its own zone, else in `zone`.

    Stored titles are in UTC: an index tells them by the setting in force, which may change.
    """
    own = zone_or(chunk.timezone, zone)
    if own is UTC or chunk.kind not in (CHUNK_KIND_MESSAGE, CHUNK_KIND_ITEM, CHUNK_KIND_TOOL_RESULT):
        return chunk
    told = ChunkRecord()
    told.CopyFrom(chunk)
    if chunk.kind == CHUNK_KIND_ITEM:
        told.evidence.title = _item_title(chunk.item_type, chunk.time_us, own)
    elif chunk.kind == CHUNK_KIND_TOOL_RESULT:
        called = chunk.evidence.title.rpartition(", ")[0]
        told.evidence.title = _message_title(called, chunk.time_us, own)
    else:
        told.evidence.title = _message_title(chunk.evidence.metadata.speaker, chunk.time_us, own)
    return told


def _item_title(item_type: str, said_us: int, zone: tzinfo) -> str:
    return f"{item_type}, {day_at(said_us, zone).isoformat()}"


def _message_title(speaker: str, said_us: int, zone: tzinfo) -> str:
    """Return who said it and when; midnight to the microsecond is a day of which no hour is known."""
    at = clock(said_us, zone)
    when = at.isoformat(" ", "minutes") if at.time() != time.min else at.date().isoformat()
    return f"{speaker}, {when}"


class _Base:
    """What the chunks of one turn share."""

    def __init__(self, memory_id: str, turn: Turn, window_chars: int) -> None:
        self._turn = turn
        self._uri = turn_uri(memory_id, turn.session_id, turn.turn_id)
        self._longest = window_chars

    def message(self, message: Message, position: int) -> Iterator[ChunkRecord]:
        said_us = message.created_at.ToMicroseconds()
        title = _message_title(message.speaker, said_us, UTC)
        for number, window in enumerate(windows(message.content, self._longest)):
            chunk = self._chunk(
                CHUNK_KIND_MESSAGE,
                _numbered(f"{self._turn.turn_id}:{message.message_id}", number),
                title,
                message.content[window.start : window.stop],
                EvidenceMetadata(
                    chunk_index=number,
                    offset_start=window.start,
                    offset_end=window.stop,
                    role=message.role,
                    speaker=message.speaker,
                    created_at=message.created_at,
                ),
            )
            chunk.evidence.ref.message_id = message.message_id
            chunk.position = position
            chunk.time_us = said_us
            chunk.timezone = self._turn.timezone
            yield chunk

    def tool_result(self, call: ToolCall, number: int) -> Iterator[ChunkRecord]:
        at = said_at(self._turn)
        called = " ".join(filter(None, (call.name, called_with(call), f"({call.status})")))
        title = _message_title(called, at.ToMicroseconds(), UTC)
        for part, window in enumerate(windows(call.result, self._longest)):
            chunk = self._chunk(
                CHUNK_KIND_TOOL_RESULT,
                _numbered(f"{self._turn.turn_id}:{tool_call_id(number)}", part),
                title,
                call.result[window.start : window.stop],
                EvidenceMetadata(
                    chunk_index=part,
                    offset_start=window.start,
                    offset_end=window.stop,
                    role="tool",
                    speaker=call.name,
                    created_at=at,
                ),
            )
            chunk.time_us = at.ToMicroseconds()
            chunk.timezone = self._turn.timezone
            yield chunk

    def ref(self, ref: Ref, number: int) -> ChunkRecord:
        known = json_format.MessageToDict(ref.meta)
        lines = [ref.uri, *(f"{name}: {known[name]}" for name in sorted(known))]
        return self._chunk(
            CHUNK_KIND_REF,
            f"{self._turn.turn_id}:ref-{number}",
            f"{ref.ref_type} {ref.uri}",
            "\n".join(lines)[: self._longest],
            EvidenceMetadata(created_at=self._turn.committed_at),
            ref.uri,
        )

    def _chunk(
        self,
        kind: ChunkKind.ValueType,
        evidence_id: str,
        title: str,
        text: str,
        metadata: EvidenceMetadata,
        uri: str = "",
    ) -> ChunkRecord:
        evidence = Evidence(
            id=evidence_id,
            kind=_OF_MEMORY,
            title=title,
            source_uri=uri or self._uri,
            source_type="conversation",
            snippet=text,
            language=language(text),
            metadata=metadata,
            ref=EvidenceRef(turn_id=self._turn.turn_id, session_id=self._turn.session_id),
        )
        return ChunkRecord(
            kind=kind,
            evidence=evidence,
            session_id=self._turn.session_id,
            position=-1,
            time_us=self._turn.committed_at.ToMicroseconds(),
            priority=_MESSAGE_PRIORITY,
            confidence=_EVENT_CONFIDENCE,
            layer=LAYER_EPISODIC,
            status=ITEM_STATUS_ACTIVE,
        )


COSTS_VERSION = 5
"""Of `token_costs`: an index that was made with another one counted otherwise."""


def token_costs(evidence: Evidence, counter: TokenCounter) -> tuple[int, int]:
    """Return the most that an evidence costs in a prompt: alone, and as a line that follows another message.

    In hundredths of a token. A section that follows another one has its title on a line of its own.
    That is under the label of a first piece. What is no chunk of a memory is a resource, whose address is shown.
    """
    text, speaker = shown_text(evidence), evidence.metadata.speaker
    weight = counter.weigh(render_quoted(text))
    alone = label_weight(evidence, counter) + weight
    if begins_section(evidence):
        weight += counter.weigh(render_quoted(evidence.title))
    if not speaker:
        return alone, weight
    # A first line that is blank, left out where the text stands alone, has the speaker in it where it follows.
    begins = text[:1].isprintable() and not text[:1].isspace()
    said = counter.weigh_within(f" {label(speaker)[:-1]}") if begins else counter.weigh(f"> {label(speaker)}")
    return alone, weight + said


def cost_showing(text: str, label: int, counter: TokenCounter) -> int:
    """Return the most that an evidence costs alone, as in token_costs, where this is what is shown of it.

    label: its `label_weight`.
    """
    return label + counter.weigh(render_quoted(text))


def label_weight(evidence: Evidence, counter: TokenCounter) -> int:
    """Return what the label of an evidence weighs, were it the first piece."""
    source = "memory" if evidence.kind == _OF_MEMORY else "resource"
    shown = ContextEvidence(source=source, title=evidence.title, source_uri=evidence.source_uri, status=evidence.status)
    return counter.weigh(render_label(1, shown))


def begins_section(evidence: Evidence) -> bool:
    """Return whether an evidence is the first of a section of a document."""
    return evidence.kind == _OF_DOCUMENT and evidence.metadata.chunk_index == 0


def shown_text(evidence: Evidence) -> str:
    """Return what a context shows of an evidence: of an item not its first line, the key, which its address tells."""
    text = evidence.snippet
    return text.split("\n", 1)[-1] if evidence.ref.memory_item_id and text.startswith("[") else text


def item_key(evidence: Evidence) -> str:
    """Return the key of an item, which the first line of its text tells."""
    return evidence.snippet.partition("\n")[0][1:-1].partition(":")[2]


def line(evidence: Evidence) -> str:
    """Return the text of an evidence with who says it, as a message follows another one in one piece."""
    speaker = evidence.metadata.speaker
    return label(speaker) + evidence.snippet if speaker else evidence.snippet


def label(speaker: str) -> str:
    """Return what stands before a text that follows another message in one piece."""
    return f"{_one_line(speaker)}: "


def _one_line(name: str) -> str:
    return " ".join(name.split())


def _numbered(base: str, number: int) -> str:
    return f"{base}#{number}" if number else base


def chunk_text(chunk: ChunkRecord) -> str:
    """Return the text by which a chunk is found: what it says, and who says it or under which headings it stands."""
    evidence = chunk.evidence
    return f"{evidence.title}\n{evidence.snippet}" if chunk.kind == CHUNK_KIND_SECTION else line(evidence)
