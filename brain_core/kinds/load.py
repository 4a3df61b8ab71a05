"""The registry of one brain: built-in kinds, those of installed packages, and those of its configuration.

A package adds kinds by an entry point of the group `smartbrain.kinds` that names a `Kind` or a sequence of them:

    [project.entry-points."smartbrain.kinds"]
    recipes = "my_package.kinds:RECIPES"
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import entry_points
from typing import Any

from brain_core.errors import PolicyError
from brain_core.kinds.declared import declared
from brain_core.kinds.kind import Kind
from brain_core.kinds.registry import BUILT_IN, Kinds

GROUP = "smartbrain.kinds"


def make_kinds(rows: Iterable[Mapping[str, Any]]) -> Kinds:
    """Return all kinds of a brain. rows: those that its configuration declares.

    Raises PolicyError if a row or an installed package's kind is unusable, or a type or prefix stands for two kinds.
    """
    try:
        return Kinds([*BUILT_IN, *installed(), *declared(rows)])
    except ValueError as error:
        raise PolicyError(
            f"brain.yml: kinds: {error}", field="kinds", limit="types and prefixes of their own"
        ) from error


def installed() -> list[Kind]:
    """Return the kinds that installed packages bring, by name of their entry points."""
    found: list[Kind] = []
    for point in sorted(entry_points(group=GROUP), key=lambda each: (each.name, each.value)):
        try:
            loaded = point.load()
        except Exception as error:  # whatever a package of someone else's may raise
            raise _unusable(point.value, f"cannot be loaded: {error}") from error
        kinds = [loaded] if isinstance(loaded, Kind) else loaded
        if not isinstance(kinds, Sequence) or not all(isinstance(kind, Kind) for kind in kinds):
            raise _unusable(point.value, "is neither a Kind nor a sequence of them")
        found += kinds
    return found


def _unusable(name: str, why: str) -> PolicyError:
    message = f"entry point {name} of {GROUP} {why}"
    return PolicyError(message, field=GROUP, value=name, limit="a Kind, or a sequence of them")
