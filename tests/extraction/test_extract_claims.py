"""The claims of a memory that changes: what is kept of them is what is worked out anew, at the cost of what changed."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from smartbrain.v1.item_pb2 import MemoryItem

from brain_core.extract import claims as module
from brain_core.extract.alike import vector
from brain_core.extract.claims import Claims, claims_of
from brain_core.extract.worth import TYPES
from tests.extraction.reading import item

WORDS = ("garden", "invoice", "server", "boiler", "茶壶", "屋顶", "sister", "Omar", "1187", "staging")


class Known:
    """Items by type, as rules see them."""

    def __init__(self) -> None:
        self.claims = Claims()
        self.held: dict[str, Sequence[MemoryItem]] = {name: [] for name in TYPES}

    def active(self, item_type: str) -> Sequence[MemoryItem]:
        return self.held[item_type]


def profile(part: str, facts: dict[str, str]) -> MemoryItem:
    return item("profile", subject="user", part=part, facts=[{"k": k, "v": v} for k, v in facts.items()])


def assert_as_anew(known: Known, texts: Sequence[str]) -> None:
    table, rows = known.claims.of(known)
    told = [claim for name in TYPES for held in known.active(name) for claim in claims_of(held)]
    assert [table[row] for row in rows] == told
    assert all(table[row].item is claim.item for row, claim in zip(rows, told, strict=True))
    assert len(table) == len(told) == len(table.rows())
    fresh, all_rows = Claims().of(known)
    for text in texts:
        assert table.nearest(text, rows, 8) == fresh.nearest(text, all_rows, 8)


@pytest.mark.parametrize("seed", range(4))
def test_claims_that_come_go_and_change_are_as_those_worked_out_anew(seed: int) -> None:
    chance, known = random.Random(seed), Known()

    def said() -> str:
        return " ".join(chance.choices(WORDS, k=4))

    facts = [{f"fact_{number}": said() for number in range(40)}, {}]
    for _ in range(60):
        part = chance.randrange(2)
        for name in [f"fact_{chance.randrange(60)}" for _ in range(3)]:
            if chance.random() < 0.5:
                facts[part].pop(name, None)
            else:
                facts[part][name] = said()
        known.held["profile"] = [profile(str(number), each) for number, each in enumerate(facts, 1) if each]
        if chance.random() < 0.5:
            notes = [item("knowledge", topic=f"t{chance.randrange(9)}", content=said()) for _ in range(3)]
            known.held["knowledge"] = [*{note.key: note for note in notes}.values()]
        assert_as_anew(known, [said(), f"Omar's {said()} now", "no longer"])


def test_of_a_profile_that_changes_only_what_changed_is_embedded(monkeypatch: pytest.MonkeyPatch) -> None:
    """A commit at 100,000 chunks embedded each of its 150 claims anew, and then all 8,000 that were dropped."""
    known, facts = Known(), {f"thing_{number}": f"shelf {number}" for number in range(150)}
    known.held["profile"] = [profile("1", facts)]
    known.claims.of(known)
    asked: list[str] = []

    def noted(text: str) -> object:
        asked.append(text)
        return vector(text)

    monkeypatch.setattr(module, "vector", noted)
    facts["thing_7"] = "the cellar"
    known.held["profile"] = [profile("1", facts)]
    table, rows = known.claims.of(known)
    assert asked == ["thing 7 the cellar"]
    assert len(rows) == len(table) == 150


def test_what_is_held_does_not_grow_with_what_was_held() -> None:
    known = Known()
    known.held["profile"] = [profile("1", {f"thing_{number}": "shelf 0" for number in range(60)})]
    known.claims.of(known)
    held = known.claims.nbytes
    for turn in range(1, 40):
        known.held["profile"] = [profile("1", {f"thing_{number}": f"shelf {turn}" for number in range(60)})]
        known.claims.of(known)
    assert known.claims.nbytes == held
