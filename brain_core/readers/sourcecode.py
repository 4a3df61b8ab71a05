"""Source code of any language: one section per definition that begins in the first column."""

from __future__ import annotations

import re
from collections.abc import Iterator

from brain_core.readers.document import Section
from brain_core.readers.gather import Gather, one_line
from brain_core.readers.source import Source

_KEYWORDS = (
    "class|def|function|func|fun|fn|sub|struct|enum|union|interface|trait|impl|type|typedef|record|object|protocol"
    "|extension|module|namespace|macro_rules!|defmodule|defn|defmacro|message|service|create table|procedure"
)
_BEFORE = (
    "export|default|public|private|protected|internal|abstract|final|sealed|static|async|pub(?:\\([^)]{0,40}\\))?"
    "|unsafe|extern|inline|const|constexpr|virtual|override|open|data|declare|partial|suspend|local|cdef|cpdef"
    "|typedef|template ?<[^>]{0,80}>"
)
_DEFINITION = re.compile(rf"\(?(?:(?:{_BEFORE}) )*(?:{_KEYWORDS})\b[ *(]", re.IGNORECASE)
_ASSIGNED = re.compile(r"(?:export )?(?:const|let|var) \w+ ?= ?(?:async ?)?(?:function\b|\(.*=>|\w+ ?=>)")
_TYPED = re.compile(
    r"(?!if|for|while|switch|else|return|do|with|try|match)[A-Za-z_][\w:<>,*&\[\] ]{0,150}[ *&][\w:~]+ ?\("
)
_LEADING = re.compile(r"#|//|/\*|--|;|@|\"\"\"|%")
_SIGNATURE_ENDS = re.compile(r"[({;]|(?<!:):(?!:)| ?=(?!=)| ->| where\b")
_RECEIVER = re.compile(r"func \([^)]{0,100}\) ?")
_JUDGED = 300


def read(source: Source) -> Iterator[Section]:
    """Yield what stands before the first definition, then each with the comments and decorators right above it."""
    gather = Gather(source.limits.section_chars)
    above: list[str] = []
    held = start = 0
    for line in source.lines(source.limits.section_chars):
        if _leads(line, above) and held <= source.limits.section_chars:
            above.append(line)
            held += len(line)
            continue
        if title := _title(line[:_JUDGED].rstrip()):
            yield from gather.open(title, (), start=start)
        for one in (*above, line):
            yield from gather.add(one)
        if line.isspace():
            gather.mark()
        start += held + len(line)
        above, held = [], 0
    for one in above:
        yield from gather.add(one)
    yield from gather.end()


def _leads(line: str, above: list[str]) -> bool:
    """Return whether a line may belong to the definition below it: a comment, a decorator, or what goes on with one."""
    if line[:1].isspace() or line[:1] in {")", "]"}:
        return bool(above) and not line.isspace()
    return _LEADING.match(line) is not None


def _title(line: str) -> str:
    """Return the signature of a definition as far as its name, "" for other lines."""
    typed = line.endswith("{") and _TYPED.match(line)
    if line[:1].isspace() or not (typed or _DEFINITION.match(line) or _ASSIGNED.match(line)):
        return ""
    receiver = _RECEIVER.match(line)
    after = receiver.end() if receiver else 0
    ends = _SIGNATURE_ENDS.search(line, max(after, 1))
    return one_line(line[: ends.start()] if ends else line)
