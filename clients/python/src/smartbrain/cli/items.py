"""What is believed, what was believed, and why: items, history, diff, rollback, explain."""

import click

from smartbrain.cli import text
from smartbrain.cli.connection import Connection, pass_connection
from smartbrain.cli.moment import as_of_option
from smartbrain.client import Client
from smartbrain.requests import Moment
from smartbrain.v1.item_pb2 import ItemStatus, MemoryItem
from smartbrain.v1.memory_service_pb2 import FieldChange, GetItemHistoryResponse, ListItemsResponse

_STATUSES = {text.status_text(status): status for status in ItemStatus.values() if status}
_MOST_VERSION = 2**31 - 1
_TEXT_COLUMNS = 72


@click.command()
@click.option("--type", "types", metavar="TYPE", multiple=True, help="Only items of this type; repeat for more.")
@click.option(
    "--status",
    "statuses",
    type=click.Choice([*_STATUSES, "all"]),
    multiple=True,
    help="Only items of this status; repeat for more.  [default: active, deprecated]",
)
@click.option("--prefix", metavar="TEXT", default="", help="Only items whose keys begin so.")
@click.option("--session", metavar="SESSION", default="", help="Only items learned in this session.")
@as_of_option
@text.as_text_or_json
@pass_connection
def items(
    connection: Connection,
    *,
    types: tuple[str, ...],
    statuses: tuple[str, ...],
    prefix: str,
    session: str,
    as_of: Moment | None,
    form: str,
) -> None:
    """List what is remembered, by type and key."""
    wanted = list(_STATUSES) if "all" in statuses else statuses
    with connection.client() as client:
        found = list(
            client.list_items(
                types=types,
                statuses=[_STATUSES[status] for status in wanted],
                key_prefix=prefix,
                session_id=session,
                as_of=as_of,
            )
        )
    if form == "json":
        click.echo(text.as_json(ListItemsResponse(items=found)))
    elif found:
        heading = ("TYPE", "KEY", "V", "STATUS", "CONF", "UPDATED", "TEXT")
        text.show(text.table(heading, [(item.type, item.key, *_facts(item)) for item in found]))
    else:
        click.echo("no items")


@click.command()
@click.argument("item", metavar="[TYPE] KEY", nargs=-1, required=True)
@text.as_text_or_json
@pass_connection
def history(connection: Connection, item: tuple[str, ...], form: str) -> None:
    """List every version of the item KEY. TYPE is needed only where two types share the key."""
    with connection.client() as client:
        slot, _ = _slot(client, item, 0)
        versions = list(client.item_history(*slot))
    if form == "json":
        click.echo(text.as_json(GetItemHistoryResponse(versions=versions)))
        return
    heading = ("REV", "V", "STATUS", "CONF", "UPDATED", "TEXT")
    text.show(text.table(heading, [(str(version.revision or "-"), *_facts(version)) for version in versions]))


@click.command()
@click.argument("item", metavar="[TYPE] KEY [FROM TO]", nargs=-1, required=True)
@text.as_text_or_json
@pass_connection
def diff(connection: Connection, item: tuple[str, ...], form: str) -> None:
    """Say what changed in the item KEY between versions FROM and TO, by default from the last but one to the last."""
    with connection.client() as client:
        slot, versions = _slot(client, item, 2 if len(item) > 2 else 0)
        start, stop = versions or (0, 0)
        found = client.diff_item(*slot, from_version=start, to_version=stop)
    if form == "json":
        click.echo(text.as_json(found))
        return
    click.echo(text.printable(f"{' '.join(slot)}: version {found.from_version} to {found.to_version}"))
    text.show(_change(change) for change in found.changes)
    if not found.changes:
        click.echo("  no difference")


@click.command()
@click.argument("item", metavar="[TYPE] KEY VERSION", nargs=-1, required=True)
@click.option("--request-id", metavar="ID", help="Makes a repeated rollback a single one.")
@text.as_text_or_json
@pass_connection
def rollback(connection: Connection, item: tuple[str, ...], request_id: str | None, form: str) -> None:
    """Make the value that the item KEY had at VERSION hold again, as a new version; the others stay."""
    with connection.client() as client:
        slot, (version,) = _slot(client, item, 1)
        done = client.rollback_item(*slot, version, request_id=request_id)
    if form == "json":
        click.echo(text.as_json(done))
        return
    new = done.item
    told = (
        f"{new.type} {new.key}: version {new.version} holds the value of version {version} at revision {done.revision}"
    )
    text.show([told, *(f"  {line}" for line in _body(new).splitlines())])


@click.command()
@click.argument("commit_id", metavar="COMMIT")
@text.as_text_or_json
@pass_connection
def explain(connection: Connection, commit_id: str, form: str) -> None:
    """Say what COMMIT (its id, as `brain commit` gave it) made of its turn, and why."""
    with connection.client() as client:
        found = client.get_commit(commit_id)
    if form == "json":
        click.echo(text.as_json(found))
        return
    text.show(text.explained(found))


def _slot(client: Client, words: tuple[str, ...], numbers: int) -> tuple[tuple[str, str], list[int]]:
    """Give (type, key) and the versions of `[TYPE] KEY` and so many numbers. Raises UsageError if words do not fit."""
    named, versions = words[: len(words) - numbers], words[len(words) - numbers :]
    if len(named) not in {1, 2}:
        raise click.UsageError("give KEY, or TYPE and KEY" + (", then the versions" if numbers else ""))
    counted = [_version(word) for word in versions]
    if len(named) == 2 and ":" in named[0] and named[1].isdecimal():  # no type has a colon
        raise click.UsageError(f"{named[1]} is one version: give FROM and TO, or neither")
    return (named[0], named[1]) if len(named) == 2 else _found(client, named[0]), counted


def _version(word: str) -> int:
    if not word.isdecimal() or not 1 <= int(word) <= _MOST_VERSION:
        raise click.UsageError(f"{word!r} is no version: they are counted from 1")
    return int(word)


def _found(client: Client, key: str) -> tuple[str, str]:
    """Give (type, key) of the one item of this key, whatever its status."""
    types = [
        item.type for item in client.list_items(key_prefix=key, statuses=list(_STATUSES.values())) if item.key == key
    ]
    if not types:
        raise click.ClickException(text.printable(f"{key}: no item has this key (brain items lists those there are)"))
    if len(types) > 1:
        several = f"items of several types have it: {', '.join(types)}; name the type before it"
        raise click.ClickException(text.printable(f"{key}: {several}"))
    return types[0], key


def _facts(item: MemoryItem) -> tuple[str, ...]:
    """Give version, status, confidence, time and text of an item as cells of a table."""
    return (
        str(item.version),
        text.status_text(item.status),
        f"{item.confidence:.2f}",
        text.time_text(item.updated_at),
        text.one_line(_body(item), _TEXT_COLUMNS),
    )


def _body(item: MemoryItem) -> str:
    """Give the text of an item without its first line, which says type and key; of a purged version, when that was."""
    if item.HasField("purged_at") and not item.text:
        return f"(purged {text.time_text(item.purged_at)})"
    return item.text.partition("\n")[2] or item.text


def _change(change: FieldChange) -> str:
    old = text.value_text(change.old_value) if change.HasField("old_value") else "(none)"
    new = text.value_text(change.new_value) if change.HasField("new_value") else "(none)"
    return f"  {change.field}: {old} → {new}"
