"""Reading back what is stored: memories, sessions, show."""

import click

from smartbrain.cli import text
from smartbrain.cli.connection import Connection, pass_connection
from smartbrain.cli.reasons import reasons
from smartbrain.render import render
from smartbrain.v1.brain_service_pb2 import (
    GetContextResponse,
    ListMemoriesResponse,
    ListSessionsResponse,
    ListTurnsResponse,
    Memory,
)


@click.command()
@click.option("--prefix", metavar="TEXT", default="", help="Only memories whose ids begin so.")
@click.option("--newest", is_flag=True, help="The last changed first, instead of by id.")
@text.as_text_or_json
@pass_connection
def memories(connection: Connection, *, prefix: str, newest: bool, form: str) -> None:
    """List the memories of the server by id: those that the token reaches, where it asks for one."""
    with connection.client() as client:
        found = list(client.memories(prefix=prefix))
    if newest:
        found.sort(key=lambda one: one.updated_at.ToNanoseconds(), reverse=True)
    if form == "json":
        click.echo(text.as_json(ListMemoriesResponse(memories=found)))
    elif found:
        heading = ("MEMORY", "SESSIONS", "MESSAGES", "ITEMS", "DOCUMENTS", "CHUNKS", "REV", "LAST CHANGED")
        text.show(text.table(heading, [_row(each) for each in found]))
    else:
        click.echo("no memories")


def _row(one: Memory) -> tuple[str, ...]:
    items = ", ".join(f"{each.count} {text.status_text(each.status)}" for each in one.items)
    counts = (str(count) for count in (one.documents, one.chunks, one.revision))
    return one.memory_id, str(one.sessions), str(one.messages), items or "0", *counts, text.time_text(one.updated_at)


@click.command()
@text.as_text_or_json
@pass_connection
def sessions(connection: Connection, form: str) -> None:
    """List the sessions of the memory."""
    with connection.client() as client:
        found = list(client.sessions())
    if form == "json":
        click.echo(text.as_json(ListSessionsResponse(sessions=found)))
    elif found:
        rows = [
            (
                each.session_id,
                str(each.turn_count),
                str(each.message_count),
                text.time_text(each.started_at),
                text.time_text(each.updated_at),
            )
            for each in found
        ]
        text.show(text.table(("SESSION", "TURNS", "MESSAGES", "FIRST SAID", "LAST COMMITTED"), rows))
    else:
        click.echo("no sessions")


@click.command()
@click.argument("session", required=False)
@click.option("--context", "context_id", metavar="ID", help="Show a stored context and its reasons instead.")
@text.as_text_or_json
@pass_connection
def show(connection: Connection, *, session: str | None, context_id: str | None, form: str) -> None:
    """Show the turns of SESSION, or a context as it was composed."""
    if (session is None) == (context_id is None):
        raise click.UsageError("give either SESSION or --context")
    with connection.client() as client:
        if context_id is not None:
            _show_context(client.get_context(context_id), form)
        elif session is not None and form == "json":
            click.echo(text.as_json(ListTurnsResponse(turns=client.turns(session))))
        elif session is not None:
            for turn in client.turns(session):
                text.show(text.turn(turn))


def _show_context(stored: GetContextResponse, form: str) -> None:
    if form == "json":
        click.echo(text.as_json(stored))
        return
    click.echo(text.printable(render(stored.context)))
    click.echo()
    text.show(reasons(stored.context))
