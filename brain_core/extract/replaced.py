"""How what is known reads with a new value where an old one stood: under its key, or one made of the value.

Only what was known before the message is replaced, never what the message itself has told, and nothing vital ends this
way.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from smartbrain.v1.item_pb2 import MemoryItem

from brain_core.extract.known import FIELDS, denial, on_day, value_of
from brain_core.extract.language import Found
from brain_core.text.expression import Expression

if TYPE_CHECKING:
    from brain_core.extract.dates import Day

_NAMES = {"preferences": "name", "goals": "name", "decisions": "topic"}
"""Fields that are shown beside what an item says, and may be made of the value."""
_COUNTED = frozenset({"denied", "mentions", "version"})
"""Fields of a value that count its history."""


def put(text: str, old: str, new: str) -> str:
    """Return a text with `new` where `old` stands; where it does not stand as a whole, `new` alone."""
    place = text.lower().find(old.lower())
    return new if place < 0 else text[:place] + new + text[place + len(old) :]


def with_its_price(text: str, old: str) -> str:
    """Return `old` as it stands in a text, with what is paid for it by the month: that of another is another one."""
    place = text.lower().find(old.lower())
    price = None if place < 0 else _PAID_BY_THE_MONTH.match(text, place + len(old))
    return old if price is None else text[place : price.end()]


_PAID_BY_THE_MONTH = Expression(
    r"\s*+(?:[,，;；(（–—-]|\bat\b|\bfor\b)?\s*+(?:(?:it|which|that)(?:['’]s| is| costs)|(?:we|i) pay|costs?|我们?交)?"
    r"\s*+(?:[£$€¥]?\d[\d.,]*(?: ?(?:euros?|pounds?|dollars?|quid|eur|gbp|usd|[€£$块元]))? ?(?:an?|per|each|every|/) ?"
    r"(?:month|year|week|quarter|mo|yr)\b|(?:每个?|一个?)[月年周](?:是|要|交|付)? ?\d[\d.,]*(?:块钱?|元)?|"
    r"[月年]费(?:是|要)? ?\d[\d.,]*(?:块钱?|元)?)[)）]?",
    re.IGNORECASE,
)


def with_value(
    item: MemoryItem,
    fact: dict[str, Any] | None,
    old: str,
    new: str,
    slug: Callable[[str], str],
    span: tuple[int, int] | None = None,
) -> Iterator[Found]:
    """Yield an item, or a fact of a profile, with `new` where `old` stands in what it says; nothing of other types.

    slug: makes a part of a key of a value. The old key ends where another one takes its place.
    """
    if fact is not None:
        k = str(fact["k"])
        now = {"k": k.replace(slug(old), slug(new)), "v": put(str(fact["v"]), old, new)}
        if now["k"] != k:
            yield denied(item, fact, span)
        yield Found({"subject": "user", "facts": [now]}, type="profile", span=span)
        return
    value, field = value_of(item), FIELDS.get(item.type, "")
    if not value.get(field):
        return
    fields = {name: part for name, part in value.items() if isinstance(part, str) and name not in _COUNTED}
    fields[field] = put(value[field], old, new)
    name = _NAMES.get(item.type, "")
    if slug(old) in fields.get(name, ""):
        yield denied(item, None, span)
        fields[name] = fields[name].replace(slug(old), slug(new))
    yield Found(fields, type=item.type, span=span)


def denied(item: MemoryItem, fact: dict[str, Any] | None, span: tuple[int, int] | None) -> Found:
    """Return the denial of an item; of a profile, of the fact."""
    if fact is not None:
        return Found({"subject": "user", "facts": [fact]}, type="profile", denies=True, span=span)
    return Found(denial(item), type=item.type, denies=True, span=span)


def with_day(found: Iterable[Found], item: MemoryItem, day: Day | None) -> Iterator[Found]:
    """Yield what an event or task becomes, on a day if one is named."""
    for each in found:
        yield from [each] if day is None or not day.exact else moved(item, dict(each.given), day, each.span)


def moved(item: MemoryItem, fields: dict[str, Any], day: Day, span: tuple[int, int] | None) -> Iterator[Found]:
    """Yield the fields of an event or task on another day, which is in the key of an event."""
    if item.type == "events":
        yield denied(item, None, span)
    yield Found(on_day(item.type, fields, day), type=item.type, span=span)
