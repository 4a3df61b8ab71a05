"""What something of one's own is called is kept, and another name takes its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.building import open_brain, say
from tests.extraction.updates import believed

RENAMED = [
    ("thesis title: Urban flooding", "the title was changed to Flood depth", "thesis title: Flood depth"),
    ("The title of my thesis is Urban flooding", "thesis title is Flood depth", "thesis title is Flood depth"),
    ("The working title of my novel is Salt Road", "the title is Salt and Rain now", "my novel is Salt and Rain"),
    ('The title of my thesis is "Urban floods"', 'title changed, it\'s now "Wet feet"', 'my thesis is "Wet feet"'),
    ("our team name is Blue Herons", "the name changed to Red Herons", "our team name is Red Herons"),
    ("论文题目定了：《城市内涝研究》", "题目被导师改了，叫《城市内涝监测》", "论文题目：《城市内涝监测》"),
    ("项目名字叫灯塔", "名字改了，叫北极星", "项目名字：北极星"),
    ("项目名字定了：灯塔", "项目名字改叫北极星了", "项目名字改叫北极星"),
    ('店名定了，叫"半山"', '店名又改了，叫"云下"', '店名："云下"'),
    ("我們樂隊的名字叫灰燼", "名字改成餘燼了", "樂隊名字：餘燼"),
]


@pytest.mark.parametrize(("told", "renamed", "now"), RENAMED)
def test_another_name_takes_the_place_of_the_known_one(tmp_path: Path, told: str, renamed: str, now: str) -> None:
    with open_brain(tmp_path) as brain:
        brain.commit_turn(say("m", "s", told))
        brain.commit_turn(say("m", "s", "What is on today? 今天有什么安排？"))
        brain.commit_turn(say("m", "s", renamed))
        (text,) = [text for kind, text in believed(brain, "m") if kind != "entities"]
    assert text.endswith(now)


UNNAMED = [
    "the title is too long",
    "what's the title?",
    "the name of the file is wrong",
    "the name changed to Red Herons",
    "题目太长了",
    "标题改一下",
    "书名还没想好",
    "帮我想个题目",
    "这篇文章的标题是什么",
    "名字改了，叫北极星",
]


@pytest.mark.parametrize("told", UNNAMED)
def test_what_names_nothing_of_ones_own_is_no_title(tmp_path: Path, told: str) -> None:
    with open_brain(tmp_path) as brain:
        brain.commit_turn(say("m", "s", told))
        assert [text for kind, text in believed(brain, "m") if kind != "entities"] == []
