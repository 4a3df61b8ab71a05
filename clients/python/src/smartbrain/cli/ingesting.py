"""Taking in documents: ingest."""

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import click

from smartbrain.cli import text
from smartbrain.cli.connection import Connection, pass_connection
from smartbrain.cli.files import Folder, Found, Wanted, single
from smartbrain.client import Client
from smartbrain.errors import AlreadyExists, Internal, InvalidArgument, NotFound, ResourceExhausted
from smartbrain.uploads import PART_BYTES, Source
from smartbrain.v1.resource_service_pb2 import IngestDocumentResponse

_NOT_TAKEN = (InvalidArgument, AlreadyExists, ResourceExhausted, Internal, OSError, UnicodeError)
"""Failures of one document, after which the next may do."""

_Ingest = Callable[[], IngestDocumentResponse]


@dataclass(frozen=True, slots=True)
class _Labels:
    """What is said of every document."""

    tags: Sequence[str]
    topics: Sequence[str]
    title: str
    media_type: str


@dataclass(slots=True)
class _Report:
    """What became of the documents, told as it happens."""

    as_json: bool
    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(("created", "replaced", "unchanged"), 0))
    skipped: int = 0
    deleted: int = 0
    left_out: int = 0

    def done(self, name: str, response: IngestDocumentResponse) -> None:
        """Tell of a document that was taken in."""
        document = response.document
        self.counts[response.outcome] += 1
        self._tell(
            path=name,
            source_uri=document.source_uri,
            outcome=response.outcome,
            document_id=document.document_id,
            sections=document.sections,
            chunks=document.chunks,
            warnings=list(response.warnings),
        )
        if not self.as_json:
            for warning in response.warnings:
                click.echo(text.printable(f"{name}: warning: {warning}"), err=True)

    def skip(self, name: str, why: Exception, standing: str = "") -> None:
        """Tell of a document that was not taken in. standing: when the version that is still found was, "" for none."""
        self.skipped += 1
        reason = " ".join(str(why).split())
        if standing:
            reason += f"; its earlier version of {standing} still stands"
        self._tell(path=name, outcome="skipped", reason=reason)
        if not self.as_json:
            click.echo(text.printable(f"{name}: {reason}"), err=True)

    def gone(self, uri: str) -> None:
        """Tell of a document that was taken out."""
        self.deleted += 1
        self._tell(source_uri=uri, outcome="deleted")

    def end(self) -> None:
        """Tell how many of each there were."""
        counts = {**self.counts, "skipped": self.skipped}
        if self.deleted:
            counts["deleted"] = self.deleted
        if self.as_json:
            click.echo(json.dumps({**counts, "left_out": self.left_out}))
            return
        left_out = f"; {self.left_out} left out (hidden, binary, links or not asked for)" if self.left_out else ""
        click.echo(", ".join(f"{name} {count}" for name, count in counts.items()) + left_out)

    def _tell(self, **facts: object) -> None:
        if self.as_json:
            click.echo(json.dumps(facts, ensure_ascii=False))


@click.command()
@click.argument("paths", metavar="PATH… | -", nargs=-1, required=True, type=click.Path(exists=True, allow_dash=True))
@click.option("--include", metavar="GLOB", multiple=True, help="Of a folder, only these files, hidden and binary too.")
@click.option("--exclude", metavar="GLOB", multiple=True, help="Of a folder, not these files and folders.")
@click.option("--tag", "tags", metavar="TAG", multiple=True, help="A label that searches can ask for; repeat for more.")
@click.option("--topic", "topics", metavar="TOPIC", multiple=True, help="Likewise.")
@click.option("--title", metavar="TEXT", default="", help="Title of the one document.  [default: what it says]")
@click.option("--uri-prefix", metavar="URI", default="", help="Address of the one PATH's files.  [default: file://…]")
@click.option("--uri", metavar="URI", default="", help="Address of the one document.")
@click.option("--id", "document_id", metavar="ID", default="", help="Id of the one document.")
@click.option("--media-type", metavar="TYPE", default="", help="Such as text/markdown.  [default: told from each]")
@click.option(
    "--charset", metavar="NAME", default="", help="Such as gbk.  [default: UTF-8, else guessed with a warning]"
)
@click.option("--follow-symlinks", is_flag=True, help="Of a folder, also what links lead to.")
@click.option("--delete-missing", is_flag=True, help="Take out the documents of a folder whose file is gone.")
@click.option("--json", "as_json", is_flag=True, help="One line of JSON for each document, and one of counts.")
@pass_connection
def ingest(  # noqa: PLR0913 - one parameter per option
    connection: Connection,
    *,
    paths: tuple[str, ...],
    include: tuple[str, ...],
    exclude: tuple[str, ...],
    tags: tuple[str, ...],
    topics: tuple[str, ...],
    title: str,
    uri_prefix: str,
    uri: str,
    document_id: str,
    media_type: str,
    charset: str,
    follow_symlinks: bool,
    delete_missing: bool,
    as_json: bool,
) -> None:
    """Take in documents: files, all files of folders, or standard input (-, with --uri or --id).

    Of a folder, what is hidden, node_modules, __pycache__, and binary by its extension is left out unless it is named.
    What was taken in before is replaced, or unchanged. A file that cannot be taken in is reported and the rest goes on;
    the exit code is 1 then.
    """
    folders = [Folder(Path(path), uri_prefix) for path in paths if path != "-" and Path(path).is_dir()]
    is_one = len(paths) == 1 and not folders
    _check_usage(paths, named={"--title": title, "--uri": uri, "--id": document_id}, is_one=is_one)
    if uri_prefix and (len(paths) > 1 or "-" in paths):
        raise click.UsageError("--uri-prefix goes with one PATH")
    if delete_missing and not folders:
        raise click.UsageError("--delete-missing goes with a folder")
    report, labels = _Report(as_json), _Labels(tags, topics, title, _with_charset(media_type, charset))
    with connection.client() as client:
        work: list[tuple[str, str, _Ingest]]
        if is_one and (uri or document_id):
            work = [(paths[0], document_id or uri, partial(_send, client, labels, _source(paths[0]), uri, document_id))]
        else:
            wanted = Wanted(include, exclude, follow_symlinks)
            found = _found(paths, uri_prefix, wanted, report)
            work = [(str(each.path), each.uri, partial(_send, client, labels, each.path, each.uri)) for each in found]
        try:
            _carry_out(client, work, report)
            if delete_missing:
                for folder in folders:
                    _delete_missing(client, folder, report, follow_symlinks=follow_symlinks)
        finally:
            report.end()  # however it ends: what was done stays
    if report.skipped:
        raise click.ClickException(f"{report.skipped} documents could not be taken in (see above)")


def _check_usage(paths: Sequence[str], named: dict[str, str], is_one: bool) -> None:
    given = [option for option, value in named.items() if value]
    if given and not is_one:
        raise click.UsageError(f"{given[0]} goes with one document")
    if "-" in paths and not (is_one and {"--uri", "--id"} & set(given)):
        raise click.UsageError("- goes by itself and needs --uri or --id")


def _with_charset(media_type: str, charset: str) -> str:
    return f"{media_type}; charset={charset}" if charset else media_type


def _source(path: str) -> Source:
    if path != "-":
        return Path(path)
    return iter(partial(sys.stdin.buffer.read, PART_BYTES), b"")


def _found(paths: Sequence[str], uri_prefix: str, wanted: Wanted, report: _Report) -> list[Found]:
    """Return the files that paths stand for, each address once."""
    found: dict[str, Found] = {}
    for path in map(Path, paths):
        files, left_out = [single(path, uri_prefix)], 0
        if path.is_dir():
            files, left_out = Folder(path, uri_prefix).files(wanted, lambda error: report.skip(error.filename, error))
        report.left_out += left_out
        for each in files:
            found.setdefault(each.uri, each)
    return list(found.values())


def _send(
    client: Client, labels: _Labels, source: Source, source_uri: str, document_id: str = ""
) -> IngestDocumentResponse:
    return client.ingest(
        source,
        source_uri=source_uri,
        document_id=document_id,
        title=labels.title,
        media_type=labels.media_type,
        tags=labels.tags,
        topics=labels.topics,
    )


def _carry_out(client: Client, work: Sequence[tuple[str, str, _Ingest]], report: _Report) -> None:
    """Take in documents one after the other: two at a time were no faster, for the server takes one per memory."""
    with text.progress_if_slow("ingesting") as progress:
        for number, (name, address, send) in enumerate(work, start=1):
            try:
                report.done(name, send())
            except _NOT_TAKEN as error:
                report.skip(name, error, _standing(client, address))
            progress(number, len(work))


def _standing(client: Client, address: str) -> str:
    """Return when the document of an address or id was last changed, "" where there is none."""
    try:
        return text.time_text(client.get_document(address).document.changed_at)
    except (NotFound, InvalidArgument):
        return ""


def _delete_missing(client: Client, folder: Folder, report: _Report, *, follow_symlinks: bool) -> None:
    try:
        gone = [
            document
            for document in client.list_documents(source_uri_prefix=f"{folder.prefix}/")
            if folder.is_gone(document.source_uri, follow_symlinks=follow_symlinks)
        ]
    except NotFound:
        return  # nothing was ever taken in
    for document in gone:
        client.delete_document(document.document_id)
        report.gone(document.source_uri)
