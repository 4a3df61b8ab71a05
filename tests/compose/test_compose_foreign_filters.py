"""What other executors found is held to the plan's filters, as far as an evidence shows them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from smartbrain.v1.evidence_pb2 import Evidence
from smartbrain.v1.plan_pb2 import PlanFilters, RetrievalPlan
from smartbrain.v1.retrieval_service_pb2 import RetrieveRequest

from tests.building import compose, plan, retrieve
from tests.compose.test_compose_foreign import QUESTION, Direct, Ready, opened, theirs
from tests.server.executor import evidence


def _dated(one: Evidence, seconds: int) -> None:
    one.metadata.created_at.seconds = seconds


def _said(one: Evidence) -> None:
    one.kind, one.source_type = "memory_chunk", "conversation"


def _learned(one: Evidence) -> None:
    one.kind, one.source_type = "memory_chunk", "memory_item"


def time_range(start: int | None = None, stop: int | None = None) -> PlanFilters:
    filters = PlanFilters()
    if start is not None:
        getattr(filters.time_range, "from").seconds = start
    if stop is not None:
        filters.time_range.to.seconds = stop
    return filters


Change = Callable[[Evidence], object]
CASES: dict[str, tuple[PlanFilters, Change, Change]] = {
    "document_ids": (
        PlanFilters(document_ids=["a", "b"]),
        lambda one: setattr(one, "document_id", "b"),
        lambda one: setattr(one, "document_id", "c"),
    ),
    "source_uri_prefix": (
        PlanFilters(source_uri_prefix="https://wiki.example/厨房/"),
        lambda one: setattr(one, "source_uri", "https://wiki.example/厨房/1"),
        lambda one: setattr(one, "source_uri", "https://wiki.example/花园/1"),
    ),
    "source_type": (
        PlanFilters(source_type=["file", "manual"]),
        lambda one: setattr(one, "source_type", "file"),
        lambda one: setattr(one, "source_type", "url"),
    ),
    "language": (
        PlanFilters(language="zh"),
        lambda one: setattr(one, "language", "zh"),
        lambda one: setattr(one, "language", "en"),
    ),
    "session_ids": (
        PlanFilters(session_ids=["s3"]),
        lambda one: setattr(one.ref, "session_id", "s3"),
        lambda one: setattr(one.ref, "session_id", "s4"),
    ),
    "time_range from": (time_range(start=100), lambda one: _dated(one, 100), lambda one: _dated(one, 99)),
    "time_range to": (time_range(stop=100), lambda one: _dated(one, 99), lambda one: _dated(one, 100)),
    "types": (
        PlanFilters(types=["tasks"]),
        _learned,
        _said,
    ),
    "tag_ids": (
        PlanFilters(tag_ids=["红"]),
        lambda one: setattr(one.signals, "tag_score", 0.5),
        lambda one: setattr(one.signals, "tag_score", 0),
    ),
    "topic_ids": (
        PlanFilters(topic_ids=["t"]),
        lambda one: setattr(one.signals, "topic_score", 1),
        lambda one: setattr(one.signals, "topic_score", 0),
    ),
}


@pytest.mark.parametrize("of_query", [False, True])
@pytest.mark.parametrize("case", CASES)
def test_what_breaks_a_filter_is_left_out_by_name(folder: Path, case: str, of_query: bool) -> None:
    filters, keep, spoil = CASES[case]
    wiki = Direct("wiki")
    wiki.found = [evidence(1), evidence(2, "Another text of the kitchen. 厨房。")]
    keep(wiki.found[0])
    spoil(wiki.found[1])
    wanted = plan(QUESTION)
    (wanted.queries[0].filters if of_query else wanted.global_filters).CopyFrom(filters)
    with opened(folder, wiki) as brain:
        package = compose(brain, "m", "s", QUESTION, plan=wanted)
        pack = retrieve(brain, "m", wanted)
    assert theirs(package) == ["remote:wiki:handbook:s1:0"]
    path = f"{'queries[0].filters' if of_query else 'global_filters'}.{case.partition(' ')[0]}"
    words = f"remote wiki: 1 of 2 left out, outside {path}: handbook:s2:0"
    assert words in package.debug.ignored
    assert words in pack.warnings
    assert [one.id for one in pack.evidences if one.id.startswith("remote:")] == theirs(package)
    assert "executor" in package.debug.degraded


def test_of_several_that_break_a_filter_the_first_is_named(folder: Path) -> None:
    wiki = Direct("wiki")
    wiki.found = [evidence(number, f"Text {number} of the kitchen.") for number in (1, 2, 3)]
    for one in wiki.found[1:]:
        _dated(one, 100)
    _dated(wiki.found[0], 99)
    wanted = plan(QUESTION)
    wanted.global_filters.CopyFrom(time_range(stop=100))
    with opened(folder, wiki) as brain:
        package = compose(brain, "m", "s", QUESTION, plan=wanted)
    assert theirs(package) == ["remote:wiki:handbook:s1:0"]
    assert "remote wiki: 2 of 3 left out, outside global_filters.time_range: handbook:s2:0" in package.debug.ignored


def test_what_an_evidence_does_not_show_is_said_to_be_unchecked(folder: Path) -> None:
    wiki = Direct("wiki")
    wiki.found = [evidence(1)]
    wanted = plan(QUESTION)
    wanted.global_filters.CopyFrom(PlanFilters(tag_ids=["a"], min_confidence=0.5, language="en"))
    with opened(folder, wiki) as brain:
        package = compose(brain, "m", "s", QUESTION, plan=wanted)
    assert theirs(package) == ["remote:wiki:handbook:s1:0"]
    assert not package.debug.degraded
    assert [words for words in package.debug.ignored if words.startswith("remote wiki")] == [
        "remote wiki: what it found does not show global_filters.tag_ids, global_filters.language,"
        " global_filters.min_confidence: not checked"
    ]


def test_without_filters_nothing_is_said(folder: Path) -> None:
    wiki = Direct("wiki")
    wiki.found = [evidence(1)]
    with opened(folder, wiki) as brain:
        package = compose(brain, "m", "s", QUESTION, plan=plan(QUESTION))
    assert theirs(package)
    assert not any(words.startswith("remote wiki") for words in package.debug.ignored)


class Heard(Direct):
    """An executor that remembers what it was asked."""

    plan: RetrievalPlan

    def start(self, request: RetrieveRequest, due: float) -> Ready:
        self.plan = request.plan
        return super().start(request, due)


def test_an_id_that_was_found_there_is_asked_for_by_its_name_there(folder: Path) -> None:
    wiki, team = Heard("wiki"), Heard("team")
    wiki.found = [evidence(1)]
    with opened(folder, wiki, team) as brain:
        found = next(one for one in retrieve(brain, "m", plan(QUESTION)).evidences if one.id.startswith("remote:"))
        wanted = plan(QUESTION)
        wanted.global_filters.document_ids.extend([found.document_id, "of-here"])
        wanted.queries[0].filters.session_ids.append("remote:wiki:s7")
        wiki.found = [evidence(1), evidence(2)]
        package = compose(brain, "m", "s", QUESTION, plan=wanted)
    assert theirs(package) == ["remote:wiki:handbook:s1:0"]
    assert list(wiki.plan.global_filters.document_ids) == ["handbook-1", "of-here"]
    assert list(wiki.plan.queries[0].filters.session_ids) == ["s7"]
    assert list(team.plan.global_filters.document_ids) == ["remote:wiki:handbook-1", "of-here"], "nobody else's"
