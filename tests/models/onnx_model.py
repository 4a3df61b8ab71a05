"""The neural model that tests of the ONNX embedder need: ../shared/models, where it is there."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from brain_core.models.onnx import OnnxEmbedder
from tests.building import embedder

FOLDER = Path(__file__).parents[3] / "shared/models/all-MiniLM-L6-v2-onnx"
needs_model = pytest.mark.skipif(not (FOLDER / "model.onnx").exists(), reason=f"no model in {FOLDER}")


@cache
def onnx_embedder() -> OnnxEmbedder:
    """Return the model with the built-in table, loaded once."""
    return OnnxEmbedder(FOLDER, embedder(), 8)
