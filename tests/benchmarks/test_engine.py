import json
from pathlib import Path

import grpc
from smartbrain.v1.brain_service_pb2 import CommitTurnRequest

from benchmarks.engine import __main__ as engine
from benchmarks.engine.append import append
from benchmarks.engine.calls import WORKLOADS
from benchmarks.engine.echo import PATH, echo_request, running_echo
from benchmarks.engine.rich import MESSAGES, rich_turn
from benchmarks.engine.texts import MadeUpTexts
from brain_core import Brain
from tests.building import brain

__all__ = ["brain"]


def test_texts_are_the_same_every_time_and_fit_one_chunk() -> None:
    texts, again = MadeUpTexts(), MadeUpTexts()
    for number in range(300):
        assert texts.text(number) == again.text(number)
        assert 0 < len(texts.text(number)) <= 800
        assert texts.question(number) in texts.text(number)


def test_no_commit_is_made_twice() -> None:
    texts = MadeUpTexts()
    commit = next(one for one in WORKLOADS if one.name == "commit_disk")
    calls = [call for client in range(2) for first in (0, 5) for call in commit.calls(texts, 10, client, first, 5)]
    assert len(set(calls)) == 20


def test_rich_turns_are_the_same_every_time_and_something_is_learned_of_them(brain: Brain) -> None:
    learned = [0, 0]
    for number in range(24):
        turn, again = rich_turn(number, 1_750_000_000), rich_turn(number, 1_750_000_000)
        assert turn == again
        assert (len(turn.messages), len(turn.tool_calls), len(turn.refs)) == (MESSAGES, 1, 2)
        request = CommitTurnRequest(memory_id="m", session_id=f"s{number % 2}", turn=turn)
        answer = brain.commit_turn(request)
        told = [verdict for verdict in answer.explain.retention if verdict.span.end and verdict.verdict == "written"]
        learned[number % 2] += bool(told)
    assert min(learned) > 4, "English, Chinese"


def test_appends_wait_for_the_disk_in_every_thread(tmp_path: Path) -> None:
    done = append(tmp_path, b"x" * 1000, 4, 0.05)
    assert len(done.latencies) >= 4
    assert min(done.latencies) > 0
    assert done.seconds >= 0.05
    assert list(tmp_path.iterdir()) == []


def test_mixed_alternates() -> None:
    mixed = next(one for one in WORKLOADS if one.name == "mixed")
    methods = [path.rsplit("/", 1)[1] for path, _ in mixed.calls(MadeUpTexts(), 10, 0, 0, 4)]
    assert methods == ["CommitTurn", "ComposeContext"] * 2


def test_echo_answers_with_the_size_that_was_asked_for() -> None:
    with running_echo() as target, grpc.insecure_channel(target) as channel:
        call: grpc.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(PATH)
        request = echo_request(900, 16_500)
        assert len(request) == 900
        assert len(call(request, timeout=10.0)) == 16_500


def test_a_small_run_through_the_server(tmp_path: Path) -> None:
    arguments = ["--out", str(tmp_path), "--chunks", "200", "--clients", "2", "--seconds", "0.3"]
    names = ["compose", "mixed", "commit_rich_disk", "commit_rich_process"]
    assert engine.main([*arguments, "--workload", *names]) == 0
    rows = json.loads((tmp_path / "engine.json").read_text(encoding="utf-8"))
    assert [row["workload"] for row in rows] == names
    for row in rows:
        assert 0 < row["p50_ms"] <= row["p95_ms"] <= row["p99_ms"]
        assert min(row["qps"], row["echo_p50_ms"], row["echo_qps"], row["rss_mb"]) > 0
        appends = (row["append_p50_ms"], row["append_qps"])
        assert all(one > 0 for one in appends) if row["workload"] == "commit_rich_disk" else appends == (None, None)
    grown = [row["chunks_after"] for row in rows]
    assert grown[0] == 200
    assert grown == sorted(set(grown))
    assert "| commit_rich_process | 200 | 2 |" in (tmp_path / "table.md").read_text(encoding="utf-8")
