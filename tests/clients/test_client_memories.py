"""Both clients, the command line and HTTP list the memories of a server."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from smartbrain import Client, InvalidArgument
from smartbrain.v1.event_pb2 import Preference, TurnEvents
from smartbrain.v1.item_pb2 import ITEM_STATUS_ACTIVE

from tests.clients.command import Brain
from tests.server.over_http import Http
from tests.serving import Server, start_server

SAID = [{"role": "user", "content": "Hello. 你好。"}, {"role": "assistant", "content": "Hi."}]
LIKED = TurnEvents(preferences=[Preference(scope="coding", name="editor", value="vim", confirmed=True)])


def fill(client: Client, prefix: str) -> list[str]:
    """Make three memories; return their ids in order."""
    names = [f"{prefix}:ann", f"{prefix}:bob", f"{prefix}:小明"]
    for number, name in enumerate(names, start=1):
        for _ in range(number):
            client.commit("monday", SAID, memory_id=name)
        client.commit("tuesday", LIKED, memory_id=name)
    client.ingest("The baker closes at six.", document_id="baker", memory_id=names[0])
    return names


def test_both_clients_list_memories(client: Client, memory_id: str) -> None:
    names = fill(client, memory_id)
    found = list(client.memories(prefix=f"{memory_id}:"))
    assert [one.memory_id for one in found] == names
    assert [(one.sessions, one.messages, one.documents, one.revision) for one in found] == [
        (2, 2, 1, 3),
        (2, 4, 0, 3),
        (2, 6, 0, 4),
    ]
    assert [[(each.status, each.count) for each in one.items] for one in found] == [[(ITEM_STATUS_ACTIVE, 1)]] * 3
    assert list(client.memories(prefix=f"{memory_id}:", page_size=1)) == found
    assert found[0] in list(client.memories())
    assert list(client.memories(prefix=f"{memory_id}:nobody")) == []
    with pytest.raises(InvalidArgument, match="page_size"):
        list(client.memories(page_size=1001))


def test_a_purge_is_seen_at_once(client: Client, memory_id: str) -> None:
    names = fill(client, memory_id)
    client.delete_turn(client.commit("monday", SAID, memory_id=names[1]).turn_id, memory_id=names[1])
    client.delete_session("monday", memory_id=names[2])
    client.delete_memory(names[0])
    found = list(client.memories(prefix=memory_id))
    assert [(one.memory_id, one.sessions, one.messages) for one in found] == [(names[1], 2, 4), (names[2], 1, 0)]


def test_the_command_lists_memories(brain: Brain, server: Server, memory_id: str) -> None:
    with Client(server.target) as client:
        names = fill(client, memory_id)
        client.delete_turn(client.commit("friday", LIKED, memory_id=names[0]).turn_id, memory_id=names[0])
    heading, *rows = brain("memories", "--prefix", memory_id).splitlines()
    assert heading.split()[:5] == ["MEMORY", "SESSIONS", "MESSAGES", "ITEMS", "DOCUMENTS"]
    assert [row.split()[0] for row in rows] == names
    assert rows[0].split()[1:-2] == ["3", "2", "1", "active", "1", "4", "5"]
    assert rows[2].split()[-1].endswith("Z")
    shown = json.loads(brain("memories", "--prefix", f"{memory_id}:小", "--format", "json"))
    assert [(one["memory_id"], one["messages"]) for one in shown["memories"]] == [(names[2], "6")]
    newest = brain("memories", "--prefix", memory_id, "--newest").splitlines()[1:]
    assert [row.split()[0] for row in newest] == [names[0], names[2], names[1]], "in the order of the last commits"
    assert brain("memories", "--prefix", f"{memory_id}:nobody") == "no memories\n"


def test_memories_are_listed_over_http_page_by_page(folder: Path) -> None:
    server = start_server(folder, "--http", "127.0.0.1:0")
    with Client(server.target) as client:
        names = fill(client, "m")
    http = Http.of(server)
    first = http.get("/v1/memories?page_size=2").json
    assert [one["memory_id"] for one in first["memories"]] == names[:2]
    assert first["memories"][0]["items"] == [{"status": "ITEM_STATUS_ACTIVE", "count": "1"}]
    rest = http.get(f"/v1/memories?page_token={first['next_page_token']}").json
    assert [one["memory_id"] for one in rest["memories"]] == names[2:]
    assert "next_page_token" not in rest
    assert http.get("/v1/memories?page_size=x").fault[:2] == (400, "INVALID_ARGUMENT")
    assert server.terminate() == 0


def test_the_list_is_the_same_after_a_kill(start: Callable[..., Server]) -> None:
    server = start()
    with Client(server.target) as client:
        fill(client, "m")
        before = list(client.memories())
    server.kill()
    with Client(start().target) as client:
        assert list(client.memories()) == before
