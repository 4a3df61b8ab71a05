"""Denials: an item that no longer holds, or one fact of a profile. What was denied does not come back as a guess."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from google.protobuf import json_format
from google.protobuf.timestamp_pb2 import Timestamp
from smartbrain.v1.brain_service_pb2 import ConflictDecision, RetentionVerdict
from smartbrain.v1.event_pb2 import Retraction
from smartbrain.v1.item_pb2 import ITEM_STATUS_RETRACTED, ITEM_STATUS_SUPERSEDED, MemoryItem

from brain_core.commit.ahead import without_plan
from brain_core.commit.known import StoreAndLedger
from brain_core.commit.ledger import HOLDS, Ledger, Origin, day, new_item, next_version, put_text
from brain_core.commit.links import report_dependents
from brain_core.commit.material import same
from brain_core.commit.order import fact_said_after, in_words, said_after
from brain_core.commit.parts import further_keys
from brain_core.commit.profile import origins_of, put_origins
from brain_core.kinds.draft import Draft
from brain_core.kinds.merge import without
from brain_core.store.kv import ReadView


def retract(
    ledger: Ledger, known: StoreAndLedger, origin: Origin, retraction: Retraction, reason: str, path: str
) -> None:
    """End the item that the caller says is denied, and what goes on with it; one that is not active is reported.

    reason: as it may be shown.
    """
    for key in (retraction.key, *further_keys(known, retraction.type, retraction.key)):
        slot = (retraction.type, key)
        verdict = RetentionVerdict(path=path, type=slot[0], key=slot[1], rule="must_write", confidence=1.0)
        _end(ledger, known, origin, slot, verdict, reason or "denied by the user")


def deny(ledger: Ledger, known: StoreAndLedger, origin: Origin, draft: Draft, verdict: RetentionVerdict) -> None:
    """End what a draft denies: of a profile the facts it names, else the item under its key if it has that value."""
    slot = (draft.kind.type, draft.key)
    current = known.read(*slot)
    if current is not None and current.status in HOLDS:
        value = json_format.MessageToDict(current.value)
        if not draft.has_facts and said_after(known.view, origin, draft.path, current) < 0:
            _keep(ledger, slot, verdict, in_words(current.said_at, origin), current.version)
            return
        if draft.doubts:
            _doubt(ledger, origin, draft, verdict, current)
            return
        if draft.has_facts:
            _without_facts(ledger, known.view, origin, draft, verdict, current, value)
            return
        others = [name for name in draft.given if name not in draft.kind.parts and isinstance(draft.given[name], str)]
        if any(name in value and not same(value[name], draft.given[name]) for name in others):
            _not_found(ledger, slot, verdict, "another value holds under this key")
            return
        kept = without_plan(current, draft.kind, origin)
        if kept is not None:
            ledger.end(slot, current, ITEM_STATUS_RETRACTED)
            ledger.enter(slot, kept)
            _decide(ledger, slot, "retracted", draft.reason, current.version, kept.version)
            _answer(ledger, verdict, "written", draft.reason)
            return
    _end(ledger, known, origin, slot, verdict, draft.reason)


def _doubt(ledger: Ledger, origin: Origin, draft: Draft, verdict: RetentionVerdict, current: MemoryItem) -> None:
    """Let an item, or the facts of a profile, stay as a version that says since when they are in doubt.

    An item is then no surer than the guess. What is in doubt already stays as it is.
    """
    slot = (draft.kind.type, draft.key)
    item = next_version(current, origin, current.status)
    item.source_turn_id = current.source_turn_id
    value = json_format.MessageToDict(item.value)
    since = origin.said(draft.path)
    if draft.has_facts:
        names = {fact["k"] for fact in draft.given["facts"]}
        value["facts"] = [
            {"doubted": day(since, origin.zone), **fact} if fact["k"] in names else fact for fact in value["facts"]
        ]
        item.value.update(value)
    elif not item.HasField("doubted_at"):
        item.confidence = min(current.confidence, draft.confidence)
        item.doubted_at.CopyFrom(since)
    put_text(item, draft.kind, value)
    if item.text == current.text:
        _keep(ledger, slot, verdict, "in doubt already", current.version)
        return
    ledger.end(slot, current, ITEM_STATUS_SUPERSEDED)
    ledger.enter(slot, item)
    _decide(ledger, slot, "doubted", draft.reason, current.version, item.version)
    _answer(ledger, verdict, "written", draft.reason)


def _end(
    ledger: Ledger,
    known: StoreAndLedger,
    origin: Origin,
    slot: tuple[str, str],
    verdict: RetentionVerdict,
    reason: str,
) -> None:
    current = known.read(*slot)
    if current is None or current.status not in HOLDS:
        _not_found(ledger, slot, verdict, "no active item has this key")
        return
    retracted = next_version(current, origin, ITEM_STATUS_RETRACTED)
    retracted.said_at.CopyFrom(origin.said(verdict.path))
    ledger.end(slot, current, ITEM_STATUS_RETRACTED)
    ledger.written[slot] = retracted
    ledger.denied.setdefault((verdict.path, slot[0]), []).append(current.id)
    _decide(ledger, slot, "retracted", reason, current.version, retracted.version)
    _answer(ledger, verdict, "written", reason)
    report_dependents(ledger, known, current, "retracted")


def _without_facts(
    ledger: Ledger,
    view: ReadView,
    origin: Origin,
    draft: Draft,
    verdict: RetentionVerdict,
    current: MemoryItem,
    value: dict[str, Any],
) -> None:
    slot = (draft.kind.type, draft.key)
    names = {str(fact["k"]): _meant(fact.get("v")) for fact in draft.given["facts"] if "k" in fact}
    later = _told_later(view, origin, draft.path, current, value)
    if names and names.keys() <= later.keys():
        _keep(ledger, slot, verdict, in_words(max(later.values(), key=_us), origin), current.version)
        return
    names = {name: meant for name, meant in names.items() if name not in later}
    left = without(value, names, day(origin.said(draft.path), origin.zone))
    if left["facts"] == value.get("facts", []):
        _not_found(ledger, slot, verdict, "no such fact is known")
        return
    whole = replace(draft, given=left, confidence=current.confidence)
    if left["facts"]:
        item = new_item(whole, origin, left, current)
        put_origins(item, left, current, value, None)
        put_text(item, draft.kind, left)
        ledger.end(slot, current, ITEM_STATUS_SUPERSEDED)
        ledger.enter(slot, item)
    else:
        item = next_version(current, origin, ITEM_STATUS_RETRACTED)
        item.value.Clear()
        item.value.update(left)
        ledger.end(slot, current, ITEM_STATUS_RETRACTED)
        ledger.written[slot] = item
    _decide(ledger, slot, "retracted", f"{draft.reason}: {_names(draft)}", current.version, item.version)
    _answer(ledger, verdict, "written", draft.reason)


def _told_later(
    view: ReadView, origin: Origin, path: str, profile: MemoryItem, value: dict[str, Any]
) -> dict[str, Timestamp]:
    """Return which facts of a profile were said after what stands at a path, by name, and when."""
    return {
        k: fact.said_at
        for k, fact in origins_of(profile, value).items()
        if fact_said_after(view, origin, path, profile, fact) < 0
    }


def _us(at: Timestamp) -> int:
    return at.ToMicroseconds()


def _meant(value: object) -> Callable[[str], bool]:
    """Return what tells whether a known value is the denied one; a denial without a value means any."""
    return (lambda _: True) if value in (None, "") else (lambda known: same(known, str(value)))


def _names(draft: Draft) -> str:
    return ", ".join(str(fact["k"]) for fact in draft.given["facts"] if "k" in fact)


def _not_found(ledger: Ledger, slot: tuple[str, str], verdict: RetentionVerdict, reason: str) -> None:
    _decide(ledger, slot, "not_found", reason, 0, 0)
    if verdict.path.startswith("messages"):
        _answer(ledger, verdict, "event_only", reason)


def _keep(ledger: Ledger, slot: tuple[str, str], verdict: RetentionVerdict, reason: str, version: int) -> None:
    _decide(ledger, slot, "kept", reason, version, version)
    _answer(ledger, verdict, "event_only", reason)


def _answer(ledger: Ledger, verdict: RetentionVerdict, word: str, reason: str) -> None:
    verdict.verdict, verdict.reason = word, reason
    ledger.verdicts.append(verdict)


def _decide(ledger: Ledger, slot: tuple[str, str], decision: str, reason: str, old: int, new: int) -> None:
    ledger.conflicts.append(
        ConflictDecision(
            type=slot[0],
            key=slot[1],
            policy="retraction",
            decision=decision,
            reason=reason,
            old_version=old,
            new_version=new,
        )
    )
