"""English: its rules, put together."""

from __future__ import annotations

from brain_core.extract.english import (
    changes,
    choices,
    events,
    family,
    knowledge,
    occupation,
    preferences,
    profile,
    tasks,
)
from brain_core.extract.english.clauses import clauses, words
from brain_core.extract.english.skips import SKIPS
from brain_core.extract.language import Language

_RULES = (
    *changes.RULES,
    *tasks.RULES,
    *choices.RULES,
    *family.RULES,
    *occupation.RULES,
    *profile.RULES,
    *knowledge.NAMES,
    *preferences.RULES,
    *events.RULES,
    *knowledge.RULES,
)

ENGLISH = Language(code="en", clauses=clauses, words=words, rules=_RULES, skips=SKIPS)
"""English. Rules of change come first, since others would read as new what they name."""
