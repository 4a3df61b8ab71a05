"""In a small package a session's short messages have room before older evidence: what has changed is said there."""

from __future__ import annotations

from pathlib import Path

from smartbrain.v1.context_pb2 import ContextPackage

from brain_core import Brain
from tests.building import compose, open_brain, say

_ASKED = "who's my lab partner?"
_LIMIT = 245


def _lives_on(brain: Brain) -> None:
    for week in range(1, 9):
        told = f"In week {week} the lab was on enzyme {week}, and my lab partner Jonas wrote all of the lab report up"
        brain.commit_turn(say("m", f"week {week}", told, f"Lab {week}: enzyme {week}, written up by Jonas."))
    for text, answer in [
        ("talked to my tutor, I'm staying in orgo but switching to the Tuesday lab", "Lab on Tuesdays."),
        ("Jonas isn't my partner anymore then, it's Aisha now", "Aisha it is."),
        ("essay at 1500 words. the off-target section is missing", "Missing: off-target effects."),
    ]:
        brain.commit_turn(say("m", "october", text, answer))


def _recent(package: ContextPackage) -> str:
    return "\n".join(one.content for one in package.recent_turns)


def test_what_was_said_a_moment_ago_is_not_pushed_out_by_what_it_changed(tmp_path: Path) -> None:
    with open_brain(tmp_path) as brain:
        _lives_on(brain)
        package = compose(brain, "m", "october", _ASKED, token_limit=_LIMIT)
    assert "it's Aisha now" in _recent(package)
    assert package.evidence


def test_long_messages_before_the_last_exchange_wait_for_evidence(tmp_path: Path) -> None:
    with open_brain(tmp_path) as brain:
        _lives_on(brain)
        brain.commit_turn(say("m", "october", "Explain the p-value. " + "It is hard to see. " * 20, "Sure. " * 40))
        package = compose(brain, "m", "october", _ASKED, token_limit=_LIMIT)
    assert "it's Aisha now" not in _recent(package)


def test_how_much_is_set_by_the_policy(tmp_path: Path) -> None:
    with open_brain(tmp_path, policies={"composition": {"newest_turns_max_tokens": 0}}) as brain:
        _lives_on(brain)
        package = compose(brain, "m", "october", _ASKED, token_limit=_LIMIT)
    assert "it's Aisha now" not in _recent(package)
    assert "off-target effects" in _recent(package)
