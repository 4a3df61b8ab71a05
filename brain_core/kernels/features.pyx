"""What is known of each candidate, as one row of numbers.

Conversation is a sequence: what stands just before and after a hit, and how much of its session hits, is evidence too.
"""

from libc.math cimport exp2
from libcpp.unordered_map cimport unordered_map

import numpy as np

cimport numpy as cnp

cnp.import_array()

NAMES = (
    "lexical", "semantic", "before", "after", "before2", "after2", "session", "recency", "priority", "confidence",
)


cdef inline double at(const float[::1] scores, int row) noexcept nogil:
    return scores[row] if row >= 0 else 0.0


cdef void fill(
    const int[::1] rows, const float[::1] lexical, const double[::1] cosine, const int[::1] before,
    const int[::1] after, const int[::1] session, const double[::1] age, double half_life,
    const double[::1] priority, const double[::1] confidence, double[:, ::1] out,
) noexcept nogil:
    cdef Py_ssize_t i
    cdef int row, one
    cdef double top = 0.0, low = 1.0, high = -1.0, strength, strongest = 0.0
    cdef unordered_map[int, double] sessions
    for i in range(rows.shape[0]):
        row = rows[i]
        top = max(top, at(lexical, row), at(lexical, before[row]), at(lexical, after[row]))
        low = min(low, cosine[i])
        high = max(high, cosine[i])
    if top == 0.0:
        top = 1.0
    for i in range(rows.shape[0]):
        row = rows[i]
        out[i, 0] = lexical[row] / top
        out[i, 1] = (cosine[i] - low) / (high - low) if high > low else 0.0
        one = before[row]
        out[i, 2] = at(lexical, one) / top
        out[i, 4] = min(at(lexical, before[one]) / top if one >= 0 else 0.0, 1.0)
        one = after[row]
        out[i, 3] = at(lexical, one) / top
        out[i, 5] = min(at(lexical, after[one]) / top if one >= 0 else 0.0, 1.0)
        strength = out[i, 0] + out[i, 1]
        if session[row] >= 0:
            sessions[session[row]] += strength * strength
            strongest = max(strongest, sessions[session[row]])
        out[i, 7] = exp2(-age[i] / half_life) if age[i] > 0 else 1.0
        out[i, 8] = 1.0 - priority[i] / 10.0
        out[i, 9] = confidence[i]
    for i in range(rows.shape[0]):
        row = rows[i]
        out[i, 6] = sessions[session[row]] / strongest if session[row] >= 0 and strongest > 0 else 0.0


def features(
    const int[::1] rows, const float[::1] lexical, const double[::1] cosine, const int[::1] before,
    const int[::1] after, const int[::1] session, const double[::1] age, double half_life,
    const double[::1] priority, const double[::1] confidence,
):
    """Return float64[m, 10], columns as in NAMES, all in 0..1.

    rows: int32[m], candidates. lexical: float32[n], BM25 of every row. cosine: float64[m], of the candidates.
    before, after, session: int32[n]; the neighbour of a row in its session, and its session's ordinal; -1 is none.
    age: float64[m] in any unit, half_life in the same, > 0. priority: float64[m] in 0..10. confidence: float64[m].
    lexical, before, after and their second steps are divided by the best BM25 among candidates and neighbours;
    semantic is min-max over the candidates; session is the sum of squares of (lexical + semantic) over the session's
    candidates, divided by the strongest session's. Raises ValueError if shapes differ or a row is out of range.
    """
    cdef Py_ssize_t i, m = rows.shape[0], n = lexical.shape[0]
    cdef int near
    if cosine.shape[0] != m or age.shape[0] != m or priority.shape[0] != m or confidence.shape[0] != m:
        raise ValueError(f"cosine, age, priority and confidence must have {m} entries, one for each of rows")
    if before.shape[0] != n or after.shape[0] != n or session.shape[0] != n:
        raise ValueError(f"before, after and session must have {n} entries, one for each of lexical")
    if not half_life > 0:
        raise ValueError(f"half_life must be > 0, got {half_life}")
    for i in range(m):
        if rows[i] < 0 or rows[i] >= n:
            raise ValueError(f"rows[{i}] is {rows[i]}, not in 0..{n - 1}")
        for near in (before[rows[i]], after[rows[i]]):
            if near >= n or (near >= 0 and (before[near] >= n or after[near] >= n)):
                raise ValueError(f"a neighbour of row {rows[i]} is not in 0..{n - 1}")
    matrix = np.zeros((m, len(NAMES)), dtype=np.float64)
    cdef double[:, ::1] out = matrix
    with nogil:
        fill(rows, lexical, cosine, before, after, session, age, half_life, priority, confidence, out)
    return matrix
