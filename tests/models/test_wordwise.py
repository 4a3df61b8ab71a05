"""A query word by word: its words add up to its vector, in English, Chinese and both."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brain_core.models.embedder import is_wordwise
from brain_core.models.static import BUILT_IN, StaticEmbedder
from brain_core.models.wordwise import SHARED, Shared, read_shared, write_shared
from brain_core.text.words import terms

TEXTS = [
    "My sister lives in Kyoto and is allergic to peanuts.",
    "我昨天在银行里看见一只猫，后来去了图书馆。",
    "Please book 北京烤鸭店 for Friday 7pm",
    "def readFile(path): return open(path).read()",
    "Which roofing contractor did we decide on in March?",
]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> StaticEmbedder:
    """Return the built-in embedder of whose queries nothing is lost."""
    folder = tmp_path_factory.mktemp("models")
    for name in (BUILT_IN.name, "cedict-zh"):
        shutil.copytree(BUILT_IN.parent / name, folder / name)
    (folder / BUILT_IN.name / SHARED).unlink()
    return StaticEmbedder(folder / BUILT_IN.name)


@pytest.mark.parametrize("text", TEXTS)
def test_words_add_up_to_the_vector(whole: StaticEmbedder, text: str) -> None:
    words = whole.words(text)
    total = words.vectors.sum(axis=0)
    assert total @ whole.embed([text])[0] / np.linalg.norm(total) > 0.95
    assert {term for of_word in words.terms for term in of_word} <= set(terms(text))


def test_a_word_stands_once_and_weighs_more_if_it_is_said_twice(whole: StaticEmbedder) -> None:
    once, twice = whole.words("kyoto"), whole.words("kyoto, kyoto")
    assert len(twice.terms) == 1
    np.testing.assert_allclose(twice.vectors, once.vectors * np.sqrt(np.float32(2)), rtol=1e-5)


@pytest.mark.parametrize("text", ["", " \n", "?!", "\ue000"])
def test_a_text_without_words_has_none(text: str) -> None:
    words = StaticEmbedder().words(text)
    assert len(words.terms) == 0
    assert words.vectors.shape == (0, StaticEmbedder().dimension)


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=60))
def test_any_text_has_a_finite_row_for_each_word(text: str) -> None:
    words = StaticEmbedder().words(text)
    assert len(words.terms) == len(words.vectors)
    assert np.isfinite(words.vectors).all()


def test_a_query_loses_a_part_of_the_directions_that_all_texts_share(whole: StaticEmbedder) -> None:
    shared = read_shared(BUILT_IN / SHARED, whole.dimension)
    before, after = whole.words(TEXTS[0]).vectors, StaticEmbedder().words(TEXTS[0]).vectors
    np.testing.assert_allclose(after @ shared.axes.T, (before @ shared.axes.T) * (1 - shared.shares), atol=1e-3)
    np.testing.assert_allclose(shared.axes @ shared.axes.T, np.eye(len(shared.axes)), atol=1e-5)
    assert ((shared.shares > 0) & (shared.shares < 1)).all()


def test_vectors_of_texts_lose_nothing(whole: StaticEmbedder) -> None:
    np.testing.assert_array_equal(whole.embed(TEXTS), StaticEmbedder().embed(TEXTS))
    assert whole.fingerprint == StaticEmbedder().fingerprint


def test_directions_come_back_as_written(tmp_path: Path) -> None:
    shared = Shared(np.eye(2, 5, dtype=np.float32), np.array([0.5, 0.25], np.float32))
    write_shared(shared, tmp_path / SHARED)
    found = read_shared(tmp_path / SHARED, 5)
    np.testing.assert_array_equal(found.axes, shared.axes)
    np.testing.assert_array_equal(found.shares, shared.shares)


def test_damaged_directions_and_those_of_another_table_are_refused(tmp_path: Path) -> None:
    file = tmp_path / SHARED
    file.write_bytes(b"no tensors")
    with pytest.raises(ValueError, match=SHARED):
        read_shared(file, 5)
    write_shared(Shared(np.eye(2, 5, dtype=np.float32), np.zeros(2, np.float32)), file)
    with pytest.raises(ValueError, match="6 for each"):
        read_shared(file, 6)


def test_the_built_in_embedder_is_wordwise() -> None:
    assert is_wordwise(StaticEmbedder())
