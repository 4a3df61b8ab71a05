"""From what a model says it found in a turn to drafts: only what the turn's own words bear out, and only so sure.

An item stands on its quote. One that no message holds word for word is refused, and so is one from words that nothing
is learned from (a question, a joke, pasted text) wherever they stand. Where they stand in several places, all that
teach something must bear it out. It counts as said by the user where the quote is the user's and holds
what the value claims; what the assistant says stays the assistant's, and anything else is an inference.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, tzinfo
from itertools import islice
from typing import Any

from smartbrain.v1.event_pb2 import Message, Turn
from smartbrain.v1.item_pb2 import ITEM_SOURCE_ASSISTANT, ITEM_SOURCE_INFERENCE, ITEM_SOURCE_USER

from brain_core.commit.bearing import Borne, Saying, borne_out
from brain_core.extract.doubt import doubt, scenes
from brain_core.extract.frames import Earlier, frame_of
from brain_core.extract.known import Known
from brain_core.extract.sentences import sentences
from brain_core.kinds.draft import Draft, Skip
from brain_core.kinds.kind import Kind
from brain_core.kinds.registry import Kinds
from brain_core.kinds.shape import Field
from brain_core.models.reading import Found, Odd
from brain_core.models.remote import Schema
from brain_core.policy import Confidence
from brain_core.text.words import terms
from brain_core.zones import day_at

RULE = "model"
"""Rule of every verdict on what a model found."""

READ_ROLES = ("user", "assistant", "tool")
"""Roles whose messages a model is given."""

MENTION = "model_mention"
"""Rule of an entity that a model found: it is named, and whether it matters is for the gate to say."""

_FIELDS: Mapping[str, tuple[str, ...]] = {
    "profile": ("facts",),
    "preferences": ("scope", "name", "value"),
    "goals": ("project", "name", "description", "status"),
    "tasks": ("project", "task_id", "title", "status", "due", "notes"),
    "decisions": ("project", "topic", "decision", "rationale", "made_at"),
    "events": ("scope", "date", "title", "impact"),
    "entities": ("kind", "canonical", "aliases"),
    "knowledge": ("kind", "slug", "content"),
}
"""What a model may say of each type it may find. What counts, denies or ranks is not for it to say."""

_SOURCES = {"assistant": ITEM_SOURCE_ASSISTANT}
_DAY_OF = {"decisions": "made_at", "events": "date"}

_MOST_PLACES = 8
"""Places of one quote that are looked at: one that stands so often says little."""

_ONE_WIDTH = {**{0xFF01 + offset: 0x21 + offset for offset in range(94)}, 0x3000: 0x20}
_ONE_WIDTH |= {ord(one): ord(other) for one, other in zip("“”‘’、。", "\"\"'',.", strict=True)}
"""Letters of other width and quotation marks to the usual ones; a text keeps its length."""


def shapes(kinds: Kinds) -> dict[str, Schema]:
    """Return the JSON schema of a value by type, of the types that a model may find."""
    return {name: _object(_allowed(kinds[name]), kinds[name].required) for name in _FIELDS if name in kinds}


def _allowed(kind: Kind) -> dict[str, Field]:
    return {name: kind.fields[name] for name in _FIELDS[kind.type]}


def _object(fields: Mapping[str, Field], needed: Iterable[str]) -> Schema:
    properties = {name: _schema(field) for name, field in fields.items()}
    return {"type": "object", "properties": properties, "required": list(needed), "additionalProperties": False}


def _schema(field: Field) -> Schema:
    if field.words:
        return {"enum": list(field.words)}
    if field.form == "list":
        return {"type": "array", "items": _schema(field.each or Field("text"))}
    if field.form == "object":
        return _object(field.fields or {}, field.needed)
    return {"type": {"number": "number", "flag": "boolean"}.get(field.form, "string")}


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a quote stands. path: of its message in the turn. span: code points of it."""

    message: Message
    path: str
    span: tuple[int, int]


class Quoted:
    """The drafts of one turn. zone: in which it was said. earlier: what the user said in the session before it."""

    def __init__(
        self, turn: Turn, kinds: Kinds, known: Known, confidence: Confidence, zone: tzinfo, earlier: Earlier = tuple
    ) -> None:
        self._turn = turn
        self._zone = zone
        self._kinds = kinds
        self._known = known
        self._confidence = confidence
        self._earlier = earlier
        self._texts = [message.content.translate(_ONE_WIDTH) for message in turn.events.messages]

    def drafts(self, entries: Iterable[Found | Odd]) -> Iterator[Draft | Skip]:
        """Yield a draft for each entry that stands, and for any other why it does not."""
        for entry in entries:
            if isinstance(entry, Odd):
                yield _refused(entry.place, f"{entry.type} {entry.reason}".strip())
            else:
                yield self._draft(entry)

    def _draft(self, found: Found) -> Draft | Skip:
        places = self._places(found.quote)
        if not places:
            return _refused(found.place, "no message of the turn holds its quote word for word")
        doubts = [self._doubt(place) for place in places]
        standing = [place for place, against in zip(places, doubts, strict=True) if against is None]
        if not standing:
            return next(against for against in doubts if against is not None)
        given = _filled(found.value)
        unasked = set(given) - set(_FIELDS[found.type])
        if unasked:
            return _refused(found.place, f"{found.type} has {sorted(unasked)}, which no model may say")
        each = [(place, self._borne(found, place, given)) for place in standing]
        place, borne = next((one for one in each if one[1].against), each[0])
        return self._drafted(found.type, place, borne)

    def _doubt(self, place: _Place) -> Skip | None:
        """Return why nothing is learned from what is quoted, None if it may be."""
        if place.message.role != "user":
            return None
        against = doubt(place.message, place.path, place.span, self._known, self._zone) or self._framed(place)
        return None if against is None else Skip(place.path, place.span, RULE, against.reason)

    def _borne(self, found: Found, place: _Place, given: Mapping[str, Any]) -> Borne:
        """Return what of a value the words at a place bear out."""
        around = list(scenes(place.message, place.span, self._known, self._zone))
        saying = Saying(found.quote, _sentence(place), place.message.content, self._day_of(place), around)
        return borne_out(saying, self._kinds[found.type], given)

    def _day_of(self, place: _Place) -> date:
        return day_at(place.message.created_at.ToMicroseconds(), self._zone)

    def _drafted(self, item_type: str, place: _Place, borne: Borne) -> Draft:
        given = borne.given
        if item_type in _DAY_OF:
            given.setdefault(_DAY_OF[item_type], self._day_of(place).isoformat())
        sure = place.message.role == "user" and not borne.against
        return Draft(
            path=place.path,
            kind=self._kinds[item_type],
            given=given,
            confidence=self._confidence.user_asserted if sure else self._confidence.inferred,
            source=ITEM_SOURCE_USER if sure else _SOURCES.get(place.message.role, ITEM_SOURCE_INFERENCE),
            reason=_reason(place, borne),
            rule=MENTION if item_type == "entities" else RULE,
            message_id=place.message.message_id,
            span=place.span,
        )

    def _framed(self, place: _Place) -> Skip | None:
        """Return why what is quoted is not meant as the user's own, None if it may be."""
        number = next(n for n, one in enumerate(self._turn.events.messages) if one is place.message)
        said = [one.content for one in self._turn.events.messages[:number] if one.role == "user"]
        frame = frame_of(place.message.content, [*self._earlier(), *said])
        inside = frame is not None and place.span[1] > frame.start
        return Skip(place.path, place.span, RULE, frame.reason) if frame is not None and inside else None

    def _places(self, quote: str) -> list[_Place]:
        """Return where a quote stands: in the messages of the user's if in any, else in the first that holds it."""
        pattern = _pattern(quote)
        if pattern is None:
            return []
        messages = [(number, one) for number, one in enumerate(self._turn.events.messages) if one.role in READ_ROLES]
        found = [
            _Place(message, f"messages[{number}]", match.span())
            for number, message in messages
            for match in islice(pattern.finditer(self._texts[number]), _MOST_PLACES)
        ]
        of_user = [place for place in found if place.message.role == "user"]
        return of_user[:_MOST_PLACES] or found[:1]


def _refused(place: int, reason: str) -> Skip:
    return Skip(f"model[{place}]", None, RULE, reason)


def _pattern(quote: str) -> re.Pattern[str] | None:
    """Return what finds a quote whatever its white space, width and case; None if it says nothing."""
    if not terms(quote):
        return None
    words = [re.escape(word) for word in quote.translate(_ONE_WIDTH).split()]
    return re.compile(r"(?<![A-Za-z0-9])" * _is_latin(quote.strip()[0]) + r"\s+".join(words)
                      + r"(?![A-Za-z0-9])" * _is_latin(quote.strip()[-1]), re.IGNORECASE)  # fmt: skip


def _is_latin(letter: str) -> bool:
    return letter.isascii() and letter.isalnum()


def _filled(value: Mapping[str, Any]) -> dict[str, Any]:
    """Return a value without the fields that a model has left blank."""
    return {name: each for name, each in value.items() if each not in ("", [], {})}


def _reason(place: _Place, borne: Borne) -> str:
    """Return how a model came to an item, and what of it the words do not bear out."""
    of_user = place.message.role == "user"
    read = "read by a model in the user's words" if of_user and not borne.against else "inferred by a model"
    against = f": {borne.against}" if of_user and borne.against else ""
    left = f"; {', '.join(borne.left_out)} left out, for no words say so" if borne.left_out else ""
    return read + against + left


def _sentence(place: _Place) -> str:
    """Return the sentences that a quote stands in."""
    text, (first, last) = place.message.content, place.span
    return " ".join(text[start:stop] for start, stop in sentences(text) if start < last and first < stop)
