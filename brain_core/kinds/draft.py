"""A memory item that may come to be: what extraction and callers hand to the commit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from smartbrain.v1.item_pb2 import ItemSource

from brain_core.kinds.kind import Kind


class Reference(NamedTuple):
    """A passage of another message of the session: ids of its turn and message, code points of it."""

    turn_id: str
    message_id: str
    span: tuple[int, int]


@dataclass(slots=True)  # frozen, one takes 5 µs to make, and it is made anew step by step
class Draft:
    """An item that may come to be, with where it stands in the turn and how sure it is (policies §1.4).

    Nobody changes one.

    path: messages[0], tasks[2], …. given: the fields that were said or given, without defaults. span: first character
    and past the last, code points of the message at path. denies: the item no longer holds; given then names its key,
    or the part of its value that is denied. doubts: it perhaps no longer holds, besides denies. refers_to: whose words
    the message at path takes up: what was proposed, where that is accepted. Times are Unix
    microseconds.
    """

    path: str
    kind: Kind
    given: dict[str, Any]
    confidence: float
    source: ItemSource.ValueType
    reason: str
    rule: str = ""
    message_id: str = ""
    span: tuple[int, int] | None = None
    denies: bool = False
    doubts: bool = False
    valid_from_us: int | None = None
    valid_to_us: int | None = None
    expires_at_us: int | None = None
    priority: int | None = None
    disclosure: str = ""
    evidence_refs: tuple[str, ...] = ()
    links: tuple[tuple[str, str], ...] = ()
    refers_to: Reference | None = None

    @property
    def is_read(self) -> bool:
        """Whether it was read in a part of the turn; else the caller gave it as an item."""
        return self.path.startswith(("messages", "tool_calls", "refs"))

    @property
    def has_facts(self) -> bool:
        """Whether it is of a profile: of facts that are told, doubted and denied each on its own."""
        return bool(self.kind.continued) and "facts" in self.given

    @property
    def key(self) -> str:
        """The key it would have."""
        return self.kind.key(self.kind.complete(self.given))


@dataclass(frozen=True, slots=True)
class Skip:
    """A passage that was considered and is not learned from, and why. owns: nothing else is to be read in it.

    undecided: something known may be meant by it, and nobody is to guess which.
    """

    path: str
    span: tuple[int, int] | None
    rule: str
    reason: str
    owns: bool = False
    undecided: bool = False
