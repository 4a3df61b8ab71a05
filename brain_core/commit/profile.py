"""Facts of a profile: each has times of its own, and is denied, or over, on its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import tzinfo
from typing import Any

from brain_core.commit.learn import GUESSES
from brain_core.commit.material import same
from brain_core.kinds.draft import Draft
from brain_core.zones import day_at

Fact = Mapping[str, Any]


def dated_facts(draft: Draft, zone: tzinfo) -> Draft:
    """Return a draft with the times it holds in its facts, where it has any. zone: in which it was said."""
    if "facts" not in draft.given or (draft.valid_from_us is None and draft.valid_to_us is None):
        return draft
    times = {}
    if draft.valid_from_us is not None:
        times["since"] = day_at(draft.valid_from_us, zone).isoformat()
    if draft.valid_to_us is not None:
        times["until"] = day_at(draft.valid_to_us, zone).isoformat()
    facts = [{**times, **fact} for fact in draft.given["facts"]]
    return replace(draft, given={**draft.given, "facts": facts}, valid_from_us=None, valid_to_us=None)


def fitting_facts(draft: Draft, old: Fact, today: str) -> tuple[Draft, str]:
    """Return (a draft without the facts that do not stand against a profile, why none is left or nothing).

    Those are: facts that are over while a present one of their name is known, and guesses that the user has denied.
    """
    guess = draft.source in GUESSES
    denied = old.get("denied", ()) if guess else ()
    held = {fact["k"]: fact for fact in old.get("facts", ()) if not _over(fact, today)}
    facts = [
        fact
        for fact in draft.given["facts"]
        if not _means_any(fact, denied) and not (_over(fact, today) and _is_other(held.get(fact["k"]), fact))
    ]
    if facts:
        return replace(draft, given={**draft.given, "facts": facts}), ""
    if any(_means_any(fact, denied) for fact in draft.given["facts"]):
        return draft, "the user has denied this: a guess does not bring it back"
    return draft, "it is over, and does not replace what holds now"


def _means_any(fact: Fact, denied: Any) -> bool:  # noqa: ANN401  a JSON list
    return any(each["k"] == fact["k"] and same(each["v"], fact["v"]) for each in denied)


def _is_other(held: Fact | None, fact: Fact) -> bool:
    return held is not None and not same(held["v"], fact["v"])


def _over(fact: Fact, today: str) -> bool:
    return bool(fact.get("until")) and str(fact["until"]) <= today
