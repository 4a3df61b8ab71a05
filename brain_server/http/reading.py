"""Requests out of JSON, query parameters and paths; what is none is refused with its place."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any, NoReturn
from urllib.parse import parse_qsl

from google.protobuf import json_format
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from smartbrain.fields import exact, holds, limit_of, once

from brain_core.errors import InvalidArgument, shorten

Kind = Any  # descriptor of a message: upb's class has no stub

_GOOGLE = "google.protobuf."
_WORDS = {
    f"{_GOOGLE}Timestamp": "a timestamp with its zone, as 2026-05-01T09:30:00Z, of the years 1 to 9999",
    f"{_GOOGLE}Duration": "seconds, as 1.5s",
    f"{_GOOGLE}FieldMask": "names of fields, as a,b",
}
"""What is a message and in JSON a string: which."""
_BYTE_ORDER_MARK = "\ufeff"
_BOOLS = {"true": True, "false": False}
_AT = re.compile(r" at \w+\.([\w.\[\]]+)\.?$")
_CLASHES = " oneof fields"
"""In json_format's words on two fields of which a message may have one."""
_WRAPPED = re.compile(r"^Failed to parse (\w+) field: ")
_OF_JSON = {
    FieldDescriptor.TYPE_BOOL: "true or false",
    FieldDescriptor.TYPE_BYTES: "base64",
    FieldDescriptor.TYPE_STRING: "text without unpaired surrogates",
}
"""What must be otherwise in JSON than in Python."""
_STEP = re.compile(r"(\w+)(?:\[(\d+)\])?")
_STRINGS = (FieldDescriptor.TYPE_STRING, FieldDescriptor.TYPE_BYTES)


def unmarked(raw: bytes) -> bytes:
    """Return the beginning of what was sent without the byte order mark that it may have."""
    return raw.removeprefix(_BYTE_ORDER_MARK.encode())


def from_json(message: Message, raw: bytes, at: str = "") -> None:
    """Fill a message from a JSON object, in which names are those of the contracts or in lowerCamelCase.

    at: where it stands in what was sent, if it is one line of it, as "line 3"; the fields' names in errors begin so.
    Raises InvalidArgument that names the field, or line and column.
    """
    try:
        text = raw.decode()
        if text.startswith(_BYTE_ORDER_MARK):
            _malformed(at or "body", "begins with a byte order mark, which only what is sent may begin with")
        values = json.loads(text, object_pairs_hook=once, parse_constant=_no_number)
    except UnicodeDecodeError as error:
        _malformed(at or "body", f"byte {error.start} is not UTF-8", value=f"{len(raw)} bytes")
    except json.JSONDecodeError as error:
        place = f"column {error.colno}" if at else f"line {error.lineno}, column {error.colno}"
        _malformed(at or "body", f"{place}: {error.msg}", value=error.doc)
    except (ValueError, RecursionError) as error:
        _malformed(at or "body", shorten(error), value=f"{len(raw)} bytes")
    _check_shape(message.DESCRIPTOR, values, at)
    _fill(message, values, at)


def from_query(message: Message, query: str, taken: Iterable[str] = ()) -> None:
    """Fill a message from query parameters: `a.b=` for a field in a field, several times for a repeated one.

    taken: fields that stand elsewhere. Raises InvalidArgument that names the parameter.
    """
    try:
        pairs = parse_qsl(query, keep_blank_values=True, errors="strict")
    except UnicodeDecodeError:
        _malformed("query", "is not UTF-8", value=query)
    values: dict[str, Any] = {}
    for name, text in pairs:
        place = values
        *above, field = _query_path(message.DESCRIPTOR, name, taken)
        for each in above:
            place = place.setdefault(each.name, {})
        value = _BOOLS.get(text, text) if field.type == FieldDescriptor.TYPE_BOOL else text
        if field.is_repeated:
            place.setdefault(field.name, []).append(value)
        elif field.name in place:
            _malformed(_dotted([*above, field]), "stands twice", value=text)
        else:
            place[field.name] = value
    _fill(message, values, "")


def bind(message: Message, fields: Mapping[str, str], at: str = "") -> None:
    """Set the fields that a path gives. Raises InvalidArgument if the body says otherwise."""
    for name, text in fields.items():
        said = getattr(message, name)
        if said not in ("", text):
            _malformed(f"{at}.{name}".strip("."), "is not that of the path", value=said, limit=shorten(text))
        setattr(message, name, text)


def _query_path(kind: Kind, name: str, taken: Iterable[str]) -> list[FieldDescriptor]:
    """Return the fields from a request to the one that a parameter is of; raise InvalidArgument if it is of none."""
    path = _path(kind, name)
    if not path or any(each.is_repeated or each.message_type is None for each in path[:-1]):
        _malformed(name, "unknown query parameter")
    if _dotted(path) in taken:
        _malformed(name, "stands in the path")
    field = path[-1]
    if field.message_type is not None and field.message_type.full_name not in _WORDS:
        inside = ", ".join(f"{name}.{each.name}" for each in field.message_type.fields)
        _malformed(name, "is a message: its fields are parameters", limit=inside)
    return path


def _dotted(path: Iterable[FieldDescriptor]) -> str:
    return ".".join(each.name for each in path)


def _path(kind: Kind, name: str) -> list[FieldDescriptor]:
    """Return the fields from a message to the one of a dotted name; none if there is no such field."""
    found: list[FieldDescriptor] = []
    inside: Kind | None = kind
    for part in name.split("."):
        field = _named(inside, part) if inside is not None else None
        if field is None:
            return []
        found.append(field)
        inside = field.message_type
    return found


def _named(kind: Kind, name: str) -> FieldDescriptor | None:
    if not name.isascii():  # upb fails where one holds an unpaired surrogate
        return None
    by_name: FieldDescriptor | None = kind.fields_by_name.get(name)
    return by_name or next((field for field in kind.fields if field.json_name == name), None)


def _check_shape(kind: Kind, value: object, at: str) -> None:
    """Demand objects, lists, strings and known names where a message has them.

    json_format is lax in this (a list of nothing is any message to it) and does not always say where.
    """
    if kind.full_name.startswith(_GOOGLE):
        return
    if not isinstance(value, dict):
        _malformed(at or "body", "is not a JSON object", value=_shown(value))
    seen: set[str] = set()
    for name, inside in value.items():
        field = _named(kind, name)
        if field is None:
            known = ", ".join(each.name for each in kind.fields)
            _malformed(f"{at}.{name}".strip("."), "unknown field", limit=known)
        place = f"{at}.{field.name}".strip(".")
        if field.name in seen:
            _malformed(place, "stands twice, under both its names", value=_shown(inside))
        seen.add(field.name)
        if inside is not None:
            _check_field(field, inside, place)


def _check_field(field: FieldDescriptor, value: object, at: str) -> None:
    if field.message_type is not None and field.message_type.GetOptions().map_entry:
        if not isinstance(value, dict):
            _malformed(at, "is not a JSON object", value=_shown(value))
        for key, each in value.items():
            _check_one(field.message_type.fields_by_name["value"], each, f"{at}[{shorten(key)}]")
    elif field.is_repeated:
        if not isinstance(value, list):
            _malformed(at, "is not a JSON array", value=_shown(value))
        for number, each in enumerate(value):
            _check_one(field, each, f"{at}[{number}]")
    else:
        _check_one(field, value, at)


def _check_one(field: FieldDescriptor, value: object, at: str) -> None:
    if field.message_type is not None:
        _check_shape(field.message_type, value, at)
    elif isinstance(value, dict | list) or (field.type in _STRINGS and not isinstance(value, str)):
        expected = "string" if field.type in _STRINGS else "number or word"
        _malformed(at, f"is not a JSON {expected}", value=_shown(value))
    elif isinstance(value, int) and not holds(field, value):
        _malformed(at, f"must be {_limit(field)}", value=_shown(value), limit=_limit(field))


def _fill(message: Message, values: dict[str, Any], at: str) -> None:
    try:
        json_format.ParseDict(exact(message.DESCRIPTOR, values), message)
    except json_format.ParseError as error:
        place, words = _place(error)
        named = f"{at}.{place}".strip(".") or "body"
        field, value = _at(message.DESCRIPTOR, values, place)
        if field is None:
            _malformed(named, words)
        if _CLASHES in words:
            _malformed(named, "has fields of which one may stand alone", value=_shown(value))
        _malformed(named, f"must be {_limit(field)}", value=_shown(value), limit=_limit(field))


def _place(error: BaseException) -> tuple[str, str]:
    """Return (field, what is wrong) of a failure of json_format, which tells each only within its words.

    Each error wraps the one of the field inside it; the innermost that says where is the most exact.
    """
    names: list[str] = []
    place, words = "", ""
    while isinstance(error, json_format.ParseError | ValueError | TypeError):
        said = str(error)
        wrapped, at = _WRAPPED.match(said), _AT.search(said)
        names += [wrapped[1]] if wrapped else []
        if at:
            place, words = at[1], said[: at.start()]
        if error.__cause__ is None:
            break
        error = error.__cause__
    return (place, shorten(words)) if place else (".".join(names), shorten(_WRAPPED.sub("", said)))


def _at(kind: Kind, values: object, place: str) -> tuple[FieldDescriptor | None, object]:
    """Return the field of a place, as json_format names it, and its value; (None, None) if there is none there."""
    field: FieldDescriptor | None = None
    inside: Kind | None = kind
    for name, number in _STEP.findall(place):
        field = _named(inside, name) if inside is not None else None
        if field is None or not isinstance(values, dict):
            return None, None
        values = values.get(field.name, values.get(field.json_name))
        if number and isinstance(values, list):
            values = values[int(number)]
        inside = field.message_type
    return field, values


def _limit(field: FieldDescriptor) -> str:
    """Say what JSON of a field, or of each value of a repeated one, must be."""
    if field.message_type is not None and field.message_type.full_name in _WORDS:
        return _WORDS[field.message_type.full_name]
    return _OF_JSON.get(field.type) or limit_of(field)


def _shown(value: object) -> str:
    return json.dumps(value, ensure_ascii=False).encode(errors="backslashreplace").decode()


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number of JSON")


def _malformed(field: str, why: str, *, value: object = "", limit: str = "") -> NoReturn:
    got = f" (got {shorten(value)})" if value != "" else ""
    field = field.encode(errors="backslashreplace").decode()  # JSON's names may hold unpaired surrogates
    raise InvalidArgument(f"{field}: {why}{got}", reason="MALFORMED", field=field, value=value, limit=limit)
