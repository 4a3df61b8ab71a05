"""Commits at the same time: one order for all, one turn for each request_id, and how far each wait level waits."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import grpc
import pytest
from google.protobuf.timestamp_pb2 import Timestamp
from smartbrain.v1.admin_service_pb2 import VerifyRequest
from smartbrain.v1.brain_service_pb2 import CommitTurnRequest, CommitTurnsRequest, GetSessionRequest, WaitLevel
from smartbrain.v1.event_pb2 import Preference
from smartbrain.v1.memory_service_pb2 import ListItemsRequest

from tests.server.asking import all_turns, commit, compose, missing, refusal, texts
from tests.serving import Server, Stubs

WRITERS = 8
EACH = 25
_NOW = 1_700_000_000
Answer = TypeVar("Answer")


def at_once(server: Server, work: Callable[[Stubs, int], Answer], count: int = WRITERS) -> list[Answer]:
    """Do work in threads that begin together, each over a connection of its own; return what each gave."""
    begun = threading.Barrier(count)

    def run(number: int) -> Answer:
        with server.stubs() as stubs:
            begun.wait(30)
            return work(stubs, number)

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(run, range(count)))


def sound(stubs: Stubs, memory_id: str) -> bool:
    """Return whether verify finds nothing wrong."""
    return [list(answer.problems) for answer in stubs.admin.Verify(VerifyRequest(memory_id=memory_id))] == [[]]


def test_turns_of_a_session_stand_in_the_order_they_were_accepted_in(server: Server, memory_id: str) -> None:
    """Whatever created_at says: it goes back, jumps and repeats here."""

    def said_at(writer: int, number: int) -> int:
        return _NOW - 60 * number + 3600 * (writer % 3)

    def write(stubs: Stubs, writer: int) -> list[tuple[int, str, str]]:
        answered = []
        for number in range(EACH):
            request = commit(memory_id, "shared", f"Writer {writer}, number {number}.")
            request.turn.messages[0].created_at.seconds = said_at(writer, number)
            request.turn.preferences.append(Preference(name="last", value=f"{writer}.{number}", confirmed=True))
            answer = stubs.brain.CommitTurn(request)
            answered.append((answer.revision, answer.turn_id, request.turn.messages[0].content))
        return answered

    answered = at_once(server, write)
    for mine in answered:
        assert mine == sorted(mine), "what a writer was told is accepted comes before what it sends then"
    accepted = sorted(one for mine in answered for one in mine)
    with server.stubs() as stubs:
        stored = all_turns(stubs, memory_id, "shared")
        assert [(turn.revision, turn.turn_id, turn.events.messages[0].content) for turn in stored] == accepted
        assert [turn.sequence for turn in stored] == list(range(WRITERS * EACH))
        committed = [turn.committed_at.ToMicroseconds() for turn in stored]
        assert committed == sorted(committed)
        session = stubs.brain.GetSession(GetSessionRequest(memory_id=memory_id, session_id="shared")).session
        assert session.started_at == Timestamp(seconds=said_at(0, EACH - 1))
        assert session.updated_at == stored[-1].committed_at
        recent = stubs.brain.ComposeContext(compose(memory_id, "shared", "What was last?")).context.recent_turns
        assert recent[-1].content == stored[-1].events.messages[0].content
        [item] = stubs.memory.ListItems(ListItemsRequest(memory_id=memory_id, key_prefix="pref:other:last")).items
        last_said = max(stored, key=lambda turn: (turn.events.messages[0].created_at.seconds, turn.sequence))
        assert item.value["value"] == last_said.events.preferences[0].value, "what was said last holds"
        assert sound(stubs, memory_id)


def test_a_request_id_sent_at_once_is_one_turn(server: Server, memory_id: str) -> None:
    def write(stubs: Stubs, _: int) -> list[bytes]:
        sent = [commit(memory_id, "s", f"Number {number}.", request_id=f"r{number}") for number in range(EACH)]
        return [stubs.brain.CommitTurn(one).SerializeToString(deterministic=True) for one in sent]

    answers = at_once(server, write)
    assert all(one == answers[0] for one in answers)
    with server.stubs() as stubs:
        assert texts(all_turns(stubs, memory_id, "s")) == [[f"Number {number}."] for number in range(EACH)]
        assert sound(stubs, memory_id)


def test_a_request_id_sent_at_once_with_other_content_is_taken_by_one(server: Server, memory_id: str) -> None:
    def write(stubs: Stubs, writer: int) -> list[str]:
        taken = []
        for number in range(EACH):
            said = f"Writer {writer}, number {number}."
            try:
                stubs.brain.CommitTurn(commit(memory_id, "s", said, request_id=f"r{number}"))
            except grpc.RpcError as error:
                assert error.code() == grpc.StatusCode.ALREADY_EXISTS
            else:
                taken.append(said)
        return taken

    taken = [said for mine in at_once(server, write) for said in mine]
    with server.stubs() as stubs:
        stored = [said for [said] in texts(all_turns(stubs, memory_id, "s"))]
    assert sorted(stored) == sorted(taken)
    assert [said.rpartition(" ")[2] for said in stored] == [f"{number}." for number in range(EACH)]


def test_streams_and_single_commits_of_the_same_requests_at_once(server: Server, memory_id: str) -> None:
    sent = [commit(memory_id, "s", f"Number {number}.", request_id=f"r{number}") for number in range(EACH)]

    def write(stubs: Stubs, writer: int) -> list[str]:
        if writer % 2:
            return [stubs.brain.CommitTurn(one).turn_id for one in sent]
        return list(stubs.brain.CommitTurns(CommitTurnsRequest(turn=one) for one in sent).turn_ids)

    answers = at_once(server, write, 4)
    assert answers == [answers[0]] * 4
    with server.stubs() as stubs:
        assert texts(all_turns(stubs, memory_id, "s")) == [[f"Number {number}."] for number in range(EACH)]


def test_bytes_in_a_stream_that_are_no_request_are_named_by_their_place(server: Server, memory_id: str) -> None:
    good = CommitTurnsRequest(turn=commit(memory_id, "s", "One.")).SerializeToString()
    bad = good.replace(b"One.", b"\xff\xfe..")
    with server.channel() as channel:
        raw: Any = channel  # the stubs have no calls without a serializer
        commit_turns = raw.stream_unary("/smartbrain.v1.BrainService/CommitTurns")
        refused = refusal(lambda: commit_turns(iter([good, bad, good]), timeout=30))
    assert refused.code == grpc.StatusCode.INVALID_ARGUMENT
    assert refused.facts["field"] == "requests[1].turn.turn.messages[0].content"
    assert refused.message.startswith("requests[1]: ")
    with server.stubs() as stubs:
        assert texts(all_turns(stubs, memory_id, "s")) == [["One."]]


def of_level(memory_id: str, level: WaitLevel.ValueType) -> CommitTurnRequest:
    """Return a turn that something is learned from, of a wait level."""
    request = commit(memory_id, "s", f"The word of level {level} is qz{'abcd'[level]}xk.")
    request.turn.preferences.append(Preference(name="level", value=f"level {level}", confirmed=True))
    request.wait_level = level
    return request


@pytest.mark.parametrize("level", WaitLevel.values(), ids=WaitLevel.keys())
def test_every_wait_level_is_reached_at_once(server: Server, memory_id: str, level: WaitLevel.ValueType) -> None:
    """What is learned is in the turn's own batch, and the index has it before the answer."""
    request = of_level(memory_id, level)
    said = request.turn.messages[0].content
    with server.stubs() as writing, server.stubs() as reading:
        answer = writing.brain.CommitTurn(request)
        assert missing(reading, memory_id, {said.split()[-1].rstrip("."): said}) == [], "found by the next call"
        [item] = reading.memory.ListItems(ListItemsRequest(memory_id=memory_id, key_prefix="pref:other:level")).items
    assert item.value["value"] == f"level {level}"
    assert item.revision == answer.revision
    assert item.key in [each.key for each in answer.items]
