"""Documents are searched where they tell of what is asked, also where it reads as if asked of what was said."""

from __future__ import annotations

from pathlib import Path

import pytest
from smartbrain.v1.resource_service_pb2 import DocumentHeader

from brain_core import Brain
from tests.building import compose, open_brain, say

HANDBOOK = """# Handbook

## Vacation

Employees get 25 vacation days a year.

## Badge

If you lose your badge, call 4455.

## 年假

员工每年有十五天年假。丢了工牌请打4455。
"""
SAID = ("The weather was fine on Sunday.", "My sister visited the museum.", "周末去公园散步。", "I lost my umbrella.")


def ingest(brain: Brain) -> None:
    header = DocumentHeader(memory_id="m", source_uri="file:///handbook.md", media_type="text/markdown")
    brain.ingest_document(header, [HANDBOOK.encode()])


def sources(brain: Brain, message: str) -> set[str]:
    return {one.source for one in compose(brain, "m", "new", message).evidence}


@pytest.mark.parametrize("chat", [True, False])
@pytest.mark.parametrize(
    "message",
    [
        "How many vacation days do I get?",
        "What should I do if I lose my badge?",
        "我们的年假有几天？",
        "我丢了工牌怎么办？",
        "vacation",
    ],
)
def test_what_documents_tell_of_is_looked_up_there(folder: Path, message: str, *, chat: bool) -> None:
    """Regression: "I", "my" and "we" kept documents out, with the reason that what was said before is enough."""
    with open_brain(folder) as brain:
        if chat:
            for number, text in enumerate(SAID):
                brain.commit_turn(say("m", f"s{number}", text))
        ingest(brain)
        assert "resource" in sources(brain, message)


@pytest.mark.parametrize(
    "message", ["Where did my sister go?", "thanks!", "Don't look in the documents: how many vacation days?"]
)
def test_what_was_said_or_is_not_wanted_brings_no_document(folder: Path, message: str) -> None:
    with open_brain(folder) as brain:
        for number, text in enumerate(SAID):
            brain.commit_turn(say("m", f"s{number}", text))
        ingest(brain)
        assert sources(brain, message) <= {"memory"}


def test_the_reason_is_told(folder: Path) -> None:
    with open_brain(folder) as brain:
        brain.commit_turn(say("m", "s", SAID[0]))
        ingest(brain)
        reason = compose(brain, "m", "new", "How many vacation days do I get?").debug.planner.reason
        assert "documents have more of its words" in reason
        assert "what was said before is enough" not in reason
