"""Whom an item was learned from: the user's word stays that whoever says it again, a guess replaces nothing surer."""

from __future__ import annotations

from smartbrain.v1.item_pb2 import ITEM_SOURCE_MERGED, ITEM_SOURCE_USER, FactOrigin, ItemSource, MemoryItem

from brain_core.commit.learn import GUESSES
from brain_core.kinds.draft import Draft


def is_told(item: MemoryItem) -> bool:
    """Return whether an item is the user's word, or merged of such."""
    return ITEM_SOURCE_USER in _sources(item)


def guessed_against(draft: Draft, item: MemoryItem) -> bool:
    """Return whether a draft is a guess and an item is surer than that."""
    return draft.source in GUESSES and (is_told(item) or item.confidence > draft.confidence)


def fact_guessed_against(draft: Draft, origin: FactOrigin) -> bool:
    """Return the same of a fact of a profile."""
    return draft.source in GUESSES and (origin.source == ITEM_SOURCE_USER or origin.confidence > draft.confidence)


def guessed_facts(item: MemoryItem) -> set[str]:
    """Return the names of facts that are only guessed, of a profile that is not."""
    if item.source in GUESSES:
        return set()
    return {origin.k for origin in item.fact_origins if origin.source in GUESSES}


def confirm(item: MemoryItem, draft: Draft) -> None:
    """Make an item as sure as a draft that says the same, if that is surer, and the user's word if the user says it.

    It stays the user's word whoever says it again.
    """
    takes_over = _takes_over(draft, item.confidence, was_told=is_told(item))
    if takes_over:
        item.source = draft.source
        item.ClearField("merged_sources")
    item.confidence = max(item.confidence, draft.confidence)


def confirm_fact(origin: FactOrigin, draft: Draft) -> None:
    """Do the same to a fact of a profile."""
    if _takes_over(draft, origin.confidence, was_told=origin.source == ITEM_SOURCE_USER):
        origin.source = draft.source
    origin.confidence = max(origin.confidence, draft.confidence)


def _takes_over(draft: Draft, confidence: float, *, was_told: bool) -> bool:
    told = draft.source == ITEM_SOURCE_USER
    return (told and not was_told) or (told == was_told and draft.confidence >= confidence)


def note_merged(item: MemoryItem, draft: Draft, before: MemoryItem) -> None:
    """Have an item that a draft and the version before were merged into say whom both were learned from."""
    item.merged_sources.extend(sorted({*_sources(before), draft.source}))


def _sources(item: MemoryItem) -> set[ItemSource.ValueType]:
    return set(item.merged_sources) if item.source == ITEM_SOURCE_MERGED else {item.source}
