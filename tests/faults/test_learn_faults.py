"""kill -9 while a language model reads along: what it has learned stays, the rest is learned once."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import yaml
from smartbrain.v1.admin_service_pb2 import GetStatusRequest, VerifyRequest
from smartbrain.v1.memory_service_pb2 import ListItemsRequest

from tests.models.chat_endpoint import ChatBehaviour, chat_endpoint
from tests.server.asking import commit
from tests.serving import Server, Stubs, start_server

LINES = 20


def reading(said: dict[str, Any]) -> dict[str, Any]:
    """Find in `Shelf 7 carries lamp7.` that shelf 7 carries lamp7."""
    lines = [message["text"] for message in said.get("turn", ()) if message["text"].startswith("Shelf")]
    items = [
        {"type": "knowledge", "value": {"slug": line.split()[1], "content": line}, "quote": line.rstrip(".")}
        for line in lines
    ]
    return {"items": items, "lines": []}


def left(stubs: Stubs) -> int:
    return int(stubs.admin.GetStatus(GetStatusRequest()).turns_to_learn)


def wait_until(stubs: Stubs, most: int) -> None:
    deadline = time.monotonic() + 60
    while left(stubs) > most:
        assert time.monotonic() < deadline, stubs.admin.GetStatus(GetStatusRequest())
        time.sleep(0.005)


def learned(stubs: Stubs) -> dict[str, int]:
    """Return the versions of what was learned, by key."""
    listed = stubs.memory.ListItems(ListItemsRequest(memory_id="m", types=["knowledge"], page_size=1000))
    return {item.key: item.version for item in listed.items}


def test_each_turn_is_learned_from_once_whenever_the_server_is_killed(folder: Path, kills: int) -> None:
    with chat_endpoint(ChatBehaviour(answer=reading, mode="slow", seconds=0.02)) as stub:
        config = yaml.safe_dump({"llm": stub.policy, "policies": {"retention": {"worth": {"propose": 1.0}}}})
        server: Server = start_server(folder, config=config)
        before: dict[str, int] = {}
        for kill in range(min(kills, 3)):
            with server.stubs() as stubs:
                for number in range(kill * LINES, (kill + 1) * LINES):
                    stubs.brain.CommitTurn(commit("m", f"s{number % 3}", f"Shelf {number} carries lamp{number}."))
                wait_until(stubs, LINES // 2)
                before = learned(stubs)
            server.kill()
            server = start_server(folder, "--config", str(folder / "brain.yml"))
            with server.stubs() as stubs:
                assert before.keys() <= learned(stubs).keys(), f"kill {kill}: what was learned was lost"
        with server.stubs() as stubs:
            wait_until(stubs, 0)
            wanted = {f"knowledge:fact:{number}" for number in range(min(kills, 3) * LINES)}
            assert learned(stubs) == dict.fromkeys(wanted, 1)
            assert [problem for answer in stubs.admin.Verify(VerifyRequest()) for problem in answer.problems] == []
        assert server.terminate() == 0
