"""Why a passage that someone else found in a message is not learned from: what masks and skip rules say of it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import tzinfo

from smartbrain.v1.event_pb2 import Message

from brain_core.extract.hits import applies, language_of
from brain_core.extract.known import Known
from brain_core.extract.language import Language, Scene
from brain_core.extract.masks import masked, masks
from brain_core.extract.pasted import pasted
from brain_core.extract.sentences import sentences
from brain_core.kinds.draft import Skip
from brain_core.zones import day_at

Span = tuple[int, int]


def doubt(message: Message, path: str, span: Span, known: Known, zone: tzinfo) -> Skip | None:
    """Return why the passage `span` of a user's message is not learned from, None if it may be.

    zone: in which it was said.
    """
    text = message.content
    elsewhere = pasted(text)
    if elsewhere:
        return Skip(path, span, "pasted_message", elsewhere)
    for mask in masks(text):
        if _meet(span, (mask.start, mask.stop)):
            return Skip(path, span, mask.name, mask.reason)
    for spoken, scene in scenes(message, span, known, zone):
        skip = None if scene.clause.asked else next((each for each in spoken.skips if applies(each, scene)), None)
        if skip is not None:
            return Skip(path, span, skip.name, skip.reason)
    return None


def scenes(message: Message, span: Span, known: Known, zone: tzinfo) -> Iterator[tuple[Language, Scene]]:
    """Yield the clauses that a passage of a message stands in, with their languages. zone: in which it was said."""
    text = message.content
    words, said, before = masked(text, masks(text)), day_at(message.created_at.ToMicroseconds(), zone), ""
    for start, stop in sentences(words):
        if not _meet(span, (start, stop)):
            continue
        spoken = language_of(words[start:stop])
        for clause in spoken.clauses(words[start:stop], start):
            scene = Scene(clause, said, known, words, before)
            before = clause.text
            if _meet(span, (clause.start, clause.start + len(clause.text))):
                yield spoken, scene


def _meet(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]
