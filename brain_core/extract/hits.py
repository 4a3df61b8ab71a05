"""Which rules read a clause, and in which language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from brain_core.extract.chinese import CHINESE
from brain_core.extract.direction import in_its_direction
from brain_core.extract.english import ENGLISH
from brain_core.extract.language import Clause, Found, Language, Rule, Scene, SkipRule
from brain_core.text.expression import Expression
from brain_core.text.language import han_count, has_han, language

_LATIN_WORD = re.compile(r"[A-Za-z][\w.@:/+-]*")
_MESSAGES = 8  # that are read at once, with each pattern that is looked for in all of one


@dataclass(frozen=True, slots=True)
class Hit:
    """A rule that has read something in a clause."""

    rule: Rule
    clause: Clause
    start: int
    stop: int
    found: Found

    @property
    def type(self) -> str:
        """Type of the item it may become."""
        return self.found.type or self.rule.type


def language_of(text: str) -> Language:
    """Return the language that reads a text: Chinese where it has as many Han characters as Latin words.

    Characters are not weighed: 发票邮箱是 lou@example.com is a Chinese sentence.
    """
    if not has_han(text) or language(text) in ("ja", "ko"):
        return ENGLISH
    return CHINESE if han_count(text) >= len(_LATIN_WORD.findall(text)) else ENGLISH


def hits(spoken: Language, scene: Scene, *, vital: bool = False) -> Iterator[Hit]:
    """Yield what the rules of a language read in a clause. vital: only those that are."""
    clause = scene.clause
    for rule in spoken.candidates(clause.text, vital=vital):
        match = rule.pattern.search(clause.text)
        if match is None:
            continue
        owned = False
        for found in in_its_direction([*rule.build(match, scene)], rule.type, scene):
            start, stop = found.span or match.span()
            owned = not rule.shares
            yield Hit(rule, clause, clause.start + start, clause.start + stop, found)
        if owned:
            return


def applies(skip: SkipRule, scene: Scene) -> bool:
    """Return whether a passage is not learned from by a rule."""
    if skip.scope == "message":
        return _stands_in(skip.pattern, scene.message)
    return skip.pattern.search(scene.clause.text if skip.scope == "clause" else scene.clause.sentence) is not None


@lru_cache(maxsize=_MESSAGES)
def _stands_in(pattern: Expression, message: str) -> bool:
    """Return whether a pattern is found in a message, which is asked for each of its clauses."""
    return pattern.search(message) is not None
