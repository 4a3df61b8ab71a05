"""What a new value makes of an old one, by sort: replaced field by field, gathered, or merged by a name."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from typing import Any

Value = Mapping[str, Any]

_DENIED_KEPT = 20
_KEPT = ("since", "until_then")
"""What a fact of the same value keeps of itself."""

_DAY = re.compile(r"\d{4}(-\d\d){0,2}")
"""A day, or as much of one as is known."""


def replaced(old: Value, new: Value) -> dict[str, Any]:
    """Return the old value with the fields of the new one; what the new one leaves out stays."""
    return {**old, **new}


def gathered(old: Value, new: Value) -> dict[str, Any]:
    """Return the old value with the new one's fields, lists and objects growing."""
    merged = {**old, **new}
    for name, value in new.items():
        before = old.get(name)
        if isinstance(value, list) and isinstance(before, list):
            merged[name] = [*before, *(each for each in value if each not in before)]
        elif isinstance(value, dict) and isinstance(before, dict):
            merged[name] = {**before, **value}
    return merged


def counted(old: Value, new: Value) -> dict[str, Any]:
    """Return as `gathered`, with `mentions` added up."""
    return {**gathered(old, new), "mentions": old.get("mentions", 0) + new.get("mentions", 1)}


def of_before(old: Value, new: Value, counters: Collection[str]) -> dict[str, Any]:
    """Return what a new value that was said before the old one adds to it: what both say stays as it is.

    counters: fields that are counted up whenever something is said.
    """
    stays = {name: value for name, value in old.items() if name not in counters and not isinstance(value, list | dict)}
    adds = {name: value for name, value in new.items() if name not in stays}
    for name, value in adds.items():
        known = old.get(name)
        if isinstance(value, dict) and isinstance(known, dict):
            adds[name] = {each: said for each, said in value.items() if each not in known}
    return {**stays, **adds}


def practised(old: Value, new: Value) -> dict[str, Any]:
    """Return as `gathered`: a proficiency that is not given is that of the newest practice which says one."""
    merged = gathered(old, new)
    if "proficiency" not in new:
        levels = [each["proficiency"] for each in new.get("practice", ()) if "proficiency" in each]
        merged["proficiency"] = levels[-1] if levels else old.get("proficiency", 0)
    return merged


def by_name(old: Value, new: Value) -> dict[str, Any]:
    """Return facts merged by `k`: a new one replaces the old one in its place; its denial is forgotten.

    One of the same value adds to what is known of it, but what was over is not any more unless it says so.
    """
    facts = {fact["k"]: fact for fact in old.get("facts", ())}
    for fact in new.get("facts", ()):
        before = facts.get(fact["k"], {})
        known = {name: before[name] for name in _KEPT if name in before} if _alike(before, fact) else {}
        facts[fact["k"]] = {**known, **fact}
    said = {fact["k"] for fact in new.get("facts", ())}
    merged = {**old, **new, "facts": list(facts.values())}
    denied = [fact for fact in old.get("denied", ()) if fact["k"] not in said]
    return _with_denied(merged, denied)


def _alike(before: Value, fact: Value) -> bool:
    return str(before.get("v")).strip().casefold() == str(fact["v"]).strip().casefold()


def without(old: Value, names: Mapping[str, Callable[[str], bool]], today: str) -> dict[str, Any]:
    """Return facts without those of some `k` whose value is meant, noted as denied. names: whether a value is, by k.

    What holds until one of them was to begin holds on.
    """
    gone = [fact for fact in old.get("facts", ()) if fact["k"] in names and names[fact["k"]](str(fact.get("v", "")))]
    facts = [_until_then(fact, today) if fact in gone else fact for fact in old.get("facts", ())]
    left = {**old, "facts": [fact for fact in facts if fact]}
    denied = [*old.get("denied", ()), *({"k": fact["k"], "v": fact["v"]} for fact in gone)]
    return _with_denied(left, denied[-_DENIED_KEPT:])


def _until_then(fact: Value, today: str) -> dict[str, Any]:
    later = begins_later(fact, today) and "until_then" in fact
    return {"k": fact["k"], "v": fact["until_then"]} if later else {}


def begins_later(fact: Value, today: str) -> bool:
    """Return whether a fact does not hold yet."""
    since = str(fact.get("since", ""))
    return bool(_DAY.fullmatch(since)) and since > today[: len(since)]


def _with_denied(value: dict[str, Any], denied: list[Any]) -> dict[str, Any]:
    value.pop("denied", None)
    return {**value, "denied": denied} if denied else value
