"""A query's vector as its memory's own texts have it: what most of them say tells none of them from the others."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from brain_core.index.lexical import LexicalIndex
from brain_core.models.embedder import Words

_RARE = 0.3
"""The share of texts at which a word weighs half; after Arora, Liang, Ma, A Simple but Tough-to-Beat Baseline, 2017."""
_OF_STOP_WORDS = 0.2
"""The share of the texts that stop words, which the index does not have, are taken to be in."""


def weighed(words: Words, lexical: LexicalIndex) -> NDArray[np.float32]:
    """Return the sum of a query's words, each weighed by how few texts have it: float32[dimension] of unit length.

    Zeros where it has no word.
    """
    shares = lexical.shares(words.terms)
    shares[np.isnan(shares)] = _OF_STOP_WORDS
    vector = (_RARE / (_RARE + shares)).astype(np.float32) @ words.vectors
    length = float(np.sqrt(vector @ vector))
    return vector / np.float32(length) if length > 0 else vector
