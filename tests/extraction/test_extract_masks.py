"""What of a message is not its writer's words."""

from __future__ import annotations

import pytest

from brain_core.extract.masks import masked, masks

CASES = [
    ('She said "I prefer tabs over spaces" again', "quoted", '"I prefer tabs over spaces"'),
    ("er sagte “I live in Rome” und ging", "quoted", "“I live in Rome”"),
    ("他说「我决定明天辞职去北京」然后走了", "quoted", "「我决定明天辞职去北京」"),
    ("he told me 'I quit my job' today", "quoted", "'I quit my job'"),
    ("look:\n```python\nmy_name = 1\n```\nok", "code", "```python\nmy_name = 1\n```"),
    ("what does `print('I live in Rome')` do", "code", "`print('I live in Rome')`"),
    ("> I like it\nso what", "email", "> I like it"),
    ("2026-03-18 03:11:02 WARN I decided\nwhy", "log", "2026-03-18 03:11:02 WARN I decided"),
    ("Summarise this mail: Hi all, I have decided to leave.", "pasted", " Hi all, I have decided to leave."),
    ("翻译下面这段话：我住在上海。", "pasted", "我住在上海。"),
    ("Translate to Chinese: I live in Berlin and I eat nuts.", "pasted", " I live in Berlin and I eat nuts."),
    ("Fix the grammar: I works at Google", "pasted", " I works at Google"),
    ("Could you proofread: I prefer tabs.", "pasted", " I prefer tabs."),
    ("Summarize: I prefer tabs. We use Postgres.", "pasted", " I prefer tabs. We use Postgres."),
    ("Write an email to Bob: I live in Berlin now.", "pasted", " I live in Berlin now."),
    ("Please draft a cover letter: I have worked at Bosch.", "pasted", " I have worked at Bosch."),
    ("My friend Jo wrote: I moved to Hamburg. I work at Bosch.", "quoted", " I moved to Hamburg. I work at Bosch."),
    ("Error log:\nWe decided to abort\nRemember to VACUUM", "log", "We decided to abort\nRemember to VACUUM"),
    ("npm ERR! Remember to run npm login", "log", "npm ERR! Remember to run npm login"),
    ("翻译成英文：我住在柏林，我对坚果过敏。", "pasted", "我住在柏林，我对坚果过敏。"),
    ("帮我写一封邮件给小王：我下周搬到杭州。", "pasted", "我下周搬到杭州。"),
    ("同事说：我决定辞职了。", "quoted", "我决定辞职了。"),
    ("user: I live in Rome\nassistant: ok", "transcript", "user: I live in Rome"),
    ("[preferences:pref:ui:theme]\nThe user prefers (ui) theme: dark", "echo", "[preferences:pref:ui:theme]"),
    ("[E1] Theme — smartbrain://items/1\n  dark mode\n\nand now?", "echo", "[E1] Theme — smartbrain://items/1"),
]


@pytest.mark.parametrize(("text", "name", "covered"), CASES)
def test_covers(text: str, name: str, covered: str) -> None:
    found = {text[each.start : each.stop]: each.name for each in masks(text)}
    assert found.get(covered) == name, found


@pytest.mark.parametrize(
    "text",
    [
        'call the repo "atlas" please',
        "run `make deploy` before a release",
        "I don't like it and that's fine",
        "note: I live in Oslo",
        "Write this down: I live in Oslo",
        "Edit: I actually live in Oslo",
        "I wrote a letter to Bob. My plan: I move to Oslo",
        "One thing: I prefer short answers",
        "简单说：我住在上海",
        "todo: fix it\ntask: test it",
        "把项目叫做「灯塔」吧",
    ],
)
def test_leaves_names_and_the_own_words(text: str) -> None:
    assert masks(text) == []


def test_what_is_covered_keeps_its_place() -> None:
    text = "a ```\nx\n``` b"
    assert masked(text, []) == text
    hidden = masked(text, masks(text))
    assert len(hidden) == len(text)
    assert hidden.count("\n") == text.count("\n")
