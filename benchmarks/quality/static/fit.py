"""Fitting the table: the sum of a text's token vectors is to point where the teacher's vector points."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from tokenizers import Tokenizer
from tqdm import tqdm

Vectors = NDArray[np.float32]

_BATCH = 1024
_RATE = 2e-3
_WARM_UP_STEPS = 50
_AGREEMENT = 0.05
_SIF = 1e-4
_GRADIENT_SCALE = 1e3  # far above Adam's epsilon
_EPSILON = 1e-8


def count_tokens(tokenizer: Tokenizer, texts: Sequence[str]) -> csr_matrix:
    """Return how often each text has each token but the unknown one, float32[texts, tokens], as square roots."""
    unknown = tokenizer.token_to_id("[UNK]")
    encodings = tokenizer.encode_batch(list(texts), add_special_tokens=False)
    rows = [[token for token in one.ids if token != unknown] for one in encodings]
    starts = np.cumsum([0, *map(len, rows)])
    ids = np.fromiter((one for row in rows for one in row), dtype=np.int32, count=int(starts[-1]))
    shape = (len(texts), tokenizer.get_vocab_size())
    counts = csr_matrix((np.ones(len(ids), dtype=np.float32), ids, starts), shape=shape)
    counts.sum_duplicates()
    counts.data = np.sqrt(counts.data)
    return counts


def start_of(tokens: Vectors, counts: csr_matrix) -> Vectors:
    """Return the table to start from: the teacher's vector of each token alone, short where the token is frequent.

    tokens: float32[n, d]. The weights are SIF's (Arora et al. 2017): a / (a + share of all tokens).
    """
    seen = np.asarray(counts.sum(axis=0)).ravel() + 0.5
    weights = _SIF / (_SIF + seen / seen.sum())
    table: Vectors = (tokens / np.maximum(np.linalg.norm(tokens, axis=1), 1e-9)[:, None] * weights[:, None]).astype(
        np.float32
    )
    return table


def fit(table: Vectors, counts: csr_matrix, targets: NDArray[np.floating], passes: int, seed: int) -> Vectors:
    """Return the fitted table, float32[n, d].

    Loss of a batch: 1 - cosine of each text's vector and its target, and the squared difference between the cosines
    of each two texts and those of their targets. Adam, with moments only of the rows that a batch has.
    targets: float[texts, d], of unit length.
    """
    table = table.copy()
    first, second = np.zeros_like(table), np.zeros_like(table)
    random = np.random.default_rng(seed)
    batches = -(-len(targets) // _BATCH)
    order = (batch for _ in range(passes) for batch in np.array_split(random.permutation(len(targets)), batches))
    steps = passes * batches
    for step, batch in enumerate(tqdm(order, total=steps, unit="step", disable=None)):
        rate = _RATE * min(1.0, (step + 1) / _WARM_UP_STEPS) * (1.0 - step / steps)
        rows, gradient = _gradient(table, counts[batch], targets[batch].astype(np.float32))
        first[rows] = 0.9 * first[rows] + 0.1 * gradient
        second[rows] = 0.99 * second[rows] + 0.01 * gradient * gradient
        table[rows] -= rate * first[rows] / (np.sqrt(second[rows]) + _EPSILON)
    return table


def _gradient(table: Vectors, counts: csr_matrix, targets: Vectors) -> tuple[NDArray[np.int32], Vectors]:
    """Return (rows of the table that the batch has, the loss's gradient by them)."""
    rows, places = np.unique(counts.indices, return_inverse=True)
    dense = csr_matrix((counts.data, places, counts.indptr), shape=(counts.shape[0], len(rows)))
    sums = dense @ table[rows]
    lengths = np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-6)
    units = sums / lengths
    disagreement = units @ units.T - targets @ targets.T
    np.fill_diagonal(disagreement, 0.0)
    by_units = _AGREEMENT * (disagreement @ units) - targets
    by_sums = (by_units - units * (by_units * units).sum(axis=1, keepdims=True)) / lengths
    return rows, (dense.T @ by_sums) * _GRADIENT_SCALE
