"""What every match of an expression needs."""

from __future__ import annotations

import re
from collections.abc import Collection

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from brain_core.compose.planner.chinese import CHINESE
from brain_core.compose.planner.english import ENGLISH
from brain_core.kernels import reference
from brain_core.text.needed import ANYWHERE, OF_A_WORD, OF_THE_TEXT, Way, needed

EDGES = {ANYWHERE: "", OF_A_WORD: "|", OF_THE_TEXT: "||"}


def told(pattern: str) -> set[frozenset[frozenset[str]]]:
    """Return the ways of a pattern, strings with a bar where a word begins or ends, with two where the text does."""
    return {
        frozenset(frozenset(f"{EDGES[one.begins]}{one.text}{EDGES[one.ends]}" for one in demand) for demand in way)
        for way in needed(pattern)
    }


@pytest.mark.parametrize(
    ("pattern", "ways"),
    [
        ("cat", ["cat"]),
        (r"\b(?:cat|dog)s?\b", ["|cat| |cats| |dog| |dogs|"]),
        (r"a1|b\d+", ["a0 b0"]),
        (r"\w+(?:_up|_down)", ["_up _down"]),
        (r"(?:约好?)?[^，]{1,3}定了", ["定了"]),
        (r"(?P<one>xx|yyy)+?z", ["xx yyy"]),
        (r"(?<=never )mind(?! you)", ["mind"]),
        (r"tell \w+ to go", ["tell~ & ~to~go"]),
        (r"\btell\b.*(?:me|us)$|later", ["later", "|tell| & me|| us||"]),
        (r"^\W*(?:hi+|hey)\b", ["||hi ||hey|"]),
        (r"(?:^|\bplease\s+)(?:go|run)(?: on| \w+)?[,.]", ["||go| ||run|", "|please| & |go| |run|"]),
        (r"(?:(?:now|then)\W+)*stop", ["stop"]),
        (r"^(?:(?:now|then)\W+)*stop", ["|stop"]),
        (r"(?:ab)+c", ["ab"]),
        ("cat\0dog", ["cat & dog"]),
        (r"a[\x00b]", ["a"]),
        (r"[^a]", []),
        (r"a?", []),
        (r"a|\w", []),
        (r"(a|b)\1", ["a b"]),
        ("(?i)cat", []),
        ("(?i:cat)", []),
        ("", []),
    ],
)
def test_by_hand(pattern: str, ways: list[str]) -> None:
    expected = [[[one.replace("~", " ") for one in demand.split()] for demand in way.split(" & ")] for way in ways]
    assert told(pattern) == {frozenset(map(frozenset, way)) for way in expected}


def is_possible(ways: Collection[Way], text: str) -> bool:
    """Return whether a way is met by a text."""
    sieve = reference.sieve.Sieve()
    sieve.add(ways)
    return sieve.possible(text) == [0]


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from([one for tells in (ENGLISH, CHINESE) for one in tells.patterns()]), st.data())
def test_what_a_pattern_of_the_planner_matches_has_what_it_needs(tell: object, data: st.DataObject) -> None:
    pattern = tell.pattern.pattern  # type: ignore[attr-defined]
    text = data.draw(st.from_regex(pattern))
    ways = needed(pattern)
    assert not ways or is_possible(ways, text), re.search(pattern, text)


PARTS = st.sampled_from(
    ["a", "b ", "_", "5", r"\d", r"\b", "^", "$", r"\s*", r"\W+", r"\w", "[ab]", "[^ab]", "(?!a)", "(?<!b)", "字", "，"]
)
PATTERNS = st.recursive(
    PARTS,
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=4).map("".join),
        st.lists(inner, min_size=1, max_size=4).map(lambda some: f"(?:{'|'.join(some)})"),
        st.tuples(inner, st.sampled_from(["?", "*", "+", "{2}", "{0,2}", "{1,3}?"])).map(
            lambda both: f"(?:{both[0]}){both[1]}"
        ),
    ),
    max_leaves=12,
)


@settings(max_examples=1000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(PATTERNS, st.text("ab_5٣ ，字\n", max_size=8))
def test_a_text_that_lacks_what_is_needed_has_no_match(pattern: str, text: str) -> None:
    ways = needed(pattern)
    if ways and not is_possible(ways, text):
        assert re.search(pattern, text) is None, ways


def test_of_nearly_all_patterns_of_the_planner_it_is_known() -> None:
    known = [bool(needed(one.pattern.pattern)) for tells in (ENGLISH, CHINESE) for one in tells.patterns()]
    assert sum(known) >= len(known) - 1  # of 看看, any character twice over, nothing is
