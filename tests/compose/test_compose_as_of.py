"""ComposeContext as of a moment: the package that was given then, of nothing that came later."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from smartbrain.render import render
from smartbrain.v1.brain_service_pb2 import ComposeContextRequest, ReplayRequest
from smartbrain.v1.context_pb2 import ContextPackage
from smartbrain.v1.event_pb2 import Decision, Entity, Retraction
from smartbrain.v1.item_pb2 import AsOf

from brain_core import Brain
from brain_core.errors import FailedPrecondition, InvalidArgument
from tests.building import compose, open_brain, plan, pref, say, second, turn
from tests.commit.drafting import draft, give
from tests.server.executor import answering, asking, bringing, evidence

TONE = "pref:writing:tone"
QUESTION = "which tone 语气, and where does the ferry 渡轮 leave from?"


def told(package: ContextPackage) -> dict[str, object]:
    """Return what a package says, slot by slot, without scores: word statistics are those of now."""
    return {
        "system_blocks": [(each.type, each.text) for each in package.system_blocks],
        "working_summary": [(each.title, list(each.lines)) for each in package.working_summary.sections],
        "recent_turns": [(each.turn_id, each.role, each.content) for each in package.recent_turns],
        "evidence": sorted(each.snippet for each in package.evidence),
    }


@pytest.fixture
def days(folder: Path) -> Iterator[tuple[Brain, list[ContextPackage]]]:
    """Give a memory, and what was composed after each of its revisions while that was the newest."""
    commits = [
        say("m", "s", "The ferry leaves from pier two. 渡轮从二号码头出发。", "Noted.", at=1),
        turn("m", "s", preferences=[pref("tone", "formal 正式")]),
        turn("m", "s", decisions=[Decision(project="trip", topic="ferry", decision="take the ferry 渡轮 at nine")]),
        say("m", "s", "No, the ferry leaves from pier five now. 渡轮改从五号码头出发。", "Good to know.", at=40),
        turn("m", "other", preferences=[pref("tone", "casual 随意")]),
        turn("m", "s", retractions=[Retraction(type="preferences", key=TONE, reason="no")]),
        turn("m", "s", decisions=[Decision(project="trip", topic="ferry", decision="walk, no ferry 渡轮")]),
    ]
    with open_brain(folder) as brain:
        packages = []
        for commit in commits:
            brain.commit_turn(commit)
            packages.append(compose(brain, "m", "s", QUESTION))
        yield brain, packages


def test_it_is_what_was_composed_then(days: tuple[Brain, list[ContextPackage]]) -> None:
    brain, packages = days
    assert any(package.system_blocks for package in packages)
    assert any(package.working_summary.sections for package in packages)
    assert not packages[-1].system_blocks
    for revision, package in enumerate(packages, start=1):
        request = ComposeContextRequest(
            memory_id="m", session_id="s", user_message=QUESTION, as_of=AsOf(revision=revision)
        )
        answer = brain.compose_context(request)
        assert told(answer.context) == told(package), revision
        assert answer.revision == revision
        assert answer.context.debug.planner.reason.endswith(f"; as of revision {revision}")


def test_before_the_first_commit_there_was_nothing(days: tuple[Brain, list[ContextPackage]]) -> None:
    for nothing in (AsOf(revision=0), AsOf(time=second(-10))):
        package = compose(days[0], "m", "s", QUESTION, as_of=nothing)
        assert set(map(bool, told(package).values())) == {False}
        assert package.user_message.content == QUESTION


def test_a_time_stands_for_its_revision_and_none_for_now(days: tuple[Brain, list[ContextPackage]]) -> None:
    brain, packages = days
    for now in (None, AsOf(), AsOf(time=second(1e8))):
        assert told(compose(brain, "m", "s", QUESTION, as_of=now)) == told(packages[-1])
    then = brain.compose_context(
        ComposeContextRequest(memory_id="m", session_id="s", user_message=QUESTION, as_of=AsOf(time=second(1e8)))
    )
    assert then.revision == len(packages)


def test_what_was_said_by_a_time_and_imported_later_is_counted_in_a_note(brain: Brain) -> None:
    brain.commit_turn(say("m", "s", "The barn is red. 谷仓是红色的。", "Noted.", at=-86_400 * 30))
    brain.commit_turn(say("m", "s", "The barn is blue. 谷仓是蓝色的。", at=86_400))
    package = compose(brain, "m", "s", "the barn?", as_of=AsOf(time=second(-86_400)))
    assert not package.evidence
    (note,) = (words for words in package.debug.ignored if words.startswith("as_of"))
    assert note.startswith("as_of.time: it is the time of commits: 2 texts that were said by then were committed later")
    for moment in (AsOf(revision=1), AsOf(time=second(1e8))):
        package = compose(brain, "m", "s", "the barn?", as_of=moment)
        assert not [words for words in package.debug.ignored if words.startswith("as_of")]


def test_what_a_caller_plans_is_carried_out_then_too(days: tuple[Brain, list[ContextPackage]]) -> None:
    brain, _ = days
    package = compose(brain, "m", "s", QUESTION, plan=plan("ferry pier 码头"), as_of=AsOf(revision=3))
    assert "pier two" in render(package)
    assert "pier five" not in render(package)


def test_what_has_ended_since_held_then(brain: Brain) -> None:
    brain.commit_turn(say("m", "s", "The barn is red. 谷仓是红色的。", at=0))
    value = {"scope": "writing", "name": "tone", "value": "long"}
    give(brain, draft("preferences", value, valid_to=second(30 * 86_400)))
    brain.commit_turn(say("m", "s", "The barn is blue now. 谷仓现在是蓝色的。", at=60 * 86_400))
    assert not compose(brain, "m", "s", "the barn?").system_blocks
    assert compose(brain, "m", "s", "the barn?", as_of=AsOf(revision=2)).system_blocks


def test_names_that_came_later_lead_nowhere(brain: Brain) -> None:
    brain.commit_turn(say("m", "s", "林梅 sails on Monday"))
    brain.commit_turn(
        turn("m", "s", entities=[Entity(kind="person", canonical="Mei", aliases=["林梅"], remember=True)])
    )
    question = "When does Mei sail?"
    assert any("林梅" in one.text for one in compose(brain, "m", "x", question).debug.planner.queries)
    earlier = compose(brain, "m", "x", question, as_of=AsOf(revision=1))
    assert not any("林梅" in one.text for one in earlier.debug.planner.queries)


def test_it_is_replayed_as_of_the_same_moment(days: tuple[Brain, list[ContextPackage]]) -> None:
    brain, packages = days
    for moment in (AsOf(revision=3), AsOf(time=second(1e8))):
        first = compose(brain, "m", "s", QUESTION, as_of=moment)
        again = brain.replay(ReplayRequest(memory_id="m", context_id=first.context_id))
        assert again.identical
        assert not again.notes
        assert again.revision == again.revision_then
    brain.commit_turn(say("m", "s", "The ferry is cancelled. 渡轮取消了。"))
    later = brain.replay(ReplayRequest(memory_id="m", context_id=first.context_id))
    assert told(later.context) == told(packages[-1]), "a time that was to come stays the revision that it stood for"


def test_what_was_imported_later_is_counted_by_a_replay_too(brain: Brain) -> None:
    brain.commit_turn(say("m", "s", "The barn is red. 谷仓是红色的。", "Noted.", at=-86_400 * 30))
    first = compose(brain, "m", "s", "the barn?", as_of=AsOf(time=second(-86_400)))
    replayed = brain.replay(ReplayRequest(memory_id="m", context_id=first.context_id))
    assert [words for words in replayed.context.debug.ignored if words.startswith("as_of")]
    assert replayed.identical


def test_bad_moments_are_refused(days: tuple[Brain, list[ContextPackage]]) -> None:
    brain, packages = days
    with pytest.raises(FailedPrecondition, match=f"not yet at {len(packages) + 1}"):
        compose(brain, "m", "s", QUESTION, as_of=AsOf(revision=len(packages) + 1))
    with pytest.raises(InvalidArgument, match=r"as_of\.revision"):
        compose(brain, "m", "s", QUESTION, as_of=AsOf(revision=-1))


def test_other_executors_are_not_asked_what_they_knew(folder: Path) -> None:
    with open_brain(folder / "home") as brain:
        brain.commit_turn(say("m", "s", "Our kitchen closes early."))
    target = f"unix:{folder}/sock"
    with (
        answering(target, bringing(evidence(1))) as asked,
        asking(folder / "home", {"name": "wiki", "target": target}) as brain,
    ):
        package = compose(brain, "m", "x", "What does the kitchen manual say?", as_of=AsOf(revision=1))
    assert not asked.requests
    assert "remote wiki: not asked: as_of is a moment of this memory, not of theirs" in package.debug.ignored
    assert list(package.debug.degraded) == ["executor"]
