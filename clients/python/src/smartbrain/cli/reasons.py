"""Why a context is as it is, and what differs when it is composed again, as lines for a terminal."""

from collections.abc import Iterator

from google.protobuf.json_format import MessageToJson

from smartbrain.cli import text
from smartbrain.render import HEADINGS
from smartbrain.v1.brain_service_pb2 import ContextChange, ReplayResponse
from smartbrain.v1.context_pb2 import ContextPackage
from smartbrain.v1.plan_pb2 import PlanQuery

_TEXT_COLUMNS = 100
_SIGNS = {"gone": "-", "new": "+"}


def question(context: ContextPackage) -> Iterator[str]:
    """Give the lines that tell what a context was composed for."""
    yield f"Context {context.context_id} of {context.session_id}, {text.time_text(context.created_at)}"
    yield f"Question: {text.one_line(context.user_message.content, _TEXT_COLUMNS)}"


def reasons(context: ContextPackage) -> Iterator[str]:
    """Give the lines that tell what was planned, why each piece is in or not, and what tokens and time went to."""
    planner, debug = context.debug.planner, context.debug
    yield f"Plan: {planner.intent}. {planner.reason}"
    yield from (f"  {_query(query)}" for query in planner.queries)
    why = {each.id: each.reason for each in debug.why_selected}
    yield "Kept:" if context.evidence else "Kept: none"
    for number, each in enumerate(context.evidence, start=1):
        yield f"  E{number} {each.id}: {why.get(each.id, '')}"
        yield f"     {text.one_line(each.snippet or each.title, _TEXT_COLUMNS)}"
    yield "Dropped:" if debug.dropped else "Dropped: none"
    if debug.dropped:
        rows = [(f"  {each.id}", each.reason, each.detail) for each in debug.dropped]
        yield from text.table(("  ID", "REASON", "WHY"), rows)
    yield from _tokens(context)
    yield from (f"Not done: {ignored}" for ignored in debug.ignored)
    if debug.timings_ms:
        stages = sorted(debug.timings_ms.items(), key=lambda stage: (stage[0] == "total", stage[0]))
        yield "Timings: " + ", ".join(f"{stage} {spent:.2f} ms" for stage, spent in stages)


def _query(query: PlanQuery) -> str:
    narrowed = query.HasField("filters") and MessageToJson(
        query.filters, preserving_proto_field_name=True, ensure_ascii=False, indent=None
    )
    weight = f" × {query.weight:g}" if query.weight else ""
    return f"{query.mode or 'hybrid'}{weight}: {query.text}" + (f", within {narrowed}" if narrowed else "")


def _tokens(context: ContextPackage) -> Iterator[str]:
    budget = context.constraints.token_budget
    yield f"Tokens: {budget.used} of {budget.limit} (counter {budget.counter})"
    slots = [*HEADINGS, *sorted({*budget.slots} - {*HEADINGS})]
    rows = [
        (f"  {slot}", str(budget.slots[slot]), str(budget.slot_limits[slot]) if slot in budget.slot_limits else "-")
        for slot in slots
        if slot in budget.slots
    ]
    yield from text.table(("  SLOT", "USED", "LIMIT"), rows)


def differences(found: ReplayResponse) -> Iterator[str]:
    """Give the lines that tell what differs between a stored context and its replay, slot by slot."""
    yield f"Then revision {found.revision_then}, now {found.revision}; plan: {found.plan_source}"
    yield from (f"Note: {note}" for note in found.notes)
    if found.identical:
        yield "Identical."
    slot = ""
    for change in found.changes:
        if change.kind == "score_changed":
            continue
        if change.slot != slot:
            slot = change.slot
            yield f"{slot}:"
        yield from _change(change)
    scores = [abs(float(each.now) - float(each.then)) for each in found.changes if each.kind == "score_changed"]
    if scores:
        yield f"Scores of {len(scores)} pieces moved, by at most {max(scores):.4f}."


def _change(change: ContextChange) -> Iterator[str]:
    why = f" ({change.reason})" if change.reason else ""
    kind = change.kind.replace("_", " ")
    if change.kind in _SIGNS:
        yield f"  {_SIGNS[change.kind]} {kind} {change.id}{why}"
        shown = change.then or change.now
        if shown not in change.id:
            yield f"      {text.one_line(shown, _TEXT_COLUMNS)}"
    elif change.kind == "text_changed":
        yield f"  ~ {kind} {change.id}{why}"
        yield f"    - {text.one_line(change.then, _TEXT_COLUMNS)}"
        yield f"    + {text.one_line(change.now, _TEXT_COLUMNS)}"
    else:
        values = f": {change.then} → {change.now}" if change.then or change.now else ""
        yield f"  ~ {kind} {change.id}{text.one_line(values, _TEXT_COLUMNS)}{why}"
