"""Facts of a profile: each has times and an origin of its own, and is denied, over or guessed on its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import tzinfo
from typing import Any

from google.protobuf.timestamp_pb2 import Timestamp
from smartbrain.v1.item_pb2 import ITEM_SOURCE_USER, FactOrigin, ItemSource, MemoryItem

from brain_core.commit.learn import GUESSES
from brain_core.commit.material import restated, same
from brain_core.commit.sources import confirm_fact, fact_guessed_against
from brain_core.kinds.draft import Draft
from brain_core.kinds.merge import begins_later
from brain_core.zones import day_at

Fact = Mapping[str, Any]


def dated_facts(draft: Draft, zone: tzinfo) -> Draft:
    """Return a draft with the times it holds in its facts, where it has any. zone: in which it was said."""
    if not draft.has_facts or (draft.valid_from_us is None and draft.valid_to_us is None):
        return draft
    times = {}
    if draft.valid_from_us is not None:
        times["since"] = day_at(draft.valid_from_us, zone).isoformat()
    if draft.valid_to_us is not None:
        times["until"] = day_at(draft.valid_to_us, zone).isoformat()
    facts = [{**times, **fact} for fact in draft.given["facts"]]
    return replace(draft, given={**draft.given, "facts": facts}, valid_from_us=None, valid_to_us=None)


def fitting_facts(
    draft: Draft,
    current: MemoryItem,
    old: Fact,
    today: str,
    before: Callable[[FactOrigin], str],
    before_denial: Callable[[str], str],
) -> tuple[Draft, str]:
    """Return (a draft without the facts that do not stand against a profile, why none is left or nothing).

    Those are: facts that are over while a present one of their name is known, those said before it or before its
    denial, and guesses that the user has denied or that something surer stands against. old: the profile's value.
    before: tells in words that the draft was said before a fact; before_denial: before the fact of a name was denied.
    """
    origins = origins_of(current, old)
    why = [_why_not(fact, draft, origins, old, today, before, before_denial) for fact in draft.given["facts"]]
    held = {fact["k"]: fact for fact in old.get("facts", ()) if not _over(fact, today)}
    facts = [
        {**_until_then(fact, held.get(fact["k"]), today), **fact}
        for fact, against in zip(draft.given["facts"], why, strict=True)
        if not against
    ]
    if facts:
        return replace(draft, given={**draft.given, "facts": facts}), ""
    return draft, why[-1]


def _why_not(
    fact: Fact,
    draft: Draft,
    origins: Mapping[str, FactOrigin],
    old: Fact,
    today: str,
    before: Callable[[FactOrigin], str],
    before_denial: Callable[[str], str],
) -> str:
    """Return why a fact does not stand against a profile, empty if it does."""
    held = next((each for each in old.get("facts", ()) if each["k"] == fact["k"]), None)
    if draft.source in GUESSES and _means_any(fact, old.get("denied", ())):
        return "the user has denied this: a guess does not bring it back"
    if held is None:
        was_denied = any(each["k"] == fact["k"] for each in old.get("denied", ()))
        return before_denial(fact["k"]) if was_denied else ""
    if begins_later(held, today) and not begins_later(fact, today) and restated(held.get("until_then"), fact["v"]):
        return f"it holds until {held['since']}, as is known; what begins then stands"
    was_over, other = _over(held, today), not restated(held["v"], fact["v"])
    if fact_guessed_against(draft, origins[fact["k"]]):
        if other and not was_over:
            return "an inference does not replace what the user said, nor what is surer"
        if was_over and not other and not _over(fact, today):
            return "it was said until when it held: a guess does not bring it back"
    is_past = _over(fact, today) and other and not was_over
    said_before = before(origins[fact["k"]]) if other else ""
    return "it is over, and does not replace what holds now" if is_past else said_before


def _until_then(fact: Fact, held: Fact | None, today: str) -> dict[str, Any]:
    """Return what to add to a fact that begins only later: what holds until then."""
    if held is None or not begins_later(fact, today) or restated(held["v"], fact["v"]):
        return {}
    now = held.get("until_then") if begins_later(held, today) else held["v"]
    return {} if now is None else {"until_then": now}


def origins_of(profile: MemoryItem, value: Fact) -> dict[str, FactOrigin]:
    """Return where each fact of a profile comes from, by name. value: of the profile."""
    known = {origin.k: origin for origin in profile.fact_origins}
    names = _by_name(value)
    return {k: known.get(k) or _origin(k, profile, profile.source, profile.confidence) for k in names}


def put_origins(profile: MemoryItem, value: Fact, before: MemoryItem, old: Fact, draft: Draft | None) -> None:
    """Note where each fact of a profile comes from: the version before, or a draft that says it.

    value, old: of the profile and of the version before. draft: None says nothing; else it was said at the profile's
    said_at. The profile gets the source and confidence of its surest fact.
    """
    known, held = origins_of(before, old), _by_name(old)
    said = {fact["k"] for fact in draft.given["facts"]} if draft is not None else set()
    origins = []
    for k, says in _by_name(value).items():
        if draft is None or k not in said:
            origin = known[k]
        elif k in held and restated(held[k], says):
            origin = FactOrigin()
            origin.CopyFrom(known[k])
            confirm_fact(origin, draft)
            origin.said_at.CopyFrom(max(origin.said_at, profile.said_at, key=Timestamp.ToMicroseconds))
        else:
            origin = _origin(k, profile, draft.source, draft.confidence)
        origins.append(origin)
    del profile.fact_origins[:]
    profile.fact_origins.extend(origins)
    surest = max(origins, key=lambda origin: (origin.source == ITEM_SOURCE_USER, origin.confidence))
    profile.source, profile.confidence = surest.source, surest.confidence


def _origin(k: str, item: MemoryItem, source: ItemSource.ValueType, confidence: float) -> FactOrigin:
    return FactOrigin(
        k=k,
        source=source,
        confidence=confidence,
        source_turn_id=item.source_turn_id,
        source_message_id=item.source_message_id,
        said_at=item.said_at,
    )


def _by_name(value: Fact) -> dict[str, Any]:
    return {fact["k"]: fact["v"] for fact in value.get("facts", ())}


def _means_any(fact: Fact, denied: Any) -> bool:  # noqa: ANN401  a JSON list
    return any(each["k"] == fact["k"] and same(each["v"], fact["v"]) for each in denied)


def _over(fact: Fact, today: str) -> bool:
    return bool(fact.get("until")) and str(fact["until"]) <= today
