"""Whom an item was learned from: the user's word stays that whoever says it again, a guess replaces nothing surer."""

from __future__ import annotations

from smartbrain.v1.item_pb2 import ITEM_SOURCE_MERGED, ITEM_SOURCE_USER, ItemSource, MemoryItem

from brain_core.commit.learn import GUESSES
from brain_core.kinds.draft import Draft


def is_told(item: MemoryItem) -> bool:
    """Return whether an item is the user's word, or merged of such."""
    return ITEM_SOURCE_USER in _sources(item)


def guessed_against(draft: Draft, item: MemoryItem) -> bool:
    """Return whether a draft is a guess and an item is surer than that."""
    return draft.source in GUESSES and (is_told(item) or item.confidence > draft.confidence)


def confirm(item: MemoryItem, draft: Draft) -> None:
    """Make an item as sure as a draft that says the same, if that is surer, and the user's word if the user says it.

    It stays the user's word whoever says it again.
    """
    told, was_told = draft.source == ITEM_SOURCE_USER, is_told(item)
    surer = draft.confidence >= item.confidence
    if (told and not was_told) or (surer and told == was_told):
        item.source = draft.source
        item.ClearField("merged_sources")
    if surer:
        item.confidence = draft.confidence


def note_merged(item: MemoryItem, draft: Draft, before: MemoryItem) -> None:
    """Have an item that a draft and the version before were merged into say whom both were learned from."""
    item.merged_sources.extend(sorted({*_sources(before), draft.source}))


def _sources(item: MemoryItem) -> set[ItemSource.ValueType]:
    return set(item.merged_sources) if item.source == ITEM_SOURCE_MERGED else {item.source}
