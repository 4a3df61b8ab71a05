"""The token counter errs high, on made up text and on real text."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer

from brain_core.text.tokens import count

_SHARED = Path(__file__).parents[3] / "shared"
_CHARACTERS = 50_000


def test_nothing_costs_nothing() -> None:
    assert count("") == count(" \n\t") == 0


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=80), st.text(max_size=80))
def test_joined_by_a_line_break_pieces_cost_no_more_than_alone(left: str, right: str) -> None:
    assert max(count(left), count(right)) <= count(f"{left}\n{right}") <= count(left) + count(right)


@settings(max_examples=50, deadline=None)
@given(st.text(alphabet="你好世界学习", min_size=1, max_size=200))
def test_a_chinese_character_costs_one(text: str) -> None:
    assert len(text) <= count(text) <= 1.07 * len(text) + 1


def test_longer_words_and_numbers_cost_more() -> None:
    assert count("cat") < count("catastrophically") < count("catastrophically catastrophic")
    assert count("1") < count("123456789")
    assert count("😀😀") >= 2


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    file = _SHARED / "models/all-MiniLM-L6-v2-onnx/tokenizer.json"
    if not file.exists():
        pytest.skip("../shared is absent")
    loaded = Tokenizer.from_file(str(file))
    loaded.no_truncation()
    loaded.no_padding()
    return loaded


@pytest.mark.parametrize("name", ["memorybank_en", "memorybank_cn", "xquad_zh"])
def test_real_text_is_never_counted_low_in_total(tokenizer: Tokenizer, name: str) -> None:
    file = _SHARED / "data" / name / "conversations.jsonl"
    if not file.exists():
        pytest.skip(f"{file} is absent")
    estimated = real = characters = 0
    for line in file.read_text("utf-8").splitlines():
        for session in json.loads(line)["sessions"]:
            for turn in session["turns"]:
                if characters < _CHARACTERS:
                    characters += len(turn["text"])
                    estimated += count(turn["text"])
                    real += len(tokenizer.encode(turn["text"], add_special_tokens=False).ids)
    assert characters >= _CHARACTERS
    assert real <= estimated <= 1.5 * real
