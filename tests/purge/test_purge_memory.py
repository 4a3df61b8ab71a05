"""A memory goes for good."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest
from smartbrain.v1.brain_service_pb2 import DeleteMemoryRequest, GetContextRequest, ListSessionsRequest
from smartbrain.v1.event_pb2 import Decision, Message, ToolCall
from smartbrain.v1.memory_service_pb2 import ListItemsRequest
from smartbrain.v1.resource_service_pb2 import DocumentHeader

from brain_core import Brain
from brain_core.compose.blocks import Block
from brain_core.compose.said import SaidMessage
from brain_core.compose.summary import Line
from brain_core.errors import NotFound
from tests.building import compose, found, open_brain, pref, say, turn
from tests.purge.files import erased, files_with

ENGLISH, CHINESE = "xylophonist", "鳜鱼火锅"


def fill(brain: Brain, memory: str) -> None:
    brain.commit_turn(say(memory, "s", f"I work as a {ENGLISH} in Ulm.", "Good to know."))
    brain.commit_turn(say(memory, "s", f"我最喜欢吃{CHINESE}。", "好的。"))
    request = turn(memory, "s", request_id="once", decisions=[Decision(topic="lunch", decision=f"{ENGLISH} {CHINESE}")])
    brain.commit_turn(request)
    header = DocumentHeader(memory_id=memory, source_uri="test:a.md", title="A")
    brain.ingest_document(header, [f"# Notes\n\nThe {ENGLISH} eats {CHINESE}.\n".encode()])


def test_a_purged_memory_has_not_begun(brain: Brain) -> None:
    fill(brain, "m")
    fill(brain, "other")
    context = compose(brain, "m", "s", f"What of the {ENGLISH}?")
    would = brain.delete_memory(DeleteMemoryRequest(memory_id="m", validate_only=True)).purged
    assert (would.sessions, would.turns, would.documents, would.contexts) == (1, 3, 1, 1)
    assert would.items
    assert found(brain, "m", ENGLISH)
    assert brain.delete_memory(DeleteMemoryRequest(memory_id="m")).purged == would
    package = compose(brain, "m", "s", f"What of the {ENGLISH}?")
    assert not package.evidence
    assert not package.recent_turns
    assert any("there is no memory 'm' yet" in line for line in package.debug.ignored)
    for call in (
        lambda: brain.list_sessions(ListSessionsRequest(memory_id="m")),
        lambda: brain.list_items(ListItemsRequest(memory_id="m")),
        lambda: brain.get_context(GetContextRequest(memory_id="m", context_id=context.context_id)),
        lambda: brain.delete_memory(DeleteMemoryRequest(memory_id="m")),
    ):
        with pytest.raises(NotFound):
            call()
    assert found(brain, "other", ENGLISH)
    assert found(brain, "other", CHINESE)


def test_its_words_leave_the_files(folder: Path) -> None:
    with open_brain(folder) as brain:
        fill(brain, "m")
        brain.commit_turn(say("other", "s", "Something else."))
        compose(brain, "m", "s", f"What of the {ENGLISH}?")
    with open_brain(folder) as brain:
        found(brain, "m", ENGLISH)
        assert files_with(folder, ENGLISH)
        assert files_with(folder, CHINESE)
        brain.delete_memory(DeleteMemoryRequest(memory_id="m"))
        erased(brain)
        assert files_with(folder, ENGLISH, CHINESE) == []
        assert found(brain, "other", "something")
    assert files_with(folder, ENGLISH, CHINESE) == []


def test_its_id_is_used_again(brain: Brain) -> None:
    fill(brain, "m")
    brain.delete_memory(DeleteMemoryRequest(memory_id="m"))
    first = brain.commit_turn(say("m", "s", "I drink oolong tea.", "Fine."))
    assert first.revision == 1
    assert found(brain, "m", "oolong")
    told = found(brain, "m", f"{ENGLISH} {CHINESE} oolong")
    assert not [text for text in told if ENGLISH in text or CHINESE in text]
    again = turn("m", "s", request_id="once", preferences=[pref("tea", "oolong")])
    assert brain.commit_turn(again).revision == 2
    assert all(not answer.problems for answer in brain.verify("m"))


def test_what_composes_keep_is_forgotten(brain: Brain) -> None:
    told = turn(
        "m",
        "s",
        messages=[Message(role="user", content=f"Where does the {ENGLISH} eat?")],
        preferences=[pref("food", CHINESE)],
        decisions=[Decision(topic="lunch", decision=f"{ENGLISH} {CHINESE}")],
        tool_calls=[ToolCall(name="survey", result=f"{ENGLISH} in a long output\n" * 200)],
    )
    brain.commit_turn(told)
    package = compose(brain, "m", "s", "and now?")
    assert CHINESE in package.system_blocks[0].text
    assert package.working_summary.sections
    assert {type(one) for one in _kept()} == {Block, Line, SaidMessage}
    brain.delete_memory(DeleteMemoryRequest(memory_id="m"))
    assert _kept() == []


def _kept() -> list[tuple[object, ...]]:
    """Return what this process holds of messages, pinned blocks and lines of summaries that have the words."""
    gc.collect()
    held = [one for one in gc.get_objects() if isinstance(one, (Block, Line, SaidMessage))]
    return [one for one in held if any(word in str(one) for word in (ENGLISH, CHINESE))]
