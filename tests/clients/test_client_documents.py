"""Documents in both clients: every sort of source, in little memory, and what is raised."""

from __future__ import annotations

import asyncio
import datetime as dt
import os
import tempfile
import tracemalloc
from collections.abc import AsyncIterator, Awaitable, Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from smartbrain import AsyncClient, Client, InvalidArgument, NotFound
from smartbrain.uploads import PART_BYTES

from tests.serving import Server, start_server

TEXT = "# Harbour\n\nThe harbour crane is called Zebedee.\n\n# 茶\n\n龙井茶要用八十度的水冲泡。\n"


def text_of(client: Client, name: str) -> str:
    return "\n".join(section.text for section in client.document_sections(name))


def test_a_file_has_its_address_and_its_time(client: Client, tmp_path: Path) -> None:
    file = tmp_path / "港 口.md"
    file.write_text(TEXT, "utf-8")
    os.utime(file, (1_700_000_000, 1_700_000_000.5))
    answer = client.ingest(file, tags=["海"], topics=["port"], language="en")
    assert answer.outcome == "created"
    document = client.get_document(file.as_uri()).document
    assert document == answer.document
    assert document.source_uri == file.as_uri()
    assert document.source_type == "file"
    assert document.changed_at.ToDatetime(dt.UTC) == dt.datetime.fromtimestamp(1_700_000_000.5, dt.UTC)
    assert next(iter(document.tag_ids)) == "海"
    assert list(document.topic_ids) == ["port"]
    found = client.retrieve("What is the crane called?").pack.evidences[0]
    assert "Zebedee" in found.snippet
    assert found.source_uri == file.as_uri()
    assert "八十度" in client.retrieve("龙井茶用多热的水？").pack.evidences[0].snippet
    assert client.ingest(file, tags=["海"], topics=["port"], language="en").outcome == "unchanged"


def test_all_sources_give_the_same_document(client: Client, tmp_path: Path) -> None:
    file = tmp_path / "a.md"
    file.write_text(TEXT, "utf-8")
    raw = TEXT.encode()
    parts = [raw[at : at + 7] for at in range(0, len(raw), 7)]
    sources: list[Any] = [file, TEXT, raw, parts, iter(parts)]
    answers = [client.ingest(source, source_uri=f"test:{number}.md") for number, source in enumerate(sources)]
    assert {answer.document.content_hash for answer in answers} == {answers[0].document.content_hash}
    assert {answer.document.size_bytes for answer in answers} == {len(raw)}
    assert "Zebedee" in text_of(client, "test:4.md")
    assert "八十度" in text_of(client, answers[0].document.document_id)


def test_fields_of_the_header_are_sent(client: Client) -> None:
    at = dt.datetime(2024, 5, 8, 13, 56, tzinfo=dt.timezone(dt.timedelta(hours=8)))
    document = client.ingest(
        TEXT, document_id="notes", source_type="manual", title="笔记", media_type="text/markdown", changed_at=at
    ).document
    assert (document.document_id, document.source_type, document.title) == ("notes", "manual", "笔记")
    assert document.media_type == "text/markdown"
    assert document.changed_at.ToDatetime(dt.UTC) == at
    assert document.source_uri.startswith("smartbrain://")


def test_validate_only_writes_nothing(client: Client) -> None:
    client.ingest("First.", document_id="first")
    answer = client.ingest(TEXT, document_id="second", validate_only=True)
    assert answer.outcome == "created"
    assert [document.document_id for document in client.list_documents()] == ["first"]


def test_documents_are_listed_by_page_prefix_and_tag(client: Client) -> None:
    for number in range(7):
        client.ingest(
            f"Text {number}.", source_uri=f"test:{number % 2}/{number}", tags=["偶"] if number % 2 == 0 else []
        )
    assert len(list(client.list_documents(page_size=2))) == 7
    assert len(list(client.list_documents(source_uri_prefix="test:1/"))) == 3
    assert len(list(client.list_documents(tags=["偶"]))) == 4
    assert list(client.list_documents(tags=["odd"])) == []


def test_a_deleted_document_is_not_found(client: Client) -> None:
    client.ingest(TEXT, source_uri="test:a.md")
    client.ingest("Something else.", source_uri="test:b.md")
    gone = client.delete_document("test:a.md", purge=True, request_id="r-1")
    assert gone.document.source_uri == "test:a.md"
    assert client.delete_document("test:a.md", purge=True, request_id="r-1").revision == gone.revision
    with pytest.raises(NotFound):
        client.get_document("test:a.md")
    assert not [one for one in client.retrieve("Zebedee").pack.evidences if "Zebedee" in one.snippet]


def test_what_is_refused_says_why(client: Client, tmp_path: Path) -> None:
    for source, options, field in (
        (TEXT, {}, "source"),
        (TEXT.encode(), {}, "header.document_id"),
        (TEXT, {"source_uri": "no scheme"}, "header.source_uri"),
        (TEXT, {"document_id": "a", "tags": "tag"}, "tags"),
        (TEXT, {"document_id": "a", "changed_at": dt.datetime(2024, 1, 1)}, "changed_at"),
        (7, {"document_id": "a"}, "source"),
        (["text"], {"document_id": "a"}, "source"),
    ):
        with pytest.raises(InvalidArgument) as refused:
            client.ingest(cast("Any", source), **cast("Any", options))
        assert refused.value.field == field
    with pytest.raises(FileNotFoundError):
        client.ingest(tmp_path / "nothing.md")


def test_a_refusal_that_meets_a_message_under_way_is_the_servers(server: Server) -> None:
    """grpc.aio put an INTERNAL of its own over about one refusal of a hundred."""

    async def refused() -> list[BaseException]:
        async with AsyncClient(server.target, memory_id="refused") as client:
            return [await _raised_by(client.ingest(TEXT, source_uri="no scheme")) for _ in range(300)]

    assert {type(one) for one in asyncio.run(refused())} == {InvalidArgument}


async def _raised_by(ingest: Awaitable[object]) -> BaseException:
    with pytest.raises(Exception, match=r"\S") as raised:
        await ingest
    return raised.value


@pytest.mark.parametrize("kind", [KeyError, SystemExit])
def test_what_the_source_raises_is_raised_and_nothing_is_taken_in(client: Client, kind: type[BaseException]) -> None:
    def breaks() -> Iterator[bytes]:
        yield b"The harbour crane "
        raise kind("the disk is gone")

    client.ingest("Before.", document_id="before")
    with pytest.raises(kind, match="the disk is gone"):
        client.ingest(breaks(), document_id="after", timeout=20.0)
    assert [document.document_id for document in client.list_documents()] == ["before"]


LARGE = 30 << 20


@pytest.fixture(scope="module")
def narrow() -> Iterator[Server]:
    """Give a server that takes what is a byte short of LARGE, so that nobody has to read what all of is sent."""
    with tempfile.TemporaryDirectory(prefix="brain-", ignore_cleanup_errors=True) as name:
        running = start_server(Path(name), config=f"limits: {{document_bytes: {LARGE - 1}}}")
        yield running
        assert running.terminate() == 0


@pytest.mark.parametrize("kind", ["file", "parts"])
def test_a_large_document_goes_up_in_little_memory(
    narrow: Server, open_client: type[Client], tmp_path: Path, kind: str
) -> None:
    def parts() -> Iterator[bytes]:
        for _ in range(LARGE >> 14):
            yield b"harbour crane..." * 1024

    source: Any = parts()
    if kind == "file":
        source = tmp_path / "large.txt"
        with source.open("wb") as file:
            file.writelines(parts())
    with open_client(narrow.target, memory_id="m") as client:
        tracemalloc.start()
        try:
            with pytest.raises(InvalidArgument) as refused:
                client.ingest(source, document_id="large")
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert refused.value.field == "content"
    assert refused.value.value == f"{LARGE} bytes"
    assert peak < 8 * PART_BYTES


def test_an_asynchronous_source(server: Server, memory_id: str) -> None:
    async def parts() -> AsyncIterator[bytes]:
        for letter in TEXT:
            yield letter.encode()
            await asyncio.sleep(0)

    async def breaks() -> AsyncIterator[bytes]:
        yield b"The harbour"
        raise KeyError("gone")

    async def ingest() -> None:
        async with AsyncClient(server.target, memory_id=memory_id) as client:
            answer = await client.ingest(parts(), source_uri="test:a.md")
            assert answer.document.size_bytes == len(TEXT.encode())
            with pytest.raises(KeyError):
                await client.ingest(breaks(), source_uri="test:b.md")
            assert [one.source_uri async for one in client.list_documents()] == ["test:a.md"]

    asyncio.run(ingest())


def test_a_cancelled_upload_leaves_nothing(server: Server, memory_id: str) -> None:
    async def ingest() -> None:
        async with AsyncClient(server.target, memory_id=memory_id) as client:
            await client.ingest("Before.", document_id="before")
            for number in range(50):
                begun = asyncio.Event()

                async def parts(begun: asyncio.Event = begun) -> AsyncIterator[bytes]:
                    yield b"The harbour crane.\n\n"
                    begun.set()
                    await asyncio.sleep(60)

                task = asyncio.create_task(client.ingest(parts(), document_id=f"cancelled-{number}"))
                await begun.wait()
                await asyncio.sleep(number / 20_000)
                task.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await task
            await client.ingest("After.", document_id="z-after")  # those before have had the memory to themselves
            assert [one.document_id async for one in client.list_documents()] == ["before", "z-after"]

    asyncio.run(ingest())
