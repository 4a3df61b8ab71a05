"""Is a memory sound? Store against itself, index against store, snapshot file against its checksum."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from datetime import tzinfo
from pathlib import Path

import numpy as np
from smartbrain.v1.admin_service_pb2 import VerifyResponse
from smartbrain.v1.event_pb2 import Turn

from brain_core.damage import unreadable
from brain_core.errors import StoreFailed
from brain_core.index import snapshot
from brain_core.index.memory_index import MemoryIndex
from brain_core.index.records import Records
from brain_core.store import documents, events, items, keys, log
from brain_core.store.core import core_is_sound
from brain_core.store.holdings import count_holdings
from brain_core.store.kv import ReadView
from brain_core.store.v1.records_pb2 import CHUNK_KIND_SECTION, SpaceRecord
from brain_core.text.tokens import TokenCounter

_ALL = 2**31 - 1

Beside = Callable[[], AbstractContextManager[tuple[MemoryIndex, MemoryIndex]]]
_NAMED = 20


def verify_memory(
    view: ReadView,
    memory_id: str,
    beside: Beside,
    made_for: tuple[int, TokenCounter | None, tzinfo],
    snapshot_file: Path,
    done: int,
    total: int,
) -> VerifyResponse:
    """Return what is wrong with a memory, in words.

    view: of one moment. beside: gives the memory's index and one made of the store, both at one revision, and holds the
    memory's lock meanwhile. made_for: dimension, counter and zone of its index.
    """
    problems = list(unreadable(view, memory_id))
    for check in (_counters, _holdings, _sessions, _items, _core, _documents):
        problems += _readable(check(view, memory_id), told=bool(problems))
    problems += _readable(_index(beside), told=bool(problems))
    notes: list[str] = []
    try:
        snapshot.load(snapshot_file, *made_for)
    except FileNotFoundError:
        pass
    except snapshot.SnapshotOutdated as error:
        notes.append(f"the index on disk was made by another version or under other settings: {error}")
    except (snapshot.SnapshotError, OSError) as error:
        problems.append(f"the snapshot cannot be used and will be made anew: {error}")
    answer = _answer(view, memory_id, problems, done, total)
    answer.notes.extend(notes)
    return answer


def verify_without_index(view: ReadView, memory_id: str, failure: StoreFailed, done: int, total: int) -> VerifyResponse:
    """Return what is wrong with a memory whose index can be neither loaded nor made anew."""
    problems = [*unreadable(view, memory_id), f"the index cannot be made of what is left: {failure}"]
    return _answer(view, memory_id, problems, done, total)


def _readable(problems: Iterator[str], *, told: bool) -> Iterator[str]:
    """Yield what a check finds until it meets what cannot be read. told: whether that has been named already."""
    try:
        yield from problems
    except StoreFailed as error:
        if not told:
            yield str(error)


def _answer(view: ReadView, memory_id: str, problems: list[str], done: int, total: int) -> VerifyResponse:
    try:
        space, revision = log.read_space(view, memory_id), view.revision(keys.memory(memory_id))
    except StoreFailed:  # which is among the problems
        space, revision = None, 0
    return VerifyResponse(
        memory_id=memory_id,
        revision=revision,
        turns=space.turns - space.turns_gone if space else 0,
        chunks=space.next_chunk if space else 0,
        problems=problems[:_NAMED] + ([f"{len(problems) - _NAMED} more"] if len(problems) > _NAMED else []),
        done=done,
        total=total,
    )


def _counters(view: ReadView, memory_id: str) -> Iterator[str]:
    revision = view.revision(keys.memory(memory_id))
    space = log.read_space(view, memory_id)
    if space is None:
        yield "the counters are missing"
        return
    expected, chunk = 1, 0
    for change in log.scan_changes(view, memory_id, 0):
        if change.revision != expected or change.first_chunk != chunk:
            yield f"change {change.revision}: expected revision {expected}, first chunk {chunk}"
        expected, chunk = change.revision + 1, change.first_chunk + change.chunk_count
    if expected != revision + 1:
        yield f"changes end at {expected - 1}, the store is at revision {revision}"
    if chunk != space.next_chunk:
        yield f"changes name {chunk} chunks, the counters {space.next_chunk}"
    ordinals = [record.ordinal for record in log.scan_chunks(view, memory_id)]
    if ordinals != list(range(space.next_chunk)):
        missing = sorted(set(range(space.next_chunk)) - set(ordinals))
        yield f"{len(ordinals)} chunks of {space.next_chunk}; first missing: {missing[:1]}"


def _holdings(view: ReadView, memory_id: str) -> Iterator[str]:
    partition, space = keys.memory(memory_id), log.read_space(view, memory_id)
    if space is None or space.holdings.revision != view.revision(partition):  # they are counted when they are asked for
        return
    counted = count_holdings(view, partition, space.holdings.revision)
    for name in ("sessions", "messages", "documents"):
        found, told = getattr(counted, name), getattr(space.holdings, name)
        if found != told:
            yield f"it has {found} {name}, the counters say {told}"
    found, told = ({name: count for name, count in one.items.items() if count} for one in (counted, space.holdings))
    if found != told:
        yield f"it has items by status {found}, the counters say {told}"


def _sessions(view: ReadView, memory_id: str) -> Iterator[str]:
    turns = 0
    for session in events.list_sessions(view, memory_id, "", _ALL):
        count = messages = 0
        for turn in events.scan_turns(view, memory_id, session.session_id):
            if turn.sequence != count:
                yield f"session {session.session_id!r}: turn {count} is missing"
                break
            count += 1
            messages += len(turn.events.messages) + turn.purged_messages
            yield from _turn(view, memory_id, turn)
        if (count, messages) != (session.turn_count, session.message_count):
            yield (
                f"session {session.session_id!r} has {count} turns and {messages} messages, "
                f"its record says {session.turn_count} and {session.message_count}"
            )
        turns += count
    space = log.read_space(view, memory_id)
    if space is not None and turns != space.turns - space.turns_gone:
        yield f"{turns} turns in the sessions, the counters say {space.turns - space.turns_gone}"


def _turn(view: ReadView, memory_id: str, turn: Turn) -> Iterator[str]:
    for message in turn.events.messages:
        if not events.has_message(view, memory_id, turn.session_id, message.message_id):
            yield f"turn {turn.turn_id}: message {message.message_id!r} is not in the message map"


def _items(view: ReadView, memory_id: str) -> Iterator[str]:
    for item in items.scan_items(view, memory_id):
        if items.read_version(view, memory_id, item.type, item.key, item.version) != item:
            yield f"item {item.type} {item.key}: version {item.version} differs from the newest"


def _core(view: ReadView, memory_id: str) -> Iterator[str]:
    if not core_is_sound(view, memory_id):
        yield "what every context carries differs from the items"


def _documents(view: ReadView, memory_id: str) -> Iterator[str]:
    space = log.read_space(view, memory_id) or SpaceRecord()
    withdrawn = set(documents.chunks_of(space.withdrawn))
    owner: dict[int, str] = {}
    for record in documents.scan_documents(view, memory_id):
        document = record.document
        sections = list(documents.scan_sections(view, memory_id, document.document_id))
        if documents.joined_ranges([section.chunks for section in sections]) != list(record.chunks):
            yield f"document {document.document_id!r}: its sections are not its chunks"
        if (len(sections), len(documents.chunks_of(record.chunks))) != (document.sections, document.chunks):
            yield f"document {document.document_id!r}: it has {len(sections)} sections, not {document.sections}"
        if documents.id_at(view, memory_id, document.source_uri) != document.document_id:
            yield f"document {document.document_id!r} is not named under its address"
        owner |= dict.fromkeys(documents.chunks_of(record.chunks), document.document_id)
    for chunk in log.scan_chunks(view, memory_id):
        has_text = chunk.kind == CHUNK_KIND_SECTION and chunk.evidence.document_id
        if has_text and chunk.ordinal not in withdrawn and owner.pop(chunk.ordinal, "") != chunk.evidence.document_id:
            yield f"chunk {chunk.ordinal} is of document {chunk.evidence.document_id!r}, which does not have it"
    if owner:
        yield f"documents name {len(owner)} chunks that are no sections"


def _index(beside: Beside) -> Iterator[str]:
    with beside() as (index, fresh):
        yield from _differing(index, fresh)


def _differing(index: MemoryIndex, fresh: MemoryIndex) -> Iterator[str]:
    if index.revision != fresh.revision or len(index.chunks) != len(fresh.chunks):
        yield (
            f"the index has {len(index.chunks)} chunks at revision {index.revision}, "
            f"the store {len(fresh.chunks)} at {fresh.revision}"
        )
        return
    for name, column in fresh.chunks.dump().items():
        if not np.array_equal(column, index.chunks.column(name)):
            yield f"the index differs from the store in column {name}"
    if not np.array_equal(fresh.chunks.put_right(), index.chunks.put_right()):
        yield "the index differs from the store in the time of the newest text"
    if not _same_records(fresh.chunks.records, index.chunks.records):
        yield "the index differs from the store in its evidence"
    if not np.array_equal(fresh.vectors.all(), index.vectors.all()):
        yield "the index differs from the store in its vectors"
    mine, theirs = fresh.lexical.dump(), index.lexical.dump()
    if mine[0] != theirs[0] or not all(np.array_equal(mine[part], theirs[part]) for part in (1, 2, 3)):
        yield "the index differs from the store in its terms"


def _same_records(one: Records, other: Records) -> bool:
    """Return whether two indexes hold the same evidence; read only where their bytes differ."""
    (content, ends), (other_content, other_ends) = one.dump(), other.dump()
    if np.array_equal(ends, other_ends) and np.array_equal(content, other_content):
        return True
    return one.read(range(len(one))) == other.read(range(len(other)))
