"""A language model is asked how to look for a message: what it is shown, and what of its answer can be taken.

Its answer is read field by field. What has another form than was asked for is ignored, and so is what rests on words
that it was not shown; each is named.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, tzinfo
from typing import Any

from smartbrain.v1.brain_service_pb2 import ComposeContextRequest

from brain_core.compose.check import PURPOSES
from brain_core.compose.planner.adviser import SECTION, Advice, Adviser
from brain_core.compose.planner.gather import newest, recent_of
from brain_core.compose.planner.grounds import Grounds
from brain_core.compose.planner.tells import Period
from brain_core.compose.said import SaidTurn
from brain_core.env import Watch
from brain_core.errors import AdviserUnavailable, shorten
from brain_core.extract.secrets import shown_by
from brain_core.index.memory_index import MemoryIndex
from brain_core.zones import day_at

FIELDS = ("purpose", "documents", "why", "expansions", "time_from", "time_to", "time_words", "types")
"""Of an answer: one of PURPOSES, a flag, words, list of words, day, day, words, list of types."""

_MOST_EXPANSIONS = 6
_LONGEST_EXPANSION = 80
_LONGEST_WHY = 200
_MOST_TYPES = 16
_MOST_STRANGE = 4
_MARGIN = 4


@dataclass(frozen=True, slots=True)
class Matter:
    """What a model is shown, as it was said. today: where the user is. before: oldest first.

    aliases: of what is named.
    """

    today: date
    message: str
    before: Sequence[str]
    aliases: Sequence[str]


class Consultant:
    """Asks the adviser of the policy. Safe for use from many threads."""

    def __init__(self, adviser: Adviser, types: Sequence[str], input_chars: int, secrets: str) -> None:
        """types: of memory item. input_chars: most that is shown. secrets: as policies.retention.secrets."""
        self._adviser = adviser
        self._types = frozenset(types)
        self._most = input_chars
        self._shown = shown_by(secrets)
        self.status, self.close = adviser.status, adviser.close

    def matter(
        self, request: ComposeContextRequest, index: MemoryIndex, turns: Sequence[SaidTurn], zone: tzinfo
    ) -> Matter:
        """Return what there is to show. turns: the session's newest. zone: where the user is.

        The caller holds the memory's lock.
        """
        now_us = request.now.ToMicroseconds() if request.HasField("now") else index.chunks.newest_us
        message, before = request.user_message, recent_of(turns).texts
        aliases = index.aliases.others("\n".join([message, *reversed(before)])[: self._most], index.chunks)
        return Matter(day_at(now_us, zone), message, before, aliases)

    def advise(self, look: Callable[[], Matter], due: float | None, watch: Watch | None) -> Advice:
        """Return what the model says, or why it says nothing. due, watch: as in Adviser.

        look: gives the matter, and is not called where the model is not asked. No lock may be held.
        """
        began = time.perf_counter()
        try:
            self._adviser.admit(due)
            matter = look()
            message, before, aliases = self._fit(matter)
            said = {"today": str(matter.today), "message": message, "before": before, "also_called": aliases}
            answer = self._adviser.ask(said, watch)
        except AdviserUnavailable as failed:
            [words] = self._shown([str(failed)])
            return Advice(f"llm planner: {words}; planned by rules", waited_ms=_ms(began))
        reading = _Reading(answer, Grounds([message, *before, *aliases]), self._types)
        intent, documents, period = reading.intent(), reading.documents(), reading.period()
        types, expansions = reading.types(), reading.expansions(message)
        told = _told(self._adviser.name, intent, documents, period, types, expansions)
        return Advice(told, True, reading.ignored(), _ms(began), intent, documents, period, types, expansions)

    def _fit(self, matter: Matter) -> tuple[str, list[str], list[str]]:
        """Return (message, before, aliases) without secrets, as much as may be shown.

        Secrets are sought in more than is shown, so that none is cut where it would no longer be known as one.
        """
        wide = _MARGIN * self._most
        before = newest(matter.before, wide)
        message, *shown = self._shown([_ends(matter.message, wide), *before, *matter.aliases])
        message = _ends(message, self._most)
        return message, newest(shown[: len(before)], self._most - len(message)), shown[len(before) :]


class _Reading:
    """One answer, field by field."""

    def __init__(self, answer: Mapping[str, Any], grounds: Grounds, types: frozenset[str]) -> None:
        self._answer = answer
        self._grounds = grounds
        self._types = types
        self._odd: list[str] = []

    def ignored(self) -> list[str]:
        """Return what was not taken so far, named, and the fields that nobody asked for."""
        strange = [name for name in self._answer if name not in FIELDS]
        odd = [f"{shorten(repr(name))}: was not asked for" for name in strange[:_MOST_STRANGE]]
        if len(strange) > _MOST_STRANGE:
            odd.append(f"{len(strange) - _MOST_STRANGE} further fields: were not asked for")
        return [f"{SECTION}: {words}" for words in (*self._odd, *odd)]

    def intent(self) -> str:
        given = self._answer.get("purpose")
        if isinstance(given, str) and given in PURPOSES:
            return given
        self._refuse("purpose", given, f"is none of {', '.join(PURPOSES)}")
        return ""

    def documents(self) -> tuple[bool, str] | None:
        given = self._answer.get("documents")
        why = self._text("why", _LONGEST_WHY)
        if isinstance(given, bool):
            return given, f"the llm planner says: {why}" if why else "the llm planner says so"
        self._refuse("documents", given, "is neither true nor false")
        return None

    def period(self) -> Period | None:
        """Return the time, where words say so that the message or what went before it has."""
        words = self._text("time_words", _LONGEST_WHY)
        given = [self._text(name, _LONGEST_WHY) for name in ("time_from", "time_to")]
        if not any((words, *given)):
            return None
        start, stop = map(_day, given)
        if start is None or stop is None or start >= stop:
            self._refuse("time", " to ".join(given), "is not from a day to a later one, YYYY-MM-DD")
        elif not self._grounds.hold(words):
            self._refuse("time_words", words, "do not stand in what was said")
        else:
            return Period(start, stop, (0, 0))
        return None

    def types(self) -> tuple[str, ...]:
        wanted = dict.fromkeys(self._texts("types", _MOST_TYPES))
        for unknown in (one for one in wanted if one not in self._types):
            self._refuse("types", unknown, "is no type of memory item")
        return tuple(one for one in wanted if one in self._types)

    def expansions(self, message: str) -> tuple[str, ...]:
        """Return what is to be searched for too: its words all stand in what was said."""
        kept: dict[str, str] = {}
        for text in (" ".join(one.split()) for one in self._texts("expansions", _MOST_EXPANSIONS)):
            lacking = self._grounds.lacking(text)
            if len(text) > _LONGEST_EXPANSION:
                self._refuse("expansions", text, f"is longer than {_LONGEST_EXPANSION} characters")
            elif lacking:
                self._refuse("expansions", text, f"stands nowhere in what was said: {', '.join(lacking)}")
            elif text.casefold() != message.strip().casefold():
                kept.setdefault(text.casefold(), text)
        return tuple(kept.values())

    def _text(self, field: str, longest: int) -> str:
        given = self._answer.get(field)
        if isinstance(given, str) and given.isprintable() and len(given) <= longest:
            return given.strip()
        self._refuse(field, given, f"is no line of up to {longest} characters")
        return ""

    def _texts(self, field: str, most: int) -> Iterator[str]:
        given = self._answer.get(field)
        entries = given if isinstance(given, list) else []
        if not isinstance(given, list):
            self._refuse(field, given, "is no list")
        for one in entries[:most]:
            if isinstance(one, str) and one.isprintable():
                yield one
            else:
                self._refuse(field, one, "is no line of text")
        if len(entries) > most:
            self._odd.append(f"{field}: the first {most} of {len(entries)} were read")

    def _refuse(self, field: str, given: object, why: str) -> None:
        """Name what is not taken. Nothing given is no opinion: rules decide."""
        if given is not None:
            self._odd.append(f"{field}: {_shown(given)} {why}")


def _shown(given: object) -> str:
    if isinstance(given, list | dict):
        return "a list" if isinstance(given, list) else "an object"
    return shorten(repr(given))


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _ends(text: str, most: int) -> str:
    """Return both ends of a text that is longer: requests stand there."""
    return text if len(text) <= most else f"{text[: most // 2]}\n…\n{text[-(most // 2) :]}"


def _told(
    name: str,
    intent: str,
    documents: tuple[bool, str] | None,
    period: Period | None,
    types: Sequence[str],
    expansions: Sequence[str],
) -> str:
    says = [f"purpose {intent}"] if intent else []
    says += [f"documents {'on' if documents[0] else 'off'}"] if documents else []
    says += [f"time {period.start} to {period.stop}"] if period else []
    says += [f"types {', '.join(types)}"] if types else []
    says += [f"also asked for {', '.join(map(repr, expansions))}"] if expansions else []
    return f"llm planner {name}: {'; '.join(says) or 'nothing that can be taken; planned by rules'}"


def _ms(began: float) -> float:
    return (time.perf_counter() - began) * 1000
