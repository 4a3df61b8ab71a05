"""A version that is out, in English or Chinese: of the one thing whose version is known it is the current one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from smartbrain.v1.item_pb2 import MemoryItem

from brain_core.extract.known import FIELDS, value_of
from brain_core.extract.language import Found, Scene
from brain_core.extract.replaced import with_value
from brain_core.kinds.registry import slug
from brain_core.text.expression import Expression

VERSION = r"(?<![a-z0-9.])(?:v\d{1,4}(?:\.\d+){0,3}|\d{1,4}(?:\.\d+){1,3})(?![a-z0-9%]|\.\d)"
"""A version in a pattern."""
_VERSION = Expression(VERSION, re.IGNORECASE)


def released(new: str, names: Callable[[str], bool], scene: Scene) -> Iterator[Found]:
    """Yield the one known statement with a lower version of what is named with the new one in its place.

    names: whether a statement is of what is out; it is asked of those with one version alone.
    """
    held = [
        (item, fact, found[0])
        for item, fact, said in _statements(scene)
        if len(found := _VERSION.findall(said)) == 1 and _is_lower(found[0], new) and names(said)
    ]
    if len(held) == 1:
        item, fact, old = held[0]
        yield from with_value(item, fact, old, new, slug)


def _statements(scene: Scene) -> Iterator[tuple[MemoryItem, dict[str, Any] | None, str]]:
    for item in scene.known.active("profile"):
        yield from ((item, fact, str(fact["v"])) for fact in value_of(item).get("facts", ()))
    for name in ("knowledge", "decisions"):
        yield from ((item, None, str(value_of(item).get(FIELDS[name], ""))) for item in scene.known.active(name))


def _is_lower(old: str, new: str) -> bool:
    """Return whether a version is a lower one, both written in one way: v2 and v3, 1.8.2 and 1.9.0."""
    if old[:1].lower() != new[:1].lower() and "v" in {old[:1].lower(), new[:1].lower()}:
        return False
    return _parts(old) < _parts(new) and old.count(".") == new.count(".")


def _parts(version: str) -> list[int]:
    return [int(each) for each in version.lower().lstrip("v").split(".")]
