"""Twin of `kernels.offers`."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

OFFERED, REPEATS, PINNED, SILENT, BELOW = range(5)
_UNPRICED = -1

Ranking = tuple[NDArray[np.int32], NDArray[np.float64], NDArray[np.int32]]
Columns = tuple[NDArray[np.uint8], NDArray[np.int32], NDArray[np.int32], NDArray[np.uint8]]
Offered = tuple[
    NDArray[np.int64],
    NDArray[np.int32],
    NDArray[np.float64],
    NDArray[np.float64],
    NDArray[np.bool_],
    NDArray[np.uint8],
    NDArray[np.int8],
    float,
]


def offered(  # noqa: PLR0913  the signature of the kernel
    ranking: Ranking,
    reach: int,
    kept: NDArray[np.int64],
    columns: Columns,
    kinds: tuple[int, int, int],
    recent: NDArray[np.int32],
    pinned: NDArray[np.uint8],
    worded: NDArray[np.uint8],
    exponent: float,
    floors: tuple[float, float, float],
    quotas: tuple[int, int, float] | None,
) -> Offered:
    """Return (places, rows, scores, worth, recent, may_open, fates, floor): what of a ranking may go into a package.

    Places are by worth, what is over its quota after all others, without what is silent. Fates are of those kept.
    """
    rows, scores, queries = ranking[0][:reach], ranking[1][:reach], ranking[2][:reach]
    _check(ranking, reach, kept, columns, pinned, worded)
    kind, uris, costs, silence = (column[rows] for column in columns)
    is_recent = ((kind == kinds[0]) | (kind == kinds[1])) & np.isin(uris, recent)
    silent = (silence != 0) & (worded[queries] == 0)
    worth = np.array(
        [score * math.pow(cost, -exponent) for score, cost in zip(scores.tolist(), costs.tolist(), strict=True)]
    ).reshape(reach)
    lowest, share, best = floors
    floor = max(lowest, share * max(best, scores[kept][~is_recent[kept]].max(initial=0.0)))
    fates = np.where(np.minimum(scores[kept], 1.0) < floor, BELOW, OFFERED).astype(np.int8)
    fates[silent[kept]] = SILENT
    fates[is_recent[kept]] = REPEATS
    fates[pinned != 0 if len(pinned) else np.zeros(len(kept), dtype=bool)] = PINNED
    order = np.argsort(-worth, kind="stable")
    if quotas is not None:
        order = _shared_out(order, kept, scores, kind == kinds[2], quotas)
    order = order[~silent[order]]
    may_open = np.zeros(reach, dtype=np.uint8)
    may_open[kept[fates == OFFERED]] = 1
    return order, rows[order], scores[order], worth[order], is_recent[order], may_open[order], fates, float(floor)


def _check(
    ranking: Ranking,
    reach: int,
    kept: NDArray[np.int64],
    columns: Columns,
    pinned: NDArray[np.uint8],
    worded: NDArray[np.uint8],
) -> None:
    rows, scores, queries = ranking
    if {len(column) for column in columns} != {len(columns[0])} or {len(scores), len(queries)} != {len(rows)}:
        raise ValueError("parts differ in length")
    if not 0 <= reach <= len(rows) or len(pinned) not in (0, len(kept)):
        raise ValueError("reach is over the ranking, or pinned is not of those kept")
    if any(not 0 <= row < len(columns[0]) for row in rows[:reach].tolist()):
        raise IndexError("a row that no column has")
    if any(not 0 <= query < len(worded) for query in queries[:reach].tolist()):
        raise IndexError("a query that is not there")
    if (columns[2][rows[:reach]] <= 0).any():
        raise ValueError("costs must be > 0")
    if len(kept) and (kept[0] < 0 or kept[-1] >= reach or (np.diff(kept) <= 0).any()):
        raise IndexError("kept must ascend within reach")


def _shared_out(
    order: NDArray[np.int64],
    kept: NDArray[np.int64],
    scores: NDArray[np.float64],
    resource: NDArray[np.bool_],
    quotas: tuple[int, int, float],
) -> NDArray[np.int64]:
    """Return places in the order in which they have room: kept ones over their source's quota after all others."""
    memory, documents, least = quotas
    is_kept = np.zeros(len(scores), dtype=bool)
    is_kept[kept] = True
    good = (is_kept & (scores >= least * scores[kept].max(initial=0.0)))[order]
    of_documents, of_memory = np.cumsum(good & resource[order]), np.cumsum(good & ~resource[order])
    within = np.where(resource[order], of_documents <= documents, of_memory <= memory)
    return order[np.argsort(is_kept[order] & ~(good & within), kind="stable")]


def of_one_source(
    rows: NDArray[np.int32],
    fates: NDArray[np.int8],
    kinds: NDArray[np.uint8],
    sources: NDArray[np.int32],
    wanted: tuple[int, int, int],
    order: NDArray[np.int32],
) -> list[tuple[int, int, bool]]:
    """Return (item, message, whether the message comes first in `order`) of those that may be of one source."""
    if len(fates) != len(rows) or len(sources) != len(kinds):
        raise ValueError(f"fates must have {len(rows)} entries, and sources {len(kinds)}")
    if any(not 0 <= row < len(kinds) for row in rows.tolist()):
        raise IndexError("a row that no column has")
    item, message, of_any = wanted
    offered = rows[fates == OFFERED]
    said = np.concatenate([rows[fates == REPEATS], offered[kinds[offered] == message]])
    found = []
    for one in offered[(kinds[offered] == item) & (sources[offered] >= 0)]:
        for other in said[np.isin(sources[said], [sources[one], of_any])]:
            among = order[np.isin(order, [one, other])]
            found.append((int(one), int(other), bool(len(among) and among[0] == other)))
    return found


def core(
    masks: NDArray[np.uint64],
    rows: NDArray[np.int32],
    allowed: NDArray[np.uint8],
    weights: NDArray[np.float64],
    share: float,
) -> tuple[int, int]:
    """Return the bits that the masks of allowed rows have, and those of them that weigh a share of the heaviest."""
    seen = int(np.bitwise_or.reduce(masks[rows[allowed[rows] != 0]], initial=0))
    known = [place for place in range(len(weights)) if seen >> place & 1]
    least = share * max((weights[place] for place in known), default=0.0)
    return seen, sum(1 << place for place in known if weights[place] >= least)


def top(  # noqa: PLR0913  the signature of the kernel
    places: NDArray[np.int64],
    rows: NDArray[np.int32],
    scores: NDArray[np.float64],
    recent: NDArray[np.bool_],
    may_open: NDArray[np.uint8],
    masks: NDArray[np.uint64],
    bits: int,
    floors: tuple[float, float, float],
) -> tuple[NDArray[np.int32], NDArray[np.uint8], float, int]:
    """Return (rows, may_open, floor, first): what leads, the best offer first if it does; first is -1 without any."""
    share, elsewhere, least = floors
    opens = may_open != 0
    floor = share * max(elsewhere, np.minimum(scores[opens], 1.0).max(initial=0.0))
    first = min(np.flatnonzero(opens).tolist(), key=lambda number: places[number], default=-1)
    leads = (scores >= floor) & ((scores >= least) | (masks[rows] & np.uint64(bits) != 0)) & ~recent
    order = sorted(np.flatnonzero(leads).tolist(), key=lambda number: number != first)
    return rows[order], may_open[order], float(floor), first


def rest(
    rows: NDArray[np.int32],
    scores: NDArray[np.float64],
    recent: NDArray[np.bool_],
    may_open: NDArray[np.uint8],
    floor: float,
    away: list[int],
    missing: list[int],
) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
    """Return (rows, may_open) of what scores at least the floor and is not recent, or is missing."""
    lacks = np.isin(rows, missing)
    left = lacks | (~recent & (scores >= floor))
    opens = lacks | ((may_open != 0) & ~np.isin(rows, away))
    return rows[left], opens[left].astype(np.uint8)


def priced(
    rows: NDArray[np.int32],
    may_open: NDArray[np.uint8],
    repeats: list[int],
    columns: tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.uint8], NDArray[np.uint8]],
    item: int,
    labels: NDArray[np.int32],
    longest: int,
) -> dict[int, int]:
    """Return by row what costs other than its column says: items by their status, long texts unpriced."""
    costs, chars, kinds, statuses = (column[rows] for column in columns)
    more = np.where(kinds == item, labels[np.where(kinds == item, statuses, 0)], 0)
    unpriced = (chars > longest) & ((may_open != 0) | np.isin(rows, repeats))
    told = unpriced | (more != 0)
    dear = np.where(unpriced, _UNPRICED, costs + more)[told]
    return dict(zip(rows[told].tolist(), dear.tolist(), strict=True))
