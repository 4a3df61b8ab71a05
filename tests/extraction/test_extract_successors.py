"""Who follows whom in a role of one person: the one before has it no more, in the profile and as a person."""

from __future__ import annotations

from pathlib import Path

import pytest
from smartbrain.v1.memory_service_pb2 import ListItemsRequest

from brain_core.extract.known import value_of
from tests.building import open_brain, say


def roles(folder: Path, *texts: str) -> tuple[dict[str, str], dict[str, str]]:
    """Return the profile's facts and the roles of persons after messages a week apart."""
    with open_brain(folder) as brain:
        for number, text in enumerate(texts):
            brain.commit_turn(say("m", f"s{number}", text, at=7 * 86_400 * number))
        items = brain.list_items(ListItemsRequest(memory_id="m")).items
        facts = {f["k"]: f["v"] for i in items if i.type == "profile" for f in value_of(i).get("facts", ())}
        persons = {value_of(i)["canonical"]: value_of(i)["attrs"]["role"] for i in items if i.type == "entities"}
        return facts, persons


@pytest.mark.parametrize(
    ("second", "facts"),
    [
        ("My manager is now Marcus.", {"manager": "Marcus"}),
        ("Marcus is my boss now", {"boss": "Marcus"}),
        ("Priya has left the company.", {}),
    ],
)
def test_whoever_had_the_role_has_it_no_more(folder: Path, second: str, facts: dict[str, str]) -> None:
    known, persons = roles(folder, "my manager is Priya.", second)
    assert {k: v for k, v in known.items() if k in {"manager", "boss"}} == facts
    assert persons["Priya"] == "former manager"


@pytest.mark.parametrize(
    "second",
    [
        "Priya left at five.",
        "Priya is not my landlord",
        "if Marcus is my boss now, I quit",
        "Marcus is my neighbour now",
        "Tom has left the company.",
        "my sister's boss is Marcus",
    ],
)
def test_a_role_stays_with_whom_it_is(folder: Path, second: str) -> None:
    known, persons = roles(folder, "my manager is Priya.", second)
    assert known["manager"].startswith("Priya")
    assert persons["Priya"] == "manager"
