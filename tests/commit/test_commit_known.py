"""The active items that a commit looks at: the newest first, whatever became of their keys before."""

from __future__ import annotations

import random

from smartbrain.v1.event_pb2 import Preference, Retraction
from smartbrain.v1.item_pb2 import ITEM_STATUS_ACTIVE, ITEM_STATUS_RETRACTED
from smartbrain.v1.memory_service_pb2 import RollbackItemRequest

from brain_core import Brain
from brain_core.commit.held import MOST, HeldItems
from brain_core.commit.known import StoreAndLedger
from brain_core.commit.ledger import Ledger
from brain_core.store import items, keys
from tests.building import turn


def prefer(brain: Brain, *names: str, value: str) -> None:
    stated = [Preference(scope="ui", name=name, value=value, confirmed=True) for name in names]
    brain.commit_turn(turn("m", "s", preferences=stated))


def active(brain: Brain, prefix: str = "") -> list[str]:
    known = StoreAndLedger(brain._kv, "m", Ledger(), HeldItems("m")).active("preferences", prefix)
    return [item.key.removeprefix("pref:ui:") for item in known]


def test_a_few_are_all_known_newest_first(brain: Brain) -> None:
    for name in ("b", "c", "a"):
        prefer(brain, name, value="1")
    assert active(brain) == ["a", "c", "b"]
    prefer(brain, "b", value="2")
    assert active(brain) == ["b", "a", "c"]
    brain.commit_turn(turn("m", "s", retractions=[Retraction(type="preferences", key="pref:ui:a")]))
    assert active(brain) == ["b", "c"]
    assert active(brain, "pref:ui:c") == ["c"]


def test_what_a_commit_writes_stands_in_the_place_of_what_was_known(brain: Brain) -> None:
    prefer(brain, "a", "b", "c", value="1")
    ledger = Ledger()
    known = StoreAndLedger(brain._kv, "m", ledger, HeldItems("m"))
    before = known.active("preferences")
    assert known.active("preferences") is before, "nothing has changed"
    changed = {}
    for name, status in (("a", ITEM_STATUS_ACTIVE), ("b", ITEM_STATUS_RETRACTED), ("d", ITEM_STATUS_ACTIVE)):
        item = items.read_item(brain._kv, "m", "preferences", "pref:ui:c")
        assert item is not None
        item.key, item.status = f"pref:ui:{name}", status
        item.updated_at.seconds += 1
        changed["preferences", item.key] = item
    ledger.written.update(changed)
    assert [item.key.removeprefix("pref:ui:") for item in known.active("preferences")] == ["a", "d", "c"]
    assert known.active("preferences")[0] is changed["preferences", "pref:ui:a"]
    assert [item.key for item in known.active("preferences", "pref:ui:d")] == ["pref:ui:d"]


def test_of_many_the_newest_are_known(brain: Brain) -> None:
    names = [f"n{number:03d}" for number in range(3 * MOST)]
    random.Random(7).shuffle(names)
    for start in range(0, len(names), 50):
        prefer(brain, *names[start : start + 50], value="1")
    prefer(brain, names[0], names[1], value="2")
    prefer(brain, names[1], names[1], value="3")  # and refreshed in the same turn
    brain.commit_turn(turn("m", "s", retractions=[Retraction(type="preferences", key=f"pref:ui:{names[-1]}")]))
    found = active(brain)
    assert len(found) == MOST
    assert found[:2] == [names[1], names[0]]
    assert names[-1] not in found
    assert set(found[2:]) <= set(names[-MOST - 50 :])
    back = RollbackItemRequest(memory_id="m", type="preferences", key=f"pref:ui:{names[-1]}", version=1)
    brain.rollback_item(back)
    assert active(brain)[0] == names[-1]


def test_the_list_of_the_newest_names_each_active_item_once(brain: Brain) -> None:
    chance = random.Random(3)
    for _ in range(60):
        name = f"n{chance.randrange(8)}"
        if chance.random() < 0.2:
            brain.commit_turn(turn("m", "s", retractions=[Retraction(type="preferences", key=f"pref:ui:{name}")]))
        else:
            prefer(brain, name, name, value=str(chance.randrange(3)))
    listed = [key for key, _ in brain._kv.scan(keys.memory("m"), keys.NEWEST)]
    named = sorted(keys.key_of_newest(key, "preferences") for key in listed)
    assert named == sorted(item.key for item in items.scan_items(brain._kv, "m") if item.status == ITEM_STATUS_ACTIVE)
