"""Plans that are stored can be asked again, and are replayed as the same."""

from __future__ import annotations

import pytest
from smartbrain.v1.evidence_pb2 import Dropped

from brain_core import Brain
from brain_core.compose.replay import comparable, differences
from brain_core.errors import InvalidArgument
from tests.building import compose, plan, retrieve, say


def test_the_plan_of_a_long_message_can_be_asked_again(brain: Brain) -> None:
    brain.commit_turn(say("m", "s", "The lighthouse of granite is white.", "I see."))
    message = "Some log line. " * 1400 + "Which colour has the lighthouse of granite?"
    package = compose(brain, "m", "new", message, token_limit=16_000)
    asked = plan("x")
    del asked.queries[:]
    asked.queries.extend(package.debug.planner.queries)
    assert max(len(query.text) for query in asked.queries) <= 10_000
    assert "granite" in package.evidence[0].snippet
    assert "granite" in compose(brain, "m", "new", "again", plan=asked).evidence[0].snippet


def test_a_text_that_is_too_long_is_told_in_characters(brain: Brain) -> None:
    with pytest.raises(InvalidArgument, match=r"10001 characters.*10000 characters"):
        retrieve(brain, "m", plan("x" * 10_001))


def test_the_order_of_what_was_left_out_is_no_difference(brain: Brain) -> None:
    brain.commit_turn(say("m", "s", "The lighthouse of granite is white.", "I see."))
    then, now = (compose(brain, "m", "new", "lighthouse") for _ in range(2))
    left_out = [Dropped(id=name, reason="budget") for name in "ab"]
    then.debug.dropped.extend(left_out)
    now.debug.dropped.extend(reversed(left_out))
    assert not differences(*comparable(then, now))
    now.debug.dropped.add(id="c", reason="budget")
    [change] = differences(*comparable(then, now))
    assert change.slot == "dropped"
