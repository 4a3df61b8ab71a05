"""The built-in embedder: the mean of a text's token vectors, looked up in a table."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load_file
from tokenizers import Tokenizer

BUILT_IN = Path(__file__).parent / "static-minilm-256"
_TABLE = "embeddings"


class StaticEmbedder:
    """An `Embedder` over a folder in model2vec's format: model.safetensors and tokenizer.json."""

    def __init__(self, folder: Path = BUILT_IN) -> None:
        weights = folder / "model.safetensors"
        self._table: NDArray[np.float16] = load_file(weights)[_TABLE]
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        self._name = folder.name
        self._fingerprint = hashlib.sha256(weights.read_bytes()).hexdigest()

    @property
    def name(self) -> str:
        """Name of the folder."""
        return self._name

    @property
    def dimension(self) -> int:
        """Length of a token vector."""
        return int(self._table.shape[1])

    @property
    def fingerprint(self) -> str:
        """SHA-256 of model.safetensors, hex."""
        return self._fingerprint

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return float32[n, dimension], rows of unit length; a text without known words gives zeros."""
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in enumerate(texts):
            ids = self._tokenizer.encode(text, add_special_tokens=False).ids
            if not ids:
                continue
            mean = self._table[ids].mean(axis=0, dtype=np.float32)
            length = float(np.linalg.norm(mean))
            if length > 0:
                vectors[row] = mean / length
        return vectors
