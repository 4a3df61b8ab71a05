"""Days were UTC days: of all mornings of Asia and evenings of America they were the wrong ones."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from google.protobuf import json_format
from google.protobuf.timestamp_pb2 import Timestamp
from smartbrain.render import render
from smartbrain.v1.brain_service_pb2 import CommitTurnRequest, ComposeContextRequest, ReplayRequest
from smartbrain.v1.context_pb2 import ContextPackage
from smartbrain.v1.event_pb2 import Decision, ItemDraft, Message, TurnEvents
from smartbrain.v1.item_pb2 import ITEM_STATUS_ACTIVE, MemoryItem
from smartbrain.v1.memory_service_pb2 import GetItemRequest, ListItemsRequest, RollbackItemRequest
from smartbrain.v1.plan_pb2 import PlanQuery

from brain_core import Brain, load_policy
from brain_core.errors import InvalidArgument
from brain_core.index import snapshot
from brain_core.text.tokens import whole_tokens
from brain_core.zones import zone_named
from tests.building import embedder, ticking

SHANGHAI, LOS_ANGELES = "Asia/Shanghai", "America/Los_Angeles"
MORNING = "2026-05-12T07:30:00+08:00"  # a Tuesday; in UTC it is Monday still
SUNDAY_NIGHT = "2026-05-31T23:30:00-07:00"  # in UTC it is Monday, and June
BY_THE_SERVER, BY_THE_REQUEST = True, False


@contextmanager
def brain_in(folder: Path, zone: str) -> Iterator[Brain]:
    """Open a brain whose setting is a zone."""
    policy = load_policy({"timezone": zone, "store": {"durability": "process"}})
    with Brain.open(folder, policy, embedder(), ticking()) as brain:
        yield brain


def at(text: str) -> Timestamp:
    stamp = Timestamp()
    stamp.FromJsonString(text)
    return stamp


def said(text: str, when: str, zone: str = "") -> CommitTurnRequest:
    """Return a commit of what Li says, each in a session of its own, so that each has a label of its own."""
    events = TurnEvents(messages=[Message(role="user", speaker="Li", content=text, created_at=at(when))])
    return CommitTurnRequest(memory_id="m", session_id=f"at {when}", turn=events, timezone=zone)


def items(brain: Brain) -> list[MemoryItem]:
    return list(brain.list_items(ListItemsRequest(memory_id="m")).items)


def days(brain: Brain) -> set[str]:
    """Return the days that items say."""
    values = [json_format.MessageToDict(item.value) for item in items(brain)]
    return {value[name] for value in values for name in ("date", "due") if value.get(name)}


def compose(brain: Brain, message: str, **fields: Any) -> ContextPackage:  # noqa: ANN401
    request = ComposeContextRequest(memory_id="m", session_id="new", user_message=message, **fields)
    return brain.compose_context(request).context


def titles(package: ContextPackage) -> set[str]:
    return {evidence.title for evidence in package.evidence}


@pytest.mark.parametrize("whose", [BY_THE_SERVER, BY_THE_REQUEST])
@pytest.mark.parametrize(
    ("zone", "when", "text", "day"),
    [
        (SHANGHAI, MORNING, "明天下午三点我要去面试", "2026-05-13"),
        (SHANGHAI, "2026-05-12T08:30:00+08:00", "明天下午三点我要去面试", "2026-05-13"),
        (SHANGHAI, MORNING, "我昨天搬到了杭州", "2026-05-11"),
        (SHANGHAI, MORNING, "提醒我今天交房租", "2026-05-12"),
        (SHANGHAI, "2026-05-18T06:00:00+08:00", "本周五我要交报告", "2026-05-22"),
        (SHANGHAI, "2026-06-01T07:00:00+08:00", "下个月我要去成都出差", "2026-07-01"),
        (SHANGHAI, MORNING, "I have an interview tomorrow at 3 pm.", "2026-05-13"),
        (LOS_ANGELES, SUNDAY_NIGHT, "I have an interview tomorrow at 3 pm.", "2026-06-01"),
        (LOS_ANGELES, SUNDAY_NIGHT, "I moved to Lyon yesterday.", "2026-05-30"),
        (LOS_ANGELES, SUNDAY_NIGHT, "Remind me to pay the rent today.", "2026-05-31"),
        (LOS_ANGELES, SUNDAY_NIGHT, "My dentist appointment is this Friday.", "2026-06-05"),
        (LOS_ANGELES, SUNDAY_NIGHT, "明天下午三点我要去面试", "2026-06-01"),
        ("UTC", MORNING, "明天下午三点我要去面试", "2026-05-12"),
        ("UTC", SUNDAY_NIGHT, "I have an interview tomorrow at 3 pm.", "2026-06-02"),
    ],
)
def test_a_day_is_counted_from_the_day_where_it_was_said(
    folder: Path, whose: bool, zone: str, when: str, text: str, day: str
) -> None:
    with brain_in(folder, zone if whose is BY_THE_SERVER else "Pacific/Kiritimati") as brain:
        brain.commit_turn(said(text, when, "" if whose is BY_THE_SERVER else zone))
        assert days(brain) == {day}


def test_a_day_that_a_caller_leaves_out_is_the_one_where_the_turn_was_said(folder: Path) -> None:
    with brain_in(folder, SHANGHAI) as brain:
        request = said("ok", MORNING)
        request.turn.decisions.append(Decision(topic="database", decision="Postgres"))
        brain.commit_turn(request)
        [item] = items(brain)
        assert item.value["made_at"] == "2026-05-12"
        assert item.said_at == at(MORNING), "what is stored is the instant"


def test_labels_tell_day_and_hour_where_it_was_said(folder: Path) -> None:
    with brain_in(folder, SHANGHAI) as brain:
        brain.commit_turn(said("The zebra sleeps in the barn.", "2025-03-05T07:30:00+08:00"))
        brain.commit_turn(said("The zebra eats at night.", "2025-03-04T21:30:00-08:00", LOS_ANGELES))
        brain.commit_turn(said("The zebra has a day without an hour.", "2025-03-06T00:00:00+08:00"))
        assert titles(compose(brain, "zebra")) == {"Li, 2025-03-05 07:30", "Li, 2025-03-04 21:30", "Li, 2025-03-06"}


def test_another_setting_titles_the_index_anew_and_leaves_days_and_zones_of_their_own(folder: Path) -> None:
    path = snapshot.snapshot_path(folder / "index", "m")
    with brain_in(folder, "UTC") as brain:
        brain.commit_turn(said("明天下午三点我要去面试", MORNING))
        brain.commit_turn(said("The zebra eats at night.", "2025-03-04T21:30:00-08:00", LOS_ANGELES))
        before = items(brain)
        assert titles(compose(brain, "面试")) >= {"Li, 2026-05-11 23:30"}
    assert snapshot.load(path, embedder().dimension).revision == 2
    with brain_in(folder, SHANGHAI) as brain:
        with pytest.raises(snapshot.SnapshotError, match="titles in Asia/Shanghai"):
            snapshot.load(path, embedder().dimension, zone=zone_named(SHANGHAI))
        assert titles(compose(brain, "面试 zebra")) >= {"Li, 2026-05-12 07:30", "Li, 2025-03-04 21:30"}
        assert items(brain) == before, "a day once resolved stays"
        [answer] = brain.verify("m")
        assert all("titles in" in problem for problem in answer.problems), "the file is as it was until the next save"
    assert snapshot.load(path, embedder().dimension, zone=zone_named(SHANGHAI)).revision == 2
    with brain_in(folder, SHANGHAI) as brain:
        [answer] = brain.verify("m")
        assert not answer.problems
        before_rebuild = titles(compose(brain, "面试 zebra"))
        list(brain.rebuild_index("m"))
        assert titles(compose(brain, "面试 zebra")) == before_rebuild
    with brain_in(folder, "UTC") as brain:
        assert titles(compose(brain, "面试")) >= {"Li, 2026-05-11 23:30"}


def test_what_labels_cost_is_counted_as_they_are_shown(folder: Path) -> None:
    """An index that was titled anew must cost what one that was never titled otherwise does."""

    def shown(brain: Brain) -> tuple[str, dict[str, int]]:
        package = compose(brain, "zebra", token_limit=200)
        return render(package), dict(package.constraints.token_budget.slots)

    texts = [f"The zebra of stable {number} eats hay." for number in range(12)]
    for name, zones in (("grown", ("UTC", SHANGHAI)), ("fresh", (SHANGHAI,))):
        with brain_in(folder / name, zones[0]) as brain:
            for text in texts:
                brain.commit_turn(said(text, "2025-03-04T16:00:00Z"))  # midnight in Shanghai: a shorter label
    with brain_in(folder / "grown", SHANGHAI) as grown, brain_in(folder / "fresh", SHANGHAI) as fresh:
        assert shown(grown) == shown(fresh)


@pytest.mark.parametrize(
    ("message", "zone", "now", "first", "last"),
    [
        ("我昨天说了什么？", SHANGHAI, MORNING, "2026-05-10T16:00:00Z", "2026-05-11T16:00:00Z"),
        ("我上周说了什么？", SHANGHAI, "2026-05-18T06:00:00+08:00", "2026-05-10T16:00:00Z", "2026-05-17T16:00:00Z"),
        ("What did I say yesterday?", LOS_ANGELES, SUNDAY_NIGHT, "2026-05-30T07:00:00Z", "2026-05-31T07:00:00Z"),
        ("What did I say last month?", LOS_ANGELES, SUNDAY_NIGHT, "2026-04-01T07:00:00Z", "2026-05-01T07:00:00Z"),
        ("我昨天说了什么？", "UTC", MORNING, "2026-05-10T00:00:00Z", "2026-05-11T00:00:00Z"),
    ],
)
@pytest.mark.parametrize("whose", [BY_THE_SERVER, BY_THE_REQUEST])
def test_periods_are_those_of_who_asks(
    folder: Path, whose: bool, message: str, zone: str, now: str, first: str, last: str
) -> None:
    with brain_in(folder, zone if whose is BY_THE_SERVER else "Pacific/Kiritimati") as brain:
        brain.commit_turn(said("The zebra eats hay.", now))
        package = compose(brain, message, now=at(now), timezone="" if whose is BY_THE_SERVER else zone)
        narrowed: PlanQuery = package.debug.planner.queries[0]
        period = narrowed.filters.time_range
        assert (getattr(period, "from").ToJsonString(), period.to.ToJsonString()) == (first, last)


def test_a_package_says_which_day_it_is_where_the_request_says_now(folder: Path) -> None:
    with brain_in(folder, SHANGHAI) as brain:
        brain.commit_turn(said("The zebra eats hay.", "2025-03-05T07:30:00+08:00"))
        dated = compose(brain, "zebra", now=at(MORNING))
        assert dated.today == "2026-05-12 (Tue)"
        assert "\nToday: 2026-05-12 (Tue)\n[E1] " in render(dated)
        assert compose(brain, "zebra", now=at(MORNING), timezone=LOS_ANGELES).today == "2026-05-11 (Mon)"
        undated = compose(brain, "zebra")
        assert not undated.today, "nobody knows when it is asked"
        assert "Today" not in render(undated)
        used = dated.constraints.token_budget.slots["evidence"] - undated.constraints.token_budget.slots["evidence"]
        cost = brain._counter.headings_on(dated.today)["evidence"] - brain._counter.headings["evidence"]
        assert 0 < whole_tokens(cost) - 1 <= used <= whole_tokens(cost)


@pytest.mark.parametrize("fields", [{}, {"now": at(MORNING)}, {"now": at(MORNING), "timezone": LOS_ANGELES}])
def test_a_stored_context_replays_the_same(folder: Path, fields: dict[str, Any]) -> None:
    with brain_in(folder, SHANGHAI) as brain:
        brain.commit_turn(said("The zebra eats hay. 斑马吃草。", "2026-05-11T07:30:00+08:00"))
        first = compose(brain, "我昨天说斑马怎么了？", **fields)
        request = ReplayRequest(memory_id="m", context_id=first.context_id)
        again = brain.replay(request)
        assert again.identical, again.changes
        assert not again.notes
        assert again.context.today == first.today
    with brain_in(folder, "Pacific/Kiritimati") as brain:
        moved = brain.replay(request)
        assert "timezone: it has changed since" in list(moved.notes)


def test_an_item_tells_its_days_in_the_zone_it_was_read_in_whatever_changes_it_later(folder: Path) -> None:
    draft = ItemDraft(type="knowledge", valid_from=at("2026-05-12T00:00:00+08:00"))
    draft.value.update({"kind": "fact", "slug": "barn", "content": "The barn is red."})
    with brain_in(folder, "UTC") as brain:
        brain.commit_turn(
            CommitTurnRequest(memory_id="m", session_id="s", turn=TurnEvents(items=[draft]), timezone=SHANGHAI)
        )
        [first] = items(brain)
        key = first.key
        assert first.text.endswith("Valid from: 2026-05-12")
        draft.value["content"] = "The barn is blue."
        brain.commit_turn(CommitTurnRequest(memory_id="m", session_id="s", turn=TurnEvents(items=[draft])))
        [second] = items(brain)
        assert second.text.endswith("Valid from: 2026-05-11"), "read anew, in UTC"
    with brain_in(folder, LOS_ANGELES) as brain:
        back = RollbackItemRequest(memory_id="m", type="knowledge", key=key, version=1)
        assert brain.rollback_item(back).item.text == first.text
        item = brain.get_item(GetItemRequest(memory_id="m", type="knowledge", key=key)).item
        assert (item.status, item.timezone) == (ITEM_STATUS_ACTIVE, SHANGHAI)


@pytest.mark.parametrize("name", ["Mars/Base", "+08:00", "America", "../etc/passwd"])
def test_an_unknown_zone_is_refused_before_any_work(folder: Path, name: str) -> None:
    with brain_in(folder, "UTC") as brain:
        with pytest.raises(InvalidArgument, match="timezone: is unknown"):
            brain.commit_turn(said("zebra", MORNING, name))
        brain.commit_turn(said("zebra", MORNING))
        with pytest.raises(InvalidArgument, match="timezone: is unknown"):
            compose(brain, "zebra", timezone=name)


@pytest.mark.parametrize("when", ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"])
@pytest.mark.parametrize("zone", [SHANGHAI, LOS_ANGELES])
def test_the_ends_of_the_calendar_break_nothing(folder: Path, zone: str, when: str) -> None:
    with brain_in(folder, zone) as brain:
        brain.commit_turn(said("Remind me to pay the rent tomorrow. 我昨天搬到了杭州", when))
        for message in ("What did I say yesterday?", "我明天要做什么？"):
            assert compose(brain, message, now=at(when)).evidence
