"""A brain-server of the benchmark's own: a process on a unix socket in a temporary folder, gone at the end."""

import contextlib
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import grpc
import yaml

START_SECONDS = 60.0
_RETRY_MS = 20  # gRPC itself first looks again after a second
STOP_SECONDS = 60.0


class ServerError(Exception):
    """The server did not start or did not stop; the message carries the end of its log."""


@dataclass(frozen=True, slots=True)
class Server:
    """A running server. `pid` is None for one that the benchmark did not start."""

    target: str
    pid: int | None


@contextlib.contextmanager
def running_server(settings: Mapping[str, object] | None = None, data: Path | None = None) -> Iterator[Server]:
    """Start a server and stop it when the block ends.

    `settings` are written to a brain.yml given by --config; None means the server's defaults. `data` is the store's
    folder, kept; None means an empty one, removed at the end. Raises ServerError when the server does not accept
    connections in 60 s, or does not stop in 60 s.
    """
    with tempfile.TemporaryDirectory(prefix="sb-bench-") as name:
        folder = Path(name)
        target = f"unix:{folder / 'sock'}"
        command = [sys.executable, "-m", "brain_server", "--data", str(data or folder / "data")]
        command += ["--listen", target]
        if settings is not None:
            (folder / "brain.yml").write_text(yaml.safe_dump(dict(settings)), encoding="utf-8")
            command += ["--config", str(folder / "brain.yml")]
        with (folder / "log").open("wb") as log:
            process = subprocess.Popen(command, stdout=log, stderr=log)
        try:
            _wait_until_ready(target, process, folder / "log")
            yield Server(target, process.pid)
        finally:
            _stop(process, folder / "log")


def _wait_until_ready(target: str, process: "subprocess.Popen[bytes]", log: Path) -> None:
    backoff = [(f"grpc.{name}_reconnect_backoff_ms", _RETRY_MS) for name in ("initial", "min", "max")]
    with grpc.insecure_channel(target, options=backoff) as channel:
        ready = grpc.channel_ready_future(channel)
        for _ in range(int(START_SECONDS)):
            with contextlib.suppress(grpc.FutureTimeoutError):
                ready.result(timeout=1.0)
                return
            if process.poll() is not None:
                break
        ready.cancel()
    raise ServerError(f"brain-server did not start (exit {process.poll()}):\n{_tail(log)}")


def _stop(process: "subprocess.Popen[bytes]", log: Path) -> None:
    process.terminate()
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        raise ServerError(f"brain-server did not stop in {STOP_SECONDS:.0f} s:\n{_tail(log)}") from None


def _tail(log: Path) -> str:
    return log.read_text(encoding="utf-8", errors="replace")[-2000:]
