"""Estimated tokens against the twin."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brain_core.kernels import reference
from brain_core.kernels.tokens import approx_tokens

_PARTS = (
    "_",
    "snake",
    "Camel",
    "HTMLParser",
    "A",
    "z",
    "7",
    "2026",
    "٣",
    "²",
    " ",
    "\n",
    "\u3000",
    "\x1c",
    "我",
    "é",
    "🙂",
)


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.text(), st.lists(st.sampled_from(_PARTS)).map("".join)))
def test_approx_tokens_equal_the_twin(text: str) -> None:
    assert approx_tokens(text) == reference.approx_tokens(text)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        (" \n\u3000", 0),
        ("word", 2),
        ("我爱你", 4),
        ("snake_case", 3),
        ("1234", 3),
        ("HTMLParser", 3),
        ("__init", 3),
    ],
)
def test_approx_tokens_by_hand(text: str, tokens: int) -> None:
    assert approx_tokens(text) == tokens


def test_what_is_no_text_is_refused() -> None:
    with pytest.raises(TypeError):
        approx_tokens(None)  # type: ignore[arg-type]
