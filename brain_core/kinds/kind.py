"""What a sort of memory is: the shape of its values, its key, its conflict policy, its text and its place."""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal

from smartbrain.v1.item_pb2 import LAYER_EPISODIC, LAYER_LONGTERM, LAYER_WORKING, Layer

from brain_core.addresses import address_part
from brain_core.errors import require, unprintable
from brain_core.kinds.merge import replaced
from brain_core.kinds.shape import Field, check_fields

Value = Mapping[str, Any]
Policy = Literal["overwrite", "versioned", "knowledge", "accumulate"]

LAYERS = {"working": LAYER_WORKING, "episodic": LAYER_EPISODIC, "longterm": LAYER_LONGTERM}

CATEGORIES: Mapping[Layer.ValueType, tuple[str, ...]] = {
    LAYER_WORKING: ("context", "state"),
    LAYER_EPISODIC: ("event", "decision", "state"),
    LAYER_LONGTERM: (
        "preference", "lesson", "pattern", "identity", "profile", "goal", "entity", "knowledge", "skill", "patch",
        "note",
    ),
}  # fmt: skip
"""Categories that a layer may hold (prd §2), and those of the registry's own types."""

KEY_BYTES = 2048
"""Longest key, UTF-8."""

OWNER = "user"
"""Subject of the one whose memory it is."""

NO_PROJECT = "default"
"""Project, or scope of an event, of what was told of none. Texts leave it out."""

_ANY_DAY = "2000-01-01"
_LONG = 1e21
"""Whole numbers from here on have an exponent, as in JavaScript."""
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_SPACE = re.compile(r"\s+")
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Kind:
    """One sort of memory: a row of the registry.

    prefix, parts: the key is the prefix and these fields of the value. fields: shape of a value. required: fields that
    must be given. defaults: of missing fields. slugged: (field of the key, field it is made from where it is missing).
    dated: field that is the day it was said where it is missing. lasting: field that is the last day from that on.
    render: the readable body of the text. uri: where it stands in the URI space. merge: the value that a new one makes
    of the old one. quiet: fields whose change alone is no change of the value. counters: fields that are taken over
    even then. compared: fields whose words two near-duplicates share; none are never compared. asserts: whether two
    that differ in numbers or negations alone contradict each other. expires_after_s: seconds until it is forgotten.
    confidence: of an item of which the caller does not say how sure it is. whole_key: makes the key of types whose key
    has no parts. of_somebody: whether its items are of the memory's owner or of another, who is named by `subject`
    (subject.py). continued: field that numbers the items that go on with one which is full: the last part of their
    keys, absent in the first.
    """

    type: str
    prefix: str
    parts: tuple[str, ...]
    policy: Policy
    fields: Mapping[str, Field]
    required: tuple[str, ...]
    layer: Callable[[Value], Layer.ValueType]
    category: Callable[[Value], str]
    priority: Callable[[Value], int]
    render: Callable[[Value], str]
    uri: Callable[[Value], str]
    defaults: Mapping[str, Any] = field(default_factory=dict)
    slugged: tuple[str, str] | None = None
    dated: str = ""
    lasting: str = ""
    merge: Callable[[Value, Value], dict[str, Any]] = replaced
    quiet: tuple[str, ...] = ()
    counters: tuple[str, ...] = ()
    compared: tuple[str, ...] = ()
    asserts: bool = False
    expires_after_s: int | None = None
    confidence: float | None = None
    whole_key: Callable[[Value], str] | None = None
    of_somebody: bool = False
    continued: str = ""

    def complete(self, given: Value) -> dict[str, Any]:
        """Return a value with its defaults, and with its slug where that is missing."""
        value = {**self.defaults, **given}
        if self.slugged is not None:
            name, source = self.slugged
            value[name] = value.get(name) or slug(str(value.get(source, ""))) or self.prefix
        return value

    def key(self, value: Value) -> str:
        """Return the key of a complete value: readable, NFKC, one for all spellings that differ only in white space."""
        if self.whole_key is not None:
            return self.whole_key(value)
        return ":".join([self.prefix, *(key_part(str(value[part])) for part in self.key_parts(value))])

    def key_parts(self, value: Value) -> tuple[str, ...]:
        """Return the fields that make the key of a value: of another's its subject comes first."""
        is_another_s = self.of_somebody and "subject" not in self.parts and bool(value.get("subject"))
        parts = ("subject", *self.parts) if is_another_s else self.parts
        return (*parts, self.continued) if value.get(self.continued) else parts

    def subject_of(self, key: str) -> str:
        """Return whose the item with a key is: empty for the owner's, and where the kind is nobody's."""
        if not self.of_somebody:
            return ""
        _, *parts = key.split(":")
        subject = parts[0] if "subject" in self.parts or len(parts) > len(self.parts) else OWNER
        return "" if subject == OWNER else subject

    def keys_of(self, subject: str) -> str:
        """Return what the keys of a subject's items begin with; those of others may, too. Of the owner's: nothing."""
        if not subject or not self.of_somebody:
            return ""
        return f"{self.prefix}:{subject}" if "subject" in self.parts else f"{self.prefix}:{subject}:"

    def check(self, path: str, given: Value, part_bytes: int) -> None:
        """Raise InvalidArgument that names the first field of a given value that does not fit, its value and limit.

        part_bytes: longest part of a key, UTF-8.
        """
        check_fields(path, given, self.fields, self.required)
        value = self.complete(given)
        first, last = given.get(self.dated), given.get(self.lasting)
        require(
            not first or not last or last >= first, f"{path}.{self.lasting}", last, f"{first} or later", "is too early"
        )
        if self.dated:
            value.setdefault(self.dated, _ANY_DAY)
        for part in self.key_parts(value):
            if part in given or part not in self.defaults:
                _check_part(f"{path}.{part}", value.get(part, ""), part_bytes)
        key = self.key(value)
        require(len(key.encode()) <= KEY_BYTES, f"{path}.key", key, f"{KEY_BYTES} bytes", "is too long")
        allowed = CATEGORIES[self.layer(value)]
        category = self.category(value)
        require(category in allowed, f"{path}.category", category, " | ".join(allowed), "does not fit the layer")

    def text(self, value: Value) -> str:
        """Return the readable form: `[type:key]`, then the body (types §7)."""
        return f"[{self.type}:{self.key(value)}]\n{self.render(value)}"


def _check_part(path: str, value: object, longest: int) -> None:
    text = str(value)
    require(bool(key_part(text).strip("_")), path, text, f"1..{longest} bytes, not blank", "is blank")
    size = len(text.encode())
    require(size <= longest, path, text, f"{longest} bytes", f"has {size} bytes")
    controls = _CONTROLS.search(text)
    if controls:
        raise unprintable(path, text)


@lru_cache(maxsize=8192)
def key_part(text: str) -> str:
    """Return a text as it stands in a key: NFKC, white space to single underscores, no colons, nothing invisible."""
    if not text.isascii():
        text = "".join(letter for letter in unicodedata.normalize("NFKC", text) if unicodedata.category(letter) != "Cf")
    return _SPACE.sub("_", text.strip()).replace(":", "_")


def slug(text: str, longest: int = 80) -> str:
    """Return a title as a readable part of a key: letters and digits of any script, joined by underscores."""
    words = _WORD.findall(unicodedata.normalize("NFKC", text).casefold())
    made = "_".join(words)[:longest].strip("_")
    while len(made.encode()) > longest + longest // 2:  # Han are three bytes each, and a part of a key is bounded
        made = made[:-1].strip("_")
    return made


def path(*parts: object) -> str:
    """Return parts as a path of an address."""
    return "/".join(address_part(str(part)) for part in parts)


def lines(*some: str) -> str:
    """Return those lines that say something."""
    return "\n".join(line for line in some if line)


def labelled(label: str, value: object) -> str:
    """Return `Label: value`, or nothing."""
    return f"{label}: {value}" if value not in (None, "", [], {}) else ""


def listed(label: str, values: object, between: str = "; ") -> str:
    """Return `Label: one; two`, or nothing."""
    return labelled(label, between.join(map(shown, values)) if isinstance(values, list | tuple) else "")


def told(label: str, value: object) -> str:
    """Return `Label: name value; …` of an object, in the order of its names, or nothing."""
    if not isinstance(value, dict):
        return ""
    return labelled(label, "; ".join(f"{name.replace('_', ' ')} {shown(value[name])}" for name in sorted(value)))


def shown(value: object) -> str:
    """Return a JSON value in words; whole numbers without a point."""
    if isinstance(value, dict):
        return ", ".join(f"{name}: {shown(value[name])}" for name in sorted(value))
    if isinstance(value, list | tuple):
        return ", ".join(map(shown, value))
    return number_told(value) if isinstance(value, float) else str(value)


def number_told(value: float) -> str:
    """Return a number with all the digits that a double holds for sure; a whole one without a point or exponent."""
    return str(int(value)) if value.is_integer() and abs(value) < _LONG else f"{value:.{sys.float_info.dig}g}"
