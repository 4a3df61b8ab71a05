"""A document on its way to the server: its header, its content in parts, its size; little of it in memory at a time."""

import asyncio
import os
from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from google.protobuf.timestamp_pb2 import Timestamp

from smartbrain.fields import filled, timestamp, unfit
from smartbrain.v1.resource_service_pb2 import DocumentHeader, IngestDocumentRequest

PART_BYTES = 1 << 20
"""Of content, in one message."""

Source = os.PathLike[str] | bytes | str | Iterable[bytes]
"""A file, or content: bytes, text (sent as UTF-8), or bytes in parts of any size."""

AsyncSource = Source | AsyncIterable[bytes]


@dataclass(frozen=True, slots=True)
class About:
    """What is to be known of a document; what is empty is told from its source and content."""

    source_uri: str = ""
    document_id: str = ""
    source_type: str = ""
    title: str = ""
    media_type: str = ""
    language: str = ""
    tags: Iterable[str] = ()
    topics: Iterable[str] = ()
    changed_at: datetime | None = None
    validate_only: bool = False


@dataclass(slots=True)
class Upload:
    """The messages of one stream.

    failure: what the source raised. The stream then ends without its size, so that the server refuses what came.
    """

    header: DocumentHeader
    source: AsyncSource
    failure: BaseException | None = None
    _size: int = field(default=0, init=False)

    def __iter__(self) -> Iterator[IngestDocumentRequest]:
        """Yield all messages."""
        yield IngestDocumentRequest(header=self.header)
        try:
            for part in _parts(self.source):
                yield self._content(part)
        except GeneratorExit:
            raise
        except BaseException as error:  # noqa: BLE001  whatever the source raises is the caller's; gRPC would hang on it
            self.failure = error
            return
        yield IngestDocumentRequest(size_bytes=self._size)

    async def __aiter__(self) -> AsyncIterator[IngestDocumentRequest]:
        """Yield all messages; a file, and whatever else makes one wait, is read in a thread."""
        if not isinstance(self.source, AsyncIterable):
            messages = iter(self)
            while (message := await asyncio.to_thread(next, messages, None)) is not None:
                yield message
            return
        yield IngestDocumentRequest(header=self.header)
        try:
            async for given in self.source:
                for part in _cut(given):
                    yield self._content(part)
        except Exception as error:  # noqa: BLE001  whatever the source raises is the caller's
            self.failure = error
            return
        yield IngestDocumentRequest(size_bytes=self._size)

    def _content(self, part: bytes) -> IngestDocumentRequest:
        self._size += len(part)
        return IngestDocumentRequest(content=part)


def upload(memory_id: str, source: AsyncSource, about: About) -> Upload:
    """Give the stream that takes a document in. Raises InvalidArgument, and OSError for a file that is not there."""
    if not isinstance(source, os.PathLike | bytes | str | Iterable | AsyncIterable):
        raise unfit("source", source, "a path, bytes, text, or an iterable of bytes")
    if isinstance(source, str) and not about.document_id and not about.source_uri:
        raise unfit("source", source, "a Path where it names a file; a text needs a document_id or a source_uri")
    header = filled(
        DocumentHeader,
        memory_id=memory_id,
        source_uri=about.source_uri,
        document_id=about.document_id,
        source_type=about.source_type,
        title=about.title,
        media_type=about.media_type,
        language=about.language,
        tag_ids=about.tags,
        topic_ids=about.topics,
        changed_at=None if about.changed_at is None else timestamp(about.changed_at, "changed_at"),
        validate_only=about.validate_only,
        states_size=True,
    )
    if isinstance(source, os.PathLike):
        header.source_uri = header.source_uri or file_uri(Path(source))
        if about.changed_at is None:
            header.changed_at.CopyFrom(_changed_at(Path(source)))
    return Upload(header, source)


def file_uri(path: Path) -> str:
    """Give the address of a file: its folder without links and dots, and its own name, which may be that of a link."""
    return (path.parent.resolve() / path.name).as_uri()


def _changed_at(path: Path) -> Timestamp:
    time = Timestamp()
    time.FromNanoseconds(path.stat().st_mtime_ns)
    return time


def _parts(source: AsyncSource) -> Iterator[bytes]:
    if isinstance(source, os.PathLike):
        with Path(source).open("rb") as file:
            while part := file.read(PART_BYTES):
                yield part
    elif isinstance(source, bytes | str):
        yield from _cut(_encoded(source) if isinstance(source, str) else source)
    elif isinstance(source, Iterable):
        for given in source:
            yield from _cut(given)


def _encoded(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise unfit("source", text, "text that UTF-8 can hold") from error


def _cut(given: bytes) -> Iterator[bytes]:
    """Yield bytes in parts of at most PART_BYTES."""
    if not isinstance(given, bytes):
        raise unfit("source", given, "bytes in each of its parts")
    for start in range(0, len(given), PART_BYTES):
        yield given[start : start + PART_BYTES]
