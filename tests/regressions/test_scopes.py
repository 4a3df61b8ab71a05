"""What holds for one project, service or language does not replace what holds for another."""

from __future__ import annotations

import pytest
from smartbrain.v1.event_pb2 import Decision

from brain_core import Brain
from tests.building import active, fresh, say, turn


def held(brain: Brain, item_type: str, *texts: str, memory: str = "") -> dict[str, str]:
    """Return the texts of the active items of a type by key, after these messages."""
    memory = memory or fresh()
    for text in texts:
        brain.commit_turn(say(memory, "s", text))
    found = [one for one in active(brain, memory) if one.type == item_type]
    return {one.key: one.text for one in found if not one.HasField("doubted_at")}


APART = [
    ("For the billing project, we decided to use Postgres.", "For the web project, we decided to use MySQL."),
    ("We decided to use Postgres in the billing service.", "We decided to use MySQL in the search service."),
    ("We decided to deploy payments on AWS.", "We decided to deploy search on GCP."),
    ("我们决定 atlas 项目用 Postgres", "我们决定 hermes 项目用 MySQL"),
    ("我们决定支付服务用 Postgres", "我们决定搜索服务用 MySQL"),
]


@pytest.mark.parametrize(("one", "other"), APART)
def test_a_decision_for_another_scope_replaces_nothing(brain: Brain, one: str, other: str) -> None:
    assert len(held(brain, "decisions", one, other)) == 2


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("We decided to use Postgres.", "We decided to use MySQL."),
        ("We decided to use Postgres in the billing service.", "We decided to use MySQL in the billing service."),
        ("We decided to deploy payments on AWS.", "We decided to move payments to GCP."),
        ("我们决定 atlas 项目用 Postgres", "我们决定 atlas 项目改用 MySQL"),
    ],
)
def test_a_decision_for_the_same_scope_replaces_the_old_one(brain: Brain, one: str, other: str) -> None:
    assert len(held(brain, "decisions", one, other)) == 1


@pytest.mark.parametrize("text", ["We decided to use SQLite for web", "web 项目我们决定改用 SQLite"])
def test_a_known_project_that_is_named_is_meant(brain: Brain, text: str) -> None:
    memory = fresh()
    given = [Decision(project=name, topic="database", decision="Postgres") for name in ("web", "billing")]
    brain.commit_turn(turn(memory, "s", decisions=given))
    found = held(brain, "decisions", text, memory=memory)
    assert found.keys() == {"decision:web:database", "decision:billing:database"}
    assert "SQLite" in found["decision:web:database"]
    assert "Postgres" in found["decision:billing:database"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I prefer tabs in Go.", "I prefer spaces in Python."),
        ("I prefer tabs in the billing repo.", "I prefer spaces in the web repo."),
        ("在 Go 里我喜欢用 tab 缩进", "在 Python 里我喜欢用空格缩进"),
    ],
)
def test_a_preference_for_another_language_replaces_nothing(brain: Brain, one: str, other: str) -> None:
    assert len(held(brain, "preferences", one, other)) == 2
