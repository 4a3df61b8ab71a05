"""A chat endpoint that is well gives one JSON object; one that is not fails by name, in time and in bounds."""

from __future__ import annotations

import json
import socket
import threading
import time
from typing import Any

import pytest

from brain_core.errors import ModelUnavailable, UnusableAnswer
from brain_core.models.prompts import TYPES
from brain_core.models.reading import Extractor, Found, Odd, Said, Summarizer
from brain_core.models.remote import ChatEndpoint, ChatModel, Prompt
from tests.models.chat_endpoint import MODEL, ChatStub

SHAPES: dict[str, dict[str, Any]] = {
    "preferences": {"type": "object", "properties": {"name": {"type": "string"}, "value": {"type": "string"}}},
    "tasks": {"type": "object", "properties": {"task_id": {"type": "string"}}},
}
TEA: dict[str, Any] = {"type": "preferences", "value": {"name": "drink", "value": "绿茶"}, "quote": "我喜欢绿茶"}
_LATE_SECONDS = 20.0
"""When a bad endpoint has answered; nobody waits for that."""

SPOKEN = [Said("user", "Ann", "2026-02-03T10:00", "我喜欢绿茶, not coffee.")]


def model_of(stub: ChatStub, *, seconds: float = 2.0, answer_tokens: int = 500, api_key: str = "") -> ChatModel:
    return ChatModel(ChatEndpoint(stub.url, MODEL, seconds, answer_tokens, api_key))


def question() -> Prompt:
    return Extractor(SHAPES).prompt(SPOKEN, [], ["已知"])


def test_one_object_is_asked_for_by_schema_and_read(chat: ChatStub) -> None:
    chat.behaviour.answer = lambda _: {"items": [TEA]}
    reply = model_of(chat, api_key="secret-key").ask(question())
    assert list(Extractor(SHAPES).read(reply.value)) == [Found(0, "preferences", TEA["value"], TEA["quote"])]
    [request] = chat.behaviour.requests
    assert (request["path"], request["model"], request["max_tokens"]) == ("/v1/chat/completions", MODEL, 500)
    assert request["stream"] is False
    schema = request["response_format"]["json_schema"]["schema"]
    assert [one["properties"]["type"]["const"] for one in schema["properties"]["items"]["items"]["anyOf"]] == [*SHAPES]
    assert chat.behaviour.said == [{"known": ["已知"], "earlier": [], "turn": [SPOKEN[0].plain()]}]
    assert chat.behaviour.keys == ["Bearer secret-key"]
    assert "secret" not in repr(ChatEndpoint(chat.url, MODEL, 1.0, 500, "secret"))


@pytest.mark.parametrize("mode", ["fenced", "thinking", "no_schema"])
def test_a_server_that_ignores_or_does_not_know_schemas_is_understood(chat: ChatStub, mode: str) -> None:
    chat.behaviour.mode = mode
    chat.behaviour.answer = lambda _: {"items": [TEA]}
    model = model_of(chat)
    if mode == "no_schema":
        with pytest.raises(UnusableAnswer, match="answered 400"):
            model.ask(question())
    assert model.ask(question()).value == {"items": [TEA]}
    assert ("response_format" in chat.behaviour.requests[-1]) is (mode != "no_schema")


@pytest.mark.parametrize(
    ("mode", "says"),
    [
        ("bad_json", "gave no chat completion"),
        ("no_choices", "gave no chat completion"),
        ("empty_choices", "gave no chat completion"),
        ("bare_list", "gave no chat completion"),
        ("bare_empty", "gave no chat completion"),
        ("choices_words", "gave no chat completion"),
        ("message_words", "gave no chat completion"),
        ("stream", "gave no chat completion"),
        ("html", "gave no chat completion"),
        ("none", "gave no text"),
        ("a_number", "gave no text"),
        ("cut_off", "was cut off at 500 tokens"),
        ("half", "gave no object with 'items'"),
        ("words", "gave no object with 'items'"),
        ("another_object", "gave no object with 'items'"),
        ("a_list", "gave no object with 'items'"),
        ("empty", "gave no object with 'items'"),
        ("deep", "gave no object with 'items'"),
        ("nan", "gave no object with 'items'"),
        ("many_braces", "gave no object with 'items'"),
        ("refusing", "answered 400"),
        ("deep_body", "answered more than"),
        ("endless", "answered more than"),
        ("slow", "no answer within 0.5 s"),
        ("drops", "no answer within 0.5 s"),
    ],
)
def test_an_answer_that_is_not_the_object_is_named(chat: ChatStub, mode: str, says: str) -> None:
    chat.behaviour.mode, chat.behaviour.seconds = mode, _LATE_SECONDS
    began = time.monotonic()
    with pytest.raises(UnusableAnswer) as failed:
        model_of(chat, seconds=0.5).ask(question())
    assert says in str(failed.value)
    assert chat.url in str(failed.value)
    assert "\n" not in str(failed.value)
    assert len(str(failed.value)) < 500
    assert time.monotonic() - began < _LATE_SECONDS, "waited for the answer"


@pytest.mark.parametrize(
    ("mode", "says"),
    [
        ("500", "answered 500"),
        ("429", "answered 429"),
        ("401", "answered 401"),
        ("404", "answered 404"),
        ("redirect", "answered 307"),
        ("hang_up", "cannot be reached"),
    ],
)
def test_an_endpoint_that_is_not_there_is_named_in_time(chat: ChatStub, mode: str, says: str) -> None:
    chat.behaviour.mode, chat.behaviour.seconds = mode, _LATE_SECONDS
    began = time.monotonic()
    with pytest.raises(ModelUnavailable) as failed:
        model_of(chat, seconds=0.5).ask(question())
    assert not isinstance(failed.value, UnusableAnswer)
    assert says in str(failed.value)
    assert (failed.value.field, failed.value.value) == ("llm.url", chat.url)
    assert time.monotonic() - began < _LATE_SECONDS, "waited for the answer, not for the timeout"
    assert len(chat.behaviour.requests) == 1, "who asks decides on tries"


def test_nobody_listens() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with pytest.raises(ModelUnavailable, match="cannot be reached"):
        ChatModel(ChatEndpoint(f"http://127.0.0.1:{port}/v1", MODEL, 1.0, 500)).ask(question())


def test_closing_ends_a_call_under_way(chat: ChatStub) -> None:
    chat.behaviour.gate.clear()
    model = model_of(chat, seconds=60)
    threading.Timer(0.2, model.close).start()
    began = time.monotonic()
    with pytest.raises(ModelUnavailable, match="closing"):
        model.ask(question())
    assert time.monotonic() - began < 5
    with pytest.raises(ModelUnavailable, match="closed"):
        model.ask(question())


@pytest.mark.parametrize(
    ("usage", "tokens"),
    [
        ({"total_tokens": 321}, 321),
        ({"total_tokens": -5}, 1),
        ({"total_tokens": 10**30}, "most"),
        ({"total_tokens": "many"}, "estimate"),
        ([], "estimate"),
        (None, "estimate"),
    ],
)
def test_what_a_call_costs_is_what_the_endpoint_says_within_what_can_be(
    chat: ChatStub, usage: object, tokens: int | str
) -> None:
    chat.behaviour.usage = usage
    asked = question()
    wanted = {"most": 2 * asked.tokens + 500, "estimate": asked.tokens + 500}.get(str(tokens), tokens)
    assert model_of(chat).ask(asked).tokens == wanted


@pytest.mark.parametrize(
    ("entry", "says"),
    [
        ("tea", "is no object"),
        ({**TEA, "type": "identity"}, "'identity' was not asked for"),
        ({**TEA, "type": ["tasks"]}, "was not asked for"),
        ({**TEA, "type": "retraction"}, "was not asked for"),
        ({**TEA, "denies": True}, "fields that were not asked for"),
        ({**TEA, "confidence": 1.0}, "fields that were not asked for"),
        ({**TEA, "quote": ""}, "no quote"),
        ({**TEA, "quote": None}, "no quote"),
        ({**TEA, "quote": "x" * 1001}, "no quote"),
        ({**TEA, "value": {}}, "another form"),
        ({**TEA, "value": "tea"}, "another form"),
        ({**TEA, "value": {"name": "a\x00b"}}, "another form"),
        ({**TEA, "value": {"a\x00": "b"}}, "another form"),
        ({**TEA, "value": {"name": "\ud800"}}, "another form"),
        ({**TEA, "value": {"name": 10**400}}, "another form"),
        ({**TEA, "value": {"name": float("nan")}}, "another form"),
        ({**TEA, "value": {"name": None}}, "another form"),
        ({**TEA, "value": {"name": "x" * 2001}}, "another form"),
        ({**TEA, "value": {"name": [[[["x"]]]]}}, "another form"),
        ({**TEA, "value": {str(number): 1 for number in range(33)}}, "another form"),
    ],
)
def test_an_odd_entry_is_named_and_takes_no_other_with_it(entry: object, says: str) -> None:
    first, second = Extractor(SHAPES).read({"items": [entry, TEA]})
    assert isinstance(first, Odd)
    assert says in first.reason
    assert second == Found(1, "preferences", TEA["value"], TEA["quote"])


def test_an_answer_without_end_is_read_to_its_bound() -> None:
    read = list(Extractor(SHAPES).read({"items": [TEA] * 1000}))
    assert len(read) == 33
    assert isinstance(read[-1], Odd)
    assert list(Extractor(SHAPES).read({"items": "none"})) == [Odd(0, "", "items is no list")]


def test_the_prompt_names_the_types_asked_for_and_no_other() -> None:
    system = question().system
    assert all((f"- {name}: " in system) is (name in SHAPES) for name in TYPES)
    assert "Value: {name?: string, value?: string}" in system


def test_a_summary_is_lines_that_rest_on_those_asked_about() -> None:
    notes = [("Goals", "喝茶"), ("Tasks", "buy tea")]
    asked = Summarizer(("Goals", "Tasks")).prompt(SPOKEN, notes)
    said = json.loads(asked.content)
    assert [(line["number"], line["section"], line["text"]) for line in said["lines"]] == [
        (0, "Goals", "喝茶"),
        (1, "Tasks", "buy tea"),
    ]
    odd: list[object] = [
        "tea",
        {"section": "Goals", "text": "no numbers"},
        {"section": "Goals", "text": "invented", "from": []},
        {"section": "Goals", "text": "invented", "from": [2, -1, True, "0"]},
        {"section": "Secrets", "text": "elsewhere", "from": [0]},
        {"section": ["Goals"], "text": "elsewhere", "from": [0]},
        {"section": "Goals", "text": "\ud800", "from": [0]},
        {"section": "Goals", "text": " \n ", "from": [0]},
        {"section": "Goals", "text": 3, "from": [0]},
    ]
    good = {"section": "Tasks", "text": "buy\n 茶 " + "x" * 999, "from": [1, 0, 1, 9]}
    read, refused = Summarizer(("Goals", "Tasks")).read({"lines": [*odd, *[good] * 20]}, SPOKEN, notes)
    assert (len(read), refused) == (8, [])
    assert (read[0].section, read[0].text[:7], len(read[0].text), read[0].rests_on) == (
        "Tasks",
        "buy 茶 x",
        300,
        (1, 0),
    )
    assert Summarizer(("Goals",)).read({"lines": "none"}, SPOKEN, notes) == ([], [])
