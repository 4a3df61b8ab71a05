"""What `bm25.Postings` answers, of documents that are given as they were added."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from brain_core.kernels.reference.sums import sum_in_order

Documents = Sequence[tuple[NDArray[np.int32], NDArray[np.float32], int]]
"""Per row: distinct term ids int32[t], how often each occurs float32[t], and the group it belongs to, -1 is none."""

MASK_BITS = 64


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


def mark(documents: Documents, terms: NDArray[np.int32], bits: NDArray[np.int32], masks: NDArray[np.uint64]) -> None:
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
        if bit >= MASK_BITS:
            raise ValueError(f"bits[{number}] must be below {MASK_BITS}, got {bit}")
    for number, share in enumerate(shares.tolist()):
        if not share >= 0:
            raise ValueError(f"shares[{number}] must be ≥ 0, got {share}")
    families = _families(len(terms), stands_for)
    masks = np.zeros(len(documents), dtype=np.uint64)
    mark(documents, terms, bits, masks)
    floor = float(np.float32(least_length))
    rows: list[_Text] = []
    groups: list[_Text] = [({}, 0.0)] * (max([group for *_, group in documents], default=-1) + 1)
    total = total_of_groups = 0.0
    for known, counts, group in documents:
        tf, length = dict(zip(known.tolist(), counts.tolist(), strict=True)), sum_in_order(counts)
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
