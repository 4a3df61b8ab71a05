"""Jupyter notebooks: the sources of cells and what they printed, read as Markdown, without pictures and metadata."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from brain_core.readers import markdown, objects
from brain_core.readers.document import Section
from brain_core.readers.faults import unreadable
from brain_core.readers.source import Source

_LONGEST = 1 << 26
"""Characters of a notebook with its pictures: it is parsed as a whole."""


def read(source: Source) -> Iterator[Section]:
    """Yield what stands under each heading of the cells. What is no notebook is read as JSON."""
    if source.chars > _LONGEST:
        raise unreadable(
            "is too long for a notebook", f"{source.chars} characters", limit=_LONGEST, hint="clear its outputs"
        )
    try:
        notebook = json.loads("".join(source.pieces()))
    except (ValueError, RecursionError):
        notebook = None
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    if isinstance(cells, list):
        yield from markdown.body(source, _pieces(cells), 0)
    else:
        yield from objects.read(source)


def _pieces(cells: list[Any]) -> Iterator[str]:
    for cell in cells:
        if not isinstance(cell, dict):
            continue
        text = _text(cell.get("source"))
        yield _fenced(text) if cell.get("cell_type") == "code" else f"{text}\n\n"
        outputs = cell.get("outputs")
        for output in outputs if isinstance(outputs, list) else ():
            yield _fenced(_printed(output) if isinstance(output, dict) else "")


def _printed(output: dict[str, Any]) -> str:
    """Return the text of an output: what was printed, what a value looks like, or how an error is called."""
    if output.get("output_type") == "error":
        return f"{_text(output.get('ename'))}: {_text(output.get('evalue'))}"
    data = output.get("data")
    return _text(output.get("text")) or _text(data.get("text/plain") if isinstance(data, dict) else None)


def _text(lines: object) -> str:
    """Return a text that nbformat lets stand as one string or as a list of lines."""
    return "".join(line for line in lines if isinstance(line, str)) if isinstance(lines, list | str) else ""


def _fenced(text: str) -> str:
    if not text.strip():
        return ""
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}\n{text.rstrip()}\n{fence}\n\n"
