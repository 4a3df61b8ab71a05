"""brain-server: the command that runs the server."""

from __future__ import annotations

import argparse
import gc
import resource
import signal
import socket
import sys
from importlib.metadata import version
from pathlib import Path

import structlog

from brain_core import Brain, load_policy
from brain_core.errors import BrainError, PolicyError
from brain_core.policy import Policy
from brain_server.addresses import AddressError
from brain_server.app import App
from brain_server.observe import LEVELS, set_up_logs
from brain_server.reembedding import run_reembed
from brain_server.status import DISTRIBUTION

DEFAULT_ADDRESS = "127.0.0.1:7700"

log = structlog.get_logger()


def parser() -> argparse.ArgumentParser:
    """Return the command line."""
    command = argparse.ArgumentParser(
        prog="brain-server", description="Memory runtime and context composer for AI agents, over gRPC and HTTP."
    )
    command.add_argument("--data", type=Path, required=True, metavar="DIR", help="folder of the store; made if absent")
    command.add_argument(
        "--listen",
        action="append",
        metavar="ADDR",
        help=f"HOST:PORT or unix:PATH; may be given more than once (default {DEFAULT_ADDRESS})",
    )
    command.add_argument(
        "--metrics",
        metavar="HOST:PORT",
        help="serve /metrics there over HTTP, in OpenMetrics (default: the config's server.metrics, else nowhere)",
    )
    command.add_argument(
        "--http",
        metavar="HOST:PORT",
        help="serve the API as JSON over HTTP there (default: the config's server.http, else nowhere)",
    )
    command.add_argument("--config", type=Path, metavar="FILE", help="a brain.yml with what differs from the defaults")
    command.add_argument("--log-level", choices=LEVELS, default="info", help="debug logs every call (default info)")
    command.add_argument("--verify", action="store_true", help="check the store and its indexes, then exit")
    command.add_argument(
        "--reembed",
        action="store_true",
        help="give the store the vectors of the config's embedder, then exit; stopped early, it goes on when run again",
    )
    command.add_argument("--version", action="version", version=f"brain-server {version(DISTRIBUTION)}")
    return command


def main() -> None:
    """Run until SIGINT, SIGTERM or SIGHUP. Exits with 1 and one line on standard error if it cannot start."""
    arguments = parser().parse_args()
    set_up_logs(arguments.log_level)
    try:
        policy = load_policy(arguments.config)
        if arguments.verify or arguments.reembed:
            _require_store(arguments.data)
        if arguments.verify:
            sys.exit(_verify(arguments.data, policy))
        if arguments.reembed:
            sys.exit(run_reembed(arguments.data, policy))
        _serve(arguments, policy)
    except (BrainError, AddressError, OSError) as error:
        hint = getattr(error, "hint", "")
        sys.exit(f"brain-server: {_told(error, arguments.config)}" + (f"; {hint}" if hint else ""))


def _told(error: Exception, config: Path | None) -> str:
    if isinstance(error, PolicyError) and config is not None and str(config) not in str(error):
        return f"{config}: {str(error).removeprefix('brain.yml: ')}"  # found by what does not know of the file
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}"
    return str(error)


def _require_store(data: Path) -> None:
    """Refuse a folder that is no server's: it would be made, and found sound."""
    if not (data / "store").is_dir():
        sys.exit(f"brain-server: --data {data}: no store is there; name the folder that a server was started with")


def _serve(arguments: argparse.Namespace, policy: Policy) -> None:
    _open_all_files_allowed()
    stopping = _stop_signals()
    metrics = policy.server.metrics if arguments.metrics is None else arguments.metrics
    http = policy.server.http if arguments.http is None else arguments.http
    gc.disable()  # nearly all that is made until it serves stays, as do its modules: no collection need walk it
    app = App(arguments.data, policy, arguments.listen or [DEFAULT_ADDRESS], metrics, http)
    gc.freeze()
    gc.enable()
    stopping.recv(1)
    app.stop()


def _open_all_files_allowed() -> None:
    """Let the process open as many files as it may: of the 1,024 that are usual, silent connections would take all."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _stop_signals() -> socket.socket:
    """Return a socket that has something to read once a signal to stop has come; a closed terminal sends SIGHUP.

    A handler runs only when the main thread wakes, and a signal that a thread of gRPC or OpenBLAS takes does not wake
    it; the wakeup descriptor is written to on whichever thread that is.
    """
    woken, waker = socket.socketpair()
    waker.setblocking(False)
    signal.set_wakeup_fd(waker.detach())
    stopping = [signal.SIGINT, signal.SIGTERM]
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # as nohup has it
        stopping.append(signal.SIGHUP)
    for number in stopping:
        signal.signal(number, lambda *_: None)
    return woken


def _verify(data: Path, policy: Policy) -> int:
    checked = unsound = 0
    with Brain.open(data, policy) as brain:
        for answer in brain.verify():
            checked += 1
            unsound += bool(answer.problems)
            print(f"[{answer.done}/{answer.total}] {answer.memory_id}: revision {answer.revision}", end="")
            print(
                f", {answer.turns} turns, {answer.chunks} chunks: ",
                "; ".join(answer.problems) or "sound",
                sep="",
                end="",
            )
            print(*(f"; note: {note}" for note in answer.notes), sep="")
    if not checked:
        print("no memories")
    if unsound:
        print(f"brain-server: {data} has problems in {unsound} of its memories (see above)", file=sys.stderr)
    return 1 if unsound else 0


if __name__ == "__main__":
    main()
