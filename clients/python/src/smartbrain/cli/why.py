"""Stored contexts: which there are, why one is as it is, and what would differ today."""

from itertools import islice

import click

from smartbrain.cli import text
from smartbrain.cli.connection import Connection, pass_connection
from smartbrain.cli.reasons import differences, question, reasons
from smartbrain.client import Client
from smartbrain.v1.brain_service_pb2 import ListContextsResponse

_MESSAGE_COLUMNS = 60


@click.command()
@click.option("--limit", metavar="N", type=click.IntRange(1), default=20, show_default=True, help="Most to list.")
@text.as_text_or_json
@pass_connection
def contexts(connection: Connection, *, limit: int, form: str) -> None:
    """List the stored contexts of the memory, newest first."""
    with connection.client() as client:
        found = list(islice(client.contexts(page_size=min(limit, 100)), limit))
    if form == "json":
        click.echo(text.as_json(ListContextsResponse(contexts=found)))
    elif found:
        rows = [
            (
                each.context_id,
                text.time_text(each.created_at),
                str(each.revision),
                f"{each.tokens_used}/{each.token_limit}",
                each.session_id,
                text.one_line(each.user_message, _MESSAGE_COLUMNS),
            )
            for each in found
        ]
        text.show(text.table(("CONTEXT", "COMPOSED", "REV", "TOKENS", "SESSION", "QUESTION"), rows))
    else:
        click.echo("no contexts")


@click.command()
@click.argument("context_id", metavar="[CONTEXT]", required=False)
@click.option("--replay", is_flag=True, help="Compose it again and say what differs today instead.")
@text.as_text_or_json
@pass_connection
def why(connection: Connection, *, context_id: str | None, replay: bool, form: str) -> None:
    """Say why CONTEXT, by default the newest of the memory, has what it has: plan, pieces, drops, tokens, timings."""
    with connection.client() as client:
        wanted = _newest(client) if context_id is None else context_id
        stored = client.get_context(wanted)
        again = client.replay(wanted) if replay else None
    if form == "json":
        click.echo(text.as_json(again or stored))
        return
    text.show(question(stored.context))
    text.show(reasons(stored.context) if again is None else differences(again))


def _newest(client: Client) -> str:
    for context in client.contexts(page_size=1):
        return context.context_id
    raise click.ClickException("this memory keeps no context yet (policies.observability.store_contexts keeps them)")
