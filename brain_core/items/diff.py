"""In which fields two versions of an item differ."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from google.protobuf import json_format
from google.protobuf.struct_pb2 import Value
from smartbrain.v1.item_pb2 import MemoryItem
from smartbrain.v1.memory_service_pb2 import DiffItemRequest, DiffItemResponse, FieldChange

from brain_core.items.check import check_diff
from brain_core.kinds.registry import Kinds
from brain_core.policy import Limits
from brain_core.store import items, keys
from brain_core.store.kv import ReadView
from brain_core.store.log import require_memory

NOT_COMPARED = ("memory_id", "type", "key", "version", "revision", "updated_at", "said_at", "text", "timezone")
"""Fields that name the item, that every version has anew, or that are made of the others."""


def diff_item(view: ReadView, request: DiffItemRequest, limits: Limits, kinds: Kinds) -> DiffItemResponse:
    """Compare two versions, each with the status it had while it was the newest; raise NotFound.

    Version 0, which is the one before version 1, has no fields.
    """
    check_diff(request, limits, kinds)
    require_memory(view, request.memory_id)
    newest = items.get_item(view, request.memory_id, request.type, request.key)
    to_version = request.to_version or newest.version
    from_version = request.from_version or to_version - 1
    items.require_version(newest, to_version, "to_version")
    if request.from_version:
        items.require_version(newest, from_version, "from_version")
    fields: dict[int, dict[str, Any]] = {0: {}}
    for version in items.versions_as_written(view, request.memory_id, request.type, request.key):
        if version.version in {from_version, to_version}:
            fields[version.version] = _fields(version)
    return DiffItemResponse(
        changes=_changes(fields[from_version], fields[to_version]),
        from_version=from_version,
        to_version=to_version,
        revision=view.revision(keys.memory(request.memory_id)),
    )


def _fields(version: MemoryItem) -> dict[str, Any]:
    """Return the fields to compare, as in the contract's JSON form."""
    compared = MemoryItem()
    compared.CopyFrom(version)
    for name in NOT_COMPARED:
        compared.ClearField(name)  # type: ignore[arg-type]
    fields: dict[str, Any] = json_format.MessageToDict(compared, preserving_proto_field_name=True)
    return fields


def _changes(old: dict[str, Any], new: dict[str, Any], path: str = "") -> Iterator[FieldChange]:
    """Yield what differs, objects field by field, lists as a whole."""
    for name in sorted({*old, *new}):
        before, after = old.get(name), new.get(name)
        if before == after:
            continue
        if all(each is None or isinstance(each, dict) for each in (before, after)):
            yield from _changes(before or {}, after or {}, f"{path}{name}.")
        else:
            yield FieldChange(field=f"{path}{name}", old_value=_value(before), new_value=_value(after))


def _value(plain: Any) -> Value | None:  # noqa: ANN401  what JSON can say
    return None if plain is None else json_format.ParseDict(plain, Value())
