"""Windows cover the text, do not overlap, and stay within their limit."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brain_core.text.windows import Window, windows

texts = st.text(alphabet=st.sampled_from("ab。！.!? ,，；…\n\t\u3000\u00a0字"), max_size=200)


@settings(max_examples=100, deadline=None)
@given(texts, st.integers(1, 60))
def test_windows_cover_all_but_white_space(text: str, longest: int) -> None:
    found = windows(text, longest)
    place = 0
    for window in found:
        assert place <= window.start < window.stop <= len(text), "in order, without overlap, none empty"
        assert text[place : window.start].strip() == "", "nothing but white space between"
        assert window.stop - window.start <= longest
        piece = text[window.start : window.stop]
        assert piece == piece.strip()
        place = window.stop
    assert text[place:].strip() == ""


@settings(max_examples=50, deadline=None)
@given(texts)
def test_a_text_that_fits_is_one_window(text: str) -> None:
    stripped = text.strip()
    expected = [stripped] if stripped else []
    assert [text[one.start : one.stop] for one in windows(text, max(len(text), 1))] == expected


def test_the_widest_break_wins() -> None:
    text = "One sentence here. Another one here\n\nA paragraph, with more. Words"
    found = [text[one.start : one.stop] for one in windows(text, 45)]
    assert found == ["One sentence here. Another one here", "A paragraph, with more. Words"]
    assert windows("甲甲甲甲。乙乙乙乙。丙丙", 7) == [Window(0, 5), Window(5, 12)]


def test_text_without_breaks_is_cut_at_the_limit() -> None:
    assert windows("x" * 25, 10) == [Window(0, 10), Window(10, 20), Window(20, 25)]


def test_blank_text_has_no_window() -> None:
    assert windows("", 10) == []
    assert windows(" \n\u3000", 10) == []


def test_a_limit_below_one_is_refused() -> None:
    with pytest.raises(ValueError, match="longest must be ≥ 1, got 0"):
        windows("a", 0)
