"""A table of token vectors in bytes: a quarter of the memory of float32, a loss of recall too small to measure."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load_file, save

_ROWS, _SCALES = "embeddings", "scales"


@dataclass(frozen=True, slots=True)
class Table:
    """Token vectors: row i stands for scales[i] · rows[i]."""

    rows: NDArray[np.int8]
    """int8[n, d]"""
    scales: NDArray[np.float32]
    """float32[n], ≥ 0"""

    def vectors(self) -> NDArray[np.float32]:
        """Return what the rows stand for, float32[n, d]."""
        return self.rows * self.scales[:, None]

    def followed_by(self, other: Table) -> Table:
        """Return this table with the rows of another of the same d after its own."""
        return Table(np.concatenate([self.rows, other.rows]), np.concatenate([self.scales, other.scales]))


def quantise(vectors: NDArray[np.floating]) -> Table:
    """Return float[n, d] in bytes, the largest number of each row as ±127."""
    wide = vectors.astype(np.float32)
    scales = np.abs(wide).max(axis=1) / np.float32(127)
    rows = np.rint(wide / np.where(scales > 0, scales, np.float32(1))[:, None])
    return Table(rows.astype(np.int8), scales)


def write_table(table: Table, file: Path) -> None:
    """Write a table where `read_table` finds it."""
    file.write_bytes(save({_ROWS: table.rows, _SCALES: table.scales}))


def read_table(file: Path) -> Table:
    """Read a table in bytes, or one in model2vec's format (float[n, d] under "embeddings").

    Raises ValueError when the file is not there, is damaged or holds something else.
    """
    try:
        tensors = load_file(file)
    except (OSError, SafetensorError) as error:
        raise ValueError(f"{file}: not a readable table: {error}") from error
    rows = tensors.get(_ROWS)
    if rows is None or rows.ndim != 2 or 0 in rows.shape:
        raise ValueError(f'{file}: no matrix "{_ROWS}"')
    if not np.isfinite(rows).all():
        raise ValueError(f'{file}: "{_ROWS}" has entries that are not numbers')
    if np.issubdtype(rows.dtype, np.floating):
        return quantise(rows)
    scales = tensors.get(_SCALES)
    if rows.dtype != np.int8 or scales is None or scales.dtype != np.float32 or scales.shape != rows.shape[:1]:
        raise ValueError(f'{file}: "{_ROWS}" must be float, or int8 with one float32 of "{_SCALES}" for each row')
    if not np.isfinite(scales).all():
        raise ValueError(f'{file}: "{_SCALES}" has entries that are not numbers')
    return Table(rows, scales)
