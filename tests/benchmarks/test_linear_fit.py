"""Fitting the classifiers of short texts. What it needs comes with `pip install -e '.[train]'`."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("sklearn")

from benchmarks.quality.linear.fit import Example, Fitting, Kin, fit, out_of_fold
from brain_core.text.linear import features

TEXTS = [
    *(Example(text, ("broken",)) for text in ("the lamp is broken", "接口坏了", "my lamp broke", "灯坏了")),
    *(Example(text, ("thanks",)) for text in ("thanks a lot", "谢谢你", "many thanks", "太谢谢了")),
]


@pytest.mark.parametrize("link", ["one", "each"])
def test_what_was_seen_is_known_again_and_its_like_too(link: str) -> None:
    model = fit(TEXTS, Fitting(("broken", "thanks"), "one" if link == "one" else "each", least=1))
    for text, label in (("the lamp broke", "broken"), ("车坏了", "broken"), ("thanks for that", "thanks")):
        assert model.labels[int(model.probabilities(text).argmax())] == label


def test_a_word_that_no_text_has_weighs_what_its_like_weighs() -> None:
    word = {name: features(name)[1] for name in ("broken", "thanks", "shattered", "cheers")}
    vectors = np.array([[4, 0], [0, 4], [4, 0], [0, 4]], np.float32)
    kin = Kin(np.array(list(word.values())), vectors)
    model = fit(TEXTS, Fitting(("broken", "thanks"), kin=kin))
    assert model.rows[word["shattered"], 0] > model.rows[word["cheers"], 0]
    alone = fit(TEXTS, Fitting(("broken", "thanks")))
    assert not alone.rows[word["shattered"]].any()


def test_texts_of_one_group_are_judged_together() -> None:
    same = [Example("gizmo", ("broken",), group="a")] * 4 + [Example(f"word {n}", ("thanks",)) for n in range(4)]
    same += [Example(f"faulty {name}", ("broken",)) for name in ("x", "y")]
    found = out_of_fold(same, Fitting(("broken", "thanks"), least=1), 4)
    assert (found[:4, 0] < 0.5).all()  # no other text has its word
