"""Any endpoint that speaks OpenAI's `POST /v1/embeddings`."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from brain_core.errors import EmbedderUnavailable
from brain_core.extract.secrets import masked_everywhere
from brain_core.models.endpoint import JsonEndpoint, Unanswered, one_line

_TRIES = 3
_TEXT_REFUSED = (400, 413, 422)
_SHORTEST_CUT = 32
_BYTES_PER_NUMBER = 64
_PLAIN = "The weather is fine today. 今天天气很好。"
"""What any model has a vector for: one that gives none is not well."""
_SPARE_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where vectors come from. url: up to and without /embeddings. timeout_seconds: for all tries of one request."""

    url: str
    model: str
    dimension: int
    timeout_seconds: float
    api_key: str = field(default="", repr=False)


class _TextRefused(EmbedderUnavailable):
    """The endpoint answers, but not for these texts."""


class OpenAIEmbedder:
    """A `RefiningEmbedder` in a space of its own: fresh documents have no vectors until the endpoint gives them.

    No call waits longer than the timeout, whatever the endpoint does.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        batch: int,
        shown: Callable[[Sequence[str]], Sequence[str]] = masked_everywhere,
    ) -> None:
        """batch: most texts in one request. shown: gives of the texts of a call what may leave the machine.

        Connects to nothing yet.
        """
        self._endpoint = endpoint
        self._batch = batch
        self._shown = shown
        self._server = JsonEndpoint(endpoint.url, endpoint.api_key, endpoint.timeout_seconds)
        self._silent_until = 0.0

    @property
    def name(self) -> str:
        """Name of the model."""
        return self._endpoint.model

    @property
    def dimension(self) -> int:
        """Length of its vectors."""
        return self._endpoint.dimension

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the model's name and dimension, hex: its weights cannot be seen, and its address may change."""
        return hashlib.sha256(f"{self.name}\n{self.dimension}".encode()).hexdigest()

    @property
    def encoder(self) -> str:
        """The fingerprint: one model for queries and documents."""
        return self.fingerprint

    @property
    def batch(self) -> int:
        """Most texts in one request."""
        return self._batch

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return float32[n, dimension] of unit length, for queries; zeros where the endpoint gives none in time.

        After a failure the endpoint is left alone for as long as the timeout: at worst half of the time is waiting.
        """
        now = time.monotonic()
        if now >= self._silent_until:
            try:
                return self._vectors(texts, now + self._endpoint.timeout_seconds)
            except _TextRefused:
                pass
            except EmbedderUnavailable:
                self._silent_until = time.monotonic() + self._endpoint.timeout_seconds
        return np.zeros((len(texts), self.dimension), dtype=np.float32)

    def embed_fresh(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return zeros, float32[n, dimension]: a commit does not wait for the endpoint."""
        return np.zeros((len(texts), self.dimension), dtype=np.float32)

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return float32[n, dimension] of unit length; a blank text gives zeros. Raises EmbedderUnavailable.

        So does one that the endpoint answers with zeros twice, while it gives another text a vector.
        """
        vectors = self._vectors(texts, None)
        unsaid = [row for row, text in enumerate(texts) if text.strip() and not vectors[row].any()]
        if unsaid:
            if not self._vectors([_PLAIN], None).any():
                raise self._failure("answers vectors of zeros")
            vectors[unsaid] = self._vectors([texts[row] for row in unsaid], None)
        return vectors

    def close(self) -> None:
        """Close the connections. Later calls fail."""
        self._server.close()

    def _vectors(self, texts: Sequence[str], deadline: float | None) -> NDArray[np.float32]:
        """deadline: for all requests together, of time.monotonic; None gives each request its own timeout."""
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        said = [row for row, text in enumerate(texts) if text.strip()]
        shown = self._shown(texts)
        for start in range(0, len(said), self._batch):
            rows = said[start : start + self._batch]
            vectors[rows] = self._accepted([shown[row] for row in rows], deadline)
        return vectors

    def _accepted(self, texts: Sequence[str], deadline: float | None) -> NDArray[np.float32]:
        """Ask in halves, and at last for the first half of a text, while the endpoint refuses: it may be too long."""
        until = time.monotonic() + self._endpoint.timeout_seconds if deadline is None else deadline
        try:
            return self._asked(texts, until)
        except _TextRefused:
            if len(texts) > 1:
                middle = len(texts) // 2
                halves = (texts[:middle], texts[middle:])
                return np.concatenate([self._accepted(half, deadline) for half in halves])
            cut = texts[0][: len(texts[0]) // 2].strip()
            if len(cut) < _SHORTEST_CUT:
                raise
            return self._accepted([cut], deadline)

    def _asked(self, texts: Sequence[str], deadline: float) -> NDArray[np.float32]:
        asked = {"model": self._endpoint.model, "input": list(texts)}
        most = len(texts) * self.dimension * _BYTES_PER_NUMBER + _SPARE_BYTES
        try:
            body = self._server.post("embeddings", asked, most, _TRIES, deadline)
        except Unanswered as failed:
            kind = _TextRefused if failed.status in _TEXT_REFUSED else EmbedderUnavailable
            raise self._failure(str(failed), kind) from failed
        return self._read(body, len(texts))

    def _read(self, body: bytes, count: int) -> NDArray[np.float32]:
        try:
            rows = json.loads(body)["data"]
            by_index = {int(row.get("index", place)): row["embedding"] for place, row in enumerate(rows)}
            if len(rows) != count or sorted(by_index) != list(range(count)):
                raise self._failure(f"answered {len(rows)} vectors, indexes {sorted(by_index)[:8]}, for {count} texts")
            vectors = np.array([by_index[place] for place in range(count)], dtype=np.float64)
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError) as error:
            raise self._failure(f"answered no embeddings: {one_line(body.decode(errors='replace'))}") from error
        if vectors.shape != (count, self.dimension):
            given = "x".join(str(size) for size in vectors.shape[1:])
            raise EmbedderUnavailable(
                f"embedder.dimension: {self._endpoint.url} answered {given}-d vectors, not {self.dimension}-d",
                field="embedder.dimension",
                value=self.dimension,
                limit=given,
                hint="set embedder.dimension to what the model gives",
            )
        if not np.isfinite(vectors).all():
            raise self._failure("answered a vector that holds NaN or infinity")
        largest = np.abs(vectors).max(axis=1, keepdims=True)
        vectors /= np.where(largest > 0, largest, 1)  # so that no square overflows
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        unit: NDArray[np.float32] = (vectors / np.where(lengths > 0, lengths, 1)).astype(np.float32)
        return unit

    def _failure(self, why: str, kind: type[EmbedderUnavailable] = EmbedderUnavailable) -> EmbedderUnavailable:
        return kind(
            f"embedder.url: {self._endpoint.url} {why}",
            field="embedder.url",
            value=self._endpoint.url,
            limit=f"vectors within {self._endpoint.timeout_seconds:g} s",
            hint="check the endpoint, embedder.url, model and api_key_file",
        )
