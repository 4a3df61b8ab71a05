"""What an agent says of itself, agent_state: its task is asked for too, the kind of task shifts the room.

A kind of task takes room from one slot so that another has it: evidence and summary never get more than a request
without one has.
"""

from __future__ import annotations

from math import ceil

from smartbrain.v1.brain_service_pb2 import AgentState
from smartbrain.v1.plan_pb2 import RetrievalPlan

from brain_core.errors import shorten
from brain_core.policy import Policies
from brain_core.policy.section import MOST

_LEAST_SHARE = 0.01
_LONGEST_TOLD = 300  # characters


def for_task(policies: Policies, agent: AgentState) -> Policies:
    """Return the policies with the room that the kind of task leaves to evidence, summary and recent turns."""
    if not agent.task_kind:
        return policies
    whole = policies.composition
    shares = getattr(whole.task_kinds, agent.task_kind)
    room = {
        "evidence_items": ceil(whole.evidence_items * shares.evidence),
        "evidence_item_tokens": ceil(whole.evidence_item_tokens / max(shares.evidence, _LEAST_SHARE)),
        "evidence_max_items": ceil(whole.evidence_max_items * shares.evidence),
        "summary_max_tokens": ceil(whole.summary_max_tokens * shares.summary),
        "recent_turns_max_tokens": ceil(whole.recent_turns_max_tokens * shares.recent_turns),
    }
    held = {name: min(most, MOST) for name, most in room.items()}
    return policies.model_copy(update={"composition": whole.model_copy(update=held)})


def told(agent: AgentState, plan: RetrievalPlan, most: int, policies: Policies) -> list[str]:
    """Return in words what the agent's state changed. policies: as `for_task` gave them. most: pieces of evidence."""
    words = []
    asked = [query.weight for query in plan.queries if query.text == agent.task]
    if agent.task and asked:
        words.append(f"the task at hand is asked for too, at weight {max(asked):.1f}")
    if agent.task_kind:
        room = policies.composition
        words.append(
            f"task_kind {agent.task_kind}: at most {most} pieces of evidence, {room.summary_max_tokens} tokens of "
            f"summary, {room.recent_turns_max_tokens} of recent turns"
        )
    return words


def ignored(agent: AgentState, plan: RetrievalPlan) -> list[str]:
    """Name what of the agent's state changed nothing. plan: as it was carried out."""
    words = []
    if agent.task.strip() and all(query.text != agent.task for query in plan.queries):
        words.append("agent_state.task: no query of the plan as carried out asks for it")
    if agent.attributes:
        names = shorten(", ".join(sorted(agent.attributes)), _LONGEST_TOLD)
        words.append(f"agent_state.attributes ({names}): no rule reads them")
    return words
