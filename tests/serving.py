"""A real brain-server in a process of its own, for tests that go over a socket."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc
from smartbrain.v1.admin_service_pb2_grpc import AdminServiceStub
from smartbrain.v1.brain_service_pb2_grpc import BrainServiceStub
from smartbrain.v1.memory_service_pb2_grpc import MemoryServiceStub
from smartbrain.v1.resource_service_pb2_grpc import ResourceServiceStub
from smartbrain.v1.retrieval_service_pb2_grpc import RetrievalServiceStub

_START_SECONDS = 60


def brain_server() -> str:
    """Return the path of the command beside the running Python."""
    found = shutil.which("brain-server", path=str(Path(sys.executable).parent))
    assert found is not None, "brain-server is not installed in this environment"
    return found


@dataclass(slots=True)
class Server:
    """A running server: where it listens, where its data is, its process, its log file."""

    target: str
    data: Path
    process: subprocess.Popen[bytes]
    log: Path

    def terminate(self) -> int:
        """Stop it gracefully and return its exit code."""
        self.process.terminate()
        return self.process.wait(60)

    def kill(self) -> None:
        """Kill it as kill -9 does."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(60)

    def listening(self) -> dict[str, Any]:
        """Return the line that it logs once it listens, which is a moment after its socket takes connections."""
        while not self.log.read_bytes().endswith(b"\n"):
            time.sleep(0.01)
        lines = map(json.loads, self.log.read_text().splitlines())
        return next(line for line in lines if line["event"] == "listening")

    @contextlib.contextmanager
    def channel(self) -> Iterator[grpc.Channel]:
        """Give a connection of its own."""
        with grpc.insecure_channel(self.target, options=[("grpc.use_local_subchannel_pool", 1)]) as channel:
            yield channel

    @contextlib.contextmanager
    def stubs(self) -> Iterator[Stubs]:
        """Give the stubs of all services over a connection of their own."""
        with self.channel() as channel:
            yield Stubs(
                BrainServiceStub(channel),
                MemoryServiceStub(channel),
                RetrievalServiceStub(channel),
                AdminServiceStub(channel),
                ResourceServiceStub(channel),
            )


@dataclass(frozen=True, slots=True)
class Stubs:
    """The stubs of all services over one connection."""

    brain: BrainServiceStub
    memory: MemoryServiceStub
    retrieval: RetrievalServiceStub
    admin: AdminServiceStub
    resources: ResourceServiceStub


def start_server(folder: Path, *options: str, config: str = "", program: Sequence[str] = ()) -> Server:
    """Start a server on `folder`/data and a socket beside it, and wait until it answers.

    options: further command line. config: content of its brain.yml. program: what to run in place of brain-server.
    Fails with its log if it exits.
    """
    log = folder / "log"
    command = [*(program or [brain_server()]), "--data", str(folder / "data"), "--listen", f"unix:{folder}/sock"]
    command += options
    if config:
        (folder / "brain.yml").write_text(config, "utf-8")
        command += ["--config", str(folder / "brain.yml")]
    with log.open("ab") as output:
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT)
    server = Server(f"unix:{folder}/sock", folder / "data", process, log)
    deadline = time.monotonic() + _START_SECONDS
    while not _listens(folder / "sock"):
        assert process.poll() is None, log.read_text(errors="replace")
        assert time.monotonic() < deadline, f"no answer within {_START_SECONDS} s"
        time.sleep(0.01)
    return server


def run_server(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command to its end, for starts that must fail; return its exit code and output."""
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    command: Sequence[str] = [brain_server(), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, env=environment)


def _listens(address: Path) -> bool:
    """Return whether a socket takes connections: gRPC's own check looks only every 0.2 s."""
    with socket.socket(socket.AF_UNIX) as connection:
        return connection.connect_ex(str(address)) == 0
