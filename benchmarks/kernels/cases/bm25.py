"""BM25 over rows of 30 words out of 30,000, drawn by Zipf's law; sessions of 40 rows."""

import heapq
import math
from collections.abc import Callable, Iterator
from itertools import accumulate

import numpy as np

from benchmarks.kernels.case import Case, Size, chance
from brain_core.kernels import reference
from brain_core.kernels.best import top_k
from brain_core.kernels.bm25 import Postings

WORDS = 30_000
_OF_A_ROW = 30
_OF_A_QUERY = 8
_SESSION = 40
K1, B, SESSION_K1, LEAST = 1.6, 0.75, 1.2, 20.0
_FOUND = 200


def cases(size: Size) -> Iterator[Case]:
    """Adding, scoring, the weights of words, and the best rows."""
    documents = documents_of(size.rows)
    postings = built(documents)
    terms = np.unique(np.geomspace(3, WORDS - 1, _OF_A_QUERY).astype(np.int32))
    bits, shares = np.arange(len(terms), dtype=np.int32), np.ones(len(terms))
    yield Case(
        "bm25.Postings.add",
        f"one row of about {_OF_A_ROW} words; {size.rows:,} of them",
        lambda: built(documents),
        lambda: _joined(documents),
        _naive_adds(documents),
        calls=size.rows,
        seen=lambda built: built.dump() if isinstance(built, Postings) else built,
    )
    yield Case(
        "bm25.Postings.score",
        f"{len(terms)} words over {size.rows:,} rows and their sessions",
        lambda: postings.score(terms, bits, shares, 1.0, K1, B, SESSION_K1),
        lambda: reference.bm25.score(documents, terms, bits, shares, 1.0, K1, B, SESSION_K1, LEAST),
        _naive_score(documents, terms.tolist()),
    )
    yield Case(
        "bm25.Postings.idf",
        f"{len(terms)} words over {size.rows:,} rows",
        lambda: postings.idf(terms),
        lambda: reference.bm25.idf(documents, terms),
    )
    yield Case(
        "bm25.Postings.document_frequencies",
        f"{len(terms)} words over {size.rows:,} rows",
        lambda: postings.document_frequencies(terms),
        lambda: reference.bm25.document_frequencies(documents, terms),
    )
    scores, _, _ = postings.score(terms, bits, shares, 1.0, K1, B, SESSION_K1)
    allowed = np.ones(size.rows, dtype=np.uint8)
    values = scores.tolist()
    yield Case(
        "best.top_k",
        f"{_FOUND} of {size.rows:,} rows",
        lambda: top_k(scores, allowed, _FOUND),
        lambda: reference.best.top_k(scores, allowed, _FOUND),
        lambda: heapq.nsmallest(_FOUND, (r for r, one in enumerate(values) if one > 0), key=lambda r: (-values[r], r)),
    )


def documents_of(rows: int) -> reference.bm25.Documents:
    """Draw so many rows, always the same."""
    random = chance()
    drawn = np.minimum(random.zipf(1.2, (rows, _OF_A_ROW)) - 1, random.integers(0, WORDS, (rows, _OF_A_ROW)))
    found = (np.unique(row, return_counts=True) for row in drawn)
    return [
        (terms.astype(np.int32), counts.astype(np.float32), row // _SESSION)
        for row, (terms, counts) in enumerate(found)
    ]


def built(documents: reference.bm25.Documents) -> Postings:
    """Return the postings of documents."""
    postings = Postings(LEAST)
    for terms, counts, group in documents:
        postings.add(terms, counts, group)
    return postings


def _joined(documents: reference.bm25.Documents) -> tuple[object, ...]:
    """Do what adding means for the twins, which take documents as they are: put them in order of their terms."""
    terms = np.concatenate([terms for terms, _, _ in documents])
    order = np.argsort(terms, kind="stable")
    rows = np.repeat(np.arange(len(documents), dtype=np.int32), [len(terms) for terms, _, _ in documents])
    counts = np.concatenate([counts for _, counts, _ in documents])
    return np.cumsum([0, *np.bincount(terms)]), rows[order], counts[order]


def _naive_adds(documents: reference.bm25.Documents) -> Callable[[], object]:
    given = [(terms.tolist(), counts.tolist()) for terms, counts, _ in documents]

    def run() -> object:
        postings = dict[int, list[tuple[int, float]]]()
        for row, (terms, counts) in enumerate(given):
            for term, count in zip(terms, counts, strict=True):
                postings.setdefault(term, []).append((row, count))
        return (list(accumulate((len(postings.get(term, ())) for term in range(max(postings) + 1)), initial=0)),)

    return run


def _naive_score(documents: reference.bm25.Documents, query: list[int]) -> Callable[[], object]:
    lengths = [max(float(counts.sum()), LEAST) for _, counts, _ in documents]
    postings: dict[int, list[tuple[int, float]]] = {}
    for row, (terms, counts, _) in enumerate(documents):
        for term, count in zip(terms.tolist(), counts.tolist(), strict=True):
            postings.setdefault(term, []).append((row, count))
    n, mean = len(lengths), sum(lengths) / len(lengths)

    def run() -> object:
        scores = [0.0] * n
        for term in query:
            found = postings.get(term, [])
            idf = math.log(1 + (n - len(found) + 0.5) / (len(found) + 0.5))
            for row, tf in found:
                scores[row] += idf * tf * (K1 + 1) / (tf + K1 * (1 - B + B * lengths[row] / mean))
        return np.array(scores)

    return run
