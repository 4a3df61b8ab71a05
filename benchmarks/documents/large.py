"""One large text file is made and streamed: the time, and the memory beside what its index holds."""

import os
import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TypedDict

import grpc
from smartbrain.v1.resource_service_pb2 import DocumentHeader
from smartbrain.v1.resource_service_pb2_grpc import ResourceServiceStub

from benchmarks.documents.footprint import forget_peak, peak, rss
from benchmarks.documents.ingest import index_bytes
from benchmarks.documents.upload import parts_of, upload
from benchmarks.engine.texts import MadeUpTexts

_MEMORY = "large"
_SEED = 20261122
_SENTENCES = 20_000  # that paragraphs are made of
_SHORTEST, _LONGEST = 3, 9  # sentences of a paragraph


class Large(TypedDict):
    """Bytes and seconds. peak: the most that a process held meanwhile; index: as the server estimates it.

    client: of the process that streams, beyond what it held before.
    """

    bytes: int
    seconds: float
    sections: int
    chunks: int
    rss_before: int
    rss_after: int
    peak: int
    index_before: int
    index_after: int
    client: int


def write_text(path: Path, size: int) -> None:
    """Write paragraphs of made-up English and Chinese, always the same, until there are `size` bytes or a few more."""
    with path.open("wb") as file:
        for paragraph in _paragraphs():
            size -= file.write(paragraph)
            if size <= 0:
                return


def stream(channel: grpc.Channel, pid: int, path: Path) -> Large:
    """Ingest a file. Raises SmartBrainError when the server refuses it, OSError where peaks cannot be read."""
    own = os.getpid()
    rss_before, index_before, own_before = rss(pid), index_bytes(channel), rss(own)
    forget_peak(pid)
    forget_peak(own)
    began = time.perf_counter()
    header = DocumentHeader(memory_id=_MEMORY, source_uri=path.as_uri(), media_type="text/plain")
    document = upload(ResourceServiceStub(channel), header, parts_of(path)).document
    return Large(
        bytes=document.size_bytes,
        seconds=time.perf_counter() - began,
        sections=document.sections,
        chunks=document.chunks,
        rss_before=rss_before,
        rss_after=rss(pid),
        peak=peak(pid),
        index_before=index_before,
        index_after=index_bytes(channel),
        client=peak(own) - own_before,
    )


def beside_index(large: Large) -> int:
    """Return the bytes that the server grew by at its peak, less those that its index grew by."""
    return large["peak"] - large["rss_before"] - (large["index_after"] - large["index_before"])


def _paragraphs() -> Iterator[bytes]:
    texts = MadeUpTexts(_SEED)
    sentences = [_sentence(texts.text(number)) for number in range(_SENTENCES)]
    chance = random.Random(_SEED)
    while True:
        chosen = chance.choices(sentences, k=chance.randint(_SHORTEST, _LONGEST))
        yield (" ".join(chosen) + "\n\n").encode()


def _sentence(text: str) -> str:
    end = "。" if "\u4e00" <= text[-1] <= "\u9fff" else "."
    return f"{text[0].upper()}{text[1:]}{end}"
