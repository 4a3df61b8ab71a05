"""Reading back what is stored: sessions, show."""

import click

from smartbrain.cli import text
from smartbrain.cli.connection import Connection, pass_connection
from smartbrain.cli.reasons import reasons
from smartbrain.render import render
from smartbrain.v1.brain_service_pb2 import GetContextResponse, ListSessionsResponse, ListTurnsResponse


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
