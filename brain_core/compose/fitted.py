"""The best hit where there is no room for all of it: as much as there is room for, of the part that answers."""

from __future__ import annotations

from typing import NamedTuple

from smartbrain.v1.evidence_pb2 import Evidence

from brain_core.compose.snippets import Snippets
from brain_core.index.derive import cost_showing, label_weight, shown_text
from brain_core.text.tokens import TOKEN, TokenCounter

_LEAST = 32 * TOKEN
"""Room under which it is not tried: it would be the label and a few words."""

_LEAST_CHARS = 20
_TRIES = 8
_SPARE = 0.98  # the next try's share of what the last one's cost a character promises


class Fitted(NamedTuple):
    """The characters that a hit is cut to, and what it then costs, its label included, in hundredths of a token."""

    chars: int
    cost: int


def fitted(evidence: Evidence, snippets: Snippets, longest: int, counter: TokenCounter, free: int) -> Fitted | None:
    """Cut a hit so that it fits into what is free; None where that leaves too little of it to be worth the room.

    longest: characters that the plan allows. free: hundredths of a token.
    """
    chars, text, label = longest, shown_text(evidence), label_weight(evidence, counter)
    for _ in range(_TRIES if free >= _LEAST else 0):
        cost = cost_showing(snippets.full(text, chars), label, counter)
        if cost <= free:
            return Fitted(chars, cost)
        chars = int(chars * free / cost * _SPARE)
        if chars < _LEAST_CHARS:
            break
    return None
