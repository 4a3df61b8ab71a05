"""Whole lives: as much of what should be remembered is, and as little of what should not, as was reached."""

from __future__ import annotations

import pytest

from tests.extraction.remembered import counted, lives, remembered

FLOORS = {"en_seen": (47, 5, 1), "en_held": (32, 3, 3)}
"""What is there of all that is asked for, at least; what is wrong and what nothing asks for, at most."""


@pytest.mark.parametrize("half", FLOORS)
def test_floor(half: str) -> None:
    counts = counted(list(remembered(half)))  # a failure shows counts alone: held is not to be read
    there, wrong, other = FLOORS[half]
    assert counts["there"] >= there, counts
    assert counts["wrong"] <= wrong, counts
    assert counts["other"] <= other, counts


def test_a_life_has_twenty_turns_and_says_what_is_asked_for_and_refused() -> None:
    told = [*lives("en_seen"), *lives("en_held")]
    assert len(told) == 12
    assert all(len(life.turns) > 20 and life.asked and life.refused for life in told)
