"""A memory's index as a file: written whole, checked whole, thrown away on any doubt.

Layout: the line `smartbrain-index 9`, SHA-256 of the rest (32 bytes), the length of a table (8 bytes, little-endian),
the table (JSON: name, type and shape of each array), then the arrays, little-endian; table and arrays begin at
multiples of 64 bytes of the file, with zeros between them. Small memories are loaded by the thousand, and NumPy's own
.npz takes longer to read than all the rest together. Names and vocabulary are UTF-8 joined by newlines (they contain
none: ids and terms have no control characters).
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import math
import os
from datetime import UTC, tzinfo
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from brain_core.index.chunks import COLUMNS, NAMED, ChunkTable
from brain_core.index.derive import COSTS_VERSION
from brain_core.index.lexical import LexicalIndex
from brain_core.index.memory_index import MemoryIndex
from brain_core.index.records import Records
from brain_core.index.sessions import SessionVectors
from brain_core.index.vector import VectorIndex
from brain_core.kernels.vectors import SCALE_BYTES
from brain_core.text.tokens import ApproxCounter, TokenCounter
from brain_core.text.words import ANALYSIS_VERSION

_MAGIC = b"smartbrain-index 9\n"
_AT = len(_MAGIC) + hashlib.sha256().digest_size
_ALIGNED = 64
_TYPES = {"<f4", "<i4", "<i8", "|u1"}

Arrays = dict[str, NDArray[Any]]


class SnapshotError(Exception):
    """The file cannot be used: damaged, or of another memory."""


class SnapshotOutdated(SnapshotError):
    """It is sound, but made by another version, or for another dimension, tokenizer or time zone."""


def snapshot_path(folder: Path, memory_id: str) -> Path:
    """Return where a memory's snapshot stands: memory ids may hold what file names may not."""
    return folder / f"{hashlib.sha256(memory_id.encode()).hexdigest()[:32]}.index"


def save(path: Path, index: MemoryIndex) -> None:
    """Write an index; the old file stays until the new one is whole. Raises OSError."""
    vocabulary, offsets, rows, counts = index.lexical.dump()
    session_rows, session_sums = index.sessions.dump()
    packed, codes, replaced = index.vectors.dump()
    records, ends = index.chunks.records.dump()
    pieces = _pieces(
        {
            "made_for": _pack([path.name]),
            "counter": _pack([_counted_by(index.counter, index.zone)]),
            "header": np.array([index.revision, index.dimension, ANALYSIS_VERSION], dtype=np.int64),
            "vocabulary": _pack(vocabulary),
            "offsets": offsets,
            "rows": rows,
            "counts": counts,
            "vectors": packed,
            "codes": codes,
            "replaced": replaced,
            "session_rows": session_rows,
            "session_sums": session_sums,
            **{f"column.{name}": column for name, column in index.chunks.dump().items()},
            "put_right": index.chunks.put_right(),
            "records": records,
            "record_ends": ends,
            **{f"names.{name}": _pack(index.chunks.names[name].all()) for name in NAMED},
        }
    )
    digest = hashlib.sha256()
    for piece in pieces:
        digest.update(piece)
    path.parent.mkdir(exist_ok=True)  # not the data folder, should it have been moved away
    fresh = path.with_suffix(".new")
    try:
        with fresh.open("wb") as file:
            file.write(_MAGIC + digest.digest())
            file.writelines(pieces)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            fresh.unlink()  # what there was no room for takes none
        raise


def remove(path: Path) -> None:
    """Take away the file of an index, and what a killed process had begun to write in its place. Raises OSError."""
    path.unlink(missing_ok=True)
    path.with_suffix(".new").unlink(missing_ok=True)


def load(path: Path, dimension: int, counter: TokenCounter | None = None, zone: tzinfo = UTC) -> MemoryIndex:
    """Read an index. Raises FileNotFoundError if there is none, SnapshotError if it cannot be used.

    SnapshotOutdated if it is sound, but made by another version or under other settings.
    """
    content = path.read_bytes()
    if not content.startswith(_MAGIC):
        raise SnapshotError(f"{path}: not an index of this format")
    if hashlib.sha256(memoryview(content)[_AT:]).digest() != content[len(_MAGIC) : _AT]:
        raise SnapshotError(f"{path}: checksum differs")
    try:
        arrays = _arrays(content)
        if _unpack(arrays["made_for"]) != [path.name]:
            raise SnapshotError(f"{path}: made for another memory")
        return _index(arrays, dimension, counter or ApproxCounter(), zone)
    except SnapshotOutdated as error:
        raise SnapshotOutdated(f"{path}: {error}") from None
    except (KeyError, TypeError, ValueError) as error:
        raise SnapshotError(f"{path}: {error}") from error


def _pieces(arrays: Arrays) -> list[bytes | memoryview]:
    """Return what follows the digest, piece by piece."""
    table = json.dumps([(name, one.dtype.str, one.shape) for name, one in arrays.items()]).encode()
    pieces: list[bytes | memoryview] = [len(table).to_bytes(8, "little")]
    at = _AT + len(pieces[0])
    contents: list[bytes | memoryview] = [table, *(one.reshape(-1).view(np.uint8).data for one in arrays.values())]
    for piece in contents:
        gap = -at % _ALIGNED
        pieces += [bytes(gap), piece]
        at += gap + len(piece)
    return pieces


def _arrays(content: bytes) -> Arrays:
    """Return views of the file's arrays. Raises KeyError, TypeError or ValueError if it has none."""

    def aligned(at: int) -> int:
        return at + -at % _ALIGNED

    first = aligned(_AT + 8)
    end = first + int.from_bytes(content[_AT : _AT + 8], "little")
    arrays: Arrays = {}
    for name, kind, shape in json.loads(content[first:end]):
        if kind not in _TYPES:
            raise ValueError(f"array {name} is of type {kind}")
        start, size = aligned(end), math.prod(shape)
        arrays[name] = np.frombuffer(content, kind, size, start).reshape(shape) if size else np.zeros(shape, kind)
        end = start + arrays[name].nbytes
    return arrays


def _index(arrays: Arrays, dimension: int, counter: TokenCounter, zone: tzinfo) -> MemoryIndex:
    revision, stored_dimension, analysis = (int(number) for number in arrays["header"])
    if (stored_dimension, analysis) != (dimension, ANALYSIS_VERSION):
        raise SnapshotOutdated(f"made for dimension {stored_dimension} and analysis {analysis}")
    [counted_by] = _unpack(arrays["counter"])
    if counted_by != _counted_by(counter, zone):
        raise SnapshotOutdated(f"tokens were counted by {counted_by}, not {_counted_by(counter, zone)}")
    chunks = ChunkTable.load(
        {name: arrays[f"column.{name}"] for name in COLUMNS},
        {name: _unpack(arrays[f"names.{name}"]) for name in NAMED},
        Records.load(arrays["records"], arrays["record_ends"]),
        arrays["put_right"],
    )
    sessions = np.ascontiguousarray(chunks.column("session"))
    lexical = LexicalIndex.load(
        _unpack(arrays["vocabulary"]), arrays["offsets"], arrays["rows"], arrays["counts"], sessions
    )
    shape = (len(chunks), dimension + SCALE_BYTES)
    if arrays["vectors"].shape != shape:
        raise ValueError(f"vectors have shape {arrays['vectors'].shape}, not {shape}")
    vectors = VectorIndex.load(arrays["vectors"], arrays["codes"], arrays["replaced"])
    if len(chunks) != len(lexical):
        raise ValueError(f"{len(chunks)} chunks, {len(lexical)} texts")
    session_vectors = SessionVectors.load(arrays["session_rows"], arrays["session_sums"], dimension, len(chunks))
    return MemoryIndex(dimension, revision, counter, chunks, lexical, vectors, session_vectors, zone)


def _counted_by(counter: TokenCounter, zone: tzinfo) -> str:
    """Return what tells how texts were counted: with which counter, what of them, titled in which zone."""
    return f"{counter.name}, costs {COSTS_VERSION}" + ("" if zone is UTC else f", titles in {zone}")


def _pack(texts: list[str]) -> NDArray[np.uint8]:
    return np.frombuffer("\n".join(texts).encode(), dtype=np.uint8)


def _unpack(packed: NDArray[np.uint8]) -> list[str]:
    text = packed.tobytes().decode()
    return text.split("\n") if text else []
