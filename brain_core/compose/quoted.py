"""Quoted parts of a query of mode exact: the texts that hold each of them word for word."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from brain_core.index.lexical import LexicalScores
from brain_core.kernels.best import top_k
from brain_core.text.words import Phrase, terms

Rows = NDArray[np.int32]
ReadTexts = Callable[[Rows], list[str]]
"""Gives the texts of rows."""

_BATCH = 64
_MOST_READ = 20_000
"""Texts read for phrases of which the index has no word, such as "to be or not to be"; the newest."""


def with_phrases(
    lexical: LexicalScores, allowed: NDArray[np.uint8], quoted: Sequence[str], k: int, read_texts: ReadTexts
) -> tuple[Rows, int]:
    """Return (up to k rows whose texts hold every phrase, how many texts were not looked at).

    Best BM25 first; phrases of stop words alone are sought in all texts, the newest first among equals.
    lexical: of the query, whose words those of its phrases are. allowed: uint8[n], 1 for rows that may be found.
    """
    wanted = [Phrase(one) for one in quoted]
    ordered = top_k(lexical.rows, allowed, len(lexical.rows))
    ordered = ordered[lexical.having(frozenset().union(*(phrase.sure_terms for phrase in wanted)), ordered)]
    unread = 0
    if not any(map(terms, quoted)) and all(phrase.has_words for phrase in wanted):
        others = np.flatnonzero((allowed != 0) & (lexical.rows <= 0)).astype(np.int32)[::-1]
        ordered = np.concatenate([ordered, others])
        ordered, unread = ordered[:_MOST_READ], max(0, len(ordered) - _MOST_READ)
    kept: list[int] = []
    for start in range(0, len(ordered), _BATCH):
        batch = ordered[start : start + _BATCH]
        for row, text in zip(batch, read_texts(batch), strict=True):
            if all(phrase.is_in(text) for phrase in wanted):
                kept.append(int(row))
        if len(kept) >= k:
            unread = 0
            break
    return np.array(kept[:k], dtype=np.int32), unread
