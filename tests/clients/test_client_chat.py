"""An agent's own messages as a turn: OpenAI's, Anthropic's, Ollama's; what no turn holds is named, never lost."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from google.protobuf.json_format import MessageToDict
from smartbrain import Client, InvalidArgument, SmartBrainError, read_chat

if TYPE_CHECKING:
    from tests.clients.command import Brain

ASKED = "Is 杭州 rainy tomorrow?"
ANSWERED = "Yes, take an umbrella. 记得带伞。"
RESULT = "rain, 14 °C. 有雨。"
ARGS = {"city": "杭州", "days": 2, "units": None, "hours": [9, 12.5]}

OPENAI: list[dict[str, Any]] = [
    {"role": "developer", "content": "Be brief."},
    {"role": "user", "content": [{"type": "text", "text": "Is 杭州"}, {"type": "text", "text": "rainy tomorrow?"}]},
    {
        "role": "assistant",
        "content": None,
        "refusal": None,
        "annotations": [],
        "tool_calls": [
            {"id": "a", "type": "function", "function": {"name": "weather", "arguments": json.dumps(ARGS)}},
            {"id": "b", "type": "function", "function": {"name": "clock", "arguments": ""}},
        ],
    },
    {"role": "tool", "tool_call_id": "b", "content": "noon"},
    {"role": "tool", "tool_call_id": "a", "content": [{"type": "text", "text": RESULT}]},
    {"role": "assistant", "content": ANSWERED, "tool_calls": None},
]
ANTHROPIC: list[dict[str, Any]] = [
    {"role": "system", "content": [{"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}}]},
    {"role": "user", "content": ASKED},
    {
        "role": "assistant",
        "content": [
            {"type": "tool_use", "id": "a", "name": "weather", "input": ARGS},
            {"type": "tool_use", "id": "b", "name": "clock", "input": {}},
        ],
    },
    {
        "role": "user",
        "content": [
            {"type": "tool_result", "tool_use_id": "b", "content": "noon"},
            {"type": "tool_result", "tool_use_id": "a", "content": [{"type": "text", "text": RESULT}]},
        ],
    },
    {"role": "assistant", "content": [{"type": "text", "text": ANSWERED}]},
]
OLLAMA: list[dict[str, Any]] = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": ASKED, "images": None},
    {
        "role": "assistant",
        "content": "",
        "thinking": "",
        "tool_calls": [
            {"function": {"name": "weather", "arguments": ARGS}},
            {"function": {"name": "clock", "arguments": {}}},
        ],
    },
    {"role": "tool", "tool_name": "clock", "content": "noon"},
    {"role": "tool", "tool_name": "weather", "content": RESULT},
    {"role": "assistant", "content": ANSWERED},
]


class Dumped:
    """What the SDKs give: an object that dumps itself."""

    def __init__(self, fields: dict[str, Any]) -> None:
        self._fields = fields

    def model_dump(self) -> dict[str, Any]:
        return self._fields


def used(call_id: str, arguments: object, name: str = "run") -> dict[str, Any]:
    return {"role": "assistant", "tool_calls": [{"id": call_id, "function": {"name": name, "arguments": arguments}}]}


@pytest.mark.parametrize("messages", [OPENAI, ANTHROPIC, OLLAMA], ids=["openai", "anthropic", "ollama"])
@pytest.mark.parametrize("dumped", [False, True], ids=["mappings", "objects"])
def test_messages_of_each_kind_become_the_same_turn(client: Client, messages: list[Any], dumped: bool) -> None:
    client.commit("s", [Dumped(each) for each in messages] if dumped else messages)
    [turn] = client.turns("s")
    said = [(message.role, message.content.replace("\n", " ")) for message in turn.events.messages]
    assert said == [("system", "Be brief."), ("user", ASKED), ("assistant", ANSWERED)]
    weather, clock = turn.events.tool_calls
    assert (weather.name, weather.result, weather.status) == ("weather", RESULT, "ok")
    assert MessageToDict(weather.args) == ARGS
    assert (clock.name, clock.result, MessageToDict(clock.args)) == ("clock", "noon", {})


def test_what_was_done_is_in_the_next_context(client: Client) -> None:
    client.commit("s", OPENAI)
    [found] = [
        turn for turn in client.compose("s", "What did the tool say?").context.recent_turns if turn.role == "tool"
    ][:1]
    assert RESULT in found.content


def test_a_result_that_is_an_error_says_so() -> None:
    block = {"type": "tool_result", "tool_use_id": "a", "content": "no such file", "is_error": True}
    call = {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "read", "input": {"path": "x"}}]}
    turn, left_out = read_chat([call, {"role": "user", "content": [block, {"type": "text", "text": "Try y."}]}])
    assert not left_out
    assert [(each.result, each.status) for each in turn.tool_calls] == [("no such file", "error")]
    assert [each.content for each in turn.messages] == ["Try y."]


def test_a_call_without_a_result_is_cancelled(client: Client) -> None:
    client.commit("s", [{"role": "user", "content": "Go."}, used("a", "{}")])
    [turn] = client.turns("s")
    assert [(call.name, call.status) for call in turn.events.tool_calls] == [("run", "cancelled")]


def test_calls_of_one_tool_get_their_results_in_order() -> None:
    calls = [{"function": {"name": "read", "arguments": {"path": path}}} for path in "ab"]
    results = [{"role": "tool", "tool_name": "read", "content": f"text of {path}"} for path in "ab"]
    turn, _ = read_chat([{"role": "assistant", "content": "", "tool_calls": calls}, *results])
    assert [(call.args["path"], call.result) for call in turn.tool_calls] == [("a", "text of a"), ("b", "text of b")]


def test_results_without_id_and_name_answer_in_order_and_without_calls_are_messages() -> None:
    turn, _ = read_chat([used("", {}), {"role": "tool", "content": "done"}, {"role": "tool", "content": "a log line"}])
    assert [call.result for call in turn.tool_calls] == ["done"]
    assert [(message.role, message.content) for message in turn.messages] == [("tool", "a log line")]


def test_a_name_is_the_speaker_and_a_refusal_is_said() -> None:
    turn, left_out = read_chat(
        [
            {"role": "user", "name": "Ann", "content": "hi"},
            {"role": "assistant", "content": None, "refusal": "No."},
        ]
    )
    assert not left_out
    assert [(each.speaker, each.content) for each in turn.messages] == [("Ann", "hi"), ("", "No.")]


def test_whole_numbers_that_a_double_cannot_hold_stay_as_they_are_written() -> None:
    turn, left_out = read_chat([used("a", '{"id": 12345678901234567890, "n": -9007199254740993, "k": 7, "x": 0.5}')])
    assert not left_out
    told = {"id": "12345678901234567890", "n": "-9007199254740993", "k": 7.0, "x": 0.5}
    assert MessageToDict(turn.tool_calls[0].args) == told


def deep(levels: int) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for _ in range(levels):
        value = {"in": value}
    return value


@pytest.mark.parametrize("levels", [30, 31])
def test_arguments_may_be_as_deep_as_the_wire_carries(client: Client, levels: int) -> None:
    turn, left_out = read_chat([{"role": "user", "content": "Go."}, used("a", deep(levels))])
    assert bool(left_out) == (levels > 30)
    client.commit("s", turn)


URL = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}


@pytest.mark.parametrize(
    ("message", "field", "limit"),
    [
        ({"role": "user", "content": [{"type": "text", "text": "See."}, URL]}, "messages[1].content[1]", "something"),
        ({"role": "user", "content": "See.", "images": ["AAAA"]}, "messages[1].images", "something"),
        ({"role": "assistant", "content": [{"type": "hologram"}]}, "messages[1].content[0]", "something"),
        (used("a", '{"x": '), "messages[1].tool_calls[0].function.arguments", "a JSON object (Expecting value"),
        (used("a", "[1]"), "messages[1].tool_calls[0].function.arguments", "a JSON object"),
        (used("a", '{"x": NaN}'), "messages[1].tool_calls[0].function.arguments", "a JSON object, which has no number"),
        (used("a", '{"x": 1e999}'), "messages[1].tool_calls[0].function.arguments", "a JSON object, which has no num"),
        (used("a", {"x": float("nan")}), "messages[1].tool_calls[0].function.arguments", "a JSON object, which has"),
        (used("a", {"x": b"y"}), "messages[1].tool_calls[0].function.arguments", "a JSON object, which cannot hold"),
        (used("a", {1: "y"}), "messages[1].tool_calls[0].function.arguments", "a JSON object, whose names are text"),
        (used("a", '{"x": "\\ud800"}'), "messages[1].tool_calls[0].function.arguments", "a JSON object of text that"),
        (used("a", {"x": "长" * 30_000}), "messages[1].tool_calls[0].function.arguments", "at most 65536 bytes, "),
        (used("a", "[" * 100_000), "messages[1].tool_calls[0].function.arguments", "a JSON object ("),
    ],
)  # fmt: skip
def test_what_no_turn_holds_is_refused_by_name_or_left_out_by_name(
    client: Client, message: dict[str, Any], field: str, limit: str
) -> None:
    messages = [{"role": "user", "content": "Look at this. 看看这个。"}, message]
    with pytest.raises(InvalidArgument) as caught:
        client.commit("s", messages)
    assert caught.value.field == field
    assert caught.value.limit.startswith(limit)
    assert "read_chat(messages)" in caught.value.hint
    assert len(str(caught.value)) < 500
    with pytest.raises(SmartBrainError):
        list(client.turns("s"))
    turn, left_out = read_chat(messages)
    assert [(each.field, each.value) for each in left_out] == [(field, caught.value.value)]
    client.commit("s", turn)
    [kept] = client.turns("s")
    assert kept.events.messages[0].content == "Look at this. 看看这个。"
    assert len(kept.events.tool_calls) == len(message.get("tool_calls", ()))


THOUGHT = "They must not see this. 不该给人看。"
THINKING: dict[str, list[dict[str, Any]]] = {
    "anthropic": [
        {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": THOUGHT, "signature": "c2ln"},
                {"type": "redacted_thinking", "data": THOUGHT},
                {"type": "text", "text": ANSWERED},
            ],
        }
    ],
    "openai": [{"role": "assistant", "content": ANSWERED, "reasoning_content": THOUGHT}],
    "openrouter": [
        {"role": "assistant", "content": ANSWERED, "reasoning": THOUGHT, "reasoning_details": [{"text": THOUGHT}]}
    ],
    "litellm": [{"role": "assistant", "content": ANSWERED, "thinking_blocks": [{"thinking": THOUGHT}]}],
    "ollama": [{"role": "assistant", "content": ANSWERED, "thinking": THOUGHT}],
    "alone": [
        {"role": "assistant", "content": [{"type": "thinking", "thinking": THOUGHT}]},
        {"role": "assistant", "content": ANSWERED},
    ],
}


@pytest.mark.parametrize("messages", THINKING.values(), ids=THINKING)
def test_a_commit_goes_on_without_reasoning_and_says_so(
    client: Client, messages: list[dict[str, Any]], caplog: pytest.LogCaptureFixture
) -> None:
    asked = [{"role": "user", "content": ASKED}, *messages]
    with caplog.at_level("INFO", logger="smartbrain"):
        client.commit("s", asked)
    [turn] = client.turns("s")
    assert [(each.role, each.content) for each in turn.events.messages] == [("user", ASKED), ("assistant", ANSWERED)]
    assert THOUGHT not in str(turn)
    left_out = read_chat(asked).left_out
    assert {each.reason for each in left_out} == {"REASONING"}
    said = [record.getMessage() for record in caplog.records if record.name == "smartbrain"]
    assert said == [f"{each.field} is reasoning, which is not committed" for each in left_out]
    assert THOUGHT not in caplog.text


def test_what_is_refused_is_refused_beside_reasoning(client: Client) -> None:
    seen = {"role": "user", "content": [{"type": "text", "text": "See."}, URL]}
    with pytest.raises(InvalidArgument) as caught:
        client.commit("s", [*THINKING["ollama"], seen])
    assert caught.value.field == "messages[1].content[1]"


def test_the_command_says_that_it_left_reasoning_out(brain: Brain, memory_id: str) -> None:
    done = brain.run("--memory", memory_id, "commit", "s", "--json", "-", said=json.dumps(THINKING["ollama"]).encode())
    assert done.returncode == 0
    assert done.stderr.splitlines() == ["left out: messages[0].thinking (reasoning is not committed)"]
    assert ANSWERED in brain("--memory", memory_id, "show", "s")


@pytest.mark.parametrize(
    ("message", "field", "value"),
    [
        ({"role": "function", "name": "f", "content": "x"}, "messages[1].role", "'function'"),
        ({"role": "tool", "tool_call_id": "z", "content": "x"}, "messages[1].tool_call_id", "'z'"),
        ({"role": "user", "content": 5}, "messages[1].content", "5"),
        ({"role": "user", "content": [5]}, "messages[1].content[0]", "5"),
        ({"role": "user", "content": [{"text": "x"}]}, "messages[1].content[0].type", "None"),
        ({"role": "user", "content": [{"type": "text", "text": 5}]}, "messages[1].content[0].text", "5"),
        ({"role": "assistant", "tool_calls": "x"}, "messages[1].tool_calls", "'x'"),
        ({"role": "assistant", "tool_calls": [{"id": "a"}]}, "messages[1].tool_calls[0].function", "None"),
        (used("a", {}, name=" "), "messages[1].tool_calls[0].function.name", "' '"),
        ({"role": "user", "content": "x", "hue": 5}, "messages[1].hue", "5"),
        ("hello", "messages[1]", "'hello'"),
    ],
)
def test_what_is_no_message_is_refused_with_its_place(message: Any, field: str, value: str) -> None:  # noqa: ANN401
    with pytest.raises(InvalidArgument) as caught:
        read_chat([{"role": "user", "content": "Hello."}, message])
    assert (caught.value.field, caught.value.value) == (field, value)


def test_the_command_takes_them_too(brain: Brain, memory_id: str) -> None:
    said = json.dumps(OPENAI).encode()
    brain("--memory", memory_id, "commit", "s", "--json", "-", said=said)
    assert ANSWERED in brain("--memory", memory_id, "show", "s")
    picture = json.dumps([{"role": "user", "content": [URL]}]).encode()
    bad = brain.run("--memory", memory_id, "commit", "s", "--json", "-", said=picture)
    assert bad.returncode == 1
    assert "messages[0].content[0] is " in bad.stderr
