"""The best hit where there is no room for all of it: as much as there is room for, of the part that answers."""

from __future__ import annotations

from typing import NamedTuple

from smartbrain.v1.evidence_pb2 import Evidence

from brain_core.compose.snippets import Snippets
from brain_core.index.derive import cost_showing, label_weight, shown_text
from brain_core.text.tokens import TokenCounter

_LEAST_TOKENS = 32
"""Room under which it is not tried: it would be the label and a few words."""

_LEAST_CHARS = 20
_TRIES = 8
_SPARE = 0.98  # the next try's share of what the last one's tokens a character promise


class Fitted(NamedTuple):
    """The characters that a hit is cut to, and what it then costs in tokens, its label included."""

    chars: int
    tokens: int


def fitted(evidence: Evidence, snippets: Snippets, longest: int, counter: TokenCounter, free: int) -> Fitted | None:
    """Cut a hit so that it fits into free tokens; None where that leaves too little of it to be worth the room.

    longest: characters that the plan allows.
    """
    chars, text, label = longest, shown_text(evidence), label_weight(evidence, counter)
    for _ in range(_TRIES if free >= _LEAST_TOKENS else 0):
        tokens = cost_showing(snippets.full(text, chars), label, counter)
        if tokens <= free:
            return Fitted(chars, tokens)
        chars = int(chars * free / tokens * _SPARE)
        if chars < _LEAST_CHARS:
            break
    return None
