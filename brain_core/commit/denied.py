"""When a fact of a profile was denied while others of it hold: the profile notes that it was, its versions say when."""

from __future__ import annotations

from google.protobuf import json_format
from smartbrain.v1.item_pb2 import FactOrigin, MemoryItem

from brain_core.store.events import find_turn
from brain_core.store.items import versions_as_written
from brain_core.store.kv import ReadView


def denial_of(view: ReadView, profile: MemoryItem, name: str) -> FactOrigin | None:
    """Return where a profile's fact of a name was last denied; None if it has not been, or by the commit under way."""
    denial = None
    for version in versions_as_written(view, profile.memory_id, profile.type, profile.key):
        denied = json_format.MessageToDict(version.value).get("denied", ())
        if all(fact["k"] != name for fact in denied):
            break
        denial = version
    return None if denial is None else _where(view, denial, name)


def _where(view: ReadView, denial: MemoryItem, name: str) -> FactOrigin:
    """Return where a version denies a fact: what is said again of others since moves the version's time."""
    turn = find_turn(view, denial.memory_id, denial.source_turn_id)
    messages = turn.events.messages if turn is not None else ()
    times = [each.created_at for each in messages if each.message_id == denial.source_message_id]
    said_at = times[0] if times else denial.said_at
    return FactOrigin(k=name, source_turn_id=denial.source_turn_id, said_at=said_at)
