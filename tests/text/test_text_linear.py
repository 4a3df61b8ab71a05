"""What a short text reads like: features, sums and files of the linear classifier."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from safetensors.numpy import load_file, save_file

from brain_core.text.linear import BUCKETS, Linear, Link, Text, features, named_features, read_linear, write_linear

TEXTS = ["Why does it crash?", "帮我把第二段改短一点", "python walrus operator precedence", "docker 起不来了", ""]


def model(link: Link = "one") -> Linear:
    """Return a model in which "crash" and 改短 say the first label and a caller's sign the second."""
    rows = np.zeros((BUCKETS, 2), np.int8)
    rows[features("crash")[1], 0] = 100
    rows[features("改短")[4], 0] = 100  # after ^, the two characters and $, the first pair is ^ 改
    rows[features("改短")[5], 0] = 100
    rows[named_features(["sign:b"])[0], 1] = 127
    meaning = np.array([[0.0, 0.0], [9.0, 0.0]], np.float32)
    return Linear(("a", "b"), link, rows, np.float32(0.1), np.array([0.0, 0.5], np.float32), meaning)


def plain(*texts: Text) -> tuple[list[Text], NDArray[np.float32]]:
    """Return texts with vectors that say nothing."""
    return list(texts), np.zeros((len(texts), 2), np.float32)


def test_buckets_are_the_same_in_another_process() -> None:
    code = f"from brain_core.text.linear import features; print([features(one) for one in {TEXTS!r}])"
    other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert other.stdout.strip() == repr([features(one) for one in TEXTS])


@given(st.text(max_size=80))
def test_features_are_buckets_and_do_not_see_case(text: str) -> None:
    found = features(text)
    assert found
    assert all(0 <= one < BUCKETS for one in found)
    assert features(text.lower()) == found


def test_a_han_character_is_a_word_and_figures_are_alike() -> None:
    assert set(features("改短")) - set(features("改")) - set(features("短"))  # the pair is a feature of its own
    assert features("error 404") == features("error 503")
    assert features("error 404") != features("error 5")
    assert set(features("summarising")) & set(features("summary")) - set(features(""))


@pytest.mark.parametrize(("text", "named", "label"), [
    ("it will crash", (), "a"), ("请改短", (), "a"), ("it will work", (), "b"), ("it will crash", ("sign:b",), "b"),
])  # fmt: skip
def test_what_weighs_more_is_likelier(text: str, named: tuple[str, ...], label: str) -> None:
    [likely] = model().probabilities(*plain((text, named)))
    assert model().labels[int(likely.argmax())] == label
    assert likely.sum() == pytest.approx(1, abs=1e-6)


def test_labels_of_their_own_need_not_sum_to_one() -> None:
    [likely] = model("each").probabilities(*plain(("it will crash", ("sign:b",))))
    assert (likely > 0.8).all()


def test_a_model_is_read_as_it_was_written(tmp_path: Path) -> None:
    file = tmp_path / "model.safetensors"
    write_linear(model("each"), file)
    again = read_linear(file)
    assert (again.labels, again.link) == (("a", "b"), "each")
    asked, vectors = [(text, ["sign:b"]) for text in TEXTS], np.eye(len(TEXTS), 2, dtype=np.float32)
    assert again.scores(asked, vectors).tobytes() == model("each").scores(asked, vectors).tobytes()


def test_a_file_that_is_no_model_is_named(tmp_path: Path) -> None:
    file = tmp_path / "model.safetensors"
    for content in (None, b"", b"{}", b"\x08" + bytes(7) + b'{"a":{}}'):
        if content is not None:
            file.write_bytes(content)
        with pytest.raises(ValueError, match=r"model\.safetensors"):
            read_linear(file)
    broken = Linear(
        ("a",),
        "one",
        np.zeros((BUCKETS, 2), np.int8),
        np.float32(1),
        np.zeros(2, np.float32),
        np.zeros((3, 2), np.float32),
    )
    write_linear(broken, file)
    with pytest.raises(ValueError, match="do not fit"):
        read_linear(file)
    write_linear(model(), file)
    told = {"labels": '["a", "b"]', "link": "one"}
    save_file({**load_file(file), "meaning": np.zeros((2, 3), np.float16)}, file, told)
    with pytest.raises(ValueError, match="do not fit"):
        read_linear(file)


def test_what_a_text_means_counts_beside_its_words() -> None:
    asked: list[Text] = [("it will work", ()), ("it will work", ())]
    first, second = model().probabilities(asked, np.array([[1, 0], [0, 1]], np.float32))
    assert first.argmax() == 1
    assert second.argmax() == 0


def test_several_texts_at_once_score_as_one_by_one() -> None:
    asked: list[Text] = [("it will crash", ("sign:b",)), ("请改短", ()), ("", ("x", "sign:b"))]
    one_by_one = [model("each").scores(*plain(one))[0] for one in asked]
    np.testing.assert_array_equal(model("each").scores(*plain(*asked)), one_by_one)
    assert model("each").scores(*plain()).shape == (0, 2)


def test_what_names_add_is_what_they_add_to_a_text() -> None:
    without, beside = model().scores(*plain(("it will crash", ()), ("it will crash", ("sign:b", "x"))))
    np.testing.assert_allclose(beside - without, model().named(("sign:b", "x")), rtol=1e-5)
