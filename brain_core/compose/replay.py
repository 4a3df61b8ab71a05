"""Two packages of one request: are they the same, and if not, what differs, slot by slot."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from google.protobuf import json_format
from google.protobuf.message import Message
from smartbrain.v1.brain_service_pb2 import ContextChange
from smartbrain.v1.context_pb2 import ContextEvidence, ContextPackage
from smartbrain.v1.evidence_pb2 import Dropped, EvidenceRef

_CIRCUMSTANCES = ("deadline: ", "store_contexts: ", "dropped and timings_ms: ", "planner.llm: ")
"""How lines of `ignored` begin that tell of the time, the disk and who was asked how to look, not of the memory."""

_SCORED = ("score", "signals", "why")
_TEXTS = ("system_blocks", "developer_blocks", "working_summary", "recent_turns", "evidence")


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece of a slot. rest: what else it says, by name. refs: records that it was made from."""

    id: str
    text: str
    score: float | None = None
    rest: Mapping[str, bytes] = field(default_factory=dict)
    refs: Sequence[EvidenceRef] = ()


def plain(package: ContextPackage, *, traced: bool) -> ContextPackage:
    """Return a copy without what differs from one compose to the next, the order of dropped included.

    traced: whether dropped is compared.
    """
    copy = ContextPackage()
    copy.CopyFrom(package)
    for name in ("context_id", "created_at"):
        copy.ClearField(name)
    for evidence in copy.evidence:
        evidence.provenance.ClearField("request_id")
        evidence.provenance.ClearField("retrieved_at")
    debug = copy.debug
    for name in ("trace_ids", "timings_ms", "degraded", *(() if traced else ("dropped",))):
        debug.ClearField(name)
    lasting = [line for line in debug.ignored if not line.startswith(_CIRCUMSTANCES)]
    del debug.ignored[:]
    debug.ignored.extend(lasting)
    dropped = _in_order(debug.dropped)
    del debug.dropped[:]
    debug.dropped.extend(dropped)
    return copy


def comparable(then: ContextPackage, now: ContextPackage) -> tuple[ContextPackage, ContextPackage]:
    """Return both as far as they can be the same. Timings are part of every trace."""
    traced = bool(then.debug.timings_ms and now.debug.timings_ms)
    return plain(then, traced=traced), plain(now, traced=traced)


def same(then: ContextPackage, now: ContextPackage) -> bool:
    """Return whether two comparable packages have the same bytes."""
    return then.SerializeToString(deterministic=True) == now.SerializeToString(deterministic=True)


def differences(then: ContextPackage, now: ContextPackage) -> list[ContextChange]:
    """Return what differs between two comparable packages, without reasons; empty if and only if they are the same."""
    if same(then, now):
        return []
    old, new = slots(then), slots(now)
    found = [change for slot in old for change in _slot(slot, old[slot], new[slot])]
    found += _dropped(then.debug.dropped, now.debug.dropped)
    return found or [ContextChange(slot="package", kind="changed", id="version")]


def slots(package: ContextPackage) -> dict[str, list[Piece]]:
    """Return the pieces of a package by slot, and what was planned, spent and ignored in the same form."""
    why = {each.id: each.reason.encode() for each in package.debug.why_selected}
    return {
        "system_blocks": [
            Piece(each.source.memory_item_id, each.text, rest=_rest(each, "text")) for each in package.system_blocks
        ],
        "developer_blocks": [
            Piece(f"{number}: {each.type}", each.text) for number, each in enumerate(package.developer_blocks, start=1)
        ],
        "working_summary": list(_summary(package)),
        "recent_turns": [
            Piece(
                f"{each.turn_id}:{each.message_id}",
                each.content,
                rest=_rest(each, "content"),
                refs=[EvidenceRef(turn_id=each.turn_id, message_id=each.message_id)],
            )
            for each in package.recent_turns
        ],
        "evidence": [_evidence(each, why.get(each.id, b"")) for each in package.evidence],
        "tokens": list(_tokens(package)),
        "plan": list(_plan(package)),
        "constraints": [
            Piece(f.name, _text(v)) for f, v in package.constraints.ListFields() if f.name != "token_budget"
        ],
        "ignored": [Piece(line, line) for line in package.debug.ignored],
    }


def _evidence(evidence: ContextEvidence, why: bytes) -> Piece:
    rest = {**_rest(evidence, "id", "snippet", "score"), "why": why}
    return Piece(evidence.id, evidence.snippet, evidence.score, rest, evidence.merged or [evidence.ref])


def _summary(package: ContextPackage) -> Iterator[Piece]:
    summary = package.working_summary
    if summary.summary_version:
        told = f"version {summary.summary_version} of {summary.source_turn_from}..{summary.source_turn_to}"
        yield Piece("version", told)
    for section in summary.sections:
        yield Piece(section.title, f"{len(section.lines)} lines")
        yield from (Piece(f"{section.title}: {line}", line) for line in section.lines)


def _tokens(package: ContextPackage) -> Iterator[Piece]:
    budget = package.constraints.token_budget
    yield from (Piece(slot, str(budget.slots[slot])) for slot in sorted(budget.slots))
    yield from (Piece(f"limit of {slot}", str(budget.slot_limits[slot])) for slot in sorted(budget.slot_limits))
    yield from (Piece(name, str(getattr(budget, name))) for name in ("used", "limit", "counter"))


def _plan(package: ContextPackage) -> Iterator[Piece]:
    planner = package.debug.planner
    yield from (Piece(name, getattr(planner, name)) for name in ("intent", "reason"))
    yield from (Piece(f"queries[{number}]", _text(query)) for number, query in enumerate(planner.queries))


def _slot(slot: str, old: Sequence[Piece], new: Sequence[Piece]) -> Iterator[ContextChange]:
    """Yield what differs in a slot: what is gone, in the order of then; then the others, in the order of now."""
    before = {piece.id: (place, piece) for place, piece in enumerate(old, start=1)}
    after = {piece.id for piece in new}
    for piece in old:
        if piece.id not in after:
            yield ContextChange(slot=slot, id=piece.id, kind="gone", then=piece.text)
    moved = _moved([piece.id for piece in old if piece.id in after], [piece.id for piece in new if piece.id in before])
    for place, piece in enumerate(new, start=1):
        if piece.id not in before:
            yield ContextChange(slot=slot, id=piece.id, kind="new", now=piece.text)
            continue
        place_then, then = before[piece.id]
        if piece.id in moved:
            yield ContextChange(slot=slot, id=piece.id, kind="moved", then=str(place_then), now=str(place))
        yield from _piece(slot, then, piece)


def _moved(then: Sequence[str], now: Sequence[str]) -> set[str]:
    """Return the ids that do not stand in the same order among the others."""
    blocks = SequenceMatcher(None, then, now, autojunk=False).get_matching_blocks()
    return set(now) - {each for block in blocks for each in then[block.a : block.a + block.size]}


def _piece(slot: str, then: Piece, now: Piece) -> Iterator[ContextChange]:
    if then.text != now.text:
        kind = "text_changed" if slot in _TEXTS else "changed"
        yield ContextChange(slot=slot, id=now.id, kind=kind, then=then.text, now=now.text)
    if then.score != now.score:
        yield ContextChange(slot=slot, id=now.id, kind="score_changed", then=repr(then.score), now=repr(now.score))
    names = [name for name in sorted({*then.rest, *now.rest}) if then.rest.get(name) != now.rest.get(name)]
    if then.score != now.score:
        names = [name for name in names if name not in _SCORED]
    if names:
        yield ContextChange(slot=slot, id=now.id, kind="changed", reason=f"in {', '.join(names)}")


def _dropped(then: Sequence[Dropped], now: Sequence[Dropped]) -> Iterator[ContextChange]:
    """Yield one change for all candidates that were left out: most of them change with every commit."""
    if _in_order(then) == _in_order(now):
        return
    old, new = {each.id: each for each in then}, {each.id: each for each in now}
    reason = (
        f"{len(new.keys() - old)} that were not, {len(old.keys() - new)} no longer, "
        f"{sum(old[each] != new[each] for each in old.keys() & new.keys())} for another reason"
    )
    yield ContextChange(
        slot="dropped", id="dropped", kind="changed", then=str(len(then)), now=str(len(now)), reason=reason
    )


def _in_order(dropped: Iterable[Dropped]) -> list[Dropped]:
    """Return what was left out in an order that says nothing."""
    return sorted(dropped, key=lambda one: (one.id, one.reason, one.detail, one.count))


def _rest(message: Message, *without: str) -> dict[str, bytes]:
    """Return the other fields of a message, by name, in a form that can be compared."""
    fields = (pair for pair in message.ListFields() if pair[0].name not in without)
    return {each.name: _text(value).encode() for each, value in fields}


def _text(value: object) -> str:
    if isinstance(value, Message):
        return json_format.MessageToJson(value, preserving_proto_field_name=True, ensure_ascii=False, indent=None)
    if isinstance(value, str | int | float):
        return str(value)
    assert isinstance(value, Sequence)
    return "; ".join(map(_text, value))
