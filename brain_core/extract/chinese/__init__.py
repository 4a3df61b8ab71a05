"""Chinese: its rules, put together."""

from __future__ import annotations

from brain_core.extract.chinese.clauses import clauses
from brain_core.extract.chinese.corrections import CORRECTIONS
from brain_core.extract.chinese.decisions import DECISIONS, GOALS
from brain_core.extract.chinese.entities import ENTITIES
from brain_core.extract.chinese.events import EVENTS, MOVES
from brain_core.extract.chinese.knowledge import KNOWLEDGE
from brain_core.extract.chinese.preferences import PREFERENCES
from brain_core.extract.chinese.profile import PROFILE
from brain_core.extract.chinese.skips import SKIPS
from brain_core.extract.chinese.tasks import TASKS, TRANSITIONS
from brain_core.extract.language import Language

CHINESE = Language(
    code="zh",
    clauses=clauses,
    words=set,
    rules=(
        *CORRECTIONS, *MOVES, *TRANSITIONS, *ENTITIES, *PROFILE, *DECISIONS, *TASKS, *EVENTS, *GOALS, *PREFERENCES,
        *KNOWLEDGE,
    ),
    skips=SKIPS,
)  # fmt: skip
"""Chinese. Its cues are characters."""
