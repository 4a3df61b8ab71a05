"""What rules leave of a sentence of which they keep something: "My coach is Ann, and we train on Mondays"."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from brain_core.extract.language import Clause
from brain_core.extract.worth import judged, likely, passages
from brain_core.kinds.draft import Draft
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


def teaches_alone(clause: Clause) -> bool:
    """Return whether the judge finds something to learn in a clause by itself."""
    return likely(judged(passages(clause.text, [(0, len(clause.text))])))[0][0] >= _TEACHES
