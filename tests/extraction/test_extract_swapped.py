"""What takes the place of what was chosen is written where that stood, under its key or one made of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.building import open_brain, say
from tests.extraction.updates import believed

SWAPS = [
    ("We deploy on Fly.io.", "we changed our mind on Fly, going with Hetzner. cheaper", "We deploy on Hetzner"),
    ("Our CI runs on Jenkins.", "We changed our minds about Jenkins, going with Argo", "Our CI runs on Argo"),
    ("We decided to use Redux.", "changed our minds about Redux, we'll use Zustand", "We decided to use Zustand"),
    ("We use Jira for tickets.", "we've ditched Jira for Linear", "We use Linear for tickets"),
    ("I live in Leeds.", "just moved to York!", "York"),
    ("我的房东是王姐。", "房东换成李哥了", "李哥"),
    ("我的房东是王姐。", "房子换房东了，现在是李哥。", "李哥"),
    ("我的手机是小米14。", "手机换了，现在是华为", "华为"),
    ("我们决定用Redux。", "不用Redux了，用Zustand", "我们决定用Zustand"),
    ("我们用Redux管理状态。", "不用Redux了，改用Zustand", "我们用Zustand管理状态"),
    ("我们用阿里云部署。", "不用阿里云了，换成腾讯云", "我们用腾讯云部署"),
]


@pytest.mark.parametrize(("fact", "change", "now"), SWAPS)
def test_the_new_value_stands_where_the_old_one_stood(tmp_path: Path, fact: str, change: str, now: str) -> None:
    with open_brain(tmp_path) as brain:
        brain.commit_turn(say("m", "s", fact))
        brain.commit_turn(say("m", "s", change, at=86_400))
        (told,) = [text for kind, text in believed(brain, "m") if kind != "entities"]
        assert now in told


@pytest.mark.parametrize(
    "other",
    [
        "we changed our mind on the colour, going with blue",
        "不用麻烦了，用微信说吧",
        "we dropped by for tea",
        "他们换房东了，现在是李哥",
    ],
)
def test_what_is_known_of_something_else_stays(tmp_path: Path, other: str) -> None:
    with open_brain(tmp_path) as brain:
        brain.commit_turn(say("m", "s", "We deploy on Fly.io.", "我们用阿里云部署。"))
        before = set(believed(brain, "m"))
        brain.commit_turn(say("m", "s", other, at=86_400))
        assert before <= set(believed(brain, "m"))
