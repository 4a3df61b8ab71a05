"""Whom an item was learned from: the user's word stays that whoever says it again, a guess replaces nothing surer."""

from __future__ import annotations

from smartbrain.v1.item_pb2 import ITEM_SOURCE_USER, MemoryItem

from brain_core.commit.learn import GUESSES
from brain_core.kinds.draft import Draft


def is_told(item: MemoryItem) -> bool:
    """Return whether an item is the user's word."""
    return item.source == ITEM_SOURCE_USER


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
    if surer:
        item.confidence = draft.confidence
