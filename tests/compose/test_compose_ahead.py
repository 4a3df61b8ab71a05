"""What is planned is found by its own day, whenever it was said and in whatever words."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from google.protobuf.timestamp_pb2 import Timestamp
from smartbrain.v1.context_pb2 import ContextPackage
from smartbrain.v1.event_pb2 import Event, Message, Task, Turn, TurnEvents
from smartbrain.v1.item_pb2 import ITEM_STATUS_ACTIVE, AsOf, MemoryItem
from smartbrain.v1.plan_pb2 import DayRange, PlanFilters

from brain_core import Brain
from brain_core.compose.own_days import day_range, rows_about
from brain_core.errors import InvalidArgument
from brain_core.index.chunks import ChunkTable
from brain_core.index.derive import item_chunk, own_day, turn_chunks
from brain_core.store.v1.records_pb2 import ChunkRecord
from tests.building import compose, open_brain, plan, retrieve, turn

NOW = datetime(2026, 11, 23, 9, tzinfo=UTC)  # a Monday
_MEMORIES = map("m{}".format, itertools.count())

LIVES = {
    "en": [
        ("2026-10-12", "I'm booked for a blood test on the 3rd of December at ten past nine."),
        ("2026-11-09", "The landlord is sending someone for the boiler on 30 November, between 8 and 12."),
        ("2026-11-16", "The dentist's appointment is on 1 December, quarter to four."),
        ("2026-11-16", "The work do is on 4 December, at the Fleece."),
        ("2026-11-21", "I have tickets for the lights in Otley on 28 November."),
        ("2026-11-22", "The concert with the choir is on 13 December."),
    ],
    "zh": [
        ("2026-10-12", "抽血检查定在十二月三号上午。"),
        ("2026-11-09", "修锅炉的十一月三十号上午来。"),
        ("2026-11-16", "牙医约在十二月一号下午三点三刻。"),
        ("2026-11-16", "公司聚餐定在十二月四号，老地方。"),
        ("2026-11-21", "我买了十一月二十八号看灯展的票。"),
        ("2026-11-22", "合唱团的音乐会定在十二月十三号。"),
    ],
}
CHATTER = {
    "en": [
        "Next week is going to be better, I hope.", "What have I got against mornings, I wonder.",
        "I got on with the neighbours at last.", "The cat slept on my keyboard again.",
        "Last week on the train somebody sang for an hour.", "The bus was late on Tuesday.",
        "We are doing fine, thanks for asking.", "The soup was too salty on Saturday.",
    ],
    "zh": [
        "希望下周能好一点。", "这周我没什么事，睡了一天。", "下周的天气好像也不好。", "猫又睡在我的键盘上了。",
        "上周我有什么事都记不清了。", "周二的公交车又晚点了。", "我们都挺好的，谢谢。", "周六的汤太咸了。",
    ],
}  # fmt: skip
NEXT_WEEK = {
    "en": ["30 November", "1 December", "3rd of December", "4 December"],
    "zh": ["三十号", "十二月一号", "十二月三号", "十二月四号"],
}


def at(day: str) -> Timestamp:
    found = Timestamp()
    found.FromJsonString(f"{day}T18:00:00Z")
    return found


def now() -> Timestamp:
    found = Timestamp()
    found.FromDatetime(NOW)
    return found


def tell(brain: Brain, memory: str, day: str, text: str) -> None:
    brain.commit_turn(turn(memory, f"s{day}", messages=[Message(role="user", content=text, created_at=at(day))]))


def ask(brain: Brain, memory: str, message: str, token_limit: int = 512) -> ContextPackage:
    return compose(brain, memory, "new", message, now=now(), token_limit=token_limit)


def shown(package: ContextPackage) -> str:
    return "\n".join(one.snippet for one in package.evidence)


@pytest.fixture(scope="module")
def brain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Brain]:
    with open_brain(Path(tmp_path_factory.mktemp("ahead"))) as opened:
        for language, life in LIVES.items():
            for number in range(40):
                text = CHATTER[language][number % len(CHATTER[language])]
                tell(opened, language, f"2026-{3 + number // 10:02d}-{1 + number % 28:02d}", f"{text} ({number})")
            for day, text in life:
                tell(opened, language, day, text)
        yield opened


@pytest.mark.parametrize(
    ("memory", "question"),
    [
        ("en", "What have I got on next week?"),
        ("en", "what's happening next week?"),
        ("en", "What is on next week for us?"),
        ("zh", "下周我有哪些安排？"),
        ("zh", "下周有什么事"),
        ("zh", "下周我们家有什么事？"),
    ],
)
def test_all_that_is_planned_for_next_week_stands_in_a_small_package(brain: Brain, memory: str, question: str) -> None:
    package = ask(brain, memory, question)
    assert [day for day in NEXT_WEEK[memory] if day not in shown(package)] == []
    assert "days to come 2026-11-30 to 2026-12-07, preferred" in package.debug.planner.reason
    assert "is of the days asked for" in package.debug.why_selected[0].reason
    assert not any(query.filters.HasField("time_range") for query in package.debug.planner.queries)


@pytest.mark.parametrize(
    ("memory", "question", "wanted"),
    [
        ("en", "anything on this Saturday?", "28 November"),
        ("en", "What am I doing on 1 December?", "1 December"),
        ("en", "am I free on Saturday?", "28 November"),
        ("zh", "我周六有空吗？", "二十八号"),
        ("zh", "十二月四号有什么事", "十二月四号"),
    ],
)
def test_what_is_of_the_day_comes_first(brain: Brain, memory: str, question: str, wanted: str) -> None:
    assert wanted in ask(brain, memory, question).evidence[0].snippet


def test_where_nothing_is_known_of_the_days_the_message_is_asked_as_it_stands(brain: Brain) -> None:
    package = ask(brain, "en", "what am I doing on 17 January?")
    assert [query.filters.ListFields() for query in package.debug.planner.queries] == [[]]
    assert "of which nothing is known" in package.debug.planner.reason
    assert package.evidence


def test_what_is_said_in_other_words_is_not_hidden(brain: Brain) -> None:
    assert "keyboard" in shown(ask(brain, "en", "will the cat sleep on my keyboard next week?"))
    assert "键盘" in shown(ask(brain, "zh", "下周猫还要睡在我的键盘上吗"))


def events(*days: tuple[str, str]) -> list[Event]:
    return [Event(date=day, title=title) for day, title in days]


def test_tasks_are_found_by_when_they_are_due(brain: Brain) -> None:
    memory = next(_MEMORIES)
    tasks = [Task(task_id="form", title="send the form", due="2026-12-02"), Task(task_id="boots", title="buy boots")]
    brain.commit_turn(turn(memory, "s", tasks=tasks))
    package = ask(brain, memory, "what do I have to do next week?")
    assert "send the form" in package.evidence[0].snippet
    assert "is of the days asked for" in package.debug.why_selected[0].reason


def test_what_was_replaced_or_called_off_is_not_of_its_day(brain: Brain) -> None:
    memory = next(_MEMORIES)
    tell(brain, memory, "2026-10-01", "The concert is on 2 December.")
    before = ask(brain, memory, "what's on next week?")
    assert "is of the days asked for" in before.debug.why_selected[0].reason
    tell(brain, memory, "2026-11-01", "The concert is moved to 4 December.")
    tell(brain, memory, "2026-11-02", "Dinner with Ann is on 3 December.")
    tell(brain, memory, "2026-11-03", "Dinner with Ann on 3 December is cancelled.")
    found = retrieve(brain, memory, plan("concert dinner", filters=PlanFilters(days=DayRange(to="2027-01-01"))))
    texts = [one.snippet for one in found.evidences]
    assert any("4 December" in one for one in texts)
    assert not any(one == "The concert is on 2 December." for one in texts)
    assert not any("Dinner" in one for one in texts)


def item(name: str, day: str, message: str, doubted: Timestamp | None = None) -> ChunkRecord:
    value = {"date": day, "title": name}
    told = MemoryItem(
        id=name, version=1, type="events", text=name, status=ITEM_STATUS_ACTIVE, session_id="s", source_turn_id="t",
        source_message_id=message, said_at=at("2026-10-12"), updated_at=at("2026-10-12"), doubted_at=doubted,
    )  # fmt: skip
    told.value.update(value)
    return item_chunk(told)


def test_a_message_is_of_the_days_of_its_items_unless_they_are_in_doubt() -> None:
    spoken = [
        Message(message_id=name, role="user", content=f"{name} " * 30, created_at=at("2026-10-12")) for name in "abc"
    ]
    said = [*turn_chunks("m", Turn(turn_id="t", session_id="s", events=TurnEvents(messages=spoken)), 0, 40)]
    items = [
        item("sure", "2026-12-01", "a"),
        item("doubted", "2026-12-02", "b", doubted=at("2026-11-01")),
        item("later", "2027-12-02", "c"),
    ]
    table = ChunkTable()
    for chunk in (*said, *items):
        table.add(chunk, 10, 10)
    rows = rows_about(table, DayRange(**{"from": "2026-11-30", "to": "2026-12-07"}), None)
    names = {name.split("#")[0] for name in table.records.ids(rows.nonzero()[0].tolist())}
    assert names == {"t:a", "sure:1", "doubted:1"}
    assert sum(name.startswith("t:a") for name in table.records.ids(rows.nonzero()[0].tolist())) > 1, "all its windows"


@pytest.mark.parametrize(
    ("item_type", "fields", "day"),
    [
        ("events", {"date": "2026-12-01"}, "2026-12-01"),
        ("tasks", {"due": "2026-12-01"}, "2026-12-01"),
        ("tasks", {"title": "x", "due": ""}, None),
        ("decisions", {"made_at": "2026-12-01"}, None),
    ],
)
def test_an_item_has_a_day_of_its_own(item_type: str, fields: dict[str, str], day: str | None) -> None:
    told = MemoryItem(type=item_type)
    told.value.update(fields)
    assert own_day(told) == (date.fromisoformat(day).toordinal() if day else 0)


def test_what_holds_from_a_day_on_is_of_that_day_where_it_was_said() -> None:
    told = MemoryItem(type="knowledge", timezone="Asia/Shanghai")
    told.valid_from.FromJsonString("2026-11-30T16:00:00Z")
    assert own_day(told) == date(2026, 12, 1).toordinal()


def test_a_question_of_a_past_day_finds_what_was_told_later_of_it(brain: Brain) -> None:
    memory = next(_MEMORIES)
    tell(brain, memory, "2026-11-03", "The weather is grey today, what did I do to deserve it.")
    tell(brain, memory, "2026-11-20", "We went to the seal sanctuary on 3 November.")
    for number in range(20):
        tell(brain, memory, f"2026-10-{number + 1:02d}", f"What did I do today? Nothing, {number}.")
    package = ask(brain, memory, "what did I do on 3 November?", 256)
    assert "seal sanctuary" in shown(package)
    assert "or told of these days later" in package.debug.planner.reason


def test_the_days_of_a_moment_are_what_was_believed_then(brain: Brain) -> None:
    memory = next(_MEMORIES)
    brain.commit_turn(turn(memory, "s", events=events(("2026-12-02", "regatta"))))
    brain.commit_turn(turn(memory, "s", events=events(("2026-12-03", "vernissage"))))
    package = compose(brain, memory, "new", "what's on next week?", now=now(), as_of=AsOf(revision=1))
    assert ["regatta" in shown(package), "vernissage" in shown(package)] == [True, False]


DAYS = [
    (DayRange(**{"from": "2026-12-02", "to": "2026-12-03"}), {"regatta"}),
    (DayRange(**{"from": "2026-12-03"}), {"vernissage"}),
    (DayRange(to="2026-12-03"), {"regatta"}),
    (DayRange(), {"regatta", "vernissage"}),
]


@pytest.mark.parametrize(("days", "wanted"), DAYS, ids=[str(one).replace("\n", " ") for one, _ in DAYS])
def test_a_plan_may_ask_for_days(brain: Brain, days: DayRange, wanted: set[str]) -> None:
    memory = next(_MEMORIES)
    brain.commit_turn(turn(memory, "s", events=events(("2026-12-02", "regatta"), ("2026-12-03", "vernissage"))))
    tell(brain, memory, "2026-12-02", "A day of rain.")
    found = retrieve(brain, memory, plan("regatta vernissage rain", filters=PlanFilters(days=days)))
    texts = " ".join(one.snippet for one in found.evidences)
    assert {name for name in ("regatta", "vernissage", "of rain") if name in texts} == wanted


@pytest.mark.parametrize(
    ("days", "field"),
    [
        (DayRange(to="tomorrow"), "plan.global_filters.days.to"),
        (DayRange(**{"from": "2026-02-30"}), "plan.global_filters.days.from"),
        (DayRange(**{"from": "2026-W10"}), "plan.global_filters.days.from"),
        (DayRange(**{"from": "2026-12-03", "to": "2026-12-03"}), "plan.global_filters.days"),
    ],
)
def test_days_that_are_none_are_refused(brain: Brain, days: DayRange, field: str) -> None:
    with pytest.raises(InvalidArgument) as refused:
        retrieve(brain, "en", plan("x", filters=PlanFilters(days=days)))
    assert refused.value.field == field


def test_a_range_is_written_as_it_is_read() -> None:
    assert day_range(NOW.date(), NOW.date().replace(day=24)) == DayRange(**{"from": "2026-11-23", "to": "2026-11-24"})
