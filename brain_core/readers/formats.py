"""Which reader reads what: by declared media type, by content, by extension."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from urllib.parse import urlsplit

from brain_core.readers import markdown, notebook, objects, pdf, plain, rows, sourcecode, webpage
from brain_core.readers.document import Section
from brain_core.readers.faults import unreadable
from brain_core.readers.magic import named
from brain_core.readers.source import Source


@dataclass(frozen=True, slots=True)
class Format:
    """How a media type is read. sliced: texts stand in the source as they are, so that is where they start."""

    media_type: str
    read: Callable[[Source], Iterator[Section]]
    endings: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    sliced: bool = False


PDF = Format("application/pdf", pdf.read, (".pdf",), ("application/x-pdf",), sliced=True)
_PLAIN = Format("text/plain", plain.read, (".txt", ".text", ".log"), sliced=True)
_MARKDOWN = Format(
    "text/markdown", markdown.read, (".md", ".markdown", ".mdx", ".qmd", ".rmd"), ("text/x-markdown",), sliced=True
)
_HTML = Format("text/html", webpage.read, (".html", ".htm", ".xhtml"), ("application/xhtml+xml",))
_JSON = Format("application/json", objects.read, (".json", ".geojson", ".webmanifest"), ("text/json",))
_LINES = Format(
    "application/jsonl", objects.read_lines, (".jsonl", ".ndjson"), ("application/x-ndjson", "application/x-jsonlines")
)
_CODE = Format("text/x-source", sourcecode.read, also=("application/javascript", "application/x-sh"), sliced=True)
_FORMATS = (
    PDF,
    _PLAIN,
    _MARKDOWN,
    _HTML,
    _JSON,
    _LINES,
    Format("text/x-rst", plain.read, (".rst", ".rest"), ("text/prs.fallenstein.rst",), sliced=True),
    Format("application/x-ipynb+json", notebook.read, (".ipynb",)),
    Format("text/csv", rows.read, (".csv",), ("application/csv",)),
    Format("text/tab-separated-values", rows.read, (".tsv", ".tab")),
)
_LANGUAGES = {
    "c": "c h",
    "c++": "cc cpp cxx hh hpp",
    "csharp": "cs",
    "css": "css scss less",
    "dart": "dart",
    "elixir": "ex exs",
    "go": "go",
    "graphql": "graphql",
    "haskell": "hs",
    "ini": "ini cfg conf properties",
    "java": "java",
    "javascript": "js mjs cjs jsx",
    "kotlin": "kt kts",
    "lua": "lua",
    "perl": "pl pm",
    "php": "php",
    "protobuf": "proto",
    "python": "py pyi pyx pxd",
    "r": "r",
    "ruby": "rb",
    "rust": "rs",
    "scala": "scala",
    "sh": "sh bash zsh",
    "sql": "sql",
    "swift": "swift",
    "toml": "toml",
    "typescript": "ts tsx",
    "vue": "vue svelte",
    "xml": "xml xsd",
    "yaml": "yaml yml",
    "zig": "zig",
}
_BY_ENDING = {ending: one for one in _FORMATS for ending in one.endings} | {
    f".{ending}": replace(_CODE, media_type=f"text/x-{language}")
    for language, endings in _LANGUAGES.items()
    for ending in endings.split()
}
_BY_TYPE = {media_type: one for one in _FORMATS for media_type in (one.media_type, *one.also)} | {
    media_type: replace(_CODE, media_type=media_type)
    for media_type in (_CODE.media_type, *_CODE.also, *(f"text/x-{language}" for language in _LANGUAGES))
}
_UNTOLD = ("", "application/octet-stream", "binary/octet-stream")
_PDF_WITHIN = 1024
_MARKUP = re.compile(r"\s*(?:<!--.{0,2000}?-->\s*)?<(?:!doctype html|html|head|body)\b", re.IGNORECASE | re.DOTALL)
_HEADED = re.compile(r"^(?:#{1,6} +\S|```|~~~)", re.MULTILINE)
_BRACED = re.compile(r'\s*(?:\{\s*["}]|\[\s*[\[{"\]])')


def tell(head: bytes, name: str, declared: str) -> Format:
    """Return the format of a document. head: its first bytes. declared: media type without parameters, "" for none.

    Raises UnreadableDocument for content that is no text, an unknown type, and one that the content contradicts.
    """
    hint = f"give one of: {', '.join(one.media_type for one in _FORMATS)}, source code"
    if what := named(head):
        raise unreadable(f"is {what}, which is not read", what, limit="a type that is read", hint=hint)
    found = None if declared in _UNTOLD else (_BY_TYPE.get(declared) or _text(declared))
    if found is None and declared not in _UNTOLD:
        raise unreadable("is not read", declared, limit="a type that is read", hint=hint, field="media_type")
    ending = PurePosixPath(_path(name)).suffix.lower()
    is_pdf = head.lstrip().startswith(b"%PDF-")
    if is_pdf and found not in {None, PDF}:
        why = "is wrong: the content is a PDF"
        raise unreadable(why, declared, limit=PDF.media_type, hint="leave it out", field="media_type")
    told = PDF if is_pdf else found or _BY_ENDING.get(ending) or _sniff(head)
    if told is PDF and b"%PDF-" not in head[:_PDF_WITHIN]:
        field, value = ("media_type", declared) if found else ("content", f"named {ending}")
        raise unreadable("is no PDF", value, limit="%PDF- at its start", hint="look at what it is", field=field)
    return told


def _text(declared: str) -> Format | None:
    return replace(_PLAIN, media_type=declared) if declared.startswith("text/") else None


def _path(name: str) -> str:
    """Return a file name, or the path of a URI."""
    try:
        return urlsplit(name).path if "://" in name else name
    except ValueError:
        return name


def _sniff(head: bytes) -> Format:
    """Tell a format from how the content begins; plain text where nothing else shows."""
    text = head.decode("utf-8", "ignore").removeprefix("\ufeff")
    if _MARKUP.match(text):
        return _HTML
    if text.startswith("#!"):
        return _CODE
    if _BRACED.match(text):
        return _LINES if _several(text) else _JSON
    return _MARKDOWN if _HEADED.search(text) else _PLAIN


def _several(text: str) -> bool:
    """Return whether the first line is a JSON document and the next one begins another."""
    first, _, rest = text.lstrip().partition("\n")
    try:
        json.loads(first)
    except (ValueError, RecursionError):
        return False
    return rest.lstrip().startswith(("{", "["))
