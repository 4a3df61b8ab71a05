"""Lives in which what was told changes amid other talk: as many questions are answered as were."""

from __future__ import annotations

import pytest

from tests.extraction.lives import judged, lives, right

FLOORS = {"en_seen": (28, 14), "en_held": (4, 10), "zh_seen": (27, 14), "zh_held": (8, 9)}
"""Questions about what has changed, and about what only looks like it, that are answered."""


@pytest.mark.parametrize("name", FLOORS)
def test_floor(name: str) -> None:
    up_to_date, _, kept, _ = right(list(judged(name)))  # a failure shows counts alone: held is not to be read
    assert (up_to_date, kept) >= FLOORS[name]
    assert kept >= FLOORS[name][1]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_there_are_sixty_lives_of_a_language_two_in_five_of_which_change_nothing(language: str) -> None:
    told = [*lives(f"{language}_seen"), *lives(f"{language}_held")]
    assert len(told) == 60
    assert sum(not any(each.new for each in life.questions) for life in told) == 24
    assert all((life.looks_like >= 0) == any(not each.new for each in life.questions) for life in told)
