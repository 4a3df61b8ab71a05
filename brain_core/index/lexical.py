"""The lexical index: a vocabulary over the BM25 kernel."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from brain_core.index.similar import Joining, Similar, joining
from brain_core.kernels.bm25 import MOST_COUNT, Postings
from brain_core.text.words import terms

LEAST_LENGTH = 20.0
"""Terms that every text counts as having at least: of two short turns the shorter is not the better."""

_UNKNOWN = -1
_MASK_BITS = 64
_REMEMBERED = 128  # texts beside queries
_SOON_SCORED = 20_000  # postings, or as many as there are texts
_SHORT_QUERY, _LONG_QUERY = 8, 30  # distinct terms between which rare ones come to count for more


@dataclass(frozen=True, slots=True)
class Formula:
    """Constants of BM25. session_k1: of sessions, each taken as one document."""

    k1: float
    b: float
    session_k1: float


@dataclass(frozen=True, slots=True)
class Beside:
    """What is said around a query. weight: what a term of it counts; of its terms the rarest `most` do."""

    texts: tuple[str, ...]
    weight: float
    most: int


class Asked(NamedTuple):
    """Terms to score. ids: int32[t]. bits: int32[t], places in the masks, -1 is none. shares: float64[t]."""

    ids: NDArray[np.int32]
    bits: NDArray[np.int32]
    shares: NDArray[np.float64]

    def and_these(self, others: Asked) -> Asked:
        """Return these terms and then others."""
        return Asked(
            np.concatenate([self.ids, others.ids]),
            np.concatenate([self.bits, others.bits]),
            np.concatenate([self.shares, others.shares]),
        )


@dataclass(frozen=True, slots=True)
class LexicalScores:
    """What a query's words say of every text.

    rows: float32[n], BM25 of each. masks: uint64[n], which of `weights` each has. sessions: float64[s], BM25 of each
    session as one document. weights: float64[≤ 64], of the query's rarest terms. known: share of the query's weight
    that some text has, 0..1. words: the query's terms. terms: those of `weights`, in the same order. likes: as masks,
    but a term of like meaning stands for the query's. similar: these terms, which count in rows and sessions, and what.
    """

    rows: NDArray[np.float32]
    masks: NDArray[np.uint64]
    sessions: NDArray[np.float64]
    weights: NDArray[np.float64]
    known: float
    words: frozenset[str]
    terms: list[str]
    likes: NDArray[np.uint64]
    similar: dict[str, float] = field(default_factory=dict)

    def having(self, wanted: Set[str], rows: NDArray[np.int32]) -> NDArray[np.bool_]:
        """Return by row whether it has each of `terms` that is wanted."""
        needed = np.uint64(sum(1 << place for place, term in enumerate(self.terms) if term in wanted))
        has_each: NDArray[np.bool_] = (self.masks[rows] & needed) == needed
        return has_each


def places_in(mask: int) -> list[int]:
    """Return the places of the terms that a mask tells of."""
    return [place for place in range(mask.bit_length()) if mask >> place & 1]


def no_scores(size: int) -> LexicalScores:
    """Return the scores of a query that is not sought by its words, over `size` texts."""
    empty, masks = np.zeros(0), np.zeros(size, dtype=np.uint64)
    return LexicalScores(np.zeros(size, dtype=np.float32), masks, empty, empty, 0.0, frozenset(), [], masks)


class LexicalIndex:
    """Texts by row, found by their terms. All indexes share one string of a term: most of their words are the same."""

    def __init__(self, least_length: float = LEAST_LENGTH) -> None:
        self._vocabulary: dict[str, int] = {}
        self._postings = Postings(least_length)
        self._known: dict[str, tuple[int, dict[str, int]]] = {}  # of texts: size of the vocabulary, ids of their terms

    def __len__(self) -> int:
        return len(self._postings)

    @property
    def nbytes(self) -> int:
        """Bytes held, the vocabulary estimated."""
        return self._postings.nbytes + 120 * len(self._vocabulary)

    def add(self, text: str, session: int = -1) -> None:
        """Add a text as the next row, of a session by its ordinal; -1 is none."""
        counts = Counter(terms(text))
        known = self._vocabulary
        ids = [found if (found := known.get(term)) is not None else self._new_id(term) for term in counts]
        often = np.minimum(np.array(list(counts.values()), dtype=np.float32), MOST_COUNT)
        self._postings.add(np.array(ids, dtype=np.int32), often, session)

    def _new_id(self, term: str) -> int:
        return self._vocabulary.setdefault(sys.intern(term), len(self._vocabulary))

    def score(
        self, text: str, formula: Formula, beside: Beside | None = None, similar: Similar | None = None
    ) -> LexicalScores:
        """Score every text for a query; a term that the query repeats counts once.

        In a long query rare terms count for more: idf to the power of 1 for up to 8 distinct terms, 2 from 30 on. What
        is said beside counts in `rows` and `sessions` alone: nothing need hold it.
        """
        wanted = list(dict.fromkeys(terms(text)))
        own = frozenset(wanted)
        ids = np.array([self._vocabulary.get(term, _UNKNOWN) for term in wanted], dtype=np.int32)
        power = _power(len(wanted))
        rarity = self._postings.idf(ids)
        weights = rarity**power
        bits = _bits(weights)
        asked = Asked(ids, bits, np.ones(len(ids)))
        if beside is not None:
            asked = self._with_beside(beside, own, asked)
        found = Joining() if similar is None else self._soon_scored(joining(similar, self._vocabulary, own))
        ids_joined, counts, stands_for = self._joined(found, wanted, asked.ids)
        counts *= self._no_rarer(ids_joined, ids, rarity, stands_for)
        nowhere = np.full(len(ids_joined), _UNKNOWN, dtype=np.int32)
        rows, masks, sessions = self._postings.score(
            *asked.and_these(Asked(ids_joined, nowhere, counts)),
            power,
            formula.k1,
            formula.b,
            formula.session_k1,
            np.concatenate([np.arange(len(asked.ids), dtype=np.int32), stands_for]),
        )
        share = _known(weights, ids != _UNKNOWN, np.array([found.known.get(term, 0.0) for term in wanted]))
        if len(wanted) > _MASK_BITS:
            weights, wanted = weights[bits >= 0], [wanted[place] for place in np.flatnonzero(bits >= 0)]
        likes = self._marked(masks, ids_joined, stands_for, bits)
        return LexicalScores(rows, masks, sessions, weights, share, own, wanted, likes, found.shares)

    def _with_beside(self, beside: Beside, own: frozenset[str], asked: Asked) -> Asked:
        """Return a query's terms and those beside it, which stand in no mask."""
        others = self._beside(beside, own)
        nowhere = np.full(len(others), _UNKNOWN, dtype=np.int32)
        return asked.and_these(Asked(others, nowhere, np.full(len(others), beside.weight)))

    def _joined(
        self, found: Joining, wanted: Sequence[str], asked: NDArray[np.int32]
    ) -> tuple[NDArray[np.int32], NDArray[np.float64], NDArray[np.int32]]:
        """Return (ids of terms of like meaning, what each counts, for which place of all the terms each stands).

        What is asked for counts as that. wanted: the query's terms, the first of asked, after which these come.
        """
        places, taken = {term: place for place, term in enumerate(wanted)}, set(asked.tolist())
        joined = [(one, term) for term in found.shares if (one := self._vocabulary[term]) not in taken]
        heads = [places.get(found.stands_for[term], own) for own, (_, term) in enumerate(joined, start=len(asked))]
        return (
            np.array([one for one, _ in joined], dtype=np.int32),
            np.array([found.shares[term] for _, term in joined], dtype=np.float64),
            np.array(heads, dtype=np.int32),
        )

    def _no_rarer(
        self,
        joined: NDArray[np.int32],
        ids: NDArray[np.int32],
        rarity: NDArray[np.float64],
        stands_for: NDArray[np.int32],
    ) -> NDArray[np.float64]:
        """Return what a term of like meaning counts at most: it is no rarer than what it stands for, if known.

        rarity: idf of ids.
        """
        if not len(joined):
            return np.ones(0)
        places = np.where(stands_for < len(ids), stands_for, 0)
        told = (stands_for < len(ids)) & (ids[places] != _UNKNOWN)
        return np.where(told, np.minimum(1.0, rarity[places] / self._postings.idf(joined)), 1.0)

    def _marked(
        self,
        masks: NDArray[np.uint64],
        ids: NDArray[np.int32],
        stands_for: NDArray[np.int32],
        bits: NDArray[np.int32],
    ) -> NDArray[np.uint64]:
        """Return masks in which terms of like meaning have the bits of those that they stand for."""
        within = stands_for < len(bits)
        if not within.any():
            return masks
        marked = masks.copy()
        self._postings.mark(ids[within], bits[stands_for[within]], marked)
        return marked

    def _soon_scored(self, found: Joining) -> Joining:
        """Leave out the most frequent of the terms that join a query, so that it stays fast in a large index."""
        ids = np.array([self._vocabulary[term] for term in found.shares], dtype=np.int32)
        kept = set(self._postings.rarest(ids, len(ids), max(_SOON_SCORED, len(self))).tolist())
        if len(kept) < len(ids):
            found.shares = {term: share for term, share in found.shares.items() if self._vocabulary[term] in kept}
        return found

    def _beside(self, beside: Beside, own: frozenset[str]) -> NDArray[np.int32]:
        """Return the ids of what is said beside a query and not in it, of what some text has: the rarest.

        As many as may count, and of a large index as many as are soon scored: what is left out are common words.
        """
        said: dict[str, int] = {}
        for text in beside.texts:
            said |= self._ids_of(text)
        for term in own:
            said.pop(term, None)
        ids = np.fromiter(said.values(), dtype=np.int32, count=len(said))
        return self._postings.rarest(ids, beside.most, max(_SOON_SCORED, len(self)))

    def _ids_of(self, text: str) -> dict[str, int]:
        """Return the ids of those terms of a text that the vocabulary has, in order; not to be changed.

        What is said beside a query is said beside the next one too. Terms keep their ids, and only more come.
        """
        vocabulary = self._vocabulary
        size, ids = self._known.get(text, (-1, {}))
        if size != len(vocabulary):
            ids = {term: number for term in _distinct(text) if (number := vocabulary.get(term)) is not None}
            if len(self._known) >= _REMEMBERED:
                self._known = {}
            self._known[text] = len(vocabulary), ids
        return ids

    def holding(self, text: str) -> NDArray[np.int32]:
        """Return the rows that hold every term of a text, ascending; none if it has no term or one is unknown.

        Of more than 64 distinct terms the first count.
        """
        wanted = list(dict.fromkeys(terms(text)))[:_MASK_BITS]
        ids = np.array([self._vocabulary.get(term, _UNKNOWN) for term in wanted], dtype=np.int32)
        if not len(ids) or (ids == _UNKNOWN).any():
            return np.empty(0, dtype=np.int32)
        bits = np.arange(len(ids), dtype=np.int32)
        _, masks, _ = self._postings.score(ids, bits, np.ones(len(ids)), 1.0, 0.0, 0.0, 0.0)
        return np.flatnonzero(masks == (1 << len(ids)) - 1).astype(np.int32)

    def score_terms(self, weights: Mapping[str, float], formula: Formula) -> NDArray[np.float32]:
        """Return the BM25 of every text for terms of the index, each times its weight: float32[n]."""
        ids = np.array([self._vocabulary.get(term, _UNKNOWN) for term in weights], dtype=np.int32)
        bits, shares = np.full(len(ids), _UNKNOWN, dtype=np.int32), np.array(list(weights.values()), dtype=np.float64)
        return self._postings.score(ids, bits, shares, 1.0, formula.k1, formula.b, 0.0)[0]

    def idf(self, words: Iterable[str]) -> NDArray[np.float64]:
        """Return what terms weigh here; those that no text has weigh as the rarest do."""
        return self._postings.idf(np.array([self._vocabulary.get(word, _UNKNOWN) for word in words], dtype=np.int32))

    def dump(self) -> tuple[list[str], NDArray[np.int64], NDArray[np.int32], NDArray[np.float32]]:
        """Return (vocabulary in the order of ids, and the postings' dump), for a snapshot."""
        return list(self._vocabulary), *self._postings.dump()

    @staticmethod
    def load(
        vocabulary: list[str],
        offsets: NDArray[np.int64],
        rows: NDArray[np.int32],
        counts: NDArray[np.float32],
        sessions: NDArray[np.int32],
    ) -> LexicalIndex:
        """Make an index of what `dump` returned, and the session of each row; -1 is none.

        Raises ValueError if the parts do not fit together.
        """
        if len(offsets) != len(vocabulary) + 1:
            raise ValueError(f"postings of {len(offsets) - 1} terms, a vocabulary of {len(vocabulary)}")
        index = LexicalIndex()
        index._vocabulary = dict(zip(map(sys.intern, vocabulary), range(len(vocabulary)), strict=True))
        index._postings = Postings.load(offsets, rows, counts, sessions, LEAST_LENGTH)
        return index


@lru_cache(maxsize=_REMEMBERED)
def _distinct(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(terms(text)))


def _known(weights: NDArray[np.float64], has: NDArray[np.bool_], translated: NDArray[np.float64]) -> float:
    """Return the share of a query's weight that some text has, or says in the other language."""
    total = float(weights.sum())
    return float((weights * np.where(has, 1.0, translated)).sum()) / total if total else 0.0


def _power(count: int) -> float:
    """Return the power of idf for a query of so many distinct terms."""
    return 1.0 + min(1.0, max(0.0, (count - _SHORT_QUERY) / (_LONG_QUERY - _SHORT_QUERY)))


def _bits(weights: NDArray[np.float64]) -> NDArray[np.int32]:
    """Return the place of each term in a mask of 64: that of the rarest, in the order of the query; -1 for others."""
    if len(weights) <= _MASK_BITS:
        return np.arange(len(weights), dtype=np.int32)
    bits = np.full(len(weights), _UNKNOWN, dtype=np.int32)
    rarest = np.sort(np.argsort(-weights, kind="stable")[:_MASK_BITS])
    bits[rarest] = np.arange(_MASK_BITS)
    return bits
