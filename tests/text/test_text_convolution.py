"""What a short text reads like by its tokens in their order: scores and files of the filters."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from brain_core.kernels.convolve import FILTERS_TOGETHER
from brain_core.text.convolution import MOST_TOKENS, Convolution, Fitted, read_convolution, write_convolution

END = 4  # after the table's three come the two ends


def table(onto: NDArray[np.float32]) -> NDArray[np.float32]:
    """Three tokens: the first two have a number each, the third none."""
    return np.array([[1, 0], [0, 1], [0, 0]], np.float32) @ onto


def fitted() -> Fitted:
    """Return filters that hear the first token, the second after the first, and the end after the third.

    The third token and the end have something learned.
    """
    filters = np.zeros((2 + 4, FILTERS_TOGETHER), np.float16)
    filters[0, 0] = 1  # of one token
    filters[[2, 5], 1] = 1  # of two
    filters[[3, 4], 2] = -1, 1
    bias = np.zeros(2 * FILTERS_TOGETHER, np.float32)
    bias[FILTERS_TOGETHER + 1] = -1.5
    head = np.zeros((2 * FILTERS_TOGETHER, 2), np.float32)
    head[0, 0] = 1
    head[FILTERS_TOGETHER + 1, 1] = 4
    head[FILTERS_TOGETHER + 2, 1] = 1
    rows = np.array([[0, -127], [127, 0]], np.int8)
    scales = np.full(2, 1 / 127, np.float32)
    base = np.array([0.0, 0.25], np.float32)
    tokens = np.array([2, END], np.uint32)
    return Fitted(("a", "b"), np.eye(2, dtype=np.float16), tokens, rows, scales, filters, bias, head, base)


def test_order_counts_and_so_does_what_was_learned() -> None:
    scores = Convolution(fitted(), table).scores([[], [0], [1, 0], [0, 1], [2]])
    ends = 1.0  # the end of a text has the first number too: the filter over one token hears it everywhere
    np.testing.assert_allclose(scores[:, 0], ends, rtol=1e-5)
    np.testing.assert_allclose(scores[:, 1], [1.25, 1.25, 1.25, 3.25, 2.25], rtol=1e-5)


def test_several_texts_at_once_score_as_one_by_one() -> None:
    model = Convolution(fitted(), table)
    texts = [[0, 1], [], [2, 2, 0, 1]]
    np.testing.assert_array_equal(model.scores(texts), np.concatenate([model.scores([one]) for one in texts]))
    assert model.scores([]).shape == (0, 2)


def test_of_a_long_text_both_ends_are_read() -> None:
    model = Convolution(fitted(), table)
    silent, heard = [1] * MOST_TOKENS, [0, 1]
    alone = model.scores([silent])
    np.testing.assert_array_equal(model.scores([silent + heard + silent]), alone)
    assert (model.scores([heard + silent + silent]) > alone).any()
    assert (model.scores([silent + silent + heard]) > alone).any()


def test_a_model_is_read_as_it_was_written(tmp_path: Path) -> None:
    file = tmp_path / "model.safetensors"
    write_convolution(fitted(), file)
    again = read_convolution(file, table)
    assert again.labels == ("a", "b")
    texts = [[0, 1], [2], []]
    np.testing.assert_array_equal(again.scores(texts), Convolution(fitted(), table).scores(texts))


def test_a_file_that_is_no_model_is_named(tmp_path: Path) -> None:
    file = tmp_path / "model.safetensors"
    for content in (None, b"", b"{}", b"\x08" + bytes(7) + b'{"a":{}}'):
        if content is not None:
            file.write_bytes(content)
        with pytest.raises(ValueError, match=r"model\.safetensors: not a readable classifier"):
            read_convolution(file, table)


def test_a_model_of_another_table_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "model.safetensors"
    write_convolution(replace(fitted(), tokens=np.array([2, 5], np.uint32)), file)
    with pytest.raises(ValueError, match=r"model\.safetensors: token 5 is learned, the table has 3"):
        read_convolution(file, table)


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"onto": np.eye(2, dtype=np.float32)}, "onto must be float16, finite, of 2 axes"),
        ({"base": np.array([0, np.nan], np.float32)}, "base must be float32, finite, of 1 axes"),
        ({"tokens": np.array([2], np.uint32)}, "1 tokens must have 1 rows of 2 numbers and as many scales"),
        ({"tokens": np.array([2, 2], np.uint32)}, "a token is learned twice"),
        ({"filters": np.zeros((6, 8), np.float16)}, "filters must be a multiple of 16 for each width, got 8 of 32"),
        ({"filters": np.zeros((5, 16), np.float16)}, "filters must have 6 rows, got 5"),
        ({"bias": np.zeros(33, np.float32)}, "filters must be a multiple of 16 for each width, got 16 of 33"),
        ({"head": np.zeros((32, 3), np.float32)}, "head and base must have 2 columns, one for each label"),
        ({"labels": ("a",)}, "head and base must have 1 columns, one for each label"),
    ],
)
def test_weights_that_do_not_fit_are_refused(changed: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        Convolution(replace(fitted(), **changed), table)
