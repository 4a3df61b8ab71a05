"""The Node client reads an agent's own messages as the Python client does."""

from __future__ import annotations

import json
from typing import Any

import pytest
from google.protobuf.json_format import MessageToDict, ParseDict
from smartbrain import Client, InvalidArgument, read_chat
from smartbrain.v1.event_pb2 import TurnEvents

from tests.clients.node import Bridge, Node, NodeError
from tests.clients.test_client_chat import ANTHROPIC, OLLAMA, OPENAI, THINKING, URL, deep, used

USER = {"role": "user", "content": "Look at this. 看看这个。"}
READ: list[list[dict[str, Any]]] = [
    OPENAI,
    ANTHROPIC,
    OLLAMA,
    *THINKING.values(),
    [{"role": "user", "name": "Ann", "content": "hi"}, {"role": "assistant", "content": None, "refusal": "No."}],
    [used("", {}), {"role": "tool", "content": "done"}, {"role": "tool", "content": "a log line"}],
    [used("a", "{}"), used("b", "{}"), {"role": "tool", "tool_call_id": "b", "content": "second"}],
    [{"role": "tool", "name": "f", "content": "of no call"}],
    [used("a", deep(30)), used("b", deep(31)), used("c", "{"), used("d", "[1]"), used("e", {"x": "长" * 30_000})],
    [used("a", '{"id": 12345678901234567890, "n": -9007199254740993, "k": 7, "x": 0.5, "s": "12345678901234567890"}')],
    [used("a", '{"x": 0.12345678901234567890, "y": 12345678901234567.5, "z": [1e20, 9007199254740992], "q": "\\"1"}')],
    [used("a", '{"x": 1e999}'), used("b", '{"x": "\\ud800"}'), used("c", '{"x": NaN}')],
    [USER, {"role": "user", "content": [{"type": "text", "text": "See."}, URL]}],
    [
        USER,
        {
            "role": "user",
            "content": "See.",
            "images": ["AAAA"],
            "message_id": "m1",
            "created_at": "2024-05-01T10:00:00Z",
        },
    ],
    [{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": "x", "is_error": True}]}],
    [
        {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "f", "input": {}}, "And so."]},
        {
            "role": "user",
            "content": [{"type": "tool_result", "tool_use_id": "a", "content": "x", "is_error": True}, "?"],
        },
    ],
    [USER, {"role": "function", "name": "f", "content": "x"}],
    [USER, {"role": "tool", "tool_call_id": "z", "content": "x"}],
    [USER, {"role": "user", "content": 5}],
    [USER, {"role": "user", "content": [{"text": "x"}]}],
    [USER, {"role": "user", "content": [{"type": "text", "text": 5}]}],
    [USER, {"role": "assistant", "tool_calls": "x"}],
    [USER, {"role": "assistant", "tool_calls": [{"id": "a"}]}],
    [USER, used("a", {}, name=" ")],
    [USER, {"role": "user", "content": "x", "hue": 5}],
    [USER, {"role": "user", "content": ""}],
]


def read_here(messages: list[Any]) -> tuple[TurnEvents | None, list[str]]:
    """Give the turn, and the places of what it does not hold; no turn, and the place of what is no message."""
    try:
        turn, left_out = read_chat(messages)
    except InvalidArgument as error:
        return None, [error.field]
    return turn, [f"{each.field} {each.reason}" for each in left_out]


def read_there(bridge: Bridge, messages: list[Any]) -> tuple[TurnEvents | None, list[str]]:
    try:
        read = bridge.ask(messages=messages)
    except NodeError as error:
        return None, [error.told["field"]]
    return ParseDict(read["turn"], TurnEvents()), [f"{each['field']} {each['reason']}" for each in read["left_out"]]


@pytest.mark.parametrize("messages", READ, ids=lambda value: json.dumps(value)[:60])
def test_messages_are_read_as_in_python(bridge: Bridge, messages: list[Any]) -> None:
    assert read_there(bridge, messages) == read_here(messages)


@pytest.mark.parametrize("messages", [OPENAI, ANTHROPIC, OLLAMA], ids=["openai", "anthropic", "ollama"])
def test_a_loop_of_an_agent_is_committed_as_it_is(node: Node, python: Client, messages: list[Any]) -> None:
    node("commit", "there", messages)
    python.commit("here", messages)
    (there,), (here,) = python.turns("there"), python.turns("here")
    assert [MessageToDict(call) for call in there.events.tool_calls] == [
        MessageToDict(call) for call in here.events.tool_calls
    ]
    assert [(each.role, each.content) for each in there.events.messages] == [
        (each.role, each.content) for each in here.events.messages
    ]


def test_what_no_turn_holds_is_refused_by_a_commit_and_reasoning_is_not(node: Node, python: Client) -> None:
    with pytest.raises(NodeError) as caught:
        node("commit", "chat", [*THINKING["ollama"], {"role": "user", "content": [URL]}])
    assert caught.value.told["field"] == "messages[1].content[0]"
    assert "readChat(messages)" in caught.value.told["hint"]
    node("commit", "chat", THINKING["ollama"])
    (turn,) = python.turns("chat")
    assert [each.role for each in turn.events.messages] == ["assistant"]
