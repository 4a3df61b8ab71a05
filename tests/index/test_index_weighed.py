"""A query's words weigh by how few of a memory's texts have them."""

from __future__ import annotations

import numpy as np
import pytest

from brain_core.index.lexical import LexicalIndex
from brain_core.index.weighed import weighed
from brain_core.models.embedder import Words

AXES = np.eye(3, dtype=np.float32)


def filled(*texts: str) -> LexicalIndex:
    index = LexicalIndex()
    for text in texts:
        index.add(text)
    return index


@pytest.mark.parametrize(("common", "rare"), [("kiln", "glaze"), ("烧窑", "釉料")])
def test_a_word_of_every_text_weighs_less_than_one_of_few(common: str, rare: str) -> None:
    index = filled(*[f"{common} {number}" for number in range(400)], f"{common} {rare}")
    vector = weighed(Words([[common], [rare[:2] if rare == "釉料" else rare]], AXES[:2]), index)
    assert vector[1] > 2 * vector[0] > 0
    assert vector @ vector == pytest.approx(1, rel=1e-5)


def test_the_rarest_term_of_a_word_tells() -> None:
    index = filled(*["read a file"] * 200, "read_file")
    assert index.shares([["read_fil", "read"]])[0] == index.shares([["read_fil"]])[0]
    assert index.shares([["read"]])[0] > 0.8


def test_a_stop_word_has_no_share_and_weighs_as_a_common_one() -> None:
    index = filled(*["a b"] * 100)
    assert np.isnan(index.shares([[]])).all()
    vector = weighed(Words([[], ["unheard"]], AXES[:2]), index)
    assert 0 < vector[0] < vector[1]


def test_a_few_texts_tell_little() -> None:
    """The word that the only text has would weigh a fourth of one that it lacks."""
    vector = weighed(Words([["kiln"], ["glaze"]], AXES[:2]), filled("kiln"))
    assert vector[0] > 0.8 * vector[1]


def test_no_word_gives_zeros() -> None:
    assert not weighed(Words((), AXES[:0]), filled("kiln")).any()
