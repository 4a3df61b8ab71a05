"""Reads one PDF in a process of its own: `python -I pdf_child.py PATH CHARS`. The only file that knows PDFium.

Writes a line of JSON about the document, one per page, and one that says it is done. It needs a POSIX system, and
holds itself to 1 GiB of memory (on Linux) and writes no file.
"""

from __future__ import annotations

import json
import resource
import sys

import pypdfium2 as pdfium

_MEMORY = 1 << 30
_MOST_BOOKMARKS = 10_000
_MOST_TAGS = 64
_PASSWORD = "password"


def main(path: str, most_chars: int) -> None:
    """Write what a PDF says. most_chars: of one page."""
    for limit, most in ((resource.RLIMIT_AS, _MEMORY), (resource.RLIMIT_CORE, 0), (resource.RLIMIT_FSIZE, 0)):
        resource.setrlimit(limit, (most, most))
    try:
        document = pdfium.PdfDocument(path)
        tell(about(document))
        for number in range(len(document)):
            page = document[number]
            tell({"page": number + 1, "text": text_of(page, most_chars)})
            page.close()
    except pdfium.PdfiumError as error:
        locked = _PASSWORD in str(error).lower()
        refuse(
            "is an encrypted PDF" if locked else f"is a broken PDF: {error}",
            path.rpartition("/")[2],
            "a PDF without password" if locked else "a whole PDF",
            "save it without a password" if locked else "save it again from its source",
        )
    except MemoryError:
        refuse("is a PDF that unpacks to too much", "out of memory", f"{_MEMORY} bytes", "split the document")
    tell({"done": True})


def about(document: pdfium.PdfDocument) -> dict[str, object]:
    """Return title, tags and bookmarks (level, title, page from 1)."""
    facts = document.get_metadata_dict()
    bookmarks: list[tuple[int, str, int]] = []
    for bookmark in document.get_toc():
        if len(bookmarks) == _MOST_BOOKMARKS:
            break
        target = bookmark.get_dest()
        index = target.get_index() if target else None
        if index is not None:
            bookmarks.append((bookmark.level, bookmark.get_title(), index + 1))
    words = (word.strip() for word in facts.get("Keywords", "").replace(";", ",").split(","))
    tags = [word for word in words if word][:_MOST_TAGS]
    return {"title": facts.get("Title", "").strip(), "tags": tags, "bookmarks": bookmarks}


def text_of(page: pdfium.PdfPage, most_chars: int) -> str:
    """Return the text of a page, words that are hyphenated over lines whole."""
    found = page.get_textpage()
    if found.count_chars() > most_chars:
        refuse(
            "has too much text on a page", f"{found.count_chars()} characters", str(most_chars), "split the document"
        )
    text: str = found.get_text_range()
    found.close()
    for old, new in (("\r\n", "\n"), ("\r", "\n"), ("\ufffe", ""), ("\x02", ""), ("\0", "")):
        text = text.replace(old, new)
    return text.encode("utf-8", "replace").decode()


def refuse(why: str, value: str, limit: str, hint: str) -> None:
    """Say why a document cannot be read, and end."""
    tell({"refused": why, "value": value, "limit": limit, "hint": hint})
    sys.exit(0)


def tell(answer: dict[str, object]) -> None:
    """Write one line."""
    sys.stdout.write(f"{json.dumps(answer)}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
