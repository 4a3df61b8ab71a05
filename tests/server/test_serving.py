"""A server's life: addresses, health, reflection, deadlines, streams, cancelled calls, logs, stopping, restarting."""

from __future__ import annotations

import contextlib
import json
import resource
import signal
import socket
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc
import psutil
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc
from smartbrain.v1.admin_service_pb2 import GetStatusRequest, VerifyRequest
from smartbrain.v1.brain_service_pb2 import CommitTurnsRequest, ListSessionsRequest
from smartbrain.v1.brain_service_pb2_grpc import BrainServiceStub

from brain_core import load_policy
from brain_server import app
from tests.server.asking import all_turns, commit, compose, missing, refusal, retrieve, send_raw, texts
from tests.server.over_http import Http
from tests.serving import Server, Stubs, brain_server, run_server, start_server

SERVICES = tuple(f"smartbrain.v1.{name}Service" for name in ("Brain", "Memory", "Retrieval", "Admin"))
SERVING = health_pb2.HealthCheckResponse.SERVING
NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING


@pytest.fixture
def stubs(server: Server) -> Iterator[Stubs]:
    with server.stubs() as opened:
        yield opened


# Addresses


def test_unix_and_tcp_both_serve(folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    server = start_server(folder, "--listen", f"127.0.0.1:{port}")
    try:
        for target in (server.target, f"127.0.0.1:{port}"):
            with grpc.insecure_channel(target) as channel:
                BrainServiceStub(channel).CommitTurn(commit("m", "s", f"Through {target}."))
        with server.stubs() as stubs:
            assert len(all_turns(stubs, "m", "s")) == 2
    finally:
        assert server.terminate() == 0


def test_only_the_owner_may_use_the_socket(server: Server) -> None:
    assert Path(server.target.removeprefix("unix:")).stat().st_mode & 0o777 == 0o600


def test_a_server_may_open_all_files_that_its_limit_allows(folder: Path) -> None:
    """Of the 1,024 that a process has by itself, a thousand silent connections left none to whoever had something."""
    few = ["sh", "-c", 'ulimit -Sn 200 && exec "$0" "$@"', brain_server()]
    server = start_server(folder, program=few)
    soft, hard = resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE)
    assert soft == hard > 200
    assert server.terminate() == 0


def test_a_silent_connection_is_closed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It stayed for two minutes."""
    monkeypatch.setattr(app, "_HANDSHAKE_MS", 500)
    served = app.App(folder / "data", load_policy(), ["127.0.0.1:0"])
    try:
        host, _, port = served.addresses[0].rpartition(":")
        with socket.create_connection((host, int(port)), timeout=30) as connection:
            while connection.recv(1 << 12):  # what it says first
                pass
    finally:
        served.stop()


def test_a_port_of_zero_is_logged_as_it_became(folder: Path) -> None:
    server = start_server(folder, "--listen", "127.0.0.1:0")
    assert server.terminate() == 0
    listening = next(line for line in log_lines(server) if line["event"] == "listening")
    port = int(listening["addresses"][1].rpartition(":")[2])
    assert port > 0


@pytest.mark.parametrize(("options", "loaded"), [((), False), (("--http", "127.0.0.1:0"), True)])
def test_what_only_http_needs_is_loaded_only_where_it_is_on(
    folder: Path, options: tuple[str, ...], loaded: bool
) -> None:
    server = start_server(folder, *options, program=[sys.executable, "-X", "importtime", "-m", "brain_server"])
    assert server.terminate() == 0
    log = server.log.read_text()
    assert "| brain_server.app\n" in log
    assert [f" {name}\n" in log for name in ("uvicorn", "h11", "brain_server.http.door")] == [loaded] * 3


# Health and reflection


@pytest.mark.parametrize("service", ["", *SERVICES])
def test_health_says_serving(server: Server, service: str) -> None:
    with server.channel() as channel:
        health: Any = health_pb2_grpc.HealthStub(channel)
        assert health.Check(health_pb2.HealthCheckRequest(service=service), timeout=30).status == SERVING


def test_health_of_an_unknown_service(server: Server) -> None:
    with server.channel() as channel:
        health: Any = health_pb2_grpc.HealthStub(channel)
        refused = refusal(lambda: health.Check(health_pb2.HealthCheckRequest(service="none"), timeout=30))
    assert refused.code == grpc.StatusCode.NOT_FOUND


def test_reflection_lists_the_services_and_gives_their_files(server: Server) -> None:
    with server.channel() as channel:
        stub: Any = reflection_pb2_grpc.ServerReflectionStub(channel)
        requests = [
            reflection_pb2.ServerReflectionRequest(list_services=""),
            reflection_pb2.ServerReflectionRequest(file_containing_symbol=SERVICES[0]),
        ]
        listed, file = stub.ServerReflectionInfo(iter(requests), timeout=30)
    names = {service.name for service in listed.list_services_response.service}
    assert names >= {*SERVICES, "grpc.health.v1.Health", "grpc.reflection.v1alpha.ServerReflection"}
    assert b"brain_service.proto" in file.file_descriptor_response.file_descriptor_proto[0]


def test_a_call_that_is_not_there(server: Server) -> None:
    with server.channel() as channel:
        refused = refusal(lambda: send_raw(channel, "/smartbrain.v1.BrainService/Forget", b""))
    assert refused.code == grpc.StatusCode.UNIMPLEMENTED


# Deadlines and cancelled calls


def test_deadlines_that_pass_write_whole_turns_or_nothing(stubs: Stubs, memory_id: str) -> None:
    answered = 0
    for number in range(300):
        timeout = 1e-6 if number % 2 else number * 1e-5
        with contextlib.suppress(grpc.RpcError):
            stubs.brain.CommitTurn(commit(memory_id, "s", f"Number {number}.", "Second half."), timeout=timeout)
            answered += 1
    last = stubs.brain.CommitTurn(commit(memory_id, "s", "The end.", "Second half."))
    turns = all_turns(stubs, memory_id, "s")
    assert answered < len(turns) <= 301
    assert last.revision == len(turns)
    assert all(len(said) == 2 for said in texts(turns))
    assert len({said[0] for said in texts(turns)}) == len(turns)
    assert sound(stubs, memory_id)


def test_a_deadline_already_passed_writes_nothing(stubs: Stubs, memory_id: str) -> None:
    stubs.brain.CommitTurn(commit(memory_id, "s", "First."))
    for number in range(100):
        request = commit(memory_id, "s", f"Number {number}.")
        refused = refusal(lambda request=request: stubs.brain.CommitTurn(request, timeout=-1))  # type: ignore[misc]
        assert refused.code == grpc.StatusCode.DEADLINE_EXCEEDED
    assert stubs.brain.ListSessions(ListSessionsRequest(memory_id=memory_id)).revision == 1


def test_cancelled_calls_leave_the_server_healthy(stubs: Stubs, memory_id: str) -> None:
    stubs.brain.CommitTurn(commit(memory_id, "s", "First."))
    for number in range(60):
        calls: list[Any] = [
            stubs.brain.CommitTurn.future(commit(memory_id, "s", f"Number {number}.")),
            stubs.brain.ComposeContext.future(compose(memory_id, "s", "First?")),
            stubs.retrieval.Retrieve.future(retrieve(memory_id, "first")),
        ]
        for call in calls:
            call.cancel()
    verifying = [stubs.admin.Verify(VerifyRequest()) for _ in range(20)]
    next(verifying[0])
    for verified in verifying:
        verified.cancel()
    streams = [stubs.brain.CommitTurns.future(endless(memory_id)) for _ in range(10)]
    for stream in streams:
        time.sleep(0.01)
        stream.cancel()
    last = stubs.brain.CommitTurn(commit(memory_id, "s", "The end."), timeout=30)
    assert "The end." in texts(all_turns(stubs, memory_id, "s"))[-1]
    assert last.revision == len(all_turns(stubs, memory_id, "s")) + len(all_turns(stubs, memory_id, "endless"))
    assert sound(stubs, memory_id)


def endless(memory_id: str) -> Iterator[CommitTurnsRequest]:
    """Give turns until the call is over."""
    while True:
        yield CommitTurnsRequest(turn=commit(memory_id, "endless", "Once more."))
        time.sleep(0.001)


# Streams of commits


def test_a_stream_commits_all(stubs: Stubs, memory_id: str) -> None:
    turns = [CommitTurnsRequest(turn=commit(memory_id, "s", f"Number {number}.")) for number in range(200)]
    turns[3].turn.validate_only = True  # ignored here
    answer = stubs.brain.CommitTurns(iter(turns))
    stored = all_turns(stubs, memory_id, "s")
    assert (answer.committed, answer.revision) == (200, 200)
    assert list(answer.turn_ids) == [turn.turn_id for turn in stored]
    assert texts(stored) == [[f"Number {number}."] for number in range(200)]
    assert missing(stubs, memory_id, {"Number 199": "Number 199."}) == []


def test_an_empty_stream_commits_nothing(stubs: Stubs) -> None:
    answer = stubs.brain.CommitTurns(iter(()))
    assert (answer.committed, answer.revision, list(answer.turn_ids)) == (0, 0, [])


def test_an_error_in_the_stream_names_its_place_and_keeps_what_came_before(stubs: Stubs, memory_id: str) -> None:
    contents = ["one", "two", "three", " ", "five"]
    turns = [CommitTurnsRequest(turn=commit(memory_id, "s", content)) for content in contents]
    refused = refusal(lambda: stubs.brain.CommitTurns(iter(turns)))
    assert refused.code == grpc.StatusCode.INVALID_ARGUMENT
    assert refused.facts["field"] == "requests[3].turn.messages[0].content"
    assert refused.message.startswith("requests[3]")
    assert texts(all_turns(stubs, memory_id, "s")) == [["one"], ["two"], ["three"]]


def test_a_stream_repeated_by_request_id_adds_nothing(stubs: Stubs, memory_id: str) -> None:
    turns = [CommitTurnsRequest(turn=commit(memory_id, "s", f"{n}", request_id=f"r{n}")) for n in range(20)]
    first = stubs.brain.CommitTurns(iter(turns[:12]))
    second = stubs.brain.CommitTurns(iter(turns))
    assert list(second.turn_ids)[:12] == list(first.turn_ids)
    assert (second.committed, second.revision) == (20, 20)
    assert len(all_turns(stubs, memory_id, "s")) == 20


# Logs


def log_lines(server: Server) -> list[dict[str, str]]:
    """Return the lines of a server's log; each must be a JSON object."""
    lines = [json.loads(line) for line in server.log.read_text().splitlines()]
    assert all({"event", "level", "timestamp"} <= line.keys() for line in lines)
    return lines


def test_a_folder_of_refs_that_is_not_there_is_warned_of_at_the_start(folder: Path) -> None:
    there, away = folder / "there", folder / "不在"
    there.mkdir()
    running = start_server(folder, config=f"documents: {{ingest_refs: {{roots: ['{there}', '{away}']}}}}")
    assert running.terminate() == 0
    [warning] = [line for line in log_lines(running) if line["level"] == "warning"]
    assert (warning["field"], warning["problem"]) == ("documents.ingest_refs.roots", f"{away} is no folder")


@pytest.mark.parametrize("secret", ["ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2, "hunter2horse"])
def test_logs_do_not_hold_what_was_refused(folder: Path, secret: str) -> None:
    server = start_server(folder, "--http", "127.0.0.1:0")
    http = Http.of(server)
    with server.stubs() as opened:
        request = commit("m", "s", "Hello.")
        request.turn.tasks.add(task_id="a", title="x", status=secret)
        assert secret in refusal(lambda: opened.brain.CommitTurn(request)).message
    assert http.get(f"/v1/memories/m/items?types={secret}").status == 400
    assert server.terminate() == 0
    assert [line["event"] for line in log_lines(server)].count("refused") == 2
    assert secret not in server.log.read_text()


def test_what_grpc_itself_says_of_every_connection_stays_out_of_the_log(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRPC_TRACE", "http")
    monkeypatch.delenv("GRPC_VERBOSITY", raising=False)
    server = start_server(folder)
    with server.stubs() as stubs:
        stubs.admin.GetStatus(GetStatusRequest())
    assert server.terminate() == 0
    log_lines(server)


def test_logs_are_json_lines_that_name_refusals(folder: Path) -> None:
    server = start_server(folder, "--log-level", "debug")
    with server.stubs() as stubs:
        stubs.brain.CommitTurn(commit("m", "s", "Hello."))
        refusal(lambda: stubs.brain.CommitTurn(commit("m", "s", " ")))
        stubs.brain.CommitTurn.future(commit("m", "s", "Hello.")).cancel()
        stream = stubs.brain.CommitTurns.future(endless("m"))
        time.sleep(0.2)
        stream.cancel()
        verifying = stubs.admin.Verify(VerifyRequest())
        verifying.cancel()
        with contextlib.suppress(grpc.RpcError):
            stubs.brain.CommitTurn(commit("m", "s", "Late."), timeout=1e-6)
    assert server.terminate() == 0
    lines = log_lines(server)
    assert [line["event"] for line in lines if line["event"] in {"listening", "stopping", "stopped"}] == [
        "listening", "stopping", "stopped",
    ]  # fmt: skip
    refused = next(line for line in lines if line["event"] == "refused")
    assert (refused["call"], refused["field"]) == ("CommitTurn", "turn.messages[0].content")
    assert any(line["event"] == "served" for line in lines)


def test_the_first_contexts_after_a_start_wait_for_nothing_to_be_loaded(folder: Path) -> None:
    """The first took a hundred times as long, and of many at once each: none with a short deadline was answered."""
    server = start_server(folder)
    process = psutil.Process(server.process.pid)
    used = []
    with server.stubs() as stubs:
        stubs.brain.CommitTurn(commit("m", "s", "I live in Oslo. 我住在奥斯陆。"))
        for times in (1, 20):
            before = process.cpu_times().user
            for number in range(times):
                for message in (f"Where do I live? {number}", f"我住在哪里？{number}"):
                    stubs.brain.ComposeContext(compose("m", "s", message))
            used.append(process.cpu_times().user - before)
    assert server.terminate() == 0
    assert used[0] < used[1]


# Stopping and starting again


def test_the_socket_of_a_killed_server_does_not_block_the_next(folder: Path) -> None:
    server = start_server(folder)
    with server.stubs() as stubs:
        stubs.brain.CommitTurn(commit("m", "s", "Before the kill."))
    server.kill()
    assert (folder / "sock").is_socket()
    server = start_server(folder)
    with server.stubs() as stubs:
        assert texts(all_turns(stubs, "m", "s")) == [["Before the kill."]]
    assert server.terminate() == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_health_says_not_serving_while_stopping(folder: Path, number: signal.Signals) -> None:
    if signal.getsignal(number) is signal.SIG_IGN:
        pytest.skip("these tests run under nohup, and so would the server")
    server = start_server(folder, config="server: {grace_seconds: 1}")
    with server.channel() as channel:
        health: Any = health_pb2_grpc.HealthStub(channel)
        seen: list[int] = []
        first = threading.Event()

        def watch() -> None:
            with contextlib.suppress(grpc.RpcError):
                for answer in health.Watch(health_pb2.HealthCheckRequest(service=SERVICES[0])):
                    seen.append(answer.status)
                    first.set()

        watcher = threading.Thread(target=watch)
        watcher.start()
        assert first.wait(30)
        server.process.send_signal(number)
        assert server.process.wait(60) == 0
        watcher.join(30)
    assert seen == [SERVING, NOT_SERVING]


def test_a_server_under_nohup_outlives_its_terminal(folder: Path) -> None:
    server = start_server(folder, program=["nohup", brain_server()])
    server.process.send_signal(signal.SIGHUP)
    with server.stubs() as stubs:
        stubs.brain.CommitTurn(commit("m", "s", "The terminal was closed."))
    assert server.terminate() == 0


def test_sigterm_amid_commits_loses_nothing_acknowledged(folder: Path) -> None:
    server = start_server(folder, config="server: {grace_seconds: 2}")
    acknowledged: list[list[str]] = [[] for _ in range(4)]
    begun = threading.Barrier(5)

    def write(writer: int) -> None:
        with server.stubs() as stubs:
            begun.wait(30)
            for number in range(100_000):
                content = f"Writer {writer}, number {number}."
                try:
                    stubs.brain.CommitTurn(commit("m", f"s{writer}", content))
                except grpc.RpcError as error:
                    assert error.code() in {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED}
                    return
                acknowledged[writer].append(content)

    def stream() -> None:
        with server.stubs() as stubs:
            refusal(lambda: stubs.brain.CommitTurns(endless("m")))

    writers = [threading.Thread(target=write, args=(writer,)) for writer in range(4)]
    writers.append(threading.Thread(target=stream))
    for thread in writers:
        thread.start()
    begun.wait(30)
    while sum(map(len, acknowledged)) < 200:
        time.sleep(0.01)
    server.process.terminate()
    # The stream never ends by itself: the grace does.
    assert server.process.wait(60) == 0
    for thread in writers:
        thread.join(60)
    log_lines(server)

    server = start_server(folder)
    with server.stubs() as stubs:
        for writer in range(4):
            stored = [said[0] for said in texts(all_turns(stubs, "m", f"s{writer}"))]
            assert stored[: len(acknowledged[writer])] == acknowledged[writer]
            assert len(stored) <= len(acknowledged[writer]) + 1
        assert sound(stubs, "m")
    assert server.terminate() == 0


def test_verify_prints_sound(folder: Path) -> None:
    server = start_server(folder)
    with server.stubs() as stubs:
        for memory in ("notes", "笔记"):
            stubs.brain.CommitTurn(commit(memory, "s", "我住在杭州。", "In Hangzhou, then."))
    server.terminate()
    ended = run_server("--data", str(server.data), "--verify")
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.splitlines() == [
        "[1/2] notes: revision 1, 1 turns, 3 chunks: sound",
        "[2/2] 笔记: revision 1, 1 turns, 3 chunks: sound",
    ]


def test_status_says_what_is_served(server: Server, stubs: Stubs, memory_id: str) -> None:
    stubs.brain.CommitTurn(commit(memory_id, "s", "Hello."))
    status = stubs.admin.GetStatus(GetStatusRequest())
    assert status.durability == "disk"
    assert status.memories >= 1
    assert status.memories_loaded >= 1
    assert status.index_bytes > 0
    assert status.uptime_seconds > 0
    assert status.version == run_server("--version").stdout.split()[1]
    assert server.process.poll() is None


def sound(stubs: Stubs, memory_id: str) -> bool:
    """Return whether verify finds nothing wrong with a memory."""
    problems = [
        problem for answer in stubs.admin.Verify(VerifyRequest(memory_id=memory_id)) for problem in answer.problems
    ]
    assert problems == []
    return True
