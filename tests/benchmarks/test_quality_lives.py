"""Lists told over a year: as many of their pieces stand in a package's words as did."""

from __future__ import annotations

import json

import pytest

from benchmarks.quality.datasets import load_data
from benchmarks.quality.lists import LIVES, asked_of, rows_of

LIFE_NAMES = sorted(one.name for one in LIVES.iterdir() if one.is_dir())


@pytest.mark.parametrize(("name", "least"), [("en_life_a", 0.87), ("zh_life_a", 0.66), ("zh_life_b", 0.83)])
def test_as_many_pieces_of_lists_are_shown_as_were(name: str, least: float) -> None:
    asked = list(asked_of(LIVES / name, [1024]))
    lists = [one.shares[1024] for one in asked if one.category == "list"]
    single = [one.shares[1024] for one in asked if one.category == "single"]
    assert sum(lists) / len(lists) >= least
    assert sum(single) / len(single) >= 0.9
    assert len(list(rows_of(asked))) == 4


@pytest.mark.parametrize("name", LIFE_NAMES)
def test_each_piece_of_an_answer_is_told_in_a_gold_turn(name: str) -> None:
    data = load_data(LIVES / name)
    texts = {turn.turn_id: turn.text for one in data.conversations for each in one.sessions for turn in each.turns}
    for line in (LIVES / name / "questions.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        gold = " ".join(texts[one] for one in row["gold_turn_ids"])
        assert all(any(form in gold for form in forms) for forms in row["says"]), row["id"]
