"""Two packages differ in what is told exactly when their bytes do."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st
from smartbrain.v1.context_pb2 import ContextPackage, SummarySection, WorkingSummary

from brain_core.compose.replay import comparable, differences, same

IDS = st.sampled_from(["t1:t1.0", "a:1", "b:2", "猫:1"])
TEXTS = st.sampled_from(["", "a zebra", "斑马", "a\nb"])


@st.composite
def packages(draw: st.DrawFn) -> ContextPackage:
    """Return a package with pieces in every slot, ids unique in theirs."""
    package = ContextPackage(version="0.1", context_id=draw(TEXTS))
    for each in draw(st.lists(IDS, unique=True)):
        evidence = package.evidence.add(id=each, snippet=draw(TEXTS), score=draw(st.floats(0, 1)), mode="hybrid")
        evidence.provenance.request_id = draw(TEXTS)
        package.debug.why_selected.add(id=each, reason=draw(TEXTS))
    for each in draw(st.lists(IDS, unique=True)):
        package.system_blocks.add(text=draw(TEXTS)).source.memory_item_id = each
    for each in draw(st.lists(IDS, unique=True)):
        package.recent_turns.add(turn_id=each, content=draw(TEXTS))
    for each in draw(st.lists(IDS, unique=True)):
        package.debug.dropped.add(id=each, reason=draw(st.sampled_from(["budget", "duplicate"])))
    for title in draw(st.lists(st.sampled_from(["Goals", "Tasks"]), unique=True)):
        package.working_summary.summary_version = 1
        package.working_summary.sections.add(title=title, lines=draw(st.lists(TEXTS, unique=True)))
    package.constraints.token_budget.slots["evidence"] = draw(st.integers(0, 3))
    package.debug.planner.queries.add(text=draw(TEXTS))
    package.debug.ignored.extend(draw(st.lists(TEXTS, unique=True)))
    package.debug.timings_ms["total"] = draw(st.floats(0.1, 1))
    return package


_GOALS = WorkingSummary(summary_version=1, sections=[SummarySection(title="Goals")])
_TASKS = WorkingSummary(summary_version=1, sections=[SummarySection(title="Goals"), SummarySection(title="Tasks")])


@given(packages(), packages())
@example(ContextPackage(working_summary=_GOALS), ContextPackage(working_summary=_TASKS))
def test_something_is_told_exactly_where_bytes_differ(then: ContextPackage, now: ContextPackage) -> None:
    pair = comparable(then, now)
    told = differences(*pair)
    assert bool(told) == (not same(*pair))
    assert all(each.slot and each.kind and not each.slot.startswith("package") for each in told), told


@given(packages())
def test_ids_times_and_what_tells_of_the_disk_are_no_difference(package: ContextPackage) -> None:
    other = ContextPackage()
    other.CopyFrom(package)
    other.context_id, other.created_at.seconds = "another", 5
    other.debug.trace_ids.append("another")
    other.debug.timings_ms["total"] = 77
    other.debug.ignored.insert(0, "deadline: 0.3 ms left: the semantic part was left out")
    for evidence in other.evidence:
        evidence.provenance.request_id = "another"
        evidence.provenance.retrieved_at.seconds = 9
    assert differences(*comparable(package, other)) == []


@given(packages(), packages())
def test_pieces_are_gone_new_or_in_both(then: ContextPackage, now: ContextPackage) -> None:
    told = [each for each in differences(*comparable(then, now)) if each.slot == "evidence"]
    old, new = {each.id for each in then.evidence}, {each.id for each in now.evidence}
    assert {each.id for each in told if each.kind == "gone"} == old - new
    assert {each.id for each in told if each.kind == "new"} == new - old
    assert {each.id for each in told if each.kind not in {"gone", "new"}} <= old & new
    moved = {each.id for each in told if each.kind == "moved"}
    stay = [[each.id for each in package.evidence if each.id in (old & new) - moved] for package in (then, now)]
    assert stay[0] == stay[1], "what has not moved stands in the same order"
