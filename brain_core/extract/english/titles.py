"""Which titles name one task, and the ids of new ones."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from brain_core.extract.english.values import topic
from brain_core.extract.known import Known, value_of, words_of
from brain_core.kinds.kind import NO_PROJECT
from brain_core.text.words import terms

_REMEMBERED = 1024  # titles, which are met by sentence after sentence
_LONGEST_ID = 12  # words

_FILLERS = frozenset(
    terms(
        "task ticket issue todo story job new old still also just finally really soon please today tomorrow tonight "
        "again asap now some all more other thing stuff before after until about from with up out need have must get"
    )
)
_MAKES = frozenset(terms("finish do complete get done make start work handle tackle wrap take care"))
"""Verbs that say of any task that it is to be done: besides them two titles may name one task."""
_VERBS = frozenset(
    terms(
        "call ring phone email pay book renew buy pick submit file return schedule cancel order clean prepare update "
        "sign register apply review deploy migrate test hand ship back replace repair finalize upload mail post invite "
        "contact visit arrange organize pack drop collect set upgrade downgrade report publish send print plan add "
        "remove delete create build design draft merge refactor document release close open reschedule confirm settle "
        "ask tell reply respond fix write install measure transfer rotate rename move ping check read describe "
        "investigate debug"
    )
)


def known_task(known: Known, title: str) -> dict[str, Any] | None:
    """Return the known task that a title names: neither says of what it is about what the other does not."""
    return next((task for task in map(value_of, known.active("tasks")) if _is_same(title, str(task["title"]))), None)


def free_id(known: Known, title: str) -> str:
    """Return an id for a new task: of the first words of its title, as many as tell it from the known ones."""
    others = {
        str(task["task_id"]): str(task["title"])
        for task in map(value_of, known.active("tasks"))
        if task.get("project", NO_PROJECT) == NO_PROJECT
    }
    names = (topic(title, most) for most in range(4, _LONGEST_ID + 1))
    first = topic(title)
    return next((name for name in names if name not in others or _is_same(title, others[name])), first)


def _is_same(one: str, other: str) -> bool:
    verb, about = _parts(one)
    other_verb, other_about = _parts(other)
    if about != other_about or not about:
        return one.casefold() == other.casefold()
    return verb == other_verb or not verb or not other_verb or bool({verb, other_verb} & _MAKES)


@lru_cache(maxsize=_REMEMBERED)
def _parts(title: str) -> tuple[str, frozenset[str]]:
    """Return the verb that a title begins with, empty for none, and the terms of what it is about."""
    first = next(iter(terms(title)), "")
    verb = first if first in _VERBS | _MAKES else ""
    return verb, words_of(title) - _FILLERS - {verb}
