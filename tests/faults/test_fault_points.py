"""kill -9 between every two steps: acknowledged turns stay, others are whole or absent, repeats double nothing.

The points stand in fatal.py.
"""

from __future__ import annotations

import contextlib
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest
import yaml
from smartbrain.v1.admin_service_pb2 import GetStatusRequest, RebuildIndexRequest, VerifyRequest
from smartbrain.v1.brain_service_pb2 import CommitTurnRequest, CommitTurnResponse, CommitTurnsRequest
from smartbrain.v1.event_pb2 import Preference, Ref, Retraction, ToolCall
from smartbrain.v1.memory_service_pb2 import ListItemsRequest, RollbackItemRequest

from tests.faults.fatal import POINTS
from tests.faults.test_refine_faults import wait_until
from tests.faults.victim import Victim
from tests.models.chat_endpoint import ChatBehaviour, chat_endpoint
from tests.models.endpoint import Stub, endpoint
from tests.server.asking import all_turns, commit, missing, refusal, retrieve, texts
from tests.serving import Stubs

BEFORE = 3
"""Turns that are acknowledged before the one that dies."""

CONFIG = "policies: {retention: {summarize_after_turns: 2}}"


def said(number: int) -> str:
    """Return what turn `number` says, with a word that no other has."""
    return f"Please remember that the door code of room {number} is qz{'abcdefghij'[number]}xk. 第{number}个。"


def turn(memory_id: str, number: int) -> CommitTurnRequest:
    """Return a turn with a request_id that changes an item, ends another one, and has what a turn may have."""
    request = commit(memory_id, "s", said(number), f"I'd rather have tea number {number}.", request_id=f"r{number}")
    request.turn.tool_calls.append(ToolCall(name="search", result=f"{number} doors"))
    request.turn.refs.append(Ref(ref_type="file", uri=f"file:///doors/{number}.txt"))
    request.turn.preferences.append(Preference(name="drink", value=f"tea {number}", confirmed=True))
    request.turn.preferences.append(Preference(name=f"room{number}", value="warm", confirmed=True))
    if number:
        request.turn.retractions.append(Retraction(type="preferences", key=f"pref:other:room{number - 1}"))
    return request


def drink_version(answer: CommitTurnResponse) -> int:
    """Return the version of the item that each turn changes."""
    return next(item.version for item in answer.items if item.key == "pref:other:drink")


def check(stubs: Stubs, memory_id: str, count: int) -> None:
    """Check that the first `count` turns and no more are there, whole and found, and the index as if made anew."""
    stored = all_turns(stubs, memory_id, "s")
    assert [one.sequence for one in stored] == list(range(count))
    for number, one in enumerate(stored):
        sent = turn(memory_id, number).turn
        assert texts([one])[0] == [message.content for message in sent.messages]
        assert list(one.events.preferences) == list(sent.preferences)
    assert missing(stubs, memory_id, {said(number).split()[-2]: said(number) for number in range(count)}) == []
    sound(stubs, memory_id)


def sound(stubs: Stubs, memory_id: str = "") -> None:
    """Verify, which makes each index anew to compare, finds nothing wrong."""
    answers = list(stubs.admin.Verify(VerifyRequest(memory_id=memory_id)))
    assert answers
    assert [problem for answer in answers for problem in answer.problems] == []


COMMIT_POINTS = list(POINTS)[: list(POINTS).index("commit done") + 1]
WRITTEN_BY = COMMIT_POINTS.index("batch written")


@pytest.mark.parametrize("point", COMMIT_POINTS)
def test_a_commit_that_dies_is_there_whole_or_not_at_all(victim: Victim, point: str) -> None:
    memory_id, written = f"died: {point}", COMMIT_POINTS.index(point) >= WRITTEN_BY
    with victim.server.stubs() as stubs:
        for number in range(BEFORE):
            stubs.brain.CommitTurn(turn(memory_id, number))
        victim.die_at(point)
        died = turn(memory_id, BEFORE)
        assert refusal(lambda: stubs.brain.CommitTurn(died)).code == grpc.StatusCode.UNAVAILABLE
    victim.wait_for_death()
    with victim.server.stubs() as stubs:
        check(stubs, memory_id, BEFORE + written)
        answer = stubs.brain.CommitTurn(died)
        assert drink_version(answer) == BEFORE + 1
        assert [conflict.decision for conflict in answer.explain.conflicts if "room" in conflict.key] == ["retracted"]
        assert stubs.brain.CommitTurn(died) == answer
        assert drink_version(stubs.brain.CommitTurn(turn(memory_id, BEFORE + 1))) == BEFORE + 2
        check(stubs, memory_id, BEFORE + 2)


@pytest.mark.parametrize(("point", "survive"), [("commit prepared", 3), ("commit done", 4)])
def test_a_stream_that_dies_is_sent_again(victim: Victim, point: str, survive: int) -> None:
    memory_id = f"stream died: {point}"
    sent = [CommitTurnsRequest(turn=turn(memory_id, number)) for number in range(8)]
    with victim.server.stubs() as stubs:
        victim.die_at(point, 4)
        assert refusal(lambda: stubs.brain.CommitTurns(iter(sent))).code == grpc.StatusCode.UNAVAILABLE
    victim.wait_for_death()
    with victim.server.stubs() as stubs:
        check(stubs, memory_id, survive)
        answer = stubs.brain.CommitTurns(iter(sent))
        assert (answer.committed, answer.repeated, answer.revision) == (8, survive, 8)
        check(stubs, memory_id, 8)
        again = stubs.brain.CommitTurns(iter(sent))
        assert again.repeated == 8
        again.repeated = survive
        assert again == answer


def test_a_rollback_that_dies_is_made_once(victim: Victim) -> None:
    request = RollbackItemRequest(
        memory_id="rollback died", type="preferences", key="pref:other:drink", version=1, request_id="back"
    )
    with victim.server.stubs() as stubs:
        for number in range(BEFORE):
            stubs.brain.CommitTurn(turn(request.memory_id, number))
        victim.die_at("batch written")
        assert refusal(lambda: stubs.memory.RollbackItem(request)).code == grpc.StatusCode.UNAVAILABLE
    victim.wait_for_death()
    with victim.server.stubs() as stubs:
        answer = stubs.memory.RollbackItem(request)
        assert (answer.item.version, answer.item.value["value"], answer.revision) == (4, "tea 0", BEFORE + 1)
        assert stubs.memory.RollbackItem(request) == answer
        check(stubs, request.memory_id, BEFORE)


@pytest.mark.parametrize("point", ["snapshot about to be put in place", "snapshot put in place"])
def test_a_snapshot_that_is_cut_short_costs_nothing(victim: Victim, point: str) -> None:
    memory_id = f"died: {point}"
    with victim.server.stubs() as stubs:
        for number in range(BEFORE):
            stubs.brain.CommitTurn(turn(memory_id, number))
        victim.die_at(point)
        rebuilding = stubs.admin.RebuildIndex(RebuildIndexRequest(memory_id=memory_id))
        assert refusal(lambda: list(rebuilding)).code == grpc.StatusCode.UNAVAILABLE
    victim.wait_for_death()
    with victim.server.stubs() as stubs:
        check(stubs, memory_id, BEFORE)


@pytest.mark.parametrize("point", ["indexes closed", "store closed"])
def test_a_stop_that_dies_loses_nothing(victim: Victim, point: str) -> None:
    memory_id = f"died: {point}"
    with victim.server.stubs() as stubs:
        for number in range(BEFORE):
            stubs.brain.CommitTurn(turn(memory_id, number))
    victim.die_at(point)
    victim.server.process.terminate()
    victim.wait_for_death()
    with victim.server.stubs() as stubs:
        check(stubs, memory_id, BEFORE)


@pytest.mark.parametrize("point", ["store opened", "store locked"])
def test_a_first_start_that_dies_is_followed_by_one_that_does_not(folder: Path, point: str) -> None:
    victim = Victim(folder)
    victim.die_at(point)
    assert victim.run("--listen", f"unix:{folder}/sock").returncode == -9
    with victim.server.stubs() as stubs:
        stubs.brain.CommitTurn(turn("m", 0))
        check(stubs, "m", 1)
    victim.stop()


LINES, BATCH = 12, 6


@pytest.fixture(scope="module")
def stub() -> Iterator[Stub]:
    """Give an endpoint that embeds."""
    with endpoint() as running:
        yield running


@pytest.fixture(scope="module")
def refining(stub: Stub) -> Iterator[Victim]:
    """Give a server whose vectors come in the background."""
    with tempfile.TemporaryDirectory(prefix="brain-", ignore_cleanup_errors=True) as name:
        running = Victim(Path(name), yaml.safe_dump({"embedder": {**stub.policy, "batch": BATCH}}))
        yield running
        running.stop()


@pytest.mark.parametrize("point", [point for point in POINTS if point.startswith("vectors")])
def test_a_background_pass_that_dies_goes_on_once(refining: Victim, point: str) -> None:
    memory_id = f"died: {point}"
    told = [f"Line {number} is about tea." for number in range(LINES)]
    with refining.server.stubs() as stubs:
        wait_until(stubs, 0)
        refining.die_at(point, 2)
        stubs.brain.CommitTurn(commit(memory_id, "s", *told))
    refining.wait_for_death()
    with refining.server.stubs() as stubs:
        wait_until(stubs, 0)
        assert texts(all_turns(stubs, memory_id, "s")) == [told]
        [answer] = stubs.admin.Verify(VerifyRequest(memory_id=memory_id))
        assert (answer.revision, list(answer.problems)) == (1 + LINES // BATCH, []), "each batch is written once"
        found = stubs.retrieval.Retrieve(retrieve(memory_id, "line 7", mode="semantic", k=1)).pack.evidences
        assert found[0].snippet == told[7]


def line_of(day: int) -> str:
    """Return what is said of a day, from which no rule learns what the model does."""
    return f"Day {day} began with tea number {day} and a walk."


def model_answer(said: dict[str, Any]) -> dict[str, Any]:
    """Answer as a model that learns one preference of each day."""
    days = [day for day in range(9) for message in said["turn"] if line_of(day) in message["text"]]
    return {
        "items": [
            {"type": "preferences", "value": {"name": f"day{day}", "value": "tea"}, "quote": line_of(day)}
            for day in days
        ]
    }


@pytest.fixture(scope="module")
def learning() -> Iterator[Victim]:
    """Give a server with a model that reads along."""
    with (
        chat_endpoint(ChatBehaviour(answer=model_answer)) as chat,
        tempfile.TemporaryDirectory(prefix="brain-", ignore_cleanup_errors=True) as name,
    ):
        running = Victim(Path(name), yaml.safe_dump({"llm": {**chat.policy, "summarize": False}}))
        yield running
        running.stop()


@pytest.mark.parametrize("point", [point for point in POINTS if point.startswith("model")])
def test_a_model_is_learned_from_once_wherever_the_pass_dies(learning: Victim, point: str) -> None:
    memory_id = f"died: {point}"
    told = [commit(memory_id, "s", line_of(day), request_id=f"r{day}") for day in range(BEFORE)]
    with learning.server.stubs() as stubs:
        stubs.brain.CommitTurn(told[0])
        wait_until_learned(stubs)
        learning.die_at(point)
        with contextlib.suppress(grpc.RpcError):  # the pass may die before the answer is given
            stubs.brain.CommitTurn(told[1])
    learning.wait_for_death()
    with learning.server.stubs() as stubs:
        for request in told:
            stubs.brain.CommitTurn(request)
        wait_until_learned(stubs)
        items = stubs.memory.ListItems(ListItemsRequest(memory_id=memory_id, types=["preferences"])).items
        assert [(item.key, item.version) for item in items] == [(f"pref:other:day{day}", 1) for day in range(BEFORE)]
        [answer] = stubs.admin.Verify(VerifyRequest(memory_id=memory_id))
        assert (answer.revision, list(answer.problems)) == (2 * BEFORE, []), "a commit and what was learned, of each"


def wait_until_learned(stubs: Stubs) -> None:
    """Wait until the model has read all turns."""
    deadline = time.monotonic() + 60
    while (status := stubs.admin.GetStatus(GetStatusRequest())).turns_to_learn:
        assert time.monotonic() < deadline, status
        time.sleep(0.005)


def test_a_reembed_that_dies_after_each_write_comes_to_its_end(folder: Path, stub: Stub) -> None:
    victim = Victim(folder)
    with victim.server.stubs() as stubs:
        stubs.brain.CommitTurn(commit("m", "s", *(f"Line {number} is about tea." for number in range(LINES))))
    victim.stop()
    batches = LINES // BATCH
    config = folder / "brain.yml"
    config.write_text(yaml.safe_dump({"embedder": {**stub.policy, "batch": BATCH}}))
    for _ in range(batches + 1):  # and one in which the store is opened again
        victim.die_at("written", 2)  # the first says that it goes on
        assert victim.run("--config", str(config), "--reembed").returncode == -9
    ended = victim.run("--config", str(config), "--reembed")
    assert (ended.returncode, ended.stdout) == (0, ""), ended.stderr
    with Victim(folder, config.read_text()).server.stubs() as stubs:
        assert stubs.admin.GetStatus(GetStatusRequest()).chunks_to_refine == 0
        [answer] = stubs.admin.Verify(VerifyRequest())
        assert (answer.revision, list(answer.problems)) == (1 + batches, [])
