"""What each kernel means, in plain NumPy, and for messages in the classes of the contract.

The twin of every public function of this package: same arguments, same result, bit for bit, since both add the same
numbers in the same order and precision. Slow, and never called by the house: it is here to be read, and to hold the
compiled code to its word. Logarithms and powers are those of the C library, as in the kernels.

The postings of bm25 are given here as `documents`: (terms, counts, group) per row, in the order they were added.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass
from itertools import pairwise
from operator import add
from typing import Any, Generic, TypeVar
from zlib import crc32

import numpy as np
from google.protobuf.message import DecodeError
from numpy.typing import NDArray
from smartbrain.v1.context_pb2 import ContextEvidence, ContextPackage, WhySelected
from smartbrain.v1.evidence_pb2 import Dropped, Evidence, Expansion

Documents = Sequence[tuple[NDArray[np.int32], NDArray[np.float32], int]]
"""Per row: distinct term ids int32[t], how often each occurs float32[t], and the group it belongs to, -1 is none."""

KEPT, OVER_K = 0, -1
NOTHING, JOINED, OPENED, OVER_MOST, DOES_NOT_FIT = range(5)
SCALE_BYTES = 4
_WAITING = -2
_BYTE_MOST, _WHOLE_MOST, _RANGE = 127, 32767, 65536
_LANES = 16
_CENTROIDS, _ROWS_OF_BLOCK, _SUM_MOST = 16, 32, 65_535
_MASK_BITS = 64
_FEATURES = 13
_RECENCY = 10  # column of the features
_SAMPLE = 256  # rows whose cosines say what is usual in a memory
_NEIGHBOURS_OF = 64  # best rows of the joined lists whose neighbours come in
_LEAST_DEVIATION, _LEAST_LENGTH = 0.03, np.float32(1e-6)
_SHOW_TITLE, _SHOW_TEXT = 1, 2
_RANKS = ("vector_rank", "fts_rank")
_SIGNALS = ("vector_score", "fts_score", "rrf_score", "rerank_score", "recency_score")
_MOST_FIELDS = 2**29 - 1
_AROUND = 2  # messages on each side whose words count for a row
_REACH = 16  # rows that are looked at in one direction
_TOGETHER, _HEAD, _TAIL = 3, 4, 3  # words side by side, letters of a word's two ends

Name = TypeVar("Name")


def idf(documents: Documents, terms: NDArray[np.int32]) -> NDArray[np.float64]:
    """Return how rare each term is: ln(1 + (N - df + 0.5) / (df + 0.5)), float64[t]. Twin of Postings.idf.

    N: documents. df: documents that have the term; 0 of an unknown one. Always positive, so that a common word never
    counts against a document.
    """
    return np.array([_idf(len(documents), _frequency(documents, term)) for term in terms.tolist()], dtype=np.float64)


def document_frequencies(documents: Documents, terms: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return in how many documents each term is, int32[t]; 0 of an unknown one. Twin of the same of Postings."""
    return np.array([_frequency(documents, term) for term in terms.tolist()], dtype=np.int32)


def rarest(documents: Documents, terms: NDArray[np.int32], most: int, postings: int) -> NDArray[np.int32]:
    """Return of some terms the rarest, at most so many, as far as they have so many postings in all: int32[≤ most].

    The rarest first, among equals the one named first. Twin of Postings.rarest.
    """
    if most < 0:
        raise ValueError(f"most must be ≥ 0, got {most}")
    frequencies = np.array([_frequency(documents, term) for term in terms.tolist()], dtype=np.int64)
    order = frequencies.argsort(kind="stable")[:most]
    return terms[order[frequencies[order].cumsum() <= postings]]


def _frequency(documents: Documents, term: int) -> int:
    """Return how many documents have a term; 0 of an unknown one."""
    return sum(int(term in known) for known, _, _ in documents) if term >= 0 else 0


def _idf(documents: int, df: int) -> float:
    return math.log(1.0 + (documents - df + 0.5) / (df + 0.5))


def _mark(documents: Documents, terms: NDArray[np.int32], bits: NDArray[np.int32], masks: NDArray[np.uint64]) -> None:
    """Set the bit of each term in the masks of the documents that have it."""
    for row, (known, _, _) in enumerate(documents):
        for term, bit in zip(terms, bits.tolist(), strict=True):
            if bit >= 0 and term in known:
                masks[row] |= np.uint64(1 << bit)


def score(  # noqa: PLR0913  the signature of the kernel
    documents: Documents,
    terms: NDArray[np.int32],
    bits: NDArray[np.int32],
    shares: NDArray[np.float64],
    power: float,
    k1: float,
    b: float,
    group_k1: float,
    least_length: float = 0.0,
    stands_for: NDArray[np.int32] | None = None,
) -> tuple[NDArray[np.float32], NDArray[np.uint64], NDArray[np.float64]]:
    """Return (BM25 of every row float32[n], which terms it has uint64[n], BM25 of every group float64[g]).

    Twin of Postings.score. Each term t that a row has adds
    share · idf(t)^power · tf·(k1 + 1) / (tf + k1·(1 - b + b·length / mean length)): more of a word is worth more, less
    and less so (k1), and a long row needs more of it (b); a row shorter than least_length counts as that long. A group
    is scored as if its rows were one document, among the groups, with group_k1 for k1 and its own length. terms:
    int32[t], distinct, unknown ones add nothing. bits: int32[t], the bit of a row's mask that tells of each term, < 0
    is none. shares: float64[t], what each term counts. stands_for: int32[t], the place of the term that each stands
    for, which stands for itself; None, all do: of a family the term that gains a row or a group most counts.
    """
    if len(bits) != len(terms):
        raise ValueError(f"terms has {len(terms)} entries but bits has {len(bits)}")
    if len(shares) != len(terms):
        raise ValueError(f"terms has {len(terms)} entries but shares has {len(shares)}")
    if not (power >= 0 and k1 >= 0 and group_k1 >= 0 and 0 <= b <= 1):
        raise ValueError(f"power, k1 and group_k1 must be ≥ 0 and b in 0..1, got {power}, {k1}, {group_k1} and {b}")
    for number, bit in enumerate(bits):
        if bit >= _MASK_BITS:
            raise ValueError(f"bits[{number}] must be below {_MASK_BITS}, got {bit}")
    for number, share in enumerate(shares.tolist()):
        if not share >= 0:
            raise ValueError(f"shares[{number}] must be ≥ 0, got {share}")
    families = _families(len(terms), stands_for)
    masks = np.zeros(len(documents), dtype=np.uint64)
    _mark(documents, terms, bits, masks)
    floor = float(np.float32(least_length))
    rows: list[_Text] = []
    groups: list[_Text] = [({}, 0.0)] * (max([group for *_, group in documents], default=-1) + 1)
    total = total_of_groups = 0.0
    for known, counts, group in documents:
        tf, length = dict(zip(known.tolist(), counts.tolist(), strict=True)), _sum(counts)
        rows.append((tf, float(np.float32(max(length, floor)))))
        total += max(length, floor)
        if group >= 0:
            joined, joined_length = groups[group]
            sums = {term: joined.get(term, 0.0) + tf.get(term, 0.0) for term in {**joined, **tf}}
            groups[group] = sums, joined_length + length
            total_of_groups += length
    of_rows = np.zeros(len(rows), dtype=np.float32)
    _add_gains(of_rows, rows, total, terms, families, shares, power, k1, b)
    of_groups = np.zeros(len(groups), dtype=np.float64)
    _add_gains(of_groups, groups, total_of_groups, terms, families, shares, power, group_k1, b)
    return of_rows, masks, of_groups


_Text = tuple[dict[int, float], float]
"""How often each term occurs, and the length."""


def _add_gains(  # noqa: PLR0913  what the formula needs
    scores: NDArray[np.floating],
    texts: Sequence[_Text],
    total: float,
    terms: NDArray[np.int32],
    families: Sequence[Sequence[int]],
    shares: NDArray[np.float64],
    power: float,
    k1: float,
    b: float,
) -> None:
    """Add BM25 of each text to scores, in their precision. total: the lengths of all. families: places of terms."""
    if total == 0:
        return
    flat = k1 * (1.0 - b)
    slope = k1 * b * float(len(texts)) / total
    for family in families:
        best = np.zeros_like(scores)
        for term, share in ((int(terms[place]), float(shares[place])) for place in family):
            df = sum(int(term in tf) for tf, _ in texts)
            gain = share * (math.pow(_idf(len(texts), df), power) * (k1 + 1.0))
            for row, (tf, length) in enumerate(texts):
                if term in tf:
                    gained = scores.dtype.type(gain * tf[term] / (tf[term] + flat + slope * length))
                    scores[row] += max(gained - best[row], scores.dtype.type(0))
                    best[row] = max(gained, best[row])


def _families(terms: int, stands_for: NDArray[np.int32] | None) -> list[list[int]]:
    """Return the places of the terms of each family, the one that stands for itself first."""
    if stands_for is None:
        return [[place] for place in range(terms)]
    if len(stands_for) != terms:
        raise ValueError(f"terms has {terms} entries but stands_for has {len(stands_for)}")
    members: dict[int, list[int]] = {place: [place] for place, of in enumerate(stands_for.tolist()) if of == place}
    for place, of in enumerate(stands_for.tolist()):
        if of not in members:
            raise ValueError(f"stands_for[{place}] is {of}, which is no place of a term that stands for itself")
        if of != place:
            members[of].append(place)
    return list(members.values())


def _sum(numbers: Iterable[float]) -> float:
    total = 0.0
    for number in numbers:  # in order, uncompensated, as C adds; from Python 3.12 on `sum` is finer
        total += float(number)
    return total


Alike = tuple[tuple[str, ...], tuple[tuple[tuple[str, ...], float], ...], bool]
"""Terms of a word; others like it as (terms, likeness), the likest first; whether they are of the other language."""


def ask(  # noqa: PLR0913  the signature of the kernel
    documents: Documents,
    vocabulary: dict[str, int],
    wanted: tuple[str, ...],
    bits: NDArray[np.int32],
    words: Sequence[Alike],
    alike: tuple[float, int, float],
    beside: list[NDArray[np.int32]],
    around: tuple[float, int],
    formula: tuple[float, float, float, float],
    soon_scored: int,
    least_length: float = 0.0,
) -> tuple[
    NDArray[np.float32],
    NDArray[np.uint64],
    NDArray[np.uint64],
    NDArray[np.float64],
    NDArray[np.float64],
    NDArray[np.float64],
    dict[str, float],
]:
    """Score every row for a query's terms, those of like meaning and those said around: twin of words.ask.

    Return (BM25 of rows, which terms each has, the same with terms of like meaning for those they stand for, BM25 of
    groups, idf of each wanted, how far each is known, what terms of like meaning count).
    """
    (weight, most, known), (share, most_beside), (power, k1, b, group_k1) = alike, around, formula
    if len(bits) != len(wanted):
        raise ValueError(f"wanted has {len(wanted)} terms but bits has {len(bits)}")
    if not (weight >= 0 and share >= 0 and most >= 0 and most_beside >= 0):
        raise ValueError(f"weights and most must be ≥ 0, got {weight}, {share}, {most} and {most_beside}")
    ids = np.array([vocabulary.get(term, -1) for term in wanted], dtype=np.int32)
    shares, heads, told = _joining(vocabulary, wanted, words, weight, most, known)
    kept = set(rarest(documents, _ids(vocabulary, shares), len(shares), soon_scored).tolist())
    shares = {term: one for term, one in shares.items() if vocabulary[term] in kept}
    said = dict.fromkeys(one for each in beside for one in each.tolist() if one not in ids)
    others = rarest(documents, np.array(list(said), dtype=np.int32), most_beside, soon_scored)
    joined = [term for term in shares if vocabulary[term] not in others]
    first = len(ids) + len(others)
    stands_for = [heads.get(term, place) for place, term in enumerate(joined, start=first)]
    rarity, counts = idf(documents, ids), [shares[term] for term in joined]
    for place, (term, head) in enumerate(zip(joined, stands_for, strict=True)):
        if head < len(ids) and ids[head] >= 0:
            counts[place] *= min(1.0, float(rarity[head] / idf(documents, _ids(vocabulary, [term]))[0]))
    nowhere = np.full(len(others) + len(joined), -1, dtype=np.int32)
    rows, masks, groups = score(
        documents,
        np.concatenate([ids, others, _ids(vocabulary, joined)]),
        np.concatenate([bits, nowhere]),
        np.array([*[1.0] * len(ids), *[share] * len(others), *counts]),
        power,
        k1,
        b,
        group_k1,
        least_length,
        np.array([*range(first), *stands_for], dtype=np.int32),
    )
    likes = masks.copy()
    within = [(term, int(bits[head])) for term, head in zip(joined, stands_for, strict=True) if head < len(ids)]
    _mark(documents, _ids(vocabulary, [term for term, _ in within]), np.array([bit for _, bit in within], int), likes)
    how_far = np.array([1.0 if one >= 0 else told.get(term, 0.0) for term, one in zip(wanted, ids, strict=True)])
    return rows, masks, likes, groups, rarity, how_far, shares


class Vocabulary(dict[str, int]):
    """Ids of terms, in the order in which they came. Twin of vocabulary.Vocabulary."""

    def ids(self, terms: Iterable[str]) -> NDArray[np.int32]:
        """Return the ids of terms: int32[t], -1 of one that is not known."""
        return np.array([self.get(term, -1) for term in terms], dtype=np.int32)

    def learn(self, terms: Iterable[str]) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        """Return (ids int32[t] of the distinct terms in the order in which they are met first, float32[t] how often).

        A term that is not known gets the next id.
        """
        counts = Counter(terms)
        ids = [self.setdefault(term, len(self)) for term in counts]
        return np.array(ids, dtype=np.int32), np.array([*counts.values()], dtype=np.float32)

    def starting_with(self, prefix: str) -> NDArray[np.int32]:
        """Return the ids of the terms with a prefix: int32[m], ascending."""
        return np.array([number for term, number in self.items() if term.startswith(prefix)], dtype=np.int32)

    def terms(self) -> list[str]:
        """Return all terms, in the order of their ids."""
        return [*self]

    def add(self, term: str) -> int:
        """Return the id of a term, the next one if it is not known."""
        return self.setdefault(term, len(self))


def _ids(vocabulary: dict[str, int], terms: Iterable[str]) -> NDArray[np.int32]:
    return np.array([vocabulary[term] for term in terms], dtype=np.int32)


def _joining(
    vocabulary: dict[str, int], wanted: tuple[str, ...], words: Sequence[Alike], weight: float, most: int, known: float
) -> tuple[dict[str, float], dict[str, int], dict[str, float]]:
    """Return what each term of like meaning counts, the place of what it stands for, how far a term is translated."""
    shares: dict[str, float] = {}
    heads: dict[str, int] = {}
    told: dict[str, float] = {}
    for terms, others, is_translated in words:
        there = [(each, like) for each, like in others if vocabulary.keys() >= {*each} and not {*each} <= {*wanted}]
        for parts, likeness in there[:most]:
            share = weight * likeness / len(parts)
            for term in parts:
                if term not in wanted and share > shares.get(term, 0.0):
                    shares[term] = share
                    heads.pop(term, None)
                    heads |= {term: wanted.index(terms[0])} if terms[0] in wanted else {}
            for term in terms if is_translated else ():
                told[term] = max(told.get(term, 0.0), known * likeness)
    return shares, heads, told


def top_k(scores: NDArray[np.float32], allowed: NDArray[np.uint8], k: int) -> NDArray[np.int32]:
    """Return the rows of the k highest positive scores, best first; among equals the lower row. int32[≤ k].

    scores: float32[n]. allowed: uint8[n], 0 leaves a row out.
    """
    if len(allowed) != len(scores):
        raise ValueError(f"scores has {len(scores)} rows but allowed has {len(allowed)}")
    if k < 0:
        raise ValueError(f"k must be ≥ 0, got {k}")
    rows = np.flatnonzero((allowed != 0) & (scores > 0))
    return rows[np.lexsort((rows, -scores[rows]))][:k].astype(np.int32)


def fuse(
    lists: Sequence[tuple[NDArray[np.int32], NDArray[np.float64], float]], method: str, rrf_k: float
) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """Join ranked lists; return (rows int32[m], joined scores float64[m]), best first, lower row first among equals.

    lists: (rows, scores, weight) of each. rrf: a row gains weight / (rrf_k + rank) from each list, rank from 1.
    weighted_sum: it gains weight · its score, min-max normalised within the list (1 where all are equal). none: it has
    its best weight · score. What a row gains
    is added in the order of the lists; a list has a row at most once.
    """
    if method not in {"rrf", "weighted_sum", "none"}:
        raise ValueError(f"method must be one of ['none', 'rrf', 'weighted_sum'], got {method!r}")
    if not rrf_k > 0:
        raise ValueError(f"rrf_k must be > 0, got {rrf_k}")
    for number, (rows, scores, weight) in enumerate(lists):
        if len(scores) != len(rows):
            raise ValueError(f"list {number}: rows has {len(rows)} entries but scores has {len(scores)}")
        if not weight >= 0:
            raise ValueError(f"list {number}: weight must be ≥ 0, got {weight}")
    joined: dict[int, float] = {}
    for rows, scores, weight in lists:
        one = scores.tolist()
        low, high = min(one, default=0.0), max(one, default=0.0)
        for place, (row, value) in enumerate(zip(rows.tolist(), one, strict=True)):
            if method == "rrf":
                joined[row] = joined.get(row, 0.0) + weight / (rrf_k + place + 1)
            elif method == "weighted_sum":
                joined[row] = joined.get(row, 0.0) + weight * ((value - low) / (high - low) if high > low else 1.0)
            else:
                joined[row] = max(joined.get(row, weight * value), weight * value)
    best = sorted(joined, key=lambda row: (-joined[row], row))
    return np.array(best, dtype=np.int32), np.array([joined[row] for row in best], dtype=np.float64)


def places_in(listed: NDArray[np.int32], rows: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return the place of each row in a list, from 1, the first if it has several; 0 of one that is not there."""
    places = {row: place for place, row in reversed(list(enumerate(listed.tolist(), start=1)))}
    return np.array([places.get(row, 0) for row in rows.tolist()], dtype=np.int32)


def order(rows: NDArray[np.int32], scores: NDArray[np.float64], ties: NDArray[np.int64]) -> NDArray[np.int32]:
    """Return the places of rows, best first: higher score, then lower tie, then lower row. int32[m]. A step of rank.

    rows: int32[m], each once. scores: float64[m], no NaN. ties: int64[m].
    """
    return np.lexsort((rows, ties, -scores)).astype(np.int32)


Columns = dict[str, NDArray[Any]]
"""What is known of every row, by the names of index/chunks.py."""


def features(  # noqa: PLR0913  the signature of the kernel
    rows: NDArray[np.int32],
    words: tuple[NDArray[np.float32], NDArray[np.uint64], NDArray[np.float64], NDArray[np.float64]],
    word_trust: float,
    vectors: tuple[NDArray[np.float32], NDArray[np.float32], float, float],
    vector_trust: float,
    named: NDArray[np.uint8],
    columns: Columns,
    now_us: int,
    half_life_us: float,
) -> NDArray[np.float64]:
    """Return what is known of each candidate, in 0..1: float64[m, 13], columns as in brain_core.kernels.features.NAMES.

    rows: int32[m], the candidates. words: (BM25 of every row float32[n], masks of the query's words that each has
    uint64[n], their weights float64[≤ 64], BM25 of every session float64[s]). vectors: (cosine of each candidate
    float32[m], of its session float32[m], mean and deviation of cosines over the memory). named: uint8[speakers].

        lexical               BM25 / best BM25 among candidates and the messages next to theirs
        semantic              how far the cosine is above the mean, by nine deviations
        before, after         best lexical in the neighbouring message, less the longer the row next to the candidate's
        around                share of the weight of the query's words that are said within two messages
        session_lexical       BM25 of the candidate's session / that of the best session of a candidate
        session_semantic      as semantic, of the session
        speaker               1 if the query names who spoke
        concise               falls to 0 at 600 characters of an assistant's text; 1 for everyone else's
        first_person          words like "my", 1 from three on
        recency               halves with each half_life_us before now_us; 1 for what is not older than now
        priority              1 - priority / 10
        confidence            as given

    What comes of words is multiplied by word_trust, what comes of vectors by vector_trust, and semantic besides by
    2 - word_trust: where words say little, the text's own meaning says more.
    """
    lexical, masks, weights, session_lexical = words
    cosine, session_cosine, mean, deviation = vectors
    m, n = len(rows), len(lexical)
    if {len(cosine), len(session_cosine)} != {m}:
        raise ValueError(f"cosines must have {m} entries, one for each of rows")
    if len(masks) != n:
        raise ValueError(f"masks must have {n} entries, one for each of lexical")
    if len(weights) > _MASK_BITS:
        raise ValueError(f"weights must have at most {_MASK_BITS} entries, got {len(weights)}")
    if not (deviation > 0 and half_life_us > 0):
        raise ValueError(f"deviation and half_life_us must be > 0, got {deviation} and {half_life_us}")
    for name, column in columns.items():
        if len(column) != n:
            raise ValueError(f"column {name} has {len(column)} entries, not {n}")
    before, after, start, chars = (columns[name] for name in ("before", "after", "start", "chars"))
    _check_rows(rows, before, after, n)

    def best(row: int, step: NDArray[np.int32]) -> float:
        return max([0.0, *(float(lexical[one]) for one in _along(start, step, row, messages=1))])

    def faded(value: float, row: int) -> float:
        return value / (1.0 + int(chars[row]) / 300.0) if row >= 0 else 0.0

    def around(row: int) -> float:
        near = [*_along(start, before, row, messages=1 + _AROUND), *_along(start, after, row, messages=1 + _AROUND)]
        said = [any(int(masks[one]) >> bit & 1 for one in near) for bit in range(len(weights))]
        total = _sum(weights)
        return _sum(weights[np.flatnonzero(said)]) / total if total > 0 else 0.0

    def above(value: np.float32) -> float:
        return min(max((float(value) - mean) / (deviation * 9.0), 0.0), 1.0)

    beside = [(int(before[start[row]]), _message_after(start, after, row)) for row in rows.tolist()]
    next_to = [(best(left, before), best(right, after)) for left, right in beside]
    top = max([0.0, *(float(lexical[row]) for row in rows), *(one for pair in next_to for one in pair)])
    sessions = {row: int(columns["session"][row]) for row in rows.tolist()}
    of_session = {row: float(session_lexical[s]) for row, s in sessions.items() if 0 <= s < len(session_lexical)}
    session_top = max([0.0, *of_session.values()])
    matrix = np.zeros((m, 13), dtype=np.float64)
    for place, row in enumerate(rows.tolist()):
        age, speaker = float(now_us - int(columns["time_us"][row])), int(columns["speaker"][row])
        of_words = (float(lexical[row]), *next_to[place])
        own, left, right = (word_trust * one / top if top > 0 else 0.0 for one in of_words)
        matrix[place] = (
            own,
            vector_trust * (2.0 - word_trust) * above(cosine[place]),
            faded(left, beside[place][0]),
            faded(right, beside[place][1]),
            word_trust * around(row),
            word_trust * of_session.get(row, 0.0) / session_top if session_top > 0 else 0.0,
            vector_trust * above(session_cosine[place]),
            named[speaker] if 0 <= speaker < len(named) else 0.0,
            1.0 - min(int(chars[row]) / 600.0, 1.0) if columns["assistant"][row] else 1.0,
            min(int(columns["first_person"][row]) / 3.0, 1.0),
            math.exp2(-age / half_life_us) if age > 0 else 1.0,
            1.0 - int(columns["priority"][row]) / 10.0,
            columns["confidence"][row],
        )
    return matrix


def _along(start: NDArray[np.int32], step: NDArray[np.int32], row: int, messages: int) -> Iterator[int]:
    """Give up to _REACH rows from a row on in the direction of step, as long as they are of so many messages."""
    message = start[row]
    for _ in range(_REACH):
        if row < 0:
            return
        if start[row] != message:
            message, messages = start[row], messages - 1
        if messages == 0:
            return
        yield row
        row = int(step[row])


def _message_after(start: NDArray[np.int32], after: NDArray[np.int32], row: int) -> int:
    """Return the first row of the message after a row's own, -1 if there is none."""
    message = start[row]
    while row >= 0 and start[row] == message:
        row = int(after[row])
    return row


def neighbours(
    rows: NDArray[np.int32],
    most: int,
    before: NDArray[np.int32],
    after: NDArray[np.int32],
    allowed: NDArray[np.uint8],
) -> NDArray[np.int32]:
    """Return what stands beside the first `most` rows, is allowed and not among rows itself: int32[≤ 2 · most].

    Ascending, each once. rows: int32[m]. before, after: int32[n], the rows that stand next to a row in its session, -1
    is none. allowed: uint8[n], 0 leaves a row out.
    """
    n = len(allowed)
    if {len(before), len(after)} != {n}:
        raise ValueError(f"before and after must have {n} entries, one for each of allowed")
    if most < 0:
        raise ValueError(f"most must be ≥ 0, got {most}")
    _check_rows(rows, before, after, n)
    first = rows[:most]
    beside = {*before[first].tolist(), *after[first].tolist()} - {*rows.tolist()}
    return np.array(sorted(row for row in beside if row >= 0 and allowed[row]), dtype=np.int32)


def _check_rows(rows: NDArray[np.int32], before: NDArray[np.int32], after: NDArray[np.int32], n: int) -> None:
    for place, row in enumerate(rows.tolist()):
        if not 0 <= row < n:
            raise ValueError(f"rows[{place}] is {row}, not in 0..{n - 1}")
        if before[row] >= n or after[row] >= n:
            raise ValueError(f"a neighbour of row {row} is not in 0..{n - 1}")


def linear(matrix: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the weighted mean of each row of features: float64[m]. A step of rank.

    matrix: float64[m, f]. weights: float64[f], ≥ 0, not all 0.
    """
    total = _sum(weights)
    scores = np.zeros(len(matrix), dtype=np.float64)
    for column, weight in zip(matrix.T, weights, strict=True):
        scores += column * (weight / total)
    return scores


@dataclass(frozen=True, slots=True)
class Memory:
    """What a ranking reads of every row, until a row is added.

    columns: as in features. status: uint8[n]. packed: uint8[n, d + 4], as of `quantise`. session_places: int32[s],
    where each session's sum of vectors stands, -1 is nowhere; session_sums: float32[≥ c, d].
    """

    columns: Columns
    status: NDArray[np.uint8]
    packed: NDArray[np.uint8]
    session_places: NDArray[np.int32]
    session_sums: NDArray[np.float32]

    def __post_init__(self) -> None:
        n, d = len(self.packed), self.packed.shape[1] - SCALE_BYTES
        for name, column in [*self.columns.items(), ("status", self.status)]:
            if len(column) != n:
                raise ValueError(f"column {name} has {len(column)} entries, not {n}")
        if self.session_sums.shape[1] != d:
            raise ValueError(f"sums have {self.session_sums.shape[1]} numbers, vectors have {d}")
        for session, place in enumerate(self.session_places.tolist()):
            if place >= len(self.session_sums):
                raise ValueError(f"session {session} has no sum at {place}")


@dataclass(frozen=True, slots=True)
class Query:
    """What one query says of every row.

    words: (BM25 of every row float32[n], which of its words each has uint64[n], what each weighs float64[≤ 64], BM25 of
    every session float64[s]), which count word_trust. vector: float32[d], empty for none, which counts vector_trust.
    named: uint8[speakers], 1 where it holds the name. allowed: uint8[n], 0 where its filters leave a row out. weight:
    of the query, ≥ 0. most: rows that are kept of those that it scores best, ≥ 0.
    """

    words: tuple[NDArray[np.float32], NDArray[np.uint64], NDArray[np.float64], NDArray[np.float64]]
    word_trust: float
    vector: NDArray[np.float32]
    vector_trust: float
    named: NDArray[np.uint8]
    allowed: NDArray[np.uint8]
    weight: float
    most: int

    def __post_init__(self) -> None:
        lexical, masks, weights, _ = self.words
        if {len(masks), len(self.allowed)} != {len(lexical)}:
            raise ValueError(f"masks and allowed must have {len(lexical)} entries, one for each of lexical")
        if len(weights) > _MASK_BITS:
            raise ValueError(f"weights must have at most {_MASK_BITS} entries, got {len(weights)}")
        if not self.weight >= 0:
            raise ValueError(f"weight must be ≥ 0, got {self.weight}")
        if self.most < 0:
            raise ValueError(f"most must be ≥ 0, got {self.most}")


Lists = list[tuple[NDArray[np.int32], NDArray[np.float64], float, int]]
Settings = tuple[int, NDArray[np.float64], int, float, int, float, NDArray[np.int64]]


def rank(
    memory: Memory, queries: list[Query], lists: Lists, method: str, rrf_k: float, settings: Settings
) -> tuple[NDArray[np.int32], NDArray[np.float64], NDArray[np.int32], NDArray[np.float64], NDArray[np.float64], int]:
    """Return (rows int32[m], scores float64[m], queries int32[m], joined float64[m], recency float64[m], over).

    Best first; over: how many more there are than the queries keep.

    queries: Query of each. lists: (rows int32[r], scores float64[r], weight, place of the query) of each that a query
    found, as in `fuse`. settings: (top_n, weights float64[13] of the features, deprecated status, factor on its score,
    now_us, half_life_us, ties int64[n] or empty).

    The lists are joined. The best top_n, and what stands beside the best 64 and no list has, get the best score that
    they have with a query: the weighted mean of their features times the query's weight. The rest follows below, by its
    joined score. With top_n 0 all stand by their joined score, as a share of the best. joined is NaN for what no list
    has, recency for what was not scored on features. queries: which gave the best score; of the rest, whose list comes
    first. Ties go by `ties`, then by row.
    """
    _check_ranking(memory, queries, lists, method, settings)
    top_n, weights, deprecated, factor, now_us, half_life_us, ties = settings
    listed, fused = fuse([one[:3] for one in lists], method, rrf_k)
    _check_rows(listed, memory.columns["before"], memory.columns["after"], len(memory.packed))
    head, beside = listed[:top_n], _beside(memory, queries, listed) if top_n else listed[:0]
    rows = np.concatenate([head, beside, listed[top_n:]])
    scored = len(head) + len(beside)
    scores, best = np.zeros(len(rows)), np.zeros(len(rows), dtype=np.int32)
    joined, recency = np.full(len(rows), np.nan), np.full(len(rows), np.nan)
    joined[: len(head)], joined[scored:] = fused[: len(head)], fused[len(head) :]
    for number, query in enumerate(queries if scored else []):
        matrix = _known(memory, query, rows[:scored], now_us, half_life_us)
        found = np.where(query.allowed[rows[:scored]] != 0, linear(matrix, weights) * query.weight, 0.0)
        best[:scored] = np.where(found > scores[:scored], number, best[:scored])
        scores[:scored] = np.maximum(scores[:scored], found)
        recency[:scored] = matrix[:, _RECENCY]
    scores[:scored] *= np.where(memory.status[rows[:scored]] == deprecated, factor, 1.0)
    best[scored:] = [_first_query(lists, row) for row in rows[scored:].tolist()]
    low = float(scores[:scored].min()) if scored else 1.0
    for place in range(len(head), len(listed)):
        share = fused[place] / fused[0] if fused[0] > 0 else 1.0 / (place + 1)
        scores[len(beside) + place] = low * share
    places = order(rows, scores, ties[rows] if len(ties) else np.zeros(len(rows), dtype=np.int64))
    left = [query.most for query in queries]
    kept = []
    for place in places.tolist():
        left[best[place]] -= 1
        if left[best[place]] >= 0:
            kept.append(place)
    over = len(places) - len(kept)
    places = np.array(kept, dtype=np.int64)
    return rows[places], scores[places], best[places], joined[places], recency[places], over


def _check_ranking(memory: Memory, queries: list[Query], lists: Lists, method: str, settings: Settings) -> None:
    n = len(memory.packed)
    top_n, weights, _, _, _, half_life_us, ties = settings
    if method not in {"rrf", "weighted_sum", "none"}:
        raise ValueError(f"method must be one of ['none', 'rrf', 'weighted_sum'], got {method!r}")
    if top_n < 0:
        raise ValueError(f"top_n must be ≥ 0, got {top_n}")
    if len(weights) != _FEATURES:
        raise ValueError(f"weights must have {_FEATURES} entries, got {len(weights)}")
    for number, weight in enumerate(weights.tolist()):
        if not weight >= 0:
            raise ValueError(f"weights[{number}] must be ≥ 0, got {weight}")
    if not _sum(weights) > 0:
        raise ValueError("weights must have a positive sum")
    if not half_life_us > 0:
        raise ValueError(f"half_life_us must be > 0, got {half_life_us}")
    if len(ties) not in {0, n}:
        raise ValueError(f"ties must have {n} entries or none, got {len(ties)}")
    _check_queries(memory, queries, lists)


def _check_queries(memory: Memory, queries: list[Query], lists: Lists) -> None:
    n, d = len(memory.packed), memory.packed.shape[1] - SCALE_BYTES
    for number, query in enumerate(queries):
        if len(query.allowed) != n:
            raise ValueError(f"query {number} is of {len(query.allowed)} rows, not {n}")
        if len(query.vector) not in {0, d}:
            raise ValueError(f"query {number}: vector has {len(query.vector)} numbers")
    for number, (*_, of) in enumerate(lists):
        if not 0 <= of < len(queries):
            raise IndexError(f"list {number} is of query {of}, not of one of {len(queries)}")


def _beside(memory: Memory, queries: list[Query], listed: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return what stands beside the best and some query may find."""
    allowed = np.maximum.reduce([np.zeros(len(memory.packed), np.uint8), *(query.allowed for query in queries)])
    return neighbours(listed, _NEIGHBOURS_OF, memory.columns["before"], memory.columns["after"], allowed)


def _known(
    memory: Memory, query: Query, rows: NDArray[np.int32], now_us: int, half_life_us: float
) -> NDArray[np.float64]:
    """Return the features that rows have with a query."""
    own = of_sessions = np.zeros(len(rows), dtype=np.float32)
    mean, deviation = 0.0, 1.0
    if len(query.vector):
        own = cosines(memory.packed, rows, query.vector)
        of_sessions = _of_sessions(memory, rows, own, query.vector)
        mean, deviation = _usual(memory.packed, query.vector)
    vectors = (own, of_sessions, mean, deviation)
    return features(
        rows, query.words, query.word_trust, vectors, query.vector_trust, query.named, memory.columns, now_us,
        half_life_us,
    )  # fmt: skip


def _of_sessions(
    memory: Memory, rows: NDArray[np.int32], own: NDArray[np.float32], query: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Return the cosine of the sum of each row's session; the row's own where there is none."""
    found = own.copy()
    for number, session in enumerate(memory.columns["session"][rows].tolist()):
        place = int(memory.session_places[session]) if 0 <= session < len(memory.session_places) else -1
        if place >= 0:
            joined = memory.session_sums[place : place + 1]
            length = max(np.sqrt(_in_lanes(joined * joined)[0]), _LEAST_LENGTH)
            found[number] = _in_lanes(joined * query)[0] / length
    return found


def _usual(packed: NDArray[np.uint8], query: NDArray[np.float32]) -> tuple[float, float]:
    """Return mean and deviation of the cosines of up to 256 rows spread evenly."""
    size = min(len(packed), _SAMPLE)
    found = cosines(packed, (np.arange(size) * len(packed) // size).astype(np.int32), query).tolist()
    mean = _sum(found) / size
    return mean, max(math.sqrt(_sum((one - mean) * (one - mean) for one in found) / size), _LEAST_DEVIATION)


def _first_query(lists: Lists, row: int) -> int:
    """Return the query of the first list that has a row."""
    return next(of for rows, _, _, of in lists if row in rows)


def quantise(vectors: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Return uint8[m, d + 4], the vectors float32[m, d], d ≥ 1, as an index keeps them: signed bytes, then their scale.

    scale: the greatest |number| / 127, rounded to 17 bits; bytes: number / scale, half to even. What `expand` makes
    of a row gives that row again. A vector with a number that is not within ±65536, as half floats are, is one of
    zeros. Raises ValueError.
    """
    if vectors.shape[1] == 0:
        raise ValueError("vectors must have at least one number")
    scales = _scales(vectors, _BYTE_MOST)
    scales = ((scales.view(np.uint32) + np.uint32(0x40)) & ~np.uint32(0x7F)).view(np.float32)
    numbers = _in_scales(vectors, scales[:, None], _BYTE_MOST).astype(np.int8)
    return np.concatenate([numbers.view(np.uint8), scales[:, None].view(np.uint8)], axis=1)


def _scales(vectors: NDArray[np.float32], most: int) -> NDArray[np.float32]:
    """Return what 1 of whole numbers up to `most` counts in each vector: float32[m], 0 of one that points nowhere."""
    greatest: NDArray[np.float32] = np.abs(vectors).max(axis=1, initial=0)
    greatest[~(greatest <= _RANGE)] = 0
    return greatest / np.float32(most)


def _in_scales(numbers: NDArray[np.float32], scale: NDArray[np.float32], most: int) -> NDArray[np.float32]:
    """Return numbers in scales, whole and within ±most, half to even; 0 where the scale is."""
    divided = np.divide(numbers, scale, out=np.zeros_like(numbers), where=scale > 0)
    return np.clip(np.rint(divided), -most, most)


def _numbers(packed: NDArray[np.uint8], rows: NDArray[np.int32]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Return (int8[m, d], scales float32[m, 1]) of rows."""
    for place, row in enumerate(rows.tolist()):
        if not 0 <= row < len(packed):
            raise IndexError(f"rows[{place}] is {row}, not in 0..{len(packed) - 1}")
    picked = packed[rows]
    return picked[:, :-SCALE_BYTES].view(np.int8), picked[:, -SCALE_BYTES:].copy().view(np.float32)


def cosines(packed: NDArray[np.uint8], rows: NDArray[np.int32], query: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return float32[m], the inner product of the query float32[d] with the vectors of rows int32[m].

    packed: uint8[n, d + 4] as of `quantise`, d ≥ 1. The query is rounded to 32,767ths of its greatest number, half to
    even; what is summed are whole numbers.
    """
    d = packed.shape[1] - SCALE_BYTES
    if d <= 0:
        raise ValueError("vectors must have at least one number")
    if len(query) != d:
        raise ValueError(f"query has {len(query)} numbers, vectors have {d}")
    numbers, scales = _numbers(packed, rows)
    [scale] = _scales(query[None, :], _WHOLE_MOST)
    wholes = _in_scales(query, scale, _WHOLE_MOST).astype(np.int64)
    products: NDArray[np.float32] = (numbers.astype(np.int64) @ wholes).astype(np.float32) * (scales[:, 0] * scale)
    return products


def nearest(
    packed: NDArray[np.uint8], rows: NDArray[np.int32], query: NDArray[np.float32], k: int
) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    """Return (rows int32[≤ k], inner products float32[≤ k]) of the k best of rows, the lower row first among equals.

    A row whose product is 0 has no vector and is left out. k ≥ 0; otherwise as cosines.
    """
    if k < 0:
        raise ValueError(f"k must be ≥ 0, got {k}")
    products = cosines(packed, rows, query)
    places = np.lexsort((rows, -products))
    best = places[products[places] != 0][:k]
    return rows[best], products[best]


def expand(packed: NDArray[np.uint8], rows: NDArray[np.int32]) -> NDArray[np.float32]:
    """Return float32[m, d], the vectors of rows: exact, for a scale has 17 bits and a byte 7."""
    if packed.shape[1] <= SCALE_BYTES:
        raise ValueError("vectors must have at least one number")
    numbers, scales = _numbers(packed, rows)
    return numbers.astype(np.float32) * scales


def near(
    codes: NDArray[np.uint8],
    centroids: NDArray[np.float32],
    query: NDArray[np.float32],
    allowed: NDArray[np.uint8],
    wanted: int,
) -> NDArray[np.int32]:
    """Return int32[m], ascending: the rows that seem nearest to a query, `wanted` of them and all that equal the last.

    Rows past those that have codes are all among them. codes: uint8[b · 32 · ⌈p / 2⌉], 4 bits for each of p parts of
    the vectors of b ≤ ⌈n / 32⌉ blocks of 32 rows, one after the other: of each two parts 16 bytes of the first and 16
    of the second, whose lower halves are of rows 0, 8, 1, 9, … 7, 15 and upper ones of rows 16, 24, … 23, 31.
    centroids: float32[p, d / p, 16]. query: float32[d], finite. allowed: uint8[n].
    What a centroid makes with its part of the query is counted above the least of the part, in steps of the widest
    part's 255th, wider if a sum could be above 65,535 - p.
    """
    parts, numbers, each = centroids.shape
    n, pairs = len(allowed), -(-parts // 2)
    if not 0 < parts < _SUM_MOST or each != _CENTROIDS or numbers == 0:
        raise ValueError(f"centroids must be 16 of at least one number for each part, got {centroids.shape}")
    if len(query) != parts * numbers:
        raise ValueError(f"query has {len(query)} numbers, centroids have {parts * numbers}")
    size, most = pairs * _ROWS_OF_BLOCK, -(-n // _ROWS_OF_BLOCK)
    if len(codes) % size or len(codes) // size > most:
        raise ValueError(f"codes of {n} rows must have {size} bytes for each of up to {most} blocks, got {len(codes)}")
    if wanted < 0:
        raise ValueError(f"wanted must be ≥ 0, got {wanted}")
    bytes_ = codes.reshape(-1, pairs, 2, 8, 2)  # block, two of these, row, row + 8
    halves = np.stack([bytes_ & 15, bytes_ >> 4], axis=-1)  # row, row + 16
    named = halves.transpose(0, 5, 4, 3, 1, 2).reshape(-1, 2 * pairs)[:n, :parts]
    table = _table(centroids, query.reshape(parts, numbers))
    sums = table[np.arange(parts), named].sum(axis=1, dtype=np.int64)
    there, past = np.flatnonzero(allowed[: len(sums)]), len(sums) + np.flatnonzero(allowed[len(sums) :])
    if wanted and len(there):
        least = np.sort(sums[there])[-min(wanted, len(there))]
        past = np.concatenate([there[sums[there] >= least], past])
    return past.astype(np.int32)


def _table(centroids: NDArray[np.float32], query: NDArray[np.float32]) -> NDArray[np.int64]:
    """Return int64[p, 16], 0..255: what centroids make with a query float32[p, d / p], in steps above the least."""
    made = np.zeros(centroids.shape[::2], dtype=np.float32)
    for number in range(query.shape[1]):
        made += query[:, number, None] * centroids[:, number]
    above = made - made.min(axis=1, keepdims=True)
    spans = above.max(axis=1)
    together = np.float32(0)
    for span in spans:
        together += span
    if not together:
        return np.zeros(above.shape, dtype=np.int64)
    steps = min(np.float32(255) / spans.max(), (np.float32(_SUM_MOST) - np.float32(len(spans))) / together)
    table: NDArray[np.int64] = np.rint(above * steps).astype(np.int64)
    return table


def _in_lanes(products: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the sum of each row of float32[m, d], added as products.h adds: float32[m].

    Column j is added to lane j mod 16, in order; then the upper half of the lanes to the lower one, until one is left.
    """
    lanes = np.zeros((len(products), _LANES), dtype=np.float32)
    for start in range(0, products.shape[1], _LANES):
        piece = products[:, start : start + _LANES]
        lanes[:, : piece.shape[1]] += piece
    width = _LANES // 2
    while width:
        lanes[:, :width] += lanes[:, width : 2 * width]
        width //= 2
    return lanes[:, 0]


def select(
    scores: NDArray[np.float64],
    vectors: NDArray[np.float32],
    groups: NDArray[np.int32],
    caps: NDArray[np.int32],
    trade: float,
    k: int,
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Choose up to k candidates, good and not all the same: maximal marginal relevance under caps.

    Each step looks at the candidate with the highest trade · score - (1 - trade) · likeness, the earlier one among
    equals; likeness is its highest cosine to one already kept, 0 if that is negative. It is kept unless caps[g] kept
    ones share its groups[:, g] already (-1 shares with none); then it is out for good. scores: float64[m]. vectors:
    float32[m, d], cosines summed in lanes, see `_in_lanes`. groups: int32[m, g]. caps: int32[g].
    Returns (order int32[≤ k], fates int32[m]: 0 kept, -1 over k, g + 1 over cap g).
    """
    m = len(scores)
    if len(vectors) != m or len(groups) != m:
        raise ValueError(f"vectors and groups must have {m} rows, one for each of scores")
    if groups.shape[1] != len(caps):
        raise ValueError(f"groups has {groups.shape[1]} kinds but caps has {len(caps)}")
    if not 0 <= trade <= 1:
        raise ValueError(f"trade must be in 0..1, got {trade}")
    if k < 0:
        raise ValueError(f"k must be ≥ 0, got {k}")
    for number, cap in enumerate(caps):
        if cap < 1:
            raise ValueError(f"caps[{number}] must be ≥ 1, got {cap}")
    fates = np.full(m, _WAITING, dtype=np.int32)
    nearest = np.zeros(m, dtype=np.float32)
    kept: list[int] = []
    while len(kept) < k and (fates == _WAITING).any():
        value = trade * scores - (1.0 - trade) * nearest.astype(np.float64)
        best = int(np.argmax(np.where(fates == _WAITING, value, -np.inf)))
        shared = np.count_nonzero((groups[kept] == groups[best]) & (groups[best] >= 0), axis=0)
        over = np.flatnonzero(shared >= caps)
        if len(over):
            fates[best] = int(over[0]) + 1
            continue
        fates[best] = KEPT
        kept.append(best)
        nearest = np.maximum(nearest, _in_lanes(vectors * vectors[best]))
    fates[fates == _WAITING] = OVER_K
    return np.array(kept, dtype=np.int32), fates


def fit(costs: NDArray[np.int64], limit: int, most: int) -> tuple[NDArray[np.uint8], int]:
    """Take pieces in order while they fit, at most `most`; return (kept uint8[m], what they cost).

    A piece that does not fit is passed over, and later ones may still fit. costs: int64[m]. A limit below 0 counts
    as 0.
    """
    if most < 0:
        raise ValueError(f"most must be ≥ 0, got {most}")
    for number, size in enumerate(costs):
        if size < 0:
            raise ValueError(f"costs[{number}] must be ≥ 0, got {size}")
    kept = np.zeros(len(costs), dtype=np.uint8)
    used = 0
    for number, size in enumerate(costs.tolist()):
        if kept.sum() < most and used + size <= max(limit, 0):
            kept[number] = 1
            used += size
    return kept, used


def convolve(
    packed: NDArray[np.uint8],
    ids: NDArray[np.int32],
    starts: NDArray[np.int32],
    filters: NDArray[np.float32],
    bias: NDArray[np.float32],
    head: NDArray[np.float32],
) -> NDArray[np.float32]:
    """Return of each text and label Σ over filters of the strongest answer, at least 0, times head: float32[texts, l].

    packed: uint8[n, d + 4]. ids: int32[k]. starts: int32[texts + 1]. filters: float32[d · w (w + 1) / 2, f], by width.
    bias: float32[w · f]. head: float32[w · f, l]. A filter of a width answers bias + Σ window · filter, of the tokens
    from each on; behind its last a text has zeros.
    """
    d, f = packed.shape[1] - SCALE_BYTES, filters.shape[1]
    if d <= 0:
        raise ValueError("vectors must have at least one number")
    if f == 0 or f % _LANES:
        raise ValueError(f"a width must have a multiple of {_LANES} filters, got {f}")
    widths = len(bias) // f
    if widths == 0 or len(bias) != widths * f:
        raise ValueError(f"bias must have {f} numbers for each width, got {len(bias)}")
    if len(filters) != d * (widths * (widths + 1) // 2):
        raise ValueError(f"filters must have {d * (widths * (widths + 1) // 2)} rows, got {len(filters)}")
    if len(head) != len(bias):
        raise ValueError(f"bias has {len(bias)} entries but head has {len(head)}")
    for number, row in enumerate(ids.tolist()):
        if not 0 <= row < len(packed):
            raise ValueError(f"ids[{number}] must be in 0..{len(packed) - 1}, got {row}")
    if not len(starts) or starts[0] != 0 or starts[-1] != len(ids):
        raise ValueError(f"starts must go from 0 to {len(ids)}")
    for text in range(1, len(starts)):
        if starts[text] < starts[text - 1]:
            raise ValueError(f"starts[{text}] must not be below starts[{text - 1}]")
    out = np.zeros((len(starts) - 1, head.shape[1]), np.float32)
    for text, (start, stop) in enumerate(pairwise(starts.tolist())):
        tokens = expand(packed, ids[start:stop])
        strongest = np.concatenate(list(_strongest(tokens, filters, bias.reshape(widths, f))))
        for number, row in zip(strongest, head, strict=True):
            out[text] += number * row
    return out


def _strongest(
    tokens: NDArray[np.float32], filters: NDArray[np.float32], bias: NDArray[np.float32]
) -> Iterator[NDArray[np.float32]]:
    """Yield by width, 1 and up, of each filter the strongest answer: float32[f]."""
    size, d = tokens.shape
    ahead = np.concatenate([tokens, np.zeros((len(bias), d), np.float32)]).ravel()
    first = 0
    for width, begin in enumerate(bias, start=1):
        best = np.maximum(begin, np.float32(0))
        for place in range(size):
            answer = begin.copy()
            for number, row in zip(ahead[place * d :], filters[first : first + width * d], strict=False):
                answer += number * row
            best = np.maximum(best, answer)
        first += width * d
        yield best


def pool(
    rows: NDArray[np.int8],
    scales: NDArray[np.float32],
    ids: NDArray[np.int32],
    weights: NDArray[np.float32],
    out: NDArray[np.float32],
) -> None:
    """Write the sum of weights[i] · scales[ids[i]] · rows[ids[i]], scaled to unit length, into out: float32[d].

    rows: int8[n, d], d ≥ 1. scales: float32[n]. ids: int32[k], 0..n - 1. weights: float32[k]. Zeros if the sum is zero.
    """
    if len(scales) != len(rows):
        raise ValueError(f"rows has {len(rows)} entries but scales has {len(scales)}")
    if len(weights) != len(ids):
        raise ValueError(f"ids has {len(ids)} entries but weights has {len(weights)}")
    if len(out) != rows.shape[1] or len(out) == 0:
        raise ValueError(f"rows has {rows.shape[1]} columns but out has {len(out)}")
    for number, row in enumerate(ids.tolist()):
        if not 0 <= row < len(rows):
            raise ValueError(f"ids[{number}] must be in 0..{len(rows) - 1}, got {row}")
    out[:] = 0.0
    for row, weight in zip(ids, weights, strict=True):
        out += (scales[row] * weight) * rows[row].astype(np.float32)
    length = math.sqrt(_sum(float(one) * float(one) for one in out))
    if length > 0:
        out[:] = out.astype(np.float64) / length


def parts_of(
    starts: NDArray[np.int32],
    ids: NDArray[np.int32],
    weights: NDArray[np.float32],
    wanted: NDArray[np.int32],
    counts: NDArray[np.int32],
) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    """Return the ids int32[k] and weights float32[k] of some parts, one after the other; n times a part weighs √n.

    starts: int32[p + 1]: part i is ids[starts[i]:starts[i + 1]], and weights likewise. wanted: int32[m], numbers of
    parts. counts: int32[m], ≥ 1, how often each.
    """
    if len(weights) != len(ids):
        raise ValueError(f"ids has {len(ids)} entries but weights has {len(weights)}")
    if len(counts) != len(wanted):
        raise ValueError(f"wanted has {len(wanted)} entries but counts has {len(counts)}")
    found = [(np.empty(0, dtype=np.int32), np.empty(0, dtype=np.float32))]
    for number, (part, count) in enumerate(zip(wanted.tolist(), counts.tolist(), strict=True)):
        if not (0 <= part < len(starts) - 1 and count >= 1):
            most = len(starts) - 2
            raise ValueError(f"wanted[{number}] must be in 0..{most}, at least once, got {part}, {count} times")
        start, stop = int(starts[part]), int(starts[part + 1])
        if not 0 <= start <= stop <= len(ids):
            raise ValueError(f"part {part} is not in 0..{len(ids)}")
        found.append((ids[start:stop], weights[start:stop] * np.float32(math.sqrt(count))))
    return np.concatenate([ids for ids, _ in found]), np.concatenate([weights for _, weights in found])


@dataclass(slots=True)
class _Piece:
    """A piece of Passages: what it began with, the call that opened it, its rows in order and what they come to.

    runs: of rows that follow each other. label: what it costs beside its rows. changed: which change of all
    was its last.
    """

    hit: int
    call: int
    runs: list[list[int]]
    label: int
    cost: int = 0
    chars: int = 0
    changed: int = 0

    @property
    def rows(self) -> list[int]:
        return [row for run in self.runs for row in run]


class Passages:
    """Twin of passages.Passages, which says what the columns are.

    A row between two pieces is beside the one that changed last, and may join that one alone. One that stands beside
    none may join the first piece under its heading that has room, behind a gap.
    """

    def __init__(  # noqa: PLR0913  the signature of the kernel
        self,
        costs: NDArray[np.int32],
        line_costs: NDArray[np.int32],
        chars: NDArray[np.int32],
        before: NDArray[np.int32],
        after: NDArray[np.int32],
        headings: NDArray[np.int32],
        kinds: NDArray[np.uint8],
        shared: int,
        most: int,
        longest: int,
        gap: int,
        labels: NDArray[np.int32],
    ) -> None:
        if {len(one) for one in (line_costs, chars, before, after, headings, kinds)} != {len(costs)}:
            raise ValueError(f"all columns must have {len(costs)} entries, one for each of costs")
        if not len(labels):
            raise ValueError("labels must have an entry")
        if most < 0:
            raise ValueError(f"most must be ≥ 0, got {most}")
        self._costs = costs
        self._line_costs: list[int] = line_costs.tolist()
        self._chars: list[int] = chars.tolist()
        self._before: list[int] = before.tolist()
        self._after: list[int] = after.tolist()
        self._headings: list[tuple[int, bool]] = list(zip(headings.tolist(), (kinds == shared).tolist(), strict=True))
        self._most, self._longest, self._gap = most, longest, gap
        self._labels: list[int] = labels.tolist()
        self._pieces: list[_Piece] = []
        self._piece_of: dict[int, _Piece] = {}
        self._calls = self._changes = 0

    def fill(self, rows: NDArray[np.int32], may_open: NDArray[np.uint8], free: int) -> tuple[int, NDArray[np.int8]]:
        """Take rows in order while they fit into what is free; return (what is taken ≤ max(free, 0), fates int8[≤ m]).

        Fates end before a row without a price that could open a piece. rows: int32[m], best first. may_open: uint8[m],
        1 where a row may open a piece. Fates: 0 nothing, 1 joined, 2 opened, 3 over most, 4 does not fit.
        """
        if len(may_open) != len(rows):
            raise ValueError(f"rows has {len(rows)} entries but may_open has {len(may_open)}")
        for place, row in enumerate(rows.tolist()):
            if not 0 <= row < len(self._costs):
                raise ValueError(f"rows[{place}] is {row}, not in 0..{len(self._costs) - 1}")
            self._check_links(row)
        start, fates = free, np.zeros(len(rows), dtype=np.int8)
        for place, row in enumerate(rows.tolist()):
            if row in self._piece_of:
                continue
            full = len(self._pieces) >= self._most
            if self._costs[row] < 0 and may_open[place] and not full:
                fates = fates[:place]
                break
            if (cost := self._joined(row, free)) is not None or (cost := self._fused(row, free)) is not None:
                fates[place], free = JOINED, free - cost
            elif may_open[place] and not full and int(self._costs[row]) + (label := self._label()) <= free:
                self._pieces.append(_Piece(row, self._calls, [], label))
                self._put(self._pieces[-1], row, [[row]])
                fates[place], free = OPENED, free - self._pieces[-1].cost
            elif may_open[place]:
                fates[place] = OVER_MOST if full else DOES_NOT_FIT
        self._calls += 1
        return start - free, fates

    def allow(self, most: int) -> None:
        """Let there be as many as `most` pieces from now on; those that are there stay."""
        if most < 0:
            raise ValueError(f"most must be ≥ 0, got {most}")
        self._most = most

    def widen(self, allowed: NDArray[np.uint8], uris: NDArray[np.int32], closed: NDArray[np.int32], free: int) -> int:
        """Let pieces take in what stands beside them; return what they take ≤ max(free, 0).

        In turns, in the order in which they were opened: each, for its runs, the row after, then the row before, until
        none can.
        allowed: uint8[n], 0 leaves a row out. uris: int32[n]. closed: the uris of rows to leave out.
        """
        if {len(allowed), len(uris)} != {len(self._costs)}:
            raise ValueError(f"allowed and uris must have {len(self._costs)} entries, one for each of costs")
        start, growing = free, self._pieces
        while growing:
            grown = []
            for piece in growing:
                costs = []
                ends = [(to, run[end]) for run in piece.runs for to, end in ((self._after, -1), (self._before, 0))]
                for to, end in ends:
                    row = self._neighbour(to, end)
                    if row >= 0 and row not in self._piece_of and allowed[row] and uris[row] not in closed:
                        self._check_links(row)
                        costs.append(self._joined(row, free))
                        free -= costs[-1] or 0
                if any(cost is not None for cost in costs):
                    grown.append(piece)
            growing = grown
        return start - free

    def pieces(
        self,
    ) -> tuple[
        NDArray[np.int32],
        NDArray[np.int32],
        NDArray[np.int64],
        NDArray[np.int64],
        NDArray[np.int64],
        NDArray[np.int32],
    ]:
        """Return (hits, calls, costs, chars, offsets, rows), pieces in the order in which they were opened.

        hits: the row that each began with. calls: which call of fill opened it, from 0. Piece i has
        rows[offsets[i]:offsets[i + 1]], in their order in the session.
        """
        return (
            np.array([piece.hit for piece in self._pieces], dtype=np.int32),
            np.array([piece.call for piece in self._pieces], dtype=np.int32),
            np.array([piece.cost for piece in self._pieces], dtype=np.int64),
            np.array([piece.chars for piece in self._pieces], dtype=np.int64),
            np.cumsum([0, *(len(piece.rows) for piece in self._pieces)], dtype=np.int64),
            np.array([row for piece in self._pieces for row in piece.rows], dtype=np.int32),
        )

    def _joined(self, row: int, free: int) -> int | None:
        """Put a row into the piece that it stands beside, if it fits; return what that costs, else None."""
        beside = self._beside(row)
        if not beside:
            return None
        piece = max(beside, key=lambda one: one.changed)
        before, after = self._before[row], self._after[row]
        at = next(place for place, run in enumerate(piece.runs) if run[-1] == before or run[0] == after)
        runs = [list(run) for run in piece.runs]
        if runs[at][-1] == before:
            runs[at].append(row)
            if at + 1 < len(runs) and runs[at + 1][0] == after:
                runs[at] += runs.pop(at + 1)
        else:
            runs[at].insert(0, row)
        return self._put_if_fits(piece, row, runs, free)

    def _fused(self, row: int, free: int) -> int | None:
        """Put a row that stands beside no piece into one under its heading, if it fits; return what that costs."""
        heading, may_share = self._headings[row]
        if heading < 0 or not may_share or self._beside(row):
            return None
        for piece in self._pieces:
            if self._headings[piece.hit] == self._headings[row]:
                at = next((place for place, run in enumerate(piece.runs) if run[0] > row), len(piece.runs))
                cost = self._put_if_fits(piece, row, [*piece.runs[:at], [row], *piece.runs[at:]], free)
                if cost is not None:
                    return cost
        return None

    def _label(self) -> int:
        """Return what the label of the next piece costs."""
        return self._labels[min(len(self._pieces), len(self._labels) - 1)]

    def _beside(self, row: int) -> list[_Piece]:
        near = (self._neighbour(self._before, row), self._neighbour(self._after, row))
        return [self._piece_of[one] for one in near if one in self._piece_of]

    def _neighbour(self, there: list[int], row: int) -> int:
        """Return the row before or after a row, if it stands under the same heading, else -1."""
        near = there[row]
        return near if near >= 0 and self._headings[near][0] == self._headings[row][0] else -1

    def _put_if_fits(self, piece: _Piece, row: int, runs: list[list[int]], free: int) -> int | None:
        cost = self._cost(runs) + piece.label - piece.cost
        if cost > free or self._length(runs) > self._longest:
            return None
        self._put(piece, row, runs)
        return cost

    def _put(self, piece: _Piece, row: int, runs: list[list[int]]) -> None:
        self._changes += 1
        piece.runs, piece.cost, piece.chars = runs, self._cost(runs) + piece.label, self._length(runs)
        piece.changed = self._changes
        self._piece_of[row] = piece

    def _cost(self, runs: list[list[int]]) -> int:
        first, *others = [row for run in runs for row in run]
        return int(self._costs[first]) + sum(self._line_costs[row] for row in others) + self._gap * (len(runs) - 1)

    def _length(self, runs: list[list[int]]) -> int:
        return sum(self._chars[row] for run in runs for row in run) + 2 * (len(runs) - 1)

    def _check_links(self, row: int) -> None:
        for there, back in ((self._before, self._after), (self._after, self._before)):
            near = there[row]
            if near >= len(back) or (near >= 0 and back[near] != row):
                raise ValueError(f"a neighbour of row {row} does not point back to it")


Joined = tuple[NDArray[np.uint8], NDArray[np.int64]]
"""Pieces of bytes one after the other, and where each ends, after a 0."""


def evidence_ids(content: NDArray[np.uint8], ends: NDArray[np.int64], rows: Sequence[int]) -> list[str]:
    """Return the ids of serialised Evidence: row r stands in content[ends[r]:ends[r + 1]]."""
    _check_records(content, ends, rows)
    return [_record(content, ends, row).id for row in rows]


def told(
    rows: NDArray[np.int32],
    scores: NDArray[np.float64],
    queries: NDArray[np.int32],
    fused: NDArray[np.float64],
    recency: NDArray[np.float64],
    places: NDArray[np.int64],
    lists: list[tuple[int, int, NDArray[np.int32], NDArray[np.float64]]],
) -> tuple[NDArray[np.int32], NDArray[np.float64], NDArray[np.float64]]:
    """Return what places of a ranking were given: (ranks int32[m, 2], signals float64[m, 5], final float64[m]).

    lists: (query, column, rows, values): what a list gives to places of its query. Twin of signals.told.
    """
    n = len(rows)
    if {len(scores), len(queries), len(fused), len(recency)} != {n}:
        raise ValueError(f"scores, queries, fused and recency must have {n} entries, one for each of rows")
    for number, place in enumerate(places.tolist()):
        if not 0 <= place < n:
            raise IndexError(f"places[{number}] is {place}, not in 0..{n - 1}")
    ranks, signals = np.zeros((len(places), 2), dtype=np.int32), np.full((len(places), 5), np.nan)
    final = np.minimum(scores[places], 1.0)
    signals[:, 2], signals[:, 4] = fused[places], recency[places]
    signals[:, 3] = np.where(np.isnan(recency[places]), np.nan, final)
    for query, column, listed, given in lists:
        if len(given) != len(listed):
            raise ValueError(f"a list of query {query} has {len(listed)} rows but {len(given)} values")
        if column not in (0, 1):
            raise IndexError(f"a list of query {query} is for column {column}, not 0 or 1")
        mine = (queries[places] == query).nonzero()[0]
        found = places_in(listed, rows[places[mine]])
        ranks[mine[found > 0], column] = found[found > 0]
        signals[mine[found > 0], column] = given[found[found > 0] - 1]
    return ranks, signals, final


def context_evidences(  # noqa: PLR0913  the signature of the kernel
    content: NDArray[np.uint8],
    ends: NDArray[np.int64],
    pieces: tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int32], NDArray[np.uint8]],
    heads: list[bytes],
    texts: list[str],
    labels: Joined,
    speakers: NDArray[np.int32],
    ranks: NDArray[np.int32],
    signals: NDArray[np.float64],
    scores: NDArray[np.float64],
    shown: int,
    longest: int,
) -> bytes:
    """Return the pieces of a ContextPackage as its field `evidence`, serialised. The order of bytes may differ.

    content, ends: serialised Evidence of n rows, as in evidence_ids. pieces: (hits int32[p], offsets int64[p + 1], rows
    int32[r], breaks uint8[r]): piece i is made of rows[offsets[i]:offsets[i + 1]], its hit among them, before each
    further one what its break says, on lines of their own (1, an ellipsis; 2, its title; 3, both), and of heads[i].
    heads: ContextEvidence, serialised, without what comes from here. labels: what stands before a further text by its
    speaker; speakers: int32[n], -1 is none. ranks: int32[p, 2], vector_rank and fts_rank, 0 is none. signals:
    float64[p, 5], vector_score, fts_score, rrf_score, rerank_score and recency_score, NaN is none. scores: float64[p].

    The first row of a piece gives title and address; id, ref and time are the hit's; merged names all rows if there are
    several. shown: 0 nothing, 1 the title, 2 the text of the first row; of a text of more than `longest` ≥ 1 characters
    as many, the last one an ellipsis. Every further row is a line of its own, whole, after its speaker's label. Of an
    item's text the first line, its key, is left out. texts: what is shown of a piece's first row, whole, in place of
    what `shown` says; "" is none.
    """
    hits, offsets, rows, breaks = pieces
    p, named = len(hits), _split(labels, "labels")
    _check_given(ranks, signals, scores, p)
    _check_each(p, heads=heads, texts=texts)
    if longest < 1:
        raise ValueError(f"longest must be ≥ 1, got {longest}")
    _check_each(p + 1, offsets=offsets)
    _check_ends(offsets, len(rows), "offsets")
    _check_each(len(rows), breaks=breaks)
    _check_records(content, ends, rows.tolist())
    for row in rows.tolist():
        if row >= len(speakers) or speakers[row] >= len(named):
            raise IndexError(f"the speaker of row {row} has no label")
    package = ContextPackage()
    for number, hit in enumerate(hits.tolist()):
        piece = package.evidence.add()
        piece.MergeFromString(heads[number])
        own = slice(offsets[number], offsets[number + 1])
        records = [(row, _record(content, ends, row)) for row in rows[own].tolist()]
        for _, one in records:
            _drop_key(one)
        _join_records(piece, records, hit)
        ways, given = breaks[own].tolist(), [one for _, one in records]
        further = [(named[speakers[row]].decode() if speakers[row] >= 0 else "") + one.snippet for row, one in records]
        before = ["…\n" * (way & 1) + f"{one.title}\n" * (way >> 1) for way, one in zip(ways, given, strict=True)]
        first = [texts[number] or _first_shown(one, shown, longest) for _, one in records[:1]]
        lines = map(add, before, further)
        piece.snippet = "\n".join([*first, *list(lines)[1:]])
        piece.score = scores[number]
        for name, rank_ in zip(_RANKS, ranks[number].tolist(), strict=True):
            if rank_:
                setattr(piece.signals, name, rank_)
        for name, signal in zip(_SIGNALS, signals[number].tolist(), strict=True):
            if not math.isnan(signal):
                setattr(piece.signals, name, signal)
    return package.SerializeToString()


def _join_records(piece: ContextEvidence, records: Sequence[tuple[int, Evidence]], hit: int) -> None:
    """Put in what one record gives as it is: the first, the hit, or each."""
    if records:
        piece.source_uri, piece.title = records[0][1].source_uri, records[0][1].title
    for row, record in records:
        if row == hit:
            piece.id = record.id
            if record.ref.ByteSize():
                piece.ref.CopyFrom(record.ref)
            if record.metadata.created_at.ByteSize():
                piece.created_at.CopyFrom(record.metadata.created_at)
        if len(records) > 1:
            piece.merged.append(record.ref)


def _drop_key(record: Evidence) -> None:
    """Leave the first line of an item's text out, `[type:key]`, which its address tells."""
    if record.ref.memory_item_id and record.snippet.startswith("[") and "\n" in record.snippet:
        record.snippet = record.snippet.split("\n", 1)[1]


def _first_shown(record: Evidence, shown: int, longest: int) -> str:
    if shown == _SHOW_TITLE:
        return record.title
    if shown != _SHOW_TEXT:
        return ""
    text = record.snippet
    return text if len(text) <= longest else text[: longest - 1] + "…"


def dropped(
    content: NDArray[np.uint8],
    ends: NDArray[np.int64],
    rows: NDArray[np.int32],
    reasons: NDArray[np.int32],
    words: list[bytes],
    field: int,
) -> bytes:
    """Return rows as messages Dropped of a repeated field of this number, serialised.

    content, ends: serialised Evidence, as in evidence_ids. reasons: int32[m], why each was, a place in words:
    serialised Dropped without id.
    """
    _check_each(len(rows), reasons=reasons)
    _check_field(field)
    _check_records(content, ends, rows.tolist())
    for number, reason in enumerate(reasons.tolist()):
        if not 0 <= reason < len(words):
            raise IndexError(f"reasons[{number}] is {reason}, not in 0..{len(words) - 1}")
    out = b""
    for row, reason in zip(rows.tolist(), reasons.tolist(), strict=True):
        one = Dropped(id=_record(content, ends, row).id)
        one.MergeFromString(words[reason])
        message = one.SerializeToString()
        out += _in_field(field, message)
    return out


def selected(  # noqa: PLR0913  the signature of the kernel
    content: NDArray[np.uint8],
    ends: NDArray[np.int64],
    rows: NDArray[np.int32],
    groups: list[str],
    scores: NDArray[np.float64],
    ranks: NDArray[np.int32],
    signals: NDArray[np.float64],
    relations: list[str],
    further: list[str],
    field: int,
) -> bytes:
    """Return why pieces are in a package as messages WhySelected of a repeated field of this number, serialised.

    content, ends, scores: as in context_evidences; ranks, signals: of each piece as there. rows: int32[p], the piece's
    hit. relations: how each is related to its query, "" is by what its ranks say. further: what follows.
    """
    p = len(rows)
    _check_given(ranks, signals, scores, p)
    _check_each(p, groups=groups, relations=relations, further=further)
    _check_field(field)
    _check_records(content, ends, rows.tolist())
    out = b""
    told = zip(rows.tolist(), groups, scores.tolist(), ranks.tolist(), signals.tolist(), relations, strict=True)
    for number, (row, group, score, (vector, words), given, relation) in enumerate(told):
        parts = [f"{group}: score {score:.3f}"]
        if words:
            parts.append(f"words: rank {words} (BM25 {given[1]:.2f})")
        if vector:
            parts.append(f"meaning: rank {vector} (cosine {given[0]:.2f})")
        if relation:
            parts.append(relation)
        if len(parts) == 1 and not all(map(math.isnan, given)):
            parts.append("stands beside a hit in its session")
        reason = "; ".join(parts) + further[number]
        one = WhySelected(id=_record(content, ends, row).id, reason=reason)
        out += _in_field(field, one.SerializeToString())
    return out


def expansions(terms: list[str], weights: NDArray[np.float64], query: int, source: str, field: int) -> bytes:
    """Return words that a query was expanded by as messages Expansion of a repeated field of this number, serialised.

    terms: one for each of weights, float64[m]. query: 0-based place of the query in its plan.
    """
    _check_each(len(weights), terms=terms)
    _check_field(field)
    if query < 0:
        raise ValueError(f"query must be ≥ 0, got {query}")
    out = b""
    for term, weight in zip(terms, weights.tolist(), strict=True):
        message = Expansion(query_index=query, term=term, weight=weight, source=source).SerializeToString()
        out += _in_field(field, message)
    return out


def _check_given(
    ranks: NDArray[np.int32], signals: NDArray[np.float64], scores: NDArray[np.float64], pieces: int
) -> None:
    if {len(ranks), len(signals), len(scores)} != {pieces}:
        raise ValueError(f"ranks, signals and scores must be of {pieces} pieces")
    if (ranks.shape[1], signals.shape[1]) != (len(_RANKS), len(_SIGNALS)):
        raise ValueError(f"ranks and signals must have {len(_RANKS)} and {len(_SIGNALS)} columns")


def _check_each(wanted: int, **parts: Sized) -> None:
    for name, part in parts.items():
        if len(part) != wanted:
            raise ValueError(f"{name} has {len(part)} entries, not {wanted}")


def _check_field(field: int) -> None:
    if not 1 <= field <= _MOST_FIELDS:
        raise ValueError(f"field must be in 1..{_MOST_FIELDS}, got {field}")


def _in_field(field: int, message: bytes) -> bytes:
    """Return a serialised message as one of a repeated field of this number."""
    return _varint(field << 3 | 2) + _varint(len(message)) + message


def _varint(value: int) -> bytes:
    """Return a number as protobuf writes it: seven bits a byte, the lowest first."""
    return bytes([value & 0x7F | 0x80]) + _varint(value >> 7) if value >= 0x80 else bytes([value])


def _record(content: NDArray[np.uint8], ends: NDArray[np.int64], row: int) -> Evidence:
    try:
        return Evidence.FromString(content[ends[row] : ends[row + 1]].tobytes())
    except DecodeError as error:
        raise ValueError(f"record {row} is no message") from error


def _check_records(content: NDArray[np.uint8], ends: NDArray[np.int64], rows: Sequence[int]) -> None:
    for row in rows:
        if not 0 <= row < len(ends) - 1:
            raise IndexError(f"row {row} is not in 0..{len(ends) - 2}")
        if not 0 <= ends[row] <= ends[row + 1] <= len(content):
            raise ValueError(f"record {row} does not stand in the content")


def _split(given: Joined, name: str) -> list[bytes]:
    content, ends = given
    _check_ends(ends, len(content), name)
    return [content[start:stop].tobytes() for start, stop in pairwise(ends)]


def _check_ends(ends: NDArray[np.int64], size: int, name: str) -> None:
    if len(ends) == 0 or ends[0] != 0 or ends[-1] != size:
        raise ValueError(f"the ends of {name} must run from 0 to {size}")
    if (np.diff(ends) < 0).any():
        raise ValueError(f"the ends of {name} must not fall")


_RUN = re.compile(r"([A-Za-z0-9]+)|(\s+)|(.)", re.DOTALL)


class WordPieces:
    """Twin of tokens.WordPieces, which says how it counts."""

    def __init__(self, vocabulary: Iterable[str]) -> None:
        self._vocabulary = frozenset(
            piece for piece in vocabulary if re.fullmatch(r"(?:##)?[a-z0-9]+", piece, re.ASCII)
        )

    def weigh(self, text: str) -> int:
        """Estimate the tokens of a text in hundredths, erring high."""
        tokens = 0
        for run, _, other in _RUN.findall(text):
            if run:
                digits, capitals = (sum(map(of, run)) for of in (str.isdigit, str.isupper))
                tokens += max(self._pieces(run.lower()), -(-digits // 3), -(-capitals // 3))
            elif other:
                tokens += 2 if ord(other) >= 0x10000 or "가" <= other <= "힣" else 1
        return tokens * 100 + (text.count("\n") + len(re.findall(" [0-9]", text))) * 70

    def _pieces(self, run: str) -> int:
        found = at = 0
        while at < len(run):
            mark = "##" if at else ""
            stops = range(len(run), at + 1, -1)
            at = next((stop for stop in stops if mark + run[at:stop] in self._vocabulary), at + 1)
            found += 1
        return found


def feature_codes(words: list[str]) -> list[int]:
    """Return the CRC-32 of each feature once: words, two and three of them with spaces, first 4 and last 3 letters."""
    runs = [" ".join(words[at : at + run]) for run in range(1, _TOGETHER + 1) for at in range(len(words) - run + 1)]
    long = [word for word in words if len(word) > _HEAD]
    ends = [*(f"{word[:_HEAD]}*" for word in long), *(f"*{word[-_TAIL:]}" for word in long)]
    return [crc32(one.encode()) for one in dict.fromkeys([*runs, *ends])]


def weigh_text(
    rows: NDArray[np.int8],
    words: list[str],
    named: list[int],
    bias: NDArray[np.float32],
    scale: float | np.float32,
    out: NDArray[np.float32],
) -> None:
    """Add to out: bias + scale · (Σ of the rows of the words' features / √(how many) + Σ of the named rows).

    rows: int8[n, labels], n a power of two; a feature's row is its code modulo n. named: 0..n - 1. bias, out:
    float32[labels].
    """
    n, labels = rows.shape
    if n == 0 or n & (n - 1):
        raise ValueError(f"rows must be a power of two, got {n}")
    if len(bias) != labels or len(out) != labels:
        raise ValueError(f"rows has {labels} columns but bias has {len(bias)} and out {len(out)}")
    if not words:
        raise ValueError("words must be at least one")
    for row in named:
        if not 0 <= row < n:
            raise ValueError(f"named rows must be in 0..{n - 1}, got {row}")
    found = [code % n for code in feature_codes(words)]
    shares = np.array([len(found) ** -0.5] * len(found) + [1.0] * len(named), dtype=np.float32)
    weighed = rows[[*found, *named]] * shares[:, None]
    out[:] = (bias + np.float32(scale) * np.add.reduceat(weighed, [0], axis=0)[0]) + out


class Sieve(Generic[Name]):
    """Names with words. Twin of the kernel's."""

    def __init__(self, lists: Mapping[Name, Collection[str]]) -> None:
        for word in (word for words in lists.values() for word in sorted(words)):
            if not word or "\0" in word:
                raise ValueError(f"a word must have characters, none of them NUL, got {word!r}")
        self._lists = lists

    def lacking(self, text: str) -> set[Name]:
        """Return the names of which no word stands in a text."""
        return {name for name, words in self._lists.items() if not any(word in text for word in words)}
