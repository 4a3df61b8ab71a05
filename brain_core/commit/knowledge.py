"""What becomes of knowledge that is told anew: the newer one wins, what a user told beats the rest, else both merge."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from smartbrain.v1.item_pb2 import ITEM_SOURCE_MERGED, ITEM_SOURCE_USER, MemoryItem

from brain_core.commit.learn import GUESSES
from brain_core.commit.sources import guessed_against, is_told
from brain_core.kinds.draft import Draft
from brain_core.policy import Confidence

_SURER = 0.1


def settle(
    draft: Draft, current: MemoryItem, old: dict[str, Any], is_newer: bool, older: str, policy: Confidence
) -> tuple[str, Draft] | str:
    """Return (decision, the draft with the value and confidence it gets), or why the current one stays.

    is_newer: whether it holds from later on. older: in words, that it was said before what holds; empty if it was not.
    Resolution of the entity specification (§3.2), with three restrictions: what is not told by the user never replaces
    what is, nor a guess what is surer, and what was said before is not merged into what holds.
    """
    told, was_told = draft.source == ITEM_SOURCE_USER, is_told(current)
    if was_told and not told:
        return "what the user told beats any other source"
    if is_newer:
        if guessed_against(draft, current):
            return "a guess does not replace what is surer"
        surer = max(draft.confidence, min(current.confidence + _SURER, 1.0))
        cap = policy.inferred if draft.source in GUESSES else 1.0
        return "superseded", replace(draft, confidence=min(surer, cap))
    if told and not was_told:
        return "superseded", draft
    if older:
        return older
    merged = {name: _combined(old.get(name), value) for name, value in draft.given.items()}
    confidence = (current.confidence + draft.confidence) / 2
    return "merged", replace(draft, given=merged, confidence=confidence, source=ITEM_SOURCE_MERGED)


def _combined(old: object, new: object) -> object:
    """Return two texts as one, the older first; of anything else the new one."""
    if not isinstance(old, str) or not isinstance(new, str) or new in old:
        return old if isinstance(old, str) and isinstance(new, str) else new
    return new if old in new else f"{old}; {new}"
