import json
from pathlib import Path

import grpc

from benchmarks.engine import __main__ as engine
from benchmarks.engine.calls import WORKLOADS
from benchmarks.engine.echo import PATH, echo_request, running_echo
from benchmarks.engine.texts import MadeUpTexts


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
    arguments = ["--out", str(tmp_path), "--chunks", "200", "--clients", "2", "--seconds", "1"]
    assert engine.main([*arguments, "--workload", "compose", "mixed", "commit_process"]) == 0
    rows = json.loads((tmp_path / "engine.json").read_text(encoding="utf-8"))
    assert [row["workload"] for row in rows] == ["compose", "mixed", "commit_process"]
    for row in rows:
        assert 0 < row["p50_ms"] <= row["p95_ms"] <= row["p99_ms"]
        assert min(row["qps"], row["echo_p50_ms"], row["echo_qps"], row["rss_mb"]) > 0
    assert rows[0]["chunks_after"] == 200 < rows[1]["chunks_after"] < rows[2]["chunks_after"]
    assert "| commit_process | 200 | 2 |" in (tmp_path / "table.md").read_text(encoding="utf-8")
