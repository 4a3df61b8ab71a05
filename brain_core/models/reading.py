"""The two questions to a language model, and the form of their answers: what a turn says, what a session comes to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from brain_core.models.prompts import READ_TURN, SUM_UP, TYPES
from brain_core.models.remote import Prompt, Schema
from brain_core.models.worded import added

_MOST_ITEMS = 32
_LONGEST_QUOTE = 1000
_LONGEST_STRING = 2000
_LONGEST_NAME = 64
_MOST_PARTS = 32
_DEEPEST = 3
_LARGEST_NUMBER = 1e15
_MOST_LINES = 8
_MOST_NOTES = 64
_LONGEST_LINE = 300
_UNFIT = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
"""Control characters, and halves of surrogate pairs, which have no UTF-8."""


@dataclass(frozen=True, slots=True)
class Said:
    """One message as a model gets it. time: ISO 8601 to the minute."""

    role: str
    speaker: str
    time: str
    text: str

    def plain(self) -> dict[str, str]:
        """Return it as JSON has it."""
        return {"role": self.role, "speaker": self.speaker, "time": self.time, "text": self.text}


@dataclass(frozen=True, slots=True)
class Found:
    """An item that a model says it found, of sound form and one of the types asked for; nothing of it is checked."""

    place: int
    type: str
    value: dict[str, Any]
    quote: str


@dataclass(frozen=True, slots=True)
class Odd:
    """An entry of an answer that is no item, and why."""

    place: int
    type: str
    reason: str


class Extractor:
    """What a model is asked of a turn. shapes: the JSON schema of a value by type of item."""

    def __init__(self, shapes: Mapping[str, Schema]) -> None:
        self._types = tuple(name for name in TYPES if name in shapes)
        self._system = READ_TURN + "".join(
            f"- {name}: {TYPES[name]}. Value: {_shown(shapes[name])}\n" for name in self._types
        )
        self._schema = _object(items=_array(_MOST_ITEMS, {"anyOf": [self._item(one, shapes) for one in self._types]}))

    @staticmethod
    def _item(name: str, shapes: Mapping[str, Schema]) -> Schema:
        return _object(type={"const": name}, value=shapes[name], quote={"type": "string"})

    def prompt(self, turn: Sequence[Said], earlier: Sequence[Said], known: Sequence[str]) -> Prompt:
        """Return the question. known: texts of items that need not be found again."""
        said = {
            "known": list(known),
            "earlier": [one.plain() for one in earlier],
            "turn": [one.plain() for one in turn],
        }
        return Prompt("memory_items", self._system, said, self._schema, "items")

    def read(self, answer: Mapping[str, Any]) -> Iterator[Found | Odd]:
        """Yield each entry of an answer, as an item or with what is wrong with it."""
        entries = answer["items"]
        if not isinstance(entries, list):
            yield Odd(0, "", "items is no list")
            return
        for place, entry in enumerate(entries[:_MOST_ITEMS]):
            yield self._entry(place, entry)
        if len(entries) > _MOST_ITEMS:
            yield Odd(_MOST_ITEMS, "", f"{len(entries)} items; those past {_MOST_ITEMS} are not read")

    def _entry(self, place: int, entry: object) -> Found | Odd:
        if not isinstance(entry, dict):
            return Odd(place, "", "is no object")
        name, value, quote = entry.get("type"), entry.get("value"), entry.get("quote")
        if not isinstance(name, str) or name not in self._types:
            return Odd(place, "", f"type {str(name)[:_LONGEST_NAME]!r} was not asked for")
        if set(entry) - {"type", "value", "quote"}:
            return Odd(place, name, "has fields that were not asked for")
        if not isinstance(quote, str) or not quote.strip() or len(quote) > _LONGEST_QUOTE:
            return Odd(place, name, f"has no quote of 1 to {_LONGEST_QUOTE} characters")
        if not isinstance(value, dict) or not value or not _is_plain(value, _DEEPEST):
            return Odd(place, name, "has a value of another form")
        return Found(place, name, value, quote)


@dataclass(frozen=True, slots=True)
class Rewritten:
    """A line of a summary as a model words it, and the numbers of the lines it says it rests on."""

    section: str
    text: str
    rests_on: tuple[int, ...]


class Summarizer:
    """What a model is asked of a session: the lines of its summary in better words. sections: their titles."""

    def __init__(self, sections: Sequence[str]) -> None:
        self._sections = tuple(sections)
        self._system = SUM_UP + ", ".join(self._sections)
        numbers = _array(_MOST_NOTES, {"type": "integer"})
        line: dict[str, Schema] = {
            "section": {"enum": list(self._sections)},
            "text": {"type": "string"},
            "from": numbers,
        }
        self._schema = _object(lines=_array(_MOST_LINES * len(self._sections), _object(**line)))

    def prompt(self, turns: Sequence[Said], lines: Sequence[tuple[str, str]]) -> Prompt:
        """Return the question. lines: (section, text) of the summary so far, at most 64."""
        said = {
            "lines": [
                {"number": number, "section": section, "text": text}
                for number, (section, text) in enumerate(lines[:_MOST_NOTES])
            ],
            "turns": [one.plain() for one in turns],
        }
        return Prompt("session_summary", self._system, said, self._schema, "lines")

    def read(
        self, answer: Mapping[str, Any], turns: Sequence[Said], lines: Sequence[tuple[str, str]]
    ) -> tuple[list[Rewritten], list[Odd]]:
        """Return the lines that rest on some of those asked about, and those refused; what is no line is left out.

        A line with a name or a number that neither its notes nor the turns have is refused: its notes stand instead.
        """
        given = answer["lines"]
        read = [
            self._line(entry, len(lines)) for entry in (given if isinstance(given, list) else [])[: 2 * _MOST_NOTES]
        ]
        kept: list[Rewritten] = []
        refused: list[Odd] = []
        instead: dict[int, None] = {}
        for place, line in enumerate(read):
            if line is None:
                continue
            new = added(line.text, [*(one.text for one in turns), *(lines[note][1] for note in line.rests_on)])
            if new:
                refused.append(Odd(place, "summary", f"line adds {', '.join(new)}, which nobody has said"))
                instead.update(dict.fromkeys(line.rests_on))
            elif sum(other.section == line.section for other in kept) < _MOST_LINES:
                kept.append(line)
        told = {note for line in kept for note in line.rests_on}
        return [*kept, *(Rewritten(*lines[note], (note,)) for note in instead if note not in told)], refused

    def _line(self, entry: object, lines: int) -> Rewritten | None:
        if not isinstance(entry, dict):
            return None
        section, text, numbers = entry.get("section"), entry.get("text"), entry.get("from")
        if section not in self._sections or not isinstance(text, str) or not isinstance(numbers, list):
            return None
        rests_on = tuple(dict.fromkeys(one for one in numbers[:_MOST_NOTES] if type(one) is int and 0 <= one < lines))
        words = " ".join(text.split())
        if not rests_on or not words or _UNFIT.search(words):
            return None
        return Rewritten(section, words[:_LONGEST_LINE], rests_on)


def _shown(schema: Schema) -> str:
    """Return a shape in words, for a server that ignores schemas: a ? marks what may be left out."""
    if "enum" in schema:
        return "|".join(schema["enum"])
    if schema["type"] == "array":
        return f"[{_shown(schema['items'])}]"
    if schema["type"] != "object":
        return str(schema["type"])
    needed = schema.get("required", ())
    fields = (f"{name}{'' if name in needed else '?'}: {_shown(each)}" for name, each in schema["properties"].items())
    return "{" + ", ".join(fields) + "}"


def _object(**fields: Schema) -> Schema:
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}


def _array(most: int, items: Schema) -> Schema:
    return {"type": "array", "maxItems": most, "items": items}


def _is_plain(value: object, depth: int) -> bool:
    """Return whether a value can stand in an item: JSON of bounded depth and size, whose texts can be written."""
    if isinstance(value, str):
        return len(value) <= _LONGEST_STRING and not _UNFIT.search(value)
    if isinstance(value, bool):
        return True
    if isinstance(value, int | float):
        return abs(value) <= _LARGEST_NUMBER
    if depth == 0 or not isinstance(value, dict | list) or len(value) > _MOST_PARTS:
        return False
    if isinstance(value, dict):
        names = all(len(name) <= _LONGEST_NAME and not _UNFIT.search(name) for name in value)
        return names and all(_is_plain(each, depth - 1) for each in value.values())
    return all(_is_plain(each, depth - 1) for each in value)
