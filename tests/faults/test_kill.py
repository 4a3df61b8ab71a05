"""kill -9 amid commits: what was acknowledged is there, nothing is half there, and asking again doubles nothing.

Each kill falls amid 500 commits; `--kills 10` is the full form.
"""

from __future__ import annotations

import random
import threading
import time
from pathlib import Path

import grpc
from smartbrain.v1.admin_service_pb2 import VerifyRequest
from smartbrain.v1.brain_service_pb2 import CommitTurnRequest

from tests.server.asking import all_turns, commit, missing, texts
from tests.serving import Server, Stubs, start_server

MEMORY = "kills"
WRITERS = 8
COMMITS = 500


def word(kill: int, writer: int, number: int) -> str:
    """Return a word that one turn has and no other."""
    letters = "".join(chr(ord("a") + int(digit)) for digit in f"{kill:02d}{writer}{number:04d}")
    return f"qz{letters}xk"


def turn(kill: int, writer: int, number: int) -> CommitTurnRequest:
    """Return a turn of two messages and a preference, with a request_id."""
    mark = word(kill, writer, number)
    said = f"Kill {kill}, writer {writer}, number {number}: {mark}." + "雨下个不停。" * (number % 20)
    request = commit(MEMORY, session(kill, writer), said, f"It is done, number {number}.", request_id=mark)
    request.turn.preferences.add(name=f"writer {writer}", value=f"number {kill} {number}", confirmed=True)
    return request


def session(kill: int, writer: int) -> str:
    """Return the session of one writer."""
    return f"kill {kill}, writer {writer}"


def write_until_killed(server: Server, kill: int, moment: int) -> list[int]:
    """Commit from all writers and kill the server after about `moment` commits; return how many each got through."""
    done = [0] * WRITERS
    begun = threading.Barrier(WRITERS + 1)

    def write(writer: int) -> None:
        with server.stubs() as stubs:
            begun.wait(30)
            for number in range(COMMITS // WRITERS):
                try:
                    stubs.brain.CommitTurn(turn(kill, writer, number), timeout=30)
                except grpc.RpcError as error:
                    assert error.code() == grpc.StatusCode.UNAVAILABLE
                    return
                done[writer] = number + 1

    writers = [threading.Thread(target=write, args=(writer,)) for writer in range(WRITERS)]
    for writer in writers:
        writer.start()
    begun.wait(30)
    while sum(done) < moment and any(writer.is_alive() for writer in writers):
        time.sleep(0.0005)
    server.kill()
    for writer in writers:
        writer.join(60)
    return done


def check_nothing_lost(stubs: Stubs, kill: int, done: list[int]) -> None:
    """Every acknowledged turn is stored and found; at most the one under way is there beside them, whole."""
    said = {}
    for writer, count in enumerate(done):
        stored = all_turns(stubs, MEMORY, session(kill, writer))
        assert count <= len(stored) <= count + 1
        assert [one.sequence for one in stored] == list(range(len(stored)))
        for number, one in enumerate(stored):
            sent = turn(kill, writer, number).turn
            assert texts([one])[0] == [message.content for message in sent.messages]
            assert list(one.events.preferences) == list(sent.preferences)
            said[word(kill, writer, number)] = sent.messages[0].content
    assert missing(stubs, MEMORY, said) == []
    answers = list(stubs.admin.Verify(VerifyRequest()))
    assert [problem for answer in answers for problem in answer.problems] == []


def commit_the_rest(stubs: Stubs, kill: int, done: list[int]) -> None:
    """Send again what was under way, and some that was acknowledged, then the rest: each is there once."""
    for writer, count in enumerate(done):
        for number in range(max(0, count - 3), min(count + 3, COMMITS // WRITERS)):
            stubs.brain.CommitTurn(turn(kill, writer, number))
        stored = all_turns(stubs, MEMORY, session(kill, writer))
        wanted = [turn(kill, writer, number).turn for number in range(min(count + 3, COMMITS // WRITERS))]
        assert texts(stored) == [[message.content for message in one.messages] for one in wanted]


def test_kill_9_loses_nothing_acknowledged(folder: Path, kills: int) -> None:
    server = start_server(folder)
    seed = random.randrange(1 << 30)
    chance = random.Random(seed)
    for kill in range(kills):
        moment = chance.randrange(1, COMMITS)
        done = write_until_killed(server, kill, moment)
        server = start_server(folder)
        with server.stubs() as stubs:
            check_nothing_lost(stubs, kill, done)
            commit_the_rest(stubs, kill, done)
            check_nothing_lost(stubs, kill, [min(count + 3, COMMITS // WRITERS) for count in done])
    assert server.terminate() == 0
