"""`python -m tests.planning.measure [--half NAME] [--show]`: how the planner reads labelled messages.

What is held or kept aside is for measuring alone: its messages are never shown. The fresh and the daily ones were
written and labelled by whoever widened the rules to read them, the daily ones before.
Those of strangers are by two hands that saw nothing of the project; the sorts are by whoever then changed the rules, of
the sorts of message of which some of `strangers_open` were misread, written before.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

from brain_core.compose.planner.read import Reading, Recent, read

MESSAGES = Path(__file__).parent / "messages"
HALVES = (
    "open",
    "held",
    "fresh",
    "more",
    "aside",
    "uninvolved",
    "daily_open",
    "daily_aside",
    "strangers_open",
    "strangers_held",
    "sorts",
)
NEVER_SHOWN = {"held", "aside", "daily_aside", "strangers_held"}
_WEEK = 7
FIELDS = ("intent", "resources", "time", "scope", "types", "refers_to")


def labelled(half: str) -> Iterator[dict[str, Any]]:
    """Yield the messages of a half, in both languages."""
    for language in ("en", "zh"):
        for line in (MESSAGES / f"{language}_{half}.jsonl").read_text("utf-8").splitlines():
            yield json.loads(line)


def reading_of(message: dict[str, Any]) -> Reading:
    """Return what the planner reads in a labelled message."""
    today = datetime.fromisoformat(message["now"]).date()
    recent = Recent([one["content"] for one in message["recent"]], message["refs"])
    return read(message["message"], today, lambda: recent)


def verdicts(message: dict[str, Any], reading: Reading) -> dict[str, tuple[bool, object]]:
    """Return by field (whether it is as labelled, what was read); a field that is not scored is left out."""
    wanted, period = message["intent"], reading.period
    found: dict[str, tuple[bool, object]] = {}
    found["intent"] = reading.intent in (wanted if isinstance(wanted, list) else [wanted]), reading.intent
    if message["resources"] is not None:
        found["resources"] = reading.resources == message["resources"], (reading.resources, reading.why_resources)
    found["time"] = _is_time_read(message, reading), period and (str(period.start), str(period.stop))
    scope: dict[str, str] | None = {"uri_contains": reading.place} if reading.place else None
    if scope is None and reading.session:
        scope = {"session": "this"}
    found["scope"] = scope == message["scope"], scope
    found["types"] = sorted(reading.types) == sorted(message["types"]), reading.types
    found["refers_to"] = (reading.refers_to or None) == message["refers_to"], reading.refers_to
    return found


def _is_time_read(message: dict[str, Any], reading: Reading) -> bool:
    """Return whether the time is read that a message is labelled with.

    Days to come are what the planner reads as such, from today on. A stretch that ends today may begin a day off: "the
    last 30 days" were labelled with today among them by some hands, and beside them by others.
    """
    wanted, today = message["time"], datetime.fromisoformat(message["now"]).date()
    period = reading.period
    if wanted is None:
        return period is None
    start, stop = (date.fromisoformat(wanted[end]) for end in ("from", "to"))
    if period is None:
        return reading.ahead is not None and (reading.ahead.start, reading.ahead.stop) == (max(start, today), stop)
    if period.stop == stop == today + timedelta(days=1) and (stop - start).days > _WEEK:
        return abs((period.start - start).days) <= 1
    return (period.start, period.stop) == (start, stop)


def totals(half: str) -> dict[str, dict[str, float]]:
    """Return by language, and for both, the share of each field that is read as labelled."""
    right: dict[tuple[str, str], list[bool]] = {}
    for message in labelled(half):
        for field, (is_right, _) in verdicts(message, reading_of(message)).items():
            for language in (message["lang"], "both"):
                right.setdefault((language, field), []).append(is_right)
    return {
        language: {field: sum(marks) / len(marks) for field in FIELDS if (marks := right[language, field])}
        for language in ("en", "zh", "both")
    }


def main() -> None:
    """Print the totals; with --show what was read otherwise, of the open half."""
    parser = argparse.ArgumentParser(prog="python -m tests.planning.measure", description=__doc__)
    parser.add_argument("--half", choices=HALVES, default="open")
    parser.add_argument("--show", action="store_true")
    chosen = parser.parse_args()
    if chosen.show and chosen.half in NEVER_SHOWN:
        parser.error("what is held or kept aside is never shown")
    if chosen.show:
        for message in labelled(chosen.half):
            for field, (is_right, was) in verdicts(message, reading_of(message)).items():
                if not is_right:
                    print(f"{message['id']} {field}: {was}, not {message[field]}: {message['message']}")
    for language, shares in totals(chosen.half).items():
        print(language, " ".join(f"{field} {share:.3f}" for field, share in shares.items()))


if __name__ == "__main__":
    main()
