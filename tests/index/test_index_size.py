"""What an index holds beside the texts, of real ones in both languages: its own count, which bounds the cache."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest

from benchmarks.core.fill import records
from brain_core.index.memory_index import MemoryIndex
from brain_core.text.windows import windows

_ROOT = Path(__file__).parents[2]
_DIMENSION = 384
_MOST = 2_350  # bytes a chunk, most of them of words that are told once: of 100,000 chunks some 1,050


class _Manuals:
    """Windows of the manuals, at most 400 characters each."""

    def __init__(self) -> None:
        told = "\n".join((_ROOT / name).read_text("utf-8") for name in ("README.md", "README.zh-CN.md"))
        self.all = [told[one.start : one.stop] for one in windows(told, 400)]

    def text(self, number: int) -> str:
        return self.all[number]

    def question(self, number: int) -> str:
        return self.all[number]


def test_a_chunk_takes_little_beside_its_text() -> None:
    texts = _Manuals()
    index = MemoryIndex(_DIMENSION)
    count = len(texts.all) // 2 * 2
    for first in range(0, count, 2):
        added = list(records(texts, first, first + 2))
        for one in added:
            one.vector = bytes(2 * _DIMENSION)
        index.add(added)
    spoken = sum(len(texts.text(number).encode()) for number in range(count))
    assert count > 200
    a_chunk = (index.nbytes - MemoryIndex(_DIMENSION).nbytes - spoken) / count
    assert _DIMENSION + 300 < a_chunk < _MOST, f"{a_chunk:.0f} bytes a chunk"


@pytest.mark.parametrize("count", [0, 2, 20])
def test_small_indexes_take_what_they_are_counted_for(count: int) -> None:
    """Empty ones were counted with 1.3 KB and took 80: thousands of small memories went far past `cache_bytes`."""
    texts = _Manuals()
    added = list(records(texts, 0, count))
    for one in added:
        one.vector = bytes(2 * _DIMENSION)
    MemoryIndex(_DIMENSION).add(added)  # what all share
    tracemalloc.start()
    try:
        indexes = [MemoryIndex(_DIMENSION) for _ in range(50)]
        for index in indexes:
            index.add(added)
        taken, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert taken < 1.25 * sum(index.nbytes for index in indexes)
