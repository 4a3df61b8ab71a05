"""What a guess makes perhaps untrue: it stays, less sure, says so, and is past doubt when it is said again."""

from __future__ import annotations

from pathlib import Path

import pytest
from google.protobuf import json_format
from smartbrain.v1.brain_service_pb2 import CommitTurnResponse, ComposeContextRequest
from smartbrain.v1.item_pb2 import ITEM_STATUS_ACTIVE, MemoryItem
from smartbrain.v1.memory_service_pb2 import ListItemsRequest

from brain_core import Brain
from tests.building import open_brain, say

DAY = 86_400
DOUBTING = {"policies": {"retention": {"worth": {"doubt": 0.01, "revise": 1}}}}
FACT, LATER = "I use an iPhone 12.", "the Pixel 9 came, that's my phone now"
FACT_IN_CHINESE, LATER_IN_CHINESE = "我用的是 iPhone 12。", "入手了 Pixel 9，以后就用它了"
LINE = "Perhaps no longer so since: 2023-11-16"


def _told(brain: Brain, *messages: str) -> CommitTurnResponse:
    answer = CommitTurnResponse()
    for number, message in enumerate(messages):
        answer = brain.commit_turn(say("m", f"s{number}", message, at=2 * number * DAY))
    return answer


def _held(brain: Brain, word: str, revision: int = 0) -> MemoryItem:
    request = ListItemsRequest(memory_id="m")
    if revision:
        request.as_of.revision = revision
    return next(each for each in brain.list_items(request).items if word in each.text)


@pytest.mark.parametrize(("fact", "later"), [(FACT, LATER), (FACT_IN_CHINESE, LATER_IN_CHINESE)])
def test_what_is_in_doubt_stays_less_sure_and_says_so(tmp_path: Path, fact: str, later: str) -> None:
    with open_brain(tmp_path, **DOUBTING) as brain:
        answer = _told(brain, fact, later)
        item = _held(brain, "iPhone")
        assert item.status == ITEM_STATUS_ACTIVE
        assert "erhaps no longer so since" in item.text
        assert any("Pixel" in each.text for each in brain.list_items(ListItemsRequest(memory_id="m")).items)
        decided = {each.decision: each for each in answer.explain.conflicts}["doubted"]
        assert decided.reason.startswith("perhaps no longer so (p 0.")
        assert 1 < decided.new_version <= item.version


def test_an_item_in_doubt_is_no_surer_than_a_guess_and_was_before(tmp_path: Path) -> None:
    with open_brain(tmp_path, **DOUBTING) as brain:
        _told(brain, "Our office is in Munich.", "we have the keys of the new office in Ulm, see you there on Monday")
        item = _held(brain, "Munich")
        before = _held(brain, "Munich", revision=item.revision - 1)
        assert item.text.endswith(LINE)
        assert item.doubted_at.seconds > before.said_at.seconds
        assert (before.confidence, item.confidence) == (0.8, 0.6)
        assert not before.HasField("doubted_at")
        assert "Perhaps" not in before.text
        assert (item.source_turn_id, item.said_at) == (before.source_turn_id, before.said_at)


def test_a_context_shows_the_doubt(tmp_path: Path) -> None:
    with open_brain(tmp_path, **DOUBTING) as brain:
        _told(brain, FACT, LATER)
        package = brain.compose_context(
            ComposeContextRequest(memory_id="m", session_id="s", user_message="which iPhone do I use?")
        ).context
        assert "erhaps no longer so since" in json_format.MessageToJson(package)


@pytest.mark.parametrize(
    ("fact", "reads"), [("Our office is in Munich.", "Our office is in Munich"), (FACT, "The user uses an iPhone 12")]
)
def test_what_is_said_again_is_past_doubt(tmp_path: Path, fact: str, reads: str) -> None:
    with open_brain(tmp_path, **DOUBTING) as brain:
        _told(brain, fact, "we have the keys of the new office in Ulm, the Pixel 9 came, that's my phone now", fact)
        item = _held(brain, reads)
        assert not any("no longer so" in line for line in item.text.split("\n") if reads in line)
        assert "Perhaps" not in item.text
        assert not item.HasField("doubted_at")
        assert item.confidence == pytest.approx(0.8 if item.type == "knowledge" else 0.6)  # that of the guess it was


def test_what_is_in_doubt_stays_in_doubt_since_the_first_time(tmp_path: Path) -> None:
    with open_brain(tmp_path, **DOUBTING) as brain:
        again = "the Ulm office has a kitchen, our office smells of paint"
        _told(brain, "Our office is in Munich.", "we have the keys of the new office in Ulm, see you there", again)
        item = _held(brain, "Munich")
        assert item.text.count("Perhaps no longer so") == 1
        assert LINE in item.text
        assert item.version == 2
