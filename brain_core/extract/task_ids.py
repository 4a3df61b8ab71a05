"""Known tasks by their ids, as a user writes them: T3, PROJ-12, #45.

Where several tasks have the id, or another title has as many of an order's words, none of them changes and a Skip says
so.
"""

from __future__ import annotations

from smartbrain.v1.item_pb2 import MemoryItem

from brain_core.extract.known import Known, value_of

SEVERAL = "several known tasks are called so, and what becomes of which is not clear"


def with_id(known: Known, said: str) -> list[MemoryItem]:
    """Return the known tasks of an id, whatever its capitals and a # before it: several, where projects share it."""
    wanted = said.casefold().lstrip("#")
    return [item for item in known.active("tasks") if str(value_of(item)["task_id"]).casefold().lstrip("#") == wanted]
