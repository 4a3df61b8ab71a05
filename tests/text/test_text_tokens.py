"""Token counters: the estimate errs high, the exact one is exact, and parts never cost less than the whole."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer

from brain_core.errors import PolicyError, shorten
from brain_core.text.tokens import ApproxCounter, ExactCounter, TokenCounter, make_counter
from tests.tokenizer_files import MINILM, byte_level

_SHARED = Path(__file__).parents[3] / "shared"
_CHARACTERS = 50_000

count = ApproxCounter().count

LINES = st.lists(
    st.one_of(
        st.sampled_from(
            [
                "What did Melanie paint last summer?",
                "我昨天在杭州喝了龙井茶，真不错。",
                "def parse_config(path: Path) -> dict[str, Any]:",
                "    return {key: HTTPServer2(value) for key, value in pairs}  # O(n²)",
                "[E12] Ann, 2024-05-01 10:00 — smartbrain://m/s/t1",
                "(mode=hybrid, score=0.88)",
                "> ",
                "assistant: 好的 OK.",
            ]
        ),
        st.text(alphabet=st.sampled_from("aZé9_ .,!()[]<|>#/\\你好世界😀\t"), min_size=1, max_size=40),
    ),
    min_size=2,
    max_size=8,
)


def counters() -> list[str]:
    """Name the counters of these tests; each is made when it is first used."""
    return ["approx", "wordpiece", "gpt2", "llama3"]


@cache
def counter(name: str) -> TokenCounter:
    if name == "approx":
        return ApproxCounter()
    if name == "wordpiece":
        if not MINILM.exists():
            pytest.skip("../shared is absent")
        return make_counter(str(MINILM))
    return make_counter(str(byte_level(name)))


@pytest.mark.parametrize("name", counters())
def test_nothing_costs_nothing(name: str) -> None:
    assert counter(name).count("") == 0


@pytest.mark.parametrize("name", counters())
def test_lines_cost_no_less_in_parts_than_as_a_whole(name: str) -> None:
    tokens = counter(name).count

    @settings(max_examples=150, deadline=None)
    @given(LINES, st.data())
    def check(lines: list[str], data: st.DataObject) -> None:
        cut = data.draw(st.integers(1, len(lines) - 1), label="cut")
        whole, head, tail = "\n".join(lines), "\n".join(lines[:cut]), "\n".join(lines[cut:])
        assert tokens(whole) <= tokens(head) + tokens(tail)
        assert tokens(whole) <= sum(map(tokens, lines))

    check()


@settings(max_examples=100, deadline=None)
@given(st.text(min_size=1, max_size=80), st.text(min_size=1, max_size=80))
def test_more_text_is_never_estimated_at_less(left: str, right: str) -> None:
    assert max(count(left), count(right)) <= count(f"{left}\n{right}") <= count(left) + count(right)


@settings(max_examples=50, deadline=None)
@given(st.text(alphabet="你好世界学习", min_size=1, max_size=200))
def test_a_chinese_character_costs_one(text: str) -> None:
    assert count(text) == len(text) + 1, "and the line one"


def test_longer_words_and_numbers_cost_more() -> None:
    assert count("cat") < count("catastrophically") < count("catastrophically catastrophic")
    assert count("1") < count("123456789")
    assert count("parse_config_file") > count("parse config file")
    assert count("😀😀") >= 2


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    if not MINILM.exists():
        pytest.skip("../shared is absent")
    loaded = Tokenizer.from_file(str(MINILM))
    loaded.no_truncation()
    loaded.no_padding()
    return loaded


def real_texts(name: str) -> list[str]:
    """Return the first 50,000 characters of a data set, by turn."""
    file = _SHARED / "data" / name / "conversations.jsonl"
    if not file.exists():
        pytest.skip(f"{file} is absent")
    texts: list[str] = []
    for line in file.read_text("utf-8").splitlines():
        for session in json.loads(line)["sessions"]:
            for turn in session["turns"]:
                texts.append(turn["text"])
                if sum(map(len, texts)) >= _CHARACTERS:
                    return texts
    raise AssertionError(f"{name} is shorter than {_CHARACTERS} characters")


@pytest.mark.parametrize(
    ("name", "least"), [("memorybank_en", 1), ("memorybank_cn", 1), ("xquad_zh", 1), ("cosqa", 0.98)]
)
def test_real_text_is_hardly_estimated_low_in_total(tokenizer: Tokenizer, name: str, least: float) -> None:
    texts = real_texts(name)
    estimated = sum(map(count, texts))
    real = sum(len(tokenizer.encode(text, add_special_tokens=False).ids) for text in texts)
    assert least * real <= estimated <= 1.5 * real


@pytest.mark.parametrize("name", ["memorybank_en", "memorybank_cn"])
def test_the_exact_counter_counts_as_its_tokenizer_does(tokenizer: Tokenizer, name: str) -> None:
    exact = counter("wordpiece")
    longest = "one word after the other " * 500  # past the 512 tokens at which the file truncates
    for text in [*real_texts(name)[:200], longest]:
        assert exact.count(text) == len(tokenizer.encode(text, add_special_tokens=False).ids)
    assert exact.count(longest) == 2500


@pytest.mark.parametrize("kind", ["gpt2", "llama3"])
def test_a_line_break_costs_what_it_costs_the_tokenizer(kind: str) -> None:
    loaded = Tokenizer.from_file(str(byte_level(kind)))
    assert counter(kind).count("word") == len(loaded.encode("\nword", add_special_tokens=False).ids)


def test_counters_are_named_for_what_they_count_by(tmp_path: Path) -> None:
    assert make_counter("approx").name == "approx-3"
    first = tmp_path / "tokenizer.json"
    first.write_bytes(byte_level("gpt2").read_bytes())
    name = make_counter(str(first)).name
    assert name.startswith("tokenizer.json:")
    assert ExactCounter(first).name == name
    first.write_bytes(byte_level("llama3").read_bytes())
    assert make_counter(str(first)).name != name, "two tokenizers of one path are two counters"


@pytest.mark.parametrize(
    "setting", ["", " \n", "Approx", "gpt-4", "分词器", "\0", "a\nb", ".", "/dev/zero", "x" * 5000]
)
def test_a_setting_that_names_no_tokenizer_is_refused_in_one_line(setting: str) -> None:
    """Nothing was told as the folder ".", and a device without an end was read to its end."""
    with pytest.raises(PolicyError) as failed:
        make_counter(setting)
    assert (failed.value.field, failed.value.value) == ("policies.composition.tokenizer", shorten(setting))
    assert failed.value.limit == '"approx", or the path of a tokenizer.json'
    assert repr(setting[:300])[:-1] in str(failed.value)
    assert len(str(failed.value)) < 900
    assert "\n" not in str(failed.value)


@pytest.mark.parametrize("content", [None, b"", b"{}", b"\xff\xfe", b"words"])
def test_a_file_that_is_no_tokenizer_is_refused_by_name(tmp_path: Path, content: bytes | None) -> None:
    file = tmp_path / "tokenizer.json"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(PolicyError) as failed:
        make_counter(str(file))
    assert failed.value.field == "policies.composition.tokenizer"
    assert failed.value.value == shorten(file)
    assert str(file) in str(failed.value)
    assert "\n" not in str(failed.value)
