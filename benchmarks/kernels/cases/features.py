"""Features of the candidates, and what stands beside them: sessions of 40 messages, some of two rows."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from benchmarks.kernels.case import Case, Size, chance
from brain_core.kernels import reference
from brain_core.kernels.features import features, neighbours

SESSION = 40
WORDS = 8
NOW = 1_750_000_000_000_000
HALF_LIFE = 30 * 86_400_000_000.0
_FIRST = 64


def cases(size: Size) -> Iterator[Case]:
    """All features of the candidates, and the neighbours of the first 64."""
    random = chance()
    columns = columns_of(size.rows)
    rows = random.permutation(size.rows)[: size.candidates].astype(np.int32)
    lexical = (random.random(size.rows) * 20 * (random.random(size.rows) < 0.2)).astype(np.float32)
    masks = random.integers(0, 2**WORDS, size.rows, dtype=np.uint64) * (lexical > 0)
    sessions = random.random(size.rows // SESSION + 1)
    words = (lexical, masks, random.random(WORDS), sessions)
    cosine = (random.random((2, len(rows))) - 0.2).astype(np.float32)
    vectors = (cosine[0], cosine[1], 0.1, 0.07)
    named = np.array([0, 1], dtype=np.uint8)
    yield Case(
        "features.features",
        f"{len(rows)} candidates, {WORDS} words, {size.rows:,} rows",
        lambda: features(rows, words, 1.0, vectors, 1.0, named, columns, NOW, HALF_LIFE),
        lambda: reference.features.features(rows, words, 1.0, vectors, 1.0, named, columns, NOW, HALF_LIFE),
    )
    before, after, allowed = columns["before"], columns["after"], np.ones(size.rows, dtype=np.uint8)
    given, left, right = rows.tolist(), before.tolist(), after.tolist()

    def naive() -> object:
        beside = {one for row in given[:_FIRST] for one in (left[row], right[row])} - set(given)
        return sorted(row for row in beside if row >= 0)

    yield Case(
        "features.neighbours",
        f"of {_FIRST} of {len(rows)} candidates",
        lambda: neighbours(rows, _FIRST, before, after, allowed),
        lambda: reference.features.neighbours(rows, _FIRST, before, after, allowed),
        naive,
    )


def columns_of(rows: int) -> dict[str, np.ndarray[Any, Any]]:
    """Return what is known of every row."""
    random = chance()
    place = np.arange(rows)
    starts = np.where((place % SESSION) % 10 == 9, place - 1, place)  # the tenth row goes on with the ninth's message
    return {
        "before": np.where(place % SESSION == 0, -1, place - 1).astype(np.int32),
        "after": np.where((place % SESSION == SESSION - 1) | (place == rows - 1), -1, place + 1).astype(np.int32),
        "start": starts.astype(np.int32),
        "session": (place // SESSION).astype(np.int32),
        "speaker": (place % 2).astype(np.int32),
        "chars": random.integers(20, 800, rows).astype(np.int32),
        "assistant": (place % 2).astype(np.uint8),
        "first_person": random.integers(0, 4, rows).astype(np.uint8),
        "time_us": NOW - random.integers(0, 10**14, rows),
        "priority": np.full(rows, 5, dtype=np.uint8),
        "confidence": np.ones(rows, dtype=np.float32),
    }
