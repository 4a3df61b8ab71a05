"""A password was masked in what was learned, but its letters stood on in the key, and before a mark within it."""

from __future__ import annotations

import re

import pytest
from smartbrain.v1.event_pb2 import Message

from brain_core import Brain
from brain_core.store import items
from tests.building import fresh, turn

TOKEN = "ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
HEX = "f9e8d7c6b5a4" * 5


def letters(text: str) -> str:
    return re.sub(r"[\W_]+", "", text.casefold())


@pytest.mark.parametrize("secret", [TOKEN, HEX, "Go?run!Q7", "Tr0ub4dor&3!", "hunter2horse!x9"])
@pytest.mark.parametrize(
    "said",
    [
        "Remember the root password {}",
        "I always use the password {} for the wifi",
        "TODO: change the password {} on db1",
        "My goal is to rotate password {} by Friday",
        "Our standup moved; the zoom passcode is {}",
        "记住服务器密码是{}",
        "记住密码是{}。",
        "待办：把密码{}改掉",
        "以后都用密码{}登录",
    ],
)
def test_nothing_of_a_secret_stands_in_what_is_learned(brain: Brain, said: str, secret: str) -> None:
    memory = fresh()
    answer = brain.commit_turn(turn(memory, "s", messages=[Message(role="user", content=said.format(secret))]))
    learned = [f"{item.key} {item.uri} {item.text} {item.value}" for item in items.scan_items(brain._kv, memory)]
    held, whole = letters(" ".join([*learned, str(answer)])), letters(secret)
    assert [run for run in (whole[place : place + 4] for place in range(len(whole) - 3)) if run in held] == []


def test_words_that_a_key_shares_with_a_secret_stay_where_they_are_said_besides(brain: Brain) -> None:
    memory = fresh()
    said = "Remember the staging password staging7x"
    brain.commit_turn(turn(memory, "s", messages=[Message(role="user", content=said)]))
    assert [item.key for item in items.scan_items(brain._kv, memory)] == ["knowledge:fact:staging_password_[secret]"]
