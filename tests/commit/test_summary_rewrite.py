"""A summary in a model's words keeps the turns, the bounds and what it rests on."""

from __future__ import annotations

from pathlib import Path

import pytest
from smartbrain.v1.event_pb2 import Decision, Goal, Retraction

from brain_core import Brain
from brain_core.commit.rewrite import rewrite_summary
from brain_core.errors import InvalidArgument
from brain_core.models.reading import Rewritten
from brain_core.store import keys, log, summaries
from brain_core.store.kv import Batch
from brain_core.store.v1.records_pb2 import ChangeRecord, SummaryRecord
from tests.building import compose, open_brain, turn

BETTER = (Rewritten("Goals", "Learns Go and wants more sleep", (0, 1)), Rewritten("Decisions", "vim", (2,)))


def summed_up(brain: Brain) -> SummaryRecord:
    brain.commit_turn(turn("m", "s", goals=[Goal(name="learn Go"), Goal(name="sleep more")]))
    brain.commit_turn(turn("m", "s", decisions=[Decision(topic="editor", decision="vim")]))
    record = summaries.read_newest(brain._kv, "m", "s")
    assert record is not None
    assert [line.text for line in record.lines] == ["sleep more", "learn Go", "editor: vim"]
    return record


def reword(brain: Brain, version: int, *lines: Rewritten) -> bool:
    """Write better words as a revision of its own."""
    batch = Batch()
    rewritten = rewrite_summary(batch, brain._kv, "m", "s", version, lines, brain.policy.policies.consolidation)
    if rewritten:
        space = log.read_space(brain._kv, "m")
        assert space is not None
        revision = brain._kv.revision(keys.memory("m")) + 1
        log.put_change(batch, ChangeRecord(revision=revision, first_chunk=space.next_chunk))
        with brain._indexes.use("m") as index:
            index.apply(brain._kv.write(keys.memory("m"), batch), [], [])
    return rewritten


def shown(brain: Brain) -> dict[str, list[str]]:
    summary = compose(brain, "m", "s", "hello there").working_summary
    return {section.title: list(section.lines) for section in summary.sections}


def test_better_words_are_shown_instead(brain: Brain) -> None:
    before = summed_up(brain)
    assert reword(
        brain, 1, Rewritten("Goals", "Learns Go and wants more sleep", (0, 1)), Rewritten("Decisions", "vim", (2,))
    )
    assert shown(brain) == {"Goals": ["Learns Go and wants more sleep"], "Decisions": ["vim"]}
    after = compose(brain, "m", "s", "hello there").working_summary
    assert (after.summary_version, after.source_turn_from, after.source_turn_to) == (1, "t1", "t2")
    assert after.generated_at.ToMicroseconds() == before.generated_at_us
    assert [answer.problems for answer in brain.verify()] == [[]]
    assert reword(brain, 1, Rewritten("Goals", "Learns Go, sleeps", (0, 1)))
    assert shown(brain) == {"Goals": ["Learns Go, sleeps"]}, "the newest words alone"


def test_a_line_goes_with_any_item_it_rests_on(brain: Brain) -> None:
    summed_up(brain)
    reword(brain, 1, *BETTER)
    denied = [Retraction(type="goals", key="goal:default:learn_Go")]
    brain.commit_turn(turn("m", "another", retractions=denied))
    assert shown(brain) == {"Decisions": ["vim"]}


def test_the_next_version_is_extracted_anew(brain: Brain) -> None:
    summed_up(brain)
    reword(brain, 1, Rewritten("Goals", "Learns Go", (1,)))
    brain.commit_turn(turn("m", "s", decisions=[Decision(topic="shell", decision="fish")]))
    assert shown(brain) == {"Goals": ["sleep more", "learn Go"], "Decisions": ["shell: fish", "editor: vim"]}


def test_an_older_version_is_not_reworded(brain: Brain) -> None:
    summed_up(brain)
    brain.commit_turn(turn("m", "s", decisions=[Decision(topic="shell", decision="fish")]))
    assert not reword(brain, 1, Rewritten("Goals", "Learns Go", (1,)))
    assert not reword(brain, 3, Rewritten("Goals", "Learns Go", (1,)))
    assert not rewrite_summary(Batch(), brain._kv, "m", "nobody", 1, [], brain.policy.policies.consolidation)


def test_the_same_bounds_hold(folder: Path) -> None:
    policies = {"consolidation": {"line_chars": 40, "lines_per_section": 2}}
    with open_brain(folder, policies=policies) as brain:
        summed_up(brain)
        reword(brain, 1, *(Rewritten("Goals", f"goal\nnumber {n} " * 30, (0,)) for n in range(5)))
        lines = shown(brain)["Goals"]
    assert len(lines) == 2
    assert all(len(line) <= 40 and line.startswith("goal number") for line in lines)


@pytest.mark.parametrize(
    ("line", "field"),
    [
        (Rewritten("Thoughts", "x", (0,)), "lines[0].section"),
        (Rewritten("Goals", "x", ()), "lines[0].rests_on"),
        (Rewritten("Goals", "x", (3,)), "lines[0].rests_on"),
        (Rewritten("Goals", "x", (-1,)), "lines[0].rests_on"),
        (Rewritten("Goals", " \n", (0,)), "lines[0].text"),
    ],
)
def test_a_line_that_rests_on_nothing_is_refused(brain: Brain, line: Rewritten, field: str) -> None:
    summed_up(brain)
    with pytest.raises(InvalidArgument) as refused:
        reword(brain, 1, line)
    assert refused.value.field == field
    assert shown(brain)["Goals"] == ["sleep more", "learn Go"]
