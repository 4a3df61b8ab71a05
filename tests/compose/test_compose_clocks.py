"""Recency, ends and "yesterday" are counted from the newest text, and so they are where a clock was ahead."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from google.protobuf.timestamp_pb2 import Timestamp
from smartbrain.v1.event_pb2 import Message
from smartbrain.v1.item_pb2 import AsOf
from smartbrain.v1.memory_service_pb2 import RollbackItemRequest
from smartbrain.v1.plan_pb2 import TimeRange

from brain_core import Brain
from tests.building import Clock, compose, open_by, say, second, turn
from tests.commit.drafting import draft, give

DAY = 86_400


@pytest.fixture
def brain(brain_by_clock: Brain) -> Brain:
    return brain_by_clock


def yesterday(brain: Brain, text: str = "What did we talk about yesterday?", **asked: AsOf) -> str:
    """Return the first day of the time that a question is taken to be about, of one that does not say when it is."""
    ranges: list[TimeRange] = []
    for query in compose(brain, "m", "new", text, **asked).debug.planner.queries:
        ranges += [query.filters.time_range] * query.filters.HasField("time_range")
    days: list[str] = [getattr(one, "from").ToDatetime().date().isoformat() for one in ranges]
    return min(days)


@pytest.mark.parametrize("text", ["What did we talk about yesterday?", "我们昨天聊了什么？"])
@pytest.mark.parametrize("whose", ["server", "caller"])
def test_yesterday_is_counted_rightly_once_a_clock_is_put_right(
    brain: Brain, clock: Clock, folder: Path, text: str, whose: str
) -> None:
    brain.commit_turn(say("m", "s", "The barn is red. 谷仓是红的。"))
    if whose == "server":
        clock.at = 400 * DAY
        brain.commit_turn(say("m", "s", "The barn is blue. 谷仓是蓝的。"))
    else:
        brain.commit_turn(say("m", "s", "The barn is blue. 谷仓是蓝的。", at=400 * DAY))
    assert yesterday(brain, text) == "2024-12-17"
    clock.at = 2 * DAY
    brain.commit_turn(say("m", "s", "The barn is green. 谷仓是绿的。"))
    assert yesterday(brain, text) == "2023-11-15"
    assert yesterday(brain, text, as_of=AsOf(revision=2)) == "2024-12-17"
    assert yesterday(brain, text, as_of=AsOf(revision=3)) == "2023-11-15"
    clock.at = 3 * DAY
    brain.commit_turn(say("m", "s", "The barn is grey. 谷仓是灰的。"))
    assert yesterday(brain, text) == "2023-11-16"
    brain.close()
    for _ in range(2):  # from the file of the index, and without it
        with open_by(clock, folder) as again:
            assert yesterday(again, text) == "2023-11-16"
            assert yesterday(again, text, as_of=AsOf(revision=3)) == "2023-11-15"
        for file in (folder / "index").iterdir():
            file.unlink()


def test_what_ends_is_not_over_for_good_by_one_time_far_ahead(brain: Brain, clock: Clock) -> None:
    tone = {"scope": "writing", "name": "tone", "value": "short"}
    give(brain, draft("preferences", tone, valid_to=second(90 * DAY)))
    at = Timestamp()
    at.FromDatetime(datetime(9999, 12, 31, tzinfo=UTC))
    message = Message(role="user", content="The barn is blue.", created_at=at)
    brain.commit_turn(turn("m", "s", messages=[message]))
    assert not compose(brain, "m", "s", "tone?").system_blocks
    clock.at = 60
    brain.commit_turn(say("m", "s", "The barn is green."))
    assert compose(brain, "m", "s", "tone?").system_blocks
    clock.at = 91 * DAY
    assert not compose(brain, "m", "s", "tone?").system_blocks


def test_what_is_gone_back_to_while_a_clock_is_ahead_is_not_the_newest_text(brain: Brain, clock: Clock) -> None:
    tone = {"scope": "writing", "name": "tone"}
    for value in ("short", "long"):
        give(brain, draft("preferences", {**tone, "value": value}))
    clock.at = 2 * DAY
    brain.commit_turn(say("m", "s", "The barn is green."))
    clock.at = 400 * DAY
    request = RollbackItemRequest(memory_id="m", type="preferences", key="pref:writing:tone", version=1)
    brain.rollback_item(request)
    assert yesterday(brain) == "2023-11-15"


def test_an_import_of_last_year_takes_nobody_back(brain: Brain, clock: Clock) -> None:
    clock.at = 2 * DAY
    brain.commit_turn(say("m", "s", "The barn is green."))
    brain.commit_turn(say("m", "old", "The barn is red.", at=-365 * DAY))
    assert yesterday(brain) == "2023-11-15"
