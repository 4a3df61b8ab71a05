"""Logistic regression over the features of `brain_core.text.linear` and the vectors of the built-in table.

And what it says of texts it has not seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse import csr_matrix, hstack
from scipy.special import expit
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


def fit(examples: Sequence[Example], how: Fitting, expected: Linear | None = None) -> Linear:
    """Fit a model. With link "one" a text of several right labels counts as a part of a text for each.

    expected: of the same labels, link "each"; what is learned is how the weights differ from its, as few as the texts
    ask for, so that what it knows of other texts stays. Without one, they are learned from nothing.
    """
    every = _matrix(examples)
    seen = np.flatnonzero(every.getnnz(axis=0) >= how.least)
    vectors = built_in().embed([one.text for one in examples])
    table = hstack([every[:, seen], csr_matrix(vectors * how.meaning)]).tocsr()
    start = expected or _nothing(how, vectors.shape[1])
    if (start.labels, start.link) != (how.labels, how.link) or (expected and how.link != "each"):
        raise ValueError("what is expected must be of the labels that are fitted, each right or not by itself")
    of_words = start.scale * start.rows.astype(np.float32)
    weights = np.concatenate([of_words[seen], start.meaning / how.meaning if how.meaning else start.meaning])
    learned, bias = _regress(table, examples, how, np.vstack([weights, start.bias]).astype(np.float64))
    of_words[seen] = learned[: len(seen)]
    return _as_written(how.labels, how.link, of_words, bias, learned[len(seen) :] * how.meaning)


def _nothing(how: Fitting, dimension: int) -> Linear:
    """Return a model that has learned nothing. dimension: of a text's vector."""
    labels = len(how.labels)
    of_meaning = np.zeros((dimension, labels), np.float32)
    no_words, of_none = np.zeros((BUCKETS, labels), np.int8), np.zeros(labels, np.float32)
    return Linear(how.labels, how.link, no_words, np.float32(0), of_none, of_meaning)


def _as_written(
    labels: tuple[str, ...],
    link: Link,
    of_words: NDArray[np.float32],
    bias: NDArray[np.float32],
    meaning: NDArray[np.floating],
) -> Linear:
    """Return a model as its file holds it, so that what is judged is what is shipped. of_words: [BUCKETS, labels]."""
    scale = np.float32(np.abs(of_words).max(initial=1e-9) / 127)
    rows = np.rint(of_words / scale).astype(np.int8)
    return Linear(labels, link, rows, scale, bias, meaning.astype(np.float16).astype(np.float32))


def added(model: Linear, other: Linear, shares: tuple[float, float]) -> Linear:
    """Return a model whose scores are the shares of the scores of two models of the same labels."""
    of_words = np.zeros(model.rows.shape, np.float32)
    bias, meaning = np.zeros_like(model.bias), np.zeros_like(model.meaning)
    for share, each in zip(shares, (model, other), strict=True):
        of_words += share * each.scale * each.rows.astype(np.float32)
        bias += share * each.bias
        meaning += share * each.meaning
    return _as_written(model.labels, model.link, of_words, bias, meaning)


def _regress(
    table: csr_matrix, examples: Sequence[Example], how: Fitting, expected: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float32]]:
    """Return (float64[columns, labels], float32[labels]): weights and what is added. expected: likewise, that last."""
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
            found = told_apart(table[told], is_right, share[told], how.strength, expected[:, label])
            weights[:, label], bias[label] = found[:-1], found[-1]
    return weights, bias


def told_apart(
    table: csr_matrix,
    is_right: NDArray[np.bool_],
    share: NDArray[np.float64],
    strength: float,
    expected: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return float64[columns + 1]: the weights of a logistic regression around those expected, then what is added.

    It minimises Σ share · log(1 + exp(−margin)) + ‖weights − expected‖² / (2 strength); what is added is free.
    """
    signs, total = np.where(is_right, 1.0, -1.0), float(share.sum())
    pull = 1 / (strength * total)

    def loss(weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        margins = signs * (table @ weights[:-1] + weights[-1])
        away = weights[:-1] - expected[:-1]
        of_margins = -signs * share * expit(-margins) / total
        value = share @ np.logaddexp(0, -margins) / total + pull / 2 * (away @ away)
        return float(value), np.append(table.T @ of_margins + pull * away, of_margins.sum())

    limits = {"maxiter": _ROUNDS, "gtol": _NEAR_ENOUGH, "ftol": 0.0}
    found: NDArray[np.float64] = minimize(loss, expected, jac=True, method="L-BFGS-B", options=limits).x
    return found


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
