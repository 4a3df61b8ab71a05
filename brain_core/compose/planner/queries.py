"""From a reading to queries: the message, narrowed as it asks and as it stands, and what it leaves unsaid."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, date, tzinfo
from typing import NamedTuple

from google.protobuf.timestamp_pb2 import Timestamp
from smartbrain.v1.item_pb2 import LAYER_EPISODIC, LAYER_WORKING
from smartbrain.v1.plan_pb2 import PlanFilters, PlanQuery

from brain_core.compose.own_days import day_range
from brain_core.compose.planner.read import FEW_DAYS, Reading, Recent
from brain_core.compose.planner.tells import Period
from brain_core.text.words import phrases, terms
from brain_core.zones import midnight_us

_BESIDE = 0.8
"""Weight of a message without the filter that was read in it: what lies outside comes in where it is clearly better."""

_BESIDE_TIME_ALONE = 0.02
"""Weight of the same where a message asks what there was in a time and of nothing else: any other time is no answer."""

_BESIDE_DAYS = 0.4
"""Weight of the same where the time is of a few days: few texts are in it, and all that lies outside competes."""

_BESIDE_AHEAD = 0.25
"""Weight of the same where all that is asked for lies ahead: when and in which words it was said tells little of it."""

_BESIDE_PLANS = 0.1
"""Weight of the same where the message asks what is planned: few texts say so in the words of the question."""

_OF_TYPE = 0.8
"""Weight of the items of a type that a message names: beside what was said, never before it."""

_BESIDE_TASKS = 0.25
"""Weight of a message beside the tasks in the state that it asks for: a done task has the words of an open one."""

_AT_HAND = 0.6
"""Weight of the task that the agent is at: what serves it comes in beside what the message asks."""

_ADVISED = 0.6
"""Weight of words that a language model picks out of what was said."""

_TASKS = "tasks"
_BLOCKED = "Status: blocked"
"""As blocked tasks are written in every language."""

_MOST_QUOTED = 3

LONGEST_QUERY = 10_000
"""Characters of a query where nothing else is configured (limits.query_chars)."""

_CARRIED = 0.7
_CARRIED_ALONE = 0.5
_FEW_TERMS = 3
_FEW_HAN = 14
_LONGEST = 400
_LATIN_WORD = re.compile(r"[A-Za-z]{2,}")


class Known(NamedTuple):
    """What of the session and the memory a plan may rest on. places: prefixes of addresses under the place named.

    aliases: other names of what the message names. task: at hand, as the agent says. advised: words to search for too.
    zone: in which days begin and end. days: those of which something is known that is not found by when it was said.
    """

    session_id: str
    recent: Recent
    places: Sequence[str] = ()
    aliases: Sequence[str] = ()
    task: str = ""
    advised: Sequence[str] = ()
    zone: tzinfo = UTC
    days: Sequence[Period] = ()


def queries(message: str, reading: Reading, known: Known, hints: Sequence[str]) -> list[PlanQuery]:
    """Return the queries, at least one. Those that only repeat the message narrowed need no vector of their own.

    hints: what was said just before, of the queries that ask for the message itself.
    """
    asked = _asked(message, reading, known)
    for query in asked:
        if query.text == message:
            query.hints.extend(hints)
    return asked


def both_ends(message: str, most: int) -> str:
    """Return a message, or of one with more than so many characters its beginning and its end."""
    return message if len(message) <= most else f"{message[: most // 2]}\n{message[1 - (most - most // 2) :]}"


def _asked(message: str, reading: Reading, known: Known) -> list[PlanQuery]:
    narrowed = [_query(message, 1.0, filters) for filters in _filters(reading, known)]
    narrowed += [_query(message, 1.0, PlanFilters(days=day_range(one.start, one.stop))) for one in known.days]
    narrowed += [_query(text, 1.0, filters) for text, filters in _tasks(message, reading)]
    narrowed += _quoted(message)
    asked = [*narrowed, _query(message, _beside(reading) if narrowed else 1.0)]
    if known.task.strip() and known.task != message:
        asked.append(_query(known.task, _AT_HAND))
    types = [name for name in reading.types if not reading.tasks or name != _TASKS]
    if types:
        asked.append(_query(message, _OF_TYPE, _of_types(types, reading, narrowed)))
    asked += [_query(text, weight) for text, weight in _carried(message, reading, known.recent)]
    if known.aliases:
        asked.append(_query(" ".join([message, *known.aliases])[:_LONGEST], _CARRIED))
    asked += [_query(text, _ADVISED) for text in known.advised]
    return asked


def _query(text: str, weight: float, filters: PlanFilters | None = None) -> PlanQuery:
    return PlanQuery(text=text, mode="hybrid", weight=weight, filters=filters)


def _filters(reading: Reading, known: Known) -> list[PlanFilters]:
    narrow = PlanFilters()
    if reading.period is not None:
        getattr(narrow.time_range, "from").CopyFrom(_beginning(reading.period.start, known.zone))
        narrow.time_range.to.CopyFrom(_beginning(reading.period.stop, known.zone))
    if reading.session and not reading.place:
        narrow.session_ids.append(known.session_id)
    if known.places:
        return [_within(narrow, place) for place in known.places]
    return [narrow] if narrow.ListFields() else []


def _within(narrow: PlanFilters, prefix: str) -> PlanFilters:
    filters = PlanFilters(source_uri_prefix=prefix)
    filters.MergeFrom(narrow)
    return filters


def _beside(reading: Reading) -> float:
    period = reading.ahead or reading.period
    if reading.tasks:
        return _BESIDE_TASKS
    if period is None:
        return _BESIDE
    if reading.time_alone:
        return _BESIDE_TIME_ALONE
    if reading.period is None:
        return _BESIDE_PLANS if reading.plans else _BESIDE_AHEAD
    return _BESIDE_DAYS if (period.stop - period.start).days <= FEW_DAYS else _BESIDE


def _quoted(message: str) -> list[PlanQuery]:
    """Return what a message quotes, to be found word for word."""
    quoted = [one for one in phrases(message) if terms(one)] if len(message) <= _LONGEST else []
    words = " ".join(f'"{one}"' for one in quoted[:_MOST_QUOTED])
    return [PlanQuery(text=words, mode="exact", weight=1.0)] if words else []


def _tasks(message: str, reading: Reading) -> list[tuple[str, PlanFilters]]:
    """Return the message among the tasks in the state that it asks for, by the layers that their kind gives them."""
    if not reading.tasks:
        return []
    layer = LAYER_EPISODIC if reading.tasks == "done" else LAYER_WORKING
    text = f"{message} {_BLOCKED}" if reading.tasks == "blocked" else message
    return [(text, PlanFilters(types=[_TASKS], layers=[layer]))]


def _of_types(types: Sequence[str], reading: Reading, narrowed: Sequence[PlanQuery]) -> PlanFilters:
    filters = PlanFilters(types=types)
    if reading.time_alone and narrowed:
        first = narrowed[0].filters
        filters.MergeFrom(PlanFilters(time_range=first.time_range) if reading.period else PlanFilters(days=first.days))
    return filters


def _beginning(day: date, zone: tzinfo) -> Timestamp:
    at = Timestamp()
    at.FromMicroseconds(midnight_us(day, zone))
    return at


def _carried(message: str, reading: Reading, recent: Recent) -> list[tuple[str, float]]:
    """Return (text, weight) of what the message takes over from what went before, in its words."""
    found: list[tuple[str, float]] = []
    if reading.refers_to:
        found.append((f"{message} {_name_of(reading.refers_to)}"[:_LONGEST], _CARRIED))
    if reading.follows and recent.texts and says_little(message):
        before = recent.texts[-1][:_LONGEST]
        found += [(f"{before} {message}", _CARRIED), (before, _CARRIED_ALONE)]
    return [pair for pair in found if pair[0].strip()]


def says_little(message: str) -> bool:
    """Return whether a message has too few words of its own to be found by: "and the second one?"."""
    few = _FEW_TERMS if _LATIN_WORD.search(message) else _FEW_HAN
    return len(message) <= _LONGEST and len(set(terms(message))) <= few


def _name_of(address: str) -> str:
    """Return the words of an address: what stands after the host."""
    path = address.split("://", 1)[-1].rstrip("/")
    return " ".join(re.split(r"[/_.?=&#-]+", path.split("/", 1)[-1])[-6:])
