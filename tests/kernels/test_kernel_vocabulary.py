"""Terms and their ids, against a dict."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brain_core.kernels import reference
from brain_core.kernels.vocabulary import Vocabulary

terms = st.one_of(
    st.text(max_size=4),
    st.sampled_from(("tea", "té", "茶", "下雨", "\U0001f375", "a", "\x00a", "a\x00", "a" * 300, "雨" * 300, "", "ab")),
)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.lists(terms, max_size=30), max_size=8), st.lists(terms, max_size=10))
def test_ids_are_those_of_a_dict(texts: list[list[str]], asked: list[str]) -> None:
    vocabulary, twin = Vocabulary(), reference.vocabulary.Vocabulary()
    for text in texts:
        for mine, theirs in zip(vocabulary.learn(text), twin.learn(text), strict=True):
            np.testing.assert_array_equal(mine, theirs, strict=True)
        assert len(vocabulary) == len(twin)
        np.testing.assert_array_equal(vocabulary.ids(asked), twin.ids(asked), strict=True)
    assert vocabulary.terms() == twin.terms() == [vocabulary[number] for number in range(len(twin))]
    for prefix in (*asked, *(term[:2] for text in texts for term in text), "", "a", "雨", "\U0001f375"):
        np.testing.assert_array_equal(vocabulary.starting_with(prefix), twin.starting_with(prefix), strict=True)
    assert [vocabulary.add(one) for one in asked] == [twin.add(one) for one in asked]
    assert vocabulary.terms() == twin.terms()


def test_many_terms_keep_their_ids_and_take_little() -> None:
    names = [f"word{number}" for number in range(30_000)] + [f"第{number}" for number in range(30_000)]
    vocabulary = Vocabulary()
    first = vocabulary.nbytes
    assert first < 1_000
    vocabulary.learn(names)
    assert vocabulary.ids(names).tolist() == [*range(len(names))]
    assert vocabulary.ids(["word30000", "第30000"]).tolist() == [-1, -1]
    assert vocabulary.terms() == names
    letters = sum(len(name) * (1 if name.isascii() else 2) for name in names)
    assert letters + 12 * len(names) < vocabulary.nbytes < 1.25 * letters + 32 * len(names)


@pytest.mark.parametrize("other", [b"tea", 3, None])
def test_what_is_no_text_is_refused(other: object) -> None:
    with pytest.raises(TypeError, match=r"a term must be a str, got"):
        Vocabulary().add(other)  # type: ignore[arg-type]
    for call in (Vocabulary().ids, Vocabulary().learn):
        with pytest.raises(TypeError, match=r"a term must be a str, got"):
            call([other])  # type: ignore[list-item]


@pytest.mark.parametrize("number", [-1, 1])
def test_an_id_that_was_not_given_is_refused(number: int) -> None:
    vocabulary = Vocabulary()
    vocabulary.add("tea")
    with pytest.raises(IndexError, match=rf"id {number} is not in 0\.\.0"):
        vocabulary[number]
