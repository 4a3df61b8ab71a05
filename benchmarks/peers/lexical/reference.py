"""BM25 in float64 over the same terms, and whether an engine's ten are the best ten under it."""

import math
from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from benchmarks.peers.lexical.engine import K1, TOP, B

Scores = NDArray[np.float64]
Verdict = Literal["same", "same by quantised lengths", "different"]

_NEAR_TIE = 1e-5  # relative: float32 sums of a few dozen terms differ by less


class Reference:
    """Documents by row. `quantised`: their lengths as tantivy and Lucene keep them, in a byte each."""

    def __init__(self, documents: Sequence[Sequence[str]], *, quantised: bool = False) -> None:
        lengths = np.array([len(terms) for terms in documents], dtype=np.float64)
        average = max(1.0, float(lengths.mean())) if len(lengths) else 1.0
        kept = KEPT_LENGTHS[np.searchsorted(KEPT_LENGTHS, lengths, side="right") - 1] if quantised else lengths
        self._norms = K1 * (1.0 - B + B * kept / average)
        self._postings: dict[str, tuple[array[int], array[int]]] = {}  # term: (rows, occurrences)
        for row, terms in enumerate(documents):
            for term, count in Counter(terms).items():
                rows, counts = self._postings.setdefault(term, (array("i"), array("i")))
                rows.append(row)
                counts.append(count)

    def scores(self, terms: Iterable[str]) -> Scores:
        """Score every row, float64[n]; 0 for one that shares no term."""
        total = np.zeros(len(self._norms))
        for term in dict.fromkeys(terms):
            if term not in self._postings:
                continue
            rows, counts = (np.frombuffer(part, dtype=np.intc) for part in self._postings[term])
            idf = math.log1p((len(self._norms) - len(rows) + 0.5) / (len(rows) + 0.5))
            total[rows] += idf * counts * (K1 + 1.0) / (counts + self._norms[rows])
        return total


def is_best(rows: Sequence[int], scores: Scores) -> bool:
    """Return whether rows are the TOP best under the scores, in order, near-ties aside."""
    best = np.sort(scores)[::-1][:TOP]
    best = best[best > 0.0]
    if len(set(rows)) != len(best) or len(rows) != len(best):
        return False
    return bool(np.all(np.abs(best - scores[list(rows)]) <= _NEAR_TIE * best))


def judge(rows: Sequence[int], exact: Scores, quantised: Scores) -> Verdict:
    """Say whether an engine's rows are the best ones, or the best ones were lengths kept in a byte, or neither."""
    if is_best(rows, exact):
        return "same"
    return "same by quantised lengths" if is_best(rows, quantised) else "different"


def _steps() -> NDArray[np.float64]:
    """Return the lengths that one byte stands for: whole numbers to 40, then four significant bits.

    Lucene's SmallFloat.byte4ToInt, which tantivy's fieldnorm table repeats.
    """
    free = 24  # lengths below this are kept as they are
    steps = list(range(free))
    for code in range(256 - free):
        mantissa, shift = code & 7, (code >> 3) - 1
        steps.append(free + (mantissa if shift < 0 else (mantissa | 8) << shift))
    return np.array(steps, dtype=np.float64)


KEPT_LENGTHS = _steps()
"""float64[256], ascending: a quantised length is the longest of these that is not longer."""
