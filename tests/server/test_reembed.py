"""`brain-server --reembed`: a line per memory or a bar, cut short by any signal, and then gone on with."""

from __future__ import annotations

import os
import pty
import shutil
import signal
import subprocess
import termios
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner
from smartbrain.cli import brain
from smartbrain.v1.admin_service_pb2 import GetStatusRequest, VerifyRequest

from tests.models.endpoint import DIMENSION, MODEL, Stub, endpoint
from tests.server.asking import commit, retrieve
from tests.serving import Server, brain_server, run_server, start_server

MEMORIES = ("ann", "bob")
LINES = 40


@pytest.fixture
def stub() -> Iterator[Stub]:
    with endpoint() as running:
        yield running


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a store of two memories, made with the built-in table, to be copied."""
    server = start_server(tmp_path_factory.mktemp("made"))
    with server.stubs() as stubs:
        for memory in MEMORIES:
            stubs.brain.CommitTurn(commit(memory, "s", *(f"Line {number} is about tea." for number in range(LINES))))
    assert server.terminate() == 0
    return server.data


@pytest.fixture
def made(folder: Path, data: Path) -> Path:
    """Give a folder with a store of its own."""
    shutil.copytree(data, folder / "data")
    return folder


def command(folder: Path, stub: Stub) -> list[str]:
    """Return the arguments that re-embed a folder's store to an endpoint."""
    (folder / "brain.yml").write_text(yaml.safe_dump({"embedder": {**stub.policy, "batch": 4}}))
    return ["--data", str(folder / "data"), "--config", str(folder / "brain.yml"), "--reembed"]


def served(folder: Path) -> Server:
    return start_server(folder, "--config", str(folder / "brain.yml"))


def check_done(folder: Path) -> None:
    """Serve the store: it has the endpoint's vectors, all of them, and finds by them."""
    server = served(folder)
    with server.stubs() as stubs:
        status = stubs.admin.GetStatus(GetStatusRequest())
        assert (status.embedder, status.dimension, status.chunks_to_refine) == (MODEL, DIMENSION, 0)
        assert all(not answer.problems for answer in stubs.admin.Verify(VerifyRequest()))
        for memory in MEMORIES:
            request = retrieve(memory, "line 7", mode="semantic", k=3)
            assert stubs.retrieval.Retrieve(request).pack.evidences[0].snippet == "Line 7 is about tea."
    assert server.terminate() == 0


def wait_for_requests(stub: Stub, count: int) -> None:
    deadline = time.monotonic() + 30
    while len(stub.behaviour.requests) < count:
        assert time.monotonic() < deadline
        time.sleep(0.005)


def test_a_mismatch_names_the_command_and_the_command_ends_it(made: Path, stub: Stub) -> None:
    arguments = command(made, stub)
    refused = run_server(*arguments[:-1], "--listen", f"unix:{made}/sock")
    assert refused.returncode == 1
    assert "--reembed" in refused.stderr
    ended = run_server(*arguments)
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.splitlines() == [f"[{n}/2] {memory}: {LINES} chunks" for n, memory in enumerate(MEMORIES, 1)]
    assert f"{2 * LINES} chunks of 2 memories" in ended.stderr
    check_done(made)
    again = run_server(*arguments)
    assert (again.returncode, again.stdout) == (0, "")
    assert "nothing to re-embed" in again.stderr


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGKILL, -9), (signal.SIGTERM, -15)])
def test_cut_short_it_goes_on_where_it_was(made: Path, stub: Stub, number: signal.Signals, code: int) -> None:
    stub.behaviour.mode, stub.behaviour.seconds = "slow", 0.05
    arguments = command(made, stub)
    with subprocess.Popen([brain_server(), *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        wait_for_requests(stub, LINES // 4 + 2)  # in the second memory
        process.send_signal(number)
        _, words = process.communicate(timeout=30)
    assert process.returncode == code, words
    assert b"Traceback" not in words
    refused = run_server(*arguments[:-1], "--listen", f"unix:{made}/sock")
    assert refused.returncode == 1
    assert "has not ended" in refused.stderr
    assert "--reembed" in refused.stderr
    stub.behaviour.mode = "good"
    asked = len(stub.behaviour.requests)
    ended = run_server(*arguments)
    assert ended.returncode == 0, ended.stderr
    assert len(stub.behaviour.requests) - asked <= LINES // 4, "began anew"
    check_done(made)


def test_an_endpoint_that_is_away_ends_it_in_one_line_that_says_how_to_go_on(made: Path, stub: Stub) -> None:
    stub.behaviour.mode = "500"
    ended = run_server(*command(made, stub))
    assert ended.returncode == 1
    [line] = ended.stderr.splitlines()
    assert line.startswith(f"brain-server: embedder.url: {stub.url} answered 500")
    assert "run it again" in line


def test_a_store_that_is_served_is_refused(folder: Path, stub: Stub) -> None:
    server = start_server(folder)
    ended = run_server(*command(folder, stub))
    assert ended.returncode == 1
    assert "in use by another process" in ended.stderr
    assert server.terminate() == 0


def test_a_terminal_sees_a_bar_once_it_takes_longer_than_two_seconds(made: Path, stub: Stub) -> None:
    stub.behaviour.mode, stub.behaviour.seconds = "slow", 0.2
    master, slave = pty.openpty()
    termios.tcsetwinsize(slave, (24, 80))
    arguments = command(made, stub)
    with subprocess.Popen([brain_server(), *arguments], stdout=slave, stderr=slave) as process:
        os.close(slave)
        seen = b""
        while True:
            try:
                seen += os.read(master, 4096)
            except OSError:  # the other side is closed
                break
    os.close(master)
    assert process.returncode == 0, seen
    assert b"/80" in seen
    assert b"[1/2]" not in seen


@pytest.mark.parametrize(
    ("config", "words"),
    [
        ("embedder: {kind: onnx}", ["embedder.folder", "kind onnx needs it"]),
        ("embedder: {kind: onnx, folder: /nowhere}", ["embedder.folder: /nowhere", "has no model.onnx"]),
        ("embedder: {kind: static, folder: /nowhere}", ["embedder.folder: /nowhere"]),
        ("embedder: {kind: openai, url: 'http://127.0.0.1:9/v1'}", ["embedder.model", "embedder.dimension"]),
        ("embedder: {kind: openai, url: 'ftp://x', model: m, dimension: 3}", ["embedder.url"]),
        ("embedder: {url: 'http://127.0.0.1:9/v1'}", ["embedder.url", "kind static does not read it"]),
        ("embedder: {kind: remote}", ["embedder.kind", "'static', 'onnx' or 'openai'"]),
        ("embedder: {kind: static, folders: x}", ["embedder.folders: unknown key"]),
        (
            "embedder: {kind: openai, url: 'http://127.0.0.1:9/v1', model: m, dimension: 3, api_key_file: /nowhere}",
            ["embedder.api_key_file", "/nowhere"],
        ),
    ],
)
def test_an_embedder_that_cannot_be_is_named_before_a_folder_is_made(
    folder: Path, config: str, words: list[str]
) -> None:
    (folder / "brain.yml").write_text(config)
    ended = run_server("--data", str(folder / "data"), "--config", str(folder / "brain.yml"))
    assert ended.returncode == 1
    [line] = ended.stderr.splitlines()
    for word in words:
        assert word in line
    assert not (folder / "data").exists()


def test_brain_status_says_what_waits_and_why(folder: Path, stub: Stub) -> None:
    stub.behaviour.mode = "401"
    server = start_server(folder, config=yaml.safe_dump({"embedder": stub.policy}))
    with server.stubs() as stubs:
        stubs.brain.CommitTurn(commit("m", "s", "tea", "coffee"))
        deadline = time.monotonic() + 30
        while not stubs.admin.GetStatus(GetStatusRequest()).refine_problem:
            assert time.monotonic() < deadline
            time.sleep(0.01)
    shown = CliRunner().invoke(brain, ["--server", server.target, "status"])
    assert f"2 chunks wait for their lasting vectors: memory 'm': embedder.url: {stub.url} answered 401" in shown.output
    assert server.terminate() == 0


def test_the_key_of_a_file_is_sent(folder: Path, stub: Stub) -> None:
    (folder / "key").write_text("sk-stub\n", "utf-8-sig")
    config = yaml.safe_dump({"embedder": {**stub.policy, "api_key_file": str(folder / "key")}})
    server = start_server(folder, config=config)
    with server.stubs() as stubs:
        stubs.brain.CommitTurn(commit("m", "s", "tea"))
        wait_for_requests(stub, 1)
    assert server.terminate() == 0
    assert set(stub.behaviour.keys) == {"Bearer sk-stub"}
    assert "sk-stub" not in server.log.read_text()
