"""A memory's index as a file: written whole, checked whole, thrown away on any doubt.

Layout: the line `smartbrain-index 1`, SHA-256 of the rest (32 bytes), then a NumPy .npz of the arrays. Names and
vocabulary are UTF-8 joined by newlines (they contain none: ids and terms have no control characters).
"""

from __future__ import annotations

import hashlib
import io
import os
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from brain_core.index.chunks import COLUMNS, NAMED, ChunkTable
from brain_core.index.lexical import LexicalIndex
from brain_core.index.memory_index import MemoryIndex
from brain_core.index.vector import VectorIndex
from brain_core.text.words import ANALYSIS_VERSION

_MAGIC = b"smartbrain-index 1\n"


class SnapshotError(Exception):
    """The file cannot be used: damaged, or made by another analysis or for another dimension."""


def snapshot_path(folder: Path, memory_id: str) -> Path:
    """Return where a memory's snapshot stands: memory ids may hold what file names may not."""
    return folder / f"{hashlib.sha256(memory_id.encode()).hexdigest()[:32]}.index"


def save(path: Path, index: MemoryIndex) -> None:
    """Write an index; the old file stays until the new one is whole. Raises OSError."""
    vocabulary, offsets, terms, counts = index.lexical.dump()
    arrays: dict[str, NDArray[np.generic]] = {
        "made_for": _pack([path.name]),
        "header": np.array([index.revision, index.dimension, ANALYSIS_VERSION], dtype=np.int64),
        "vocabulary": _pack(vocabulary),
        "offsets": offsets,
        "terms": terms,
        "counts": counts,
        "vectors": index.vectors.dump(),
        **{f"column.{name}": column for name, column in index.chunks.dump().items()},
        **{f"names.{name}": _pack(index.chunks.names[name].all()) for name in NAMED},
    }
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)  # type: ignore[arg-type]  # numpy's stub takes the ** for its own keywords
    content = buffer.getvalue()
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(".new")
    with fresh.open("wb") as file:
        file.write(_MAGIC + hashlib.sha256(content).digest() + content)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)


def load(path: Path, dimension: int) -> MemoryIndex:
    """Read an index. Raises FileNotFoundError if there is none, SnapshotError if it cannot be used."""
    content = path.read_bytes()
    start = len(_MAGIC) + hashlib.sha256().digest_size
    if not content.startswith(_MAGIC):
        raise SnapshotError(f"{path}: not an index of this format")
    if hashlib.sha256(content[start:]).digest() != content[len(_MAGIC) : start]:
        raise SnapshotError(f"{path}: checksum differs")
    try:
        with np.load(io.BytesIO(content[start:]), allow_pickle=False) as arrays:
            if _unpack(arrays["made_for"]) != [path.name]:
                raise SnapshotError(f"{path}: made for another memory")
            return _index(arrays, dimension)
    except (KeyError, ValueError) as error:
        raise SnapshotError(f"{path}: {error}") from error


def _index(arrays: np.lib.npyio.NpzFile, dimension: int) -> MemoryIndex:
    revision, stored_dimension, analysis = (int(number) for number in arrays["header"])
    if (stored_dimension, analysis) != (dimension, ANALYSIS_VERSION):
        raise ValueError(f"made for dimension {stored_dimension} and analysis {analysis}")
    chunks = ChunkTable.load(
        {name: arrays[f"column.{name}"] for name in COLUMNS},
        {name: _unpack(arrays[f"names.{name}"]) for name in NAMED},
    )
    lexical = LexicalIndex.load(_unpack(arrays["vocabulary"]), arrays["offsets"], arrays["terms"], arrays["counts"])
    vectors = VectorIndex(dimension)
    vectors.add(arrays["vectors"])
    if not len(chunks) == len(lexical) == len(vectors):
        raise ValueError(f"{len(chunks)} chunks, {len(lexical)} texts, {len(vectors)} vectors")
    return MemoryIndex(dimension, revision, chunks, lexical, vectors)


def _pack(texts: list[str]) -> NDArray[np.uint8]:
    return np.frombuffer("\n".join(texts).encode(), dtype=np.uint8)


def _unpack(packed: NDArray[np.uint8]) -> list[str]:
    text = packed.tobytes().decode()
    return text.split("\n") if text else []
