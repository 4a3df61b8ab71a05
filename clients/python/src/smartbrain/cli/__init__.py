"""The `brain` command line: one module per group of commands, joined here.

Exit codes: 0 done, 1 failed (one line on standard error says why), 2 the command line itself was wrong.
"""

import io
import sys
from typing import Any
from zoneinfo import ZoneInfo

import click

from smartbrain.cli.backups import backup, restore
from smartbrain.cli.care import doctor, metrics, status
from smartbrain.cli.connection import Connection, access_options, named, timezone_option
from smartbrain.cli.demo import demo
from smartbrain.cli.documents import document, documents, forget
from smartbrain.cli.failures import FailingPlainly
from smartbrain.cli.importing import import_conversations
from smartbrain.cli.ingesting import ingest
from smartbrain.cli.items import diff, explain, history, items, rollback
from smartbrain.cli.look import memories, sessions, show
from smartbrain.cli.purging import purge
from smartbrain.cli.talk import commit, compose, retrieve
from smartbrain.cli.why import contexts, why


@click.group(cls=FailingPlainly, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--server",
    metavar="TARGET",
    envvar="SMARTBRAIN_SERVER",
    default="127.0.0.1:7700",
    show_default=True,
    show_envvar=True,
    help="Where the server listens: HOST:PORT or unix:/PATH.",
)
@click.option("--memory", metavar="ID", callback=named, help="Whose memory.  [default: default]")
@timezone_option
@access_options
@click.version_option(package_name="smartbrain", prog_name="brain")
@click.pass_context
def brain(context: click.Context, /, server: str, memory: str | None, timezone: ZoneInfo | None, **access: Any) -> None:  # noqa: ANN401
    """Talk to a SmartBrain server: commit turns, compose contexts, look at what is remembered."""
    context.obj = Connection(server, memory, timezone, **access)


for command in (
    *(commit, compose, retrieve, import_conversations),
    *(ingest, documents, document, forget, purge),
    *(memories, sessions, show, explain, contexts, why),
    *(items, history, diff, rollback),
    *(status, metrics, doctor, backup, restore, demo),
):
    brain.add_command(command)


def main() -> None:
    """Run the command line of this process; ends it with the exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal without Chinese must not end the run
    brain()
