"""English: its rules, put together."""

from __future__ import annotations

from brain_core.extract.english import (
    aims,
    besides,
    changes,
    choices,
    constraints,
    corrections,
    denials,
    events,
    family,
    forgetting,
    instructions,
    jobs,
    knowledge,
    leanings,
    lists,
    medicines,
    moving,
    naming,
    occupation,
    others,
    partings,
    person,
    preferences,
    profile,
    progress,
    prohibitions,
    reached,
    reactions,
    reopened,
    swaps,
    tasks,
)
from brain_core.extract.english.clauses import clauses, words
from brain_core.extract.english.proposals import PROPOSALS, tells_of_another
from brain_core.extract.english.skips import SKIPS
from brain_core.extract.language import Language

_RULES = (
    *medicines.RULES,
    *others.RULES,
    *reactions.RULES,
    *forgetting.RULES,
    *jobs.RULES,
    *moving.RULES,
    *partings.RULES,
    *reopened.RULES,
    *reached.RULES,
    *changes.RULES,
    *swaps.RULES,
    *corrections.RULES,
    *denials.RULES,
    *progress.RULES,
    *lists.RULES,
    *tasks.RULES,
    *choices.RULES,
    *aims.RULES,
    *family.RULES,
    *besides.RULES,
    *occupation.RULES,
    *profile.RULES,
    *person.RULES,
    *naming.RULES,
    *instructions.RULES,
    *prohibitions.RULES,
    *preferences.RULES,
    *constraints.RULES,
    *leanings.RULES,
    *events.RULES,
    *knowledge.RULES,
)

ENGLISH = Language(
    code="en",
    clauses=clauses,
    words=words,
    rules=_RULES,
    skips=SKIPS,
    proposals=PROPOSALS,
    tells_of_another=tells_of_another,
)
"""English. Rules of change come first, since others would read as new what they name; of medicines the own ones do."""
