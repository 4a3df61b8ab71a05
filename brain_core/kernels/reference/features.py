"""What the functions of `features` answer."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from brain_core.kernels.reference.bm25 import MASK_BITS
from brain_core.kernels.reference.sums import sum_in_order

_AROUND = 2  # messages on each side whose words count for a row
_REACH = 16  # rows that are looked at in one direction
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
    if len(weights) > MASK_BITS:
        raise ValueError(f"weights must have at most {MASK_BITS} entries, got {len(weights)}")
    if not (deviation > 0 and half_life_us > 0):
        raise ValueError(f"deviation and half_life_us must be > 0, got {deviation} and {half_life_us}")
    for name, column in columns.items():
        if len(column) != n:
            raise ValueError(f"column {name} has {len(column)} entries, not {n}")
    before, after, start, chars = (columns[name] for name in ("before", "after", "start", "chars"))
    check_rows(rows, before, after, n)

    def best(row: int, step: NDArray[np.int32]) -> float:
        return max([0.0, *(float(lexical[one]) for one in _along(start, step, row, messages=1))])

    def faded(value: float, row: int) -> float:
        return value / (1.0 + int(chars[row]) / 300.0) if row >= 0 else 0.0

    def around(row: int) -> float:
        near = [*_along(start, before, row, messages=1 + _AROUND), *_along(start, after, row, messages=1 + _AROUND)]
        said = [any(int(masks[one]) >> bit & 1 for one in near) for bit in range(len(weights))]
        total = sum_in_order(weights)
        return sum_in_order(weights[np.flatnonzero(said)]) / total if total > 0 else 0.0

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
    check_rows(rows, before, after, n)
    first = rows[:most]
    beside = {*before[first].tolist(), *after[first].tolist()} - {*rows.tolist()}
    return np.array(sorted(row for row in beside if row >= 0 and allowed[row]), dtype=np.int32)


def check_rows(rows: NDArray[np.int32], before: NDArray[np.int32], after: NDArray[np.int32], n: int) -> None:
    """Refuse rows that are none of n, and neighbours that are not there. Raises ValueError."""
    for place, row in enumerate(rows.tolist()):
        if not 0 <= row < n:
            raise ValueError(f"rows[{place}] is {row}, not in 0..{n - 1}")
        if before[row] >= n or after[row] >= n:
            raise ValueError(f"a neighbour of row {row} is not in 0..{n - 1}")
