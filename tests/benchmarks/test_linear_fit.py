"""Fitting the classifiers of short texts. What it needs comes with `pip install -e '.[train]'`."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

pytest.importorskip("sklearn")

from benchmarks.quality.linear.fit import Example, Fitting, added, fit, out_of_fold
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
