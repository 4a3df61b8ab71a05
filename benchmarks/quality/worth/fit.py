"""Fits the judge: for each label a logistic regression on the sentences that tell of it, over words and meaning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, hstack
from sklearn.linear_model import LogisticRegression

from benchmarks.quality.worth.labels import Labelled
from brain_core.extract.worth import LABELS, Judge
from brain_core.models.static import built_in
from brain_core.text.linear import BUCKETS, Linear, features, named_features

_FINEST = 127


@dataclass(frozen=True, slots=True)
class Example:
    """A labelled sentence, what is known of the rule that has read it, and how many sentences it counts as."""

    labelled: Labelled
    names: tuple[str, ...] = ()
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Fitting:
    """How a judge is fitted.

    strength: C of scikit-learn, the less, the smoother. least: sentences that have a feature. meaning: what a vector
    weighs beside the words.
    """

    strength: float = 15.0
    least: int = 2
    meaning: float = 0.6


def fit(examples: Sequence[Example], how: Fitting) -> Judge:
    """Fit a judge."""
    words = _words(examples)
    seen = np.flatnonzero(words.getnnz(axis=0) >= how.least)
    vectors = built_in().embed([one.labelled.passage.text for one in examples])
    table = hstack([words[:, seen], csr_matrix(vectors * how.meaning)]).tocsr()
    weights = np.zeros((table.shape[1], len(LABELS)))
    bias = np.zeros(len(LABELS))
    shares = np.array([one.weight for one in examples])
    for column, label in enumerate(LABELS):
        told = np.array([_truth(one.labelled, label) for one in examples])
        rows = np.flatnonzero(told >= 0)
        model = LogisticRegression(C=how.strength, solver="liblinear", random_state=0)
        model.fit(table[rows], told[rows], sample_weight=shares[rows])
        weights[:, column], bias[column] = model.coef_[0], model.intercept_[0]
    return _judge(weights, bias, seen, how)


def _truth(labelled: Labelled, label: str) -> int:
    """Return whether a label is right of a sentence; -1 where the sentence does not tell."""
    if label == "learned":
        return 1 if labelled.must else -1 if labelled.may else 0
    return int(label in labelled.must or label in labelled.may) if labelled.must else -1


def _words(examples: Sequence[Example]) -> csr_matrix:
    """Return sentences × buckets."""
    indices: list[int] = []
    values: list[float] = []
    ends = [0]
    for one in examples:
        passage = one.labelled.passage
        of_text = features(passage.text)
        named = named_features((*passage.named, *one.names))
        indices += [*of_text, *named]
        values += [1 / len(of_text) ** 0.5] * len(of_text) + [1.0] * len(named)
        ends.append(len(indices))
    return csr_matrix((values, indices, ends), shape=(len(examples), BUCKETS))


def _judge(weights: NDArray[np.float64], bias: NDArray[np.float64], seen: NDArray[np.int64], how: Fitting) -> Judge:
    of_words, of_meaning = weights[: len(seen)], weights[len(seen) :]
    scale = np.float32(np.abs(of_words).max(initial=1e-9) / _FINEST)
    rows = np.zeros((BUCKETS, len(LABELS)), np.int8)
    rows[seen] = np.rint(of_words / scale)
    meaning = (of_meaning * how.meaning).astype(np.float16).astype(np.float32)
    return Judge(Linear(LABELS, "each", rows, scale, bias.astype(np.float32)), meaning)
