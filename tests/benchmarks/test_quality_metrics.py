import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.quality.metrics import CUTS, mean, package_scores, percentile, ranking_scores

IDS = st.integers(0, 70).map(str)


def test_one_gold_id_at_rank_three() -> None:
    scores = ranking_scores(["x", "y", "gold", "z"], ["gold"])
    assert scores["recall@5"] == scores["recall_any@5"] == scores["recall_all@5"] == 1.0
    assert scores["mrr"] == pytest.approx(1 / 3)
    assert scores["ndcg@10"] == pytest.approx(0.5)  # 1/log2(4), and an ideal of 1


def test_two_of_three_gold_ids_within_five() -> None:
    scores = ranking_scores(["a", "x", "b", "y", "z", "w", "c"], ["a", "b", "c"])
    assert scores["recall@5"] == pytest.approx(2 / 3)
    assert (scores["recall_any@5"], scores["recall_all@5"]) == (1.0, 0.0)
    assert (scores["recall@10"], scores["recall_all@10"]) == (1.0, 1.0)
    gain = 1 + 1 / math.log2(4) + 1 / math.log2(8)
    ideal = 1 + 1 / math.log2(3) + 1 / math.log2(4)
    assert scores["ndcg@10"] == pytest.approx(gain / ideal)


def test_a_repeated_id_counts_once_where_it_stands_first() -> None:
    assert ranking_scores(["x", "x", "x", "gold", "gold"], ["gold", "gold"]) == ranking_scores(["x", "gold"], ["gold"])


def test_ideal_of_more_than_ten_gold_ids_is_ten() -> None:
    gold = [str(number) for number in range(15)]
    scores = ranking_scores(gold, gold)
    assert scores["ndcg@10"] == pytest.approx(1.0)
    assert scores["recall@10"] == pytest.approx(10 / 15)


def test_nothing_found() -> None:
    assert set(ranking_scores([], ["gold"]).values()) == {0.0}


def test_no_gold_is_refused() -> None:
    with pytest.raises(ValueError, match="without gold"):
        ranking_scores(["a"], [])


def test_package() -> None:
    assert package_scores(["a", "x", "a"], ["a", "b"]) == {"share": 0.5, "all": 0.0}
    assert package_scores(["b", "a"], ["a", "b"]) == {"share": 1.0, "all": 1.0}


def test_mean_and_percentile() -> None:
    assert mean([{"a": 1.0}, {"a": 0.0}]) == {"a": 0.5}
    assert mean([]) == {}
    assert percentile([3.0, 1.0, 2.0], 0.5) == 2.0
    assert percentile([1.0, 2.0], 0.95) == pytest.approx(1.95)
    assert percentile([4.0], 0.95) == 4.0


@given(st.lists(IDS, max_size=80), st.sets(IDS, min_size=1, max_size=15))
def test_agrees_with_a_twin_that_looks_at_every_place(ranked: list[str], gold: set[str]) -> None:
    distinct = [one for place, one in enumerate(ranked) if one not in ranked[:place]]
    scores = ranking_scores(ranked, gold)
    for cut in CUTS:
        found = set(distinct[:cut]) & gold
        assert scores[f"recall@{cut}"] == pytest.approx(len(found) / len(gold))
        assert scores[f"recall_any@{cut}"] == (1.0 if found else 0.0)
        assert scores[f"recall_all@{cut}"] == (1.0 if found == gold else 0.0)
    gains = [1.0 if one in gold else 0.0 for one in distinct[:10]]
    best = [1.0] * min(10, len(gold))
    assert scores["ndcg@10"] == pytest.approx(_dcg(gains) / _dcg(best))
    assert scores["mrr"] == max([1 / (distinct.index(one) + 1) for one in gold if one in distinct], default=0.0)


def _dcg(gains: list[float]) -> float:
    return sum(gain / math.log2(place + 2) for place, gain in enumerate(gains))
