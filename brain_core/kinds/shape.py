"""The shape of one field of a value, and the check of it. Each failure names field, value and limit."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Literal

from brain_core.errors import require

Form = Literal["text", "number", "flag", "day", "list", "object", "any"]
FORMS: tuple[Form, ...] = ("text", "number", "flag", "day", "list", "object", "any")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_TEXT_CHARS = 16_384
_LIST_ENTRIES = 200


@dataclass(frozen=True, slots=True)
class Field:
    """What a field may hold.

    words: all that a text may be; empty means anything. low, high: of a number. most: characters of a text or entries
    of a list; 0 means the usual limit. each: shape of a list's entries. fields, needed: what an object may and must
    have; without fields it may have anything.
    """

    form: Form
    words: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    most: int = 0
    each: Field | None = None
    fields: Mapping[str, Field] | None = None
    needed: tuple[str, ...] = ()

    def check(self, path: str, value: object) -> None:
        """Raise InvalidArgument that names what does not fit."""
        _CHECKS[self.form](self, path, value)


def check_fields(path: str, value: Mapping[str, Any], fields: Mapping[str, Field], needed: tuple[str, ...]) -> None:
    """Check that a value has the fields it needs, none that it may not have, and each in its shape."""
    for name in needed:
        given = value.get(name)
        blank = given in (None, "", [], {}) or (isinstance(given, str) and not given.strip())
        require(not blank, f"{path}.{name}", given or "", "not blank", "is required")
    for name, given in value.items():
        require(name in fields, f"{path}.{name}", given, " | ".join(fields), "unknown field")
        fields[name].check(f"{path}.{name}", given)


def _text(field: Field, path: str, value: object) -> None:
    require(isinstance(value, str), path, value, "a text", "is no text")
    text = str(value)
    if field.words:
        require(text in field.words, path, text, " | ".join(field.words), "unknown word")
    most = field.most or _TEXT_CHARS
    require(len(text) <= most, path, f"{len(text)} characters", f"{most} characters", "is too long")


def _number(field: Field, path: str, value: object) -> None:
    low, high = field.low, field.high
    limit = f"{'…' if low is None else low}..{'…' if high is None else high}"
    require(isinstance(value, int | float) and not isinstance(value, bool), path, value, limit, "is no number")
    assert isinstance(value, int | float)
    inside = (low is None or value >= low) and (high is None or value <= high)
    require(inside and not math.isnan(value), path, value, limit, "is out of range")


def _flag(_: Field, path: str, value: object) -> None:
    require(isinstance(value, bool), path, value, "true | false", "is neither true nor false")


def _day(_: Field, path: str, value: object) -> None:
    require(isinstance(value, str) and (not value or is_day(value)), path, value, "YYYY-MM-DD", "is not a day")


def _list(field: Field, path: str, value: object) -> None:
    require(isinstance(value, list), path, value, "a list", "is no list")
    assert isinstance(value, list)
    most = field.most or _LIST_ENTRIES
    require(len(value) <= most, path, f"{len(value)} entries", f"{most} entries", "has too many entries")
    if field.each is not None:
        for number, entry in enumerate(value):
            field.each.check(f"{path}[{number}]", entry)


def _object(field: Field, path: str, value: object) -> None:
    require(isinstance(value, dict), path, value, "an object", "is no object")
    assert isinstance(value, dict)
    if field.fields is not None:
        check_fields(path, value, field.fields, field.needed)


def _any(_: Field, path: str, value: object) -> None:
    require(value is not None, path, value, "anything but null", "is null")


_CHECKS = {
    "text": _text,
    "number": _number,
    "flag": _flag,
    "day": _day,
    "list": _list,
    "object": _object,
    "any": _any,
}


def is_day(value: str) -> bool:
    """Return whether a text is a day of the calendar, YYYY-MM-DD."""
    try:
        date.fromisoformat(value)
    except ValueError:
        return False
    return bool(_DAY.fullmatch(value))  # fromisoformat takes weeks and other forms too


TEXT = Field("text")
DAY = Field("day")
TEXTS = Field("list", each=TEXT)
OBJECT = Field("object")
ANY = Field("any")


def word(*words: str) -> Field:
    """Return the shape of a text that is one of some words."""
    return Field("text", words=words)


def number(low: float | None = None, high: float | None = None) -> Field:
    """Return the shape of a number in low..high, both included."""
    return Field("number", low=low, high=high)


def entries(needed: tuple[str, ...] = (), **fields: Field) -> Field:
    """Return the shape of a list of objects."""
    return Field("list", each=Field("object", fields=fields, needed=needed))
