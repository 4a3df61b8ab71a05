"""The event log: sessions and their turns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from smartbrain.v1.event_pb2 import Message, Session, Turn

from brain_core.errors import NotFound
from brain_core.store import keys
from brain_core.store.kv import Batch, ReadView
from brain_core.store.v1.records_pb2 import ChangeRecord

_REVISION_DIGITS = 18


def read_session(view: ReadView, memory_id: str, session_id: str) -> Session | None:
    """Return a session, or None."""
    found = view.get(keys.memory(memory_id), keys.session(session_id))
    return None if found is None else Session.FromString(found)


def get_session(view: ReadView, memory_id: str, session_id: str) -> Session:
    """Return a session; raise NotFound."""
    session = read_session(view, memory_id, session_id)
    if session is None:
        raise NotFound(
            f"session_id: memory {memory_id!r} has no session {session_id!r}",
            field="session_id",
            value=session_id,
            limit="a session with at least one committed turn",
            hint="a session begins with its first CommitTurn; ListSessions names those there are",
        )
    return session


def list_sessions(view: ReadView, memory_id: str, after: str, limit: int) -> list[Session]:
    """Return up to `limit` sessions by id, past the session `after`."""
    start = keys.session(after) if after else b""
    rows = view.scan(keys.memory(memory_id), keys.SESSIONS, after=start, limit=limit)
    return [Session.FromString(value) for _, value in rows]


def scan_turns(view: ReadView, memory_id: str, session_id: str, start: int = 0) -> Iterator[Turn]:
    """Yield the turns of a session in order, from place `start`."""
    after = keys.turn(session_id, start - 1) if start else b""
    for _, value in view.scan(keys.memory(memory_id), keys.turns(session_id), after=after):
        yield Turn.FromString(value)


def turn_of(view: ReadView, memory_id: str, change: ChangeRecord) -> Turn | None:
    """Return the turn that a revision added, None if it added none."""
    if not change.session_id:
        return None
    turn = next(scan_turns(view, memory_id, change.session_id, change.sequence), None)
    return turn if turn is not None and turn.revision == change.revision else None


def revision_of(turn_id: str) -> int | None:
    """Return the revision that added the turn of an id, None if it is no id of a turn."""
    digits = turn_id[1:]
    is_id = turn_id[:1] == "t" and digits.isdecimal() and digits.isascii() and len(digits) <= _REVISION_DIGITS
    return int(digits) if is_id else None


def find_turn(view: ReadView, memory_id: str, turn_id: str) -> Turn | None:
    """Return a turn by its id, with `purged_at` if it was purged, or None; also of one whose session was purged."""
    revision = revision_of(turn_id)
    found = None if revision is None else view.get(keys.memory(memory_id), keys.change(revision))
    change = None if found is None else ChangeRecord.FromString(found)
    turn = None if change is None else turn_of(view, memory_id, change)
    if turn is None and change is not None and change.had_turn:
        turn = Turn(turn_id=turn_id, revision=change.revision)
        turn.committed_at.FromMicroseconds(change.committed_at_us)
        turn.purged_at.FromMicroseconds(change.turn_purged_at_us)
    return turn if turn is not None and turn.turn_id == turn_id else None


def get_turn(view: ReadView, memory_id: str, turn_id: str) -> Turn:
    """Return a turn by its id, as `find_turn` does; raise NotFound."""
    turn = find_turn(view, memory_id, turn_id)
    if turn is None:
        raise NotFound(
            f"turn_id: memory {memory_id!r} has no turn {turn_id!r}",
            field="turn_id",
            value=turn_id,
            limit="turn_id of a CommitTurn's answer",
            hint="ListTurns names those of a session",
        )
    return turn


def newest_turns(view: ReadView, memory_id: str, session_id: str, limit: int) -> list[Turn]:
    """Return up to `limit` newest turns of a session, oldest first."""
    return [*map(Turn.FromString, newest_records(view, memory_id, session_id, limit))]


def newest_records(view: ReadView, memory_id: str, session_id: str, limit: int) -> list[bytes]:
    """Return the same as they are stored."""
    places = newest_places(view, memory_id, session_id, limit)
    return [record for record in _records_at(view, memory_id, session_id, places) if record is not None]


def newest_places(view: ReadView, memory_id: str, session_id: str, limit: int) -> range:
    """Return the places of up to `limit` newest turns of a session, oldest first; at some a purge has left none."""
    session = read_session(view, memory_id, session_id)
    count = session.turn_count if session is not None else 0
    return range(max(0, count - limit), count)


def turns_at(view: ReadView, memory_id: str, session_id: str, places: Sequence[int]) -> Iterator[tuple[int, Turn]]:
    """Yield those of some places of a session that have a turn, with it."""
    for place, record in zip(places, _records_at(view, memory_id, session_id, places), strict=True):
        if record is not None:
            yield place, Turn.FromString(record)


def _records_at(view: ReadView, memory_id: str, session_id: str, places: Sequence[int]) -> list[bytes | None]:
    return view.multi_get(keys.memory(memory_id), [keys.turn(session_id, place) for place in places])


def newest_records_by(view: ReadView, memory_id: str, session_id: str, limit: int, revision: int) -> list[bytes]:
    """Return up to `limit` newest of the turns that a session had at a revision, oldest first, as they are stored."""
    rows = view.scan(keys.memory(memory_id), keys.turns(session_id), reverse=True)
    by_then = (value for _, value in rows if Turn.FromString(value).revision <= revision)
    return list(islice(by_then, limit))[::-1]


def newest_turns_before(view: ReadView, memory_id: str, session_id: str, place: int, limit: int) -> list[Turn]:
    """Return up to `limit` turns of a session that stand before a place, oldest first."""
    first = max(0, place - limit)
    return list(islice(scan_turns(view, memory_id, session_id, first), place - first))


def has_message(view: ReadView, memory_id: str, session_id: str, message_id: str) -> bool:
    """Return whether a session has a message of this id."""
    return view.get(keys.memory(memory_id), keys.message(session_id, message_id)) is not None


def read_message(view: ReadView, memory_id: str, session_id: str, message_id: str) -> Message | None:
    """Return a message, or None."""
    place = view.get(keys.memory(memory_id), keys.message(session_id, message_id))
    turn = None if place is None else next(scan_turns(view, memory_id, session_id, int.from_bytes(place, "big")), None)
    messages = turn.events.messages if turn is not None else ()
    return next((message for message in messages if message.message_id == message_id), None)


def put_turn(batch: Batch, turn: Turn) -> None:
    """Add a turn and the places of its messages."""
    batch.put(keys.turn(turn.session_id, turn.sequence), turn.SerializeToString())
    for message in turn.events.messages:
        batch.put(keys.message(turn.session_id, message.message_id), keys.number(turn.sequence))


def put_session(batch: Batch, session: Session) -> None:
    """Add or replace a session."""
    batch.put(keys.session(session.session_id), session.SerializeToString())
