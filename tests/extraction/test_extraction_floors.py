"""The labelled dialogues: precision and recall may not fall below what has been reached.

en_dev and zh_dev are the development sets of the rules, split by the parity of their ids: the even ones may be read,
the odd ones are measured unread. Their floors are of both together; of the odd ones alone 0.73 and 0.40 have been
reached in English, 0.75 and 0.57 in Chinese.
"""

from __future__ import annotations

import json

import pytest
from smartbrain.v1.item_pb2 import ITEM_STATUS_ACTIVE

from tests.extraction.measure import DIALOGUES, HALVES, LANGUAGES, compare, measured, table
from tests.extraction.measure import Score as Scores
from tests.extraction.reading import item

FLOORS = {
    ("en", "open"): (0.97, 0.93),
    ("en", "held"): (0.75, 0.62),
    ("en", "dev"): (0.86, 0.60),
    ("zh", "open"): (0.95, 0.95),
    ("zh", "held"): (0.75, 0.60),
    ("zh", "dev"): (0.84, 0.72),
}
"""Precision and recall, all types together, as reached. What is asked of the held halves is 0.95 and 0.80."""


@pytest.mark.parametrize(("lang", "half"), FLOORS)
def test_floor(lang: str, half: str) -> None:
    score = measured(half, lang)
    precision, recall = FLOORS[lang, half]
    assert score.precision() >= precision, table(score)
    assert score.recall() >= recall, table(score)


def test_the_dialogues_are_many_and_two_in_five_say_nothing() -> None:
    for lang in LANGUAGES:
        lines = [
            line for half in HALVES for line in (DIALOGUES / f"{lang}_{half}.jsonl").read_text("utf-8").splitlines()
        ]
        dialogues = [json.loads(line) for line in lines if line]
        assert len(dialogues) >= 200
        assert len({each["id"] for each in dialogues}) == len(dialogues)
        negatives = [each for each in dialogues if not each["expect"] and not each.get("retracted")]
        assert len(negatives) >= 0.4 * len(dialogues)


def test_the_comparison_counts_what_is_right_wrong_stale_and_missed() -> None:
    score = Scores()
    active = [
        item("preferences", name="theme", value="dark mode"),
        item("tasks", task_id="a", title="pay the rent", status="done"),
        item("goals", name="x", description="nothing that was asked for"),
    ]
    for each in active:
        each.status = ITEM_STATUS_ACTIVE
    dialogue = {
        "id": "x",
        "kind": "task",
        "now": "",
        "turns": [],
        "expect": [
            {"type": ["preferences", "knowledge"], "contains": ["DARK"]},
            {"type": "tasks", "contains": ["rent"], "fields": {"status": "todo"}},
        ],
        "allow": [{"type": "tasks", "contains": []}],
        "stale": ["asked for"],
    }
    compare(dialogue, active, score)
    assert (score.right, score.wrong, score.missed) == ({"preferences": 1}, {"goals": 1}, {"tasks": 1})
