"""What was decided, and why, in words for debug.planner.reason and resource_retrieval.reason."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from brain_core.compose.planner.read import Reading
from brain_core.compose.planner.tells import Period


def decide(reading: Reading, policy: Literal["auto", "on", "off"]) -> tuple[bool, str]:
    """Return whether documents are searched, and why."""
    if policy == "auto":
        return reading.resources, reading.why_resources
    return policy == "on", f"policies.retrieval.enable_resource_retrieval is {policy}"


def reason_of(
    reading: Reading,
    places: Sequence[str],
    aliases: Sequence[str],
    why_resources: str,
    *,
    days: Sequence[Period],
    around: str,
    expanded: bool,
) -> str:
    """Return all that was decided in one line. days: as in Known. around: what became of what was said before."""
    parts = [reading.why]
    if reading.period is not None:
        told = ", or told of these days later" if reading.period in days else ""
        parts.append(f"time {reading.period.start} to {reading.period.stop}, preferred{told}")
    if reading.ahead is not None:
        known = "preferred" if reading.ahead in days else "of which nothing is known"
        parts.append(f"days to come {reading.ahead.start} to {reading.ahead.stop}, {known}")
    if reading.place:
        parts.append(
            f"place {reading.place!r}: " + (f"{', '.join(places)}, preferred" if places else "no address has it")
        )
    elif reading.session:
        parts.append("this session, preferred")
    if reading.tasks:
        parts.append(f"{reading.tasks} tasks, preferred")
    if reading.scattered:
        parts.append(f"told in many places: {reading.scattered[:60]!r}")
    if reading.types:
        parts.append(f"items of type {', '.join(reading.types)} too")
    if reading.refers_to:
        parts.append(f"points at {reading.refers_to}")
    if aliases:
        parts.append(f"also called {', '.join(aliases)}")
    if around:
        parts.append(around)
    if not expanded:
        parts.append("asked as it stands: policies.retrieval.query_expansion is off")
    return "; ".join([*parts, f"documents: {why_resources}"])
