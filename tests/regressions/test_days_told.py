"""Days of what was told, which a tester found a week, a month or a year off."""

from __future__ import annotations

import pytest
from google.protobuf.timestamp_pb2 import Timestamp
from smartbrain.v1.event_pb2 import Message

from brain_core import Brain
from brain_core.extract.known import value_of
from brain_core.store import items
from tests.building import fresh, turn

DAY_SAID = "2026-11-02T12:00:00Z"
"""A Monday."""


CASES = [
    # A weekday with the day of a month that is not named: not just the next such weekday.
    ("landlord's sending someone for the boiler on Monday the 30th", "2026-11-30"),
    ("parents' evening is on Thursday the 26th at 18:30", "2026-11-26"),
    ("the viewing is Friday the 20th at five", "2026-11-20"),
    ("the viewing is on Friday at five", "2026-11-06"),
    ("消防验收定在下周四，十九号上午", "2026-11-19"),
    ("消防验收定在下周四，十二号上午", "2026-11-12"),
    # A verb of the past in another part of the sentence: the day is not of last year.
    ("start on the 6th of December, handed my notice in yesterday", "2026-12-06"),
    ("we signed for the flat, move on 24 December", "2026-12-24"),
    ("Tomasz handed in his notice, last day 31 December", "2026-12-31"),
    ("they moved the exam to 8 December", "2026-12-08"),
    ("They pushed my dentist appointment back to the 3rd of December", "2026-12-03"),
    ("I told the landlord we leave on 31 January", "2027-01-31"),
    ("We got married on 8 December", "2025-12-08"),
    ("The basement flooded on 20 December", "2025-12-20"),
    ("I went to Rome, 5 December", "2025-12-05"),
    # What nobody plans is over.
    ("third outage, Saturday, 12 minutes, a bad migration", "2026-10-31"),
    ("planned outage on Saturday for the migration", "2026-11-07"),
    # A year alone.
    ("my dad died in 2018", "2018-01-01"),
    ("i broke my leg in 2012 skiing", "2012-01-01"),
    # The day in the part after.
    ("我爸下个月来做手术，十二月十六号", "2026-12-16"),
    ("我搬家了，八月十二号搬的", "2026-08-12"),
    ("我搬家了", "2026-11-02"),
    # Put off, though with 了.
    ("手术推到一号了", "2026-12-01"),
    ("交付推迟到1号了", "2026-12-01"),
    ("会议改到5号了", "2026-11-05"),
    # Who is moved to another day is expected then, though with a verb of the past.
    ("dentist moved me to thursday", "2026-11-05"),
    ("the clinic pushed us back to the 12th", "2026-11-12"),
    ("My boss moved me to the 8th of November for the interview", "2026-11-08"),
    ("the vet moved Tom to Friday", "2026-11-06"),
    ("牙医把我改到周四了", "2026-11-05"),
    ("牙医把我挪到周四了", "2026-11-05"),
    # Who is moved somewhere else was, on that day; and a past that is named is past.
    ("dentist moved me to thursday last week", "2026-10-29"),
    ("My manager moved me to the 4th floor on Tuesday", "2026-10-27"),
    ("They moved us to the new office on Thursday", "2026-10-29"),
    ("The nurse moved him to intensive care on Friday", "2026-10-30"),
    ("The company moved me to Berlin on 8 October", "2026-10-08"),
    ("公司上周四把我调到上海了", "2026-10-29"),
    ("周四把我调到上海了", "2026-10-29"),
]


@pytest.mark.parametrize(("text", "day"), CASES)
def test_an_event_has_the_day_that_was_meant(brain: Brain, text: str, day: str) -> None:
    memory, when = fresh(), Timestamp()
    when.FromJsonString(DAY_SAID)
    brain.commit_turn(turn(memory, "s", messages=[Message(role="user", content=text, created_at=when)]))
    assert [value_of(one)["date"] for one in items.scan_items(brain._kv, memory, "events")] == [day]
