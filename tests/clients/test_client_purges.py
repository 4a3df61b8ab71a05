"""Both clients and the command line purge."""

from __future__ import annotations

import json

import pytest
from smartbrain import Client, NotFound
from smartbrain.v1.event_pb2 import Preference, TurnEvents

from tests.clients.command import Brain

WORD, CHINESE = "xylophonist", "鳜鱼火锅"


def say(client: Client, session: str, text: str) -> str:
    return client.commit(session, [{"role": "user", "content": text}]).turn_id


def test_both_clients_purge(client: Client, memory_id: str) -> None:
    kept = say(client, "s", "I own a bicycle.")
    gone = say(client, "s", f"I am a {WORD} and eat {CHINESE}.")
    say(client, "t", f"Did I say that I am a {WORD}?")
    would = client.delete_turn(gone, validate_only=True)
    did = client.delete_turn(gone)
    assert did.purged == would.purged
    assert [turn.HasField("purged_at") for turn in client.turns("s")] == [False, True]
    assert client.delete_session("t", request_id="r") == client.delete_session("t", request_id="r")
    assert [session.session_id for session in client.sessions()] == ["s"]
    told = str(client.compose("s", f"What of {WORD}? {CHINESE}?").context.evidence)
    assert WORD not in told
    assert kept == "t1"
    assert client.delete_memory(memory_id, request_id="r") == client.delete_memory(memory_id, request_id="r")
    with pytest.raises(NotFound):
        client.delete_memory(memory_id)


def test_a_history_says_what_was_purged(brain: Brain, client: Client, memory_id: str) -> None:
    for value in ("vim", WORD):
        turn = TurnEvents(preferences=[Preference(scope="coding", name="editor", value=value, confirmed=True)])
        gone = client.commit("s", turn).turn_id
    client.delete_turn(gone)
    shown = brain("--memory", memory_id, "history", "pref:coding:editor")
    assert WORD not in shown
    assert [line.split()[1:3] for line in shown.splitlines()[1:]] == [
        ["1", "superseded"],
        ["2", "deleted"],
        ["3", "active"],
    ]
    assert "(purged 20" in shown


def test_the_command_purges(brain: Brain, client: Client, memory_id: str) -> None:
    of = ("--memory", memory_id)
    for text in ("I own a bicycle.", f"I am a {WORD}.", f"我喜欢吃{CHINESE}。"):
        say(client, "s", text)
    assert brain(*of, "purge", "--turn", "t2", "--dry-run").startswith("would purge turn t2 of memory ")
    assert "1 turns, 1 messages" in brain(*of, "purge", "--turn", "t2", "--yes")
    shown = brain(*of, "show", "s")
    assert "bicycle" in shown
    assert WORD not in shown
    assert "purged" in shown
    ended = brain.run(*of, "explain", "c2")
    assert ended.returncode == 1
    assert "was purged at 20" in ended.stderr
    told = json.loads(brain(*of, "purge", "--session", "s", "--yes", "--format", "json"))
    assert told["purged"]["sessions"] == "1"
    assert brain(*of, "purge", "--everything", "--yes") == f"purged all of memory {memory_id}: nothing\n"
    ended = brain.run(*of, "purge", "--everything", "--yes")
    assert ended.returncode == 1
    assert "there is no memory" in ended.stderr


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("--memory", "m", "purge", "--yes"), "give one of"),
        (("--memory", "m", "purge", "--turn", "t1", "--everything", "--yes"), "give one of"),
        (("purge", "--everything", "--yes"), "needs the name of the memory"),
        (("--memory", "m", "purge", "--session", "s"), "there is no terminal to ask at: give --yes"),
    ],
)
def test_the_command_asks_before_it_purges(brain: Brain, arguments: tuple[str, ...], why: str) -> None:
    ended = brain.run(*arguments)
    assert ended.returncode == 2
    assert why in ended.stderr
