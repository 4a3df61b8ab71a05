"""The planner on messages that someone else labelled before any rule was written."""

from __future__ import annotations

import pytest

from tests.planning.measure import totals

OPEN = {"intent": 0.97, "resources": 0.96, "time": 0.97, "scope": 0.97, "types": 0.95, "refers_to": 0.97}
HELD = {"intent": 0.83, "resources": 0.94, "time": 0.90, "scope": 0.93, "types": 0.84, "refers_to": 0.96}


FRESH = {"intent": 0.97, "resources": 0.95, "time": 0.97, "scope": 0.97, "types": 0.95, "refers_to": 0.97}


@pytest.mark.parametrize(("half", "floors"), [("open", OPEN), ("held", HELD), ("fresh", FRESH)])
def test_the_planner_reads_as_many_as_it_did(half: str, floors: dict[str, float]) -> None:
    both = totals(half)["both"]
    assert {field: share for field, share in both.items() if share < floors[field]} == {}
