"""Does what another server found hold what the plan's filters ask for? As far as an evidence shows it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from smartbrain.v1.evidence_pb2 import Evidence
from smartbrain.v1.plan_pb2 import PlanFilters, RetrievalPlan

from brain_core.errors import shorten

_NO_ITEMS = ("resource_section", "resource_doc")
_HELD = Callable[[Evidence, PlanFilters], bool | None]


def _time(evidence: Evidence, filters: PlanFilters) -> bool | None:
    if not evidence.metadata.HasField("created_at"):
        return None
    at, within = evidence.metadata.created_at.ToNanoseconds(), filters.time_range
    begun = not within.HasField("from") or at >= getattr(within, "from").ToNanoseconds()
    return begun and (not within.HasField("to") or at < within.to.ToNanoseconds())


def _types(evidence: Evidence, _: PlanFilters) -> bool | None:
    return False if evidence.kind in _NO_ITEMS or evidence.source_type == "conversation" else None


def _labels(evidence: Evidence, signal: str) -> bool | None:
    return getattr(evidence.signals, signal) > 0 if evidence.signals.HasField(signal) else None  # type: ignore[arg-type]


_CHECKS: dict[str, _HELD] = {
    "document_ids": lambda one, filters: one.document_id in filters.document_ids,
    "source_uri_prefix": lambda one, filters: one.source_uri.startswith(filters.source_uri_prefix),
    "source_type": lambda one, filters: one.source_type in filters.source_type if one.source_type else None,
    "language": lambda one, filters: one.language == filters.language if one.language else None,
    "session_ids": lambda one, filters: one.ref.session_id in filters.session_ids if one.ref.session_id else None,
    "time_range": _time,
    "types": _types,
    "tag_ids": lambda one, _: _labels(one, "tag_score"),
    "topic_ids": lambda one, _: _labels(one, "topic_score"),
}
"""Whether an evidence holds a filter that is given; None where it does not show that. Of others none ever does."""


@dataclass(frozen=True, slots=True)
class Heeded:
    """What of an answer stands. breaches: what is said of the rest. unshown: filters that it cannot be held to."""

    kept: Sequence[Evidence]
    breaches: Sequence[str]
    unshown: Sequence[str]


def held_to_filters(evidences: Sequence[Evidence], plan: RetrievalPlan) -> Heeded:
    """Leave out what shows that it breaks a filter of the plan, or of the query that it says found it."""
    kept: list[Evidence] = []
    broken: Counter[str] = Counter()
    first: dict[str, str] = {}
    unshown: dict[str, None] = {}
    for evidence in evidences:
        held = dict(_held(evidence, plan))
        breach = next((name for name, holds in held.items() if holds is False), "")
        if breach:
            broken[breach] += 1
            first.setdefault(breach, evidence.id)
        else:
            kept.append(evidence)
            unshown.update(dict.fromkeys(name for name, holds in held.items() if holds is None))
    told = [
        f"{count} of {len(evidences)} left out, outside {name}: {shorten(first[name])}"
        for name, count in broken.items()
    ]
    return Heeded(kept, told, list(unshown))


def _held(evidence: Evidence, plan: RetrievalPlan) -> Iterator[tuple[str, bool | None]]:
    query = f"queries[{evidence.provenance.query_index}].filters"
    for path, filters in (
        ("global_filters", plan.global_filters),
        (query, plan.queries[evidence.provenance.query_index].filters),
    ):
        for field, _ in filters.ListFields():
            check = _CHECKS.get(field.name)
            yield f"{path}.{field.name}", check(evidence, filters) if check else None
