"""For the operator: status, metrics, doctor."""

import sys
from collections.abc import Iterable

import click

from smartbrain.cli import text
from smartbrain.cli.connection import Connection, pass_connection
from smartbrain.client import Client
from smartbrain.errors import DataLoss


@click.command()
@text.as_text_or_json
@pass_connection
def status(connection: Connection, form: str) -> None:
    """Say what the server is and holds."""
    with connection.client() as client:
        now = client.status()
    if form == "json":
        click.echo(text.as_json(now))
        return
    click.echo(f"brain-server {now.version} at {connection.server}, up {now.uptime_seconds:.0f} s")
    click.echo(f"store format {now.store_format}, durability {now.durability}")
    click.echo(f"embedder {now.embedder}, {now.dimension} dimensions")
    click.echo(f"{now.memories} memories, {now.memories_loaded} loaded in {now.index_bytes / 2**20:.1f} MiB")
    if now.chunks_to_refine:
        why = f": {now.refine_problem}" if now.refine_problem else ""
        click.echo(text.printable(f"{now.chunks_to_refine} chunks wait for their lasting vectors{why}"))
    if now.turns_to_learn:
        why = f": {now.learn_problem}" if now.learn_problem else ""
        click.echo(text.printable(f"{now.turns_to_learn} turns wait for the language model{why}"))
    if now.turns_to_follow or now.follow_problem:
        why = f": {now.follow_problem}" if now.follow_problem else ""
        told = f"{now.turns_to_follow} turns wait for the files they refer to, {now.refs_skipped} files were skipped"
        click.echo(text.printable(f"{told}{why}"))
    if now.purges_to_erase:
        why = f": {now.erase_problem}" if now.erase_problem else ""
        click.echo(text.printable(f"{now.purges_to_erase} purges have not left the files yet{why}"))
    text.show(text.executors(now.executors))
    if now.HasField("planner"):
        text.show(text.executors([now.planner], "llm planner"))


@click.command()
@pass_connection
def metrics(connection: Connection) -> None:
    """Print what the server has counted since its start, as a monitoring system reads it (OpenMetrics)."""
    with connection.client() as client:
        click.echo(client.metrics(), nl=False)


@click.command()
@click.option("--rebuild", is_flag=True, help="Make the index of every memory with problems anew, then check again.")
@pass_connection
def doctor(connection: Connection, rebuild: bool) -> None:
    """Check store and index of every memory, or of the one named by `brain --memory`. Exit code 1 on problems."""
    with connection.client() as client:
        unsound = _check(client, [connection.memory or ""])
        if unsound and (rebuild or _wanted(unsound)):
            for memory in filter(None, unsound):
                _rebuild(client, memory)
            unsound = _check(client, unsound)
    if unsound:
        raise click.ClickException(
            f"problems in {len(unsound)} of the memories (see above; --rebuild mends an index, a backup the store)"
        )


def _rebuild(client: Client, memory: str) -> None:
    try:
        for done in text.with_progress(client.rebuild_index(memory), "rebuilding"):
            click.echo(text.printable(f"{done.memory_id}: {done.chunks} chunks at revision {done.revision}"))
    except DataLoss as error:
        click.echo(text.printable(f"{memory}: its index cannot be made anew: {error}"), err=True)


def _check(client: Client, memories: Iterable[str]) -> list[str]:
    """Print what is wrong, and give the memories in which something is; an empty id stands for all."""
    unsound = []
    checked = turns = chunks = 0
    for memory in memories:
        for found in list(text.with_progress(client.verify(memory), "checking")):
            checked, turns, chunks = checked + 1, turns + found.turns, chunks + found.chunks
            text.show(f"{found.memory_id or 'store'}: {problem}" for problem in found.problems)
            text.show(f"{found.memory_id}: note: {note}" for note in found.notes)
            if found.problems:
                unsound.append(found.memory_id)
    click.echo(f"{checked} memories checked: {turns} turns, {chunks} chunks; {len(unsound)} with problems")
    return unsound


def _wanted(unsound: list[str]) -> bool:
    return sys.stdin.isatty() and click.confirm(f"Make {len(unsound)} indexes anew?")
