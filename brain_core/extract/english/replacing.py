"""How an item that is known reads after a correction: the same key, a new value."""

from __future__ import annotations

import re
from collections.abc import Iterator

from smartbrain.v1.item_pb2 import MemoryItem

from brain_core.extract.bare_day import in_month_of
from brain_core.extract.dates import MONTHS, Day, first_day
from brain_core.extract.english.target import Target
from brain_core.extract.english.values import clean
from brain_core.extract.known import DATED, FIELDS, day_of, denial, on_day, value_of
from brain_core.extract.language import Found, Scene
from brain_core.extract.replaced import with_day, with_value
from brain_core.kinds.registry import slug
from brain_core.text.expression import Expression


def replaced(target: Target, old: str, new: str, scene: Scene) -> Iterator[Found]:
    """Yield what is known with the new value where the old one stands; under another key where that is made of the old.

    Such are those of allergies and medicines, of which one may have more.
    """
    span = (0, len(scene.clause.whole))
    item, value = target.item, value_of(target.item)
    if item.type == "entities":
        yield Found(denial(item), type="entities", denies=True, span=span)
        yield Found(
            {**{name: value[name] for name in ("kind", "attrs") if name in value}, "canonical": new, "aliases": [old]},
            type="entities",
            span=span,
        )
        return
    day = first_day(new, scene.said) if item.type in DATED else None
    yield from with_day(with_value(item, target.fact, old, new, slug, span), item, day)


def undated(title: str, scene: Scene) -> str:
    """Return a title without its day and the words that lead to it."""
    day = first_day(title, scene.said)
    return (
        title
        if day is None
        else clean(
            re.sub(
                r"(?:\s+(?:on|at|for|is|are|to|by|the|will be|scheduled|(?:has |been |was )+(?:moved|scheduled)))+\s*$",
                "",
                title[: day.start],
            )
            + title[day.stop :]
        )
    )


_AN_HOUR = Expression(
    r"\s*\bat (\d{1,2}(?:[:.]\d\d)?(?: ?(?:am|pm|o['’]clock)\b)?|noon|midnight)(?![\w%])|"
    r"^(\d{1,2}(?:[:.]\d\d)? ?(?:am|pm|o['’]clock)|\d{1,2}:\d\d|noon|midnight)$",
    re.IGNORECASE,
)


def hour_in(text: str) -> str:
    """Return the last hour that a text names, or is, "4pm", empty where it names none."""
    return next((at or bare for at, bare in reversed(_AN_HOUR.findall(text))), "")


def at_hour(title: str, text: str) -> str:
    """Return a title with the hour that a text names instead of its own."""
    hour = hour_in(text)
    if hour:
        return f"{_AN_HOUR.sub('', title)} at {hour}"
    old, new = _OF_DAY.findall(title), _OF_DAY.findall(text)
    return title.replace(old[0], new[0]) if len(old) == len(new) == 1 else title


_OF_DAY = Expression(r"\b\d{1,2}(?:[:.]\d\d)? ?(?:am|pm)\b", re.IGNORECASE)


def _day_in(text: str, item: MemoryItem, scene: Scene) -> Day | None:
    """Return the day that a text gives to an event or task."""
    day = first_day(text, scene.said)
    return None if day is None else in_month_of(day_of(item), day, text, first_day)


ORDINAL = Expression(r"(?:the )?(\d{1,2})(?:st|nd|rd|th)")


TAKEN_FOR = Expression(
    r"^(?:it's|it’s|it is|that's|that’s|make it|should be|it should be|they're|we're|i'm|use)(?: actually|"
    r" now| really| at| on)? ",
    re.IGNORECASE,
)


def rewritten(target: Target, text: str, scene: Scene) -> Iterator[Found]:
    """Yield what a statement makes of what is known."""
    span = (0, len(scene.clause.whole))
    if target.fact is not None:
        yield Found({"subject": "user", "facts": [{"k": target.fact["k"], "v": text}]}, type="profile", span=span)
        return
    item = target.item
    value = value_of(item)
    fields = {name: part for name, part in value.items() if isinstance(part, str)}
    field = FIELDS[item.type]
    if item.type in {"tasks", "events"}:
        day = _day_in(text, item, scene)
        if day is None or not day.exact:
            if item.type == "events" and hour_in(text):
                yield Found({**fields, field: at_hour(value[field], text)}, type="events", span=span)
            if item.type == "tasks":
                yield Found({**fields, "title": text}, type="tasks", span=span)
            return
        fields = on_day(item.type, fields, day)
        if item.type == "events":
            yield Found(denial(item), type="events", denies=True, span=span)
            fields[field] = (
                text
                if len(text.split()) > 3 and not TAKEN_FOR.match(text)
                else at_hour(undated(value[field], scene), text)
            )
    elif item.type == "preferences" or field not in fields:
        fields[field] = text
    else:
        fields[field] = clean(scene.clause.whole) if len(scene.clause.whole) > len(text) else text
    yield Found(fields, type=item.type, span=span)


def revalued(told: list[Target], new: str, scene: Scene) -> Iterator[Found]:
    """Yield what an item says with a bare new value where the only one like it stands: an address, a number, a name."""
    new = clean(re.sub(r"\bnow$", "", new))
    if told[0].item.type in {"tasks", "events"}:
        yield from rewritten(told[0], new, scene)
        return
    ordinal = ORDINAL.fullmatch(new)
    if ordinal is not None:
        days = [(each, found[0]) for each in told if (found := _OF_A_DATE.search(each.said))]
        if len(days) == 1:
            target, old = days[0]
            now = ordinal[0].removeprefix("the ") if old[-1].isalpha() else ordinal[1]
            yield from replaced(target, old, now, scene)
        return
    address = ADDRESS.search(new)
    new = new if address is None else address[0]
    like = next((form for form in _FORMS if form.fullmatch(new)), None)
    if like is None:
        return
    places = [(target, old) for target in told for old in like.findall(target.said)]
    if len(places) == 1:
        yield from replaced(*places[0], new, scene)


ADDRESS = Expression(r"[\w.+-]+@[\w-]+\.[\w.-]*\w")
_OF_A_DATE = Expression(
    rf"(?:{'|'.join(f'(?<={month} )' for month in MONTHS)})\d{{1,2}}(?:st|nd|rd|th)?\b|"
    rf"\b\d{{1,2}}(?:st|nd|rd|th)?(?= (?:of )?(?:{'|'.join(MONTHS)}))",
    re.IGNORECASE,
)
"""The day of a date with its month."""
_FORMS = (
    ADDRESS,
    Expression(r"\d[\d.,:]*"),
    Expression(r"(?<![.!?] )(?<!^)\b[A-Z][\w-]+|^[A-Z][\w-]+$"),
)
