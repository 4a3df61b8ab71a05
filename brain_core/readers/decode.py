"""Which characters the bytes of a text are."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from brain_core.errors import UnreadableDocument
from brain_core.readers.faults import unreadable
from brain_core.readers.guess import guess
from brain_core.readers.source import Source

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # begins as UTF-16's does
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)

# What is declared by a subset's name is often its superset: https://encoding.spec.whatwg.org/#names-and-labels
_SUPERSETS = {"gb2312": "gb18030", "gbk": "gb18030", "iso8859-1": "cp1252", "ascii": "cp1252", "shift_jis": "cp932"}

# Codecs of Python that are no charsets of documents, or that decode to half characters.
_NO_CHARSETS = ("idna", "punycode", "unicode-escape", "raw-unicode-escape", "undefined", "utf-7", "mbcs", "oem")

_SAMPLE = 1 << 18
_GUESSED_FROM = 1 << 15
_FEW_CONTROLS = 8
_META = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w.:-]{1,40})", re.IGNORECASE)
_CONTROLS = re.compile(r"[\x01-\x06\x0e-\x1a\x1c-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class _Measure:
    """chars: decoded. replaced: how many of them are U+FFFD. broken: the byte that cannot be decoded, or -1."""

    chars: int
    replaced: int = 0
    broken: int = -1


def decode(source: Source, head: bytes, charset: str) -> Source:
    """Return the source with encoding and length in characters.

    head: its first bytes. charset: what its media type declares, "" for nothing. What cannot be decoded in a text
    that mostly can is replaced by U+FFFD, with a warning. Raises UnreadableDocument where that is too much, where
    the charset is unknown or cannot be told, and for binary content.
    """
    known = _mark(head) or (_known(charset) if charset else _zeros(head))
    encoding = known or "utf-8"
    found = _measure(source, encoding)
    if found.broken < 0:
        return replace(source, encoding=encoding, chars=found.chars)
    if encoding.startswith(("utf-16", "utf-32")):
        raise unreadable(
            f"is broken {encoding.upper()} at byte {found.broken}",
            encoding,
            limit="whole characters",
            hint="save it again, as UTF-8",
        )
    if not known:
        encoding = _guess(source, head, found.broken)
    repaired = _measure(source, encoding, "replace")
    if repaired.replaced * 100 > repaired.chars:
        raise _untold(f"{repaired.replaced} of {repaired.chars} characters are not {encoding}")
    if repaired.replaced:
        source.notes.warnings.append(f"read as {encoding}: {repaired.replaced} characters replaced by U+FFFD")
    return replace(source, encoding=encoding, errors="replace", chars=repaired.chars)


def _mark(head: bytes) -> str:
    return next((encoding for mark, encoding in _MARKS if head.startswith(mark)), "")


def _zeros(head: bytes) -> str:
    """Return UTF-16 without a mark, if every other byte is mostly zero."""
    even, odd = head[0:4096:2], head[1:4096:2]
    if not odd or min(even.count(0), odd.count(0)) * 20 > len(odd):
        return ""
    if odd.count(0) * 2 > len(odd):
        return "utf-16-le"
    return "utf-16-be" if even.count(0) * 2 > len(even) else ""


def _known(charset: str) -> str:
    """Return a charset by the name that Python has for it. Raises UnreadableDocument for others."""
    try:
        name = codecs.lookup(charset).name
        b"a".decode(name, "replace")
    except (LookupError, ValueError):
        name = ""
    if not name or name in _NO_CHARSETS:
        raise unreadable(
            "unknown charset", charset, limit="a charset of text", hint="leave it out or use utf-8", field="media_type"
        )
    return _SUPERSETS.get(name, name)


def _guess(source: Source, head: bytes, broken: int) -> str:
    """Return the charset of what is not UTF-8 all through, judged from around the first broken byte."""
    start = max(0, broken - _SAMPLE // 2)
    sample = next(source.bytes(start), b"")[:_SAMPLE]
    text = sample.decode("utf-8", "replace")
    bad = text.count("\ufffd")
    if bad * 10 <= sum(letter > "\x7f" for letter in text) - bad:
        return "utf-8"
    if meta := _META.search(head[:4096]):
        try:
            return _known(meta[1].decode())
        except UnreadableDocument as error:
            source.notes.warnings.append(f"its own charset is not used: {error}")
    near = sample[max(0, broken - start - _GUESSED_FROM // 2) :][:_GUESSED_FROM]
    if len(near) == _GUESSED_FROM:
        near = near[near.find(b"\n") + 1 : near.rfind(b"\n") + 1] or near  # whole lines have whole characters
    encoding = guess(near)
    if not encoding:
        raise _untold("not UTF-8, and like no other charset")
    encoding = _SUPERSETS.get(encoding, encoding)
    source.notes.warnings.append(f"read as {encoding} (guessed): if that is wrong, declare its charset")
    return encoding


def _measure(source: Source, encoding: str, errors: str = "strict") -> _Measure:
    """Decode all of a source. Raises UnreadableDocument where it holds what no text does."""
    decoder = codecs.getincrementaldecoder(encoding)(errors)
    chars = replaced = seen = controls = 0
    for piece, final in _with_last(source):
        try:
            text = decoder.decode(piece, final)
        except UnicodeError as error:
            return _Measure(chars, broken=seen + getattr(error, "start", 0))
        if "\0" in text:
            raise unreadable(
                "has a NUL character: it is binary, not text",
                f"NUL after {chars + text.index(chr(0))} characters",
                limit="text",
                hint="give a text, or declare its charset",
            )
        seen += len(piece)
        chars += len(text)
        controls += len(_CONTROLS.findall(text))
        if controls > _FEW_CONTROLS and controls * 50 > chars:
            raise unreadable("is binary, not text", f"{controls} control characters", limit="2 %", hint="give a text")
        if errors == "replace":
            replaced += text.count("\ufffd")
    return _Measure(chars, replaced)


def _with_last(source: Source) -> Iterator[tuple[bytes, bool]]:
    """Yield the bytes of a source, and whether they are its last."""
    last = b""
    for piece in source.bytes():
        if last:
            yield last, False
        last = piece
    yield last, True


def _untold(why: str) -> Exception:
    return unreadable(
        "its charset cannot be told", why, limit="UTF-8 or a charset that is declared", hint="save it as UTF-8"
    )
