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


def released(new: str, names: Callable[[str], object], scene: Scene) -> Iterator[Found]:
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


def upgraded(product: str, new: str, said: str, scene: Scene) -> Iterator[Found]:
    """Yield the one known statement with a lower version of a product with the new one in its place.

    said: the clause; of another environment than the statement it is not.
    """
    at = re.compile(rf"(?<![\w]){re.escape(product)} ?(v?\d{{1,4}}(?:\.\d+){{0,3}})(?![\w.]*\d)", re.IGNORECASE)
    held = [
        (item, fact, found[0])
        for item, fact, text in _statements(scene)
        if len(found := at.findall(text)) == 1 and set(_ELSEWHERE.findall(said)) <= set(_ELSEWHERE.findall(text))
    ]
    if len(held) == 1 and _parts(held[0][2]) < _parts(new):
        item, fact, old = held[0]
        named = re.search(
            rf"{re.escape(product)} ?{re.escape(old)}", str(fact["v"]) if fact else _text(item), re.IGNORECASE
        )
        if named is not None:
            yield from with_value(item, fact, named[0], named[0].replace(old, new), slug)


_ELSEWHERE = Expression(r"(?i:staging|preprod|uat|sandbox|demo|local|test|dev|qa)\b|测试|预发|灰度|本地|开发")
"""Environments and other places of which a version may be another one."""


def _text(item: MemoryItem) -> str:
    return str(value_of(item).get(FIELDS[item.type], ""))


def _statements(scene: Scene) -> Iterator[tuple[MemoryItem, dict[str, Any] | None, str]]:
    for item in scene.known.active("profile"):
        yield from ((item, fact, str(fact["v"])) for fact in value_of(item).get("facts", ()))
    for name in ("knowledge", "decisions"):
        yield from ((item, None, _text(item)) for item in scene.known.active(name))


def _is_lower(old: str, new: str) -> bool:
    """Return whether a version is a lower one, both written in one way: v2 and v3, 1.8.2 and 1.9.0."""
    if old[:1].lower() != new[:1].lower() and "v" in {old[:1].lower(), new[:1].lower()}:
        return False
    return _parts(old) < _parts(new) and old.count(".") == new.count(".")


def _parts(version: str) -> list[int]:
    return [int(each) for each in version.lower().lstrip("v").split(".")]
