"""From what was found to a ContextPackage inside its token limit, with a reason for every piece."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from smartbrain.v1.context_pb2 import ContextConstraints

from brain_core.compose.blocks import add_rules, most_of_blocks, pin
from brain_core.compose.draft import Draft
from brain_core.compose.drops import SELECTION, name_alike, name_rows
from brain_core.compose.filling import candidates_of, fill_rest, fill_told, fill_top, not_shown, seats_for, widen
from brain_core.compose.material import Material
from brain_core.compose.recent import RecentMessages
from brain_core.compose.slots import Room, SlotCounter
from brain_core.compose.summary import SummarySlot
from brain_core.compose.write import RESOURCE, write_evidence
from brain_core.errors import require
from brain_core.kernels.passages import OVER_MOST
from brain_core.policy import Composition
from brain_core.text.tokens import whole_tokens

_LIMITS = 64  # that packages were told of


def check_fits(user_message: str, token_limit: int, counter: SlotCounter) -> int:
    """Return what the user message costs, in hundredths of a token.

    Raises InvalidArgument with both numbers, in tokens, if it alone is over the limit.
    """
    cost = counter.user_message(user_message)
    needed = whole_tokens(cost)
    require(
        needed <= token_limit,
        "token_limit",
        token_limit,
        f"≥ {needed} tokens, which user_message needs",
        "is too small",
    )
    return cost


def assemble(draft: Draft, material: Material, limit: int, policy: Composition) -> Sequence[int]:
    """Fill the slots of a package in the order of priority of policies §4.2, and say why.

    system_blocks, developer_blocks, then top evidence, the working summary, recent turns, long-tail evidence; each only
    as far as tokens are left. Where there is room for more pieces than evidence_items, those past them come last.
    Evidence stands by score in the end. Returns the rows of all chunks that stand in it, alone or merged.
    """
    counter, package, records = material.counter, draft.package, material.chunks.records
    room = Room(limit, counter.headings_on(package.today), material.said_cost)
    package.user_message.role = "user"
    package.user_message.content = material.user_message
    pin(draft, material.pinned, counter, room, policy)
    _name_ended(draft, material)
    if policy.developer_blocks:
        add_rules(draft, counter, room, policy)
    recent = material.chunks.names["uri"].find(turn.uri for turn in material.turns)
    candidates = candidates_of(draft, recent, material, policy)
    seats = seats_for(material, candidates, policy)
    newest = RecentMessages(material.turns, counter, policy)
    newest.hold(room)
    top = fill_top(material, candidates, seats, room, policy)
    passages, away, gave_way, most = top.passages, top.away, top.gave_way, material.most - seats.reserved
    if most > policy.evidence_items:
        passages.allow(most)
        away, gave_way = {}, {}  # what was turned away for one of the first pieces may be one of the others
    shown = _add_summary_and_recent(draft, material, newest, room, policy)
    missing = not_shown(draft, material, candidates, shown)
    away |= fill_rest(passages, candidates.among(candidates.rest(away, missing), seats.asking(0.0)), room)
    away |= fill_told(draft, records, candidates, set(candidates.repeats).difference(missing), passages, room)
    if seats:
        seats.fill_up(material.most - len(passages), room, "long_tail")
    widen(material, recent, passages, room)
    stands = write_evidence(draft, material.found, material.chunks, passages, candidates.why)
    seats.write(draft, material.found.asked)
    named = newest.name_left(draft, records, stands)
    # What was turned away may have joined a piece later.
    standing = set(stands)
    left_out = [row for row in away if row not in standing]
    if named:
        left_out = [row for row, each in zip(left_out, records.ids(left_out), strict=True) if each not in named]
    over = [row for row in left_out if away[row] == OVER_MOST and row not in gave_way]
    if len(over) < len(left_out):
        too_large = [row for row in left_out if away[row] != OVER_MOST or row in gave_way]
        details = {row: gave_way.get(row) or passages.does_not_fit(row) for row in too_large}
        name_rows(draft, details, "budget", "evidence")
    name_alike(draft, over, passages.too_many, "budget", SELECTION)
    silent = {row: why for row, why in candidates.left_out.items() if row not in standing}
    name_rows(draft, silent, "below_threshold", "evidence")
    _constraints(draft, material, room, policy)
    return stands


def _name_ended(draft: Draft, material: Material) -> None:
    """Name the pinned items that no longer hold, unless they were found and are named as such."""
    if material.ended:
        named = {one.id for one in material.found.selection.beyond}
        ended = [one for one in material.ended if one.id == "*" or one.id not in named]
        draft.drop_each(ended)
        for one in ended:
            draft.count_dropped("system_blocks", one.reason, one.count or 1)


def _add_summary_and_recent(
    draft: Draft, material: Material, newest: RecentMessages, room: Room, policy: Composition
) -> set[tuple[str, str]]:
    """Add what the summary has beyond the recent turns, then these, then the rest of it; return as `add` of these."""
    if material.summary is None:
        return newest.add(draft, room)
    slot = SummarySlot(material.summary, material.turns, policy.summary_max_tokens)
    slot.fill(room, material.counter)
    shown = newest.add(draft, room)
    slot.fill_rest(shown, room, material.counter)
    slot.write(draft)
    return shown


def _constraints(draft: Draft, material: Material, room: Room, policy: Composition) -> None:
    constraints = draft.package.constraints
    plan, counter = material.found.asked.plan, material.counter
    caps = plan.budget.diversity
    limits = (most_of_blocks(policy, room.limit), policy.summary_max_tokens, policy.recent_turns_max_tokens)
    shares = (caps.by_document, caps.by_source, policy.diversity.memory_resource_ratio)
    constraints.MergeFromString(_limits(limits, shares, plan.output.max_snippet_chars, policy.recent_turns_max))
    budget, diversity = constraints.token_budget, constraints.diversity
    budget.limit, budget.used, budget.counter = room.limit, room.used, counter.name
    for slot, tokens in room.slots.items():
        budget.slots[slot] = tokens
    of_documents = draft.sources.get(RESOURCE, 0)
    diversity.memory_evidence = sum(draft.sources.values()) - of_documents
    diversity.resource_evidence = of_documents


@lru_cache(maxsize=_LIMITS)
def _limits(slots: tuple[int, int, int], shares: tuple[int, int, str], chars: int, turns: int) -> bytes:
    """Return what a package is told of limits, serialised: of many packages it is the same.

    slots: tokens of system_blocks, working_summary and recent_turns. shares: by document, by address, of memory and
    documents.
    """
    constraints = ContextConstraints()
    for name, tokens in zip(("system_blocks", "working_summary", "recent_turns"), slots, strict=True):
        constraints.token_budget.slot_limits[name] = tokens
    diversity = constraints.diversity
    diversity.by_document, diversity.by_source_uri, diversity.memory_resource_ratio = shares
    constraints.truncation.max_snippet_chars = chars
    constraints.truncation.recent_turns_max = turns
    return constraints.SerializeToString()
