"""What both clients say about documents. The verbs of the one and of the other stand side by side."""

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING, TypeVar

import grpc
from grpc import aio

from smartbrain import streams, uploads
from smartbrain.errors import SmartBrainError, translated
from smartbrain.fields import filled, seconds
from smartbrain.requests import delete_document_request, document_sections_request, list_documents_request
from smartbrain.uploads import About, AsyncSource, Source, Upload
from smartbrain.v1.resource_service_pb2 import (
    DeleteDocumentResponse,
    Document,
    DocumentSection,
    GetDocumentRequest,
    GetDocumentResponse,
    IngestDocumentResponse,
)
from smartbrain.v1.resource_service_pb2_grpc import ResourceServiceStub

if TYPE_CHECKING:
    from smartbrain.v1.resource_service_pb2_grpc import ResourceServiceAsyncStub  # a name that the stubs alone have

_Request = TypeVar("_Request")
_Response = TypeVar("_Response")


class DocumentCalls(ABC):
    """The verbs on documents of `Client`."""

    _resources: ResourceServiceStub

    def ingest(  # noqa: PLR0913 - one parameter per field of the header
        self,
        source: Source,
        *,
        source_uri: str = "",
        document_id: str = "",
        source_type: str = "",
        title: str = "",
        media_type: str = "",
        language: str = "",
        tags: Iterable[str] = (),
        topics: Iterable[str] = (),
        changed_at: datetime | None = None,
        validate_only: bool = False,
        memory_id: str | None = None,
        timeout: float | None = None,
    ) -> IngestDocumentResponse:
        """Take in a document, findable by the next call: a file (a Path), bytes, text (a str), or bytes in parts.

        A file has its address for `source_uri` and its time for `changed_at` unless they are given; anything else needs
        `source_uri` or `document_id`. The same again replaces the document, or changes nothing: it is safe to repeat.
        What the source raises is raised, and the memory is as it was. There is no timeout unless one is given.
        """
        about = About(
            source_uri=source_uri,
            document_id=document_id,
            source_type=source_type,
            title=title,
            media_type=media_type,
            language=language,
            tags=tags,
            topics=topics,
            changed_at=changed_at,
            validate_only=validate_only,
        )
        upload = uploads.upload(self._memory(memory_id), source, about)
        with _told_by(upload), translated():
            return self._resources.IngestDocument(iter(upload), timeout=seconds(timeout))

    def get_document(
        self, document_id: str, *, memory_id: str | None = None, timeout: float | None = None
    ) -> GetDocumentResponse:
        """Give what is known of a document, by its id or its source_uri, without its text."""
        request = filled(GetDocumentRequest, memory_id=self._memory(memory_id), document_id=document_id)
        return self._call(self._resources.GetDocument, request, timeout)

    def document_sections(
        self, document_id: str, *, memory_id: str | None = None, page_size: int = 0, timeout: float | None = None
    ) -> Iterator[DocumentSection]:
        """Give a document's sections in order, with their text, fetched page by page; `timeout` is for each page."""
        request = document_sections_request(self._memory(memory_id), document_id, page_size)
        while True:
            page = self._call(self._resources.GetDocument, request, timeout)
            yield from page.sections
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token

    def list_documents(
        self,
        *,
        source_uri_prefix: str = "",
        tags: Iterable[str] = (),
        memory_id: str | None = None,
        page_size: int = 0,
        timeout: float | None = None,
    ) -> Iterator[Document]:
        """Give documents by id, with any of the `tags`, fetched page by page; `timeout` is for each page."""
        request = list_documents_request(
            self._memory(memory_id), source_uri_prefix=source_uri_prefix, tags=tags, page_size=page_size
        )
        while True:
            page = self._call(self._resources.ListDocuments, request, timeout)
            yield from page.documents
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token

    def delete_document(
        self,
        document_id: str,
        *,
        purge: bool = False,
        request_id: str | None = None,
        memory_id: str | None = None,
        timeout: float | None = None,
    ) -> DeleteDocumentResponse:
        """Take a document out, by its id or its source_uri; with `purge` its text leaves the store before the answer.

        It goes under a `request_id` as `commit` does.
        """
        request = delete_document_request(self._memory(memory_id), document_id, purge=purge, request_id=request_id)
        return self._call(self._resources.DeleteDocument, request, timeout)

    @abstractmethod
    def _memory(self, memory_id: str | None) -> str: ...

    @abstractmethod
    def _call(
        self, call: "grpc.UnaryUnaryMultiCallable[_Request, _Response]", request: _Request, timeout: float | None
    ) -> _Response: ...


class AsyncDocumentCalls(ABC):
    """The verbs on documents of `AsyncClient`."""

    _resources: "ResourceServiceAsyncStub"

    async def ingest(  # noqa: PLR0913 - one parameter per field of the header
        self,
        source: AsyncSource,
        *,
        source_uri: str = "",
        document_id: str = "",
        source_type: str = "",
        title: str = "",
        media_type: str = "",
        language: str = "",
        tags: Iterable[str] = (),
        topics: Iterable[str] = (),
        changed_at: datetime | None = None,
        validate_only: bool = False,
        memory_id: str | None = None,
        timeout: float | None = None,
    ) -> IngestDocumentResponse:
        """Do as `Client.ingest` does; the parts may come from an asynchronous iterable, too."""
        about = About(
            source_uri=source_uri,
            document_id=document_id,
            source_type=source_type,
            title=title,
            media_type=media_type,
            language=language,
            tags=tags,
            topics=topics,
            changed_at=changed_at,
            validate_only=validate_only,
        )
        upload = uploads.upload(self._memory(memory_id), source, about)
        with _told_by(upload), translated():
            return await streams.answer(self._resources.IngestDocument(aiter(upload), timeout=seconds(timeout)))

    async def get_document(
        self, document_id: str, *, memory_id: str | None = None, timeout: float | None = None
    ) -> GetDocumentResponse:
        """Do as `Client.get_document` does."""
        request = filled(GetDocumentRequest, memory_id=self._memory(memory_id), document_id=document_id)
        return await self._call(self._resources.GetDocument, request, timeout)

    async def document_sections(
        self, document_id: str, *, memory_id: str | None = None, page_size: int = 0, timeout: float | None = None
    ) -> AsyncIterator[DocumentSection]:
        """Do as `Client.document_sections` does."""
        request = document_sections_request(self._memory(memory_id), document_id, page_size)
        while True:
            page = await self._call(self._resources.GetDocument, request, timeout)
            for section in page.sections:
                yield section
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token

    async def list_documents(
        self,
        *,
        source_uri_prefix: str = "",
        tags: Iterable[str] = (),
        memory_id: str | None = None,
        page_size: int = 0,
        timeout: float | None = None,
    ) -> AsyncIterator[Document]:
        """Do as `Client.list_documents` does."""
        request = list_documents_request(
            self._memory(memory_id), source_uri_prefix=source_uri_prefix, tags=tags, page_size=page_size
        )
        while True:
            page = await self._call(self._resources.ListDocuments, request, timeout)
            for document in page.documents:
                yield document
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token

    async def delete_document(
        self,
        document_id: str,
        *,
        purge: bool = False,
        request_id: str | None = None,
        memory_id: str | None = None,
        timeout: float | None = None,
    ) -> DeleteDocumentResponse:
        """Do as `Client.delete_document` does."""
        request = delete_document_request(self._memory(memory_id), document_id, purge=purge, request_id=request_id)
        return await self._call(self._resources.DeleteDocument, request, timeout)

    @abstractmethod
    def _memory(self, memory_id: str | None) -> str: ...

    @abstractmethod
    async def _call(
        self, call: "aio.UnaryUnaryMultiCallable[_Request, _Response]", request: _Request, timeout: float | None
    ) -> _Response: ...


@contextmanager
def _told_by(upload: Upload) -> Iterator[None]:
    """Raise what the source of an upload has raised in place of the refusal that followed from it."""
    try:
        yield
    except SmartBrainError as error:
        if upload.failure is not None:
            raise upload.failure from error
        raise
