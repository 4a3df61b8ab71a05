"""The lexical index: a vocabulary over the BM25 kernel.

There is one field, `speaker: text`. Who spoke is a feature of its own in the ranking, which gained more than a weighted
field.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from functools import cache
from itertools import chain, islice
from math import nan
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from brain_core.kernels.bm25 import MOST_COUNT, Postings
from brain_core.kernels.vocabulary import Vocabulary
from brain_core.kernels.words import Alike, ask
from brain_core.text.words import distinct_terms, terms

LEAST_LENGTH = 20.0
"""Terms that every text counts as having at least: of two short turns the shorter is not the better."""

_UNSEEN, _USUAL = 20, 0.02
"""Texts that a memory is taken to have beside its own, and the share of them that has a word: few tell little."""
_UNKNOWN = -1
_MASK_BITS = 64
_REMEMBERED = 128  # texts beside queries
_SOON_SCORED = 5_000  # postings, or half as many as there are texts
_NO_IDS = np.empty(0, dtype=np.int32)
_NONE_ALIKE, _NONE_AROUND = (0.0, 0, 0.0), (0.0, 0)
_SHORT_QUERY, _LONG_QUERY = 8, 30  # distinct terms between which rare ones come to count for more


class Formula(NamedTuple):
    """Constants of BM25. session_k1: of sessions, each taken as one document."""

    k1: float
    b: float
    session_k1: float


class Beside(NamedTuple):
    """What is said around a query. weight: what a term of it counts; of its terms the rarest `most` do."""

    texts: tuple[str, ...]
    weight: float
    most: int


class Similar(NamedTuple):
    """Words that may count with a query's, and how far.

    weight: of a word as like as can be, beside 1 of the query's own; it falls with the likeness. most: words for each
    of the query's, in each language. known: how far a translation makes a word of the query known, times its likeness.
    """

    words: tuple[Alike, ...]
    weight: float
    most: int
    known: float


class LexicalScores(NamedTuple):
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
    similar: Mapping[str, float] = MappingProxyType({})

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
    """Texts by row, found by their terms."""

    def __init__(self, least_length: float = LEAST_LENGTH) -> None:
        self._vocabulary = Vocabulary()
        self._postings = Postings(least_length)
        # Of texts: size of the vocabulary, ids of their terms.
        self._known: dict[str, tuple[int, NDArray[np.int32]]] = {}

    def __len__(self) -> int:
        return len(self._postings)

    @property
    def nbytes(self) -> int:
        """Bytes held."""
        return self._postings.nbytes + self._vocabulary.nbytes

    def add(self, text: str, session: int = -1) -> None:
        """Add a text as the next row, of a session by its ordinal; -1 is none."""
        ids, often = self._vocabulary.learn(terms(text))
        self._postings.add(ids, np.minimum(often, MOST_COUNT, dtype=np.float32), session)

    def score(
        self, text: str, formula: Formula, beside: Beside | None = None, similar: Similar | None = None
    ) -> LexicalScores:
        """Score every text for a query; a term that the query repeats counts once.

        In a long query rare terms count for more: idf to the power of 1 for up to 8 distinct terms, 2 from 30 on. What
        is said beside counts in `rows` and `sessions` alone: nothing need hold it.
        """
        wanted, vocabulary = distinct_terms(text), self._vocabulary
        power = _power(len(wanted))
        bits = _bits(len(wanted)) if len(wanted) <= _MASK_BITS else self._rarest_bits(wanted, power)
        rows, masks, likes, sessions, rarity, told, joined = ask(
            self._postings,
            vocabulary,
            wanted,
            bits,
            similar.words if similar else (),
            (similar.weight, similar.most, similar.known) if similar else _NONE_ALIKE,
            [self._ids_of(one) for one in beside.texts] if beside else [],
            (beside.weight, beside.most) if beside else _NONE_AROUND,
            (power, formula.k1, formula.b, formula.session_k1),
            max(_SOON_SCORED, len(self) // 2),
        )
        weights = rarity if power == 1.0 else rarity**power
        total = float(np.add.reduce(weights))
        share = float(np.add.reduce(weights * told)) / total if total else 0.0
        named = list(wanted)
        if len(wanted) > _MASK_BITS:
            weights, named = weights[bits >= 0], [wanted[place] for place in np.flatnonzero(bits >= 0)]
        return LexicalScores(rows, masks, sessions, weights, share, frozenset(wanted), named, likes, joined)

    def _rarest_bits(self, wanted: Sequence[str], power: float) -> NDArray[np.int32]:
        """Return the place of each term in a mask of 64: of the rarest, in the order of the query; -1 for others."""
        ids = self._vocabulary.ids(wanted)
        bits = np.full(len(ids), _UNKNOWN, dtype=np.int32)
        rarest = np.sort(np.argsort(-(self._postings.idf(ids) ** power), kind="stable")[:_MASK_BITS])
        bits[rarest] = np.arange(_MASK_BITS)
        return bits

    def _ids_of(self, text: str) -> NDArray[np.int32]:
        """Return the ids of those terms of a text that the vocabulary has, in order; not to be changed.

        What is said beside a query is said beside the next one too. Terms keep their ids, and only more come.
        """
        vocabulary = self._vocabulary
        size, ids = self._known.get(text, (-1, _NO_IDS))
        if size != len(vocabulary):
            ids = vocabulary.ids(distinct_terms(text))
            ids = ids[ids != _UNKNOWN]
            if len(self._known) >= _REMEMBERED:
                self._known = {}
            self._known[text] = len(vocabulary), ids
        return ids

    def holding(self, text: str) -> NDArray[np.int32]:
        """Return the rows that hold every term of a text, ascending; none if it has no term or one is unknown.

        Of more than 64 distinct terms the first count.
        """
        wanted = list(dict.fromkeys(terms(text)))[:_MASK_BITS]
        ids = self._vocabulary.ids(wanted)
        if not len(ids) or (ids == _UNKNOWN).any():
            return np.empty(0, dtype=np.int32)
        bits = np.arange(len(ids), dtype=np.int32)
        _, masks, _ = self._postings.score(ids, bits, np.ones(len(ids)), 1.0, 0.0, 0.0, 0.0)
        return np.flatnonzero(masks == (1 << len(ids)) - 1).astype(np.int32)

    def score_terms(self, weights: Mapping[str, float], formula: Formula) -> NDArray[np.float32]:
        """Return the BM25 of every text for terms of the index, each times its weight: float32[n]."""
        ids = self._vocabulary.ids(weights)
        bits, shares = np.full(len(ids), _UNKNOWN, dtype=np.int32), np.array(list(weights.values()), dtype=np.float64)
        return self._postings.score(ids, bits, shares, 1.0, formula.k1, formula.b, 0.0)[0]

    def shares(self, words: Sequence[Sequence[str]]) -> NDArray[np.float64]:
        """Return in which share of the texts each word is, float64[w], told by its rarest term; NaN of one without."""
        texts = len(self)
        ids = self._vocabulary.ids(chain.from_iterable(words))
        counts = iter(self._postings.document_frequencies(ids).tolist())
        least = [next(counts) if len(named) == 1 else min(islice(counts, len(named)), default=nan) for named in words]
        return (np.array(least) + _USUAL * _UNSEEN) / (texts + _UNSEEN)

    def idf(self, words: Iterable[str]) -> NDArray[np.float64]:
        """Return what terms weigh here; those that no text has weigh as the rarest do."""
        return self._postings.idf(self._vocabulary.ids(words))

    def dump(self) -> tuple[list[str], NDArray[np.int64], NDArray[np.int32], NDArray[np.float32]]:
        """Return (vocabulary in the order of ids, and the postings' dump), for a snapshot."""
        return self._vocabulary.terms(), *self._postings.dump()

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
        index = LexicalIndex()
        index._vocabulary.learn(vocabulary)
        if len(offsets) != len(index._vocabulary) + 1:
            raise ValueError(f"postings of {len(offsets) - 1} terms, a vocabulary of {len(index._vocabulary)}")
        index._postings = Postings.load(offsets, rows, counts, sessions, LEAST_LENGTH)
        return index


def _power(count: int) -> float:
    """Return the power of idf for a query of so many distinct terms."""
    return 1.0 + min(1.0, max(0.0, (count - _SHORT_QUERY) / (_LONG_QUERY - _SHORT_QUERY)))


@cache
def _bits(count: int) -> NDArray[np.int32]:
    """Return the place of each of so many terms in a mask, not to be changed."""
    return np.arange(count, dtype=np.int32)
