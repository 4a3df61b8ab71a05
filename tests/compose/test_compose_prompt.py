"""The package as prompt text, for clients that do not render it themselves."""

from __future__ import annotations

from pathlib import Path

import pytest
from smartbrain.render import render
from smartbrain.v1.brain_service_pb2 import ComposeContextRequest, GetContextRequest, ReplayRequest

from tests.building import open_brain, say


@pytest.mark.parametrize("store_contexts", [True, False])
def test_it_is_the_text_that_tokens_were_counted_of(tmp_path: Path, store_contexts: bool) -> None:
    with open_brain(tmp_path, policies={"observability": {"store_contexts": store_contexts}}) as brain:
        brain.commit_turn(say("m", "s", "Mei must not eat peanuts. 她对花生过敏。", "Noted."))
        request = ComposeContextRequest(
            memory_id="m", session_id="t", user_message="What can Mei not eat?", render=True
        )
        answer = brain.compose_context(request)
        assert "peanuts" in answer.prompt
        assert answer.prompt == render(answer.context)
        if store_contexts:
            stored = brain.get_context(GetContextRequest(memory_id="m", context_id=answer.context.context_id))
            assert stored.context == answer.context
            again = brain.replay(ReplayRequest(memory_id="m", context_id=answer.context.context_id))
            assert again.identical


def test_it_is_given_only_where_it_is_asked_for(tmp_path: Path) -> None:
    with open_brain(tmp_path) as brain:
        brain.commit_turn(say("m", "s", "The barn is red."))
        request = ComposeContextRequest(memory_id="m", session_id="t", user_message="What colour is the barn?")
        assert brain.compose_context(request).prompt == ""
