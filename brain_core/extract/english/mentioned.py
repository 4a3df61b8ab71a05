"""Which item of the memory a sentence speaks of."""

from __future__ import annotations

from typing import Any

from smartbrain.v1.item_pb2 import MemoryItem

from brain_core.extract.known import body_of, find, last_of, overlap, value_of, words_of
from brain_core.extract.language import Scene
from brain_core.text.words import terms

TYPES = ("preferences", "knowledge", "profile", "decisions", "goals", "tasks", "events", "entities")
"""Types that are searched for what a correction speaks of, in this order."""


def best(scene: Scene, words: str, least: float = 0.5, types: tuple[str, ...] = TYPES) -> MemoryItem | None:
    """Return the item that the words name best over all types; the earlier type of equals."""
    found = [
        (overlap(item, words), -place, item)
        for place, name in enumerate(types)
        if (item := find(scene.known, name, words, least))
    ]
    return max(found, key=lambda each: each[:2])[2] if found else None


def newest(scene: Scene, types: tuple[str, ...] = TYPES) -> MemoryItem | None:
    """Return what "it" is, said of nothing else: `last_told` of the items of these types.

    None where the message has named another matter before the clause, which "it" may be then.
    """
    last = last_of(scene.known, types, scene.session)
    return last if last is not None and points_at(scene, body_of(last)) else None


def points_at(scene: Scene, body: str) -> bool:
    """Return whether "it" may be what a body tells: nothing else has been named before the clause, or that has."""
    named = content(scene.message[: scene.clause.start])
    return not named or bool(named & words_of(body))


def content(words: str) -> set[str]:
    """Return the terms that name a matter."""
    return set(terms(words)) - _SAYS_NOTHING


def mentioned(scene: Scene, words: str, least: float = 0.5, types: tuple[str, ...] = TYPES) -> MemoryItem | None:
    """Return the item with which the words share most of their content, or most of its own; the newest of equals."""
    wanted = content(words)
    if not wanted:
        return None
    found = []
    for name in types:
        for item in scene.known.active(name):
            held = words_of(body_of(item)) - _SAYS_NOTHING
            both = len(wanted & held)
            share = both / max(min(len(wanted), len(held)), 1)
            if share >= least and (both > 1 or min(len(wanted), len(held)) <= _FEW):
                found.append((share, both, item.updated_at.ToMicroseconds(), item))
    return max(found, key=lambda each: each[:3])[3] if found else None


_FEW = 3
"""Content words up to which one in common is enough."""
_SAYS_NOTHING = frozenset(
    terms(
        "need needs want have has got get go going goes make made use using used do done after all any more "
        "longer now "
        "actually really thing plan plans idea dead off cancelled canceled called scrapped dropped over anymore "
        "forget "
        "forgot never mind scratch said told about that this it i my we our the change changed moved move new old "
        "instead "
        "back still just please note user fact prefers preference know think thinking thought no not true wrong right "
        "time day week today tomorrow yesterday last next one two ok okay well yes anymore pursuing happening default "
        "task status todo goal decision event work works working like likes "
        "hi hello hey good morning great perfect thanks thank yay phew finally btw update news "
        "sorry oops wait hmm mean meant correction"
    )
)


def fact_of(item: MemoryItem, words: str) -> dict[str, Any] | None:
    """Return the fact of a profile that the words name best."""
    facts = value_of(item).get("facts", [])
    wanted = set(terms(words))
    shares = [(len(wanted & words_of(f"{fact['k']} {fact['v']}".replace("_", " "))), n) for n, fact in enumerate(facts)]
    best = max(shares, default=(0, 0))
    return facts[best[1]] if best[0] else None
