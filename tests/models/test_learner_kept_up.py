"""A language model reads each turn once, whatever dies or misbehaves meanwhile, and within its budget."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

import pytest
from smartbrain.v1.item_pb2 import ITEM_STATUS_ACTIVE

from brain_core import Brain, load_policy
from brain_core.env import Env
from brain_core.errors import PolicyError, StoreFailed
from brain_core.store.learned import scan_set_aside
from tests.building import FIRST_SECOND, compose, embedder, follows, say, ticking
from tests.models.chat_endpoint import ChatStub, chat_endpoint
from tests.models.learning import (
    answering,
    derived,
    drink,
    item,
    item_status,
    keys_of,
    open_reading,
    until_status,
)
from tests.models.refining import sound

_SECONDS = 20


def test_a_turn_is_learned_from_once_however_often_the_brain_dies(folder: Path, chat: ChatStub) -> None:
    answering(chat, *(drink(f"tea number {number}", f"tea number {number}.", name=f"d{number}") for number in range(6)))
    chat.behaviour.gate.clear()
    brain = open_reading(folder, chat)
    for number in range(6):
        brain.commit_turn(say("m", f"s{number % 2}", f"I take tea number {number}. Fine."))
    left = 6
    while left:
        brain.close()  # with a question under way, whose answer is lost
        chat.behaviour.gate.set()
        brain = open_reading(folder, chat)
        until_status(brain, left=left - 1) if left > 3 else until_status(brain)
        left = brain.status().turns_to_learn
        chat.behaviour.gate.clear()
    assert len(keys_of(brain)) == 6
    assert all(item(brain, "preferences", key).version == 1 for key in keys_of(brain))
    assert sorted(answer.turn_id for answer in derived(brain)) == sorted({answer.turn_id for answer in derived(brain)})
    assert len(derived(brain)) == 6
    asked = len(chat.behaviour.requests)
    brain.close()
    with open_reading(folder, chat) as again:
        until_status(again)
        time.sleep(0.1)
        assert len(chat.behaviour.requests) == asked
        sound(again)


def test_a_crash_between_answer_and_write_asks_again_and_learns_once(
    folder: Path, chat: ChatStub, monkeypatch: pytest.MonkeyPatch
) -> None:
    answering(chat, drink("green tea", "the kettle holds green tea"))
    brain = open_reading(folder, chat)
    write = brain._kv.write
    failing = threading.Event()
    failing.set()

    def broken(partition: bytes, batch: Any, expect: int | None = None) -> int:  # noqa: ANN401
        if threading.current_thread().name == "learner" and partition == b"mm" and failing.is_set():
            raise StoreFailed("the disk is gone")
        return write(partition, batch, expect)

    monkeypatch.setattr(brain._kv, "write", broken)
    brain.commit_turn(say("m", "s", "the kettle holds green tea"))
    until_status(brain, left=1, says="the disk is gone")
    assert keys_of(brain) == []
    failing.clear()
    until_status(brain)
    assert item(brain, "preferences", "pref:other:drink").version == 1
    sound(brain)
    brain.close()


@pytest.mark.parametrize(
    "mode",
    ["500", "401", "429", "hang_up", "bad_json", "half", "words", "cut_off", "slow", "endless", "drops", "refusing"],
)
def test_an_endpoint_that_misbehaves_loses_nothing_and_shows(folder: Path, chat: ChatStub, mode: str) -> None:
    answering(chat, drink("green tea", "the kettle holds green tea"))
    chat.behaviour.mode = mode
    with open_reading(folder, chat, timeout_seconds=0.3) as brain:
        began = time.monotonic()
        for number in range(5):
            brain.commit_turn(say("m", "s", f"line {number}"))
        brain.commit_turn(say("m", "s", "the kettle holds green tea"))
        assert compose(brain, "m", "s2", "tea").evidence
        assert time.monotonic() - began < 5
        until_status(brain, left=6, says=chat.url)
        chat.behaviour.mode = "good"
        deadline = time.monotonic() + _SECONDS
        while keys_of(brain) != ["pref:other:drink"]:
            assert time.monotonic() < deadline, brain.status()
            time.sleep(0.01)
        sound(brain)


def test_an_endpoint_that_is_away_and_comes_back(folder: Path) -> None:
    with chat_endpoint() as gone:
        pass
    with open_reading(folder, gone) as brain:
        brain.commit_turn(say("m", "s", "the kettle holds green tea"))
        until_status(brain, left=1, says="cannot be reached")
        with chat_endpoint(port=gone.port) as back:
            answering(back, drink("green tea", "the kettle holds green tea"))
            assert until_status(brain).learn_problem == ""
            assert keys_of(brain) == ["pref:other:drink"]


def test_a_turn_without_a_usable_answer_is_set_aside_and_holds_up_no_other(folder: Path, chat: ChatStub) -> None:
    def answer(said: dict[str, Any]) -> dict[str, Any]:
        if "poison" in said["turn"][0]["text"] and chat.behaviour.mode == "good":
            return {"wrong": True}
        return {"items": [drink("green tea", "the kettle holds green tea")], "lines": []}

    chat.behaviour.answer = answer
    with open_reading(folder, chat) as brain:
        brain.commit_turn(say("m", "s", "poison and the kettle holds green tea"))
        brain.commit_turn(say("m", "s", "the kettle holds green tea"))
        assert "turn t1 is set aside" in until_status(brain, left=1, says="set aside").learn_problem
        assert keys_of(brain) == ["pref:other:drink"]
        asked = sum("poison" in said["turn"][0]["text"] for said in chat.behaviour.said)
        assert asked == 3
        sound(brain)
    with open_reading(folder, chat) as brain:
        until_status(brain, left=1, says="set aside")
        time.sleep(0.1)
        assert sum("poison" in said["turn"][0]["text"] for said in chat.behaviour.said) == asked, "tried too early"
    chat.behaviour.mode = "fenced"
    with open_reading(folder, chat, model="another") as brain:
        assert until_status(brain).learn_problem == ""
        sound(brain)


def test_a_turn_set_aside_by_a_clock_that_was_ahead_is_tried_again(folder: Path, chat: ChatStub) -> None:
    answering(chat, drink("green tea", "the kettle holds green tea"))
    chat.behaviour.mode = "words"
    now = [(FIRST_SECOND + 7 * 86_400) * 1_000_000]
    env = Env(lambda: now[0], ticking().new_id)
    with open_reading(folder, chat, env=env) as brain:
        brain.commit_turn(say("m", "s", "the kettle holds green tea"))
        until_status(brain, left=1, says="set aside")
    chat.behaviour.mode = "good"
    now[0] = FIRST_SECOND * 1_000_000
    with open_reading(folder, chat, env=env) as brain:
        until_status(brain)
        assert keys_of(brain) == ["pref:other:drink"]


def test_a_turn_set_aside_is_tried_again_when_its_time_has_come(folder: Path, chat: ChatStub) -> None:
    answering(chat, drink("green tea", "the kettle holds green tea"))
    chat.behaviour.mode = "words"
    now = [FIRST_SECOND * 1_000_000]
    env = Env(lambda: now[0], ticking().new_id)
    with open_reading(folder, chat, env=env) as brain:
        brain.commit_turn(say("m", "s", "the kettle holds green tea"))
        until_status(brain, left=1, says="set aside")
        assert follows(brain, "m")
    now[0] += 3601 * 1_000_000
    with open_reading(folder, chat, env=env) as brain:
        deadline = time.monotonic() + _SECONDS
        while [record.times for _, record in scan_set_aside(brain._kv.snapshot(), "m")] != [2]:
            assert time.monotonic() < deadline
            time.sleep(0.01)
        assert len(chat.behaviour.requests) == 4
    chat.behaviour.mode = "good"
    now[0] += 3601 * 1_000_000
    with open_reading(folder, chat, env=env) as brain:
        time.sleep(0.2)
        assert brain.status().turns_to_learn == 1, "the second time it waits two hours"
    now[0] += 3601 * 1_000_000
    with open_reading(folder, chat, env=env) as brain:
        until_status(brain)
        assert keys_of(brain) == ["pref:other:drink"]


@pytest.mark.parametrize(
    ("limits", "says"),
    [({"calls_per_hour": 2}, "llm.calls_per_hour: 2 of 2"), ({"tokens_per_day": 1500}, "llm.tokens_per_day: ")],
)
def test_a_spent_budget_makes_it_wait_and_say_so(
    folder: Path, chat: ChatStub, limits: dict[str, int], says: str
) -> None:
    chat.behaviour.usage = {"total_tokens": 800}
    now = [FIRST_SECOND * 1_000_000]
    env = Env(lambda: now[0], ticking().new_id)
    with open_reading(folder, chat, env=env, answer_tokens=100, **limits) as brain:
        for number in range(4):
            brain.commit_turn(say("m", "s", f"line {number}"))
        until_status(brain, left=2, says=says)
        assert len(chat.behaviour.requests) == 2
        brain.commit_turn(say("m", "s", "commits go on"))
        until_status(brain, left=3, says=says)
    with open_reading(folder, chat, env=env, answer_tokens=100, **limits) as brain:
        until_status(brain, left=3, says=says)
        assert len(chat.behaviour.requests) == 2, "a restart gives no new budget"
    now[0] += 24 * 3600 * 1_000_000
    with open_reading(folder, chat, env=env, answer_tokens=100, **limits) as brain:
        until_status(brain, left=1, says=says)


def test_what_a_call_did_not_need_is_given_back(folder: Path, chat: ChatStub) -> None:
    chat.behaviour.usage = {"total_tokens": 10}
    with open_reading(folder, chat, tokens_per_day=5000, summarize=False) as brain:
        for number in range(20):
            brain.commit_turn(say("m", "s", f"line {number}"))
        until_status(brain)


def test_closing_waits_for_no_endpoint(folder: Path, chat: ChatStub) -> None:
    chat.behaviour.gate.clear()
    brain = open_reading(folder, chat, timeout_seconds=60.0)
    brain.commit_turn(say("m", "s", "tea"))
    assert chat.behaviour.entered.wait(_SECONDS)
    began = time.monotonic()
    brain.close()
    assert time.monotonic() - began < 10
    with Brain.open(folder, load_policy(), embedder()) as again:
        sound(again)


def test_an_answer_that_the_memory_cannot_take_is_set_aside(
    folder: Path, chat: ChatStub, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise KeyError("facts")

    answering(chat, drink("green tea", "the kettle holds green tea"))
    with monkeypatch.context() as patched, open_reading(folder, chat) as brain:
        patched.setattr("brain_core.commit.derive.resolve", broken)
        brain.commit_turn(say("m", "s", "the kettle holds green tea"))
        until_status(brain, left=1, says="set aside")
        brain.commit_turn(say("m", "s", "nothing"))
        until_status(brain, left=1, says="set aside")
        sound(brain)


def test_without_a_model_nothing_is_read_and_nothing_is_said(folder: Path) -> None:
    with Brain.open(folder, load_policy({"store": {"durability": "process"}}), embedder(), ticking()) as brain:
        brain.commit_turn(say("m", "s", "the kettle holds green tea"))
        status = brain.status()
        assert (status.turns_to_learn, status.learn_problem) == (0, "")
        assert not any(thread.name == "learner" for thread in threading.enumerate())


@pytest.mark.parametrize(
    ("llm", "field"),
    [
        ({"url": "ftp://x", "model": "m"}, "llm.url"),
        ({"url": "http://x"}, "llm.model"),
        ({"model": "m"}, "llm.model"),
        ({"api_key_file": "key"}, "llm.api_key_file"),
        ({"url": "http://x", "model": "m", "timeout_seconds": 0.0}, "llm.timeout_seconds"),
        ({"url": "http://x", "model": "m", "input_chars": 10}, "llm.input_chars"),
        ({"url": "http://x", "model": "m", "calls_per_hour": -1}, "llm.calls_per_hour"),
        ({"temperature": 1}, "llm.temperature"),
    ],
)
def test_a_bad_key_of_the_policy_is_named(llm: dict[str, Any], field: str) -> None:
    with pytest.raises(PolicyError) as failed:
        load_policy({"llm": llm})
    assert failed.value.field == field


def test_a_key_file_that_holds_no_key_is_named_before_anything_is_opened(folder: Path, chat: ChatStub) -> None:
    with pytest.raises(PolicyError) as failed:
        open_reading(folder, chat, api_key_file=str(folder / "absent"))
    assert failed.value.field == "llm.api_key_file"
    (folder / "key").write_text("secret-key\n", "utf-8")
    with open_reading(folder, chat, api_key_file=str(folder / "key")) as brain:
        brain.commit_turn(say("m", "s", "tea"))
        until_status(brain)
        assert item_status(brain) == ITEM_STATUS_ACTIVE
    assert set(chat.behaviour.keys) == {"Bearer secret-key"}
