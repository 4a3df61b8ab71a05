"""Words that are given to be worked on, or that others have said, teach nothing of the user."""

from __future__ import annotations

import pytest

from brain_core import Brain
from brain_core.store import items
from tests.building import fresh, say

TEXTS = [
    "Translate to Chinese: I live in Berlin and I am allergic to nuts.",
    "Fix the grammar: I am working at Google and I live in Rome",
    "Summarize: I prefer tabs. We decided to use Postgres. Remind me to call Bob.",
    "Write an email to Bob: I live in Berlin now and I work at Bosch.",
    "Draft a cover letter: I have worked at Bosch for ten years and I live in Ulm.",
    "My friend Jo wrote: I moved to Hamburg and I work at Bosch now.",
    "As the song goes, I live in a yellow submarine.",
    "Error log:\nWe decided to abort transaction 42\nRemember to run VACUUM",
    "npm ERR! Remember to run npm login",
    "# Contributing\n\n- Always run the tests before committing\n- We decided to use Postgres\n- I prefer small PRs",
    "翻译成英文：我住在柏林，我对坚果过敏。",
    "帮我改写：我决定辞职了，我住在北京",
    "同事说：我决定辞职了，我住在北京",
]


@pytest.mark.parametrize("text", TEXTS)
def test_words_of_others_teach_nothing(brain: Brain, text: str) -> None:
    memory = fresh()
    brain.commit_turn(say(memory, "s", text))
    assert [one.key for one in items.scan_items(brain._kv, memory) if one.type != "entities"] == []


@pytest.mark.parametrize(
    "text",
    [
        "Translate my last mail, please. And by the way: I live in Berlin.",
        "Edit: I live in Berlin, not in Bonn.",
        "For the record: I live in Berlin.",
        "My friend Jo wrote: come over!\n\nI live in Berlin.",
        "简单说：我住在柏林。",
    ],
)
def test_the_user_s_own_words_beside_them_are_read(brain: Brain, text: str) -> None:
    memory = fresh()
    brain.commit_turn(say(memory, "s", text))
    assert [one.key for one in items.scan_items(brain._kv, memory) if one.type == "profile"] == ["profile:user"]
