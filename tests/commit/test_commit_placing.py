"""What is read in a text beside what callers tell: one item, under the key of what it is about."""

from __future__ import annotations

from typing import Any

import pytest
from smartbrain.v1.brain_service_pb2 import CommitTurnResponse
from smartbrain.v1.event_pb2 import Decision, Message, Preference, Task

from brain_core import Brain
from tests.building import pref, turn
from tests.commit.drafting import draft, value_at

DATABASE = "decision:tasting-log:database"
LANGUAGE = "pref:writing:language"
REPORT = "task:tasting-log:R-7"


def said(brain: Brain, text: str, session: str = "s", **items: Any) -> CommitTurnResponse:  # noqa: ANN401
    return brain.commit_turn(turn("m", session, messages=[Message(role="user", content=text)], **items))


def keys(answer: CommitTurnResponse) -> list[str]:
    return [item.key for item in answer.items]


def of(project: str, decision: str) -> Decision:
    return Decision(project=project, topic="database", decision=decision)


@pytest.mark.parametrize("text", ["We decided to use Postgres for the database.", "我们决定数据库用 Postgres。"])
def test_a_decision_read_later_replaces_the_one_that_a_caller_told(brain: Brain, text: str) -> None:
    said(brain, "ok", decisions=[of("tasting-log", "Use SQLite")])
    assert keys(said(brain, text)) == [DATABASE]
    assert "Postgres" in value_at(brain, "decisions", DATABASE)["decision"]


@pytest.mark.parametrize("text", ["OK, decided: SQLite for the database.", "我们决定数据库用 SQLite。"])
def test_what_the_caller_tells_in_the_same_turn_stands_and_is_told_once(brain: Brain, text: str) -> None:
    answer = said(brain, text, decisions=[of("tasting-log", "Use SQLite")])
    assert keys(answer) == [DATABASE]
    assert value_at(brain, "decisions", DATABASE)["decision"] == "Use SQLite"
    [passed] = [one for one in answer.explain.retention if one.path == "messages[0]" and one.span.end]
    assert passed.verdict == "event_only"
    assert passed.reason == "decisions: the caller tells it in the same turn"


def test_a_preference_told_with_its_words_keeps_the_callers_value(brain: Brain) -> None:
    said(brain, "Please answer in French.", preferences=[pref("language", "Swiss French")])
    assert value_at(brain, "preferences", LANGUAGE)["value"] == "Swiss French"


def test_a_guess_of_the_caller_leaves_room_for_what_the_user_says(brain: Brain) -> None:
    said(brain, "Please answer in French.", preferences=[Preference(scope="writing", name="language", value="English")])
    assert "French" in value_at(brain, "preferences", LANGUAGE)["value"]


def test_a_task_is_known_by_its_title_whatever_its_id(brain: Brain) -> None:
    task = Task(project="tasting-log", task_id="R-7", title="Write the report")
    assert keys(said(brain, "Remind me to write the report.", tasks=[task])) == [REPORT]
    assert keys(said(brain, "Remind me to write the report.")) == [REPORT]
    said(brain, "I finished the report.")
    assert value_at(brain, "tasks", REPORT)["status"] == "done"


def test_of_two_projects_that_of_the_session_is_meant(brain: Brain) -> None:
    said(brain, "ok", "one", decisions=[of("tasting-log", "Use SQLite")])
    said(brain, "ok", "two", decisions=[of("shop", "Use MySQL")])
    assert keys(said(brain, "We decided to use Postgres for the database.", "one")) == [DATABASE]
    assert keys(said(brain, "We decided to use Redis for the database.", "two")) == ["decision:shop:database"]
    assert keys(said(brain, "We decided to use Oracle for the database.", "three")) == ["decision:default:database"]


def test_a_session_of_another_project_does_not_replace_the_only_one_there_is(brain: Brain) -> None:
    said(brain, "ok", "one", decisions=[of("tasting-log", "Use SQLite")])
    said(brain, "ok", "two", decisions=[Decision(project="shop", topic="cache", decision="Use Redis")])
    assert keys(said(brain, "We decided to use Postgres for the database.", "two")) == ["decision:default:database"]
    assert value_at(brain, "decisions", DATABASE)["decision"] == "Use SQLite"


def test_of_a_profile_the_facts_that_the_caller_does_not_tell_are_read(brain: Brain) -> None:
    home = draft("profile", {"facts": [{"k": "home", "v": "Bern"}]})
    said(brain, "I live in Basel. I work as a nurse.", items=[home])
    facts = {fact["k"]: fact["v"] for fact in value_at(brain, "profile", "profile:user")["facts"]}
    assert facts["home"] == "Bern"
    assert "nurse" in facts["role"]
