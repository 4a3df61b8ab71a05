"""Who is known by name, "Rex", and all that is told of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from brain_core.extract.english.others import A_PERSON
from brain_core.extract.english.several import name_in
from brain_core.extract.english.target import Target, targets
from brain_core.extract.known import value_of
from brain_core.extract.language import Scene
from brain_core.extract.vital import is_vital_item
from brain_core.text.expression import Expression

_A_NAME = Expression(r"(?:[A-Z][\w’'-]*\w)(?: [A-Z][\w’'-]*\w)?")
_A_PERSON = Expression(A_PERSON)
_TOLD_BESIDE = frozenset({"profile", "knowledge", "preferences", "events"})
"""Types of what is told of somebody; what is to be done with them is another matter."""


def is_a_name(text: str) -> bool:
    """Return whether a text may be the name of somebody."""
    return _A_NAME.fullmatch(text) is not None


def of_name(name: str, scene: Scene) -> Iterator[Target]:
    """Yield what is told of a person or pet who is known by a name; nothing where nobody is."""
    if not is_a_name(name):
        return
    known = list(targets(scene))
    facts = {str(told.fact["k"]) for told in known if told.fact is not None and name_in(told.said) == name}
    if not facts and not any(_is_about(told, name) for told in known):
        return
    named = _word(name)
    for told in known:
        k = "" if told.fact is None else str(told.fact["k"])
        beside = any(k.startswith(f"{fact}_") for fact in facts) and name_in(told.said) in {"", name}
        if k in facts or beside or (told.item.type in _TOLD_BESIDE and named.search(told.said)) or _is_he(told, name):
            yield told


def _is_about(told: Target, name: str) -> bool:
    """Return whether something tells of somebody of the name: a person, "my dog Rex", or whose allergy it is."""
    if told.item.type not in _TOLD_BESIDE:
        return _is_he(told, name)
    person = _A_PERSON.search(told.said)
    if person is not None and person["called"] == name:
        return True
    return is_vital_item(told.item, told.fact) and told.said.startswith(f"{name} ")


def _is_he(told: Target, name: str) -> bool:
    value = value_of(told.item) if told.item.type == "entities" else {}
    return value.get("kind") == "person" and name in (str(value["canonical"]), str(value["canonical"]).split()[0])


@lru_cache(maxsize=64)
def _word(name: str) -> Expression:
    return Expression(rf"(?<!\w){re.escape(name)}(?!\w)")
