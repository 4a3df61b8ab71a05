"""Pieces that grow: the candidates filled in, then widened, in sessions of 40 rows."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from benchmarks.kernels.case import Case, Size, chance
from brain_core.kernels import reference
from brain_core.kernels.passages import Passages, turned_away

_SESSION = 40
_MOST, _LONGEST, _FREE = 12, 2_400, 8_000
_SHARED, _GAP = 1, 3
_LABELS = np.repeat(np.arange(2, dtype=np.int32), _MOST // 2)


def cases(size: Size) -> Iterator[Case]:
    """Fill a package's worth of text."""
    random = chance()
    place = np.arange(size.rows)
    line_costs = random.integers(5, 150, size.rows).astype(np.int32)
    costs, chars = (line_costs + 20).astype(np.int32), (line_costs * 4).astype(np.int32)
    before = np.where(place % _SESSION == 0, -1, place - 1).astype(np.int32)
    after = np.where((place % _SESSION == _SESSION - 1) | (place == size.rows - 1), -1, place + 1).astype(np.int32)
    sessions, kinds = (place // _SESSION).astype(np.int32), np.full(size.rows, _SHARED, dtype=np.uint8)
    rows = random.permutation(size.rows)[: size.candidates].astype(np.int32)
    may_open, allowed = np.ones(len(rows), dtype=np.uint8), np.ones(size.rows, dtype=np.uint8)
    scores = -np.sort(-random.random(len(rows)))
    uris, closed = (place // 2).astype(np.int32), np.array([1, 2], dtype=np.int32)

    def carried_out(kind: type[Passages] | type[reference.passages.Passages]) -> tuple[Any, ...]:
        passages = kind(
            *(costs, {}, line_costs, chars, before, after, sessions, kinds),
            *(_SHARED, _MOST, _LONGEST, _GAP, _LABELS),
        )
        taken, fates = passages.fill(rows, may_open, _FREE)
        grown = passages.widen(allowed, uris, closed, _FREE - taken)
        return taken, fates, grown, passages.pieces(), passages.best_first(rows, scores, 1, uris)

    yield Case(
        "passages.Passages",
        f"{_MOST} pieces of {len(rows)} candidates filled, widened and listed",
        lambda: carried_out(Passages),
        lambda: carried_out(reference.passages.Passages),
    )
    _, fates, *_ = carried_out(Passages)
    yield Case(
        "passages.turned_away",
        f"{len(rows)} rows",
        lambda: turned_away(rows, fates),
        lambda: reference.passages.turned_away(rows, fates),
    )
