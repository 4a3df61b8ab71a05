"""What of a damaged store can still be read, and what is lost with the rest: looked at kind by kind, to the end."""

from __future__ import annotations

from collections.abc import Iterator

from brain_core.errors import StoreFailed
from brain_core.store import keys
from brain_core.store.kv import Partition, ReadView

_SAID = "what was said then is lost unless a backup has it"
_BELIEVED = "what was believed is lost unless a backup has it"
_DERIVED = "nothing is lost with them that the store does not hold elsewhere, too; restore a backup"

_KINDS = {
    keys.SPACE: ("the counters", "the memory cannot be written; restore a backup"),
    keys.SESSIONS: ("sessions", "their turns are there, but are no longer listed; restore a backup"),
    keys.TURNS: ("turns", _SAID),
    keys.MESSAGES: ("places of messages", _DERIVED),
    keys.ITEMS: ("items", "they stand among their versions; restore a backup"),
    keys.VERSIONS: ("versions of items", _BELIEVED),
    keys.NEWEST: ("the order of items", _DERIVED),
    keys.ITEM_CHUNKS: ("chunks of items", _DERIVED),
    keys.DEPENDENTS: ("links between items", _DERIVED),
    keys.CHUNKS: (
        "chunks",
        "texts of documents are lost unless they are taken in again, texts of turns and items stand with these",
    ),
    keys.CHANGES: ("the change sequence", "what was known at a revision can no longer be told"),
    keys.COMMITS: ("answers of commits", "why things were kept can no longer be told"),
    keys.REQUESTS: ("request ids", "a commit that is repeated may be committed twice"),
    keys.SESSION_CHANGES: ("changes by session", _DERIVED),
    keys.SUMMARIES_PROGRESS: ("the pace of summaries", "summaries are made anew by later commits"),
    keys.SUMMARIES: ("summaries", "they are made anew by later commits"),
    keys.CORE: ("what every context carries", _DERIVED),
    keys.LEARNED: ("how far a language model has read", "it reads again"),
    keys.SET_ASIDE: ("turns that a language model could not read", "they are not tried again"),
    keys.DOCUMENTS: ("documents", "take them in again"),
    keys.SECTIONS: ("sections of documents", "take them in again"),
    keys.ADDRESSES: ("addresses of documents", "take them in again"),
    keys.TAGS: ("tags of documents", "take them in again"),
    keys.TOPICS: ("topics of documents", "take them in again"),
}


def unreadable(view: ReadView, memory_id: str) -> Iterator[str]:
    """Yield for each kind of record of a memory that cannot be read whole where, how much is left, and what is lost."""
    for prefix, (name, lost) in _KINDS.items():
        yield from _of_kind(view, keys.memory(memory_id), prefix, f"{name} cannot all be read", lost)
    lost = "what was composed then can no longer be shown; memories are not concerned"
    for prefix in (keys.CONTEXTS, keys.CONTEXT_ORDER):
        yield from _of_kind(view, keys.contexts(memory_id), prefix, "stored contexts cannot all be read", lost)


def readable_memories(view: ReadView) -> tuple[list[str], str]:
    """Return the memories that can be told, from both ends of the list, and why not all can; empty if all are."""
    found: dict[str, None] = {}
    problem = ""
    for reverse in (False, True):
        try:
            for partition in view.partitions(keys.MEMORIES, reverse=reverse):
                found[keys.memory_id_of(partition)] = None
        except StoreFailed as error:
            problem = str(error)
        else:
            break  # all of them, by one way
    return sorted(found, key=str.encode), problem


def _of_kind(view: ReadView, partition: Partition, prefix: bytes, what: str, lost: str) -> Iterator[str]:
    left, problem = _count(view, partition, prefix, reverse=False)
    if problem:
        left += _count(view, partition, prefix, reverse=True)[0]
        yield f"{what} ({left} can): {lost}: {problem}"


def _count(view: ReadView, partition: Partition, prefix: bytes, *, reverse: bool) -> tuple[int, str]:
    """Return how many records can be read from one end, and why no more; empty if all can."""
    count = 0
    try:
        for _ in view.scan(partition, prefix, reverse=reverse):
            count += 1
    except StoreFailed as error:
        return count, str(error)
    return count, ""
