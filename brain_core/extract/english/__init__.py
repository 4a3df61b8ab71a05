"""English: its rules, put together."""

from __future__ import annotations

from brain_core.extract.english import (
    aims,
    changes,
    choices,
    constraints,
    corrections,
    denials,
    events,
    family,
    instructions,
    knowledge,
    leanings,
    medicines,
    naming,
    occupation,
    person,
    preferences,
    profile,
    progress,
    reopened,
    swaps,
    tasks,
)
from brain_core.extract.english.clauses import clauses, words
from brain_core.extract.english.proposals import PROPOSALS
from brain_core.extract.english.skips import SKIPS
from brain_core.extract.language import Language

_RULES = (
    *medicines.RULES,
    *reopened.RULES,
    *changes.RULES,
    *swaps.RULES,
    *corrections.RULES,
    *denials.RULES,
    *progress.RULES,
    *tasks.RULES,
    *choices.RULES,
    *aims.RULES,
    *family.RULES,
    *occupation.RULES,
    *profile.RULES,
    *person.RULES,
    *naming.RULES,
    *instructions.RULES,
    *preferences.RULES,
    *constraints.RULES,
    *leanings.RULES,
    *events.RULES,
    *knowledge.RULES,
)

ENGLISH = Language(code="en", clauses=clauses, words=words, rules=_RULES, skips=SKIPS, proposals=PROPOSALS)
"""English. Rules of change come first, since others would read as new what they name; of medicines the own ones do."""
