"""The type registry: one row per sort of memory, built in, installed beside us or declared in brain.yml."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from brain_core.errors import require
from brain_core.kinds.kind import Kind, key_part, slug
from brain_core.kinds.lessons import LESSONS
from brain_core.kinds.personal import PERSONAL
from brain_core.kinds.work import WORK
from brain_core.kinds.world import WORLD

__all__ = ["BUILT_IN", "KINDS", "Kind", "Kinds", "key_part", "kind_of", "slug"]

BUILT_IN: tuple[Kind, ...] = (*PERSONAL, *WORK, *WORLD, *LESSONS)
"""The types every brain has."""


class Kinds(Mapping[str, Kind]):
    """Kinds by type; a type and a prefix of keys stand for one kind each. Raises ValueError if they do not."""

    def __init__(self, rows: Iterable[Kind]) -> None:
        self._by_type: dict[str, Kind] = {}
        prefixes: dict[str, str] = {}
        for kind in rows:
            if kind.type in self._by_type:
                raise ValueError(f"type {kind.type!r} stands twice in the registry")
            if kind.prefix in prefixes:
                raise ValueError(f"prefix {kind.prefix!r} of {kind.type!r} is that of {prefixes[kind.prefix]!r}")
            self._by_type[kind.type] = kind
            prefixes[kind.prefix] = kind.type

    def __getitem__(self, item_type: str) -> Kind:
        return self._by_type[item_type]

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_type)

    def __len__(self) -> int:
        return len(self._by_type)

    def of(self, item_type: str, field: str) -> Kind:
        """Return the row of a type; raise InvalidArgument that names the field."""
        require(item_type in self._by_type, field, item_type, " | ".join(self._by_type), "unknown type")
        return self._by_type[item_type]


KINDS = Kinds(BUILT_IN)
"""The built-in kinds alone."""


def kind_of(item_type: str, field: str) -> Kind:
    """Return the row of a built-in type; raise InvalidArgument that names the field."""
    return KINDS.of(item_type, field)
