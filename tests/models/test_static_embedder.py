"""The built-in table: texts near what they mean, in English, Chinese and both."""

from __future__ import annotations

import json
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from safetensors.numpy import save_file

from brain_core.models.chinese import read_lexicon
from brain_core.models.static import BUILT_IN, StaticEmbedder
from brain_core.models.table import quantise, read_table, write_table

EMBEDDER = StaticEmbedder()
TEXTS = [
    "My sister lives in Kyoto and is allergic to peanuts.",
    "我昨天在银行里看见一只猫，后来去了图书馆。",
    "Please book 北京烤鸭店 for Friday 7pm",
    "def readFile(path): return open(path).read()",
    "ok",
]


def cosine(one: str, other: str) -> float:
    vectors = EMBEDDER.embed([one, other])
    return float(vectors[0] @ vectors[1])


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """Copy the built-in table and the lexicon that it names."""
    shutil.copytree(BUILT_IN, tmp_path / BUILT_IN.name)
    shutil.copytree(BUILT_IN.parent / "cedict-zh", tmp_path / "cedict-zh")
    return tmp_path / BUILT_IN.name


def test_rows_are_of_unit_length_and_the_same_each_time() -> None:
    vectors = EMBEDDER.embed(TEXTS)
    assert vectors.dtype == np.float32
    assert vectors.shape == (len(TEXTS), EMBEDDER.dimension)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, rtol=1e-6)
    np.testing.assert_array_equal(vectors, StaticEmbedder().embed(TEXTS))
    for text, vector in zip(TEXTS, vectors, strict=True):
        np.testing.assert_array_equal(EMBEDDER.embed([text])[0], vector)


@pytest.mark.parametrize("text", ["", "  \n", "\ue000", "\U00010380 \U0001f9ff"])
def test_text_without_known_words_gives_zeros(text: str) -> None:
    assert not EMBEDDER.embed([text]).any()


def test_no_texts_give_no_rows() -> None:
    assert EMBEDDER.embed([]).shape == (0, EMBEDDER.dimension)


@pytest.mark.parametrize(
    ("text", "near", "far"),
    [
        ("Where does my sister live?", TEXTS[0], "The deployment failed because the disk was full."),
        ("read the contents of a file", TEXTS[3], "We will meet on Friday at the station."),
        ("猫", "cat", "contract"),
        ("合同", "contract", "cat"),
        ("我对花生过敏", "I am allergic to peanuts", "I like to play the piano"),
        ("周五下午在车站见面", "We meet at the station on Friday afternoon", "The disk is full"),
        ("你的生日是哪一天？", "我的生日是五月三日", "我喜欢吃面条"),
        ("用 Python 读取文件", "read a file in Python", "book a table at a restaurant"),
    ],
)
def test_a_text_is_nearer_to_what_it_means(text: str, near: str, far: str) -> None:
    assert cosine(text, near) > cosine(text, far) + 0.1


@pytest.mark.parametrize(
    ("traditional", "simplified"),
    [("圖書館裡有很多書", "图书馆里有很多书"), ("電腦軟體工程師", "电脑软体工程师"), ("貓和狗", "猫和狗")],
)
def test_traditional_characters_mean_what_simplified_ones_do(traditional: str, simplified: str) -> None:
    assert cosine(traditional, simplified) > 0.99


def test_each_part_of_mixed_text_counts() -> None:
    mixed = "订一张去 London 的机票"
    assert cosine(mixed, "London") > cosine("订一张去东京的机票", "London")
    assert cosine(mixed, "plane ticket") > cosine("London", "plane ticket")


def test_a_word_said_often_does_not_drown_the_others() -> None:
    assert cosine("cat " * 50 + "contract", "contract") > 0.1


def test_camel_case_is_read_as_words() -> None:
    np.testing.assert_array_equal(*EMBEDDER.embed(["readFileLines", "read file lines"]))


def test_one_text_has_the_vector_that_it_has_among_others() -> None:
    np.testing.assert_array_equal([EMBEDDER.vector(text) for text in TEXTS], EMBEDDER.embed(TEXTS))


@pytest.mark.parametrize(
    "text", ["read the file, read it", "我们去图书馆，去读书", "订一张去 London 的 ticket", "naïve", "…"]
)
def test_the_table_rows_of_a_text_make_its_vector(text: str) -> None:
    of_tokens = read_table(BUILT_IN / "model.safetensors")
    lexicon = read_lexicon(BUILT_IN.parent / "cedict-zh" / "words.safetensors", *of_tokens.rows.shape)
    table = of_tokens.followed_by(lexicon.own)
    ids, weights = EMBEDDER.token_rows(text)
    total = (weights * table.scales[ids]) @ table.rows[ids].astype(np.float32)
    length = np.linalg.norm(total)
    np.testing.assert_allclose(EMBEDDER.vector(text), total / length if length else total, atol=1e-6)


def test_many_threads_get_what_one_gets() -> None:
    expected = EMBEDDER.embed(TEXTS)

    def repeated(_: int) -> list[NDArray[np.float32]]:
        return [EMBEDDER.embed(TEXTS) for _ in range(20)]

    with ThreadPoolExecutor(8) as threads:
        for answers in threads.map(repeated, range(8)):
            for vectors in answers:
                np.testing.assert_array_equal(vectors, expected)


def test_every_file_that_makes_the_vectors_is_in_the_fingerprint(copied: Path) -> None:
    assert StaticEmbedder(copied).fingerprint == EMBEDDER.fingerprint
    table = read_table(copied / "model.safetensors")
    table.rows[5, 7] += 1
    write_table(table, copied / "model.safetensors")
    other_table = StaticEmbedder(copied).fingerprint
    tokenizer = json.loads((copied / "tokenizer.json").read_text("utf-8"))
    tokenizer["normalizer"] = tokenizer["normalizer"]["normalizers"][1]
    (copied / "tokenizer.json").write_text(json.dumps(tokenizer), "utf-8")
    other_tokenizer = StaticEmbedder(copied).fingerprint
    (copied / "config.json").unlink()
    without_chinese = StaticEmbedder(copied).fingerprint
    assert len({EMBEDDER.fingerprint, other_table, other_tokenizer, without_chinese}) == 4


def test_a_table_of_floats_is_read_too(copied: Path) -> None:
    """model2vec writes such ones."""
    floats = read_table(copied / "model.safetensors").vectors().astype(np.float16)
    save_file({"embeddings": floats}, copied / "model.safetensors")
    vectors = StaticEmbedder(copied).embed(TEXTS)
    assert ((vectors * EMBEDDER.embed(TEXTS)).sum(axis=1) > 0.999).all()


def test_bytes_stand_for_the_floats_they_were_made_of() -> None:
    floats = np.random.default_rng(3).standard_normal((20, 30)).astype(np.float32)
    floats[4] = 0.0
    table = quantise(floats)
    assert np.abs(table.vectors() - floats).max() <= table.scales.max() / 2 * 1.001
    assert not table.vectors()[4].any()


@pytest.mark.parametrize("name", ["model.safetensors", "tokenizer.json", "../cedict-zh/words.safetensors"])
@pytest.mark.parametrize("damage", ["gone", "cut", "noise"])
def test_a_damaged_file_is_named(copied: Path, name: str, damage: str) -> None:
    file = (copied / name).resolve()
    content = file.read_bytes()
    file.unlink()
    if damage != "gone":
        file.write_bytes(content[: len(content) // 2] if damage == "cut" else b"\xff" * 5000)
    with pytest.raises(ValueError, match=file.name):
        StaticEmbedder(copied)


def test_parts_that_do_not_belong_together_are_refused(copied: Path) -> None:
    whole = read_table(copied / "model.safetensors")
    few = quantise(whole.vectors()[:1000])
    write_table(few, copied / "model.safetensors")
    with pytest.raises(ValueError, match=r"tokenizer.json: \d+ tokens for a table of 1000 rows"):
        StaticEmbedder(copied)
    (copied / "config.json").write_text("[]", "utf-8")
    with pytest.raises(ValueError, match=r"tokenizer.json|config.json"):
        StaticEmbedder(copied)


@pytest.mark.parametrize("text", ["Why does the build fail?", "昨天的会议说了什么", "昨天deploy失败了，请看log"])
def test_the_tokens_of_a_text_stand_in_their_order_and_make_its_vector(text: str) -> None:
    tokens = EMBEDDER.tokens(text)
    whole = EMBEDDER.token_vectors(np.eye(EMBEDDER.dimension, dtype=np.float32))[tokens]
    assert len(set(tokens)) == len(tokens)  # so that each counts once
    [of_text] = EMBEDDER.embed([text])
    assert whole.sum(axis=0) / np.linalg.norm(whole.sum(axis=0)) == pytest.approx(of_text, abs=1e-4)
    assert EMBEDDER.tokens(f"{text} 报告 please") == [*tokens, *EMBEDDER.tokens("报告"), *EMBEDDER.tokens("please")]


def test_token_vectors_go_where_they_are_brought() -> None:
    onto = np.random.default_rng(1).standard_normal((EMBEDDER.dimension, 3), dtype=np.float32)
    tokens = EMBEDDER.tokens("昨天 fail")
    whole = EMBEDDER.token_vectors(np.eye(EMBEDDER.dimension, dtype=np.float32))
    brought = EMBEDDER.token_vectors(onto)
    assert brought.shape == (len(whole), 3)
    np.testing.assert_allclose(brought[tokens], whole[tokens] @ onto, rtol=1e-3, atol=1e-4)
