"""The items of a purge: what is left of them, and what of the change sequence may still name them."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import lru_cache

from google.protobuf import json_format
from google.protobuf.timestamp_pb2 import Timestamp
from smartbrain.v1.brain_service_pb2 import Purged
from smartbrain.v1.item_pb2 import ITEM_STATUS_DELETED, MemoryItem

from brain_core.commit.ledger import turns_referred_to
from brain_core.commit.redact import Slot
from brain_core.commit.unsay import Purging, tombstone, unsaid
from brain_core.kinds.registry import Kinds
from brain_core.store import events, items, keys, log
from brain_core.store.kv import Batch, ReadView
from brain_core.store.v1.records_pb2 import ChangeRecord
from brain_core.text.naming import folded


@dataclass(slots=True)
class Left:
    """What becomes of items. versions: by chunk id ("item:version") what is left of one, None for nothing.

    touched: slots of items that lose something; gone: of those that lose all. holding: versions that hold again.
    earliest: revision of the first version that loses something; it may be of an earlier turn that said the same.
    """

    versions: dict[str, MemoryItem | None] = field(default_factory=dict)
    touched: set[Slot] = field(default_factory=set)
    gone: set[Slot] = field(default_factory=set)
    item_ids: set[str] = field(default_factory=set)
    holding: list[MemoryItem] = field(default_factory=list)
    earliest: int = 2**63 - 1


class PurgedItems:
    """Items without what some turns said. left: what becomes of them, once they are purged.

    gone: ids of the turns. batch: gets the changes. counts: of the purge, which is counted on.
    """

    def __init__(
        self,
        view: ReadView,
        memory_id: str,
        gone: frozenset[str],
        kinds: Kinds,
        batch: Batch,
        counts: Purged,
        change: ChangeRecord,
    ) -> None:
        """change: that of the purge."""
        self.left = Left()
        self._view = view
        self._memory_id = memory_id
        self._gone = gone
        self._kinds = kinds
        self._batch = batch
        self._counts = counts
        self._revision = change.revision
        self._at = Timestamp()
        self._at.FromMicroseconds(change.committed_at_us)
        self._sources: dict[tuple[str, str, int], set[str]] = {}
        self._session_of: dict[str, str] = {}
        self._at_place: dict[tuple[str, int], str] = {}
        self._says = lru_cache(maxsize=None)(self._folded)

    def purge(self) -> None:
        """Take the turns out of all items, and out of the change sequence."""
        changes = self._read_changes()
        candidates = self._candidates(changes)
        purging = Purging(
            self._gone,
            lambda version: frozenset(self._sources_of(version)),
            lambda turn, text: folded(text) in self._says(turn),
            lambda turn: self._session_of.get(turn, ""),
            self._at,
        )
        for slot in candidates:
            self._purge_item(slot, purging)
        self._scrub(changes)

    def _read_changes(self) -> list[ChangeRecord]:
        """Read the change sequence: who wrote which version, and which session a turn is of."""
        changes = list(log.scan_changes(self._view, self._memory_id, 0))
        for change in changes:
            if not change.session_id:
                continue
            source = self._turn_of(change)
            self._session_of[source] = change.session_id
            for each in change.items:
                self._sources.setdefault((each.type, each.key, each.version), set()).add(source)
        return changes

    def _turn_of(self, change: ChangeRecord) -> str:
        """Return the id of the turn that a change added or, of a model's finds, that these are from."""
        place = (change.session_id, change.sequence)
        return self._at_place.setdefault(place, f"t{change.revision}")

    def _sources_of(self, version: MemoryItem) -> set[str]:
        told = self._sources.get((version.type, version.key, version.version), set())
        named = {version.source_turn_id, *(origin.source_turn_id for origin in version.fact_origins)} - {""}
        return told or named

    def _candidates(self, changes: list[ChangeRecord]) -> list[Slot]:
        """Return the items that a purged turn wrote, or is named by."""
        slots = {
            (each.type, each.key): None
            for change in changes
            if change.session_id and self._turn_of(change) in self._gone
            for each in change.items
        }
        for version in items.scan_all_versions(self._view, self._memory_id):
            named = {version.source_turn_id, *(origin.source_turn_id for origin in version.fact_origins)}
            named |= turns_referred_to(version)
            if not named.isdisjoint(self._gone):
                slots[version.type, version.key] = None
        return list(slots)

    def _folded(self, turn_id: str) -> str:
        """Return all words of a turn, folded."""
        turn = events.find_turn(self._view, self._memory_id, turn_id)
        if turn is None:
            return ""
        said = json_format.MessageToDict(turn.events, preserving_proto_field_name=True)
        return folded(json.dumps(said, ensure_ascii=False))

    def _purge_item(self, slot: Slot, purging: Purging) -> None:
        versions = list(items.scan_versions(self._view, self._memory_id, *slot))
        changed = unsaid(versions, self._kinds.get(slot[0]), purging)
        if not changed:
            return
        left = self.left
        left.touched.add(slot)
        left.item_ids.add(versions[0].id)
        self._counts.item_versions += len(changed)
        for version in versions:
            if version.version in changed:
                left.earliest = min(left.earliest, version.revision)
                left.versions[f"{version.id}:{version.version}"] = changed[version.version]
        stands = [each for each in versions if each.status != ITEM_STATUS_DELETED]
        if all(changed.get(each.version, each) is None for each in stands):
            self._remove_item(slot, versions)
        else:
            self._counts.items_changed += 1
            self._put_versions(versions, changed)

    def _remove_item(self, slot: Slot, versions: list[MemoryItem]) -> None:
        self._counts.items += 1
        self.left.gone.add(slot)
        items.delete_item(self._batch, self._view, versions)
        for version in versions:
            self.left.versions.setdefault(f"{version.id}:{version.version}", None)

    def _put_versions(self, versions: list[MemoryItem], changed: dict[int, MemoryItem | None]) -> None:
        """Put what is left of an item: purged versions as tombstones, and a new version where the newest is one."""
        newest = versions[-1]
        as_written = items.versions_as_written(self._view, newest.memory_id, newest.type, newest.key)
        written = {each.version: each for each in as_written}
        begins = {each.version: each.valid_from for each in versions if changed.get(each.version, each) is None}
        fallback = None
        for version in versions:
            left = changed.get(version.version, version)
            now = tombstone(version, self._at) if left is None else MemoryItem.FromString(left.SerializeToString())
            ends = begins.get(version.version + 1)
            if left is not None and ends is not None and now.HasField("valid_to") and now.valid_to == ends:
                now.ClearField("valid_to")
            if left is not None and left.status != ITEM_STATUS_DELETED:
                fallback = now
            if version is newest and left is not None:
                items.put_item(self._batch, now)
            elif now != version:
                items.put_old_version(self._batch, now)
        if changed.get(newest.version, newest) is None and fallback is not None:
            self._hold_again(fallback, written[fallback.version], newest)

    def _hold_again(self, fallback: MemoryItem, written: MemoryItem, newest: MemoryItem) -> None:
        item = MemoryItem.FromString(fallback.SerializeToString())
        item.status = written.status
        if not written.HasField("valid_to"):
            item.ClearField("valid_to")
        item.version = newest.version + 1
        item.revision = self._revision
        item.updated_at.CopyFrom(self._at)
        item.purged_at.CopyFrom(self._at)
        items.put_item(self._batch, item)
        self.left.holding.append(item)

    def _scrub(self, changes: list[ChangeRecord]) -> None:
        """Take from the change sequence the keys of items that are gone, and the session of purged turns."""
        for change in changes:
            kept = [each for each in change.items if (each.type, each.key) not in self.left.gone]
            is_purged = bool(change.session_id) and self._turn_of(change) in self._gone
            if len(kept) == len(change.items) and not is_purged:
                continue
            fresh = ChangeRecord()
            fresh.CopyFrom(change)
            del fresh.items[:]
            fresh.items.extend(kept)
            if is_purged:
                fresh.turn_purged_at_us = self._at.ToMicroseconds()
                fresh.had_turn = self._turn_of(change) == f"t{change.revision}"
                self._batch.delete(keys.session_change(change.session_id, change.revision))
                fresh.session_id, fresh.sequence = "", 0
            self._batch.put(keys.change(fresh.revision), fresh.SerializeToString())
