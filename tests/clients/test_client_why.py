"""`brain why` and `brain contexts`: a stored context explained, and what would differ today."""

import json

import pytest
from smartbrain import Client
from smartbrain.v1.plan_pb2 import PlanFilters, PlanQuery, RetrievalPlan

from tests.clients.command import Brain
from tests.clients.test_client_items import columns
from tests.serving import Server


@pytest.fixture
def asked(server: Server, memory_id: str) -> list[str]:
    """Give the ids of two contexts of a memory, oldest first."""
    with Client(server.target, memory_id=memory_id) as client:
        client.commit("chat", [{"role": "user", "content": "We decided to use SQLite. 我喜欢喝龙井茶。"}])
        client.commit("其他", [{"role": "user", "content": "\x1b[2J 斑马 zebra\nzebra"}])
        questions = ("Which database did we decide on?", "我喜欢喝什么？ And the zebra 斑马?")
        return [client.compose("chat", each, token_limit=600).context.context_id for each in questions]


def test_why_tells_all_of_the_newest_context(brain: Brain, memory_id: str, asked: list[str]) -> None:
    told = brain("--memory", memory_id, "why")
    assert told == brain("--memory", memory_id, "why", asked[1])
    assert told.startswith(f"Context {asked[1]} of chat, ")
    for part in (
        *("\nQuestion: 我喜欢喝什么？", "\nPlan: qa. ", "\n  hybrid × 1: ", "\nKept:\n  E1 ", "\nDropped:\n"),
        *("stands in recent_turns", " of 600 (counter approx-3)", "\nTimings: ", "search ", ", total "),
    ):
        assert part in told
    assert "\x1b" not in told
    slots = told.partition("  SLOT")[2].splitlines()
    assert slots[0].split() == ["USED", "LIMIT"]
    limits = {row.split()[0]: row.split()[2] for row in slots[1:] if row.startswith("  ")}
    assert limits["user_message"] == limits["evidence"] == "-"
    assert limits["recent_turns"] == "2000"


def test_contexts_are_a_table_newest_first(brain: Brain, memory_id: str, asked: list[str]) -> None:
    heading, *rows = brain("--memory", memory_id, "contexts").splitlines()
    assert heading.split() == ["CONTEXT", "COMPOSED", "REV", "TOKENS", "SESSION", "QUESTION"]
    assert [row.split()[0] for row in rows] == asked[::-1]
    assert "我喜欢喝什么？" in rows[0]
    places = {columns(row[: row.index(" chat ")]) for row in rows}
    assert places == {columns(heading[: heading.index(" SESSION")])}
    assert len(brain("--memory", memory_id, "contexts", "--limit", "1").splitlines()) == 2
    listed = json.loads(brain("--memory", memory_id, "contexts", "--format", "json"))["contexts"]
    assert [each["context_id"] for each in listed] == asked[::-1]


def test_a_replay_tells_what_differs_and_why(server: Server, brain: Brain, memory_id: str, asked: list[str]) -> None:
    assert "\nIdentical." in brain("--memory", memory_id, "why", "--replay")
    stored = json.loads(brain("--memory", memory_id, "why", "--format", "json"))
    assert stored["context"]["context_id"] == asked[1]
    with Client(server.target, memory_id=memory_id) as client:
        question = "Which database did we decide on?"
        plan = RetrievalPlan(queries=[PlanQuery(text=question, filters=PlanFilters(types=["decisions"]))])
        first = client.compose("new", question, token_limit=600, plan=plan).context.context_id
        client.commit("其他", [{"role": "user", "content": "Actually, we go with Postgres instead of SQLite."}])
    told = brain("--memory", memory_id, "why", first, "--replay")
    assert "\nThen revision 2, now 3; plan: caller\n" in told
    assert "(superseded by version 2 at revision 3)" in told
    assert "(version 2, written at revision 3)" in told
    assert "\n  ~ changed used: " in told
    found = json.loads(brain("--memory", memory_id, "why", first, "--replay", "--format", "json"))
    assert {"gone", "new"} <= {each["kind"] for each in found["changes"]}


def test_what_is_not_there_is_said_in_one_line(brain: Brain, memory_id: str) -> None:
    def refused(*arguments: str) -> str:
        ended = brain.run("--memory", memory_id, *arguments)
        assert ended.returncode == 1
        assert len(ended.stderr.splitlines()) == 1
        return ended.stderr

    assert "there is no memory" in refused("why")
    brain("--memory", memory_id, "commit", "chat", "--message", "All is well.")
    assert "keeps no context yet" in refused("why")
    assert brain("--memory", memory_id, "contexts") == "no contexts\n"
    for arguments in (["why", "nope"], ["why", "nope", "--replay"]):
        assert "keeps no context 'nope'" in refused(*arguments)
