"""What is ordered once and for all, and what shapes every answer, stands in every context."""

from __future__ import annotations

import pytest

from tests.extraction.reading import drafts

ALWAYS = [
    "Please always give me temperatures in Celsius.",
    "From now on use metric units.",
    "Use imperial units please",
    "switching back to Fahrenheit please, my new controller only shows F",
    "Never book flights before 9.",
    "请每次都用摄氏度。",
    "以后价格都用人民币。",
    "叫我小普就行",
]
WHEN_ASKED = ["I prefer window seats.", "I prefer tea over coffee in the mornings", "我喜欢靠窗的座位。"]


@pytest.mark.parametrize("text", ALWAYS)
def test_a_standing_order_has_the_priority_of_its_type(text: str) -> None:
    assert [draft.priority for draft in drafts(text) if draft.kind.type == "preferences"] == [None]


@pytest.mark.parametrize("text", WHEN_ASKED)
def test_what_one_likes_is_recalled_when_asked(text: str) -> None:
    (liked,) = [draft for draft in drafts(text) if draft.kind.type == "preferences"]
    assert liked.priority is not None
    assert liked.priority > 2


def test_switching_to_something_else_is_no_wish() -> None:
    assert not [draft for draft in drafts("Going back to Spanish class tomorrow") if draft.kind.type == "preferences"]
