"""Conversations from JSON lines, as `brain import` and the benchmarks read them.

One line is one conversation: `{id, lang, sessions: [{session_id, datetime, turns: [{turn_id, speaker, role, text,
datetime?, image_caption?}]}]}`. Needed are `id`, `sessions` and their `turns`; a `role` is one of `ROLES`, user where
there is none. Ids and speakers may be whole numbers; what is said is text. Other keys are ignored. What is left out (a
turn without text, a time that no known form fits) is counted, never guessed.
"""

import codecs
import datetime as dt
import gzip
import io
import json
import re
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

ROLES = frozenset({"user", "assistant", "system", "tool"})
"""Roles a message may have; any other (a document, a memory) becomes user, with its speaker kept."""

_GZIP_MAGIC = b"\x1f\x8b"

_READ = frozenset(
    {"id", "lang", "sessions", "session_id", "datetime", "turns", "turn_id", "role", "speaker", "text", "image_caption"}
)
_NAMES = frozenset({"id", "session_id", "turn_id", "speaker"})
"""Keys whose value may be a whole number."""

_TIME_FORMS = (
    "",  # ISO 8601
    "%I:%M %p on %d %B, %Y",
    "%B-%d-%Y",
    "%d %B, %Y",
    "%d %B %Y",
    "%B %d, %Y",
    "%Y/%m/%d %H:%M:%S",
    "%Y/%m/%d %H:%M",
    "%Y/%m/%d",
    "%Y年%m月%d日",
)
_IN_BRACKETS = re.compile(r"\s*[(（][^()（）]*[)）]\s*")


class ConversationError(ValueError):
    """A line that is not a conversation; says why, and where in the line."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One thing said. `speaker` is empty where unknown; `datetime` is in UTC."""

    turn_id: str
    role: str
    speaker: str
    text: str
    datetime: dt.datetime | None


@dataclass(frozen=True, slots=True)
class Session:
    """Turns in the order they were said. `datetime` is in UTC."""

    session_id: str
    datetime: dt.datetime | None
    turns: tuple[Turn, ...]


@dataclass(frozen=True, slots=True)
class Conversation:
    """One conversation, and how much of its line was left out. unread: times in no known form, each with its field."""

    id: str
    lang: str
    sessions: tuple[Session, ...]
    turns_without_text: int
    unread: tuple[str, ...]

    @property
    def unreadable_times(self) -> int:
        """How many times are in no known form."""
        return len(self.unread)


@dataclass(slots=True)
class _LeftOut:
    """Turns without text, and times in no known form, as "FIELD: 'VALUE'"."""

    turns: int = 0
    times: list[str] = field(default_factory=list)


def load_conversations(path: Path) -> Iterator[Conversation]:
    """Give the conversations of a file, plain or gzipped. Raises ConversationError, with the 1-based line."""
    with path.open("rb") as file:
        for number, line in numbered_lines(file):
            try:
                yield parse_conversation(line)
            except ConversationError as error:
                raise ConversationError(f"{path}:{number}: {error}") from error


def numbered_lines(file: io.BufferedReader) -> Iterator[tuple[int, bytes]]:
    """Give the lines of a file that are not blank, with their 1-based numbers, unzipped if it begins as gzip does.

    The file may begin with a byte order mark. Raises ConversationError where gzip data are damaged or cut short.
    """
    zipped = file.peek(len(_GZIP_MAGIC)).startswith(_GZIP_MAGIC)
    plain = gzip.GzipFile(fileobj=file) if zipped else file
    try:
        for number, line in enumerate(plain, start=1):
            text = line.removeprefix(codecs.BOM_UTF8) if number == 1 else line
            if text.strip():
                yield number, text
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise ConversationError(f"damaged gzip: {error}") from error


def parse_conversation(line: str | bytes, zone: dt.tzinfo = dt.UTC) -> Conversation:
    """Give the conversation of one line. Raises ConversationError. `zone` is that of times which name none."""
    try:
        value = json.loads(line if isinstance(line, str) else line.decode(), object_pairs_hook=_once)
    except UnicodeDecodeError as error:
        raise ConversationError(f"byte {error.start} of the line is not UTF-8: write the file in UTF-8") from error
    except ConversationError:  # a ValueError, too
        raise
    except (ValueError, RecursionError) as error:  # ValueError: a number of more digits than Python reads
        raise ConversationError(f"not JSON: {error}") from error
    raw = _mapping(value, "the line")
    conversation_id = _text(raw, "id", "id")
    if not conversation_id:
        raise ConversationError("id must be given")
    left_out = _LeftOut()
    return Conversation(
        id=conversation_id,
        lang=_text(raw, "lang", "lang"),
        sessions=tuple(
            _session(each, at, zone, left_out) for at, each in enumerate(_list(raw, "sessions", "sessions"))
        ),
        turns_without_text=left_out.turns,
        unread=tuple(left_out.times),
    )


def parse_time(text: object, zone: dt.tzinfo = dt.UTC) -> dt.datetime | None:
    """Give a time in UTC, None where no known form fits. A time without a zone counts as one of `zone`.

    Understood are ISO 8601, "1:56 pm on 8 May, 2023", "2025-12-15 (Monday)", "March-15-2024", "8 May 2023",
    "2023/05/20 (Sat) 02:21" and "2023年5月8日"; a part in brackets is passed over.
    """
    if not isinstance(text, str):
        return None
    plain = _IN_BRACKETS.sub(" ", text).strip()
    for form in _TIME_FORMS:
        try:
            time = dt.datetime.strptime(plain, form) if form else dt.datetime.fromisoformat(plain)
            return (time if time.tzinfo else time.replace(tzinfo=zone)).astimezone(dt.UTC)
        except (ValueError, OverflowError):
            continue
    return None


def _session(raw: object, at: int, zone: dt.tzinfo, left_out: _LeftOut) -> Session:
    """Give the session at the 0-based place `at`, which also names it where it has no id."""
    path = f"sessions[{at}]"
    fields = _mapping(raw, path)
    session_id = _text(fields, "session_id", f"{path}.session_id") or f"session-{at}"
    start = _time(fields, path, zone, left_out)
    turns = []
    for index, each in enumerate(_list(fields, "turns", f"{path}.turns")):
        turn = _turn(each, f"{path}.turns[{index}]", f"{session_id}:{index}", zone, left_out)
        if turn is None:
            left_out.turns += 1
            continue
        turns.append(replace(turn, datetime=turn.datetime or _counted(start, index)))
    return Session(session_id=session_id, datetime=start, turns=tuple(turns))


def _counted(start: dt.datetime | None, seconds: int) -> dt.datetime | None:
    """Give the time so long after the start of a session, None past the last that there is."""
    try:
        return start and start + dt.timedelta(seconds=seconds)
    except OverflowError:
        return None


def _turn(raw: object, path: str, made_id: str, zone: dt.tzinfo, left_out: _LeftOut) -> Turn | None:
    """Give a turn with its own time, None if it has neither text nor picture. It is `made_id` unless it has an id."""
    fields = _mapping(raw, path)
    turn_id, role, speaker, text, caption = (
        _text(fields, key, f"{path}.{key}") for key in ("turn_id", "role", "speaker", "text", "image_caption")
    )
    parts = [text, f"[image: {caption.strip()}]" if caption.strip() else ""]
    said = "\n".join(part for part in parts if part.strip())
    if not said:
        return None
    known = role.lower() if role.lower() in ROLES else ""
    return Turn(
        turn_id=turn_id or made_id,
        role=known or "user",
        speaker=speaker or ("" if known else role),
        text=said,
        datetime=_time(fields, path, zone, left_out),
    )


def _time(fields: Mapping[str, object], path: str, zone: dt.tzinfo, left_out: _LeftOut) -> dt.datetime | None:
    given = fields.get("datetime")
    time = parse_time(given, zone)
    if time is None and given not in (None, ""):
        left_out.times.append(f"{path}.datetime: {str(given)[:_SHOWN]!r}")
    return time


_SHOWN = 60
"""Characters of a time in no known form."""


def _mapping(value: object, path: str) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise ConversationError(f"{path} must be an object, not {type(value).__name__}")
    return value


def _list(fields: Mapping[str, object], key: str, path: str) -> list[object]:
    value = fields.get(key)
    if not isinstance(value, list):
        raise ConversationError(f"{path} must be a list")
    return value


def _text(fields: Mapping[str, object], key: str, path: str) -> str:
    """Give a text, or a whole number as one where it names something; empty for none."""
    value = fields.get(key)
    may_be = str | int | None if key in _NAMES else str | None
    if isinstance(value, bool) or not isinstance(value, may_be):
        expected = "text or a whole number" if key in _NAMES else "text"
        raise ConversationError(f"{path} must be {expected}, not {type(value).__name__}")
    return "" if value is None else str(value)


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Give a JSON object. Raises ConversationError where a key that is read stands twice: one would be lost."""
    fields: dict[str, object] = {}
    for key, value in pairs:
        if key in fields and key in _READ:
            raise ConversationError(f"{key} stands twice in an object")
        fields[key] = value
    return fields
