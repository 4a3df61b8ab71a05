"""Whatever is said: nothing raises, spans lie inside the message, and time grows with length."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brain_core.extract import read as reading_module
from brain_core.extract.dates import days
from brain_core.extract.masks import masked, masks
from brain_core.extract.secrets import find_secrets
from brain_core.kinds.draft import Draft
from tests.extraction.reading import SAID, read

_PIECES = (
    "\n", "I prefer", "my name is", "we decided to", "remind me to", "on Friday", "not", "instead of", "Ana",
    "Oslo", ",", ".", "?", "\"", "'", "`", "```", ">", "[E1]", "actually", "no longer", "https://a.b/c",
    "the", "is", "5433", "always", "if", "记住", "我住在", "password is", "\U0001f600", "\u200b", "I", "need to",
    "by", "2026-05-07", ":", "and", "\ufffc", "\U0001d54f", "to", "from",
)  # fmt: skip
TEXTS = st.text(max_size=300) | st.lists(st.sampled_from(_PIECES), max_size=40).map(" ".join)


@settings(max_examples=300, deadline=None)
@given(TEXTS)
def test_never_raises_and_spans_lie_inside(text: str) -> None:
    for found in read(text):
        if found.span is not None:
            start, stop = found.span
            assert 0 <= start <= stop <= len(text)
        if isinstance(found, Draft):
            assert found.key


@settings(max_examples=200, deadline=None)
@given(TEXTS)
def test_masks_and_secrets_and_dates_lie_inside_and_in_order(text: str) -> None:
    covered = masks(text)
    assert len(masked(text, covered)) == len(text)
    for spans in (
        [(each.start, each.stop) for each in covered],
        [(start, stop) for start, stop, _ in find_secrets(text)],
        [(each.start, each.stop) for each in days(text, SAID.date())],
    ):
        places = [place for span in spans for place in span]
        assert places == sorted(places)
        assert not places or (places[0] >= 0 and places[-1] <= len(text))


_ADVERSARIAL = [
    "I prefer " * 5,
    "a " * 10,
    "is is is is ",
    "not not, not ",
    "\"'`",
    "my my our the ",
    "I I I'm ",
    "[E1] ",
    "\n> ",
    "On a wrote: ",
    "1/2/3.4-5 ",
    "/a/a/a",
    "password is ",
    "the the, the ",
    "to to to you ",
    "- — – ; ",
    "A A A A is our ",
    "here is the text ",
    "可以吗我",
]


@pytest.mark.parametrize("piece", _ADVERSARIAL)
def test_time_grows_no_faster_than_length(piece: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading_module, "pasted", lambda _: "")

    def seconds(size: int) -> float:
        text = (piece * (size // len(piece) + 1))[:size]
        taken = []
        for _ in range(3):
            begun = time.thread_time()
            read(text)
            find_secrets(text)
            taken.append(time.thread_time() - begun)
        return min(taken)

    small, large = seconds(4_000), seconds(32_000)
    assert large < 8 * 6 * max(small, 0.0005)
