"""A log that cannot be written: whoever reads it is gone, its disk is full, or it is read too slowly."""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import grpc
import pytest
from smartbrain.v1.brain_service_pb2_grpc import BrainServiceStub

from tests.server.asking import commit, refusal
from tests.serving import brain_server

_LONGEST_SECONDS = 60


@contextmanager
def serving(folder: Path, log: int) -> Iterator[tuple[subprocess.Popen[bytes], BrainServiceStub]]:
    """Run a server that logs to a descriptor; it is stopped, and has to end well."""
    command = [brain_server(), "--data", str(folder / "data"), "--listen", f"unix:{folder}/sock"]
    process = subprocess.Popen(command, stdout=log, stderr=log)
    os.close(log)
    with grpc.insecure_channel(f"unix:{folder}/sock") as channel:
        grpc.channel_ready_future(channel).result(_LONGEST_SECONDS)
        yield process, BrainServiceStub(channel)
    process.terminate()
    assert process.wait(_LONGEST_SECONDS) == 0
    assert list((folder / "data" / "index").iterdir()), "what is derived was written out"


def refused(stub: BrainServiceStub) -> str:
    """Have a call refused, which is logged; return the field that is named."""
    return refusal(lambda: stub.CommitTurn(commit("m", "s", " "), timeout=_LONGEST_SECONDS)).facts["field"]


def test_calls_are_answered_and_a_stop_ends_well_though_nobody_reads_the_log(folder: Path) -> None:
    """The refusal was never answered, and the stop left no index and exit code 1."""
    reader, writer = os.pipe()
    with serving(folder, writer) as (_, stub):
        os.close(reader)
        assert refused(stub) == "turn.messages[0].content"
        stub.CommitTurn(commit("m", "s", "The ferry leaves at nine."))


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_server_starts_and_serves_though_the_disk_of_its_log_is_full(folder: Path) -> None:
    """It did not start."""
    with serving(folder, os.open("/dev/full", os.O_WRONLY)) as (_, stub):
        assert refused(stub) == "turn.messages[0].content"
        stub.CommitTurn(commit("m", "s", "The ferry leaves at nine."))


def test_the_log_says_how_many_lines_it_lost_and_has_whole_lines_only(folder: Path) -> None:
    reader, writer = os.pipe()
    size = fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 4096)
    os.set_blocking(writer, False)
    with serving(folder, writer) as (_, stub), os.fdopen(reader, "rb", buffering=0) as log:
        for _ in range(60):
            refused(stub)
        first = log.read(size).decode()
        refused(stub)
        second = log.read(size).decode()
        stub.CommitTurn(commit("m", "s", "The ferry leaves at nine."))
    lines = [json.loads(line) for line in (first + second).split("\n")[:-1] if line]
    assert [line["event"] for line in lines[-2:]] == ["refused", "log lines were lost"]
    assert sum(line["event"] == "refused" for line in lines) + lines[-1]["lines"] == 61
