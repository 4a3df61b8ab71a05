"""Sentences that were misread in the lives of a carer and a student: what is over, what moved, and who one is."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

from tests.building import FIRST_SECOND, open_brain, say
from tests.extraction.updates import believed

_AT = int(datetime.fromisoformat("2026-11-02T09:00:00+00:00").timestamp()) - FIRST_SECOND
"""A Monday."""

READ = [
    ("flu jab done on Saturday, covid jab he doesn't want", "events", "2026-10-31: flu jab done on Saturday"),
    ("car inspection done on Tuesday", "events", "2026-10-27: car inspection done on Tuesday"),
    ("I get my hair done on Friday", "tasks", "Due: 2026-11-06"),
    ("I have my hair done on Friday", "tasks", "Due: 2026-11-06"),
    (
        "the letter says 3 November 11:15, but I have a training day so I called and moved it to the 5th",
        "events",
        "moved it to the 5th",
    ),
    ("我是浙大的研二学生，叫周亦安，导师是何建平老师", "profile", "name: 周亦安"),
    ("我是做前端的，叫小陈，在成都", "profile", "name: 小陈"),
]


@pytest.mark.parametrize(("told", "kind", "read"), READ)
def test_it_is_read_as_it_was_meant(tmp_path: Path, told: str, kind: str, read: str) -> None:
    with open_brain(tmp_path) as brain:
        brain.commit_turn(say("m", "s", told, at=_AT))
        assert any(read in text for each, text in believed(brain, "m") if each == kind)


NOT_READ = [
    ("I get my hair done on Friday", "Status: done"),
    ("我搬到本地用VS Code编译了", "home"),
    ("我是浙大的研二学生，叫周亦安，导师是何建平老师", "研二学生，"),
    ("我是一家奶茶店的店长，叫于记", "name:"),
    ("我在做一个项目，叫小鹿", "name:"),
]


@pytest.mark.parametrize(("told", "misread"), NOT_READ)
def test_nothing_is_read_that_was_not_said(tmp_path: Path, told: str, misread: str) -> None:
    with open_brain(tmp_path) as brain:
        brain.commit_turn(say("m", "s", told, at=_AT))
        assert not any(misread in text for _, text in believed(brain, "m"))
