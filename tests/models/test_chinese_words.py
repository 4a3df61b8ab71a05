"""Cutting Chinese into words, and the lexicon's file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from brain_core.models.chinese import HAN, ChineseWords, Lexicon, read_lexicon, write_lexicon
from brain_core.models.static import BUILT_IN, built_in
from brain_core.models.table import Table

WORDS = ["研究", "研究生", "生命", "起源", "生", "的", "北京大学", "大学", "北京", "命"]
COSTS = [7.0, 9.0, 8.0, 10.0, 6.0, 3.0, 11.0, 8.5, 8.0, 9.0]


def lexicon() -> Lexicon:
    return Lexicon(
        words=WORDS,
        costs=np.array(COSTS, dtype=np.float32),
        starts=np.arange(len(WORDS) + 1, dtype=np.int32) * 2,
        ids=np.arange(len(WORDS) * 2, dtype=np.int32),
        weights=np.full(len(WORDS) * 2, 0.5, dtype=np.float32),
        own=Table(np.array([[1, -2, 3]], dtype=np.int8), np.array([0.5], dtype=np.float32)),
        traditional="學",
        simplified="学",
    )


def cut(run: str) -> list[str]:
    return [WORDS[number] for number in ChineseWords(lexicon()).words(run)]


def test_the_cheapest_cut_wins() -> None:
    assert cut("研究生命起源") == ["研究", "生命", "起源"]
    assert cut("研究生的生命") == ["研究生", "的", "生命"]
    assert cut("北京大学") == ["北京大学"]


def test_unknown_characters_are_left_out_and_end_no_word() -> None:
    assert cut("彁") == []
    assert cut("彁北京彁大学彁") == ["北京", "大学"]
    assert cut("") == []


def test_traditional_characters_are_read() -> None:
    assert cut("北京大學") == ["北京大学"]


def test_runs_are_chinese_characters_only() -> None:
    assert HAN.findall("去 London 看猫，OK？二〇二六") == ["去", "看猫", "二〇二六"]


def test_glosses_of_a_word() -> None:
    ids, weights = ChineseWords(lexicon()).glosses({3: 1})
    assert ids.tolist() == [6, 7]
    assert weights.tolist() == [0.5, 0.5]


def test_a_word_said_four_times_weighs_twice_as_much() -> None:
    ids, weights = ChineseWords(lexicon()).glosses({3: 4, 0: 1})
    assert ids.tolist()[:2] == [6, 7]
    assert weights.tolist()[:2] == [1.0, 1.0]
    assert len(ids) == len(weights) > 2


def test_a_written_lexicon_is_read_back(tmp_path: Path) -> None:
    write_lexicon(lexicon(), tmp_path / "words.safetensors")
    read, written = read_lexicon(tmp_path / "words.safetensors", table_rows=20, dimension=3), lexicon()
    for name in set(Lexicon.__slots__) - {"own"}:
        np.testing.assert_array_equal(getattr(read, name), getattr(written, name))
    np.testing.assert_array_equal(read.own.vectors(), written.own.vectors())


@pytest.mark.parametrize(("rows", "dimension"), [(18, 3), (20, 4)])
def test_one_made_for_another_table_is_refused(tmp_path: Path, rows: int, dimension: int) -> None:
    write_lexicon(lexicon(), tmp_path / "words.safetensors")
    with pytest.raises(ValueError, match="made for another table"):
        read_lexicon(tmp_path / "words.safetensors", table_rows=rows, dimension=dimension)


def test_the_last_ids_may_be_rows_of_their_own(tmp_path: Path) -> None:
    write_lexicon(lexicon(), tmp_path / "words.safetensors")
    assert read_lexicon(tmp_path / "words.safetensors", table_rows=19, dimension=3).ids.max() == 19


def built_in_cut(run: str) -> list[str]:
    read = read_lexicon(BUILT_IN.parent / "cedict-zh" / "words.safetensors", 1 << 16, built_in().dimension)
    return [read.words[number] for number in ChineseWords(read).words(run)]


@pytest.mark.parametrize(
    ("run", "words"),
    [
        ("什么时候", ["什么", "时候"]),
        ("怎么样", ["怎么样"]),
        ("宁愿这样", ["宁愿", "这样"]),
        ("著名作家", ["著名", "作家"]),
        ("什麼時候", ["什么", "时候"]),
    ],
)
def test_characters_that_are_simplified_as_they_stand_are_not_simplified_once_more(run: str, words: list[str]) -> None:
    """么 was read as 幺, 宁 as 㝉 and 著 as 着, in every text: 什么, the commonest word of questions, was no word."""
    assert built_in_cut(run) == words


@pytest.mark.parametrize("name", ["武汉", "湖北", "广东", "深圳", "成都", "以为"])
def test_words_whose_first_gloss_is_long_are_in_the_dictionary(name: str) -> None:
    """A gloss such as "Wuhan city on Changjiang, subprovincial city and capital of …" was too long: no word at all."""
    assert built_in_cut(name) == [name]
