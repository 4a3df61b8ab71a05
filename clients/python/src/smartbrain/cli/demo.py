"""A first look at everything, with a server of its own: demo."""

import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path

import click
from google.protobuf.json_format import Parse

from smartbrain.cli import text
from smartbrain.cli.reasons import reasons
from smartbrain.client import Client
from smartbrain.errors import SmartBrainError
from smartbrain.render import render
from smartbrain.v1.brain_service_pb2 import CommitTurnRequest

_MEMORY = "demo"
_QUESTIONS = (
    ("today", "Which database did we choose for the tasting log, and why?"),
    ("today", "下周去京都，晚饭应该避开什么？"),
)
# Little enough that something is left out, and why can be seen.
_TOKEN_LIMIT = 1400
_START_SECONDS = 120.0
_STOP_SECONDS = 15.0


@click.command()
@click.option(
    "--keep", metavar="DIR", type=click.Path(file_okay=False, path_type=Path), help="Keep the data in DIR afterwards."
)
def demo(keep: Path | None) -> None:
    """Start a server, commit a sample conversation, compose two contexts, and say why they are as they are."""
    with tempfile.TemporaryDirectory(prefix="brain-demo-", ignore_cleanup_errors=True) as folder:
        data = keep or Path(folder) / "data"
        with _server(data, Path(folder)) as target, Client(target, memory_id=_MEMORY) as client:
            turns = list(_sample())
            done = client.commit_many(turns)
            click.echo(f"Committed {done.committed} turns of 3 sessions; the memory is at revision {done.revision}.")
            for session, question in _QUESTIONS:
                _ask(client, session, question)
    if keep:
        click.echo(f"The data are in {keep}; look on with: brain-server --data {keep} & brain --memory demo sessions")


def _ask(client: Client, session: str, question: str) -> None:
    context = client.compose(session, question, token_limit=_TOKEN_LIMIT).context
    click.secho(f"\n=== {question} (in {_TOKEN_LIMIT} tokens)\n", bold=True)
    click.echo(text.printable(render(context)))
    click.secho("\n--- Why\n", bold=True)
    text.show(reasons(context))


def _sample() -> Iterator[CommitTurnRequest]:
    for line in files("smartbrain").joinpath("sample.jsonl").read_text(encoding="utf-8").splitlines():
        yield Parse(line, CommitTurnRequest())


@contextmanager
def _server(data: Path, folder: Path) -> Iterator[str]:
    """Run a server on `data` with its socket and log in `folder`; gives its target, and stops it at the end."""
    target = f"unix:{folder / 'brain.sock'}"
    log = folder / "server.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [_binary(), "--data", str(data), "--listen", target],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    try:
        _wait_until_ready(target, process, log)
        yield target
    finally:
        process.terminate()
        try:
            process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _binary() -> str:
    """Find brain-server beside the running Python, else on the path."""
    found = shutil.which("brain-server", path=Path(sys.executable).parent) or shutil.which("brain-server")
    if found is None:
        raise click.ClickException("brain-server is not installed (pip install smartbrain-server)")
    return found


def _wait_until_ready(target: str, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + _START_SECONDS
    with Client(target, retries=0) as client:
        while True:
            try:
                client.status(timeout=5.0)
            except SmartBrainError as error:
                if process.poll() is not None or time.monotonic() > deadline:
                    said = log.read_text(encoding="utf-8", errors="replace").strip().splitlines() or [str(error)]
                    raise click.ClickException(f"brain-server did not start: {text.printable(said[-1])}") from error
                time.sleep(0.1)
            else:
                return
