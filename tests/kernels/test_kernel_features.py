"""Features and neighbours against their twins."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brain_core.kernels import reference
from brain_core.kernels.features import NAMES, features, neighbours


def column(values: list[Any], kind: type[np.generic]) -> np.ndarray[Any, Any]:
    return np.array(values, dtype=kind)


@st.composite
def conversations(draw: st.DrawFn) -> dict[str, Any]:
    """Draw a few sessions whose rows are linked as ChunkTable links them, and some of the rows as candidates."""
    n = draw(st.integers(1, 60))
    session = draw(st.lists(st.integers(-1, 2), min_size=n, max_size=n))
    before, after, start = [-1] * n, [-1] * n, list(range(n))
    last: dict[int, int] = {}
    long = draw(st.sampled_from([0.0, 0.5, 0.95]))
    goes_on = np.random.default_rng(draw(st.integers(0, 2**32))).random(n) < long
    for row, one in enumerate(session):
        if one in last:
            before[row], after[last[one]] = last[one], row
            if goes_on[row]:
                start[row] = start[last[one]]
        last[one] = row
    rows = draw(st.lists(st.integers(0, n - 1), max_size=12))
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    bits = draw(st.sampled_from([0, 1, 5, 64]))
    some = draw(st.sampled_from([0.0, 0.2, 0.9]))
    lexical = column((random.random(n) * 30 * (random.random(n) < some)).tolist(), np.float32)
    masks = random.integers(0, 2**64, n, dtype=np.uint64)
    now_us = draw(st.one_of(st.integers(-1000, 1000), st.integers(-(2**58), 2**58)))
    return {
        "rows": column(rows, np.int32),
        "words": (
            lexical,
            masks * (random.random(n) < some),
            random.random(bits),
            random.random(draw(st.integers(0, 3))),
        ),
        "word_trust": draw(st.sampled_from([0.0, 0.3, 1.0])),
        "vectors": (
            (random.random(len(rows)) * 2.1 - 1).astype(np.float32),
            (random.random(len(rows)) * 2.1 - 1).astype(np.float32),
            draw(st.floats(-0.5, 0.5)),
            draw(st.sampled_from([1e-3, 0.07, 1.0])),
        ),
        "vector_trust": draw(st.sampled_from([0.0, 0.7, 1.0])),
        "named": random.integers(0, 2, draw(st.integers(0, 3)), dtype=np.uint8),
        "columns": {
            "before": column(before, np.int32),
            "after": column(after, np.int32),
            "start": column(start, np.int32),
            "session": column(session, np.int32),
            "speaker": random.integers(-1, 4, n, dtype=np.int32),
            "chars": random.integers(0, 1500, n, dtype=np.int32),
            "assistant": random.integers(0, 2, n, dtype=np.uint8),
            "first_person": random.integers(0, 5, n, dtype=np.uint8),
            "time_us": now_us + random.integers(-(10 ** draw(st.integers(1, 17))), 1000, n),
            "priority": random.integers(0, 11, n, dtype=np.uint8),
            "confidence": random.random(n, dtype=np.float32),
        },
        "now_us": now_us,
        "half_life_us": draw(st.sampled_from([0.5, 300.0, 2.6e12])),
    }


@settings(max_examples=200, deadline=None)
@given(conversations())
def test_features_equal_the_twin_bit_for_bit(given_columns: dict[str, Any]) -> None:
    found = features(**given_columns)
    np.testing.assert_array_equal(found, reference.features.features(**given_columns))
    assert found.shape == (len(given_columns["rows"]), len(NAMES))
    assert (found >= 0).all()
    most = np.where(np.array(NAMES) == "semantic", 2.0, 1.0)
    assert (found <= most + 1e-12).all()


def sample() -> dict[str, Any]:
    """Give a session of three messages, of which the second is two rows, and a text that stands alone."""
    return {
        "rows": column([1, 4], np.int32),
        "words": (
            column([4, 2, 8, 1, 0], np.float32),
            column([0b001, 0b010, 0b000, 0b000, 0b000], np.uint64),
            np.array([1.0, 2.0, 5.0]),
            np.array([3.0, 12.0]),
        ),
        "word_trust": 0.5,
        "vectors": (column([0.5, 0.25], np.float32), column([0.25, -1.0], np.float32), 0.25, 0.0625),
        "vector_trust": 1.0,
        "named": column([0, 1], np.uint8),
        "columns": {
            "before": column([-1, 0, 1, 2, -1], np.int32),
            "after": column([1, 2, 3, -1, -1], np.int32),
            "start": column([0, 1, 1, 3, 4], np.int32),
            "session": column([0, 0, 0, 0, 1], np.int32),
            "speaker": column([0, 1, 1, 0, -1], np.int32),
            "chars": column([300, 150, 900, 600, 100], np.int32),
            "assistant": column([0, 1, 1, 0, 0], np.uint8),
            "first_person": column([0, 1, 0, 0, 9], np.uint8),
            "time_us": column([9, -20, 9, 9, 11], np.int64),
            "priority": column([9, 5, 9, 9, 0], np.uint8),
            "confidence": column([0.25, 0.5, 0.25, 0.25, 1], np.float32),
        },
        "now_us": 10,
        "half_life_us": 30.0,
    }


def test_features_by_hand() -> None:
    found = features(**sample())
    assert dict(zip(NAMES, found[0].tolist(), strict=True)) == pytest.approx(
        {
            "lexical": 0.5 * 2 / 4,  # the 8 is of its own message, not of one beside it
            "semantic": 1.5 * 0.25 / (9 * 0.0625),  # by half more, for words are trusted by half
            "before": 0.5 * (4 / 4) / 2,
            "after": 0.5 * (1 / 4) / 3,
            "around": 0.5 * 3 / 8,
            "session_lexical": 0.5 * 3 / 12,
            "session_semantic": 0,
            "speaker": 1,
            "concise": 0.75,
            "first_person": 1 / 3,
            "recency": 0.5,
            "priority": 0.5,
            "confidence": 0.5,
        }
    )
    assert found[1].tolist() == pytest.approx([0, 0, 0, 0, 0, 0.5, 0, 0, 1, 1, 1, 1, 1])


def in_a_line(rows: int, per_message: int) -> dict[str, Any]:
    """Give one session of messages of so many rows, all of them candidates, in which nothing is found yet."""
    row = np.arange(rows, dtype=np.int32)
    columns = {name: np.zeros(rows, dtype=one.dtype) for name, one in sample()["columns"].items()}
    after = np.where(row + 1 < rows, row + 1, -1).astype(np.int32)
    columns |= {"before": row - 1, "after": after, "start": row // per_message * per_message}
    none = np.zeros(rows, dtype=np.float32)
    words = (none.copy(), np.zeros(rows, dtype=np.uint64), np.ones(1), np.zeros(0))
    vectors = (none, none, 0.0, 1.0)
    return {**sample(), "rows": row, "columns": columns, "words": words, "vectors": vectors, "word_trust": 1.0}


def test_words_count_from_two_messages_away_and_no_farther() -> None:
    given_columns = in_a_line(40, per_message=2)
    given_columns["words"][1][0] = 1
    for one in (features, reference.features.features):
        around = one(**given_columns)[:, NAMES.index("around")]
        assert np.flatnonzero(around).tolist() == [0, 1, 2, 3, 4, 5]


def test_of_a_very_long_message_the_nearest_sixteen_rows_count() -> None:
    for distance, seen in ((15, True), (16, False)):
        given_columns = in_a_line(80, per_message=20)
        lexical, masks, _, _ = given_columns["words"]
        lexical[20 + distance], masks[20 + distance] = 1, 1
        for one in (features, reference.features.features):
            found = one(**given_columns)
            assert bool(found[5, NAMES.index("after")]) == seen, "from the message before it"
            assert bool(found[20, NAMES.index("around")]) == seen, "from its own first row"
            assert bool(found[65, NAMES.index("before")]) is False
        assert features(**given_columns)[45, NAMES.index("before")] == (1 if distance >= 4 else 0)


def test_no_candidates_give_no_rows() -> None:
    cosine, _, mean, deviation = sample()["vectors"]
    given_columns = {**sample(), "rows": column([], np.int32), "vectors": (cosine[:0], cosine[:0], mean, deviation)}
    assert features(**given_columns).shape == (0, 13)
    assert reference.features.features(**given_columns).shape == (0, 13)


def part(name: str, place: int, value: object) -> tuple[Any, ...]:
    """Return one of the sample's tuples with another value in it."""
    parts = list(sample()[name])
    parts[place] = value
    return tuple(parts)


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("vectors", part("vectors", 0, column([1], np.float32)), "cosines must have 2 entries, one for each of rows"),
        ("vectors", part("vectors", 1, column([1], np.float32)), "cosines must have 2 entries, one for each of rows"),
        ("vectors", part("vectors", 3, 0.0), "deviation and half_life_us must be > 0, got 0.0 and 30.0"),
        ("vectors", part("vectors", 3, float("nan")), "deviation and half_life_us must be > 0, got nan and 30.0"),
        ("half_life_us", 0.0, "deviation and half_life_us must be > 0, got 0.0625 and 0.0"),
        ("words", part("words", 1, column([1], np.uint64)), "masks must have 5 entries, one for each of lexical"),
        ("words", part("words", 2, np.ones(65)), "weights must have at most 64 entries, got 65"),
        ("rows", column([0, 5], np.int32), r"rows\[1\] is 5, not in 0..4"),
        ("rows", column([-1, 0], np.int32), r"rows\[0\] is -1, not in 0..4"),
    ],
)
def test_what_does_not_fit_is_refused_by_both(name: str, value: object, says: str) -> None:
    for one in (features, reference.features.features):
        with pytest.raises(ValueError, match=says):
            one(**{**sample(), name: value})


@pytest.mark.parametrize("name", sorted(sample()["columns"]))
def test_a_column_of_another_length_is_refused_by_both(name: str) -> None:
    for one in (features, reference.features.features):
        given_columns = sample()
        given_columns["columns"][name] = given_columns["columns"][name][:4]
        with pytest.raises(ValueError, match=f"column {name} has 4 entries, not 5"):
            one(**given_columns)


@pytest.mark.parametrize("name", ["before", "after"])
def test_a_neighbour_that_is_not_there_is_refused_by_both(name: str) -> None:
    for one in (features, reference.features.features):
        given_columns = sample()
        given_columns["columns"][name][1] = 5
        with pytest.raises(ValueError, match=r"a neighbour of row 1 is not in 0..4"):
            one(**given_columns)


def links(given_columns: dict[str, Any], allowed: list[bool]) -> tuple[Any, Any, Any]:
    return given_columns["columns"]["before"], given_columns["columns"]["after"], column(allowed, np.uint8)


@settings(max_examples=100, deadline=None)
@given(conversations(), st.integers(0, 25), st.data())
def test_neighbours_equal_the_twin(given_columns: dict[str, Any], most: int, data: st.DataObject) -> None:
    rows, n = given_columns["rows"], len(given_columns["words"][0])
    beside = links(given_columns, data.draw(st.lists(st.booleans(), min_size=n, max_size=n)))
    found = neighbours(rows, most, *beside)
    np.testing.assert_array_equal(found, reference.features.neighbours(rows, most, *beside))
    assert found.dtype == np.int32
    assert len(found) <= 2 * most
    assert found.tolist() == sorted(set(found.tolist()) - set(rows.tolist()))


def test_neighbours_by_hand() -> None:
    every = links(sample(), [True] * 5)
    assert neighbours(column([1, 4], np.int32), 2, *every).tolist() == [0, 2]
    assert neighbours(column([4, 1], np.int32), 1, *every).tolist() == [], "the first has none, the second is not asked"
    assert neighbours(column([1, 0], np.int32), 2, *every).tolist() == [2], "what is listed is not beside it"
    assert neighbours(column([1], np.int32), 9, *links(sample(), [False, *[True] * 4])).tolist() == [2]


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("before", column([1], np.int32), "before and after must have 5 entries, one for each of allowed"),
        ("after", column([1], np.int32), "before and after must have 5 entries, one for each of allowed"),
        ("most", -1, "most must be ≥ 0, got -1"),
        ("rows", column([0, 5], np.int32), r"rows\[1\] is 5, not in 0..4"),
        ("before", column([-1, 5, -1, -1, -1], np.int32), r"a neighbour of row 1 is not in 0..4"),
        ("after", column([-1, 5, -1, -1, -1], np.int32), r"a neighbour of row 1 is not in 0..4"),
    ],
)
def test_no_neighbours_of_what_does_not_fit(name: str, value: object, says: str) -> None:
    before, after, allowed = links(sample(), [True] * 5)
    usual = {"rows": column([1, 4], np.int32), "most": 2, "before": before, "after": after, "allowed": allowed}
    for one in (neighbours, reference.features.neighbours):
        with pytest.raises(ValueError, match=says):
            one(**{**usual, name: value})
