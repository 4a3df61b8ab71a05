"""Items by type and key, one item, and an item's history."""

from __future__ import annotations

from collections.abc import Iterator

from smartbrain.v1.item_pb2 import (
    ITEM_STATUS_ACTIVE,
    ITEM_STATUS_DEPRECATED,
    MemoryItem,
)
from smartbrain.v1.memory_service_pb2 import (
    GetItemHistoryRequest,
    GetItemHistoryResponse,
    GetItemRequest,
    GetItemResponse,
    ListItemsRequest,
    ListItemsResponse,
)

from brain_core import paging
from brain_core.errors import NotFound
from brain_core.items.check import check_get, check_history, check_list
from brain_core.items.moment import believed, revision_at
from brain_core.kinds.registry import Kinds
from brain_core.policy import Limits
from brain_core.store import items, keys
from brain_core.store.kv import ReadView
from brain_core.store.log import require_memory

_VERSION_DIGITS = 9
_REVISION_DIGITS = 18
_PLACE_ENDS = "\x00"  # keys have no control characters

_Place = tuple[int, str, str]
"""Revision of a listing, and type and key of the last item given."""


def list_items(view: ReadView, request: ListItemsRequest, limits: Limits, kinds: Kinds) -> ListItemsResponse:
    """Give a page of items by type and key. All pages of a listing are true at the revision of its first."""
    check_list(request, limits, kinds)
    size = paging.page_size(request.page_size, limits)
    place = _place(request.page_token)
    require_memory(view, request.memory_id)
    revision = revision_at(view, request.memory_id, request.as_of)
    if place is not None:
        if place[0] > revision or (request.as_of.HasField("revision") and place[0] != revision):
            raise paging.bad_token(request.page_token)
        revision = place[0]
    page, more = paging.filled(_listed(view, request, revision, place), size)
    token = paging.token_of(_PLACE_ENDS.join((str(revision), page[-1].type, page[-1].key))) if more else ""
    return ListItemsResponse(items=page, next_page_token=token, revision=revision)


def get_item(view: ReadView, request: GetItemRequest, limits: Limits, kinds: Kinds) -> GetItemResponse:
    """Give one version of an item, or the one believed at a moment; raise NotFound."""
    check_get(request, limits, kinds)
    require_memory(view, request.memory_id)
    revision = revision_at(view, request.memory_id, request.as_of)
    newest = items.get_item(view, request.memory_id, request.type, request.key)
    if request.version:
        return GetItemResponse(item=items.get_version(view, newest, request.version), revision=revision)
    item = believed(view, newest, revision)
    if item is None:
        raise NotFound(
            f"key: {request.type} {request.key!r} did not exist at revision {revision}",
            field="key",
            value=request.key,
            limit=f"an item that existed at revision {revision}",
        )
    return GetItemResponse(item=item, revision=revision)


def item_history(
    view: ReadView, request: GetItemHistoryRequest, limits: Limits, kinds: Kinds
) -> GetItemHistoryResponse:
    """Give a page of an item's versions, oldest first, with the statuses they have now; raise NotFound."""
    check_history(request, limits, kinds)
    size = paging.page_size(request.page_size, limits)
    after = paging.number_of(request.page_token, _VERSION_DIGITS)
    require_memory(view, request.memory_id)
    items.get_item(view, request.memory_id, request.type, request.key)
    versions = items.scan_versions(view, request.memory_id, request.type, request.key, after)
    page, more = paging.filled(versions, size)
    token = paging.token_of(str(page[-1].version)) if more else ""
    return GetItemHistoryResponse(
        versions=page, next_page_token=token, revision=view.revision(keys.memory(request.memory_id))
    )


def _place(token: str) -> _Place | None:
    place = paging.place_of(token)
    if not place:
        return None
    revision, *slot = place.split(_PLACE_ENDS)
    if len(slot) != 2 or not paging.is_number(revision, _REVISION_DIGITS):
        raise paging.bad_token(token)
    return int(revision), slot[0], slot[1]


def _listed(view: ReadView, request: ListItemsRequest, revision: int, place: _Place | None) -> Iterator[MemoryItem]:
    wanted = {status or ITEM_STATUS_ACTIVE for status in request.statuses} or {
        ITEM_STATUS_ACTIVE,
        ITEM_STATUS_DEPRECATED,
    }
    for newest in _candidates(view, request, place):
        item = believed(view, newest, revision)
        if item is None or (item.status or ITEM_STATUS_ACTIVE) not in wanted:
            continue
        if request.session_id in {"", item.session_id}:
            yield item


def _candidates(view: ReadView, request: ListItemsRequest, place: _Place | None) -> Iterator[MemoryItem]:
    """Yield the newest versions past a place, of the types and with the prefix asked for."""
    after = place[1:] if place else None
    for item_type in sorted(set(request.types)) or [""]:
        if after and item_type and item_type < after[0]:
            continue
        yield from items.scan_items(view, request.memory_id, item_type, request.key_prefix, after)
