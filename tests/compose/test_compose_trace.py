"""What a package tells of how it came about, with its trace, without it, and with one for a share of packages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from smartbrain.v1.brain_service_pb2 import ComposeContextRequest, ComposeContextResponse, GetContextRequest

from brain_core import Brain
from brain_core.compose.draft import Contents
from tests.building import compose, open_brain, plan, say

MESSAGES = [f"where does zebra {number} live? 斑马{number}住在哪里" for number in range(400)]


def fill(brain: Brain) -> None:
    for number in range(60):
        brain.commit_turn(say("m", f"s{number % 7}", f"zebra {number} lives by the river. 斑马{number}住在河边。"))


@pytest.fixture
def brain(folder: Path) -> Iterator[Brain]:
    with open_brain(folder) as opened:
        fill(opened)
        yield opened


def traced(brain: Brain, messages: list[str], memory: str = "m", session: str = "s1") -> list[bool]:
    return [bool(compose(brain, memory, session, each).debug.timings_ms) for each in messages]


@pytest.mark.parametrize("limit", [40, 120, 300, 900, 8000])
@pytest.mark.parametrize("session", ["s1", "new"])
def test_what_is_counted_as_dropped_is_what_is_named(brain: Brain, session: str, limit: int) -> None:
    for asked in (None, plan("zebra", "river", "斑马")):
        debug = compose(brain, "m", session, "zebra river 斑马", token_limit=limit, plan=asked).debug
        counted = Counter[str]()
        for place, count in debug.dropped_counts.items():
            assert count > 0
            counted[place.partition("/")[2]] += count
        named = Counter[str]()
        for one in debug.dropped:
            assert bool(one.count) == (one.id == "*")
            named[one.reason] += one.count or 1
        assert counted == named
        assert named or limit == 8000, "all of it has room there"
        no_room = [one for one in debug.dropped if one.detail.endswith("tokens do not fit")]
        assert debug.dropped_counts.get("evidence/budget", 0) == len(no_room)


def test_each_stage_is_timed(brain: Brain) -> None:
    stages = {"embed", "search", "select", "package", "total"}
    timings = compose(brain, "m", "s1", "zebra").debug.timings_ms
    assert timings.keys() == {"plan", *stages}
    assert all(spent > 0 for spent in timings.values())
    assert sum(timings.values()) <= 2 * timings["total"]
    assert compose(brain, "m", "s1", "zebra", plan=plan("zebra")).debug.timings_ms.keys() == stages


def test_a_share_keeps_its_trace_by_memory_revision_and_message_alone(folder: Path) -> None:
    with open_brain(folder, policies={"observability": {"trace": 0.25}}) as brain:
        fill(brain)
        first = traced(brain, MESSAGES)
        assert 0.18 < sum(first) / len(first) < 0.32
        assert traced(brain, MESSAGES, session="another") == first
        brain.commit_turn(say("other", "s", "zebra"))
        assert traced(brain, MESSAGES, memory="other") != first
        brain.commit_turn(say("m", "s", "zebra"))
        assert traced(brain, MESSAGES) != first


def test_a_larger_share_keeps_what_a_smaller_one_does(folder: Path) -> None:
    kept = []
    for share in (0.1, 0.5, 1):
        with open_brain(folder, policies={"observability": {"trace": share}}) as brain:
            if share == 0.1:
                fill(brain)
            kept.append({number for number, each in enumerate(traced(brain, MESSAGES)) if each})
    assert kept[0] < kept[1] < kept[2] == set(range(len(MESSAGES)))


@pytest.mark.parametrize(("share", "why"), [(False, "is off"), (1e-9, "keeps 1e-09 of them, not this one")])
def test_a_package_without_its_trace_names_what_it_lacks(folder: Path, share: float, why: str) -> None:
    with open_brain(folder, policies={"observability": {"trace": share}}) as brain:
        fill(brain)
        debug = compose(brain, "m", "s1", "zebra", token_limit=200).debug
        assert debug.ignored == [f"dropped and timings_ms: policies.observability.trace {why}"]
        assert not debug.dropped
        assert not debug.timings_ms
        assert debug.dropped_counts
        assert debug.why_selected
        asking = plan("zebra")
        asking.debug.trace = True
        assert compose(brain, "m", "s1", "zebra", plan=asking).debug.timings_ms


def test_whoever_looks_on_sees_the_numbers_of_the_trace(folder: Path) -> None:
    seen: list[Contents] = []
    with open_brain(folder, policies={"observability": {"trace": False}}) as brain:
        fill(brain)
        request = ComposeContextRequest(memory_id="m", session_id="s1", user_message="zebra", token_limit=300)
        sent = brain.composed_bytes(request, seen=seen.append)
    package = ComposeContextResponse.FromString(sent).context
    [contents] = seen
    assert contents.timings_ms.keys() >= {"plan", "search", "package", "total"}
    assert contents.sources == {"conversation": len(package.evidence)}
    assert contents.slots == dict(package.constraints.token_budget.slots)
    assert contents.limit == 300
    assert contents.dropped == dict(package.debug.dropped_counts)
    assert sum(contents.dropped.values())
    assert not package.debug.timings_ms
    assert not package.debug.dropped


@pytest.mark.parametrize("limit", [0, 80, 300])
def test_the_bytes_that_are_sent_say_what_is_kept_of_them(brain: Brain, limit: int) -> None:
    request = ComposeContextRequest(memory_id="m", session_id="s1", user_message="zebra 7 斑马", token_limit=limit)
    sent = brain.composed_bytes(request)
    answer = ComposeContextResponse.FromString(sent)
    assert answer.context.evidence or answer.context.debug.dropped
    assert len(answer.SerializeToString()) == len(sent), "each field stands once, and nothing that is not known"
    kept = brain.get_context(GetContextRequest(memory_id="m", context_id=answer.context.context_id))
    assert kept.context == answer.context
