"""A tree of files goes in, again unchanged, and again with some files changed."""

import time
from collections import Counter
from typing import TypedDict

import grpc
from smartbrain.errors import Internal, InvalidArgument
from smartbrain.v1.admin_service_pb2 import GetStatusRequest
from smartbrain.v1.admin_service_pb2_grpc import AdminServiceStub
from smartbrain.v1.resource_service_pb2 import DocumentHeader, IngestDocumentResponse
from smartbrain.v1.resource_service_pb2_grpc import ResourceServiceStub
from tqdm import tqdm

from benchmarks.documents.footprint import rss
from benchmarks.documents.tree import Tree
from benchmarks.documents.upload import upload

MEMORY = "tree"
_SKIPPED_NAMED = 20
_STATUS_TIMEOUT = 60.0


class Skipped(TypedDict):
    """A file that did not go in, and why: the server refused it, or INTERNAL, it failed on it."""

    name: str
    reason: str
    message: str


class Round(TypedDict):
    """One pass over the tree. seconds: wall time, one file after the other. outcomes, reasons: how many files of each.

    sections, chunks: of all documents as they are after it. rss, index_bytes: of the server, bytes.
    """

    name: str
    files: int
    bytes: int
    seconds: float
    outcomes: dict[str, int]
    sections: int
    sections_kept: int
    sections_added: int
    sections_removed: int
    chunks: int
    warnings: int
    reasons: dict[str, int]
    skipped: list[Skipped]
    rss_before: int
    rss_after: int
    index_before: int
    index_after: int


def ingest(channel: grpc.Channel, pid: int, tree: Tree, name: str) -> Round:
    """Ingest every file once; what the server refuses, or fails on, is skipped and named.

    Raises SmartBrainError for any other failure of a call.
    """
    stub = ResourceServiceStub(channel)
    rss_before, index_before = rss(pid), index_bytes(channel)
    answers: list[IngestDocumentResponse] = []
    skipped: list[Skipped] = []
    began = time.perf_counter()
    for file in tqdm(tree.names, desc=name, disable=None):
        try:
            answers.append(upload(stub, _header(tree, file), tree.parts(file)))
        except (InvalidArgument, Internal) as error:
            skipped.append(Skipped(name=file, reason=error.reason or error.code.name, message=str(error)))
    seconds = time.perf_counter() - began
    return Round(
        name=name,
        files=len(tree.names),
        bytes=sum(answer.document.size_bytes for answer in answers),
        seconds=seconds,
        outcomes=dict(Counter(answer.outcome for answer in answers)),
        sections=sum(answer.document.sections for answer in answers),
        sections_kept=sum(answer.sections_kept for answer in answers),
        sections_added=sum(answer.sections_added for answer in answers),
        sections_removed=sum(answer.sections_removed for answer in answers),
        chunks=sum(answer.document.chunks for answer in answers),
        warnings=sum(bool(answer.warnings) for answer in answers),
        reasons=dict(Counter(one["reason"] for one in skipped)),
        skipped=skipped[:_SKIPPED_NAMED],
        rss_before=rss_before,
        rss_after=rss(pid),
        index_before=index_before,
        index_after=index_bytes(channel),
    )


def index_bytes(channel: grpc.Channel) -> int:
    """Return the bytes that the server's loaded indexes take, as it estimates them."""
    return AdminServiceStub(channel).GetStatus(GetStatusRequest(), timeout=_STATUS_TIMEOUT).index_bytes


def _header(tree: Tree, file: str) -> DocumentHeader:
    return DocumentHeader(memory_id=MEMORY, source_uri=tree.uri(file))
