"""What the policy keeps out of items does not leave the machine for an endpoint either."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from smartbrain.v1.resource_service_pb2 import DocumentHeader

from tests.building import compose, say
from tests.models.chat_endpoint import chat_endpoint
from tests.models.endpoint import Stub
from tests.models.learning import open_reading, until_status
from tests.models.refining import open_with, refined

_PASSWORD, _KEY = "Tr0ub4dor&3", "sk-proj-Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4z"


@pytest.mark.parametrize(("secrets", "leaves"), [("mask", False), ("refuse", False), ("keep", True)])
def test_texts_for_vectors_are_sent_without_secrets(folder: Path, stub: Stub, secrets: str, leaves: bool) -> None:
    """Messages, documents and questions went to the endpoint as they stood."""
    with open_with(folder, stub, policies={"retention": {"secrets": secrets}}) as brain:
        brain.commit_turn(say("m", "s", f"数据库的密码是 {_PASSWORD}", f"Noted: {_PASSWORD}. Tea is in the kitchen."))
        brain.ingest_document(
            DocumentHeader(memory_id="m", document_id="d", media_type="text/plain"), [f"api_key = {_KEY}".encode()]
        )
        refined(brain)
        asked = compose(brain, "m", "t", f"Where is the tea? My api key is {_KEY}")
        assert any("ea is in the kitchen" in one.snippet for one in asked.evidence)
    sent = json.dumps([request["input"] for request in stub.behaviour.requests], ensure_ascii=False)
    assert "ea is in the kitchen" in sent
    assert (_PASSWORD in sent, _KEY in sent) == (leaves, leaves)


def test_a_secret_told_in_one_message_is_masked_in_the_others(folder: Path) -> None:
    """The assistant's repeat of a password has no word of one beside it, and was shown to the language model."""
    with chat_endpoint() as chat:
        with open_reading(folder, chat, summarize=False) as brain:
            brain.commit_turn(say("m", "s", f"The wifi password is {_PASSWORD}", f"{_PASSWORD}, got it."))
            brain.commit_turn(say("m", "s", "We decided to paint the barn red.", f"And {_PASSWORD} on the fridge."))
            until_status(brain)
        sent = json.dumps(chat.behaviour.requests, ensure_ascii=False)
    assert "paint the barn red" in sent
    assert _PASSWORD not in sent
