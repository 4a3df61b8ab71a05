"""Documents by a neural model in a local folder, queries by the table that imitates it: one space, two encoders."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from brain_core.errors import PolicyError
from brain_core.models.embedder import Words, WordwiseEmbedder
from brain_core.text.language import has_han

_MODEL, _TOKENIZER = "model.onnx", "tokenizer.json"
_INPUTS = ("input_ids", "attention_mask", "token_type_ids")
_MOST_TOKENS = 256
"""What is past it is cut off: sentence-transformers' limit for all-MiniLM-L6-v2."""

_PROBES = (
    "My sister lives in Kyoto and is allergic to peanuts.",
    "The deployment failed because the disk was full.",
    "We will meet on Friday morning at the station.",
    "How do I read a file line by line in Python?",
)
_LEAST_COSINE = 0.4
"""Mean cosine of model and table on the probes: 0.82 for the built-in table, about 0 between unrelated spaces."""


class OnnxEmbedder:
    """A `RefiningEmbedder`: `table` for queries and fresh documents, a model of the same space for lasting vectors.

    A store is locked to the table, so that it opens with and without the model.
    """

    def __init__(self, folder: Path, table: WordwiseEmbedder, batch: int) -> None:
        """Load a folder's model.onnx and tokenizer.json, and see that the model is of the table's space.

        The model's first output is float[texts, dimension], or float[texts, tokens, dimension], of which the mean is
        taken. Raises PolicyError if the folder, the model or ONNX Runtime is not there or does not fit.
        """
        for name in (_MODEL, _TOKENIZER):
            if not (folder / name).is_file():
                raise _refused(folder, f"has no {name}", f"a folder with {_MODEL} and {_TOKENIZER}")
        self._table = table
        self._batch = batch
        self._session = _session(folder)
        self._inputs = [one.name for one in self._session.get_inputs()]
        if not set(self._inputs) <= set(_INPUTS):
            raise _refused(folder, f"the model asks for {', '.join(self._inputs)}", f"inputs {', '.join(_INPUTS)}")
        self._tokenizer = _tokenizer(folder)
        self._encoder = hashlib.sha256((folder / _MODEL).read_bytes()).hexdigest()
        self._check_space(folder)

    @property
    def name(self) -> str:
        """Name of the table."""
        return self._table.name

    @property
    def dimension(self) -> int:
        """Length of the vectors of both."""
        return self._table.dimension

    @property
    def fingerprint(self) -> str:
        """That of the table."""
        return self._table.fingerprint

    @property
    def encoder(self) -> str:
        """SHA-256 of model.onnx, hex."""
        return self._encoder

    @property
    def batch(self) -> int:
        """Texts to give `embed_documents` at once."""
        return self._batch

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the table's vectors, float32[n, dimension]."""
        return self._table.embed(texts)

    def words(self, text: str) -> Words:
        """Return the table's words of a query."""
        return self._table.words(text)

    def embed_fresh(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the table's vectors, float32[n, dimension]."""
        return self._table.embed(texts)

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the model's vectors, float32[n, dimension], of unit length; a blank text gives zeros.

        A text with Chinese in it keeps the table's: the table reads both languages, the model English only.
        """
        vectors = self._table.embed(texts)
        tokens = [self._tokenizer.encode(text).ids for text in texts]
        said = [row for row, text in enumerate(texts) if text.strip() and not has_han(text)]
        said.sort(key=lambda row: len(tokens[row]))  # texts of like length share a batch, so little is padding
        for start in range(0, len(said), self._batch):
            rows = said[start : start + self._batch]
            vectors[rows] = self._run([tokens[row] for row in rows])
        return vectors

    def close(self) -> None:
        """Do nothing: there is no connection."""

    def _run(self, tokens: list[list[int]]) -> NDArray[np.float32]:
        shape = (len(tokens), max(len(one) for one in tokens))
        given = {name: np.zeros(shape, dtype=np.int64) for name in _INPUTS}
        for row, one in enumerate(tokens):
            given["input_ids"][row, : len(one)] = one
            given["attention_mask"][row, : len(one)] = 1
        output = self._session.run(None, {name: given[name] for name in self._inputs})[0].astype(np.float32)
        if output.ndim == 3:
            mask = given["attention_mask"][:, :, None]
            output = (output * mask).sum(axis=1) / mask.sum(axis=1)
        lengths = np.linalg.norm(output, axis=1, keepdims=True)
        vectors: NDArray[np.float32] = output / np.where(lengths > 0, lengths, 1)
        return vectors

    def _check_space(self, folder: Path) -> None:
        try:
            vectors = self._run([self._tokenizer.encode(text).ids for text in _PROBES])
        except Exception as error:  # ONNX Runtime's errors have no public base
            raise _refused(folder, f"the model cannot be run: {_line(error)}", "all-MiniLM-L6-v2") from error
        if vectors.shape[1:] != (self.dimension,):
            found = "x".join(str(size) for size in vectors.shape[1:])
            raise _refused(folder, f"the model's vectors are {found}-d", f"{self.dimension}-d, as those of {self.name}")
        cosine = float((vectors * self._table.embed(_PROBES)).sum(axis=1).mean())
        if not cosine >= _LEAST_COSINE:
            raise _refused(
                folder,
                f"the model's vectors are of another space (mean cosine {cosine:.2f})",
                f"the space of {self.name} (at least {_LEAST_COSINE})",
            )


def _session(folder: Path) -> Any:  # noqa: ANN401  onnxruntime has no types
    try:
        import onnxruntime  # noqa: PLC0415  optional, and slow to load
    except ImportError as error:
        raise PolicyError(
            "embedder.kind: onnx needs ONNX Runtime, which is not installed",
            field="embedder.kind",
            value="onnx",
            limit="static or openai without ONNX Runtime",
            hint="pip install 'smartbrain-server[onnx]'",
        ) from error
    options = onnxruntime.SessionOptions()
    # One core: it works beside the calls being served, and must not take all the machine.
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    try:
        return onnxruntime.InferenceSession(folder / _MODEL, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # ONNX Runtime's errors have no public base
        raise _refused(folder, f"{_MODEL} cannot be loaded: {_line(error)}", "an ONNX model") from error


def _tokenizer(folder: Path) -> Tokenizer:
    try:
        tokenizer = Tokenizer.from_file(str(folder / _TOKENIZER))
    except Exception as error:  # tokenizers raises bare Exception
        raise _refused(folder, f"{_TOKENIZER} cannot be loaded: {_line(error)}", "a tokenizer.json") from error
    tokenizer.no_padding()
    tokenizer.enable_truncation(_MOST_TOKENS)
    return tokenizer


def _refused(folder: Path, why: str, limit: str) -> PolicyError:
    return PolicyError(
        f"embedder.folder: {folder}: {why} (limit: {limit})",
        field="embedder.folder",
        value=folder,
        limit=limit,
        hint="name a folder with all-MiniLM-L6-v2 as ONNX, or use embedder.kind static",
    )


def _line(error: Exception) -> str:
    return " ".join(str(error).split())[:200]
