"""That the lexical index ranks as BM25 says it should, and that the judge of it can tell."""

import importlib.util
import json
import math
import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from benchmarks.engine.texts import MadeUpTexts
from benchmarks.peers.lexical import __main__ as lexical
from benchmarks.peers.lexical.engine import K1, B, Document
from benchmarks.peers.lexical.engines.smartbrain import SmartBrain
from benchmarks.peers.lexical.reference import KEPT_LENGTHS, Reference, is_best, judge
from brain_core.text.words import terms

WORDS = st.sampled_from(["tea", "coffee", "bicycle", "Lisbon", "rain", "龙井茶", "杭州", "parse_config"])
LONGEST_QUERY = 8  # distinct terms: in longer queries rare ones are ours to weigh more
TEXTS = st.lists(st.lists(WORDS, max_size=30).map(" ".join), min_size=1, max_size=40)


@settings(deadline=None)
@given(TEXTS, st.lists(WORDS, max_size=6).map(" ".join))
def test_the_reference_agrees_with_its_formula(texts: list[str], query: str) -> None:
    documents = [terms(text) for text in texts]
    average = max(1.0, sum(map(len, documents)) / len(documents))
    expected = []
    for document in documents:
        score = 0.0
        for term in set(terms(query)):
            holders = sum(term in other for other in documents)
            idf = math.log(1 + (len(documents) - holders + 0.5) / (holders + 0.5))
            count = document.count(term)
            score += idf * count * (K1 + 1) / (count + K1 * (1 - B + B * len(document) / average))
        expected.append(score)
    assert Reference(documents).scores(terms(query)).tolist() == pytest.approx(expected)


@settings(deadline=None)
@given(TEXTS, st.lists(WORDS, max_size=6).map(" ".join).filter(lambda query: len(set(terms(query))) <= LONGEST_QUERY))
@example([*[""] * 4, "tea 龙井茶", "龙井茶", "龙井茶", "杭州", "tea tea tea tea 杭州 杭州"], "tea 龙井茶")
def test_our_ten_are_the_best_ten_of_small_cases(texts: list[str], query: str) -> None:
    _assert_ours_is_best(texts, [query])


def test_our_ten_are_the_best_ten_of_two_thousand() -> None:
    texts = MadeUpTexts()
    chance = random.Random(3)
    words = " ".join(texts.question(chance.randrange(2000)) for _ in range(120)).split()
    short = [word if word.isascii() else word[:2] for word in words]
    queries = [" ".join(chance.sample(short, 2)) for _ in range(60)]
    assert 4 < max(len(set(terms(query))) for query in queries) <= LONGEST_QUERY
    _assert_ours_is_best([texts.text(number) for number in range(2000)], queries)


def _assert_ours_is_best(texts: list[str], queries: list[str]) -> None:
    documents = [Document(text, terms(text)) for text in texts]
    ours = SmartBrain()
    ours.build(documents)
    reference = Reference([document.terms for document in documents])
    for query in queries:
        found = ours.top(Document(query, terms(query)))
        assert is_best(found, reference.scores(terms(query))), query


def test_the_judge_allows_ties_and_nothing_else() -> None:
    scores = np.array([3.0, 2.0, 2.0, 1.0, 0.0])
    assert is_best([0, 1, 2, 3], scores)
    assert is_best([0, 2, 1, 3], scores)
    assert not is_best([1, 0, 2, 3], scores)  # wrong order
    assert not is_best([0, 1, 2], scores)  # one too few
    assert not is_best([0, 1, 1, 3], scores)  # one twice
    assert not is_best([0, 1, 2, 3, 4], scores)  # one that shares no term
    assert judge([0, 1], np.array([1.0, 2.0]), np.array([2.0, 1.0])) == "same by quantised lengths"
    assert judge([0, 1], np.array([1.0, 2.0]), np.array([1.0, 2.0])) == "different"


def test_quantised_lengths_are_those_of_lucene() -> None:
    # The head of tantivy's FIELD_NORMS_TABLE, and its size.
    assert KEPT_LENGTHS[:48].tolist() == [*range(41), 42, 44, 46, 48, 50, 52, 54]
    assert KEPT_LENGTHS[48:53].tolist() == [56, 60, 64, 68, 72]
    assert len(KEPT_LENGTHS) == 256


def test_a_small_run(data_folder: Path, tmp_path: Path) -> None:
    assert lexical.main(["--data", str(data_folder), "--out", str(tmp_path), "--memories", "300"]) == 0
    results = json.loads((tmp_path / "lexical.json").read_text(encoding="utf-8"))
    rows = {row["engine"]: row for row in results["rows"]}
    assert set(rows) >= {"smartbrain"}
    for row in rows.values():
        assert row["different"] == 0
        assert row["same"] + row["same_by_quantised_lengths"] == row["queries"] > 0
        assert min(row["build_ms"], row["p50_ms"], row["add_ms"]) > 0
    assert {name for name, _ in results["left_out"]} == set(lexical.ENGINES) - set(rows)
    absent = [name for name in ("bm25s", "tantivy") if importlib.util.find_spec(name) is None]
    assert {name for name, _ in results["left_out"]} == set(absent)
    assert "| smartbrain | 300 |" in (tmp_path / "lexical.md").read_text(encoding="utf-8")
