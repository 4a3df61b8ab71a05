"""What every match of an expression needs."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from brain_core.compose.planner.chinese import CHINESE
from brain_core.compose.planner.english import ENGLISH
from brain_core.text.one_of import one_of


@pytest.mark.parametrize(
    ("pattern", "strings"),
    [
        ("cat", {"cat"}),
        (r"\b(?:cat|dog)s?\b", {"cat", "cats", "dog", "dogs"}),
        (r"\w+ (?:up|down)", {" up", " down"}),
        (r"(?:the )?[ab]\d", {"a", "b", "the a", "the b"}),
        (r"(?:约好?)?[^，]{1,3}定了", {"定了"}),
        (r"(?P<one>xx|yyy)+?z", {"xx", "yyy"}),
        (r"(?<=never )mind(?! you)", {"mind"}),
        (r"[^a]", set()),
        (r"a?", set()),
        (r"a|\d", set()),
        (r"(a|b)\1", {"a", "b"}),
        ("(?i)cat", set()),
        ("(?i:cat)", set()),
        ("", set()),
    ],
)
def test_by_hand(pattern: str, strings: set[str]) -> None:
    assert one_of(pattern) == strings


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from([one for tells in (ENGLISH, CHINESE) for one in tells.patterns()]), st.data())
def test_what_a_pattern_of_the_planner_matches_has_what_it_needs(tell: object, data: st.DataObject) -> None:
    pattern = tell.pattern.pattern  # type: ignore[attr-defined]
    text = data.draw(st.from_regex(pattern))
    strings = one_of(pattern)
    assert not strings or any(one in text for one in strings), re.search(pattern, text)


def test_of_nearly_all_patterns_of_the_planner_it_is_known() -> None:
    known = [bool(one_of(one.pattern.pattern)) for tells in (ENGLISH, CHINESE) for one in tells.patterns()]
    assert sum(known) >= len(known) - 1  # of 看看, any character twice over, nothing is
