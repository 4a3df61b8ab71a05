"""How good one ranking or one package is. Pure functions of ids; gains are binary; an id counts once, where first."""

import math
from collections.abc import Collection, Iterable, Sequence

CUTS = (5, 10, 20, 50)
NDCG_CUT = 10


def unique(ids: Iterable[str]) -> list[str]:
    """Keep each id where it stands first."""
    return list(dict.fromkeys(ids))


def ranking_scores(ranked: Sequence[str], gold: Collection[str]) -> dict[str, float]:
    """Score one ranking, best first, against a non-empty set of gold ids.

    `recall@k`: share of the gold ids among the first k. `recall_any@k`, `recall_all@k`: 1.0 if at least one, or every
    one, is among them. `ndcg@10`: sum of 1/log2(1 + rank) over gold ids in the first 10, over the same sum for a
    ranking that begins with min(10, |gold|) gold ids. `mrr`: 1/rank of the first gold id, 0 if there is none.
    """
    wanted = _wanted(gold)
    ranked = unique(ranked)
    ranks = [rank for rank, one in enumerate(ranked, start=1) if one in wanted]
    scores: dict[str, float] = {}
    for cut in CUTS:
        hits = sum(rank <= cut for rank in ranks)
        scores[f"recall@{cut}"] = hits / len(wanted)
        scores[f"recall_any@{cut}"] = float(hits > 0)
        scores[f"recall_all@{cut}"] = float(hits == len(wanted))
    ideal = sum(_discount(rank) for rank in range(1, min(NDCG_CUT, len(wanted)) + 1))
    scores[f"ndcg@{NDCG_CUT}"] = sum(_discount(rank) for rank in ranks if rank <= NDCG_CUT) / ideal
    scores["mrr"] = 1.0 / ranks[0] if ranks else 0.0
    return scores


def package_scores(package: Collection[str], gold: Collection[str]) -> dict[str, float]:
    """Give the `share` of the gold ids that are in the package, and `all`: 1.0 if every one is; gold is not empty."""
    wanted = _wanted(gold)
    hits = len(wanted.intersection(package))
    return {"share": hits / len(wanted), "all": float(hits == len(wanted))}


def mean(rows: Sequence[dict[str, float]]) -> dict[str, float]:
    """Take the mean of each score over the questions; empty for no question. All rows have the same keys."""
    if not rows:
        return {}
    return {key: math.fsum(row[key] for row in rows) / len(rows) for key in rows[0]}


def percentile(values: Sequence[float], share: float) -> float:
    """Find the value below which `share` (0..1) of the values lie, interpolated linearly; values must not be empty."""
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    low = math.floor(place)
    high = math.ceil(place)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def _discount(rank: int) -> float:
    return 1.0 / math.log2(1 + rank)


def _wanted(gold: Collection[str]) -> set[str]:
    if not gold:
        raise ValueError("a question without gold ids cannot be scored: leave it out and count it")
    return set(gold)
