"""What the words of a query say: which terms weigh how much, and whose name they hold."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from brain_core.index.lexical import Formula, LexicalIndex, LexicalScores, no_scores
from brain_core.index.speakers import Speakers
from brain_core.text.words import terms

_K1, _B = 1.6, 0.75


def index(*texts: str, least_length: float = 0.0) -> LexicalIndex:
    made = LexicalIndex(least_length)
    for text in texts:
        made.add(text)
    return made


def scored(made: LexicalIndex, query: str) -> LexicalScores:
    return made.score(query, Formula(_K1, _B, _K1))


def query_of(count: int, *words: str) -> str:
    """Return a query of so many distinct terms, these words among them."""
    return " ".join([*words, *(f"unheard{number}" for number in range(count - len(words)))])


TEXTS = ["rain and tea", "rain in Lisbon", "rain again", "tea"]


@pytest.mark.parametrize(
    ("count", "power"), [(2, 1), (8, 1), (9, 1 + 1 / 22), (19, 1.5), (29, 1 + 21 / 22), (30, 2), (60, 2)]
)
def test_in_a_long_query_rare_terms_count_for_more(count: int, power: float) -> None:
    made = index(*TEXTS)
    plain, found = scored(made, "rain tea"), scored(made, query_of(count, "rain", "tea"))
    np.testing.assert_allclose(found.weights[:2], plain.weights**power)
    assert found.weights[1] > found.weights[0], "tea is rarer than rain"
    only_tea = scored(made, "tea").rows[3]
    np.testing.assert_allclose(found.rows[3], only_tea * plain.weights[1] ** (power - 1), rtol=1e-6)


def test_bm25_is_what_the_formula_says() -> None:
    made = index(*TEXTS)
    lengths = [len(terms(text)) for text in TEXTS]
    idf = np.log(1 + (4 - 2 + 0.5) / (2 + 0.5))
    found = scored(made, "tea")
    for row, text in enumerate(TEXTS):
        count = terms(text).count("tea")
        norm = _K1 * (1 - _B + _B * lengths[row] / (sum(lengths) / 4))
        assert found.rows[row] == pytest.approx(idf * count * (_K1 + 1) / (count + norm), rel=1e-6)


def test_of_short_texts_the_shorter_is_not_the_better() -> None:
    texts = ["tea", "tea with a slice of lemon", "tea " + "and many further words of no use " * 20]
    rows = scored(index(*texts, least_length=20.0), "tea").rows
    assert rows[0] == rows[1] > rows[2]
    rows = scored(index(*texts), "tea").rows
    assert rows[0] > rows[1] > rows[2]


def bits(found: LexicalScores) -> list[set[int]]:
    """Return which places of `weights` each text has."""
    return [{bit for bit in range(64) if int(mask) >> bit & 1} for mask in found.masks]


def test_masks_say_which_terms_a_text_has() -> None:
    found = scored(index(*TEXTS), "Lisbon tea nowhere rain")
    assert len(found.weights) == 4
    assert bits(found) == [{1, 3}, {0, 3}, {3}, {1}]


def test_past_64_terms_the_commonest_are_left_out_of_masks_but_not_of_scores() -> None:
    rare = [f"rare{number}" for number in range(63)]
    made = index("common", f"common {' '.join(rare)}", *["common"] * 20, "seldom common")
    found = scored(made, " ".join(["common", *rare, "seldom"]))
    assert len(found.weights) == 64
    assert bits(found)[0] == set()
    assert bits(found)[1] == set(range(63))
    assert bits(found)[-1] == {63}, "in the order of the query"
    assert found.rows[0] > 0
    assert found.known == 1
    assert len(found.words) == 65


def test_a_query_of_thousands_of_terms_is_scored() -> None:
    made = index(*TEXTS)
    found = scored(made, query_of(5000, "tea"))
    assert len(found.weights) == 64
    assert np.flatnonzero(found.rows).tolist() == [0, 3]


def test_known_is_the_share_of_weight_that_some_text_has() -> None:
    made = index(*TEXTS)
    assert scored(made, "tea rain").known == 1
    assert scored(made, "unheard").known == scored(made, "").known == scored(index(), "tea").known == 0
    found = scored(made, "tea unheard")
    unheard = np.log(1 + (4 + 0.5) / 0.5)
    assert found.known == pytest.approx(found.weights[0] / (found.weights[0] + unheard))
    assert scored(made, "rain unheard").known < found.known, "a common word says less"


def test_a_term_that_no_text_has_weighs_most_and_finds_nothing() -> None:
    found = scored(index(*TEXTS), "unheard tea")
    assert found.weights[0] > found.weights[1] > 0
    assert bits(found) == [{1}, set(), set(), {1}]
    assert scored(index(*TEXTS), "unheard").rows.tolist() == [0] * 4


def test_what_is_not_sought_by_words_has_no_scores() -> None:
    nothing = no_scores(3)
    assert nothing.rows.tolist() == nothing.masks.tolist() == [0, 0, 0]
    assert (len(nothing.weights), len(nothing.sessions), nothing.known, nothing.words) == (0, 0, 0, frozenset())


def named(names: list[str], query: str) -> list[str]:
    """Return the speakers whose names a query holds."""
    speakers = Speakers()
    speakers.learn(names)
    found: NDArray[np.uint8] = speakers.named_in(frozenset(terms(query)))
    assert found.dtype == np.uint8
    return [name for name, one in zip(names, found.tolist(), strict=True) if one]


NAMES = ["Caroline", "Ann Lee", "Ann", "小明", "李小明", "user", "I", "…"]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("What did Caroline paint?", ["Caroline"]),
        ("what is caroline's dog called?", ["Caroline"]),
        ("Where does Ann live?", ["Ann"]),
        ("Where does Ann Lee live?", ["Ann Lee", "Ann"]),
        ("Lee, is Ann in?", ["Ann Lee", "Ann"]),
        ("Is Lee in?", []),
        ("小明昨天吃了什么？", ["小明"]),
        ("李小明昨天吃了什么？", ["小明", "李小明"]),
        ("明天小雨吗？", []),
        ("Who am I…?", []),
        ("", []),
    ],
)
def test_a_query_names_those_all_of_whose_words_it_holds(query: str, expected: list[str]) -> None:
    assert named(NAMES, query) == expected


def test_names_are_learned_as_they_come() -> None:
    speakers = Speakers()
    assert speakers.named_in(frozenset({"ann"})).tolist() == []
    for known in range(len(NAMES) + 1):
        speakers.learn(NAMES[:known])
        speakers.learn(NAMES[:known])
        found = speakers.named_in(frozenset(terms("Ann Lee and Caroline")))
        assert found.tolist() == [1, 1, 1, 0, 0, 0, 0, 0][:known]
