"""What is to be forgotten for good: purge."""

import sys

import click

from smartbrain.cli import text
from smartbrain.cli.connection import Connection, pass_connection
from smartbrain.client import Client
from smartbrain.v1.brain_service_pb2 import DeleteMemoryResponse, DeleteSessionResponse, DeleteTurnResponse, Purged

_Answer = DeleteMemoryResponse | DeleteSessionResponse | DeleteTurnResponse


@click.command()
@click.option("--turn", "turn_id", metavar="TURN", default="", help="Purge this turn.")
@click.option("--session", "session_id", metavar="SESSION", default="", help="Purge this session.")
@click.option("--everything", is_flag=True, help="Purge all of the memory, which `brain --memory` must name.")
@click.option("--dry-run", is_flag=True, help="Say what would go, and purge nothing.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@text.as_text_or_json
@pass_connection
def purge(
    connection: Connection, *, turn_id: str, session_id: str, everything: bool, dry_run: bool, yes: bool, form: str
) -> None:
    """Take a turn, a session or a whole memory out for good, with all that was learned from it alone.

    Nothing of it is found any more when this ends; its bytes leave the files soon after (`brain status` says so).
    """
    if sum(map(bool, (turn_id, session_id, everything))) != 1:
        raise click.UsageError("give one of --turn TURN, --session SESSION and --everything")
    if everything and connection.memory is None:
        raise click.UsageError("--everything needs the name of the memory: brain --memory ID purge --everything")
    if not (yes or dry_run or sys.stdin.isatty()):
        raise click.UsageError("there is no terminal to ask at: give --yes")
    memory_id = connection.memory or "default"
    what = f"turn {turn_id}" if turn_id else f"session {session_id}" if session_id else "all"
    told = text.printable(f"{what} of memory {memory_id}")

    def delete(client: Client, *, validate_only: bool) -> _Answer:
        if turn_id:
            return client.delete_turn(turn_id, validate_only=validate_only)
        if session_id:
            return client.delete_session(session_id, validate_only=validate_only)
        return client.delete_memory(memory_id, validate_only=validate_only)

    with connection.client() as client:
        if not (yes or dry_run):
            would = delete(client, validate_only=True)
            click.confirm(f"Purge {told} for good: {_counts(would.purged)}?", abort=True)
        done = delete(client, validate_only=dry_run)
    if form == "json":
        click.echo(text.as_json(done))
    else:
        click.echo(f"{'would purge' if dry_run else 'purged'} {told}: {_counts(done.purged)}")


def _counts(purged: Purged) -> str:
    counted = [(field.name.replace("_", " "), number) for field, number in purged.ListFields()]
    return ", ".join(f"{number} {name}" for name, number in counted) or "nothing"
