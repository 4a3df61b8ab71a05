"""How an item that is known reads after a correction: the same key, a new value."""

from __future__ import annotations

import re
from collections.abc import Iterator

from smartbrain.v1.item_pb2 import MemoryItem

from brain_core.extract.dates import first_day
from brain_core.extract.english.mentioned import fact_of
from brain_core.extract.english.values import clean
from brain_core.extract.known import denial, value_of
from brain_core.extract.language import Found, Scene
from brain_core.text.expression import Expression

_FIELDS = {
    "preferences": "value", "knowledge": "content", "decisions": "decision", "goals": "description",
    "tasks": "title", "events": "title",
}  # fmt: skip

_UP_TO_VALUE = Expression(
    r"^.*\b(?:is|are|was|to|at|in|on|called|named|use|using|prefer|want|meant|it's|it’s|that's|that’s|"
    r":) ",
    re.IGNORECASE,
)


def replaced(item: MemoryItem, old: str, new: str, scene: Scene) -> Iterator[Found]:
    """Yield an item with the new value where the old one stands."""
    span = (0, len(scene.clause.whole))
    value = value_of(item)
    bare = _UP_TO_VALUE.sub("", new) or new
    if item.type == "profile":
        fact = next((each for each in value.get("facts", ()) if old.lower() in str(each["v"]).lower()), None)
        if fact is not None:
            now = _put(str(fact["v"]), old, bare)
            yield Found({"subject": "user", "facts": [{"k": fact["k"], "v": now}]}, type="profile", span=span)
        return
    field = _FIELDS.get(item.type, "")
    if item.type == "entities":
        yield Found(denial(item), type="entities", denies=True, span=span)
        yield Found(
            {**{name: value[name] for name in ("kind", "attrs") if name in value}, "canonical": bare, "aliases": [old]},
            type="entities",
            span=span,
        )
        return
    if not value.get(field):
        return
    fields = {name: part for name, part in value.items() if isinstance(part, str) and name not in {"version"}}
    fields[field] = new if len(new.split()) > WORDS_OF_A_VALUE else _put(value[field], old, bare)
    if item.type in {"tasks", "events"}:
        day = first_day(new, scene.said)
        if day is not None and day.exact:
            fields["due" if item.type == "tasks" else "date"] = day.day.isoformat()
            if item.type == "events":
                yield Found(denial(item), type="events", denies=True, span=span)
    yield Found(fields, type=item.type, span=span)


_LONGEST_FACT = 8
WORDS_OF_A_VALUE = 4
"""Words above which what replaces a value is a statement of its own."""


def _put(text: str, old: str, new: str) -> str:
    """Return a text with `new` where `old` stands; where it does not stand as a whole, `new` alone."""
    place = text.lower().find(old.lower())
    return new if place < 0 else text[:place] + new + text[place + len(old) :]


def undated(title: str, scene: Scene) -> str:
    """Return a title without its day and the words that lead to it."""
    day = first_day(title, scene.said)
    return (
        title
        if day is None
        else clean(
            re.sub(r"(?:\s+(?:on|at|for|is|are|to|by|will be|scheduled))+\s*$", "", title[: day.start])
            + title[day.stop :]
        )
    )


TAKEN_FOR = Expression(
    r"^(?:it's|it’s|it is|that's|that’s|make it|should be|it should be|they're|we're|i'm|use)(?: actually|"
    r" now| really| at| on)? ",
    re.IGNORECASE,
)


def rewritten(item: MemoryItem, text: str, scene: Scene) -> Iterator[Found]:
    """Yield what the statement makes of the item."""
    span = (0, len(scene.clause.whole))
    value = value_of(item)
    if item.type == "profile":
        new = clean(re.sub(r"\bnow$", "", TAKEN_FOR.sub("", text)))
        facts = value.get("facts", [])
        fact = next(
            (each for each in facts if ("@" in str(each["v"])) == ("@" in new) and "@" in new), None
        ) or fact_of(item, text)
        if fact is not None and len(new.split()) <= _LONGEST_FACT:
            new = next((part.strip(".,") for part in new.split() if "@" in part), new) if "@" in new else new
            yield Found({"subject": "user", "facts": [{"k": fact["k"], "v": new}]}, type="profile", span=span)
        return
    fields = {name: part for name, part in value.items() if isinstance(part, str)}
    field = _FIELDS[item.type]
    if item.type in {"tasks", "events"}:
        day = first_day(text, scene.said)
        if day is None or not day.exact:
            if item.type == "tasks":
                yield Found({**fields, "title": text}, type="tasks", span=span)
            return
        fields["due" if item.type == "tasks" else "date"] = day.day.isoformat()
        if item.type == "events":
            yield Found(denial(item), type="events", denies=True, span=span)
            fields[field] = text if len(text.split()) > 3 else undated(value[field], scene)
    elif item.type == "preferences" or field not in fields:
        fields[field] = text
    else:
        fields[field] = clean(scene.clause.whole) if len(scene.clause.whole) > len(text) else text
    yield Found(fields, type=item.type, span=span)


def revalued(item: MemoryItem, new: str, scene: Scene) -> Iterator[Found]:
    """Yield the newest item with a bare new value where the one like it stood: a number or a name."""
    new = clean(re.sub(r"\bnow$", "", new))
    old = ""
    if item.type in {"tasks", "events"}:
        yield from rewritten(item, new, scene)
        return
    body = (
        str(fact_of(item, item.text) or "")
        if item.type == "profile"
        else str(value_of(item).get(_FIELDS[item.type], ""))
    )
    like = _NUMBER if _NUMBER.match(new) else _A_NAME if _A_NAME.match(new) else None
    found = like.findall(body) if like is not None else []
    if item.type == "profile":
        facts = [fact for fact in value_of(item).get("facts", ()) if like is not None and like.search(str(fact["v"]))]
        if len(facts) == 1:
            found = like.findall(str(facts[0]["v"])) if like is not None else []
        else:
            return
    if len(found) == 1:
        old = found[0]
        new = next(iter(like.findall(new)), new) if like is not None else new
        yield from replaced(item, old, new, scene)


_NUMBER = Expression(r"\d[\d.,:]*")
_A_NAME = Expression(r"(?<!^)(?<![.!?] )\b[A-Z][\w-]+|^[A-Z][\w-]+$")
