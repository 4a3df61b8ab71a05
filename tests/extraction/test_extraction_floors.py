"""The labelled dialogues: precision and recall may not fall below what has been reached.

open and dev were there when the rules were written, and the judge is trained on them. odd and even are by another hand,
split by the parity of their ids, and harder: facts told in passing, no two alike. The judge is trained on the odd ones;
no writer of rules or of training text has read the even and the held ones. Two who read them for this alone, with a
page of guidance and no labels, wrote down nothing wrong and missed 0 to 7 %. The rules alone reached 0.27 and 0.20 on
the even ones in English, 0.50 and 0.28 in Chinese. Of the English writer's refusals (small talk, quotes, jokes) most
have even ids: 75 of 120 dialogues. lives are twelve people of some 22 turns each, with what is to be held at the end,
of whatever type; the writer of rules wrote them before reading any, and has looked at the failures of lives alone.
"""

from __future__ import annotations

import json

import pytest
from smartbrain.v1.item_pb2 import ITEM_STATUS_ACTIVE

from tests.extraction.measure import DIALOGUES, HALVES, LANGUAGES, compare, measured, table
from tests.extraction.measure import Score as Scores
from tests.extraction.reading import item

FLOORS = {
    ("en", "open"): (0.98, 0.95),
    ("en", "held"): (0.86, 0.85),
    ("en", "dev"): (0.88, 0.72),
    ("en", "odd"): (0.85, 0.61),
    ("en", "even"): (0.42, 0.34),
    ("zh", "open"): (0.98, 0.96),
    ("zh", "held"): (0.84, 0.71),
    ("zh", "dev"): (0.91, 0.82),
    ("zh", "odd"): (0.76, 0.64),
    ("zh", "even"): (0.66, 0.50),
    ("zh", "lives"): (0.82, 0.75),
    ("zh", "lives_held"): (0.69, 0.67),
}
"""Precision and recall, all types together, as reached. What is asked of the held halves is 0.95 and 0.80."""


@pytest.mark.parametrize(("lang", "half"), FLOORS)
def test_floor(lang: str, half: str) -> None:
    score = measured(half, lang)
    counts = table(score)
    precision, recall = score.precision(), score.recall()
    del score  # a failure shows counts alone: nobody who writes rules is to read held and even
    assert precision >= FLOORS[lang, half][0], counts
    assert recall >= FLOORS[lang, half][1], counts


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
