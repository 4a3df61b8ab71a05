"""The neural model and the table share one space; what is not that model is refused by name."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from brain_core.errors import PolicyError
from brain_core.models.onnx import OnnxEmbedder
from tests.building import embedder
from tests.models.onnx_model import FOLDER, needs_model, onnx_embedder

TEXTS = [
    "We moved the meeting to Thursday because Ann is ill.",
    "猫喜欢吃鱼。",
    "def read_lines(path):\n    return open(path).readlines()",
    "The capital of France is Paris. " * 100,
    "tea",
]


@needs_model
def test_it_is_the_table_for_the_store_and_for_queries() -> None:
    both, table = onnx_embedder(), embedder()
    assert (both.name, both.dimension, both.fingerprint) == (table.name, table.dimension, table.fingerprint)
    assert np.array_equal(both.embed(TEXTS), table.embed(TEXTS))
    assert np.array_equal(both.embed_fresh(TEXTS), table.embed(TEXTS))
    assert len(both.encoder) == 64
    assert both.encoder != both.fingerprint


@needs_model
def test_documents_get_the_models_vectors_in_order_whatever_they_share_a_batch_with() -> None:
    vectors = onnx_embedder().embed_documents([*TEXTS, "", " \n", *TEXTS])
    assert vectors.dtype == np.float32
    assert vectors.shape == (12, 384)
    assert not vectors[5:7].any()
    assert np.allclose(np.linalg.norm(np.delete(vectors, [5, 6], axis=0), axis=1), 1, atol=1e-5)
    assert np.allclose(vectors[:5], vectors[7:], atol=1e-4)
    for row, text in enumerate(TEXTS):
        assert np.allclose(vectors[row], onnx_embedder().embed_documents([text])[0], atol=1e-4)
    assert onnx_embedder().embed_documents([]).shape == (0, 384)


@needs_model
def test_a_text_with_chinese_in_it_keeps_the_vector_of_the_table_which_reads_it() -> None:
    chinese = ["猫喜欢吃鱼。", "Mei 对花生过敏 and lives in Kyoto."]
    both = onnx_embedder()
    assert np.array_equal(both.embed_documents(chinese), both.embed(chinese))
    assert not np.allclose(both.embed_documents(TEXTS[:1]), both.embed(TEXTS[:1]), atol=0.01)


@needs_model
def test_a_question_of_the_table_finds_the_models_document() -> None:
    documents = ["Mei is allergic to peanuts.", "The build failed: the disk is full.", "We ship the release on Friday."]
    questions = ["who has a peanut allergy", "why did the build fail", "when is the release shipped"]
    cosines = onnx_embedder().embed(questions) @ onnx_embedder().embed_documents(documents).T
    assert cosines.argmax(axis=1).tolist() == [0, 1, 2]


def spoilt(folder: Path, **files: bytes) -> Path:
    """Make a folder as the real one, but for some files."""
    for name in ("model.onnx", "tokenizer.json"):
        key = name.split(".", maxsplit=1)[0]
        if key not in files:
            (folder / name).symlink_to(FOLDER / name)
        elif files[key]:
            (folder / name).write_bytes(files[key])
    return folder


@needs_model
@pytest.mark.parametrize(
    ("files", "says"),
    [
        ({"model": b""}, "has no model.onnx"),
        ({"tokenizer": b""}, "has no tokenizer.json"),
        ({"model": b"no model"}, "model.onnx cannot be loaded"),
        ({"tokenizer": b"{}"}, "tokenizer.json cannot be loaded"),
    ],
)
def test_a_folder_that_does_not_hold_the_model_is_refused(folder: Path, files: dict[str, bytes], says: str) -> None:
    with pytest.raises(PolicyError) as failed:
        OnnxEmbedder(spoilt(folder, **files), embedder(), 8)
    assert says in str(failed.value)
    assert (failed.value.field, failed.value.value) == ("embedder.folder", str(folder))
    assert failed.value.limit
    assert failed.value.hint
    assert "\n" not in str(failed.value)


class Turned:
    """The table in another space: its vectors backwards, or fewer numbers of them."""

    name = "turned"
    fingerprint = "f" * 64

    def __init__(self, dimension: int) -> None:
        self.dimension = dimension

    def embed(self, texts: list[str]) -> np.ndarray:
        return embedder().embed(texts)[:, ::-1][:, : self.dimension]


@needs_model
@pytest.mark.parametrize(
    ("dimension", "says"), [(100, "384-d (limit: 100-d, as those of turned)"), (384, "of another space")]
)
def test_a_model_of_another_space_than_the_table_is_refused(dimension: int, says: str) -> None:
    with pytest.raises(PolicyError) as failed:
        OnnxEmbedder(FOLDER, Turned(dimension), 8)  # type: ignore[arg-type]
    assert says in str(failed.value)
    assert failed.value.field == "embedder.folder"


@needs_model
def test_without_onnx_runtime_it_says_what_to_install(folder: Path) -> None:
    (folder / "onnxruntime.py").write_text("raise ImportError('not here')")
    code = (
        "from pathlib import Path; from brain_core import Brain, load_policy\n"
        f"Brain.open('{folder}/data', load_policy({{'embedder': {{'kind': 'onnx', 'folder': '{FOLDER}'}}}}))"
    )
    paths = os.pathsep.join([str(folder), *filter(None, sys.path)])
    ended = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={**os.environ, "PYTHONPATH": paths},
    )
    assert "PolicyError: embedder.kind: onnx needs ONNX Runtime" in ended.stderr
    assert not (folder / "data").exists()
