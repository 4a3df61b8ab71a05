"""Two clients, 8 threads each, commit and compose at once: no error, no lost turn. `--seconds 60` for the full form."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from smartbrain.v1.admin_service_pb2 import VerifyRequest

from tests.faults import mixed_client
from tests.server.asking import all_turns, texts
from tests.serving import Stubs, start_server


@pytest.mark.timeout(600)
def test_no_error_and_no_lost_turn(folder: Path, seconds: int) -> None:
    server = start_server(folder)
    command = [sys.executable, mixed_client.__file__, server.target]
    clients = [
        subprocess.Popen([*command, str(number), str(seconds)], stdout=subprocess.PIPE, text=True)
        for number in range(2)
    ]
    done: list[dict[str, Any]] = [json.loads(client.communicate(timeout=seconds + 120)[0]) for client in clients]
    for one in done:
        print({name: one[name] for name in ("composed", "commit_ms", "compose_ms")}, "p50, p95")
        assert one["errors"] == []
        assert one["missed"] == [], "a compose did not find the turn committed before it"
        assert len(one["sessions"]) == mixed_client.THREADS
        assert one["composed"] == sum(map(len, one["sessions"].values())) > mixed_client.THREADS
    acknowledged = done[0]["sessions"] | done[1]["sessions"]
    assert len(acknowledged) == 2 * mixed_client.THREADS
    with server.stubs() as stubs:
        check(stubs, acknowledged)
    assert server.terminate() == 0

    server = start_server(folder)
    with server.stubs() as stubs:
        check(stubs, acknowledged)
    assert server.terminate() == 0


def check(stubs: Stubs, acknowledged: dict[str, list[str]]) -> None:
    """Every acknowledged turn is listed, once and in order, and verify finds nothing wrong."""
    for name, contents in acknowledged.items():
        memory_id, session_id = name.split("/")
        assert texts(all_turns(stubs, memory_id, session_id)) == [[content] for content in contents]
    answers = list(stubs.admin.Verify(VerifyRequest()))
    assert len(answers) == mixed_client.MEMORIES
    assert [problem for answer in answers for problem in answer.problems] == []
    assert sum(answer.turns for answer in answers) == sum(map(len, acknowledged.values()))
