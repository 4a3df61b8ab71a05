"""What `words.ask` answers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from brain_core.kernels.reference.bm25 import Documents, idf, mark, rarest, score

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
    mark(documents, _ids(vocabulary, [term for term, _ in within]), np.array([bit for _, bit in within], int), likes)
    how_far = np.array([1.0 if one >= 0 else told.get(term, 0.0) for term, one in zip(wanted, ids, strict=True)])
    return rows, masks, likes, groups, rarity, how_far, shares


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
