"""The language of a text, as far as its script tells."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brain_core.text.language import language


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I like coffee", "en"),
        ("我喜欢咖啡", "zh"),
        ("コーヒーが好きです", "ja"),
        ("日本語を勉強します", "ja"),
        ("커피를 좋아해요", "ko"),
        ("我用 Python 写代码", "zh"),
        ("My teacher wrote 你好 on the board", "en"),
        ("12345 !?", ""),
        ("", ""),
        ("😀", ""),
    ],
)
def test_the_larger_script_names_the_language(text: str, expected: str) -> None:
    assert language(text) == expected


@settings(max_examples=50, deadline=None)
@given(st.text(max_size=100))
def test_any_text_has_one_of_the_known_codes(text: str) -> None:
    assert language(text) in {"en", "zh", "ja", "ko", ""}
