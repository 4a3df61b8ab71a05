"""Memory items: the newest version by key, and every version."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from smartbrain.v1.item_pb2 import ITEM_STATUS_ACTIVE, ITEM_STATUS_DELETED, ITEM_STATUS_SUPERSEDED, MemoryItem

from brain_core.errors import NotFound, StoreFailed, shorten
from brain_core.store import keys
from brain_core.store.kv import Batch, ReadView

RESTING = ("depends_on", "derived_from")
"""Relations of an item to one that it does not hold without."""


def read_item(view: ReadView, memory_id: str, item_type: str, key: str) -> MemoryItem | None:
    """Return the newest version of an item, whatever its status, or None."""
    found = view.get(keys.memory(memory_id), keys.item(item_type, key))
    return None if found is None else MemoryItem.FromString(found)


def read_version(view: ReadView, memory_id: str, item_type: str, key: str, version: int) -> MemoryItem | None:
    """Return one version of an item as it was written, or None."""
    found = view.get(keys.memory(memory_id), keys.version(item_type, key, version))
    return None if found is None else MemoryItem.FromString(found)


def get_item(view: ReadView, memory_id: str, item_type: str, key: str) -> MemoryItem:
    """Return the newest version of an item, whatever its status; raise NotFound."""
    item = read_item(view, memory_id, item_type, key)
    if item is None:
        raise NotFound(
            f"key: memory {memory_id!r} has no item {item_type} {shorten(key)!r}",
            field="key",
            value=key,
            limit=f"the key of an item of type {item_type}",
            hint="ListItems names those there are",
        )
    return item


def require_version(newest: MemoryItem, version: int, field: str = "version") -> None:
    """Raise NotFound that names the field if an item has no such version. newest: its newest version."""
    if version > newest.version:
        raise NotFound(
            f"{field}: {newest.type} {shorten(newest.key)!r} has no version {version}",
            field=field,
            value=version,
            limit=f"1..{newest.version}",
        )


def version_as_written(view: ReadView, newest: MemoryItem, version: int) -> MemoryItem:
    """Return a version of an item as it was until the next one was written; raise NotFound. newest: its newest."""
    require_version(newest, version)
    versions = versions_as_written(view, newest.memory_id, newest.type, newest.key)
    return _present((each for each in versions if each.version == version), newest, version)


def get_version(view: ReadView, newest: MemoryItem, version: int) -> MemoryItem:
    """Return a version of an item with the status it has now; raise NotFound. newest: its newest version."""
    require_version(newest, version)
    found = read_version(view, newest.memory_id, newest.type, newest.key, version)
    return _present(iter([found] if found else []), newest, version)


def scan_items(
    view: ReadView, memory_id: str, item_type: str = "", key_prefix: str = "", after: tuple[str, str] | None = None
) -> Iterator[MemoryItem]:
    """Yield the newest versions of items by type and key: of a type if one is named, past the (type, key) `after`."""
    prefix = keys.items(item_type, key_prefix) if item_type else keys.ITEMS
    start = keys.item(*after) if after else b""
    for _, value in view.scan(keys.memory(memory_id), prefix, after=start):
        item = MemoryItem.FromString(value)
        if item.key.startswith(key_prefix):
            yield item


def newest_active(
    view: ReadView, memory_id: str, item_type: str, most: int, among: Callable[[str], bool]
) -> list[MemoryItem]:
    """Return up to `most` active items of a type, those written last first. among: which keys are looked at."""
    partition = keys.memory(memory_id)
    named = (keys.key_of_newest(key, item_type) for key, _ in view.scan(partition, keys.newest(item_type)))
    wanted = [keys.item(item_type, key) for key in islice(filter(among, named), most)]
    return [MemoryItem.FromString(found) for found in view.multi_get(partition, wanted) if found is not None]


def scan_versions(view: ReadView, memory_id: str, item_type: str, key: str, after: int = 0) -> Iterator[MemoryItem]:
    """Yield the versions of an item past one, oldest first, each with the status it has now."""
    start = keys.version(item_type, key, after)
    for _, value in view.scan(keys.memory(memory_id), keys.versions(item_type, key), after=start):
        yield MemoryItem.FromString(value)


def scan_all_versions(view: ReadView, memory_id: str) -> Iterator[MemoryItem]:
    """Yield every version of every item, each with the status it has now."""
    return (MemoryItem.FromString(value) for _, value in view.scan(keys.memory(memory_id), keys.VERSIONS))


def versions_as_written(view: ReadView, memory_id: str, item_type: str, key: str) -> Iterator[MemoryItem]:
    """Yield the versions of an item, newest first, each as it was until the next one was written.

    When a version ends, it is stored again as superseded, or as retracted if the next one is a denial, and as valid
    until the next one is valid from. One that was purged stays so.
    """
    later = None
    rows = view.scan(keys.memory(memory_id), keys.versions(item_type, key), reverse=True)
    for _, value in rows:
        version = MemoryItem.FromString(value)
        if later is not None and version.status in {ITEM_STATUS_SUPERSEDED, later.status} - {ITEM_STATUS_DELETED}:
            version.status = ITEM_STATUS_ACTIVE
            if version.HasField("valid_to") and version.valid_to == later.valid_from:
                version.ClearField("valid_to")
        yield version
        later = version


def put_item(batch: Batch, item: MemoryItem) -> None:
    """Add a version and make it the newest."""
    record = item.SerializeToString()
    batch.put(keys.item(item.type, item.key), record)
    batch.put(keys.version(item.type, item.key, item.version), record)
    if item.status == ITEM_STATUS_ACTIVE:
        batch.put(keys.newest_item(item.type, item.key, item.revision, item.version), b"")
    for link in item.links:
        if link.relation in RESTING:
            batch.put(keys.dependent(link.item_id, item.type, item.key), b"")


def dependents(view: ReadView, memory_id: str, item_id: str) -> list[tuple[str, str]]:
    """Return (type, key) of the items of which some version depends on, or is derived from, an item."""
    prefix = keys.dependents(item_id)
    rows = view.scan(keys.memory(memory_id), prefix)
    slots = (key[len(prefix) :].decode().split("\x00") for key, _ in rows)
    return [(item_type, key) for item_type, key in slots]


def put_old_version(batch: Batch, item: MemoryItem) -> None:
    """Replace an older version, whose status has changed; it is active no more."""
    batch.delete(keys.newest_item(item.type, item.key, item.revision, item.version))
    batch.put(keys.version(item.type, item.key, item.version), item.SerializeToString())


def delete_item(batch: Batch, view: ReadView, versions: Sequence[MemoryItem]) -> None:
    """Remove an item and all that names it. versions: all it has. Its chunks stay."""
    newest = versions[-1]
    slot = newest.type, newest.key
    batch.delete(keys.item(*slot))
    batch.delete(keys.item_chunk(*slot))
    for version in versions:
        batch.delete(keys.version(*slot, version.version))
        batch.delete(keys.newest_item(*slot, version.revision, version.version))
        for link in version.links:
            batch.delete(keys.dependent(link.item_id, *slot))
    batch.deletes += [key for key, _ in view.scan(keys.memory(newest.memory_id), keys.dependents(newest.id))]


def put_item_chunk(batch: Batch, item: MemoryItem, ordinal: int) -> None:
    """Keep which chunk stands for an item's newest version."""
    batch.put(keys.item_chunk(item.type, item.key), keys.number(ordinal))


def read_item_chunk(view: ReadView, memory_id: str, item_type: str, key: str) -> int | None:
    """Return the ordinal of the chunk that stands for an item's newest version, or None."""
    found = view.get(keys.memory(memory_id), keys.item_chunk(item_type, key))
    return None if found is None else int.from_bytes(found, "big")


def _present(found: Iterator[MemoryItem], newest: MemoryItem, version: int) -> MemoryItem:
    for item in found:
        return item
    raise StoreFailed(
        f"{newest.type} {shorten(newest.key)!r} lacks version {version}",
        field="version",
        value=version,
        hint="run brain doctor",
    )
