"""The two verbs and retrieval: commit, compose, retrieve."""

import json
import sys
from typing import IO

import click
from google.protobuf.json_format import ParseDict, ParseError

from smartbrain.chat import MessageLike, read_chat
from smartbrain.cli import text
from smartbrain.cli.connection import Connection, pass_connection
from smartbrain.cli.moment import as_of_option
from smartbrain.cli.reasons import reasons
from smartbrain.conversations import ROLES
from smartbrain.fields import exact, once
from smartbrain.render import render, render_messages
from smartbrain.requests import Moment
from smartbrain.v1.event_pb2 import TurnEvents
from smartbrain.v1.plan_pb2 import PlanBudget, PlanQuery, RetrievalPlan

_INT32 = click.IntRange(0, 2**31 - 1)
_MODES = ("exact", "semantic", "hybrid", "relational", "associative")


@click.command()
@click.argument("session")
@click.argument("standard_input", metavar="[-]", type=click.Choice(["-"]), required=False)
@click.option("--role", type=click.Choice(sorted(ROLES)), default="user", show_default=True, help="Who speaks.")
@click.option("--speaker", metavar="NAME", help="Name of the one who speaks.")
@click.option("--message", "messages", metavar="TEXT", multiple=True, help="What was said; repeat for more.")
@click.option(
    "--json", "events", metavar="FILE", type=click.File(encoding="utf-8-sig"), help="TurnEvents or a list of messages."
)
@click.option("--request-id", metavar="ID", help="Makes a repeated commit a single one.")
@pass_connection
def commit(  # noqa: PLR0913 - one parameter per option
    connection: Connection,
    *,
    session: str,
    standard_input: str | None,
    role: str,
    speaker: str | None,
    messages: tuple[str, ...],
    events: IO[str] | None,
    request_id: str | None,
) -> None:
    """Commit one turn to SESSION: --message texts, standard input (-), or the events of a --json file."""
    if [bool(messages), bool(standard_input), events is not None].count(True) != 1:
        raise click.UsageError("give either --message, or - for standard input, or --json")
    turn: list[MessageLike] | TurnEvents
    if events is not None:
        turn = _events(events)
    else:
        said = messages or (sys.stdin.read().removeprefix("\ufeff").rstrip("\n"),)
        turn = [{"role": role, "speaker": speaker or "", "content": content} for content in said]
    with connection.client() as client:
        response = client.commit(session, turn, request_id=request_id)
    for piece in read_chat(turn).left_out if isinstance(turn, list) else ():
        click.echo(f"left out: {piece.field} (reasoning is not committed)", err=True)
    text.show(text.committed(response))


@click.command()
@click.argument("session")
@click.argument("message")
@click.option(
    "--format", "form", type=click.Choice(["text", "json", "messages"]), default="text", show_default=True,
    help="Prompt text, the whole package, or chat messages.",
)  # fmt: skip
@click.option("--token-limit", metavar="N", type=_INT32, default=0, help="Most tokens.  [default: the server's]")
@click.option("--why", is_flag=True, help="Also say why each piece is in or not (format text).")
@as_of_option
@pass_connection
def compose(
    connection: Connection,
    *,
    session: str,
    message: str,
    form: str,
    token_limit: int,
    why: bool,
    as_of: Moment | None,
) -> None:
    """Compose what to put before the model when the user says MESSAGE in SESSION."""
    with connection.client() as client:
        context = client.compose(session, message, token_limit=token_limit, as_of=as_of).context
    if form == "json":
        click.echo(text.as_json(context))
    elif form == "messages":
        click.echo(json.dumps(render_messages(context), ensure_ascii=False, indent=2))
    else:
        click.echo(text.printable(render(context)))
        if why:
            click.echo()
            text.show(reasons(context))


@click.command()
@click.argument("query")
@click.option("--mode", type=click.Choice(_MODES), default="hybrid", show_default=True, help="How to look.")
@click.option("--top-k", metavar="N", type=_INT32, default=0, help="Most evidences.  [default: the server's]")
@as_of_option
@text.as_text_or_json
@pass_connection
def retrieve(connection: Connection, *, query: str, mode: str, top_k: int, as_of: Moment | None, form: str) -> None:
    """Find the evidences for QUERY."""
    plan = RetrievalPlan(queries=[PlanQuery(text=query, mode=mode)], budget=PlanBudget(top_k=top_k))
    with connection.client() as client:
        found = client.retrieve(plan, as_of=as_of)
    if form == "json":
        click.echo(text.as_json(found))
    else:
        text.show(text.evidences(found.pack))


def _events(file: IO[str]) -> list[MessageLike] | TurnEvents:
    try:
        parsed = json.load(file, object_pairs_hook=once)
        return parsed if isinstance(parsed, list) else ParseDict(exact(TurnEvents.DESCRIPTOR, parsed), TurnEvents())
    except (TypeError, AttributeError, ValueError, ParseError, RecursionError) as error:
        said = " ".join(str(error).split())
        raise click.ClickException(f"{file.name} does not hold a turn: {said}") from error
