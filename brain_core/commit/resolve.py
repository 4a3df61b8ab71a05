"""What becomes of a draft under a key that may be taken: the conflict policies.

Nothing here writes: a `Ledger` collects what changes, and is read through, so that two drafts of one turn under one key
meet each other.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from google.protobuf import json_format
from smartbrain.v1.brain_service_pb2 import ConflictDecision, RetentionVerdict
from smartbrain.v1.item_pb2 import (
    ITEM_SOURCE_USER,
    ITEM_STATUS_ACTIVE,
    ITEM_STATUS_RETRACTED,
    ITEM_STATUS_SUPERSEDED,
    FactOrigin,
    ItemLink,
    MemoryItem,
)

from brain_core.commit.ahead import begins_later, holds_until_then, keep_until
from brain_core.commit.denied import denial_of
from brain_core.commit.knowledge import settle
from brain_core.commit.known import StoreAndLedger
from brain_core.commit.learn import GUESSES
from brain_core.commit.ledger import HOLDS, Ledger, Origin, day, expiry_us, new_item, put_text
from brain_core.commit.links import report_dependents
from brain_core.commit.material import changed, same
from brain_core.commit.order import fact_said_after, in_words, said_after
from brain_core.commit.profile import fitting_facts, put_origins
from brain_core.commit.retract import deny
from brain_core.commit.similar import other_name, report_similar
from brain_core.commit.sources import confirm, guessed_against, guessed_facts, is_told, note_merged
from brain_core.commit.validity import held_again, only_past, stated_interval_cut
from brain_core.kinds.draft import Draft
from brain_core.kinds.merge import of_before
from brain_core.policy import Retention

_DECISIONS = {"overwrite": "superseded", "versioned": "versioned", "accumulate": "merged"}


@dataclass(frozen=True, slots=True)
class Resolving:
    """What all drafts of a turn are resolved against."""

    ledger: Ledger
    known: StoreAndLedger
    origin: Origin
    policy: Retention


def resolve(at: Resolving, draft: Draft, verdict: RetentionVerdict) -> None:
    """Enter a draft under its key: as new, as a refreshed or a newer version, or not at all; or what it denies.

    verdict: of the gate, which let it through; it is added to the ledger, changed if the draft is not written after
    all.
    """
    if draft.denies:
        deny(at.ledger, at.known, at.origin, draft, verdict)
        return
    draft = other_name(at.ledger, at.known, draft)
    slot = (draft.kind.type, draft.key)
    verdict.key = slot[1]
    at.ledger.verdicts.append(verdict)
    current = at.known.read(*slot)
    if current is not None and current.status in HOLDS:
        _Meeting(at, draft, verdict, current).decide()
        return
    value = draft.kind.complete(draft.given)
    if current is not None:
        if _echoes(current, draft, value):
            _refuse(verdict, "the user has denied this: a guess does not bring it back")
            return
        if current.status == ITEM_STATUS_RETRACTED and said_after(at.known.view, at.origin, draft.path, current) < 0:
            _refuse(verdict, f"said before it was denied, on {day(current.said_at, at.origin.zone)}")
            return
        if slot in at.ledger.written:
            at.ledger.ended.append(current)  # denied in this very turn: the denial stays a version of its own
    item = new_item(draft, at.origin, value, current)
    if current is None:
        _link_to_denied(at.ledger, draft, item)
        report_similar(at.ledger, at.known, draft.kind, item, at.policy.near_duplicate)
    at.ledger.enter(slot, item)


def _echoes(denied: MemoryItem, draft: Draft, value: dict[str, Any]) -> bool:
    """Return whether a guess says again what the user has denied."""
    guess = denied.status == ITEM_STATUS_RETRACTED and draft.source in GUESSES
    old = json_format.MessageToDict(denied.value)
    counting = {name: each for name, each in draft.given.items() if name not in draft.kind.quiet}
    return guess and (same(old, value) or same(old, {**old, **counting}))


def _link_to_denied(ledger: Ledger, draft: Draft, item: MemoryItem) -> None:
    """Link an item to those that were denied where it was said: it is what the user says instead."""
    if draft.path.startswith("messages"):
        for item_id in ledger.denied.get((draft.path, item.type), ()):
            item.links.add(relation="supersedes", item_id=item_id)


def _refuse(verdict: RetentionVerdict, reason: str) -> None:
    verdict.verdict, verdict.reason = "event_only", reason


class _Meeting:
    """A draft that meets the active item of its key."""

    def __init__(self, at: Resolving, draft: Draft, verdict: RetentionVerdict, current: MemoryItem) -> None:
        self._at = at
        self._draft = draft
        self._verdict = verdict
        self._current = current
        self._slot = (draft.kind.type, current.key)
        self._after = said_after(at.known.view, at.origin, draft.path, current)
        self._old: dict[str, Any] = json_format.MessageToDict(current.value)
        self._decision = ConflictDecision(
            type=self._slot[0],
            key=self._slot[1],
            policy=draft.kind.policy,
            old_version=current.version,
            new_version=current.version,
        )

    def decide(self) -> None:
        """Refresh, keep or replace the current version, and say why."""
        self._at.ledger.conflicts.append(self._decision)
        draft = self._draft
        if draft.has_facts:
            today, before = self._day_said(draft), partial(self._fact_before, draft)
            denied = partial(self._before_denial, draft)
            draft, why = fitting_facts(draft, self._current, self._old, today, before, denied)
            if why:
                self._keep(why, policy="validity")
                return
        if draft.kind.policy == "accumulate" and self._after < 0:
            draft = replace(draft, given=of_before(self._old, draft.given, draft.kind.counters))
        now_us = self._at.origin.now.ToMicroseconds()
        until_then = holds_until_then(draft, self._current, now_us)
        if until_then:
            self._keep(until_then, policy="validity")
            return
        new = draft.kind.merge(self._old, draft.given)
        names = self._changes(draft, new) or self._borne_out(draft)
        if self._after >= 0:
            self._report_moved(draft)
        if self._after >= 0 and held_again(draft, self._current, self._said_us(draft), now_us):
            self._hold_again(draft, new, names)
        elif not names:
            self._refresh(draft, new)
        else:
            self._meet(draft, new, names)

    def _report_moved(self, draft: Draft) -> None:
        """Report that what holds counts as said before a draft, though it has a later time."""
        said, held = self._at.origin.said(draft.path), self._current.said_at
        if said.ToMicroseconds() < held.ToMicroseconds():
            self._report(
                f"what held is of {held.ToJsonString()}, later than this, which is of {said.ToJsonString()}: "
                "a clock was wrong, so the order of commits decides"
            )

    def _report(self, reason: str) -> None:
        reported = ConflictDecision()
        reported.CopyFrom(self._decision)
        reported.policy, reported.decision, reported.reason = "validity", "reported", reason
        self._at.ledger.conflicts.append(reported)

    def _meet(self, draft: Draft, new: dict[str, Any], names: list[str]) -> None:
        """Keep or replace the current version, which holds and says something else."""
        policy = draft.kind.policy
        if draft.source in GUESSES and is_told(self._current) and not draft.has_facts:
            self._keep("an inference does not replace what the user said")
        elif older := self._older(draft):
            self._keep(older, policy="validity")
        elif policy == "knowledge":
            self._settle(draft, names)
        elif policy == "accumulate":
            surer = replace(draft, confidence=max(draft.confidence, self._current.confidence))
            self._replace(surer, new, _DECISIONS[policy], names)
        elif guessed_against(draft, self._current) and not draft.has_facts:
            self._keep("a guess does not replace what is surer")
        else:
            self._replace(draft, new, _DECISIONS[policy], names)

    def _hold_again(self, draft: Draft, new: dict[str, Any], names: list[str]) -> None:
        current = self._current
        if not names and draft.source in GUESSES and is_told(current) and current.HasField("valid_to"):
            self._keep("the user said until when it held: a guess does not bring it back", policy="validity")
            return
        ends = [name for name in ("valid_to", "expires_at") if current.HasField(name) and name not in names]
        self._replace(draft, new, _DECISIONS.get(draft.kind.policy, "superseded"), [*names, *ends])

    def _older(self, draft: Draft) -> str:
        """Return in words that a draft tells of a time before what holds; empty if it does not."""
        if only_past(draft, self._current, self._at.origin.now.ToMicroseconds()):
            return "it is over, and does not replace what holds now"
        if draft.kind.policy in {"knowledge", "accumulate"} or draft.has_facts:
            return ""
        if self._dated_before(draft):
            return f"of an earlier day than what holds, which is of {self._old[draft.kind.dated]}"
        return self._said_before()

    def _said_before(self) -> str:
        return in_words(self._current.said_at, self._at.origin) if self._after < 0 else ""

    def _fact_before(self, draft: Draft, fact: FactOrigin) -> str:
        origin = self._at.origin
        after = fact_said_after(self._at.known.view, origin, draft.path, self._current, fact)
        return in_words(fact.said_at, origin) if after < 0 else ""

    def _before_denial(self, draft: Draft, name: str) -> str:
        view, origin = self._at.known.view, self._at.origin
        denial = denial_of(view, self._current, name)
        if denial is None or fact_said_after(view, origin, draft.path, self._current, denial) >= 0:
            return ""
        return f"said before it was denied, on {day(denial.said_at, origin.zone)}"

    def _dated_before(self, draft: Draft) -> bool:
        """Return whether a draft is of an earlier day than the value that holds, where both say of which.

        One of the day that it was said on says no more than that.
        """
        name = draft.kind.dated
        made, held = str(draft.given.get(name, "")), str(self._old.get(name, ""))
        return bool(made and held) and made < held and made != self._day_said(draft)

    def _day_said(self, draft: Draft) -> str:
        return day(self._at.origin.said(draft.path), self._at.origin.zone)

    def _said_us(self, draft: Draft) -> int:
        return self._at.origin.said(draft.path).ToMicroseconds()

    def _changes(self, draft: Draft, new: dict[str, Any]) -> list[str]:
        current = self._current
        names = changed(self._old, new, draft.kind.quiet)
        if draft.valid_to_us is not None and draft.valid_to_us != current.valid_to.ToMicroseconds():
            names.append("valid_to")
        if draft.priority is not None and draft.priority != current.priority:
            names.append("priority")
        if draft.disclosure and draft.disclosure != current.disclosure:
            names.append("disclosure")
        return names

    def _borne_out(self, draft: Draft) -> list[str]:
        """Return what changes where facts of a profile that were guessed are said again by who knows."""
        if not draft.has_facts:
            return []
        item = MemoryItem()
        item.CopyFrom(self._current)
        item.said_at.CopyFrom(self._at.origin.said(draft.path))
        put_origins(item, self._old, self._current, self._old, draft)
        return ["source"] if guessed_facts(item) != guessed_facts(self._current) else []

    def _refresh(self, draft: Draft, new: dict[str, Any]) -> None:
        origin = self._at.origin
        item = MemoryItem()
        item.CopyFrom(self._current)
        item.status = ITEM_STATUS_ACTIVE
        item.updated_at.CopyFrom(origin.now)
        item.said_at.CopyFrom(origin.said(draft.path))
        item.value.update({name: new[name] for name in draft.kind.counters})
        if draft.has_facts:
            put_origins(item, self._old, self._current, self._old, draft)
        else:
            confirm(item, draft)
        if item.HasField("doubted_at") and draft.source == ITEM_SOURCE_USER:
            item.ClearField("doubted_at")
            put_text(item, draft.kind, json_format.MessageToDict(item.value))
        if self._after <= 0:
            item.said_at.CopyFrom(self._current.said_at)
        item.evidence_refs.extend(ref for ref in draft.evidence_refs if ref not in item.evidence_refs)
        _add_links(item, draft)
        expires_us = expiry_us(draft, origin)
        if expires_us is not None:
            item.expires_at.FromMicroseconds(expires_us)
        self._at.ledger.written[self._slot] = item
        if self._slot in self._at.ledger.fresh:
            self._at.ledger.fresh[self._slot] = item
        self._decision.decision, self._decision.reason = "refreshed", "same value again"

    def _keep(self, reason: str, policy: str = "") -> None:
        self._decision.decision, self._decision.reason = "kept", reason
        self._decision.policy = policy or self._decision.policy
        _refuse(self._verdict, reason)

    def _settle(self, draft: Draft, names: list[str]) -> None:
        is_newer, older = self._is_newer(draft), self._said_before()
        settled = settle(draft, self._current, self._old, is_newer, older, self._at.policy.confidence)
        if isinstance(settled, str):
            self._keep(settled)
            return
        decision, given = settled
        self._verdict.confidence = given.confidence
        item = self._replace(given, given.kind.merge(self._old, given.given), decision, names)
        if decision == "merged":
            note_merged(item, draft, self._current)

    def _is_newer(self, draft: Draft) -> bool:
        """Return whether a draft holds from later on: as it or what it meets says from when, else as they were said."""
        current = self._current
        if draft.valid_from_us is None and not current.HasField("valid_from"):
            return self._after > 0
        held_since = current.valid_from if current.HasField("valid_from") else current.said_at
        since_us = self._said_us(draft) if draft.valid_from_us is None else draft.valid_from_us
        return since_us > held_since.ToMicroseconds()

    def _replace(self, draft: Draft, new: dict[str, Any], decision: str, names: list[str]) -> MemoryItem:
        """Make the next version and return it."""
        ledger, current = self._at.ledger, self._current
        cut = stated_interval_cut(draft, current, self._at.origin.zone)
        if cut:
            self._report(cut)
        item = new_item(draft, self._at.origin, draft.kind.complete(new), current)
        _keep_links(item, current)
        if draft.has_facts:
            put_origins(item, new, current, self._old, draft)
            put_text(item, draft.kind, new)
        if self._after < 0 and (draft.has_facts or draft.kind.policy == "accumulate"):
            item.said_at.CopyFrom(current.said_at)  # what is older and joins is no news of the rest
        now_us = self._at.origin.now.ToMicroseconds()
        if begins_later(item, now_us) and draft.kind.policy != "accumulate":
            keep_until(item, current, now_us)
            put_text(item, draft.kind, draft.kind.complete(new))
        ledger.end(self._slot, current, ITEM_STATUS_SUPERSEDED, draft.valid_from_us)
        ledger.enter(self._slot, item)
        self._decision.new_version = item.version
        self._decision.decision = decision
        self._decision.reason = "changed: " + ", ".join(names)
        if decision != "merged":
            report_dependents(ledger, self._at.known, current, "superseded")
        return item


def _add_links(item: MemoryItem, draft: Draft) -> None:
    held = {(link.relation, link.item_id) for link in item.links}
    item.links.extend(ItemLink(relation=r, item_id=i) for r, i in draft.links if (r, i) not in held)


def _keep_links(item: MemoryItem, before: MemoryItem) -> None:
    """Give the next version the relations of the one before; what it rested on as its value was no longer counts."""
    held = {(link.relation, link.item_id) for link in item.links}
    for link in before.links:
        if link.relation in {"about", "see_also", "supersedes"} and (link.relation, link.item_id) not in held:
            item.links.append(link)
