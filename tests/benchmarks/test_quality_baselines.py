import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.quality.baseline import Baseline, Texts
from benchmarks.quality.bm25 import K1, B, Bm25
from benchmarks.quality.counting import WordPieces
from benchmarks.quality.datasets import load_data
from benchmarks.quality.fusion import Rrf
from benchmarks.quality.replay import Replay
from benchmarks.quality.words import Words

TEXTS = st.lists(st.text(alphabet="abc 中文", max_size=20), max_size=12)


def test_words_are_stemmed_and_cjk_is_cut_in_bigrams() -> None:
    assert Words().terms("The cats were RUNNING, 我喝茶 in 北 B2B") == ["cat", "run", "我喝", "喝茶", "北", "b2b"]


@given(TEXTS, st.text(alphabet="abc 中文", max_size=10))
def test_bm25_agrees_with_its_formula(texts: list[str], question: str) -> None:
    words = Words()
    index = Bm25(words)
    for text in texts:
        index.add(text, "ann")
    scores = index.scores(question)
    assert scores.tolist() == pytest.approx(_bm25(words, [f"ann {text}" for text in texts], question))
    ranked = index.rank(question).tolist()
    assert ranked == sorted((n for n in range(len(texts)) if scores[n] > 0), key=lambda n: (-scores[n], n))


def _bm25(words: Words, texts: list[str], question: str) -> list[float]:
    documents = [words.terms(text) for text in texts]
    average = max(1.0, sum(map(len, documents)) / max(1, len(documents)))
    scores = []
    for document in documents:
        score = 0.0
        for term in words.terms(question):
            holders = sum(term in other for other in documents)
            idf = math.log(1 + (len(documents) - holders + 0.5) / (holders + 0.5))
            count = document.count(term)
            score += idf * count * (K1 + 1) / (count + K1 * (1 - B + B * len(document) / average))
        scores.append(score)
    return scores


class _Fixed:
    """Ranks always the same."""

    def __init__(self, order: list[int]) -> None:
        self._order = order

    def add(self, text: str, speaker: str) -> None:
        pass

    def rank(self, question: str) -> Texts:  # noqa: ARG002
        return np.array(self._order, dtype=np.intp)


def test_rrf_joins_ranks() -> None:
    index = Rrf(_Fixed([2, 0]), _Fixed([1, 2]))
    for _ in range(4):
        index.add("", "")
    assert index.rank("").tolist() == [2, 1, 0]  # 1/61 + 1/62, 1/61, 1/62; text 3 was ranked by none


def test_package_is_whole_turns_within_the_limit(data_folder: Path) -> None:
    memory = Baseline("bm25", lambda: Bm25(Words()), WordPieces(lambda text: len(text.split()))).open("m")
    conversation = load_data(data_folder).conversations[0]
    for session in conversation.sessions:
        for turn in session.turns:
            memory.add(session, turn)
    package = memory.package("blue bicycle commute", 9)
    assert package.turn_ids == ["s1:1"]  # 8 words; the other bicycle turn has 9 and no longer fits
    assert package.tokens == 8


def test_a_question_in_the_stream_sees_only_earlier_sessions(data_folder: Path) -> None:
    system = Baseline("bm25", lambda: Bm25(Words()), WordPieces(len))
    answers = {answer["question_id"]: answer for answer in Replay(load_data(data_folder), system).answers()}
    assert answers["q2"]["retrieved"] == ["s1:1"]
    assert set(answers["q3"]["retrieved"]) == {"s1:1", "s2:0"}
    assert list(answers) == ["q2", "q1", "q3", "q4", "q6", "q5", "q7"]
