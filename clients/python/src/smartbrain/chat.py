"""An agent's own chat messages as a turn of the contracts: those of OpenAI, Anthropic and Ollama, and plain ones.

What was said becomes messages. A call of a tool (`tool_calls`, a `tool_use` block) and its result (a message of the
role tool, a `tool_result` block) become one ToolCall: found together by the call's id, else by the tool's name, else
in the order of the calls. A call without a result is `cancelled`, one whose result says `is_error` an `error`.

Everything here is pure. What a turn cannot hold (pictures, reasoning, arguments that are no JSON object) is never
dropped in silence: `read_chat` names each piece. A commit goes on without reasoning, which was said to nobody, and
tells the logger `smartbrain`; for any other piece it refuses the messages. What is no chat at all (an unknown role or
field, a result of no call) raises InvalidArgument. Each names `messages[i]` as given.
"""

import json
import math
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Final, NamedTuple, Protocol

from google.protobuf.json_format import ParseDict, ParseError

from smartbrain.conversations import ROLES
from smartbrain.errors import InvalidArgument
from smartbrain.fields import limit_of, timestamp, unfit, whole
from smartbrain.v1.event_pb2 import Message, ToolCall, TurnEvents


class Dumped(Protocol):
    """A message as the SDKs' object, which gives itself as a mapping."""

    def model_dump(self) -> dict[str, Any]:
        """Give the message as a mapping."""


MessageLike = Message | Mapping[str, object] | Dumped
"""A Message; a mapping with `role` and `content`, and if wanted `speaker`, `message_id` and `created_at` (an aware
datetime or an RFC 3339 string); a chat message of OpenAI, Anthropic or Ollama, as a mapping or their SDKs' object."""

ARGS_BYTES: Final = 65536
"""Most bytes of a call's arguments; the server's limits.value_bytes as it comes."""

_DEEPEST: Final = 30
"""Most objects in objects: protobuf reads 100 levels, of which each takes three."""

_TEXT_PARTS: Final = {"text": "text", "input_text": "text", "output_text": "text", "refusal": "refusal"}
"""Types of a content part that are words, and the field that has them."""

_REASONING: Final = frozenset(
    {"reasoning", "reasoning_content", "reasoning_details", "redacted_thinking", "thinking", "thinking_blocks"}
)
"""What a model thought before it spoke: names of fields and types of content parts."""

_NOT_SAID: Final = frozenset({"annotations", "audio", "function_call", "images"}) | _REASONING
"""Fields of chat messages that no turn holds."""

REASONING: Final = "REASONING"
"""The reason under which reasoning is left out: it was not said, so a commit goes on without it."""

_OF_CHAT: Final = frozenset({"name", "refusal", "tool_call_id", "tool_calls", "tool_name"})

_OF_MESSAGE: Final = {name: field for field in Message.DESCRIPTOR.fields for name in (field.name, field.json_name)}

_TO_HOLD: Final = "something a turn can hold: text, a call of a tool or its result"


class Chat(NamedTuple):
    """A turn, and what of the messages it does not hold, each as an error that names it.

    One whose `reason` is REASONING keeps no commit from going on, each other one does.
    """

    turn: TurnEvents
    left_out: tuple[InvalidArgument, ...]


def read_chat(messages: Iterable[MessageLike], *, args_bytes: int = ARGS_BYTES) -> Chat:
    """Give the turn in which `messages` were said, and name what it cannot hold.

    args_bytes: most bytes of one call's arguments. Raises InvalidArgument for what is no message.
    """
    if isinstance(messages, str | Mapping | Message) or not isinstance(messages, Iterable):
        raise unfit("messages", messages, "a list of messages, or a TurnEvents")
    reader = _Reader(args_bytes)
    for at, given in enumerate(messages):
        reader.read(given, f"messages[{at}]")
    return reader.chat()


class _Reader:
    """Reads messages one by one; calls wait in it for their results."""

    def __init__(self, args_bytes: int) -> None:
        self._args_bytes = args_bytes
        self._said: list[Message] = []
        self._calls: list[ToolCall] = []
        self._waiting: list[tuple[str, ToolCall]] = []
        self._left_out: list[InvalidArgument] = []

    def chat(self) -> Chat:
        for _, call in self._waiting:
            call.status = "cancelled"
        return Chat(TurnEvents(messages=self._said, tool_calls=self._calls), tuple(self._left_out))

    def read(self, given: object, path: str) -> None:
        if isinstance(given, Message):
            self._said.append(given)
            return
        fields = {name: value for name, value in _mapping(given, path).items() if not _is_nothing(name, value)}
        for name in sorted(_NOT_SAID & fields.keys()):
            self._leave_out_part(f"{path}.{name}", fields.pop(name), name)
        chat = {name: fields.pop(name) for name in _OF_CHAT & fields.keys()}
        if fields.get("role") == "developer":
            fields["role"] = "system"
        before, calls = len(self._left_out), len(self._calls)
        text = self._text(fields.pop("content", None), f"{path}.content")
        text = text or _word(chat, "refusal", path)
        for at, call in enumerate(_list(chat.get("tool_calls", []), f"{path}.tool_calls")):
            self._call(call, f"{path}.tool_calls[{at}]")
        if fields.get("role") == "tool" and self._answered(chat, text, path):
            return
        if "name" in chat:
            fields.setdefault("speaker", chat["name"])
        message = _message({**fields, "content": text}, path)
        if message.role not in ROLES:
            raise unfit(f"{path}.role", message.role, "user, assistant, system, developer or tool")
        if text.strip() or (len(self._left_out) == before and len(self._calls) == calls and not self._told(given)):
            self._said.append(message)

    def _told(self, given: object) -> bool:
        """Say whether a message without words of its own gave the results of tools."""
        content = _mapping(given, "").get("content")
        return isinstance(content, list) and bool(content)

    def _answered(self, chat: Mapping[str, object], text: str, path: str) -> bool:
        """Give a tool's words to the call that they answer; say whether there is one."""
        by_id, name = _word(chat, "tool_call_id", path), _word(chat, "tool_name", path) or _word(chat, "name", path)
        if not (by_id or name or self._waiting):
            return False
        self._result(by_id, name, text, f"{path}.{'tool_call_id' if by_id else 'tool_name'}")
        return True

    def _result(self, call_id: str, name: str, text: str, path: str, *, status: str = "") -> None:
        for at, (waiting_id, call) in enumerate(self._waiting):
            if waiting_id == call_id if call_id else not name or call.name == name:
                del self._waiting[at]
                call.result, call.status = text, status
                return
        if not name:
            ids = ", ".join(waiting_id for waiting_id, _ in self._waiting if waiting_id) or "none waits for a result"
            raise unfit(path, call_id, f"the id of a call in the messages before ({ids}); commit both together")
        self._calls.append(_tool(name, path, text, status))

    def _text(self, content: object, path: str) -> str:
        """Give the words of a content; calls and results that stand in it are taken out of it."""
        if content is None or isinstance(content, str):
            return content or ""
        words = []
        for at, part in enumerate(_list(content, path)):
            told = part if isinstance(part, str) else self._part(_mapping(part, f"{path}[{at}]"), f"{path}[{at}]")
            words.append(told)
        return "\n".join(filter(str.strip, words))

    def _part(self, part: Mapping[str, object], path: str) -> str:
        kind = part.get("type")
        if kind in _TEXT_PARTS:
            return _word(part, _TEXT_PARTS[str(kind)], path)
        if kind == "tool_use":
            self._add(part, _word(part, "name", path), part.get("input"), path, "input")
        elif kind == "tool_result":
            text = self._text(part.get("content"), f"{path}.content")
            status = "error" if part.get("is_error") else ""
            self._result(_word(part, "tool_use_id", path), "", text, f"{path}.tool_use_id", status=status)
        elif isinstance(kind, str):
            self._leave_out_part(path, part, kind)
        else:
            raise unfit(f"{path}.type", kind, "the type of a content part: text, tool_use, tool_result, …")
        return ""

    def _call(self, given: object, path: str) -> None:
        call = _mapping(given, path)
        function = _mapping(call.get("function"), f"{path}.function")
        place = f"{path}.function"
        self._add(call, _word(function, "name", place), function.get("arguments"), place, "arguments")

    def _add(self, call: Mapping[str, object], name: str, args: object, path: str, field: str) -> None:
        made = _tool(name, f"{path}.name")
        try:
            if (given := _args(args)) is not None:
                made.args.update(given)
            if made.args.ByteSize() > self._args_bytes:
                raise ValueError(f"at most {self._args_bytes} bytes, not {made.args.ByteSize()}")  # noqa: TRY301
        except (ValueError, TypeError, RecursionError) as error:
            made.ClearField("args")
            self._leave_out(f"{path}.{field}", args, " ".join(str(error).split()))
        self._calls.append(made)
        self._waiting.append((_word(call, "id", path), made))

    def _leave_out_part(self, path: str, value: object, kind: str) -> None:
        """Leave out what is no text. kind: name of its field, or type of the part."""
        self._leave_out(path, value, _TO_HOLD)
        if kind in _REASONING:
            self._left_out[-1].reason = REASONING

    def _leave_out(self, path: str, value: object, limit: str) -> None:
        self._left_out.append(unfit(path, value, limit))


def _args(given: object) -> dict[str, Any] | None:
    """Give a call's arguments as a JSON object. Raises ValueError or TypeError that says what they must be."""
    if isinstance(given, str):
        try:
            given = json.loads(given) if given.strip() else None
        except (ValueError, RecursionError) as error:
            raise ValueError(f"a JSON object ({error})") from error
    if given is None:
        return None
    if not isinstance(given, Mapping):
        raise TypeError("a JSON object")
    return {_key(name): _json(value, 1) for name, value in given.items()}


def _key(name: object) -> str:
    if isinstance(name, str):
        return str(_json(name, 0))
    raise ValueError(f"a JSON object, whose names are text (not {name!r})")


def _json(value: object, depth: int) -> object:
    """Give a value as a Struct holds it. Raises ValueError for what JSON has no word for."""
    if depth > _DEEPEST:
        raise ValueError(f"a JSON object of at most {_DEEPEST} levels")
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError as error:
            raise ValueError("a JSON object of text that UTF-8 can hold") from error
        return value
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return whole(value)
    if isinstance(value, float):
        if math.isfinite(value):
            return value
        raise ValueError(f"a JSON object, which has no number {value}")
    if isinstance(value, Mapping):
        return {_key(name): _json(each, depth + 1) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_json(each, depth + 1) for each in value]
    raise ValueError(f"a JSON object, which cannot hold a {type(value).__name__}")


def _tool(name: str, path: str, result: str = "", status: str = "") -> ToolCall:
    if not name.strip():
        raise unfit(path, name, "the name of a tool")
    return ToolCall(name=name, result=result, status=status)


def _is_nothing(name: str, value: object) -> bool:
    """Say whether a field holds nothing: SDKs write out those that are not set."""
    return name not in _OF_MESSAGE and (value is None or value in ("", [], {}, ()))


def _mapping(given: object, path: str) -> Mapping[str, Any]:
    dump = getattr(given, "model_dump", None)
    if callable(dump):
        given = dump()
    if not isinstance(given, Mapping):
        raise unfit(path, given, "a mapping or a Message")
    return given


def _list(given: object, path: str) -> list[object]:
    if isinstance(given, list | tuple):
        return list(given)
    raise unfit(path, given, "text or a list of parts" if path.endswith("content") else "a list")


def _word(fields: Mapping[str, object], name: str, path: str) -> str:
    value = fields.get(name)
    if value is None:
        return ""
    if not isinstance(value, str) or any("\ud800" <= each <= "\udfff" for each in value):
        raise unfit(f"{path}.{name}", value, "text that UTF-8 can hold")
    return value


def _message(fields: dict[str, object], path: str) -> Message:
    created_at = fields.pop("created_at", None)
    if isinstance(created_at, datetime):
        created_at = timestamp(created_at, f"{path}.created_at").ToJsonString()
    if created_at is not None:
        fields["created_at"] = created_at
    try:
        return ParseDict(fields, Message())
    except (ParseError, TypeError, ValueError) as error:
        raise _fault(fields, path, error) from error


def _fault(fields: Mapping[str, object], path: str, error: Exception) -> InvalidArgument:
    """Give the error for the first of a message's fields that cannot be one; for `error` where each of them could."""
    for name, value in fields.items():
        if name not in _OF_MESSAGE:
            limit = f"one of {', '.join(field.name for field in Message.DESCRIPTOR.fields)}"
            return unfit(f"{path}.{name}", value, f"under a name of a message's field, {limit}")
        try:
            ParseDict({name: value}, Message())
        except (ParseError, TypeError, ValueError):
            field = _OF_MESSAGE[name]
            limit = "an aware datetime or an RFC 3339 string" if field.message_type is not None else limit_of(field)
            return unfit(f"{path}.{name}", value, limit)
    return InvalidArgument(f"{path}: {' '.join(str(error).split())}", reason="FIELD_INVALID", metadata={"field": path})
