"""From the policy to its language models."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from brain_core.embedders import read_api_key
from brain_core.models.remote import ChatEndpoint, ChatModel
from brain_core.policy import LlmPolicy, Policy

if TYPE_CHECKING:
    from brain_core.compose.planner.consult import Consultant


def make_chat(policy: LlmPolicy) -> ChatModel | None:
    """Return the model that the policy names, None if it names none. Raises PolicyError. The endpoint is not asked."""
    if not policy.url or not (policy.extract or policy.summarize):
        return None
    key = read_api_key("llm.api_key_file", policy.api_key_file)
    return ChatModel(ChatEndpoint(policy.url, policy.model, policy.timeout_seconds, policy.answer_tokens, key))


def make_consultant(policy: Policy, types: Sequence[str]) -> Consultant | None:
    """Return what asks the model that is to say how to look, None if the policy names none. Raises PolicyError.

    types: of memory item. The endpoint is not asked.
    """
    llm = policy.planner.llm
    if not llm.url:
        return None
    from brain_core.compose.check import PURPOSES  # noqa: PLC0415  none of it is loaded where it is not used
    from brain_core.compose.planner.consult import Consultant  # noqa: PLC0415
    from brain_core.models.adviser import ChatAdviser  # noqa: PLC0415

    key = read_api_key("planner.llm.api_key_file", llm.api_key_file)
    endpoint = ChatEndpoint(llm.url, llm.model, llm.timeout_ms / 1000, llm.answer_tokens, key, "planner.llm")
    adviser = ChatAdviser(endpoint, llm.reserve_ms, PURPOSES, types)
    return Consultant(adviser, types, llm.input_chars, policy.policies.retention.secrets)
