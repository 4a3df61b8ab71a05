"""PDF: one section per page, under the bookmarks of the document. Reads in a process of its own.

A broken or hostile file can make any reader of PDF crash, hang or take all memory: it is the child that does, within
the time that reading may take and the memory that `pdf_child` allows itself.
"""

from __future__ import annotations

import json
import os
import selectors
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from brain_core.readers.document import Section
from brain_core.readers.faults import unreadable
from brain_core.readers.gather import Gather, Headings, one_line
from brain_core.readers.source import Clock, Source, opened

_CHILD = Path(__file__).with_name("pdf_child.py")
_TAIL = 1 << 16
_LISTED = 20


def read(source: Source) -> Iterator[Section]:
    """Yield the text of each page that has one. Raises UnreadableDocument where the file is not whole or has none."""
    _check_end(source)
    gather = Gather(source.limits.section_chars)
    blank: list[int] = []
    with _child(source) as answers:
        for page, text, title, path in _pages(answers, source):
            if text.strip():
                yield from gather.open(title, path, page=page)
                yield from gather.add(text)
            else:
                blank.append(page)
        yield from gather.end()
    if blank:
        listed = ", ".join(map(str, blank[:_LISTED])) + (" …" if len(blank) > _LISTED else "")
        source.notes.warnings.append(f"{len(blank)} pages have no text (images are not read): {listed}")


def _check_end(source: Source) -> None:
    with opened(source.path) as path:
        size = path.stat().st_size
    if not any(b"%%EOF" in piece for piece in source.bytes(max(0, size - _TAIL))):
        raise unreadable(
            "is a truncated PDF", f"{size} bytes without %%EOF at their end", limit="a whole PDF", hint="load it again"
        )


def _pages(answers: Iterator[dict[str, Any]], source: Source) -> Iterator[tuple[int, str, str, tuple[str, ...]]]:
    """Yield (page, text, title, path); of the bookmarks of a page the first is its title, else the last before it."""
    headings = Headings()
    about = next(answers)
    source.notes.title = one_line(about["title"])
    source.notes.tags.extend(one_line(tag) for tag in about["tags"])
    bookmarks = [(level, one_line(title), page) for level, title, page in about["bookmarks"]]
    bookmarks.sort(key=lambda one: one[2])
    title = ""
    path: tuple[str, ...] = ()
    for answer in answers:
        page, fresh = answer["page"], True
        while bookmarks and bookmarks[0][2] <= page:
            level, named, _ = bookmarks.pop(0)
            above = headings.enter(level, named)
            if fresh and named:
                title, path, fresh = named, above, False
        yield page, answer["text"], title, path


@contextmanager
def _child(source: Source) -> Iterator[Iterator[dict[str, Any]]]:
    """Give the answers of the child: about the document, then of each page. It is gone when this ends."""
    child = subprocess.Popen(
        [sys.executable, "-I", str(_CHILD), str(source.path.absolute()), str(source.limits.chars)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert child.stdout is not None
    with child.stdout as pipe:
        try:
            yield _answers(pipe, source.clock, child)
        finally:
            child.kill()
            child.wait()


def _answers(pipe: IO[bytes], clock: Clock, child: subprocess.Popen[bytes]) -> Iterator[dict[str, Any]]:
    done = False
    for line in _lines(pipe, clock):
        answer = json.loads(line)
        if "refused" in answer:
            raise unreadable(answer["refused"], answer["value"], limit=answer["limit"], hint=answer["hint"])
        done = answer.get("done", False)
        if not done:
            yield answer
    if not done:
        raise unreadable(
            "is a PDF that breaks its reader, or needs more memory than reading may take",
            f"reader ended with {child.wait()}",
            limit="1 GiB of memory",
            hint="save it again from its source",
        )


def _lines(pipe: IO[bytes], clock: Clock) -> Iterator[bytes]:
    held = bytearray()
    with selectors.DefaultSelector() as selector:
        selector.register(pipe, selectors.EVENT_READ)
        while True:
            if not selector.select(clock.left()):
                continue  # `left` raises when the time is over
            piece = os.read(pipe.fileno(), 1 << 16)
            if not piece:
                return
            held += piece
            while (end := held.find(b"\n")) >= 0:
                yield bytes(held[:end])
                del held[: end + 1]
