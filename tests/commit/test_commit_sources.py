"""Who said it counts: the user's word stays that whoever says it again, and a guess replaces nothing that is surer."""

from __future__ import annotations

from typing import Any

import pytest
from smartbrain.v1.item_pb2 import ITEM_SOURCE_MERGED, ITEM_SOURCE_TOOL, ITEM_SOURCE_USER, ItemSource, MemoryItem
from smartbrain.v1.memory_service_pb2 import ListItemsRequest

from brain_core import Brain
from tests.building import pref, say, turn
from tests.commit.drafting import decisions, draft, give, item_at, value_at, verdict_on

THEME = {"scope": "ui", "name": "theme"}
PORT = {"slug": "port"}


@pytest.mark.parametrize("again", ["dark mode", "Dark mode."])
@pytest.mark.parametrize("source", ["TOOL", "IMPORT", "SYSTEM", "INFERENCE", "OBSERVATION"])
def test_who_echoes_the_user_does_not_take_over(brain: Brain, source: str, again: str) -> None:
    give(brain, draft("preferences", {**THEME, "value": "dark mode"}))
    assert decisions(give(brain, draft("preferences", {**THEME, "value": again}, source=source))) == [
        ("overwrite", "refreshed")
    ]
    assert item_at(brain, "preferences", "pref:ui:theme").source == ITEM_SOURCE_USER
    guess = brain.commit_turn(turn("m", "s", preferences=[pref("theme", "light mode", scope="ui", confirmed=False)]))
    assert decisions(guess) == [("overwrite", "kept")]
    assert value_at(brain, "preferences", "pref:ui:theme")["value"] == "dark mode"


@pytest.mark.parametrize("words", ["I prefer dark mode.", "我喜欢深色模式。"])
def test_a_tool_that_echoes_what_was_said_leaves_it_the_users(brain: Brain, words: str) -> None:
    brain.commit_turn(say("m", "s", words))
    [held] = [item for item in _all(brain) if item.type in {"preferences", "knowledge", "profile"}]
    echo = draft(held.type, value_at(brain, held.type, held.key), source="TOOL")
    give(brain, echo)
    assert item_at(brain, held.type, held.key).source == ITEM_SOURCE_USER


def _all(brain: Brain) -> list[MemoryItem]:
    return list(brain.list_items(ListItemsRequest(memory_id="m")).items)


def test_a_tool_replaces_no_knowledge_that_the_user_told_and_a_tool_said_again(brain: Brain) -> None:
    for source in ("USER", "TOOL"):
        give(brain, draft("knowledge", {**PORT, "content": "a one"}, source=source))
    assert decisions(give(brain, draft("knowledge", {**PORT, "content": "b two"}, source="TOOL"))) == [
        ("knowledge", "kept")
    ]
    assert value_at(brain, "knowledge", "knowledge:fact:port")["content"] == "a one"


def test_what_the_user_says_again_is_the_users_word_from_then_on(brain: Brain) -> None:
    for source in ("TOOL", "USER"):
        give(brain, draft("knowledge", {**PORT, "content": "a one"}, source=source))
    item = item_at(brain, "knowledge", "knowledge:fact:port")
    assert (item.source, item.confidence) == (ITEM_SOURCE_USER, 0.9)
    answer = give(brain, draft("knowledge", {**PORT, "content": "b two"}, source="TOOL"))
    assert decisions(answer) == [("knowledge", "kept")]


@pytest.mark.parametrize("guess", ["INFERENCE", "OBSERVATION", "ASSISTANT"])
@pytest.mark.parametrize("source", ["TOOL", "SYSTEM", "IMPORT"])
@pytest.mark.parametrize(
    ("item_type", "key", "one", "other"),
    [
        ("decisions", "decision:default:db", {"topic": "db", "decision": "MySQL"}, {"topic": "db", "decision": "其他"}),
        ("knowledge", "knowledge:fact:port", {**PORT, "content": "端口 1"}, {**PORT, "content": "It is 2"}),
        ("tasks", "task:default:1", {"task_id": "1", "status": "done"}, {"task_id": "1", "status": "todo"}),
    ],
)
def test_a_guess_does_not_replace_what_is_surer(
    brain: Brain, item_type: str, key: str, one: dict[str, Any], other: dict[str, Any], source: str, guess: str
) -> None:
    give(brain, draft(item_type, one, source=source))
    before = value_at(brain, item_type, key)
    answer = give(brain, draft(item_type, other, source=guess))
    assert verdict_on(answer, "items[0]").verdict == "event_only"
    assert [decision for _, decision in decisions(answer)] == ["kept"]
    assert value_at(brain, item_type, key) == before
    give(brain, draft(item_type, other, source="TOOL"))
    assert value_at(brain, item_type, key) != before


def test_a_guess_replaces_a_guess_that_is_no_surer(brain: Brain) -> None:
    for value in ("dark", "light"):
        give(brain, draft("preferences", {**THEME, "value": value}, source="INFERENCE"))
    assert value_at(brain, "preferences", "pref:ui:theme")["value"] == "light"
    give(brain, draft("preferences", {**THEME, "value": "sepia"}, source="TOOL"))
    item = item_at(brain, "preferences", "pref:ui:theme")
    assert (item.source, item.version) == (ITEM_SOURCE_TOOL, 3)


@pytest.mark.parametrize("guesses", [["INFERENCE", "INFERENCE"], ["OBSERVATION", "INFERENCE", "ASSISTANT"]])
def test_merged_guesses_are_not_the_users_word(brain: Brain, guesses: list[str]) -> None:
    parts = [
        draft("knowledge", {**PORT, "content": f"zebra 斑马 {number}"}, source=source)
        for number, source in enumerate(guesses)
    ]
    give(brain, *parts)
    item = item_at(brain, "knowledge", "knowledge:fact:port")
    assert (item.source, set(item.merged_sources)) == (
        ITEM_SOURCE_MERGED,
        {ItemSource.Value(f"ITEM_SOURCE_{source}") for source in guesses},
    )
    answer = give(brain, draft("knowledge", {**PORT, "content": "It is 5433"}, source="TOOL"))
    assert decisions(answer) == [("knowledge", "superseded")]
    after = item_at(brain, "knowledge", "knowledge:fact:port")
    assert (after.source, list(after.merged_sources)) == (ITEM_SOURCE_TOOL, [])


def test_what_was_merged_of_the_users_words_is_the_users_word(brain: Brain) -> None:
    give(brain, *(draft("knowledge", {**PORT, "content": f"zebra {number}"}) for number in range(3)))
    item = item_at(brain, "knowledge", "knowledge:fact:port")
    assert (item.source, list(item.merged_sources)) == (ITEM_SOURCE_MERGED, [ITEM_SOURCE_USER])
    for source in ("TOOL", "INFERENCE"):
        answer = give(brain, draft("knowledge", {**PORT, "content": "It is 5433"}, source=source))
        assert decisions(answer) == [("knowledge", "kept")], source
    merged = "zebra 0; zebra 1; zebra 2"
    give(brain, draft("knowledge", {**PORT, "content": merged}, source="TOOL"))
    assert item_at(brain, "knowledge", "knowledge:fact:port").source == ITEM_SOURCE_MERGED
