"""A memory that has not begun: composed of as of an empty one, and named by every other read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from smartbrain.v1.brain_service_pb2 import (
    ComposeContextRequest,
    DeleteMemoryRequest,
    DeleteSessionRequest,
    DeleteTurnRequest,
    ListContextsRequest,
    ListSessionsRequest,
    ReplayRequest,
)
from smartbrain.v1.memory_service_pb2 import (
    DiffItemRequest,
    GetCommitRequest,
    GetItemHistoryRequest,
    GetItemRequest,
    ListItemsRequest,
    RollbackItemRequest,
)
from smartbrain.v1.resource_service_pb2 import DeleteDocumentRequest, ListDocumentsRequest

from brain_core import Brain
from brain_core.errors import FailedPrecondition, NotFound
from tests.building import compose, plan, retrieve, say


@pytest.mark.parametrize("fields", [{}, {"token_limit": 300}, {"plan": plan("hello", mode="relational")}])
def test_the_first_compose_of_an_agent_comes_before_its_first_commit(brain: Brain, fields: dict[str, Any]) -> None:
    """It was NotFound, so that every agent had to catch it."""
    request = ComposeContextRequest(memory_id="nobody", session_id="s", user_message="你好, what do I like?", **fields)
    answer = brain.compose_context(request)
    package = answer.context
    assert (answer.revision, package.user_message.content) == (0, "你好, what do I like?")
    assert not (package.evidence or package.recent_turns or package.system_blocks)
    assert "memory_id: there is no memory 'nobody' yet" in str(package.debug.ignored)
    assert list(brain.verify()) == [], "asking makes no memory"
    brain.commit_turn(say("nobody", "s", "I like green tea."))
    assert not any("no memory" in words for words in compose(brain, "nobody", "s", "what do I like?").debug.ignored)


def test_every_other_read_of_an_unknown_memory_names_it(brain: Brain) -> None:
    item: dict[str, Any] = {"memory_id": "nobody", "type": "preferences", "key": "pref:writing:tone"}
    reads: list[Callable[[], object]] = [
        lambda: retrieve(brain, "nobody", plan("x")),
        lambda: brain.list_items(ListItemsRequest(memory_id="nobody")),
        lambda: brain.get_item(GetItemRequest(**item)),
        lambda: brain.item_history(GetItemHistoryRequest(**item)),
        lambda: brain.diff_item(DiffItemRequest(**item)),
        lambda: brain.rollback_item(RollbackItemRequest(**item, version=1)),
        lambda: brain.get_commit(GetCommitRequest(memory_id="nobody", commit_id="c1")),
        lambda: brain.list_sessions(ListSessionsRequest(memory_id="nobody")),
        lambda: brain.list_contexts(ListContextsRequest(memory_id="nobody")),
        lambda: brain.replay(ReplayRequest(memory_id="nobody", context_id="x")),
        lambda: brain.list_documents(ListDocumentsRequest(memory_id="nobody")),
        lambda: brain.delete_document(DeleteDocumentRequest(memory_id="nobody", document_id="x")),
        lambda: brain.delete_memory(DeleteMemoryRequest(memory_id="nobody")),
        lambda: brain.delete_session(DeleteSessionRequest(memory_id="nobody", session_id="x")),
        lambda: brain.delete_turn(DeleteTurnRequest(memory_id="nobody", turn_id="t1")),
        lambda: list(brain.verify("nobody")),
        lambda: list(brain.rebuild_index("nobody")),
    ]
    for read in reads:
        with pytest.raises(NotFound, match="no memory 'nobody'") as failed:
            read()
        assert failed.value.field == "memory_id"
    with pytest.raises(FailedPrecondition):
        compose(brain, "nobody", "s", "hello", min_revision=1)
