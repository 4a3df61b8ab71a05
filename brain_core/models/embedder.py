"""What an embedder is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


class Embedder(Protocol):
    """Turns texts into vectors of one space. Safe for use from many threads."""

    @property
    def name(self) -> str:
        """Name that a store is locked to."""

    @property
    def dimension(self) -> int:
        """Length of its vectors."""

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the weights, hex: two embedders with the same one give the same vectors."""

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return float32[n, dimension], rows of unit length; a text without known words gives zeros."""
