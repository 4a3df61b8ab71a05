"""What rules leave of a sentence of which they keep something: "My coach is Ann, and we train on Mondays"."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from brain_core.extract.language import Clause
from brain_core.extract.worth import judged, likely, passages
from brain_core.kinds.draft import Draft
from brain_core.text.expression import Expression
from brain_core.text.words import terms

_TEACHES = 0.3
"""How likely a clause must teach something by itself; asides ("I can't wait", "it's a long story") stay below .1."""


def left_over(clauses: Iterable[Clause], drafts: Sequence[Draft]) -> Iterator[Clause]:
    """Yield the clauses of a sentence of which the drafts keep nothing, or no more than a name."""
    for clause in clauses:
        if not any(_keeps(draft, clause) for draft in drafts):
            yield clause


def _keeps(draft: Draft, clause: Clause) -> bool:
    start, stop = draft.span or (0, 0)
    if stop <= clause.start or start >= clause.start + len(clause.text):
        return False
    if draft.kind.type != "entities":
        return True
    return set(terms(clause.text)) <= set(terms(" ".join(_texts(draft.given))))


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for each in value.values():
            yield from _texts(each)
    elif isinstance(value, list):
        for each in value:
            yield from _texts(each)
    else:
        yield str(value)


def name_roles(drafts: Sequence[Draft]) -> bool:
    """Return whether drafts say no more than what firms or things are to the user, or what somebody does.

    "My bank is Monzo" is a fact, besides a name; who somebody is to the user changes as a name does, and stays one.
    """
    entities = [draft.given for draft in drafts if draft.kind.type == "entities"]
    return len(drafts) == len(entities) > 0 and all(_is_a_fact(given) for given in entities)


def _is_a_fact(named: dict[str, Any]) -> bool:
    role = str(named.get("attrs", {}).get("role", ""))
    return bool(role) and (named.get("kind") in _NO_PERSONS or _DOES.match(role) is not None)


_NO_PERSONS = frozenset({"org", "topic"})
_DOES = Expression(
    r"(?:leads|runs|handles|manages|owns|heads|covers|looks after|takes care of|is (?:in charge|responsible))\b"
)


def teaches_alone(clause: Clause) -> bool:
    """Return whether the judge finds something to learn in a clause by itself."""
    return likely(judged(passages(clause.text, [(0, len(clause.text))])))[0][0] >= _TEACHES
