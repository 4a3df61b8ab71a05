"""From the policy to its language model."""

from __future__ import annotations

from brain_core.embedders import read_api_key
from brain_core.models.remote import ChatEndpoint, ChatModel
from brain_core.policy import LlmPolicy


def make_chat(policy: LlmPolicy) -> ChatModel | None:
    """Return the model that the policy names, None if it names none. Raises PolicyError. The endpoint is not asked."""
    if not policy.url or not (policy.extract or policy.summarize):
        return None
    key = read_api_key("llm.api_key_file", policy.api_key_file)
    return ChatModel(ChatEndpoint(policy.url, policy.model, policy.timeout_seconds, policy.answer_tokens, key))
