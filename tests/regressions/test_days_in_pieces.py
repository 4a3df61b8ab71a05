"""Regression: messages of different days of a session stood under one label with one date."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.building import compose, open_brain, say, second

_DAY = 86_400
_MORNING = 36_000
TOLD = (
    (0, "Mum's operation is tomorrow"),
    (69, "The car inspection is tomorrow at 9"),
    (143, "The movers come tomorrow"),
)
TOLD_IN_CHINESE = ((0, "明天妈妈做手术"), (69, "明天九点验车"), (143, "明天搬家公司来"))


@pytest.mark.parametrize(("told", "question"), [(TOLD, "What comes tomorrow?"), (TOLD_IN_CHINESE, "明天有什么事？")])
def test_every_message_stands_under_its_own_day(folder: Path, told: tuple[tuple[int, str], ...], question: str) -> None:
    with open_brain(folder, policies={"retention": {"learn_from": []}}) as brain:
        for after, text in told:
            brain.commit_turn(say("m", "chat", text, at=_MORNING + after * _DAY))
        days = {one.snippet: one.title.partition(", ")[2][:10] for one in compose(brain, "m", "new", question).evidence}
        assert days == {text: f"{second(_MORNING + after * _DAY).ToDatetime():%Y-%m-%d}" for after, text in told}


def test_messages_of_one_day_share_a_piece(folder: Path) -> None:
    with open_brain(folder, policies={"retention": {"learn_from": []}}) as brain:
        for minutes, text in enumerate(
            ("The ferry leaves at noon.", "From which pier?", "The ferry leaves from pier 4.")
        ):
            brain.commit_turn(say("m", "chat", text, at=_MORNING + 60 * minutes))
        (piece,) = compose(brain, "m", "new", "When does the ferry leave?").evidence
        assert len(piece.merged) == 3


def test_a_day_goes_on_after_a_restart(folder: Path) -> None:
    for minutes, text in enumerate(("The ferry leaves at noon.", "The ferry leaves from pier 4.")):
        with open_brain(folder, policies={"retention": {"learn_from": []}}) as brain:
            compose(brain, "m", "new", "ferry") if minutes else None
            brain.commit_turn(say("m", "chat", text, at=_MORNING + 60 * minutes))
            pieces = compose(brain, "m", "new", "When does the ferry leave?").evidence
    assert [len(one.merged) for one in pieces] == [2]
