"""Chinese words as weighted rows of a table."""

import math
from collections.abc import Mapping, Sequence

import jieba
import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from benchmarks.quality.static.glosses import head, meanings, read_entries, simpler_characters
from brain_core.models.chinese import LONGEST_WORD, Lexicon
from brain_core.models.table import quantise

_MOST_ROWS = 12
_FIRST_WORDS = 6
_NEXT_GLOSS = 0.5
"""What each gloss counts beside the one before it: chosen on memorybank's parallel chats and madial_zh."""
_COMMON = 1e-3
"""A word with this share of running text counts half of a rare one (SIF's a)."""


def build_lexicon(tokenizer: Tokenizer, vectors: NDArray[np.float32]) -> Lexicon:
    """Give every CC-CEDICT word the rows of its glosses, float32[n, d], weighted so that they sum to its vector.

    That is of unit length for a rare word, shorter for a common one, as the rows of English words are.
    """
    entries = read_entries()
    glosses_of = {word: glosses for word, glosses in meanings(entries).items() if len(word) <= LONGEST_WORD}
    shares = _shares(list(glosses_of))
    words: list[str] = []
    costs: list[float] = []
    rows: list[tuple[list[int], NDArray[np.float32]]] = []
    for word, glosses in glosses_of.items():
        ids, weights = _rows_of(glosses, tokenizer, vectors)
        if ids:
            words.append(word)
            costs.append(-math.log(shares[word]))
            rows.append((ids, weights * np.float32(_COMMON / (_COMMON + shares[word]))))
    pairs = simpler_characters(entries)
    return Lexicon(
        words=words,
        costs=np.array(costs, dtype=np.float32),
        starts=np.cumsum([0, *(len(ids) for ids, _ in rows)]).astype(np.int32),
        ids=np.concatenate([np.array(ids, dtype=np.int32) for ids, _ in rows]),
        weights=np.concatenate([weights for _, weights in rows]),
        own=quantise(np.empty((0, vectors.shape[1]), np.float32)),
        traditional="".join(pairs),
        simplified="".join(pairs.values()),
    )


def _shares(words: Sequence[str]) -> Mapping[str, float]:
    """Return each word's share of running text by jieba's counts (MIT); one it lacks counts as seen thrice."""
    jieba.initialize()
    counts: dict[str, int] = jieba.dt.FREQ
    total = sum(counts.values())
    return {word: max(counts.get(word, 0), 3 if len(word) > 1 else 1) / total for word in words}


def _rows_of(
    glosses: Sequence[str], tokenizer: Tokenizer, vectors: NDArray[np.float32]
) -> tuple[list[int], NDArray[np.float32]]:
    """Return the rows of the first glosses, and weights by which they sum to unit length.

    Glosses that do not fit into `_MOST_ROWS` rows beside those before them are left out.
    """
    weight_of: dict[int, float] = {}
    for place, gloss in enumerate(glosses):
        tokens = _tokens(gloss, tokenizer)
        length = float(np.linalg.norm(vectors[tokens].sum(axis=0)))
        if length > 0 and len(set(weight_of) | set(tokens)) <= _MOST_ROWS:
            for one in tokens:
                weight_of[one] = weight_of.get(one, 0.0) + _NEXT_GLOSS**place / length
    ids = [one for one in weight_of if vectors[one].any()]
    weights = np.array([weight_of[one] for one in ids], dtype=np.float32)
    length = float(np.linalg.norm(weights @ vectors[ids])) if ids else 0.0
    return (ids, weights / np.float32(length)) if length > 0 else ([], weights[:0])


def _tokens(gloss: str, tokenizer: Tokenizer) -> list[int]:
    """Return the tokens of a gloss, of a long one those of what it begins with."""
    tokens: list[int] = tokenizer.encode(gloss, add_special_tokens=False).ids
    if len(tokens) <= _MOST_ROWS:
        return tokens
    beginning = " ".join(head(gloss).split()[:_FIRST_WORDS])
    return list(tokenizer.encode(beginning, add_special_tokens=False).ids)
