"""How a language proposes something and accepts it, as `accepted.py` reads it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from brain_core.text.expression import Expression

if TYPE_CHECKING:
    from brain_core.extract.language import Scene


@dataclass(frozen=True, slots=True)
class Assent:
    """How a language proposes and accepts.

    accepts: all of a sentence that accepts; its group `own` says that it names the proposal as the assistant's,
    `key…` and `place` an option by its mark or its place, `named…` what was proposed by words of it. changes: begins
    what follows and changes what was accepted, or puts it off. proposes: a sentence of the assistant that proposes;
    groups `value…`, `thing…` for what need not begin like what lasts, `about` for what it is for. offers: a sentence
    that offers to do something.
    opposes: says in a message that more is possible, or that it is not meant. depends: says in a sentence on what
    it depends, or between what is to be chosen. lasts: begins what is kept for long. passes: what is done at once,
    or once. chooses: says in a message that one of a list is to be chosen. at_hand: says before a list that it is
    of texts, of a quiz or of a game. places: numbers by words. read: makes fields of a decision of a proposal's
    words.
    """

    accepts: Expression
    changes: Expression
    proposes: Expression
    offers: Expression
    opposes: Expression
    depends: Expression
    lasts: Expression
    passes: Expression
    chooses: Expression
    at_hand: Expression
    places: Mapping[str, int]
    read: Callable[[str, str, Scene], dict[str, Any]]
