"""Which memories there are, and what each holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from smartbrain.v1.brain_service_pb2 import ItemCount, ListMemoriesRequest, ListMemoriesResponse, Memory
from smartbrain.v1.item_pb2 import ItemStatus

from brain_core import paging
from brain_core.check import check_id
from brain_core.policy import Limits
from brain_core.store import keys, log
from brain_core.store.holdings import holdings_of
from brain_core.store.kv import ReadView
from brain_core.store.v1.records_pb2 import SpaceRecord


@dataclass(frozen=True, slots=True)
class Reach:
    """Which memories whoever asks is told of. begins: how the ids of all of them begin; the others are not looked at.

    has: tells of an id that begins so.
    """

    begins: tuple[str, ...]
    has: Callable[[str], object]


EVERYWHERE = Reach(("",), lambda _: True)
"""All memories."""


def list_memories(view: ReadView, request: ListMemoriesRequest, limits: Limits, reach: Reach) -> ListMemoriesResponse:
    """Give a page of memories by id, with what each holds."""
    check_id("prefix", request.prefix, limits.id_bytes, required=False)
    size = paging.page_size(request.page_size, limits)
    after = paging.place_of(request.page_token)
    found = (_told(view, memory_id) for memory_id in _named(view, request.prefix, after, reach))
    page, more = paging.filled(found, size)
    token = paging.token_of(page[-1].memory_id) if more else ""
    return ListMemoriesResponse(memories=page, next_page_token=token)


def _named(view: ReadView, prefix: str, after: str, reach: Reach) -> Iterator[str]:
    """Yield the ids of the memories that are reached and begin so, past one."""
    for start in _apart(reach.begins):
        if not (start.startswith(prefix) or prefix.startswith(start)):
            continue
        partitions = view.partitions(
            keys.memory(max(start, prefix, key=len)), after=keys.memory(after) if after else b""
        )
        for memory_id in map(keys.memory_id_of, partitions):
            if reach.has(memory_id):
                yield memory_id


def _apart(begins: tuple[str, ...]) -> Iterator[str]:
    """Yield the same in the order of ids, without those that begin with another one."""
    last = None
    for start in sorted(begins, key=str.encode):
        if last is None or not start.startswith(last):
            last = start
            yield start


def _told(view: ReadView, memory_id: str) -> Memory:
    space = log.read_space(view, memory_id) or SpaceRecord(memory_id=memory_id)
    held = holdings_of(view, memory_id, space)
    found = Memory(
        memory_id=memory_id,
        revision=held.revision,
        sessions=held.sessions,
        messages=held.messages,
        documents=held.documents,
        chunks=space.next_chunk,
        items=[
            ItemCount(status=status, count=held.items[status])
            for status in ItemStatus.values()
            if held.items.get(status)
        ],
    )
    found.created_at.FromMicroseconds(space.created_at_us)
    found.updated_at.FromMicroseconds(held.updated_at_us)
    return found
