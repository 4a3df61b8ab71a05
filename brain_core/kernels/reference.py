"""What each kernel means, in plain NumPy.

The twin of every public function of this package: same arguments, same result, bit for bit, since both add the same
numbers in the same order and precision. Slow, and never called by the house: it is here to be read, and to hold the
compiled code to its word. Logarithms and powers are those of the C library, as in the kernels.

The postings of bm25 are given here as `documents`: one (terms, counts) pair per row, in the order they were added.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

Documents = Sequence[tuple[NDArray[np.int32], NDArray[np.float32]]]
"""Per row: distinct term ids int32[t], and how often each occurs float32[t]."""

KEPT, OVER_K = 0, -1
_WAITING = -2


def idf(documents: Documents, terms: NDArray[np.int32]) -> NDArray[np.float64]:
    """Return how rare each term is: ln(1 + (N - df + 0.5) / (df + 0.5)), float64[t]. Twin of Postings.idf.

    N: documents. df: documents that have the term; 0 of an unknown one. Always positive, so that a common word never
    counts against a document.
    """
    df = [sum(int(term in known) for known, _ in documents) if term >= 0 else 0 for term in terms]
    return np.array([math.log(1.0 + (len(documents) - d + 0.5) / (d + 0.5)) for d in df], dtype=np.float64)


def score(
    documents: Documents, terms: NDArray[np.int32], weights: NDArray[np.float32], k1: float, b: float
) -> NDArray[np.float32]:
    """Return BM25 of every row: float32[n], 0 where no term occurs. Twin of Postings.score.

    Each term t that a row has adds weight(t) · idf(t) · tf·(k1 + 1) / (tf + k1·(1 - b + b·length / mean length)): more
    of a word is worth more, less and less so (k1), and a long row needs more of it (b). terms: int32[t], unknown ones
    add nothing. weights: float32[t].
    """
    if len(weights) != len(terms):
        raise ValueError(f"terms has {len(terms)} entries but weights has {len(weights)}")
    if k1 < 0 or b < 0 or b > 1:
        raise ValueError(f"k1 must be ≥ 0 and b in 0..1, got {k1} and {b}")
    scores = np.zeros(len(documents), dtype=np.float32)
    lengths = [_sum(counts) for _, counts in documents]
    total = _sum(lengths)
    if total == 0:
        return scores
    flat = k1 * (1.0 - b)
    slope = k1 * b * float(len(documents)) / total
    for term, weight, rarity in zip(terms, weights, idf(documents, terms), strict=True):
        gain = float(weight) * float(rarity) * (k1 + 1.0)
        for row, (known, counts) in enumerate(documents):
            for place in np.flatnonzero(known == term):
                tf = float(counts[place])
                length = float(np.float32(lengths[row]))
                scores[row] += np.float32(gain * tf / (tf + flat + slope * length))
    return scores


def _sum(numbers: Iterable[float]) -> float:
    total = 0.0
    for number in numbers:  # in order, uncompensated, as C adds; from Python 3.12 on `sum` is finer
        total += float(number)
    return total


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
    rows: NDArray[np.int32],
    scores: NDArray[np.float64],
    offsets: NDArray[np.int64],
    weights: NDArray[np.float64],
    method: str,
    rrf_k: float,
) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """Join ranked lists; return (rows int32[m], joined scores float64[m]), best first, lower row first among equals.

    rows, scores: the lists one after another; list l stands at offsets[l]:offsets[l + 1] and has weights[l].
    rrf: a row gains weight / (rrf_k + rank) from each list, rank from 1. weighted_sum: it gains weight · its score,
    min-max normalised within the list (1 where all are equal). none: it has its best weight · score.
    """
    if method not in {"rrf", "weighted_sum", "none"}:
        raise ValueError(f"method must be one of ['none', 'rrf', 'weighted_sum'], got {method!r}")
    if len(scores) != len(rows):
        raise ValueError(f"rows has {len(rows)} entries but scores has {len(scores)}")
    if len(offsets) != len(weights) + 1 or offsets[0] != 0 or offsets[-1] != len(rows):
        raise ValueError("offsets must run from 0 to the number of rows, one more than weights")
    for number, weight in enumerate(weights):
        if offsets[number + 1] < offsets[number] or not weight >= 0:
            raise ValueError(f"list {number}: offsets must not fall and weight must be ≥ 0")
    if not rrf_k > 0:
        raise ValueError(f"rrf_k must be > 0, got {rrf_k}")
    joined: dict[int, float] = {}
    for number, weight in enumerate(weights.tolist()):
        start, stop = int(offsets[number]), int(offsets[number + 1])
        one = scores[start:stop].tolist()
        low, high = min(one, default=0.0), max(one, default=0.0)
        for place, (row, value) in enumerate(zip(rows[start:stop].tolist(), one, strict=True)):
            if method == "rrf":
                joined[row] = joined.get(row, 0.0) + weight / (rrf_k + place + 1)
            elif method == "weighted_sum":
                joined[row] = joined.get(row, 0.0) + weight * ((value - low) / (high - low) if high > low else 1.0)
            else:
                joined[row] = max(joined.get(row, weight * value), weight * value)
    order = sorted(joined, key=lambda row: (-joined[row], row))
    return np.array(order, dtype=np.int32), np.array([joined[row] for row in order], dtype=np.float64)


def features(  # noqa: PLR0913  the signature of the kernel
    rows: NDArray[np.int32],
    lexical: NDArray[np.float32],
    cosine: NDArray[np.float64],
    before: NDArray[np.int32],
    after: NDArray[np.int32],
    session: NDArray[np.int32],
    age: NDArray[np.float64],
    half_life: float,
    priority: NDArray[np.float64],
    confidence: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return what is known of each candidate, in 0..1: float64[m, 10], columns as in brain_core.kernels.features.NAMES.

    rows: int32[m], the candidates; cosine, age, priority, confidence: float64[m], theirs. lexical: float32[n], BM25 of
    every row. before, after: int32[n], the rows that stand next to a row in its session; session: int32[n]; -1 is none.

        lexical               BM25 / best BM25 among candidates and their neighbours
        semantic              cosine, min-max over the candidates
        before, after         lexical of the neighbour, 0 where there is none
        before2, after2       the same of the neighbour's neighbour, at most 1
        session               sum of (lexical + semantic)² over the session's candidates / that of the strongest session
        recency               halves with each half_life of age; 1 for what is not older than now
        priority              1 - priority / 10
        confidence            as given
    """
    m, n = len(rows), len(lexical)
    if {len(cosine), len(age), len(priority), len(confidence)} != {m}:
        raise ValueError(f"cosine, age, priority and confidence must have {m} entries, one for each of rows")
    if {len(before), len(after), len(session)} != {n}:
        raise ValueError(f"before, after and session must have {n} entries, one for each of lexical")
    if not half_life > 0:
        raise ValueError(f"half_life must be > 0, got {half_life}")
    for place, row in enumerate(rows):
        if not 0 <= row < n:
            raise ValueError(f"rows[{place}] is {row}, not in 0..{n - 1}")

    def step(to: NDArray[np.int32], start: NDArray[np.int32]) -> NDArray[np.int32]:
        return np.array([to[row] if row >= 0 else -1 for row in start], dtype=np.int32)

    def bm25(of: NDArray[np.int32]) -> NDArray[np.float64]:
        return np.array([lexical[row] if row >= 0 else 0.0 for row in of], dtype=np.float64)

    previous, following = step(before, rows), step(after, rows)
    top = max([0.0, *bm25(rows), *bm25(previous), *bm25(following)]) or 1.0
    low, high = min(cosine, default=0.0), max(cosine, default=0.0)
    matrix = np.zeros((m, 10), dtype=np.float64)
    matrix[:, 0] = bm25(rows) / top
    matrix[:, 1] = (cosine - low) / (high - low) if high > low else 0.0
    matrix[:, 2] = bm25(previous) / top
    matrix[:, 3] = bm25(following) / top
    matrix[:, 4] = np.minimum(bm25(step(before, previous)) / top, 1.0)
    matrix[:, 5] = np.minimum(bm25(step(after, following)) / top, 1.0)
    strength: dict[int, float] = {}
    of_candidate = session[rows].tolist()
    for one, hit in zip(of_candidate, (matrix[:, 0] + matrix[:, 1]).tolist(), strict=True):
        if one >= 0:
            strength[one] = strength.get(one, 0.0) + hit * hit
    strongest = max(strength.values(), default=0.0)
    matrix[:, 6] = [strength[one] / strongest if one >= 0 and strongest > 0 else 0.0 for one in of_candidate]
    matrix[:, 7] = [math.exp2(-years / half_life) if years > 0 else 1.0 for years in age.tolist()]
    matrix[:, 8] = 1.0 - priority / 10.0
    matrix[:, 9] = confidence
    return matrix


def linear(matrix: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the weighted mean of each row of features: float64[m]. matrix: float64[m, f]. weights: float64[f]."""
    if len(weights) != matrix.shape[1]:
        raise ValueError(f"matrix has {matrix.shape[1]} features but weights has {len(weights)}")
    total = 0.0
    for number, weight in enumerate(weights.tolist()):
        if not weight >= 0:
            raise ValueError(f"weights[{number}] must be ≥ 0, got {weight}")
        total += weight
    if not total > 0:
        raise ValueError("weights must have a positive sum")
    scores = np.zeros(len(matrix), dtype=np.float64)
    for column, weight in zip(matrix.T, weights, strict=True):
        scores += column * (weight / total)
    return scores


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
    float32[m, d], cosines summed in float32. groups: int32[m, g]. caps: int32[g].
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
    order: list[int] = []
    while len(order) < k and (fates == _WAITING).any():
        value = trade * scores - (1.0 - trade) * nearest.astype(np.float64)
        best = int(np.argmax(np.where(fates == _WAITING, value, -np.inf)))
        shared = np.count_nonzero((groups[order] == groups[best]) & (groups[best] >= 0), axis=0)
        over = np.flatnonzero(shared >= caps)
        if len(over):
            fates[best] = int(over[0]) + 1
            continue
        fates[best] = KEPT
        order.append(best)
        cosines = np.zeros(m, dtype=np.float32)
        for column in vectors.T:
            cosines += column[best] * column
        nearest = np.maximum(nearest, cosines)
    fates[fates == _WAITING] = OVER_K
    return np.array(order, dtype=np.int32), fates


def fit(tokens: NDArray[np.int64], limit: int, most: int) -> tuple[NDArray[np.uint8], int]:
    """Take pieces in order while they fit, at most `most`; return (kept uint8[m], tokens used).

    A piece that does not fit is passed over, and later ones may still fit. tokens: int64[m]. A limit below 0 counts
    as 0.
    """
    if most < 0:
        raise ValueError(f"most must be ≥ 0, got {most}")
    for number, size in enumerate(tokens):
        if size < 0:
            raise ValueError(f"tokens[{number}] must be ≥ 0, got {size}")
    kept = np.zeros(len(tokens), dtype=np.uint8)
    used = 0
    for number, size in enumerate(tokens.tolist()):
        if kept.sum() < most and used + size <= max(limit, 0):
            kept[number] = 1
            used += size
    return kept, used
