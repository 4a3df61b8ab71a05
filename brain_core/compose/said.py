"""A committed turn as composes read it: of its session's next message, of the one after, and so on.

Turns never change, and a session's newest come back with each of its composes. So what is made of one is kept by the
bytes it is stored as.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from google.protobuf.timestamp_pb2 import Timestamp
from smartbrain.v1.context_pb2 import ContextPackage, RecentTurn
from smartbrain.v1.event_pb2 import Message, ToolCall, Turn

from brain_core.index.derive import called_with, said_at, tool_call_id, turn_uri

_URL = re.compile(r"(?:https?|file)://[^\s，。；、）)<>\"'\]]+")
_REMEMBERED = 256  # turns
_REMEMBERED_BYTES = 8_192  # of one turn


class SaidMessage(NamedTuple):
    """A message. shown: a ContextPackage with nothing but the message among its recent turns, serialised.

    is_whole: whether that is all of it.
    """

    turn_id: str
    id: str
    role: str
    speaker: str
    content: str
    shown: bytes
    is_whole: bool = True

    def showing(self, content: str) -> SaidMessage:
        """Return the same with a part of it in place of all its content."""
        package = ContextPackage.FromString(self.shown)
        package.recent_turns[0].content = content
        return self._replace(content=content, shown=package.SerializeToString(), is_whole=False)


@dataclass(frozen=True, slots=True)
class SaidTurn:
    """A turn. uri: its address. texts: of its messages, less what tools said. addresses: given in those and in refs.

    messages: as they came, with the tool calls before the answer that ends the turn, since they led to it. costs: of
    each in recent_turns, hundredths of a token, by the name of the counter, once they were counted. longest_result:
    characters of the longest thing that a tool said.
    """

    turn_id: str
    uri: str
    messages: tuple[SaidMessage, ...]
    texts: tuple[str, ...]
    addresses: tuple[str, ...]
    longest_result: int
    costs: dict[str, tuple[int, ...]] = field(default_factory=dict, compare=False)


def said_in(memory_id: str, record: bytes) -> SaidTurn:
    """Return a turn of a memory. record: as it is stored."""
    return (_remembered if len(record) <= _REMEMBERED_BYTES else _read)(memory_id, record)


def _read(memory_id: str, record: bytes) -> SaidTurn:
    turn = Turn.FromString(record)
    texts = tuple(message.content for message in turn.events.messages if message.role != "tool")
    messages = tuple(_spoken(turn))
    return SaidTurn(
        turn.turn_id,
        turn_uri(memory_id, turn.session_id, turn.turn_id),
        messages,
        texts,
        (*_addresses(texts), *(ref.uri for ref in turn.events.refs)),
        max((len(message.content) for message in messages if message.role == "tool"), default=0),
    )


_remembered = lru_cache(maxsize=_REMEMBERED)(_read)


def _spoken(turn: Turn) -> Iterator[SaidMessage]:
    messages = list(turn.events.messages)
    last = messages.pop() if messages and messages[-1].role == "assistant" else None
    for message in messages:
        yield _message(turn.turn_id, message)
    for number, call in enumerate(turn.events.tool_calls):
        yield _call(turn, call, number)
    if last is not None:
        yield _message(turn.turn_id, last)


def forget_said() -> None:
    """Let go of all that is remembered."""
    _remembered.cache_clear()


def _message(turn_id: str, message: Message) -> SaidMessage:
    said = message.message_id, message.role, message.speaker, message.content
    return _said(turn_id, said, message.created_at)


def _call(turn: Turn, call: ToolCall, number: int) -> SaidMessage:
    status = "" if call.status in ("", "ok") else f"({call.status})"
    opening = " ".join(filter(None, (called_with(call), status)))
    content = "\n".join(filter(None, (opening, call.result.strip()))) or "(no result)"
    return _said(turn.turn_id, (tool_call_id(number), "tool", call.name, content), said_at(turn))


def _said(turn_id: str, said: tuple[str, str, str, str], at: Timestamp) -> SaidMessage:
    """said: id, role, speaker, content."""
    message_id, role, speaker, content = said
    shown = RecentTurn(
        role=role, content=content, turn_id=turn_id, message_id=message_id, speaker=speaker, created_at=at
    )
    return SaidMessage(turn_id, *said, ContextPackage(recent_turns=[shown]).SerializeToString())


def _addresses(texts: Sequence[str]) -> Iterator[str]:
    for text in texts:
        if "://" in text:
            yield from (match.rstrip(".,;:!?") for match in _URL.findall(text[:10_000]))
