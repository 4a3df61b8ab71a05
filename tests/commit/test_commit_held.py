"""What commits keep of a memory is what a new read of the store gives, whoever has written and whatever has failed."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from smartbrain.v1.event_pb2 import Entity, ItemDraft, Preference, Retraction, Task
from smartbrain.v1.memory_service_pb2 import RollbackItemRequest

from brain_core import Brain
from brain_core.commit.held import MOST, HeldItems, HeldMemories
from brain_core.errors import BrainError, StoreFailed
from brain_core.extract.claims import Claims, claims_of
from brain_core.extract.worth import TYPES
from brain_core.store.rocks import RocksKV
from tests.building import open_brain, turn

ASKED = [(name, "") for name in (*TYPES, "entities")] + [("entities", "entity:person:"), ("tasks", "task:a:")]
OF_SUBJECTS = [("preferences", "", ""), ("preferences", "pref:tom:", "tom")]
WORDS = ("garden", "invoice", "server", "report", "sensor", "piano", "boiler", "fence")


def assert_as_stored(brain: Brain, memories: HeldMemories, memory: str = "m") -> None:
    new = HeldItems(memory)
    with memories.use(brain._kv, memory) as held:
        for asked in ASKED:
            assert held.active(brain._kv, *asked) == new.active(brain._kv, *asked), asked


def assert_subjects_as_stored(brain: Brain, memories: HeldMemories) -> None:
    new = HeldItems("m")
    with memories.use(brain._kv, "m") as held:
        for asked in OF_SUBJECTS:
            assert held.active(brain._kv, *asked) == new.active(brain._kv, *asked), asked


class Known:
    """What is held, as rules see it."""

    def __init__(self, brain: Brain, held: HeldItems) -> None:
        self._kv, self._held = brain._kv, held
        self.claims = held.claims

    def active(self, item_type: str) -> list:  # type: ignore[type-arg]
        return self._held.active(self._kv, item_type)


def assert_claims_as_stored(brain: Brain, memories: HeldMemories) -> None:
    with memories.use(brain._kv, "m") as held:
        known = Known(brain, held)
        table, rows = held.claims.of(known)
        told = [claim for name in TYPES for item in known.active(name) for claim in claims_of(item)]
        assert [table[row] for row in rows] == told
        fresh, all_rows = Claims().of(known)
        text = "the invoice of the garden"
        assert table.nearest(text, rows, 8) == fresh.nearest(text, all_rows, 8)


def step(brain: Brain, chance: random.Random, names: int) -> None:
    """Do one thing to memory m: tell, deny, roll back, or what is refused."""
    name = f"{chance.choice(WORDS)} {chance.randrange(names)}"
    does, slot = chance.random(), ("preferences", f"pref:ui:{name.replace(' ', '_')}")
    if does < 0.5:
        told = [Preference(scope="ui", name=name, value=chance.choice(WORDS), confirmed=True)]
        tasks = [Task(project=chance.choice("ab"), task_id=f"T-{chance.randrange(names)}", title=name, status="todo")]
        named = [Entity(kind=chance.choice(("person", "org")), canonical=name, remember=True)]
        of_tom = ItemDraft(type="preferences")
        of_tom.value.update({"subject": "tom", "scope": "ui", "name": name, "value": chance.choice(WORDS)})
        brain.commit_turn(turn("m", "s", preferences=told, tasks=tasks, entities=named, items=[of_tom]))
    elif does < 0.8:
        brain.commit_turn(turn("m", "s", retractions=[Retraction(type=slot[0], key=slot[1])]))
    elif does < 0.9:
        try:
            brain.rollback_item(RollbackItemRequest(memory_id="m", type=slot[0], key=slot[1], version=1))
        except BrainError:
            return
    else:
        request = turn("m", "s", preferences=[Preference(scope="ui", name=name, value="dry", confirmed=True)])
        request.validate_only = True
        brain.commit_turn(request)


@pytest.mark.parametrize(("names", "steps"), [(6, 120), (60, 120)])
def test_what_is_kept_is_what_is_stored(brain: Brain, names: int, steps: int) -> None:
    chance, memories = random.Random(names), HeldMemories()
    for number in range(steps):
        step(brain, chance, names)
        assert_as_stored(brain, brain._memories)
        if number % 7 == 0:  # this one is some revisions behind
            assert_as_stored(brain, memories)
            assert_subjects_as_stored(brain, memories)
    assert_claims_as_stored(brain, brain._memories)


def test_of_many_the_same_are_kept(brain: Brain) -> None:
    chance = random.Random(5)
    names = [f"n{number:04d}" for number in range(5 * MOST)]
    chance.shuffle(names)
    for start in range(0, len(names), 45):
        told = [Preference(scope="ui", name=name, value="1", confirmed=True) for name in names[start : start + 45]]
        named = [Entity(kind="person", canonical=name, remember=True) for name in names[start : start + 45]]
        brain.commit_turn(turn("m", "s", preferences=told, entities=named))
        assert_as_stored(brain, brain._memories)
    for _ in range(40):
        ended = [Retraction(type="preferences", key=f"pref:ui:{name}") for name in chance.sample(names[-220:], 15)]
        again = [
            Preference(scope="ui", name=name, value="1", confirmed=True) for name in chance.sample(names[:250], 15)
        ]
        again += [Preference(scope="ui", name=name, value="2", confirmed=True) for name in chance.sample(names, 3)]
        brain.commit_turn(turn("m", "s", retractions=ended, preferences=again))
        assert_as_stored(brain, brain._memories)
        assert_subjects_as_stored(brain, brain._memories)
    gone = [Retraction(type="preferences", key=f"pref:ui:{name}") for name in names]
    for start in range(0, len(gone), 90):  # until fewer than are looked at are left
        brain.commit_turn(turn("m", "s", retractions=gone[start : start + 90]))
        assert_as_stored(brain, brain._memories)
    assert_claims_as_stored(brain, brain._memories)


def test_of_a_type_with_many_that_have_ended_none_is_read_again(brain: Brain, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each commit that changed one read hundreds anew, and what had been worked out of them was lost."""
    names, memories = [f"n{number:03d}" for number in range(MOST + 20)], HeldMemories()
    brain.commit_turn(turn("m", "s", preferences=[_ui(name) for name in names[:MOST]]))
    brain.commit_turn(turn("m", "s", preferences=[_ui(name) for name in names[MOST:]]))
    gone = [Retraction(type="preferences", key=f"pref:ui:{name}") for name in names[::2]]
    brain.commit_turn(turn("m", "s", retractions=gone))
    assert_as_stored(brain, memories)
    for name in names[1:20:2]:
        brain.commit_turn(turn("m", "s", preferences=[_ui(name, "new")]))
        with monkeypatch.context() as patched, memories.use(brain._kv, "m") as held:
            patched.setattr(RocksKV, "scan", None)
            assert len(held.active(brain._kv, "preferences")) == MOST // 2 + 10
        assert_as_stored(brain, memories)
    for start in range(0, len(names), 30):  # until there are as many active ones as are looked at
        brain.commit_turn(turn("m", "s", preferences=[_ui(name) for name in names[start : start + 30]]))
        assert_as_stored(brain, memories)


def _ui(name: str, value: str = "1") -> Preference:
    return Preference(scope="ui", name=name, value=value, confirmed=True)


def test_a_write_that_fails_leaves_nothing_behind(brain: Brain, monkeypatch: pytest.MonkeyPatch) -> None:
    brain.commit_turn(turn("m", "s", preferences=[Preference(scope="ui", name="a", value="1", confirmed=True)]))
    before = RocksKV.write

    def refuse(*_given: object, **_named: object) -> int:
        raise StoreFailed("disk full", field="store", value="", hint="")

    monkeypatch.setattr(RocksKV, "write", refuse)
    failing = turn("m", "s", preferences=[Preference(scope="ui", name="a", value="2", confirmed=True)])
    with pytest.raises(StoreFailed):
        brain.commit_turn(failing)
    monkeypatch.setattr(RocksKV, "write", before)
    assert_as_stored(brain, brain._memories)
    [item] = HeldItems("m").active(brain._kv, "preferences")
    assert item.value.fields["value"].string_value == "1"
    brain.commit_turn(failing)
    assert_as_stored(brain, brain._memories)


def test_what_another_brain_wrote_is_read_after_opening_again(folder: Path) -> None:
    chance = random.Random(2)
    for _ in range(3):
        with open_brain(folder) as brain:
            for _ in range(15):
                step(brain, chance, 8)
                assert_as_stored(brain, brain._memories)


def test_who_is_far_behind_reads_anew(brain: Brain) -> None:
    memories, chance = HeldMemories(), random.Random(4)
    step(brain, chance, 8)
    assert_as_stored(brain, memories)
    for _ in range(80):
        step(brain, chance, 8)
    assert_as_stored(brain, memories)


def test_no_more_is_kept_than_there_is_room_for(brain: Brain) -> None:
    room = HeldMemories(capacity_bytes=20_000)
    for number in range(12):
        memory = f"m{number % 6}"
        told = [Preference(scope="ui", name=f"n{number}", value="long " * 200, confirmed=True)]
        brain.commit_turn(turn(memory, "s", preferences=told))
        assert_as_stored(brain, room, memory)
        held = sum(held.nbytes for held, _ in room._held.values())
        assert held <= 20_000
        assert room._nbytes == sum(nbytes for _, nbytes in room._held.values())
    assert 0 < len(room._held) < 6


def test_a_crowd_that_has_told_nothing_takes_room_too(brain: Brain) -> None:
    """What is held for each who speaks was counted by its items alone: a memory of many had no end."""
    brain.commit_turn(turn("m", "s", preferences=[Preference(scope="ui", name="n", value="v")]))
    held, view = HeldItems("m"), brain._kv.snapshot()
    for number in range(20):
        assert held.active(view, "preferences", f"pref:p{number}:", f"p{number}") == []
    assert held.nbytes > 20 * 5_000


def test_where_a_commit_fails_midway_its_memory_is_read_anew(brain: Brain) -> None:
    memories = HeldMemories()
    with pytest.raises(ZeroDivisionError), memories.use(brain._kv, "m"):
        raise ZeroDivisionError
    assert not memories._held
