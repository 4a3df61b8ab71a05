"""Fitting the classifiers of short texts. What it needs comes with `pip install -e '.[train]'`."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

pytest.importorskip("sklearn")

from scipy.sparse import csr_matrix

from benchmarks.quality.linear.fit import Example, Fitting, added, fit, out_of_fold, told_apart
from brain_core.models.static import built_in
from brain_core.text.linear import Linear

TEXTS = [
    *(Example(text, ("broken",)) for text in ("the lamp is broken", "接口坏了", "my lamp broke", "灯坏了")),
    *(Example(text, ("thanks",)) for text in ("thanks a lot", "谢谢你", "many thanks", "太谢谢了")),
]


def likelihoods(model: Linear, *texts: str) -> NDArray[np.float32]:
    return model.probabilities([(text, ()) for text in texts], built_in().embed(texts))


@pytest.mark.parametrize("link", ["one", "each"])
def test_what_was_seen_is_known_again_and_its_like_too(link: str) -> None:
    model = fit(TEXTS, Fitting(("broken", "thanks"), "one" if link == "one" else "each", least=1))
    for text, label in (("the lamp broke", "broken"), ("车坏了", "broken"), ("thanks for that", "thanks")):
        assert model.labels[int(likelihoods(model, text)[0].argmax())] == label


def test_a_word_that_no_text_has_counts_by_what_it_means() -> None:
    model = fit(TEXTS, Fitting(("broken", "thanks"), meaning=1.0))
    likely = likelihoods(model, "shattered", "cheers")
    assert likely[0, 0] > likely[1, 0]
    alone = likelihoods(fit(TEXTS, Fitting(("broken", "thanks"), meaning=0.0)), "shattered", "cheers")
    assert alone[0] == pytest.approx(alone[1])


def test_a_text_that_does_not_tell_of_a_label_teaches_nothing_of_it() -> None:
    hidden = [replace(one, unknown=frozenset(["thanks"])) for one in TEXTS if "thanks" not in one.labels]
    told = [*(one for one in TEXTS if "thanks" in one.labels), Example("a plain walk", ())]
    model = fit([*hidden, *told], Fitting(("broken", "thanks"), "each", least=1, meaning=0.0))
    known = fit([*TEXTS, Example("a plain walk", ())], Fitting(("broken", "thanks"), "each", least=1, meaning=0.0))
    assert likelihoods(model, "broken lamp")[0, 1] > likelihoods(known, "broken lamp")[0, 1]


def test_texts_of_one_group_are_judged_together() -> None:
    same = [Example("gizmo", ("broken",), group="a")] * 4 + [Example(f"word {n}", ("thanks",)) for n in range(4)]
    same += [Example(f"faulty {name}", ("broken",)) for name in ("x", "y")]
    found = out_of_fold(same, Fitting(("broken", "thanks"), least=1), 4)
    assert (found[:4, 0] < 0.5).all()  # no other text has its word


def test_models_are_added_score_by_score() -> None:
    first = fit(TEXTS, Fitting(("broken", "thanks"), "each", least=1))
    other = fit(TEXTS, Fitting(("broken", "thanks"), "each", least=1, strength=1.0, meaning=0.0))
    texts = [("the lamp broke", ()), ("多谢", ())]
    vectors = built_in().embed([text for text, _ in texts])
    wanted = 0.75 * first.scores(texts, vectors) + 0.5 * other.scores(texts, vectors)
    assert added(first, other, (0.75, 0.5)).scores(texts, vectors) == pytest.approx(wanted, abs=0.05)


def test_what_is_expected_stays_where_no_text_speaks_against_it_and_gives_way_where_texts_do() -> None:
    how = Fitting(("broken", "thanks"), "each", strength=1.0, least=1, meaning=0.5)
    expected = fit([*TEXTS, Example("gizmo gadget", ("broken",))] * 3, how)
    told = [Example("the lamp is broken", ("thanks",)), Example("a plain walk", ())]
    model = fit(told, how, expected)
    before, after = (likelihoods(each, "gizmo", "谢谢你", "the lamp is broken") for each in (expected, model))
    alone = likelihoods(fit(told, how), "gizmo", "谢谢你")
    assert after[0, 0] > alone[0, 0]
    assert after[1, 1] > alone[1, 1]
    assert after[2, 1] > before[2, 1]
    assert after[2, 0] < before[2, 0]


def test_a_weak_fit_says_what_was_expected() -> None:
    how = Fitting(("broken", "thanks"), "each", least=1)
    expected = fit(TEXTS, how)
    same = fit([Example("the lamp broke", ("thanks",)), *TEXTS], replace(how, strength=1e-9), expected)
    texts = [("the lamp broke", ()), ("谢谢你", ())]
    vectors = built_in().embed([text for text, _ in texts])
    # What is added is free, so scores may all move by as much.
    moved = same.scores(texts, vectors) - expected.scores(texts, vectors)
    assert moved[0] == pytest.approx(moved[1], abs=0.05)


def test_what_is_expected_is_of_the_labels_that_are_fitted() -> None:
    how = Fitting(("broken", "thanks"), "each", least=1)
    with pytest.raises(ValueError, match="labels"):
        fit(TEXTS, replace(how, labels=("thanks", "broken")), fit(TEXTS, how))
    one = Fitting(("broken", "thanks"), "one", least=1)
    with pytest.raises(ValueError, match="labels"):
        fit(TEXTS, one, fit(TEXTS, one))


def test_each_label_is_fitted_as_scikit_learn_fits_it() -> None:
    sklearn = pytest.importorskip("sklearn.linear_model")
    numbers = np.random.default_rng(1).normal(size=(60, 4))
    is_right = numbers @ [1.0, -2.0, 0.5, 0.0] > 0.3
    share = np.linspace(0.5, 3, 60)
    found = told_apart(csr_matrix(numbers), is_right, share, 2.0, np.zeros(5))
    known = sklearn.LogisticRegression(C=2.0, tol=1e-6).fit(numbers, is_right, share)
    assert found == pytest.approx([*known.coef_[0], known.intercept_[0]], abs=0.01)
