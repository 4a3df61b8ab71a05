"""What documents a memory has: documents, document, forget."""

import sys
from collections.abc import Iterable, Iterator

import click

from smartbrain.cli import text
from smartbrain.cli.connection import Connection, pass_connection
from smartbrain.v1.resource_service_pb2 import Document, DocumentSection, GetDocumentResponse, ListDocumentsResponse

_TITLE_COLUMNS = 40


@click.command()
@click.option("--prefix", metavar="URI", default="", help="Only documents whose addresses begin so.")
@click.option(
    "--tag", "tags", metavar="TAG", multiple=True, help="Only documents with this tag; repeat for any of more."
)
@text.as_text_or_json
@pass_connection
def documents(connection: Connection, *, prefix: str, tags: tuple[str, ...], form: str) -> None:
    """List the documents of the memory by id."""
    with connection.client() as client:
        found = list(client.list_documents(source_uri_prefix=prefix, tags=tags))
    if form == "json":
        click.echo(text.as_json(ListDocumentsResponse(documents=found)))
    elif found:
        heading = ("ID", "TITLE", "SECTIONS", "BYTES", "CHANGED", "TAGS", "ADDRESS")
        text.show(text.table(heading, [_row(one) for one in found]))
    else:
        click.echo("no documents")


@click.command()
@click.argument("name", metavar="ID_OR_URI")
@click.option("--text", "with_text", is_flag=True, help="Its text too, section by section.")
@text.as_text_or_json
@pass_connection
def document(connection: Connection, *, name: str, with_text: bool, form: str) -> None:
    """Show what is known of a document."""
    with connection.client() as client:
        found = client.get_document(name)
        sections: Iterable[DocumentSection] = client.document_sections(name) if with_text else ()
        if form == "json":
            whole = GetDocumentResponse(document=found.document, sections=sections, revision=found.revision)
            click.echo(text.as_json(whole))
            return
        text.show(_facts(found.document))
        text.show(line for section in sections for line in _lines(section))


@click.command()
@click.argument("name", metavar="ID_OR_URI")
@click.option("--purge", is_flag=True, help="Take the text of all documents that are out from the store now.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@pass_connection
def forget(connection: Connection, *, name: str, purge: bool, yes: bool) -> None:
    """Take a document out: the next search does not find it."""
    if not yes and not sys.stdin.isatty():
        raise click.UsageError("there is no terminal to ask at: give --yes")
    with connection.client() as client:
        found = client.get_document(name).document
        called = text.printable(f"{found.document_id} ({found.source_uri})")
        if not yes:
            click.confirm(f"Take out {called}, {found.sections} sections?", abort=True)
        gone = client.delete_document(found.document_id, purge=purge)
    click.echo(f"took out {called} at revision {gone.revision}")


def _row(one: Document) -> tuple[str, ...]:
    return (
        one.document_id,
        text.one_line(one.title, _TITLE_COLUMNS),
        str(one.sections),
        str(one.size_bytes),
        text.time_text(one.changed_at),
        ", ".join(one.tag_ids),
        one.source_uri,
    )


def _facts(one: Document) -> Iterator[str]:
    yield f"{one.document_id}: {one.title}"
    yield f"  {one.source_uri} ({one.source_type})"
    yield f"  {', '.join(part for part in (one.media_type, one.language, f'{one.size_bytes} bytes') if part)}"
    yield f"  {one.sections} sections, {one.chunks} chunks"
    yield f"  changed {text.time_text(one.changed_at)}, taken in {text.time_text(one.ingested_at)} at r{one.revision}"
    for name, labels in (("tags", one.tag_ids), ("topics", one.topic_ids)):
        if labels:
            yield f"  {name}: {', '.join(labels)}"
    yield f"  {one.summary}"


def _lines(section: DocumentSection) -> Iterator[str]:
    place = " › ".join(section.path) + (f" (page {section.page})" if section.page else "")
    yield ""
    yield f"[{section.section_id}] {place}".rstrip()
    yield section.text
