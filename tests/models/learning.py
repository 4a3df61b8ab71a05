"""A brain that a language model reads along with, and what it learned."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from google.protobuf import json_format
from smartbrain.v1.admin_service_pb2 import GetStatusResponse
from smartbrain.v1.brain_service_pb2 import CommitTurnResponse, RetentionVerdict
from smartbrain.v1.item_pb2 import MemoryItem
from smartbrain.v1.memory_service_pb2 import GetCommitRequest, GetItemRequest, ListItemsRequest

from brain_core import Brain, load_policy
from brain_core.env import Env
from brain_core.store.log import scan_changes
from tests.building import embedder, pref, ticking, turn
from tests.models.chat_endpoint import ChatStub

_SECONDS = 20
Item = dict[str, Any]


def open_reading(folder: Path, stub: ChatStub, *, env: Env | None = None, **llm: Any) -> Brain:  # noqa: ANN401
    """Open a brain that a model reads along with. llm: keys of its section."""
    policy = load_policy({"store": {"durability": "process"}, "llm": {**stub.policy, **llm}})
    return Brain.open(folder, policy, embedder(), env or ticking())


def until_status(brain: Brain, *, left: int = 0, says: str = "") -> GetStatusResponse:
    """Wait until so many turns are left to learn and the problem says so; return the status."""
    deadline = time.monotonic() + _SECONDS
    while (now := brain.status()).turns_to_learn != left or says not in now.learn_problem:
        assert time.monotonic() < deadline, now
        time.sleep(0.005)
    return now


def item(brain: Brain, item_type: str, key: str, memory: str = "m") -> MemoryItem:
    return brain.get_item(GetItemRequest(memory_id=memory, type=item_type, key=key)).item


def keys_of(brain: Brain, memory: str = "m") -> list[str]:
    """Return the keys of preferences and profiles."""
    request = ListItemsRequest(memory_id=memory, types=["preferences", "profile"])
    return [each.key for each in brain.list_items(request).items]


def facts_of(brain: Brain) -> dict[str, str]:
    """Return what the user's profile says, by name."""
    value = json_format.MessageToDict(item(brain, "profile", "profile:user").value)
    return {fact["k"]: fact["v"] for fact in value["facts"]}


def derived(brain: Brain, memory: str = "m") -> list[CommitTurnResponse]:
    """Return what the derived commits decided, in order."""
    changes = [one for one in scan_changes(brain._kv.snapshot(), memory, 0) if one.commit_id]
    answers = [
        brain.get_commit(GetCommitRequest(memory_id=memory, commit_id=change.commit_id)).response for change in changes
    ]
    return [answer for answer in answers if answer.turn_id != f"t{answer.revision}"]


def verdicts(brain: Brain) -> list[RetentionVerdict]:
    return [verdict for answer in derived(brain) for verdict in answer.explain.retention]


def drink(value: str, quote: str, **fields: Any) -> Item:  # noqa: ANN401
    return {"type": "preferences", "value": {"name": "drink", "value": value, **fields}, "quote": quote}


def fact(name: str, value: str, quote: str) -> Item:
    return {"type": "profile", "value": {"facts": [{"k": name, "v": value}]}, "quote": quote}


def answering(stub: ChatStub, *items: Item) -> None:
    """Let the model find items in the turns that hold the beginnings of their quotes."""

    def answer(said: dict[str, Any]) -> dict[str, Any]:
        texts = " ".join(message["text"] for message in said.get("turn", ()))
        return {"items": [one for one in items if str(one["quote"])[:5] in texts], "lines": []}

    stub.behaviour.answer = answer


def item_status(brain: Brain) -> int:
    """Return the status of an item that is put now."""
    brain.commit_turn(turn("m", "s", preferences=[pref("tone", "formal")]))
    return item(brain, "preferences", "pref:writing:tone").status
