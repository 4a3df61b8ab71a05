"""Fitting filters over tokens. What it needs comes with `pip install -e '.[train]'`."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

pytest.importorskip("sklearn")
pytest.importorskip("torch")

from benchmarks.quality.linear.convolution import Filtering, fit_convolution, scores_out_of_fold
from benchmarks.quality.linear.fit import Example
from brain_core.models.static import built_in
from brain_core.text.convolution import Convolution, Fitted
from brain_core.text.linear import Link

LABELS = ("bites", "bitten")
NAMES = ("Anna", "Ben", "Carla", "David", "Emma", "Frank", "小明", "王芳")
TEXTS = [
    *(Example(f"{name} bites the dog", ("bites",)) for name in NAMES),
    *(Example(f"the dog bites {name}", ("bitten",)) for name in NAMES),
]
QUICK = Filtering(LABELS, dimension=16, filters=16, unheard=0.0, dim=0.0, idle=0.1, rounds=60, batch=8, speed=1e-2)


def scores(fitted: Fitted, *texts: str) -> NDArray[np.float32]:
    return Convolution(fitted, built_in().token_vectors).scores([built_in().tokens(text) for text in texts])


@pytest.mark.parametrize("link", ["one", "each"])
def test_order_is_learned(link: Link) -> None:
    found = scores(fit_convolution(TEXTS, replace(QUICK, link=link)), "Grace bites the dog", "the dog bites Grace")
    assert found.argmax(axis=1).tolist() == [0, 1]


def test_the_same_seed_gives_the_same_filters() -> None:
    some = replace(QUICK, rounds=2)
    first, second, other = (fit_convolution(TEXTS, how) for how in (some, some, replace(some, seed=1)))
    np.testing.assert_array_equal(first.filters, second.filters)
    np.testing.assert_array_equal(first.rows, second.rows)
    assert (first.filters != other.filters).any()


def test_a_text_that_does_not_tell_of_a_label_teaches_nothing_of_it() -> None:
    how = replace(QUICK, link="each")
    hidden = [replace(one, unknown=frozenset(["bitten"])) for one in TEXTS if "bites" in one.labels]
    told = [one for one in TEXTS if "bitten" in one.labels]
    known, unknown = (scores(fit_convolution([*some, *told], how), "Emma bites the dog") for some in (TEXTS, hidden))
    assert known[0, 1] < 0 < unknown[0, 1]


def test_texts_of_one_group_are_judged_together() -> None:
    same = [replace(one, group="all") for one in TEXTS if "bites" in one.labels]
    found = scores_out_of_fold([*same, *(one for one in TEXTS if "bitten" in one.labels)], QUICK, 2)
    assert (found[: len(same)].argmax(axis=1) == 1).all()  # nobody bites in what was learned from
