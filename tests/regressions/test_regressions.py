"""One test per bug, named for it."""

from __future__ import annotations

import ctypes
import platform
import signal
from pathlib import Path

from smartbrain.v1.brain_service_pb2 import ComposeContextRequest, ListTurnsRequest
from smartbrain.v1.plan_pb2 import PlanOutput, PlanQuery, RetrievalPlan

from brain_core import Brain
from tests.building import found, open_brain, say
from tests.serving import start_server

_SYS_TGKILL = {"x86_64": 234, "aarch64": 131}[platform.machine()]


def test_evidence_keeps_its_score_when_a_plan_turns_signals_off(folder: Path) -> None:
    with open_brain(folder) as brain:
        brain.commit_turn(say("m", "s", "was it the zebra in Berlin?"))
        brain.commit_turn(say("m", "another", "was it the otter in Bonn?"))
        plan = RetrievalPlan(queries=[PlanQuery(text="zebra Berlin")], output=PlanOutput(include_signals=False))
        request = ComposeContextRequest(memory_id="m", session_id="new", user_message="zebra", plan=plan)
        evidence = brain.compose_context(request).context.evidence
        assert [one.HasField("signals") for one in evidence] == [False, False]
        assert evidence[0].score > evidence[1].score > 0


def test_a_page_of_large_turns_is_one_that_any_grpc_client_takes(folder: Path) -> None:
    with open_brain(folder) as brain:
        for number in range(6):
            brain.commit_turn(say("m", "s", f"turn {number} " + "x" * 900_000))
        seen: list[int] = []
        token = ""
        while not seen or token:
            page = brain.list_turns(ListTurnsRequest(memory_id="m", session_id="s", page_token=token))
            assert page.ByteSize() < 4 << 20
            seen += [turn.sequence for turn in page.turns]
            token = page.next_page_token
        assert seen == list(range(6))


def test_a_commit_does_not_fail_because_another_memorys_snapshot_cannot_be_written(folder: Path) -> None:
    (folder / "index").write_text("a file where the folder of snapshots should be")
    with open_brain(folder, index={"cache_bytes": 1}) as brain:
        for memory in ("a", "b"):
            brain.commit_turn(say(memory, "s", f"zebra of {memory}"))
        assert_found_in_both(brain)
    (folder / "index").unlink()
    with open_brain(folder) as brain:
        assert_found_in_both(brain)


def assert_found_in_both(brain: Brain) -> None:
    assert found(brain, "a", "zebra", mode="exact") == ["zebra of a"]
    assert found(brain, "b", "zebra", mode="exact") == ["zebra of b"]


def test_a_stop_signal_that_another_thread_takes_stops_the_server(folder: Path) -> None:
    server = start_server(folder)
    process = server.process.pid
    threads = [int(thread.name) for thread in Path(f"/proc/{process}/task").iterdir()]
    libc = ctypes.CDLL(None)
    libc.syscall(_SYS_TGKILL, process, max(thread for thread in threads if thread != process), signal.SIGTERM)
    assert server.process.wait(60) == 0
