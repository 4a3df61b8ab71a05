"""Items that rest on others: what is reported when one of these ends."""

from __future__ import annotations

from smartbrain.v1.brain_service_pb2 import ConflictDecision
from smartbrain.v1.item_pb2 import ITEM_STATUS_ACTIVE, MemoryItem

from brain_core.commit.known import StoreAndLedger
from brain_core.commit.ledger import Ledger
from brain_core.store.items import RESTING


def report_dependents(ledger: Ledger, known: StoreAndLedger, ended: MemoryItem, how: str) -> None:
    """Report the active items that depend on, or are derived from, one whose value no longer holds."""
    for item_type, key in known.dependents(ended.id):
        item = known.read(item_type, key)
        if item is None or item.status != ITEM_STATUS_ACTIVE:
            continue
        relations = [link.relation for link in item.links if link.item_id == ended.id and link.relation in RESTING]
        if relations:
            ledger.conflicts.append(
                ConflictDecision(
                    type=item_type,
                    key=key,
                    policy="dependency",
                    decision="reported",
                    reason=f"{relations[0]} an item that was {how}",
                    old_version=item.version,
                    new_version=item.version,
                    other_type=ended.type,
                    other_key=ended.key,
                )
            )
