"""Documents go to the server, one at a time."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from smartbrain.errors import translated
from smartbrain.v1.resource_service_pb2 import DocumentHeader, IngestDocumentRequest, IngestDocumentResponse
from smartbrain.v1.resource_service_pb2_grpc import ResourceServiceStub

PART_BYTES = 2**20
_TIMEOUT = 3600.0  # seconds per document


def upload(stub: ResourceServiceStub, header: DocumentHeader, parts: Iterable[bytes]) -> IngestDocumentResponse:
    """Ingest a document and wait until it is found. Raises SmartBrainError, InvalidArgument for an unreadable one."""
    with translated():
        return stub.IngestDocument(_stream(header, parts), timeout=_TIMEOUT)


def parts_of(path: Path) -> Iterator[bytes]:
    """Read a file in parts."""
    with path.open("rb") as file:
        while part := file.read(PART_BYTES):
            yield part


def _stream(header: DocumentHeader, parts: Iterable[bytes]) -> Iterator[IngestDocumentRequest]:
    yield IngestDocumentRequest(header=header)
    for part in parts:
        yield IngestDocumentRequest(content=part)
