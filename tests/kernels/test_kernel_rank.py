"""From lists to one order, against the twin that is put together of the twins of its steps."""

from __future__ import annotations

from types import ModuleType
from typing import Any, TypeVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brain_core.kernels import rank, reference
from brain_core.kernels.features import NAMES
from brain_core.kernels.vectors import SCALE_BYTES, quantise
from tests.kernels.test_kernel_features import column, conversations, in_a_line, sample

METHODS = ["rrf", "weighted_sum", "none"]
_T = TypeVar("_T")
SHARES = st.sampled_from([0.0, 0.3, 1.0])


def still(given_parts: _T) -> _T:
    """Return the same, with every array in it one that nobody may write to, as those of a snapshot are."""
    if isinstance(given_parts, np.ndarray):
        given_parts.setflags(write=False)
    elif isinstance(given_parts, dict):
        still(list(given_parts.values()))
    elif isinstance(given_parts, list | tuple):
        for one in given_parts:
            still(one)
    return given_parts


def ranked(module: ModuleType, parts: dict[str, Any], **changed: object) -> tuple[np.ndarray[Any, Any], ...]:
    """Rank by a kernel or by its twin. parts: as `rankings` draws them."""
    parts = {**parts, **changed}
    memory = module.Memory(**parts["memory"])
    queries = [module.Query(**query) for query in parts["queries"]]
    found: tuple[np.ndarray[Any, Any], ...] = module.rank(
        memory, queries, parts["lists"], parts["method"], parts["rrf_k"], parts["settings"]
    )
    return found


@st.composite
def rankings(draw: st.DrawFn) -> dict[str, Any]:
    """Draw a memory of a few sessions, what some queries say of it and found in it, and how it is ranked."""
    known = draw(conversations())
    columns, now_us = known["columns"], known["now_us"]
    n, d = len(columns["before"]), draw(st.sampled_from([1, 5, 16, 24]))
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    sums = random.integers(0, 4)
    places = random.integers(-1, sums, draw(st.integers(0, 3)), dtype=np.int32)
    queries = [draw(said(known, n, d)) for _ in range(draw(st.integers(1, 3)))]
    return still({
        "memory": {
            "columns": columns,
            "status": random.integers(0, 3, n, dtype=np.uint8),
            "packed": quantise(random.standard_normal((n, d)).astype(np.float32)),
            "session_places": places,
            "session_sums": (random.standard_normal((sums, d)) * draw(st.sampled_from([0.0, 1.0]))).astype(np.float32),
        },
        "queries": queries,
        "lists": draw(lists(n, len(queries))),
        "method": draw(st.sampled_from(METHODS)),
        "rrf_k": draw(st.sampled_from([0.5, 60.0])),
        "settings": (
            draw(st.sampled_from([0, 1, 2, 5, 400])),
            np.array(draw(st.lists(SHARES, min_size=13, max_size=13))) + draw(st.sampled_from([0.0, 0.1])) + 1e-9,
            draw(st.integers(0, 3)),
            draw(st.sampled_from([0.0, 0.5, 1.0])),
            now_us,
            known["half_life_us"],
            draw(st.sampled_from([column([], np.int64), random.integers(-1, 2, n), -columns["time_us"]])),
        ),
    })  # fmt: skip


@st.composite
def said(draw: st.DrawFn, known: dict[str, Any], n: int, d: int) -> dict[str, Any]:
    """Draw what a query says of n rows."""
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    lexical, masks, weights, sessions = known["words"]
    none = not draw(st.booleans())
    vector = random.standard_normal(d) * draw(st.sampled_from([0.0, 0.2, 1.0]))
    return {
        "words": (np.zeros_like(lexical) if none else lexical.copy(), random.permutation(masks), weights, sessions),
        "word_trust": draw(SHARES),
        "vector": (vector[:0] if draw(st.booleans()) else vector).astype(np.float32),
        "vector_trust": draw(SHARES),
        "named": known["named"].copy(),
        "allowed": (random.random(n) < draw(st.sampled_from([0.0, 0.5, 1.0]))).astype(np.uint8),
        "weight": draw(st.sampled_from([0.0, 0.5, 1.0, 2.0])),
        "most": draw(st.sampled_from([0, 1, 4, 1_000])),
    }


@st.composite
def lists(draw: st.DrawFn, n: int, queries: int) -> reference.rank.Lists:
    """Draw what some queries found among n rows: none, one or several lists, with many equal scores."""
    found: list[tuple[list[int], list[float]]] = []
    for _ in range(draw(st.integers(0, 4))):
        rows = draw(st.lists(st.integers(0, n - 1), unique=True, max_size=12))
        value = st.one_of(st.sampled_from([0.0, 1.0]), st.floats(-1, 30))
        found.append((rows, sorted(draw(st.lists(value, min_size=len(rows), max_size=len(rows))), reverse=True)))
    of = draw(st.lists(st.integers(0, queries - 1), min_size=len(found), max_size=len(found)))
    weights = draw(st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=len(found), max_size=len(found)))
    return [
        (column(rows, np.int32), column(scores, np.float64), weight, query)
        for (rows, scores), weight, query in zip(found, weights, of, strict=True)
    ]


def found_by(parts: dict[str, Any]) -> set[int]:
    """Return the rows that some list has."""
    return {row for rows, *_ in parts["lists"] for row in rows.tolist()}


@settings(max_examples=400, deadline=None)
@given(rankings())
def test_a_ranking_equals_the_twin_bit_for_bit(parts: dict[str, Any]) -> None:
    found = ranked(rank, parts)
    for mine, theirs in zip(found, ranked(reference.rank, parts), strict=True):
        np.testing.assert_array_equal(mine, theirs)
    rows, scores, queries, joined, recency, over = found
    assert [one.dtype for one in found[:-1]] == [np.int32, np.float64, np.int32, np.float64, np.float64]
    assert len(set(rows.tolist())) == len(rows)
    if not over:
        assert set(rows.tolist()) >= found_by(parts), "what was found is ranked"
    for number, query in enumerate(parts["queries"]):
        assert np.count_nonzero(queries == number) <= query["most"]
    assert (np.diff(scores) <= 0).all()
    assert ((queries >= 0) & (queries < len(parts["queries"]))).all()
    assert set(rows[np.isnan(joined)].tolist()).isdisjoint(found_by(parts))
    if parts["settings"][0] == 0 or not len(rows):
        assert np.isnan(recency).all()
    elif not over:
        assert not np.isnan(recency).all()


@pytest.mark.parametrize("top_n", [0, 70, 100, 400])
@pytest.mark.parametrize("seed", range(3))
def test_many_rows_equal_the_twin_too(seed: int, top_n: int) -> None:
    """More than are asked for what is usual, and more than have their neighbours looked at."""
    n, d, random = 700, 24, np.random.default_rng(seed)
    found = [random.permutation(n // 2)[:90] * 2 for _ in range(2)]  # every other row: the rest stands beside
    parts = with_settings(by_hand(), top_n=top_n, weights=np.linspace(0.1, 1, 13))
    parts["memory"] = {
        "columns": in_a_line(n, per_message=2)["columns"],
        "status": random.integers(0, 10, n, dtype=np.uint8),
        "packed": quantise(random.standard_normal((n, d)).astype(np.float32)),
        "session_places": column([0], np.int32),
        "session_sums": random.standard_normal((1, d)).astype(np.float32),
    }
    lexical = (random.random(n) * 20).astype(np.float32)
    query = {
        **parts["queries"][0],
        "words": (lexical, random.integers(0, 8, n, dtype=np.uint64), np.ones(3), np.ones(1)),
        "vector": random.standard_normal(d).astype(np.float32),
        "allowed": np.ones(n, dtype=np.uint8),
    }
    parts["queries"] = [query, {**query, "vector": -query["vector"]}]
    parts["lists"] = [(rows.astype(np.int32), np.linspace(1, 0, 90), 1.0, query) for query, rows in enumerate(found)]
    ranking = ranked(rank, parts)
    for mine, theirs in zip(ranking, ranked(reference.rank, parts), strict=True):
        np.testing.assert_array_equal(mine, theirs)
    beside = int(np.isnan(ranking[3]).sum())
    assert (64 < beside <= 128) if top_n else beside == 0
    assert len(set(ranking[2].tolist())) == 2


def by_hand() -> dict[str, Any]:
    """Give the sample's memory and one query that found rows 1, 4 and 3 in it; only its words count."""
    words = sample()["words"]
    return {
        "memory": {
            "columns": sample()["columns"],
            "status": column([1, 1, 1, 1, 1], np.uint8),
            "packed": quantise(np.eye(5, 4, dtype=np.float32)),
            "session_places": column([0, -1], np.int32),
            "session_sums": np.array([[0, 3, 4, 0]], dtype=np.float32),
        },
        "queries": [
            {
                "words": (column([4, 2, 8, 1, 1], np.float32), *words[1:]),
                "word_trust": 1.0,
                "vector": np.empty(0, dtype=np.float32),
                "vector_trust": 1.0,
                "named": sample()["named"],
                "allowed": np.ones(5, dtype=np.uint8),
                "weight": 1.0,
                "most": 1_000,
            }
        ],
        "lists": [(column([1, 4, 3], np.int32), column([3, 2, 1], np.float64), 1.0, 0)],
        "method": "rrf",
        "rrf_k": 1.0,
        "settings": (10, only("lexical"), 9, 0.5, 10, 30.0, column([], np.int64)),
    }  # fmt: skip


def only(*names: str) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return weights of the features of these names alone."""
    return column([float(name in names) for name in NAMES], np.float64)


def with_settings(parts: dict[str, Any], **changed: object) -> dict[str, Any]:
    names = ("top_n", "weights", "deprecated", "factor", "now_us", "half_life_us", "ties")
    return {
        **parts,
        "settings": tuple(changed.get(name, one) for name, one in zip(names, parts["settings"], strict=True)),
    }


def with_query(parts: dict[str, Any], **changed: object) -> dict[str, Any]:
    return {**parts, "queries": [{**parts["queries"][0], **changed}]}


@pytest.mark.parametrize("module", [rank, reference.rank])
def test_a_ranking_by_hand(module: ModuleType) -> None:
    rows, scores, queries, joined, recency, over = ranked(module, by_hand())
    assert rows.tolist() == [2, 0, 1, 3, 4], "rows 0 and 2 stand beside row 1; of equals the lower row comes first"
    assert scores.tolist() == [1, 4 / 8, 2 / 8, 1 / 8, 1 / 8]
    assert queries.tolist() == [0] * 5
    assert over == 0
    np.testing.assert_array_equal(joined, [np.nan, np.nan, 1 / 2, 1 / 4, 1 / 3])
    assert recency.tolist() == [*[2 ** (-1 / 30)] * 2, 0.5, 2 ** (-1 / 30), 1]


@pytest.mark.parametrize("module", [rank, reference.rank])
def test_what_is_beyond_top_n_follows_below_by_its_joined_score(module: ModuleType) -> None:
    rows, scores, _, joined, recency, _ = ranked(module, with_settings(by_hand(), top_n=1))
    assert rows.tolist() == [2, 0, 1, 4, 3]
    assert scores.tolist() == pytest.approx([1, 4 / 8, 2 / 8, 2 / 8 * 2 / 3, 2 / 8 * 2 / 4])
    assert np.isnan(recency).tolist() == [False, False, False, True, True]
    rows, scores, *_ = ranked(module, with_settings(by_hand(), top_n=0))
    assert rows.tolist() == [1, 4, 3], "nothing is looked at: no neighbours either"
    assert scores.tolist() == pytest.approx([1, 2 / 3, 2 / 4])
    below = in_lists(1, column([-3, -2, -1], np.float64))
    rows, scores, *_ = ranked(module, with_settings(by_hand(), top_n=0), method="none", lists=below)
    assert rows.tolist() == [3, 4, 1]
    assert scores.tolist() == [1, 1 / 2, 1 / 3], "no share of a best that is not above 0"
    assert joined[2] == 1 / 2


@pytest.mark.parametrize("module", [rank, reference.rank])
def test_filters_and_statuses_and_ties(module: ModuleType) -> None:
    rows, scores, *_ = ranked(module, with_query(by_hand(), allowed=column([0, 1, 0, 1, 0], np.uint8)))
    assert rows.tolist() == [1, 3, 4], "no neighbour that is not allowed"
    assert scores[-1] == 0, "what was found but is not allowed to this query has no score"
    parts = by_hand()
    parts["memory"]["status"][2] = 9
    rows, scores, *_ = ranked(module, parts)
    assert rows.tolist() == [0, 2, 1, 3, 4]
    assert scores.tolist()[:2] == [0.5, 0.5], "deprecated counts half"
    rows, *_ = ranked(module, with_settings(by_hand(), ties=column([0, 0, 0, 0, -5], np.int64)))
    assert rows.tolist() == [2, 0, 1, 4, 3]


@pytest.mark.parametrize("module", [rank, reference.rank])
def test_cosines_count_by_what_is_usual_and_sessions_by_their_sum(module: ModuleType) -> None:
    parts = with_query(by_hand(), vector=np.array([0, 1, 0, 0], dtype=np.float32))
    rows, scores, *_ = ranked(module, with_settings(parts, weights=only("semantic")))
    assert rows[0] == 1
    mean, deviation = 1 / 5, 0.4
    assert scores.tolist() == pytest.approx([(1 - mean) / (9 * deviation), 0, 0, 0, 0])
    rows, scores, *_ = ranked(module, with_settings(parts, weights=only("session_semantic")))
    assert rows.tolist() == [0, 1, 2, 3, 4]
    assert scores.tolist() == pytest.approx([*[(3 / 5 - mean) / (9 * deviation)] * 4, 0]), "row 4 speaks for itself"


@pytest.mark.parametrize("module", [rank, reference.rank])
def test_the_best_query_is_named_and_the_first_among_equals(module: ModuleType) -> None:
    parts = by_hand()
    twice = [{**parts["queries"][0], "weight": weight} for weight in (1.0, 2.0, 2.0)]
    _, scores, queries, _, recency, _ = ranked(
        module, with_settings(parts, top_n=1), queries=twice, lists=in_lists(3, 2)
    )
    assert scores[0] == 2
    assert queries.tolist() == [1, 1, 1, 2, 2], "the rest is of the query that found it"
    assert np.isnan(recency).tolist() == [False, False, False, True, True]


@pytest.mark.parametrize("module", [rank, reference.rank])
def test_of_each_query_no_more_is_kept_than_it_may_bring(module: ModuleType) -> None:
    whole = ranked(module, by_hand())
    for most in range(7):
        kept = ranked(module, with_query(by_hand(), most=most))
        for one, other in zip(kept[:-1], whole[:-1], strict=True):
            np.testing.assert_array_equal(one, other[:most])
        assert kept[-1] == max(0, 5 - most)
    parts = by_hand()
    first, second = ({**parts["queries"][0], "weight": weight, "most": 1} for weight in (1.0, 2.0))
    rows, _, queries, *_, over = ranked(module, with_settings(parts, top_n=1), queries=[first, second])
    assert (rows.tolist(), queries.tolist()) == ([2, 4], [1, 0]), "the rest is of the query that found it"
    assert over == 3


@pytest.mark.parametrize("module", [rank, reference.rank])
def test_nothing_found_gives_nothing(module: ModuleType) -> None:
    asked: list[list[dict[str, Any]]] = [by_hand()["queries"], []]
    for queries in asked:
        found = ranked(module, by_hand(), lists=[], queries=queries)
        assert [one.shape for one in found[:-1]] == [(0,)] * 5
        assert found[-1] == 0
    blank = {name: one[:0] for name, one in sample()["columns"].items()}
    empty = {
        **by_hand()["memory"],
        "columns": blank,
        "status": column([], np.uint8),
        "packed": np.empty((0, 4 + SCALE_BYTES), dtype=np.uint8),
    }
    found = ranked(module, by_hand(), memory=empty, queries=[], lists=[])
    assert [one.shape for one in found[:-1]] == [(0,)] * 5


def in_lists(place: int, value: object) -> list[Any]:
    [one] = by_hand()["lists"]
    return [(*one[:place], value, *one[place + 1 :])]


@pytest.mark.parametrize(
    ("changed", "error", "says"),
    [
        ({"method": "best"}, ValueError, r"method must be one of \['none', 'rrf', 'weighted_sum'\], got 'best'"),
        ({"rrf_k": 0.0}, ValueError, "rrf_k must be > 0, got 0.0"),
        ({"lists": in_lists(0, column([1, 5, 3], np.int32))}, ValueError, r"is 5, not in 0..4"),
        ({"lists": in_lists(0, column([1, -1, 3], np.int32))}, ValueError, r"is -1, not in 0..4"),
        ({"lists": in_lists(1, np.ones(2))}, ValueError, "rows has 3 entries but scores has 2"),
        ({"lists": in_lists(2, -1.0)}, ValueError, "list 0: weight must be ≥ 0"),
        ({"lists": in_lists(3, 1)}, IndexError, "list 0 is of query 1, not of one of 1"),
        ({"lists": in_lists(3, -1)}, IndexError, "list 0 is of query -1, not of one of 1"),
        ({"queries": []}, IndexError, "list 0 is of query 0, not of one of 0"),
        (with_settings(by_hand(), top_n=-1), ValueError, "top_n must be ≥ 0, got -1"),
        (with_settings(by_hand(), weights=np.ones(12)), ValueError, "weights must have 13 entries, got 12"),
        (with_settings(by_hand(), weights=-only("before")), ValueError, r"weights\[2\] must be ≥ 0, got -1.0"),
        (with_settings(by_hand(), weights=only("before") * np.nan), ValueError, r"weights\[0\] must be ≥ 0, got nan"),
        (with_settings(by_hand(), weights=np.zeros(13)), ValueError, "weights must have a positive sum"),
        (with_settings(by_hand(), half_life_us=0.0), ValueError, "half_life_us must be > 0, got 0.0"),
        (with_settings(by_hand(), ties=column([1], np.int64)), ValueError, "ties must have 5 entries or none, got 1"),
        (
            with_query(by_hand(), vector=np.ones(3, dtype=np.float32)),
            ValueError,
            "query 0: vector has 3 numbers",
        ),
        (with_query(by_hand(), weight=-1.0), ValueError, "weight must be ≥ 0, got -1.0"),
        (with_query(by_hand(), weight=np.nan), ValueError, "weight must be ≥ 0, got nan"),
        (with_query(by_hand(), most=-1), ValueError, "most must be ≥ 0, got -1"),
        (
            with_query(by_hand(), allowed=np.ones(4, dtype=np.uint8)),
            ValueError,
            "masks and allowed must have 5 entries, one for each of lexical",
        ),
    ],
)
def test_what_does_not_fit_is_refused_by_both(changed: dict[str, Any], error: type[Exception], says: str) -> None:
    for module in (rank, reference.rank):
        with pytest.raises(error, match=says):
            ranked(module, by_hand(), **changed)


def test_words_that_do_not_fit_are_refused_by_both() -> None:
    lexical, masks, weights, sessions = by_hand()["queries"][0]["words"]
    few = {"words": (lexical[:4], masks[:4], weights, sessions), "allowed": np.ones(4, dtype=np.uint8)}
    for module in (rank, reference.rank):
        with pytest.raises(ValueError, match="query 0 is of 4 rows, not 5"):
            ranked(module, with_query(by_hand(), **few))
        with pytest.raises(ValueError, match="masks and allowed must have 5 entries"):
            ranked(module, with_query(by_hand(), words=(lexical, masks[:4], weights, sessions)))
        with pytest.raises(ValueError, match="weights must have at most 64 entries, got 65"):
            ranked(module, with_query(by_hand(), words=(lexical, masks, np.ones(65), sessions)))


@pytest.mark.parametrize("name", sorted(sample()["columns"]))
def test_a_column_of_another_length_is_refused_by_both(name: str) -> None:
    parts = by_hand()
    parts["memory"]["columns"][name] = parts["memory"]["columns"][name][:4]
    for module in (rank, reference.rank):
        with pytest.raises(ValueError, match=f"column {name} has 4 entries, not 5"):
            ranked(module, parts)


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"status": column([1], np.uint8)}, "column status has 1 entries, not 5"),
        ({"session_sums": np.ones((1, 3), dtype=np.float32)}, "sums have 3 numbers, vectors have 4"),
        ({"session_places": column([0, 1], np.int32)}, "session 1 has no sum at 1"),
    ],
)
def test_a_memory_that_does_not_fit_is_refused_by_both(changed: dict[str, Any], says: str) -> None:
    for module in (rank, reference.rank):
        with pytest.raises(ValueError, match=says):
            ranked(module, {**by_hand(), "memory": {**by_hand()["memory"], **changed}})


def test_no_memory_is_a_type_error() -> None:
    with pytest.raises(TypeError):
        rank.rank(None, [], by_hand()["lists"], "rrf", 1.0, by_hand()["settings"])  # type: ignore[arg-type]
