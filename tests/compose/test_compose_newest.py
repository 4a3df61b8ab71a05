"""In a small package the short messages of a session have room before older evidence: what has changed is said there."""

from __future__ import annotations

from pathlib import Path

from smartbrain.v1.context_pb2 import ContextPackage

from brain_core import Brain
from tests.building import compose, open_brain, say

_ASKED = "who's my lab partner?"
_LIMIT = 300


def _lives_on(brain: Brain) -> None:
    for text, answer in [
        ("ugh, today's lab was a mess. I dropped a flask and my lab partner Jonas wasn't happy lol", "It happens."),
        ("Genetics lectures are Mon and Wed at 10, stats on Tuesdays at 2, orgo lab Thursday afternoon", "Noted."),
        ("I have an essay for genetics on CRISPR due October 2nd, my lab partner reads it first", "Essay, October 2."),
        ("the lab report is for Dr. Okafor, and Jonas writes the half of it as my lab partner", "Good to know."),
    ]:
        brain.commit_turn(say("m", "september", text, answer))
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
