"""PDF files made by hand: what a test wants in them and nothing else."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

FONT = 3
"""Object numbers: 1 catalog, 2 pages, 3 font, 4 facts; a page and its content from 10 on."""

_FONTS = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"


def stream(data: bytes, filters: str = "") -> bytes:
    named = f" /Filter /{filters}" if filters else ""
    return f"<< /Length {len(data)}{named} >>\nstream\n".encode() + data + b"\nendstream"


def assemble(objects: dict[int, bytes], trailer: str = "") -> bytes:
    """Join objects to a file with its table of places."""
    written, places = bytearray(b"%PDF-1.7\n"), {}
    for number, body in sorted(objects.items()):
        places[number] = len(written)
        written += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
    table = len(written)
    last = max(objects)
    written += f"xref\n0 {last + 1}\n0000000000 65535 f \n".encode()
    for number in range(1, last + 1):
        written += f"{places[number]:010} 00000 n \n".encode() if number in places else b"0000000000 00000 f \n"
    written += f"trailer\n<< /Size {last + 1} /Root 1 0 R {trailer} >>\nstartxref\n{table}\n%%EOF\n".encode()
    return bytes(written)


def pdf(
    pages: Sequence[bytes], *, title: str = "", bookmarks: Sequence[tuple[str, int]] = (), trailer: str = ""
) -> bytes:
    """pages: a content stream each. bookmarks: (title, page from 1), all of one level."""
    kids = " ".join(f"{10 + 2 * place} 0 R" for place in range(len(pages)))
    objects = {
        1: b"<< /Type /Catalog /Pages 2 0 R /Outlines 5 0 R >>",
        2: f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode(),
        FONT: _FONTS,
        4: b"<< /Title <" + ("\ufeff" + title).encode("utf-16-be").hex().encode() + b"> /Keywords (alpha, beta) >>",
        5: b"<< /Type /Outlines >>",
    }
    for place, content in enumerate(pages):
        objects[10 + 2 * place] = (
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {11 + 2 * place} 0 R "
            f"/Resources << /Font << /F1 {FONT} 0 R /F2 6 0 R >> >> >>".encode()
        )
        objects[11 + 2 * place] = content
    objects |= _chinese_font()
    first = 100
    for place, (named, page) in enumerate(bookmarks):
        ahead = f"/Next {first + place + 1} 0 R" if place + 1 < len(bookmarks) else ""
        back = f"/Prev {first + place - 1} 0 R" if place else ""
        words = ("\ufeff" + named).encode("utf-16-be").hex()
        objects[first + place] = (
            f"<< /Title <{words}> /Parent 5 0 R {ahead} {back} /Dest [{8 + 2 * page} 0 R /Fit] >>".encode()
        )
    if bookmarks:
        last = first + len(bookmarks) - 1
        objects[5] = f"<< /Type /Outlines /First {first} 0 R /Last {last} 0 R /Count {len(bookmarks)} >>".encode()
    return assemble(objects, f"/Info 4 0 R {trailer}")


def text_page(*lines: str) -> bytes:
    """Return a content stream with lines of Latin letters, or of Chinese ones in a line of its own."""
    parts = ["BT 14 TL 72 720 Td"]
    for line in lines:
        if line.isascii():
            escaped = line.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
            parts.append(f"/F1 12 Tf ({escaped}) Tj T*")
        else:
            parts.append(f"/F2 12 Tf <{line.encode('utf-16-be').hex()}> Tj T*")
    return stream(zlib.compress(" ".join([*parts, "ET"]).encode()), "FlateDecode")


def bomb(mebibytes: int) -> bytes:
    """Return a content stream that unpacks to so many MiB of drawing."""
    packer = zlib.compressobj(9)
    packed = b"".join(packer.compress(b"q Q " * (1 << 18)) for _ in range(mebibytes)) + packer.flush()
    return stream(packed, "FlateDecode")


def _chinese_font() -> dict[int, bytes]:
    """Return a font whose codes are UTF-16 and that has no glyphs: the words are in its ToUnicode map."""
    mapping = (
        b"/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapType 2 def "
        b"1 begincodespacerange <0000> <FFFF> endcodespacerange "
        b"1 beginbfrange <0000> <FFFF> <0000> endbfrange endcmap end end"
    )
    return {
        6: b"<< /Type /Font /Subtype /Type0 /BaseFont /None /Encoding /Identity-H /DescendantFonts [7 0 R]"
        b" /ToUnicode 8 0 R >>",
        7: b"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /None /DW 1000 /CIDSystemInfo"
        b" << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor 9 0 R >>",
        8: stream(mapping),
        9: b"<< /Type /FontDescriptor /FontName /None /Flags 4 /FontBBox [0 0 1000 1000] /ItalicAngle 0"
        b" /Ascent 800 /Descent 0 /CapHeight 800 /StemV 80 >>",
    }
