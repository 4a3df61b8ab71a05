"""When what is told was over already, holds again, or contradicts until when a thing was said to hold."""

from __future__ import annotations

from datetime import UTC
from typing import Any

import pytest
from smartbrain.v1.item_pb2 import ITEM_SOURCE_USER, MemoryItem

from brain_core.commit.validity import held_again, only_past, stated_interval_cut
from brain_core.kinds.draft import Draft
from brain_core.kinds.registry import KINDS
from tests.building import second

DAY = 86_400


def told(**times: float) -> Draft:
    """Return a draft. times: seconds after the first second."""
    given: dict[str, Any] = {name: second(at).ToMicroseconds() for name, at in times.items()}
    return Draft("messages[0]", KINDS["notes"], {}, 0.8, ITEM_SOURCE_USER, "said", **given)


@pytest.mark.parametrize(
    ("ends", "held_until", "past"),
    [(None, None, False), (11, None, False), (10, None, True), (10, 11, True), (10, 10, False), (10, 9, False)],
)
def test_only_what_ends_before_what_is_known_is_past(ends: float | None, held_until: float | None, past: bool) -> None:
    draft = told() if ends is None else told(valid_to_us=ends)
    current = MemoryItem() if held_until is None else MemoryItem(valid_to=second(held_until))
    assert only_past(draft, current, second(10).ToMicroseconds()) is past


@pytest.mark.parametrize(
    ("over_at", "said", "again"),
    [(10, 10, True), (10, 9, False), (10, 12, True), (None, 12, False)],
)
def test_what_was_over_when_it_is_said_holds_again(over_at: float | None, said: float, again: bool) -> None:
    current = MemoryItem()
    if over_at is not None:
        current.valid_to.CopyFrom(second(over_at))
    said_us = second(said).ToMicroseconds()
    assert held_again(told(), current, said_us, said_us) is again
    assert held_again(told(valid_to_us=said + 1), current, said_us, said_us) is again
    assert not held_again(told(valid_to_us=said), current, said_us, said_us), "it is over as it is said"
    assert not held_again(told(expires_at_us=said), current, said_us, said_us)


def test_what_begins_before_the_known_end_is_told() -> None:
    current = MemoryItem(valid_to=second(10 * DAY))
    assert stated_interval_cut(told(valid_from_us=10 * DAY), current, UTC) == ""
    assert stated_interval_cut(told(), current, UTC) == ""
    assert stated_interval_cut(told(valid_from_us=5 * DAY), MemoryItem(), UTC) == ""
    cut = stated_interval_cut(told(valid_from_us=5 * DAY), current, UTC)
    assert cut == "was said to hold until 2023-11-24; the new value holds from 2023-11-19"
