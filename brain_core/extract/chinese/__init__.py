"""Chinese: its rules, put together."""

from __future__ import annotations

from brain_core.extract.chinese.accepted import ASSENT
from brain_core.extract.chinese.allergies import ALLERGIES, ALLERGIES_CORRECTED
from brain_core.extract.chinese.around import AROUND
from brain_core.extract.chinese.aspects import is_about
from brain_core.extract.chinese.at_work import AT_WORK
from brain_core.extract.chinese.belongings import BELONGINGS
from brain_core.extract.chinese.brief import BRIEF
from brain_core.extract.chinese.changes import CHANGES, SWAPS
from brain_core.extract.chinese.clauses import clauses
from brain_core.extract.chinese.conditions import CONDITIONS
from brain_core.extract.chinese.conventions import CONVENTIONS
from brain_core.extract.chinese.corrections import CORRECTIONS
from brain_core.extract.chinese.decisions import DECISIONS
from brain_core.extract.chinese.details import told_whole
from brain_core.extract.chinese.endings import ENDINGS
from brain_core.extract.chinese.entities import ENTITIES
from brain_core.extract.chinese.events import EVENTS, MOVES
from brain_core.extract.chinese.figures import FIGURES
from brain_core.extract.chinese.forgetting import FORGETTING
from brain_core.extract.chinese.goals import GOALS
from brain_core.extract.chinese.habits import HABITS, KIN
from brain_core.extract.chinese.knowledge import KNOWLEDGE
from brain_core.extract.chinese.left_work import LEFT_WORK
from brain_core.extract.chinese.meant import MEANT
from brain_core.extract.chinese.medicines import MEDICINES
from brain_core.extract.chinese.moves import TRANSITIONS, status_in
from brain_core.extract.chinese.orders import ORDERS
from brain_core.extract.chinese.others import OTHERS
from brain_core.extract.chinese.plainly import PLAINLY
from brain_core.extract.chinese.possessed import POSSESSED
from brain_core.extract.chinese.preferences import PREFERENCES
from brain_core.extract.chinese.profile import PROFILE
from brain_core.extract.chinese.proposals import PROPOSALS
from brain_core.extract.chinese.put_off import PUT_OFF
from brain_core.extract.chinese.put_right import RIGHTING
from brain_core.extract.chinese.relocated import RELOCATED
from brain_core.extract.chinese.remember import REMEMBER
from brain_core.extract.chinese.settled import SETTLED
from brain_core.extract.chinese.skips import SKIPS
from brain_core.extract.chinese.standing import stands_alone, tells_of_another
from brain_core.extract.chinese.taken_over import TAKEN_OVER
from brain_core.extract.chinese.tasks import TASKS
from brain_core.extract.chinese.titled import TITLED
from brain_core.extract.chinese.unborne import UNBORNE
from brain_core.extract.chinese.weekly import WEEKLY
from brain_core.extract.language import Language, Rule
from brain_core.text.script import fold

_OF_THE_USER = (*MEDICINES, *POSSESSED, *PROFILE, *TASKS, *EVENTS, *FIGURES, *BELONGINGS)
_RULES: tuple[Rule, ...] = (
    *FORGETTING, *ORDERS, *ALLERGIES_CORRECTED, *ENDINGS, MEANT, TITLED, *PUT_OFF, *AT_WORK, *BRIEF, *SWAPS,
    *TAKEN_OVER, *RELOCATED, *LEFT_WORK, *CORRECTIONS, *SETTLED, *MOVES, *TRANSITIONS, *CHANGES, *CONDITIONS,
    *CONVENTIONS, *UNBORNE, *MEDICINES, *OTHERS, *PLAINLY, *POSSESSED, *ENTITIES, *WEEKLY, *AROUND, *PROFILE,
    *DECISIONS, *TASKS, *EVENTS, *FIGURES, *BELONGINGS, *GOALS, *KIN, *ALLERGIES, *PREFERENCES, *HABITS, *REMEMBER,
    *KNOWLEDGE,
)  # fmt: skip

CHINESE = Language(
    code="zh",
    clauses=clauses,
    words=set,
    rules=tuple(told_whole(rule, _RULES) if rule in _OF_THE_USER else rule for rule in _RULES),
    skips=SKIPS,
    proposals=PROPOSALS,
    stands_alone=stands_alone,
    tells_of_another=tells_of_another,
    assent=ASSENT,
    status_in=lambda text: status_in(fold(text)),
    is_about=is_about,
    righting=RIGHTING,
)
"""Chinese. Its cues are characters."""
