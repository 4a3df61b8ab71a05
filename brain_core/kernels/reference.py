"""What each kernel means, in plain NumPy.

The twin of every public function of this package: same arguments, same result, bit for bit, since both add the same
numbers in the same order and precision. Slow, and never called by the house: it is here to be read, and to hold the
compiled code to its word. Logarithms and powers are those of the C library, as in the kernels.

The postings of bm25 are given here as `documents`: (terms, counts, group) per row, in the order they were added.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Documents = Sequence[tuple[NDArray[np.int32], NDArray[np.float32], int]]
"""Per row: distinct term ids int32[t], how often each occurs float32[t], and the group it belongs to, -1 is none."""

KEPT, OVER_K = 0, -1
NOTHING, JOINED, OPENED, OVER_MOST, DOES_NOT_FIT = range(5)
_WAITING = -2
_LANES = 16
_MASK_BITS = 64
_AROUND = 2  # messages on each side whose words count for a row
_REACH = 16  # rows that are looked at in one direction


def idf(documents: Documents, terms: NDArray[np.int32]) -> NDArray[np.float64]:
    """Return how rare each term is: ln(1 + (N - df + 0.5) / (df + 0.5)), float64[t]. Twin of Postings.idf.

    N: documents. df: documents that have the term; 0 of an unknown one. Always positive, so that a common word never
    counts against a document.
    """
    df = [sum(int(term in known) for known, _, _ in documents) if term >= 0 else 0 for term in terms]
    return np.array([_idf(len(documents), d) for d in df], dtype=np.float64)


def _idf(documents: int, df: int) -> float:
    return math.log(1.0 + (documents - df + 0.5) / (df + 0.5))


def score(  # noqa: PLR0913  the signature of the kernel
    documents: Documents,
    terms: NDArray[np.int32],
    bits: NDArray[np.int32],
    power: float,
    k1: float,
    b: float,
    group_k1: float,
    least_length: float = 0.0,
) -> tuple[NDArray[np.float32], NDArray[np.uint64], NDArray[np.float64]]:
    """Return (BM25 of every row float32[n], which terms it has uint64[n], BM25 of every group float64[g]).

    Twin of Postings.score. Each term t that a row has adds
    idf(t)^power · tf·(k1 + 1) / (tf + k1·(1 - b + b·length / mean length)): more of a word is worth more, less and less
    so (k1), and a long row needs more of it (b); a row shorter than least_length counts as that long. A group is scored
    as if its rows were one document, among the groups, with group_k1 for k1 and its own length. terms: int32[t],
    distinct, unknown ones add nothing. bits: int32[t], the bit of a row's mask that tells of each term, < 0 is none.
    """
    if len(bits) != len(terms):
        raise ValueError(f"terms has {len(terms)} entries but bits has {len(bits)}")
    if not (power >= 0 and k1 >= 0 and group_k1 >= 0 and 0 <= b <= 1):
        raise ValueError(f"power, k1 and group_k1 must be ≥ 0 and b in 0..1, got {power}, {k1}, {group_k1} and {b}")
    for number, bit in enumerate(bits):
        if bit >= _MASK_BITS:
            raise ValueError(f"bits[{number}] must be below {_MASK_BITS}, got {bit}")
    masks = np.zeros(len(documents), dtype=np.uint64)
    for row, (known, _, _) in enumerate(documents):
        for term, bit in zip(terms, bits.tolist(), strict=True):
            if bit >= 0 and term in known:
                masks[row] |= np.uint64(1 << bit)
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
    _add_gains(of_rows, rows, total, terms, power, k1, b)
    of_groups = np.zeros(len(groups), dtype=np.float64)
    _add_gains(of_groups, groups, total_of_groups, terms, power, group_k1, b)
    return of_rows, masks, of_groups


_Text = tuple[dict[int, float], float]
"""How often each term occurs, and the length."""


def _add_gains(
    scores: NDArray[np.floating],
    texts: Sequence[_Text],
    total: float,
    terms: NDArray[np.int32],
    power: float,
    k1: float,
    b: float,
) -> None:
    """Add BM25 of each text to scores, in their precision. total: the lengths of all."""
    if total == 0:
        return
    flat = k1 * (1.0 - b)
    slope = k1 * b * float(len(texts)) / total
    for term in terms.tolist():
        df = sum(int(term in tf) for tf, _ in texts)
        gain = math.pow(_idf(len(texts), df), power) * (k1 + 1.0)
        for row, (tf, length) in enumerate(texts):
            if term in tf:
                scores[row] += scores.dtype.type(gain * tf[term] / (tf[term] + flat + slope * length))


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
    min-max normalised within the list (1 where all are equal). none: it has its best weight · score. What a row gains
    is added in the order of the lists; a list has a row at most once.
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
    best = sorted(joined, key=lambda row: (-joined[row], row))
    return np.array(best, dtype=np.int32), np.array([joined[row] for row in best], dtype=np.float64)


def order(rows: NDArray[np.int32], scores: NDArray[np.float64], ties: NDArray[np.int64]) -> NDArray[np.int32]:
    """Return the places of rows, best first: higher score, then lower tie, then lower row. int32[m].

    rows: int32[m], each once. scores: float64[m], no NaN. ties: int64[m].
    """
    if {len(scores), len(ties)} != {len(rows)}:
        raise ValueError(f"scores and ties must have {len(rows)} entries, one for each of rows")
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

    What comes of words is multiplied by word_trust, what comes of vectors by vector_trust.
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
            vector_trust * above(cosine[place]),
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


def cosines(vectors: NDArray[np.float16], rows: NDArray[np.int64], query: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return float32[m], the inner product of the query float32[d] with each of the rows. Twin of vectors.cosines.

    The kernel takes int64[m] addresses, where vectors stand in memory. Its twins here take instead what stands there,
    float16[n, d], and rows int64[m] of it.
    """
    if len(query) == 0:
        raise ValueError("query must have at least one number")
    return _in_lanes(vectors[rows].astype(np.float32) * query)


def expand(vectors: NDArray[np.float16], rows: NDArray[np.int64]) -> NDArray[np.float32]:
    """Return the rows as float32[m, d]: exact, for a single holds every half. Twin of vectors.expand."""
    _check_dimension(vectors.shape[1])
    return vectors[rows].astype(np.float32)


def read(vectors: NDArray[np.float16], rows: NDArray[np.int64]) -> NDArray[np.uint16]:
    """Return the bits of the rows: uint16[m, d]. Twin of vectors.read."""
    _check_dimension(vectors.shape[1])
    return vectors[rows].view(np.uint16)


def write(vectors: NDArray[np.float16], rows: NDArray[np.int64], halves: NDArray[np.uint16]) -> None:
    """Put bits uint16[m, d] in place of the rows, one after the other. Twin of vectors.write."""
    if len(halves) != len(rows):
        raise ValueError(f"addresses has {len(rows)} entries but halves has {len(halves)}")
    for row, half in zip(rows, halves, strict=True):
        vectors[row] = half.view(np.float16)


def _check_dimension(d: int) -> None:
    if d < 1:
        raise ValueError(f"d must be ≥ 1, got {d}")


def _in_lanes(products: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the sum of each row of float32[m, d], added as half.h adds: float32[m].

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
    float32[m, d], cosines summed in lanes as in `cosines`. groups: int32[m, g]. caps: int32[g].
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


@dataclass(slots=True)
class _Piece:
    """A piece of Passages: what it began with, the call that opened it, its rows in order and what they come to."""

    hit: int
    call: int
    rows: list[int]
    tokens: int
    chars: int


class Passages:
    """Pieces of text that grow: a row that stands beside one joins it, any other opens a new one.

    tokens: int32[n], what a piece of one row costs. line_tokens: int32[n], what a row costs after another one. chars:
    int32[n]. before, after: int32[n], the neighbour of a row in its session, -1 is none. most: pieces, ≥ 0. longest:
    chars of a piece that more than one row may fill. A piece costs the tokens of its first row and the line_tokens of
    the others. A row between two pieces is beside the one that changed last, and may join that one alone.
    """

    def __init__(
        self,
        tokens: NDArray[np.int32],
        line_tokens: NDArray[np.int32],
        chars: NDArray[np.int32],
        before: NDArray[np.int32],
        after: NDArray[np.int32],
        most: int,
        longest: int,
    ) -> None:
        if {len(line_tokens), len(chars), len(before), len(after)} != {len(tokens)}:
            raise ValueError(
                f"line_tokens, chars, before and after must have {len(tokens)} entries, one for each of tokens"
            )
        if most < 0:
            raise ValueError(f"most must be ≥ 0, got {most}")
        self._tokens: list[int] = tokens.tolist()
        self._line_tokens: list[int] = line_tokens.tolist()
        self._chars: list[int] = chars.tolist()
        self._before: list[int] = before.tolist()
        self._after: list[int] = after.tolist()
        self._most, self._longest = most, longest
        self._pieces: list[_Piece] = []
        self._beside: dict[int, _Piece] = {}
        self._taken: set[int] = set()
        self._calls = 0

    def fill(self, rows: NDArray[np.int32], may_open: NDArray[np.uint8], free: int) -> tuple[int, NDArray[np.int8]]:
        """Take rows in order while they fit into free tokens; return (tokens taken ≤ max(free, 0), fates int8[m]).

        rows: int32[m], best first. may_open: uint8[m], 1 where a row may open a piece. Fates: 0 nothing, 1 joined, 2
        opened, 3 over most, 4 does not fit.
        """
        if len(may_open) != len(rows):
            raise ValueError(f"rows has {len(rows)} entries but may_open has {len(may_open)}")
        for place, row in enumerate(rows.tolist()):
            if not 0 <= row < len(self._tokens):
                raise ValueError(f"rows[{place}] is {row}, not in 0..{len(self._tokens) - 1}")
            self._check_links(row)
        start, fates = free, np.zeros(len(rows), dtype=np.int8)
        for place, row in enumerate(rows.tolist()):
            if row in self._taken:
                continue
            cost = self._joined(row, free)
            if cost is not None:
                fates[place], free = JOINED, free - cost
            elif not may_open[place]:
                fates[place] = NOTHING
            elif len(self._pieces) >= self._most:
                fates[place] = OVER_MOST
            elif self._tokens[row] > free:
                fates[place] = DOES_NOT_FIT
            else:
                self._pieces.append(_Piece(row, self._calls, [], 0, 0))
                self._put(self._pieces[-1], [row])
                fates[place], free = OPENED, free - self._tokens[row]
        self._calls += 1
        return start - free, fates

    def widen(self, allowed: NDArray[np.uint8], uris: NDArray[np.int32], closed: NDArray[np.int32], free: int) -> int:
        """Let pieces take in what stands beside them; return the tokens taken ≤ max(free, 0).

        In turns, in the order in which they were opened: each the row after it, then the row before it, until none can.
        allowed: uint8[n], 0 leaves a row out. uris: int32[n]. closed: the uris of rows to leave out.
        """
        if {len(allowed), len(uris)} != {len(self._tokens)}:
            raise ValueError(f"allowed and uris must have {len(self._tokens)} entries, one for each of tokens")
        start, growing = free, self._pieces
        while growing:
            grown = []
            for piece in growing:
                costs = []
                for to, end in ((self._after, -1), (self._before, 0)):
                    row = to[piece.rows[end]]
                    if row >= 0 and row not in self._taken and allowed[row] and uris[row] not in closed:
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
        """Return (hits, calls, tokens, chars, offsets, rows), pieces in the order in which they were opened.

        hits: the row that each began with. calls: which call of fill opened it, from 0. Piece i has
        rows[offsets[i]:offsets[i + 1]], in their order in the session.
        """
        return (
            np.array([piece.hit for piece in self._pieces], dtype=np.int32),
            np.array([piece.call for piece in self._pieces], dtype=np.int32),
            np.array([piece.tokens for piece in self._pieces], dtype=np.int64),
            np.array([piece.chars for piece in self._pieces], dtype=np.int64),
            np.cumsum([0, *(len(piece.rows) for piece in self._pieces)], dtype=np.int64),
            np.array([row for piece in self._pieces for row in piece.rows], dtype=np.int32),
        )

    def _joined(self, row: int, free: int) -> int | None:
        """Put a row into the piece that it stands beside, if it fits; return what that costs, else None."""
        piece = self._beside.get(row)
        if piece is None or piece.chars + self._chars[row] > self._longest:
            return None
        rows = [row, *piece.rows] if self._after[row] == piece.rows[0] else [*piece.rows, row]
        cost = self._cost(rows) - piece.tokens
        if cost > free:
            return None
        self._put(piece, rows)
        return cost

    def _put(self, piece: _Piece, rows: list[int]) -> None:
        piece.rows, piece.tokens, piece.chars = rows, self._cost(rows), sum(self._chars[row] for row in rows)
        self._taken.update(rows)
        self._beside.update({near: piece for near in (self._before[rows[0]], self._after[rows[-1]]) if near >= 0})

    def _cost(self, rows: list[int]) -> int:
        return self._tokens[rows[0]] + sum(self._line_tokens[row] for row in rows[1:])

    def _check_links(self, row: int) -> None:
        for there, back in ((self._before, self._after), (self._after, self._before)):
            near = there[row]
            if near >= len(back) or (near >= 0 and back[near] != row):
                raise ValueError(f"a neighbour of row {row} does not point back to it")
