"""Sentences of real conversations that rules once misread."""

from __future__ import annotations

import pytest

from tests.extraction.reading import drafts


@pytest.mark.parametrize(
    "text",
    [
        "Same here, it was a long day.",
        "I'm determined to make it work!",
        "We're determined to make things happen.",
    ],
)
def test_it_teaches_nothing(text: str) -> None:
    assert drafts(text) == []


def test_a_style_one_likes_is_not_the_tone_to_answer_in() -> None:
    assert "pref:writing:tone" not in [each.key for each in drafts("我喜欢印象派的风格。")]
