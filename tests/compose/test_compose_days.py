"""Questions about a day, in a memory of one line a day."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from brain_core import Brain
from tests.building import FIRST_SECOND, compose, open_brain, say

FIRST, TODAY = date(2026, 2, 1), date(2026, 5, 15)
LINES = (
    "Had ramen with Tom near the station.", "Went swimming for an hour, forty lengths.",
    "修好了阳台的门，换了新的把手。", "Read two chapters of the Gibbon book.",
    "Met Anna about the budget; we cut the travel line.", "跟小李打羽毛球，输了两局。",
    "Baked sourdough, the crust came out too dark.", "Fixed the leaking tap in the kitchen.",
    "加班到九点，把接口文档写完了。", "Took the cat to the vet, she has a cold.",
    "Watched a film about whales with the kids.", "去超市买了米、鸡蛋和洗衣液。", "Planted tomatoes on the balcony.",
    "Called my mother, we talked about the trip.", "把简历改完，投了三家公司。",
)  # fmt: skip


def seconds(day: date) -> float:
    return datetime(day.year, day.month, day.day, 12, tzinfo=UTC).timestamp() - FIRST_SECOND


@pytest.fixture(scope="module")
def diary(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Brain]:
    folder: Path = tmp_path_factory.mktemp("diary") / "brain"
    with open_brain(folder, policies={"retention": {"learn_from": []}}) as brain:
        for number in range((TODAY - FIRST).days):
            day = FIRST + timedelta(days=number)
            text = f"{LINES[number * 7 % len(LINES)]} (page {number})"
            brain.commit_turn(say("m", f"d{number}", text, at=seconds(day)))
        yield brain


def pages(brain: Brain, message: str) -> list[int]:
    """Return the pages of the diary that a context shows, best first."""
    now = Timestamp()
    now.FromDatetime(datetime(TODAY.year, TODAY.month, TODAY.day, 9, tzinfo=UTC))
    snippets = [one.snippet for one in compose(brain, "m", "new", message, now=now).evidence]
    return [int(one.rsplit("page ", 1)[1].split(")")[0]) for one in snippets]


@pytest.mark.parametrize(
    ("message", "day"),
    [
        ("What did I do yesterday?", date(2026, 5, 14)),
        ("What did I do on April 2?", date(2026, 4, 2)),
        ("What was I up to on March 3?", date(2026, 3, 3)),
        ("Anything I noted on 2026-03-05?", date(2026, 3, 5)),
        ("What did we talk about two days ago?", date(2026, 5, 13)),
        ("What happened last Friday?", date(2026, 5, 8)),
        ("前天我干了什么", date(2026, 5, 13)),
        ("上周五我做了什么", date(2026, 5, 8)),
        ("昨天发生了什么？", date(2026, 5, 14)),
        ("4月2日我都做了些什么", date(2026, 4, 2)),
    ],
)
def test_what_there_was_on_a_day_comes_first(diary: Brain, message: str, day: date) -> None:
    assert pages(diary, message)[0] == (day - FIRST).days


@pytest.mark.parametrize(
    ("message", "day"),
    [
        ("Where did I eat yesterday?", date(2026, 5, 14)),
        ("Who did I meet on April 2?", date(2026, 4, 2)),
        ("我昨天买了什么", date(2026, 5, 14)),
    ],
)
def test_a_question_about_something_on_a_day_finds_the_day_too(diary: Brain, message: str, day: date) -> None:
    assert (day - FIRST).days in pages(diary, message)[:3]


@pytest.mark.parametrize("message", ["When did I take the cat to the vet?", "我什么时候修好阳台的门的？"])
def test_when_something_was_is_found_whenever_it_was(diary: Brain, message: str) -> None:
    line = LINES.index(next(one for one in LINES if ("vet" if message.isascii() else "阳台的门") in one))
    assert {number * 7 % len(LINES) for number in pages(diary, message)[:3]} == {line}


def test_what_is_told_of_another_day_is_found_where_it_fits_better(diary: Brain) -> None:
    found = pages(diary, "What did I watch about whales with the kids yesterday?")
    whales = LINES.index("Watched a film about whales with the kids.")
    assert whales in {number * 7 % len(LINES) for number in found[:3]}
