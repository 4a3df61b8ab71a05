"""RollbackItem: the value of an earlier version holds again, as a new version, with the guarantees of a commit.

`prepare_rollback` reads and computes; it writes nothing. The caller does with its answer as with a commit's.
"""

from __future__ import annotations

from google.protobuf.timestamp_pb2 import Timestamp
from smartbrain.v1.item_pb2 import (
    ITEM_STATUS_ACTIVE,
    ITEM_STATUS_DELETED,
    ITEM_STATUS_DEPRECATED,
    ITEM_STATUS_SUPERSEDED,
    MemoryItem,
)
from smartbrain.v1.memory_service_pb2 import RollbackItemRequest, RollbackItemResponse

from brain_core.commit.ledger import Ledger, validity_lines
from brain_core.commit.pipeline import Prepared
from brain_core.commit.seen import answer_given, digest_of
from brain_core.commit.writing import item_batch
from brain_core.env import Env
from brain_core.errors import FailedPrecondition
from brain_core.models.embedder import Embedder
from brain_core.policy import Policy
from brain_core.store import items, keys, log
from brain_core.store.kv import ReadView
from brain_core.store.v1.records_pb2 import ChangeRecord, RequestRecord, SpaceRecord


def prepare_rollback(
    view: ReadView, request: RollbackItemRequest, policy: Policy, embedder: Embedder, env: Env
) -> Prepared[RollbackItemResponse]:
    """Work out what a checked request changes at the view's revision.

    Raises NotFound if there is no such item or version, FailedPrecondition if the version holds already or has
    no content, AlreadyExists if its request_id was used for something else.
    """
    digest = digest_of(request)
    given = answer_given(view, request.memory_id, request.request_id, digest)
    if given is not None:
        return Prepared(RollbackItemResponse.FromString(given), None)
    newest = items.get_item(view, request.memory_id, request.type, request.key)
    chosen = items.version_as_written(view, newest, request.version)
    _refuse_what_cannot_hold(newest, chosen)
    now = Timestamp()
    now.FromMicroseconds(env.now_us())
    item = _holding_again(newest, chosen, now, view.revision(keys.memory(request.memory_id)) + 1)
    prepared = _written(view, newest, item, policy, embedder)
    if request.request_id and prepared.batch is not None:
        record = RequestRecord(content_hash=digest, response=prepared.response.SerializeToString())
        log.put_request(prepared.batch, request.request_id, record)
    return prepared


def _refuse_what_cannot_hold(newest: MemoryItem, chosen: MemoryItem) -> None:
    if chosen.status == ITEM_STATUS_DELETED:
        why, limit = "was deleted", "a version with content"
    elif chosen.version == newest.version and newest.status == ITEM_STATUS_ACTIVE:
        why, limit = "is what holds now", "an earlier version, or one that no longer holds"
    else:
        return
    raise FailedPrecondition(
        f"version: version {chosen.version} of {chosen.type} {chosen.key!r} {why}",
        field="version",
        value=chosen.version,
        limit=limit,
        hint="GetItemHistory names the versions",
    )


def _holding_again(newest: MemoryItem, chosen: MemoryItem, now: Timestamp, revision: int) -> MemoryItem:
    """Return the chosen version's content as the next version.

    It keeps the turn it was learned from, and counts as said now: what was said before the rollback and is committed
    after it does not undo it. An end that has passed is taken off.
    """
    item = MemoryItem()
    item.CopyFrom(chosen)
    item.version = newest.version + 1
    item.status = ITEM_STATUS_ACTIVE
    item.revision = revision
    item.updated_at.CopyFrom(now)
    item.said_at.CopyFrom(now)
    body = item.text.removesuffix("".join(f"\n{line}" for line in validity_lines(item)))
    if 0 < item.valid_to.ToMicroseconds() <= now.ToMicroseconds():
        item.ClearField("valid_to")
    if 0 < item.expires_at.ToMicroseconds() <= now.ToMicroseconds():
        item.ClearField("expires_at")
    item.text = "\n".join([body, *validity_lines(item)])
    return item


def _written(
    view: ReadView, newest: MemoryItem, item: MemoryItem, policy: Policy, embedder: Embedder
) -> Prepared[RollbackItemResponse]:
    """Put the next version of an item, with a chunk of its own, and end the one that is the newest until then."""
    slot = (item.type, item.key)
    ledger = Ledger()
    if newest.status in {ITEM_STATUS_ACTIVE, ITEM_STATUS_DEPRECATED}:
        ledger.end(slot, newest, ITEM_STATUS_SUPERSEDED)
    ledger.enter(slot, item)
    space = log.read_space(view, item.memory_id) or SpaceRecord(memory_id=item.memory_id)
    change = ChangeRecord(revision=item.revision, committed_at_us=item.updated_at.ToMicroseconds())
    pinned = policy.policies.composition.pinned_max_priority
    batch, added, changed = item_batch(view, space, ledger, change, embedder, pinned)
    return Prepared(RollbackItemResponse(item=item, revision=item.revision), batch, added, changed)
