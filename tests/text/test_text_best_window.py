"""The best window of a text: whole sentences, within its limit, with what is asked."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brain_core.text.best_window import best_window
from brain_core.text.words import terms

EN = (
    "The trip began in May. We saw two castles. The lighthouse keeper lent us his spare key. It was raining. "
    "Later we had soup. The ferry home left at nine."
)
ZH = "旅行从五月开始。我们看了两座城堡。灯塔管理员借给我们备用钥匙。当时在下雨。后来喝了汤。回程的渡轮九点出发。"


@pytest.mark.parametrize(
    ("text", "asked", "longest", "wanted"),
    [
        (EN, "lighthouse key", 70, "…The lighthouse keeper lent us his spare key. It was raining.…"),
        (EN, "ferry", 60, "…Later we had soup. The ferry home left at nine."),
        (EN, "trip", 60, "The trip began in May. We saw two castles.…"),
        (EN, "nothing of it", 30, "The trip began in May. We saw…"),
        (EN, "ferry", 2, "T…"),
        (EN, "ferry", 500, EN),
        (ZH, "备用钥匙", 30, "…灯塔管理员借给我们备用钥匙。当时在下雨。后来喝了汤。…"),
        (ZH, "渡轮几点", 20, "…后来喝了汤。回程的渡轮九点出发。"),
        ("a " * 40 + "the spare key lies here " + "b " * 40, "spare key", 40, "key"),
    ],
)
def test_it_has_what_is_asked(text: str, asked: str, longest: int, wanted: str) -> None:
    found = best_window(text, dict.fromkeys(terms(asked), 1.0), longest)
    assert found == wanted if wanted != "key" else wanted in found
    assert len(found) <= longest or found == text


FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
FLAGS = "\U0001f1f5\U0001f1f9\U0001f1e8\U0001f1f3"


@pytest.mark.parametrize("whole", [FAMILY, "\U0001f44d\U0001f3fd", "e\u0302\u0323", FLAGS[:2], "\u0915\u093f"])
@pytest.mark.parametrize("asked", ["ferry", "nothing"])
def test_no_character_is_cut_in_parts(whole: str, asked: str) -> None:
    text = whole * 60 + " ferry " + whole * 60
    for longest in range(20, 60):
        found = best_window(text, dict.fromkeys(terms(asked), 1.0), longest)
        assert len(found) <= longest
        assert not found.replace("ferry", "").replace(whole, "").strip("… "), (longest, found)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("风很大。" * 9 + "他说：“渡轮七点开。”" + "然后走了。" * 9, "…他说：“渡轮七点开。”…"),
        ("风很大。" * 9 + "他说：“快走吧。”" + "渡轮七点就要开走了。" + "他走了。" * 9, "…渡轮七点就要开走了。…"),
        ("It blew. " * 9 + 'He said "Go." The ferry leaves. ' + "He left. " * 9, "…The ferry leaves.…"),
    ],
)
def test_a_closing_quotation_mark_stays_with_its_sentence(text: str, wanted: str) -> None:
    worth = dict.fromkeys(terms("ferry 渡轮"), 1.0)
    assert best_window(text, worth, len(wanted)) == wanted


def test_a_long_table_of_which_every_row_has_a_word_takes_no_second() -> None:
    text = "a 1\n" * 25_000
    begun = time.process_time()
    assert best_window(text, {"a": 1.0, "1": 1.0}, 2000).startswith("a 1")
    assert time.process_time() - begun < 2, "it grew with the square of the rows"


def test_rarer_words_count_for_more() -> None:
    text = "The meeting is on Monday. We talk of many things and more. The budget is 400."
    worth = {
        term: weight
        for words, weight in (("meeting monday", 1.0), ("budget", 5.0))
        for term in terms(words)
        for weight in [weight]
    }
    assert best_window(text, worth, 40) == "…The budget is 400."


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet=st.sampled_from("ab键。.!? \n"), max_size=120), st.integers(1, 60))
def test_it_is_a_part_of_the_text_and_never_too_long(text: str, longest: int) -> None:
    found = best_window(text, {"b": 1.0, "键": 2.0}, longest)
    assert len(found) <= longest
    assert found.strip("…") in text
