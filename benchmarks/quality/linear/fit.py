"""Logistic regression over the features of `brain_core.text.linear` and the vectors of the built-in table.

And what it says of texts it has not seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, hstack
from sklearn.linear_model import LogisticRegression

from brain_core.models.static import built_in
from brain_core.text.linear import BUCKETS, Linear, Link, features, named_features

_SEED = 0
_ROUNDS = 1000
_NEAR_ENOUGH = 1e-4
"""Of the gradient: at 1e-3 a fit ends anywhere, with weights half as large one day as another."""


@dataclass(frozen=True, slots=True)
class Example:
    """A text and what is right of it. named: further features. labels: those that are right, one or several.

    unknown: labels of which it does not tell whether they are right. group: what stays together in cross-validation,
    such as the dialogue of a sentence. weight: as so many texts.
    """

    text: str
    labels: tuple[str, ...]
    named: tuple[str, ...] = ()
    unknown: frozenset[str] = frozenset()
    group: str = ""
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Fitting:
    """How a model is fitted. strength: C of scikit-learn, the less, the smoother. least: texts that have a feature.

    meaning: what the vectors of the built-in table count for beside the words.
    """

    labels: tuple[str, ...]
    link: Link = "one"
    strength: float = 10.0
    least: int = 2
    meaning: float = 0.4


def fit(examples: Sequence[Example], how: Fitting) -> Linear:
    """Fit a model. With link "one" a text of several right labels counts as a part of a text for each."""
    every = _matrix(examples)
    seen = np.flatnonzero(every.getnnz(axis=0) >= how.least)
    vectors = built_in().embed([one.text for one in examples])
    learned, bias = _regress(hstack([every[:, seen], csr_matrix(vectors * how.meaning)]).tocsr(), examples, how)
    of_words, of_meaning = learned[: len(seen)], learned[len(seen) :] * how.meaning
    scale = np.float32(np.abs(of_words).max(initial=1e-9) / 127)
    rows = np.zeros((BUCKETS, len(how.labels)), np.int8)
    rows[seen] = np.rint(of_words / scale)
    # As it is written, so that what is judged here is what is shipped.
    meaning = of_meaning.astype(np.float16).astype(np.float32)
    return Linear(how.labels, how.link, rows, scale, bias, meaning)


def added(model: Linear, other: Linear, shares: tuple[float, float]) -> Linear:
    """Return a model whose scores are the shares of the scores of two models of the same labels."""
    of_words = np.zeros(model.rows.shape, np.float32)
    bias, meaning = np.zeros_like(model.bias), np.zeros_like(model.meaning)
    for share, each in zip(shares, (model, other), strict=True):
        of_words += share * each.scale * each.rows.astype(np.float32)
        bias += share * each.bias
        meaning += share * each.meaning
    scale = np.float32(np.abs(of_words).max(initial=1e-9) / 127)
    rows = np.rint(of_words / scale).astype(np.int8)
    return Linear(model.labels, model.link, rows, scale, bias, meaning.astype(np.float16).astype(np.float32))


def _regress(
    table: csr_matrix, examples: Sequence[Example], how: Fitting
) -> tuple[NDArray[np.float64], NDArray[np.float32]]:
    """Return (float64[columns, labels], float32[labels]): weights and what is added."""
    weights = np.zeros((table.shape[1], len(how.labels)))
    bias = np.zeros(len(how.labels), np.float32)
    if how.link == "one":
        pairs = [(row, how.labels.index(label)) for row, one in enumerate(examples) for label in one.labels]
        rows, right = (np.array(part) for part in zip(*pairs, strict=True))
        share = np.array([examples[row].weight / len(examples[row].labels) for row in rows])
        model = _model(how).fit(table[rows], right, share)
        for column, label in enumerate(model.classes_):
            weights[:, label], bias[label] = _coefficients(model, column)
    else:
        share = np.array([one.weight for one in examples])
        for label, name in enumerate(how.labels):
            told = np.flatnonzero([name not in one.unknown for one in examples])
            is_right = np.array([name in examples[row].labels for row in told.tolist()])
            model = _model(how).fit(table[told], is_right, share[told])
            weights[:, label], bias[label] = model.coef_[0], model.intercept_[0]
    return weights, bias


def _model(how: Fitting) -> LogisticRegression:
    return LogisticRegression(C=how.strength, max_iter=_ROUNDS, tol=_NEAR_ENOUGH)


def _coefficients(model: LogisticRegression, column: int) -> tuple[NDArray[np.float64], float]:
    if len(model.classes_) > 2:
        return model.coef_[column], float(model.intercept_[column])
    half = 0.5 if column else -0.5  # of two classes, scikit-learn keeps the difference
    return half * model.coef_[0], half * float(model.intercept_[0])


def _matrix(examples: Sequence[Example]) -> csr_matrix:
    """Return texts × BUCKETS, as `Linear.scores` sums them."""
    indices: list[int] = []
    values: list[float] = []
    ends = [0]
    for one in examples:
        of_text, named = features(one.text), named_features(one.named)
        indices += [*of_text, *named]
        values += [1 / len(of_text) ** 0.5] * len(of_text) + [1.0] * len(named)
        ends.append(len(indices))
    return csr_matrix((values, indices, ends), shape=(len(examples), BUCKETS), dtype=np.float64)


def folds_of(examples: Sequence[Example], folds: int) -> NDArray[np.int64]:
    """Return int64[texts]: in which fold each text is judged, 0..folds - 1, those of a group together."""
    groups = np.array([one.group or f"\0{number}" for number, one in enumerate(examples)])
    names = np.unique(groups)
    fold_of = dict(zip(names, np.random.default_rng(_SEED).permutation(len(names)) % folds, strict=True))
    return np.array([fold_of[group] for group in groups], np.int64)


def out_of_fold(examples: Sequence[Example], how: Fitting, folds: int) -> NDArray[np.float32]:
    """Return float32[texts, labels]: probabilities of each text by a model that was fitted without its group."""
    folded = folds_of(examples, folds)
    found = np.zeros((len(examples), len(how.labels)), np.float32)
    for fold in range(folds):
        model = fit([one for one, its in zip(examples, folded, strict=True) if its != fold], how)
        rows = np.flatnonzero(folded == fold)
        texts = [(examples[row].text, examples[row].named) for row in rows.tolist()]
        found[rows] = model.probabilities(texts, built_in().embed([text for text, _ in texts]))
    return found
