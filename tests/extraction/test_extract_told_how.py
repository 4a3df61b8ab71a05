"""What the user tells the agent not to do, to say or to ask, and what words of his mean."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.building import open_brain, say
from tests.extraction.updates import believed

TOLD = [
    ("stop bringing up my ex", "preferences"),
    ("please stop apologising all the time", "preferences"),
    ("don't mention the surprise party to Dana", "preferences"),
    ('when I say "the usual" I mean oat flat white, no sugar', "knowledge"),
    ("when we write prod, we mean the Frankfurt cluster", "knowledge"),
    ("use miles not km", "preferences"),
    ("I hate being called buddy", "preferences"),
    ("always double check dates with me", "preferences"),
    ("别再提我前男友了", "preferences"),
    ("别老是道歉", "preferences"),
    ("别跟小丹提惊喜派对的事", "preferences"),
    ("别叫我亲", "preferences"),
    ("不要在我老婆面前提体检的事", "preferences"),
]


@pytest.mark.parametrize(("told", "kind"), TOLD)
def test_it_is_kept(tmp_path: Path, told: str, kind: str) -> None:
    with open_brain(tmp_path) as brain:
        brain.commit_turn(say("m", "s", told))
        held = believed(brain, "m")
        assert [name for name, _ in held] == [kind]
        assert not any("喜欢" in text for _, text in held)


@pytest.mark.parametrize("told", ["Don't mention it!", "stop it", "stop asking", "别说了", "别提了，今天累死"])
def test_what_is_of_the_moment_is_not(tmp_path: Path, told: str) -> None:
    with open_brain(tmp_path) as brain:
        brain.commit_turn(say("m", "s", told))
        assert believed(brain, "m") == []


def test_what_the_user_is_not_to_be_called_leaves_what_he_is_called(tmp_path: Path) -> None:
    with open_brain(tmp_path) as brain:
        brain.commit_turn(say("m", "s", "请叫我老王"))
        brain.commit_turn(say("m", "s", "别叫我亲"))
        held = " ".join(text for _, text in believed(brain, "m"))
        assert "老王" in held
        assert "别叫我亲" in held
