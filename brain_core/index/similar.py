"""Which words of like meaning an index has, and what they count with a query's own."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from brain_core.models.thesaurus import Alike, Other


@dataclass(frozen=True, slots=True)
class Similar:
    """Words that may count with a query's, and how far.

    weight: of a word as like as can be, beside 1 of the query's own; it falls with the likeness. most: words for each
    of the query's, in each language. known: how far a translation makes a word of the query known, times its likeness.
    """

    words: Iterable[Alike]
    weight: float
    most: int
    known: float


@dataclass(slots=True)
class Joining:
    """Terms of an index that join a query's. shares: what each counts. stands_for: the query's term of each.

    known: how far each of the query's terms is known by a translation, 0..1.
    """

    shares: dict[str, float] = field(default_factory=dict)
    stands_for: dict[str, str] = field(default_factory=dict)
    known: dict[str, float] = field(default_factory=dict)

    def join(self, term: str, share: float, stands_for: str) -> None:
        """Count a term for what it is likest to."""
        if share > self.shares.get(term, 0.0):
            self.shares[term] = share
            self.stands_for[term] = stands_for


def joining(similar: Similar, vocabulary: Collection[str], own: Collection[str]) -> Joining:
    """Return those words that a vocabulary has, each for the word that it is likest to. own: the query's terms."""
    found = Joining()
    for one in similar.words:
        for other in _there(one, vocabulary, own, similar.most):
            share = similar.weight * other.likeness / len(other.terms)
            for term in other.terms:
                if term not in own:
                    found.join(term, share, one.terms[0])
            if one.translated:
                for term in one.terms:
                    found.known[term] = max(found.known.get(term, 0.0), similar.known * other.likeness)
    return found


def _there(one: Alike, vocabulary: Collection[str], own: Collection[str], most: int) -> list[Other]:
    """Return the likest others whose terms are all in the vocabulary and not all the query's own."""
    there: list[Other] = []
    for other in one.others:
        if len(there) == most:
            break
        # The first term tells of most that they are not there, in a third of the time.
        if other.terms[0] in vocabulary and _joins(other.terms, vocabulary, own):
            there.append(other)
    return there


def _joins(terms: tuple[str, ...], vocabulary: Collection[str], own: Collection[str]) -> bool:
    if len(terms) == 1:
        return terms[0] in vocabulary and terms[0] not in own
    return all(map(vocabulary.__contains__, terms)) and not all(map(own.__contains__, terms))
