"""The planner on messages that others labelled: before any rule was written, along with the rules, and after them.

What stands in `aside` was written by another hand than rules and classifier, and neither was fitted to it; what stands
in `uninvolved` by two hands that saw none of these, and only the rule on faults changed after it was read.
"""

from __future__ import annotations

import pytest

from tests.planning.measure import totals

OPEN = {"intent": 0.97, "resources": 0.96, "time": 0.97, "scope": 0.97, "types": 0.95, "refers_to": 0.97}
HELD = {"intent": 0.90, "resources": 0.94, "time": 0.90, "scope": 0.93, "types": 0.84, "refers_to": 0.96}

FRESH = {"intent": 0.97, "resources": 0.96, "time": 0.97, "scope": 0.97, "types": 0.95, "refers_to": 0.97}
MORE = {"intent": 0.97, "resources": 0.90, "time": 0.97, "scope": 0.93, "types": 0.89, "refers_to": 0.94}
ASIDE = {"intent": 0.90, "resources": 0.935, "time": 0.90, "scope": 0.945, "types": 0.89, "refers_to": 0.95}
UNINVOLVED = {"intent": 0.92, "resources": 0.92, "time": 0.96, "scope": 0.95, "types": 0.89, "refers_to": 0.98}
HALVES = [
    ("open", OPEN),
    ("held", HELD),
    ("fresh", FRESH),
    ("more", MORE),
    ("aside", ASIDE),
    ("uninvolved", UNINVOLVED),
]


@pytest.mark.parametrize(("half", "floors"), HALVES, ids=[half for half, _ in HALVES])
def test_the_planner_reads_as_many_as_it_did(half: str, floors: dict[str, float]) -> None:
    both = totals(half)["both"]
    assert {field: share for field, share in both.items() if share < floors[field]} == {}
