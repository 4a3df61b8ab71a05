"""Are these questions about items that can be answered? Decided before any work starts."""

from __future__ import annotations

from typing import Protocol

from smartbrain.v1.item_pb2 import ITEM_STATUS_SUPERSEDED, ItemStatus
from smartbrain.v1.memory_service_pb2 import (
    DiffItemRequest,
    GetItemHistoryRequest,
    GetItemRequest,
    ListItemsRequest,
    RollbackItemRequest,
)

from brain_core.check import check_as_of, check_count, check_enum, check_id, check_range
from brain_core.errors import require
from brain_core.kinds.kind import KEY_BYTES
from brain_core.kinds.registry import Kinds
from brain_core.policy import Limits

_LISTED = 1000
_LAST_VERSION = 2**31 - 1


class _Named(Protocol):
    """A request that names one item."""

    @property
    def memory_id(self) -> str: ...
    @property
    def type(self) -> str: ...
    @property
    def key(self) -> str: ...


def check_list(request: ListItemsRequest, limits: Limits, kinds: Kinds) -> None:
    """Raise InvalidArgument that names the first bad field, its value and its limit; the page is checked apart."""
    check_id("memory_id", request.memory_id, limits.id_bytes)
    check_count("types", len(request.types), _LISTED)
    for number, item_type in enumerate(request.types):
        kinds.of(item_type, f"types[{number}]")
    check_count("statuses", len(request.statuses), _LISTED)
    for number, status in enumerate(request.statuses):
        check_enum(f"statuses[{number}]", status, ItemStatus.DESCRIPTOR)
    require(
        set(request.statuses) != {ITEM_STATUS_SUPERSEDED},
        "statuses",
        "ITEM_STATUS_SUPERSEDED",
        "another status: items are listed by their newest versions, GetItemHistory lists those before",
        "is never that of a newest version",
    )
    check_id("key_prefix", request.key_prefix, KEY_BYTES, required=False)
    check_id("session_id", request.session_id, limits.id_bytes, required=False)
    check_as_of(request.as_of)


def check_get(request: GetItemRequest, limits: Limits, kinds: Kinds) -> None:
    """Raise InvalidArgument that names the first bad field, its value and its limit."""
    _check_named(request, limits, kinds)
    check_range("version", request.version, 0, _LAST_VERSION)
    check_as_of(request.as_of)
    moment = request.as_of.WhichOneof("moment")
    require(not (request.version and moment), "version", request.version, "version or as_of", "is given beside as_of")


def check_history(request: GetItemHistoryRequest, limits: Limits, kinds: Kinds) -> None:
    """Raise InvalidArgument that names the first bad field, its value and its limit; the page is checked apart."""
    _check_named(request, limits, kinds)


def check_diff(request: DiffItemRequest, limits: Limits, kinds: Kinds) -> None:
    """Raise InvalidArgument that names the first bad field, its value and its limit."""
    _check_named(request, limits, kinds)
    check_range("from_version", request.from_version, 0, _LAST_VERSION)
    check_range("to_version", request.to_version, 0, _LAST_VERSION)


def check_rollback(request: RollbackItemRequest, limits: Limits, kinds: Kinds) -> None:
    """Raise InvalidArgument that names the first bad field, its value and its limit."""
    _check_named(request, limits, kinds)
    check_range("version", request.version, 1, _LAST_VERSION)
    check_id("request_id", request.request_id, limits.id_bytes, required=False)


def _check_named(request: _Named, limits: Limits, kinds: Kinds) -> None:
    check_id("memory_id", request.memory_id, limits.id_bytes)
    kinds.of(request.type, "type")
    check_id("key", request.key, KEY_BYTES)
