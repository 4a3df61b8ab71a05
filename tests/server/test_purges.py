"""Purges over gRPC and HTTP, also while others commit and compose."""

from __future__ import annotations

import threading
from pathlib import Path

import grpc
import pytest
from smartbrain.v1.admin_service_pb2 import VerifyRequest
from smartbrain.v1.brain_service_pb2 import DeleteMemoryRequest, DeleteSessionRequest, DeleteTurnRequest
from smartbrain.v1.event_pb2 import Preference

from tests.faults.test_purge_faults import wait_until_erased
from tests.purge.files import files_with
from tests.server.asking import all_turns, commit, compose, refusal, retrieve
from tests.server.over_http import Http, turn
from tests.server.test_commits_at_once import at_once
from tests.serving import Stubs, start_server

SECRET, GEHEIM = "xylophonist", "鳜鱼火锅"


def test_a_turn_a_session_and_a_memory_are_purged_over_http(http: Http, memory_id: str) -> None:
    place = f"/v1/memories/{memory_id}"
    for session, said in (("s", "I own a bicycle."), ("s", f"I am a {SECRET}."), ("t", f"我喜欢吃{GEHEIM}。")):
        http.post(f"{place}/sessions/{session}/turns:commit", turn(said))
    would = http("DELETE", f"{place}/turns/t2?validate_only=true").json
    assert would["purged"]["turns"] == "1"
    assert would["revision"] == "3"
    did = http("DELETE", f"{place}/turns/t2?request_id=once").json
    assert did == {"purged": would["purged"], "revision": "4"}
    assert http("DELETE", f"{place}/turns/t2?request_id=once").json == did
    assert http("DELETE", f"{place}/turns/t2").fault == (404, "NOT_FOUND", "turn_id")
    turns = http.get(f"{place}/sessions/s/turns").content.decode()
    assert "bicycle" in turns
    assert SECRET not in turns
    assert "purged_at" in turns
    assert http("DELETE", f"{place}/sessions/t").json["purged"]["sessions"] == "1"
    assert http.get(f"{place}/sessions/t").fault == (404, "NOT_FOUND", "session_id")
    assert http("DELETE", f"{place}?request_id=all").json["purged"]["sessions"] == "1"
    assert http.get(f"{place}/sessions").fault == (404, "NOT_FOUND", "memory_id")
    assert http("DELETE", place).fault == (404, "NOT_FOUND", "memory_id")
    http.post(f"{place}/sessions/s/turns:commit", turn("Hello again."))
    assert http("DELETE", f"{place}?request_id=all").json["purged"]["sessions"] == "1"
    assert http.get(f"{place}/sessions").status == 200, "a repeated request purges nothing more"


@pytest.mark.parametrize(
    ("verb", "request_", "field"),
    [
        ("DeleteMemory", DeleteMemoryRequest(), "memory_id"),
        ("DeleteMemory", DeleteMemoryRequest(memory_id="m", request_id="r" * 129), "request_id"),
        ("DeleteSession", DeleteSessionRequest(memory_id="m"), "session_id"),
        ("DeleteSession", DeleteSessionRequest(memory_id="m", session_id="x" * 129), "session_id"),
        ("DeleteTurn", DeleteTurnRequest(memory_id="m"), "turn_id"),
        ("DeleteTurn", DeleteTurnRequest(memory_id="\x01", turn_id="t1"), "memory_id"),
    ],
)
def test_what_cannot_be_a_request_names_its_field(stubs: Stubs, verb: str, request_: object, field: str) -> None:
    refused = refusal(lambda: getattr(stubs.brain, verb)(request_))
    assert refused.code == grpc.StatusCode.INVALID_ARGUMENT
    assert refused.facts["field"] == field


@pytest.mark.parametrize("turn_id", ["t9", "t", "9", "t01", "t-1", "t" + "9" * 40, "t１", "tt1"])
def test_a_turn_that_is_not_there_is_not_found(stubs: Stubs, memory_id: str, turn_id: str) -> None:
    stubs.brain.CommitTurn(commit(memory_id, "s", "Hello."))
    refused = refusal(lambda: stubs.brain.DeleteTurn(DeleteTurnRequest(memory_id=memory_id, turn_id=turn_id)))
    assert (refused.code, refused.facts["field"]) == (grpc.StatusCode.NOT_FOUND, "turn_id")


def test_purges_beside_commits_and_composes(folder: Path) -> None:
    """Whatever a call sees, once a purge has answered nobody finds its words, and what was not purged stays."""
    server, memory_id, rounds = start_server(folder), "m", 12
    purged: set[str] = set()
    stop = threading.Event()

    def look(stubs: Stubs) -> None:
        while not stop.is_set():
            gone = set(purged)
            package = str(stubs.brain.ComposeContext(compose(memory_id, "other", "what is the code? 密码是什么?")))
            assert not [word for word in gone if word in package]

    def write(stubs: Stubs, writer: int) -> list[str]:
        kept = []
        try:
            for number in range(rounds):
                word = f"qz{'abcdefgh'[writer]}{'abcdefghijkl'[number]}xk"
                request = commit(memory_id, f"s{writer}", f"Please remember that the code is {word}. 密码是{word}。")
                request.turn.preferences.append(Preference(name="code", value=word, confirmed=True))
                turn_id = stubs.brain.CommitTurn(request).turn_id
                if number % 3:
                    kept.append(word)
                    continue
                stubs.brain.DeleteTurn(DeleteTurnRequest(memory_id=memory_id, turn_id=turn_id))
                purged.add(word)
                assert word not in str(stubs.retrieval.Retrieve(retrieve(memory_id, "code")).pack.evidences)
        finally:
            stop.set() if writer == 0 else None
        return kept

    def work(stubs: Stubs, number: int) -> list[str]:
        if number < 2:
            return write(stubs, number)
        look(stubs)
        return []

    with server.stubs() as stubs:
        stubs.brain.CommitTurn(commit(memory_id, "other", "Hello."))
        kept = [word for words in at_once(server, work, 3) for word in words]
        said = str([all_turns(stubs, memory_id, f"s{writer}") for writer in range(2)])
        assert [word for word in kept if word not in said] == []
        assert [list(answer.problems) for answer in stubs.admin.Verify(VerifyRequest())] == [[]]
        wait_until_erased(stubs)
        assert files_with(folder, *purged) == []
        assert files_with(folder, *kept)
    assert server.terminate() == 0
    assert files_with(folder, *purged) == []


def test_a_memory_is_purged_beside_its_writers(folder: Path) -> None:
    """Each answer says what was there, and nothing of before a purge is there after it."""
    server, memory_id = start_server(folder), "m"

    def work(stubs: Stubs, number: int) -> None:
        if number == 0:
            for _ in range(10):
                try:
                    stubs.brain.DeleteMemory(DeleteMemoryRequest(memory_id=memory_id))
                except grpc.RpcError as error:
                    assert error.code() == grpc.StatusCode.NOT_FOUND
        for place in range(30):
            stubs.brain.CommitTurn(commit(memory_id, f"s{number}", f"{SECRET} {GEHEIM} number {place}"))
            stubs.brain.ComposeContext(compose(memory_id, f"s{number}", f"what of {SECRET}?"))

    with server.stubs() as stubs:
        stubs.brain.CommitTurn(commit(memory_id, "s", "Hello."))
        at_once(server, work, 3)
        assert [list(answer.problems) for answer in stubs.admin.Verify(VerifyRequest())] == [[]]
        stubs.brain.DeleteMemory(DeleteMemoryRequest(memory_id=memory_id))
        wait_until_erased(stubs)
        assert files_with(folder, SECRET, GEHEIM) == []
    assert server.terminate() == 0
    assert files_with(folder, SECRET, GEHEIM) == []
