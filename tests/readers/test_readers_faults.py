"""Documents as they should not be: each is refused in words, in bounded time and memory."""

from __future__ import annotations

import gzip
import io
import os
import resource
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest

from brain_core.errors import UnreadableDocument
from brain_core.readers.read import ReadLimits, read_document
from tests.readers.pdfs import bomb, pdf, stream, text_page
from tests.readers.reading import LIMITS, begin, read, refusal

MIB = 1 << 20


def zipped(*names: str) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in names:
            archive.writestr(name, b"0" * (16 * MIB) if name == "bomb" else b"x")
    return held.getvalue()


def encrypted() -> bytes:
    secret = f"/Encrypt << /Filter /Standard /V 1 /R 2 /O <{'41' * 32}> /U <{'42' * 32}> /P -4 >> /ID [<00> <00>]"
    return pdf([text_page("secret")], trailer=secret)


WHOLE = pdf([text_page("words that are here")])

REFUSED: dict[str, tuple[bytes, str, str, str]] = {
    "empty": (b"", "a.txt", "", "is empty"),
    "white space": (" \r\n\t\u3000\n".encode(), "a.txt", "", "has no text"),
    "only a mark": (b"\xef\xbb\xbf", "a.txt", "", "has no text"),
    "ELF": (b"\x7fELF\x02\x01\x01" + bytes(64), "a.txt", "", "an ELF program"),
    "PNG": (b"\x89PNG\r\n\x1a\n" + bytes(64), "a.md", "text/markdown", "a PNG image"),
    "gzip": (gzip.compress(b"text" * 1000), "a.json.gz", "", "a gzip archive"),
    "zip": (zipped("a.txt"), "a.zip", "", "a zip archive"),
    "zip bomb": (zipped("bomb"), "a.txt", "application/zip", "a zip archive"),
    "docx": (zipped("[Content_Types].xml", "word/document.xml"), "a.docx", "", "a Word document"),
    "xlsx": (zipped("[Content_Types].xml", "xl/workbook.xml"), "a.xlsx", "", "an Excel workbook"),
    "old Office": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(64), "a.doc", "", "Office document of before 2007"),
    "RTF": (b"{\\rtf1 text}", "a.rtf", "", "an RTF document"),
    "unnamed binary": (bytes(range(1, 32)) * 40, "a.dat", "", "binary, not text"),
    "NUL in a text": (b"text\0text", "a.txt", "", "NUL"),
    "NUL in a table": (b"a,b\n1,\x002\n", "a.csv", "", "NUL"),
    "truncated PDF": (WHOLE[: len(WHOLE) // 2], "a.pdf", "", "truncated PDF"),
    "PDF of junk": (b"%PDF-1.7\n" + b"junk " * 500 + b"\n%%EOF", "a.pdf", "", "broken PDF"),
    "encrypted PDF": (encrypted(), "a.pdf", "", "encrypted PDF"),
    "PDF of images": (pdf([stream(b""), stream(b"")]), "a.pdf", "", "has no text"),
    "JSON with a slip": (b'{"a": 1,\n "b": oops}', "a.json", "", "line 2, column 7"),
    "JSON cut off": (b'{"a": 1,\n "b": [1', "a.json", "", "ends too early at line 2, column 9"),
    "JSON and more": (b'{"a": 1} x', "a.json", "", "line 1, column 10"),
    "JSON nested deep": (b"[" * 100_000 + b"]" * 100_000, "a.json", "", "nested too deep"),
    "JSON of braces nested deep": (b'{"a":' * 100_000, "a.json", "", "nested too deep"),
    "JSON with a huge number": (b'{"a": ' + b"9" * 5000 + b"}", "a.json", "", "out of range"),
    "JSON with NaN": (b"[NaN]", "a.json", "", "line 1, column 2"),
    "JSON of nothing": (b"[]", "a.json", "", "has no text"),
    "JSON Lines with a slip": (b'{"a": 1}\n{"a": }\n', "a.jsonl", "", "line 2, column 7"),
    "half a surrogate pair": (b'["\\ude00"]', "a.json", "", "out of range"),
    "a quote that stays open": (b'a,b\n"' + b"x\n" * 100_000, "a.csv", "", "is no table at line"),
    "a line too long for a table": (b"a," * MIB, "a.csv", "", "too long a line"),
    "a table of too many columns": (b"a," * 20_000 + b"\n" + b"1," * 20_000, "a.csv", "", "too many columns"),
    "HTML nested deep": (b"<div>" * 100_000 + b"x", "a.html", "", "nested too deep"),
    "HTML comment without end": (b"<p>x<!--" + b"y" * 8 * MIB, "a.html", "", "too long"),
    "HTML attribute without end": (b'<p>x<a href="' + b"y" * 8 * MIB, "a.html", "", "too long"),
    "HTML without text": (b"<html><script>1</script></html>", "a.html", "", "has no text"),
    "UTF-16 of an odd length": ("中文".encode("utf-16") + b"x", "a.txt", "", "broken UTF-16"),
    "UTF-16 with half a pair": (b"\xff\xfea\0\x00\xd8b\0", "a.txt", "", "broken UTF-16"),
    "unknown charset": (b"text", "a.txt", "text/plain; charset=klingon", "unknown charset"),
    "a charset that is none": (b"text", "a.txt", "text/plain; charset=base64", "unknown charset"),
    "another charset than declared": (b"\xfd\xfe\xff" * 99, "a.txt", "text/plain; charset=utf-8", "cannot be told"),
    "declared PDF": (b"some words", "a", "application/pdf", "is no PDF"),
    "named PDF": (b"some words", "a.pdf", "", "is no PDF"),
    "PDF declared as text": (WHOLE, "a", "text/plain", "the content is a PDF"),
    "declared JSON": (b"some words", "a", "application/json", "is not JSON"),
    "a type that is not read": (b"some words", "a", "application/x-tar", "is not read"),
}


@pytest.mark.parametrize("fault", REFUSED)
def test_what_cannot_be_read_is_refused_in_words(folder: Path, fault: str) -> None:
    content, name, media_type, words = REFUSED[fault]
    assert words in str(refusal(folder, content, name, media_type))


def test_a_wrong_type_is_the_fault_of_its_field(folder: Path) -> None:
    for fault in ("declared PDF", "PDF declared as text", "a type that is not read", "unknown charset"):
        assert refusal(folder, *REFUSED[fault][:3]).field == "media_type"
    assert refusal(folder, b"\x89PNG\r\n\x1a\n", "a", "text/plain").field == "content"


@pytest.mark.parametrize("make", [lambda _: None, Path.mkdir, os.mkfifo])
def test_only_regular_files_are_read(folder: Path, make: Callable[[Path], None]) -> None:
    make(folder / "it")
    with pytest.raises(UnreadableDocument) as raised:
        read_document(folder / "it", "a.txt", "", LIMITS)
    assert raised.value.field == "content"
    assert "it" in raised.value.value


@pytest.mark.parametrize("name", ["a.txt", "a.md", "a.py", "a.html", "a.csv", "a.json", "a.pdf"])
def test_a_document_over_its_characters_is_refused(folder: Path, name: str) -> None:
    words = "words and more words\n\n" * 100
    content = {
        "a.json": b'["' + words.replace("\n", " ").encode() + b'"]',
        "a.pdf": pdf([text_page(words[:600].replace("\n", " "))] * 4),
    }.get(name, words.encode())
    limits = ReadLimits(chars=1000, section_chars=400, seconds=60)
    error = refusal(folder, content, name, limits=limits)
    assert "too much text" in str(error)
    assert error.limit == "1000"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("brackets.md", b"[" * 100_000),
        ("links.md", b"# " + b"[a](" * 20_000),
        ("quotes.md", b"> " * 50_000 + b"x"),
        ("lists.md", b"- " * 50_000 + b"x"),
        ("stars.md", b"# " + b"*a **b " * 20_000),
        ("deep list.md", b"".join(b" " * (2 * deep) + b"- a\n" for deep in range(500))),
        ("fences.md", b"```\n" * 20_000),
        ("html.md", b"<!--" * 20_000),
        ("underlines.txt", b"\n=====\n" * 20_000),
        ("one line.py", b"def f(" * 50_000),
        ("spaces.py", b"a " * 50_000 + b"("),
        ("entities.html", b"<p>" + b"&lt;&#x4e2d;&unknown;" * 10_000),
        ("open.html", b"<p>" + b"<b>x</b><!" * 10_000),
        ("quotes.csv", b'a,b\n"x""' + b'""' * 10_000 + b'"\n'),
    ],
)
def test_what_is_only_strange_is_read_in_bounds(folder: Path, name: str, content: bytes) -> None:
    found = read(folder, content, name)
    assert found
    assert all(0 < len(one.text) <= LIMITS.section_chars and len(one.title) <= 200 for one in found)


@pytest.mark.parametrize(
    ("matter", "words"),
    [
        ("a: &a [x]\n" + "".join(f"b{n}: [*a, *a, *a]\n" for n in range(9)), "aliases"),
        ("title: [unclosed\n", "not read"),
        ("a: " + "[" * 5000 + "\n", "not read"),
        ("? [a]\n: b\n", "not read"),
        ("- a\n- b\n", "no mapping"),
        ("!!python/object/apply:os.system ['true']\n", "not read"),
    ],
)
def test_front_matter_that_is_broken_is_a_warning(folder: Path, matter: str, words: str) -> None:
    reading = begin(folder, f"---\n{matter}---\n正文在此。\n", "a.md")
    text = "\n".join("\n".join([one.title, one.text]) for one in reading.sections)
    assert "正文在此。" in text
    assert matter.splitlines()[0][:80] in text, "what is no front matter is text"
    assert len(reading.warnings) == 1
    assert words in reading.warnings[0]


def test_front_matter_without_end_is_text(folder: Path) -> None:
    reading = begin(folder, "---\n\ntitle: no\n\nmore\n", "a.md")
    assert "title: no" in next(reading.sections).text
    assert reading.title == ""


def test_a_pdf_that_unpacks_to_too_much_ends_with_its_process(folder: Path) -> None:
    # In a process of its own: the greatest of this one's children is perhaps another test's server.
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        error, kib = pool.submit(_refused, folder).result()
    assert "memory" in error or "takes too long" in error
    assert kib < 1200 * 1024


def _refused(folder: Path) -> tuple[str, int]:
    """Return why a bomb is refused, and how much memory its reader took at most, in KiB."""
    error = refusal(folder, pdf([bomb(2500)]), "a.pdf")
    return str(error), resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss


def test_a_pdf_that_takes_too_long_is_left(folder: Path) -> None:
    limits = ReadLimits(chars=10**6, section_chars=400, seconds=0.3)
    assert "takes too long" in str(refusal(folder, pdf([bomb(200)]), "a.pdf", limits=limits))


def test_time_over_is_a_refusal_and_waiting_is_not_reading(folder: Path) -> None:
    text = "some words, and more of them.\n" * 2000
    assert "takes too long" in str(refusal(folder, text, "a.txt", limits=ReadLimits(10**6, 400, 0.0)))
    reading = begin(folder, text, "a.txt", limits=ReadLimits(10**6, 400, 5.0))
    next(reading.sections)
    time.sleep(0.01)
    assert sum(1 for _ in reading.sections) > 100


def test_what_a_nested_surrogate_becomes_is_named(folder: Path) -> None:
    reading = begin(folder, '["a \\ud800 b"]', "a.json")
    assert [one.text for one in reading.sections] == ["a ? b"]
    assert reading.warnings == ["halves of surrogate pairs are read as '?'"]


_GROWTH = """
import resource, sys
from pathlib import Path
from brain_core.readers.read import ReadLimits, read_document

def most() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

before = most()
limits = ReadLimits(chars=1 << 30, section_chars=4000, seconds=200)
found = read_document(Path(sys.argv[1]), sys.argv[2], "", limits).sections
assert all(0 < len(one.text) <= 4000 for one in found)
print(most() - before)
"""


@pytest.mark.parametrize(
    ("name", "piece", "mebibytes"),
    [
        ("a.txt", b"x" * MIB, 64),
        ("a.txt", b" " * MIB, 32),
        ("a.md", b"words and " * (MIB // 10), 32),
        ("a.py", b"x = 1; " * (MIB // 7), 32),
        ("a.csv", b"some,words\n" * (MIB // 11), 24),
        ("a.jsonl", b'{"a": "some words that are as long as they are", "b": [1, 2]}\n' * (MIB // 64), 24),
    ],
)
def test_long_documents_and_long_lines_are_not_held(folder: Path, name: str, piece: bytes, mebibytes: int) -> None:
    with (folder / "long").open("wb") as file:
        for _ in range(mebibytes):
            file.write(piece)
        file.write(b"x" if name == "a.txt" else b"")
    command = [sys.executable, "-c", _GROWTH, str(folder / "long"), name]
    kibibytes = int(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert kibibytes < 12 * 1024, "it grew with the document"


def test_a_sparse_file_is_refused_at_its_first_bytes(folder: Path) -> None:
    with (folder / "sparse").open("wb") as file:
        file.truncate(1 << 30)
    with pytest.raises(UnreadableDocument, match="NUL"):
        read_document(folder / "sparse", "a.txt", "", LIMITS)
