"""Reading back what is stored: sessions, show."""

import click

from smartbrain.cli import text
from smartbrain.cli.connection import Connection, pass_connection
from smartbrain.cli.reasons import reasons
from smartbrain.render import render


@click.command()
@pass_connection
def sessions(connection: Connection) -> None:
    """List the sessions of the memory."""
    with connection.client() as client:
        for session in client.sessions():
            counts = f"{session.turn_count} turns, {session.message_count} messages"
            times = f"{text.time_text(session.started_at)} … {text.time_text(session.updated_at)}"
            click.echo(text.printable(f"{session.session_id}\t{counts}\t{times}"))


@click.command()
@click.argument("session", required=False)
@click.option("--context", "context_id", metavar="ID", help="Show a stored context and its reasons instead.")
@pass_connection
def show(connection: Connection, session: str | None, context_id: str | None) -> None:
    """Show the turns of SESSION, or a context as it was composed."""
    if (session is None) == (context_id is None):
        raise click.UsageError("give either SESSION or --context")
    with connection.client() as client:
        if session is not None:
            for turn in client.turns(session):
                text.show(text.turn(turn))
        if context_id is not None:
            stored = client.get_context(context_id)
            click.echo(text.printable(render(stored.context)))
            click.echo()
            text.show(reasons(stored.context))
