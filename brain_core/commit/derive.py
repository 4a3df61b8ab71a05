"""A derived commit: what a model found in a turn that was committed before, through the same gate and policies.

It may come long after the turn. What was said, learned by rule or denied since, or in the turn itself, stands: it is
read as it is now, and what the model found yields to it. `derive` reads and computes; it writes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from google.protobuf import json_format
from smartbrain.v1.brain_service_pb2 import CommitExplain, CommittedItem, CommitTurnResponse, RetentionVerdict
from smartbrain.v1.event_pb2 import Turn
from smartbrain.v1.item_pb2 import ITEM_STATUS_ACTIVE, ITEM_STATUS_RETRACTED, MemoryItem

from brain_core.commit.bearing import claims
from brain_core.commit.gate import Gate
from brain_core.commit.held import MOST, HeldItems, HeldMemories
from brain_core.commit.known import StoreAndLedger
from brain_core.commit.ledger import Ledger, Origin
from brain_core.commit.material import likeness, same
from brain_core.commit.mentions import Importance
from brain_core.commit.order import said_after
from brain_core.commit.parts import parted
from brain_core.commit.pipeline import Prepared
from brain_core.commit.placing import placed
from brain_core.commit.resolve import Resolving, resolve
from brain_core.commit.tellers import Tellers
from brain_core.commit.writing import item_batch
from brain_core.env import Env
from brain_core.kinds.draft import Draft, Skip
from brain_core.kinds.registry import Kinds
from brain_core.models.embedder import Embedder
from brain_core.policy import Policy
from brain_core.store import events, items, keys, log
from brain_core.store.kv import ReadView
from brain_core.store.v1.records_pb2 import ChangeRecord, CommitRecord, SpaceRecord
from brain_core.zones import zone_or


@dataclass(frozen=True, slots=True)
class Deriving:
    """What every derived commit of a brain needs. memories: what earlier commits have read of them."""

    policy: Policy
    embedder: Embedder
    env: Env
    kinds: Kinds
    memories: HeldMemories


def derive(
    view: ReadView, memory_id: str, turn: Turn, found: Iterable[Draft | Skip], deriving: Deriving
) -> Prepared[CommitTurnResponse]:
    """Work out what a model's finds in a turn change at the view's revision, as one revision without a new turn.

    found: from `Quoted`.
    """
    with deriving.memories.use(view, memory_id) as held:
        work = _Work(view, memory_id, turn, deriving, held)
        work.learn(found)
    return work.prepared()


class _Work:
    """One derived commit under way. Its turn is the one read, as of now: sayings keep their times."""

    def __init__(self, view: ReadView, memory_id: str, turn: Turn, deriving: Deriving, held: HeldItems) -> None:
        self._view = view
        self._memory_id = memory_id
        self._deriving = deriving
        self._space = log.read_space(view, memory_id) or SpaceRecord(memory_id=memory_id)
        self._read = turn
        self._turn = Turn()
        self._turn.CopyFrom(turn)
        self._turn.revision = view.revision(keys.memory(memory_id)) + 1
        self._turn.committed_at.FromMicroseconds(deriving.env.now_us())
        zone = zone_or(turn.timezone, deriving.policy.zone)
        self._origin = Origin(memory_id, self._turn, deriving.env.new_id, zone, turn)
        self._ledger = Ledger()
        self._known = StoreAndLedger(view, memory_id, self._ledger, held)
        self._denied_of: dict[str, list[MemoryItem]] = {}

    def learn(self, found: Iterable[Draft | Skip]) -> None:
        """Fill the ledger from what the model found."""
        policies, limits = self._deriving.policy.policies, self._deriving.policy.limits
        importance = Importance(self._read, self._earlier, self._is_known, policies.retention.entity_gate)
        gate = Gate(self._read, importance, policies.retention, limits, self._origin.zone)
        tellers = Tellers(self._view, self._known, self._space, self._turn, policies.retention.owner)
        for each in found:
            if isinstance(each, Skip):
                self._ledger.verdicts.append(_refusal(gate.passed_over(each)))
                continue
            draft, verdict = gate.judge(self._of_its_teller(each, tellers))
            if verdict.verdict not in {"written", "masked"}:
                self._ledger.verdicts.append(verdict)
                continue
            for part, its in parted(self._known, draft, verdict, policies.retention.profile_bytes):
                self._resolve(part, its)

    def _resolve(self, draft: Draft, verdict: RetentionVerdict) -> None:
        why = self._stands_instead(draft)
        if why:
            verdict.verdict, verdict.reason = "event_only", why
            self._ledger.verdicts.append(verdict)
            return
        fitting, origin = self._beside(draft)
        resolve(
            Resolving(self._ledger, self._known, origin, self._deriving.policy.policies.retention), fitting, verdict
        )

    def _of_its_teller(self, draft: Draft, tellers: Tellers) -> Draft:
        """Return a draft as one of whom it is about, under the key of the item that it is about."""
        message = self._origin.message(draft.path)
        if message is None or message.role != "user":
            return placed(draft, tellers.known_to(None), self._turn.session_id)
        return placed(tellers.of(message).told(draft), tellers.known_to(message), self._turn.session_id)

    def _earlier(self, most: int) -> Sequence[Turn]:
        return events.newest_turns_before(self._view, self._memory_id, self._read.session_id, self._read.sequence, most)

    def _is_known(self, draft: Draft) -> bool:
        return self._known.read(draft.kind.type, draft.key) is not None

    def _stands_instead(self, draft: Draft) -> str:
        """Return why what the memory holds by now stands, and the draft does not; empty if both may."""
        current = self._known.read(draft.kind.type, draft.key)
        if current is not None and current.status != ITEM_STATUS_ACTIVE and current.revision >= self._read.revision:
            return "it was denied in the turn or since"
        subject = draft.kind.subject_of(draft.key)
        denied = (item for item in self._denied(draft.kind.type) if draft.kind.subject_of(item.key) == subject)
        if any(self._says_the_same(draft, item) for item in denied):
            return "the same was denied in the turn or since, under another key"
        if draft.has_facts:
            return "" if self._new_facts(draft, current) else "the profile says so already, or has denied it"
        if current is None or current.status != ITEM_STATUS_ACTIVE or draft.kind.policy == "accumulate":
            return ""
        if current.source_turn_id == self._read.turn_id:
            return "read in the turn already"
        return "something said later holds" if self._said_after(draft, current) < 0 else ""

    def _denied(self, item_type: str) -> Sequence[MemoryItem]:
        """Return items of a type that were denied in the turn or since."""
        if item_type not in self._denied_of:
            stored = islice(items.scan_items(self._view, self._memory_id, item_type), 4 * MOST)
            self._denied_of[item_type] = [
                item for item in stored if item.status == ITEM_STATUS_RETRACTED and item.revision >= self._read.revision
            ]
        return self._denied_of[item_type]

    def _says_the_same(self, draft: Draft, denied: MemoryItem) -> bool:
        least = self._deriving.policy.policies.retention.near_duplicate
        said, old = claims(draft.kind, draft.given), claims(draft.kind, _value(denied))
        return any(likeness(one, other) >= least for one in said for other in old)

    def _new_facts(self, draft: Draft, current: MemoryItem | None) -> list[dict[str, Any]]:
        """Return the facts of a draft that a profile said later or at the same time leaves room for."""
        facts: list[dict[str, Any]] = draft.given["facts"]
        if current is None or self._said_after(draft, current) > 0:
            return facts
        value = _value(current)
        held = {fact["k"] for fact in value.get("facts", ())}
        denied = value.get("denied", ())
        return [
            fact
            for fact in facts
            if fact["k"] not in held
            and not any(each["k"] == fact["k"] and same(each["v"], fact["v"]) for each in denied)
        ]

    def _said_after(self, draft: Draft, current: MemoryItem) -> int:
        return said_after(self._view, self._origin, draft.path, current)

    def _beside(self, draft: Draft) -> tuple[Draft, Origin]:
        """Return a draft with those of its facts for which there is room, and where it comes from.

        Facts that join a profile of a later time are entered as of that time, so that they are not taken for older news
        of the whole.
        """
        current = self._known.read(draft.kind.type, draft.key)
        if not draft.has_facts or current is None or self._said_after(draft, current) > 0:
            return draft, self._origin
        turn = Turn()
        turn.CopyFrom(self._turn)
        for message in turn.events.messages:
            message.created_at.CopyFrom(current.said_at)
        facts = self._new_facts(draft, current)
        return replace(draft, given={**draft.given, "facts": facts}), replace(self._origin, turn=turn, read=None)

    def prepared(self) -> Prepared[CommitTurnResponse]:
        """Return the change."""
        response = self._response()
        pinned = self._deriving.policy.policies.composition.pinned_max_priority
        batch, added, changed = item_batch(
            self._view, self._space, self._ledger, self._change(response), self._deriving.embedder, pinned
        )
        if self._ledger.verdicts:
            log.put_commit(batch, response.revision, self._record(response))
        return Prepared(response, batch, added, changed)

    def _response(self) -> CommitTurnResponse:
        return CommitTurnResponse(
            commit_id=f"c{self._turn.revision}",
            turn_id=self._turn.turn_id,
            revision=self._turn.revision,
            items=[
                CommittedItem(
                    type=item.type, key=item.key, status=item.status, version=item.version, confidence=item.confidence
                )
                for item in self._ledger.written.values()
            ],
            explain=CommitExplain(retention=self._ledger.verdicts, conflicts=self._ledger.conflicts),
        )

    def _change(self, response: CommitTurnResponse) -> ChangeRecord:
        return ChangeRecord(
            revision=response.revision,
            commit_id=response.commit_id,
            committed_at_us=self._turn.committed_at.ToMicroseconds(),
            session_id=self._turn.session_id,
            sequence=self._turn.sequence,
        )

    def _record(self, response: CommitTurnResponse) -> CommitRecord:
        return CommitRecord(
            response=response.SerializeToString(),
            session_id=self._turn.session_id,
            sequence=self._turn.sequence,
            committed_at_us=self._turn.committed_at.ToMicroseconds(),
        )


def _refusal(verdict: RetentionVerdict) -> RetentionVerdict:
    verdict.verdict = "refused"
    return verdict


def _value(item: MemoryItem) -> dict[str, Any]:
    value: dict[str, Any] = json_format.MessageToDict(item.value)
    return value
