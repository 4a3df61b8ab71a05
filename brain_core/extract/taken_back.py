"""What is taken back as soon as it is said: "Scratch that." ends what the same speaker has just told.

A value that the statement had replaced does not come back.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from smartbrain.v1.item_pb2 import MemoryItem

from brain_core.extract.known import TOLD, denial, value_of
from brain_core.extract.language import Found, Scene
from brain_core.text.expression import Expression

NOT_KNOWN = "nothing is known of what is asked to be forgotten"
NOBODY_KNOWN = "nobody is known by the name that is asked to be forgotten"
NOTHING_SAID = "nothing was learned from what the speaker said just before"

_ASKS = Expression(
    r"[?？]\s*$|(?i:\b(?:please|can|could|would|will) (?:you|we)\b|^(?:please|help|write|draft|tell|show|give)\b)|"
    r"^(?:请|帮|麻烦|能不能|可以|给我)|帮我|[吗呢]\s*[。.!！]?\s*$"
)
"""Says a request, which is then what the speaker takes back."""


def taken_back(scene: Scene) -> Iterator[Found]:
    """Yield the denial of what was told in the sentence before, else in the message that the speaker said just before.

    Where they asked for something there, somebody else has spoken since, or nothing was learned, that is told instead.
    """
    clause = scene.clause
    start = clause.start - max(clause.sentence.find(clause.text), 0)
    span = (start - clause.start, start - clause.start + len(clause.sentence))
    head = scene.message[:start]
    if head.strip():
        found = list(_told_in(scene, scene.message_id, _start_of_last(head), span))
    else:
        said = scene.just_before()
        asked = said is None or _ASKS.search(said.content.strip()) is not None
        found = [] if said is None or asked else list(_told_in(scene, said.message_id, 0, span))
    yield from found or [Found({}, unmet=NOTHING_SAID, span=span)]


def _start_of_last(text: str) -> int:
    """Return where the last sentence of a text begins."""
    whole = text.rstrip(" \t\n.。!！?？,，;；:：—–-…")
    return max(whole.rfind(mark) for mark in ".。!！?？\n") + 1


def _told_in(scene: Scene, message_id: str, start: int, span: tuple[int, int]) -> Iterator[Found]:
    """Yield the denial of what was learned from a message, from a place in it on."""
    for name in TOLD:
        for item in scene.known.active(name):
            if item.type == "profile":
                facts = _facts_of(item, message_id)
                if facts and item.source_span.start >= start:
                    yield Found({"subject": "user", "facts": facts}, type="profile", denies=True, span=span)
            elif item.source_message_id == message_id and item.source_span.start >= start:
                yield Found(denial(item), type=item.type, denies=True, span=span)


def _facts_of(profile: MemoryItem, message_id: str) -> list[dict[str, Any]]:
    told = {origin.k for origin in profile.fact_origins if origin.source_message_id == message_id}
    if not profile.fact_origins and profile.source_message_id == message_id:
        return list(value_of(profile).get("facts", ()))
    return [fact for fact in value_of(profile).get("facts", ()) if fact["k"] in told]
