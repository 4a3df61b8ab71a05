"""The active items of a memory as commits look at them, kept from one commit to the next.

Those of a type are read once. From then on each revision tells which items it wrote, and these alone are read again: so
what is kept is what the store holds, whoever has written it and whatever was refused, and a commit costs what has
changed and not what there is.
"""

from __future__ import annotations

import threading
from bisect import bisect_left, insort
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import NamedTuple, Protocol

from smartbrain.v1.item_pb2 import ITEM_STATUS_ACTIVE, MemoryItem

from brain_core.commit.heard import Heard
from brain_core.extract.claims import Claims
from brain_core.extract.known import Remembered
from brain_core.kinds.registry import KINDS
from brain_core.store import items, keys, log
from brain_core.store.kv import ReadView

MOST = 100
"""Active items of a type that are looked at, the newest."""

_FIRST = 4 * MOST + 1  # items, in the order of their keys, among which the active are looked for where few are
_SPARE = MOST  # newest items that are kept besides, so that some can end before they are read anew
_MOST_BEHIND = 32  # revisions that are followed one by one
_CAPACITY_BYTES = 64 << 20
_BYTES_OF_KEY = 100
_BYTES_OF_ITEM = 1_000  # besides its content
_BYTES_OF_SUBJECT = 7_000  # its lists and claims, without what is in them
_TIMES_CONTENT = 3  # bytes held of a message for each that it has on disk
_MEASURED_AFTER = 100  # items taken over


class Asked(NamedTuple):
    """Which items are asked for: of a type, whose keys begin so, and of a subject.

    subject: empty for the owner, None for anybody.
    """

    item_type: str
    key_prefix: str = ""
    subject: str | None = None

    def has(self, key: str) -> bool:
        """Return whether an item of the type is asked for."""
        return key.startswith(self.key_prefix) and (
            self.subject is None or KINDS[self.item_type].subject_of(key) == self.subject
        )


class _List(Protocol):
    """Items that are read once and followed from then on."""

    @property
    def is_exact(self) -> bool:
        """Whether they are what a new read would give; where they are not any more, that must be told."""

    @property
    def active(self) -> Iterable[MemoryItem]:
        """The active ones."""

    @property
    def nbytes(self) -> int:
        """Bytes held, estimated; that takes a look at each item."""

    def take(self, item: MemoryItem) -> None:
        """Take over the newest version of an item that was written."""


class _First:
    """The active among the first items by key, of which none ever leaves the store."""

    def __init__(self, found: Sequence[MemoryItem], all_active: Iterable[MemoryItem] = (), *, part: bool) -> None:
        """found: all that there are, or as many as are looked at. part: whether of a part of the key space.

        all_active: of a whole type with more than MOST, all that the store names as active, fewer than MOST.
        """
        self._keys = [item.key for item in found]
        self._by_key = {item.key: item for item in found if item.status == ITEM_STATUS_ACTIVE}
        self._named = {item.key for item in all_active}
        self._was_many = len(found) > MOST
        self._part = part

    @property
    def is_exact(self) -> bool:
        if self._part or len(self._keys) <= MOST:
            return True
        return self._was_many and len(self._named) < MOST

    @property
    def active(self) -> Iterable[MemoryItem]:
        return self._by_key.values()

    @property
    def nbytes(self) -> int:
        return sum(map(_nbytes, self._by_key.values())) + _BYTES_OF_KEY * len(self._keys)

    def take(self, item: MemoryItem) -> None:
        key = item.key
        place = bisect_left(self._keys, key)
        if self._keys[place : place + 1] != [key]:
            self._keys.insert(place, key)
        self._by_key.pop(key, None)
        self._named.discard(key)
        if item.status == ITEM_STATUS_ACTIVE:
            self._by_key[key] = item
            self._named.add(key)
        for beyond in self._keys[_FIRST:]:
            self._by_key.pop(beyond, None)
        del self._keys[_FIRST:]


class _Newest:
    """The active items that were written last, of so many that no others are looked at."""

    def __init__(self, found: Sequence[MemoryItem]) -> None:
        """found: newest first, all that there are or MOST + _SPARE of them."""
        self._found = list(found)
        self._last = None if len(found) < MOST + _SPARE else _age(found[-1])

    @property
    def is_exact(self) -> bool:
        return len(self._found) >= MOST

    @property
    def active(self) -> Iterable[MemoryItem]:
        return self._found[:MOST]

    @property
    def nbytes(self) -> int:
        return sum(map(_nbytes, self._found))

    def take(self, item: MemoryItem) -> None:
        self._found = [each for each in self._found if each.key != item.key]
        if item.status == ITEM_STATUS_ACTIVE and (self._last is None or _age(item) <= self._last):
            insort(self._found, item, key=_age)
        if len(self._found) > MOST + 2 * _SPARE:
            del self._found[MOST + _SPARE :]
            self._last = _age(self._found[-1])


class HeldItems:
    """The active items of one memory, by type and beginning of their keys, and what was worked out of them.

    Used by one thread at a time. Nobody changes an item that is handed out.
    """

    def __init__(self, memory_id: str) -> None:
        self.claims = Claims()
        self.heard = Heard()
        self.everybodys: dict[tuple[str, int], bool] = {}
        self._claims_of: dict[str, Claims] = {}
        self._memory_id = memory_id
        self._revision = 0
        self._lists: dict[Asked, _List] = {}
        self._sorted: dict[Asked, list[MemoryItem]] = {}
        self._content = 0  # bytes of items when they were measured, and of those taken over since
        self._taken = 0

    @property
    def nbytes(self) -> int:
        """Bytes held, estimated."""
        if self._taken >= _MEASURED_AFTER:
            subjects = {asked.subject for asked in self._lists if asked.subject}
            content = sum(each.nbytes for each in self._lists.values())
            self._content, self._taken = content + _BYTES_OF_SUBJECT * len(subjects), 0
        claims = (self.claims, *self._claims_of.values())
        beside = sum(each.nbytes for each in claims) + self.heard.nbytes
        return self._content + beside + _BYTES_OF_KEY * len(self.everybodys)

    def claims_of(self, subject: str) -> Claims:
        """Return what was worked out of a subject's items, where others' are not looked at."""
        return self._claims_of.setdefault(subject, Claims())

    def active(
        self, view: ReadView, item_type: str, key_prefix: str = "", subject: str | None = None
    ) -> list[MemoryItem]:
        """Return the ACTIVE items that are asked for, those updated last first; not to be changed.

        Of a type, or of a subject, with many they are the newest `MOST`, of a part of its key space those among the
        first some hundred. The same list comes again until one of them changes.
        """
        asked = Asked(item_type, key_prefix, subject)
        if asked not in self._sorted:
            if asked not in self._lists:
                self._lists[asked] = _read(view, self._memory_id, asked)
                self._taken = _MEASURED_AFTER
            self._sorted[asked] = sorted(self._lists[asked].active, key=_order_of)
        return self._sorted[asked]

    def follow(self, view: ReadView) -> None:
        """Take over what was written since the last time."""
        revision = view.revision(keys.memory(self._memory_id))
        if self._lists and revision != self._revision:
            slots = self._written(view, revision)
            if slots is None:
                self._lists, self._sorted = {}, {}
            else:
                self._take(view, slots)
        self._revision = revision

    def _written(self, view: ReadView, revision: int) -> dict[tuple[str, str], None] | None:
        """Return (type, key) of the items written up to a revision, None if they had better be read anew."""
        if not self._revision < revision <= self._revision + _MOST_BEHIND:
            return None
        slots: dict[tuple[str, str], None] = {}
        for each in range(self._revision + 1, revision + 1):
            change = log.read_change(view, self._memory_id, each)
            if change is None:
                return None
            slots.update(((item.type, item.key), None) for item in change.items)
        return slots

    def _take(self, view: ReadView, slots: dict[tuple[str, str], None]) -> None:
        for item_type, key in slots:
            concerned = [asked for asked in self._lists if asked.item_type == item_type and asked.has(key)]
            item = items.read_item(view, self._memory_id, item_type, key) if concerned else None
            for asked in concerned:
                self._sorted.pop(asked, None)
                if item is not None:
                    self._lists[asked].take(item)
                    self._content += _nbytes(item)
                    self._taken += 1
                if item is None or not self._lists[asked].is_exact:
                    del self._lists[asked]


class HeldMemories:
    """What is held of many memories, within a bound of bytes; what was used longest ago is dropped.

    Any thread may use it that holds the lock of the memory it asks for.
    """

    def __init__(self, capacity_bytes: int = _CAPACITY_BYTES) -> None:
        self._capacity = capacity_bytes
        self._nbytes = 0
        self._held: OrderedDict[str, tuple[HeldItems, int]] = OrderedDict()
        self._lock = threading.Lock()

    def forget(self, memory_id: str) -> None:
        """Let go of a memory's items."""
        with self._lock:
            _, nbytes = self._held.pop(memory_id, (None, 0))
            self._nbytes -= nbytes

    @contextmanager
    def use(self, view: ReadView, memory_id: str) -> Iterator[HeldItems]:
        """Give the items of a memory as they are in a view; where the block fails, they are read anew next time."""
        with self._lock:
            held, nbytes = self._held.pop(memory_id, (HeldItems(memory_id), 0))
            self._nbytes -= nbytes
        held.follow(view)
        yield held
        nbytes = held.nbytes
        with self._lock:
            self._held[memory_id] = held, nbytes
            self._nbytes += nbytes
            while self._nbytes > self._capacity:
                _, (_, dropped) = self._held.popitem(last=False)
                self._nbytes -= dropped


def newest_first(item: MemoryItem) -> tuple[int, int, str]:
    """Order items by when they were updated, the newest first."""
    return -item.updated_at.seconds, -item.updated_at.nanos, item.key


_order_of = Remembered(newest_first)


def _age(item: MemoryItem) -> tuple[int, int, str]:
    """Order items by when their version was written, the newest first, as the store names them."""
    return -item.revision, -item.version, item.key


def _nbytes(item: MemoryItem) -> int:
    return _BYTES_OF_ITEM + _TIMES_CONTENT * item.ByteSize()


def _read(view: ReadView, memory_id: str, asked: Asked) -> _List:
    item_type, key_prefix, subject = asked
    is_a_part = bool(key_prefix) and subject is None
    scanned = (item for item in items.scan_items(view, memory_id, item_type, key_prefix) if asked.has(item.key))
    first = list(islice(scanned, MOST + 1))
    newest: list[MemoryItem] = []
    if len(first) > MOST and not is_a_part:
        newest = items.newest_active(view, memory_id, item_type, MOST + _SPARE, asked.has)
        if len(newest) >= MOST:
            return _Newest(newest)
    first += islice(scanned, _FIRST - len(first))
    # Few items, or a part of the key space: as they stand. Items of stores from before 'n' are found here, too.
    return _First(first, newest, part=is_a_part)
