"""What bytes are that are no text, by how they begin."""

from __future__ import annotations

_MAGIC: tuple[tuple[int, bytes, str], ...] = (
    (0, b"\x89PNG\r\n\x1a\n", "a PNG image"),
    (0, b"\xff\xd8\xff", "a JPEG image"),
    (0, b"GIF8", "a GIF image"),
    (0, b"II*\0", "a TIFF image"),
    (0, b"MM\0*", "a TIFF image"),
    (8, b"WEBP", "a WebP image"),
    (8, b"WAVE", "a WAV recording"),
    (4, b"ftyp", "an MP4 or HEIF file"),
    (0, b"ID3", "an MP3 recording"),
    (0, b"OggS", "an Ogg recording"),
    (0, b"fLaC", "a FLAC recording"),
    (0, b"\x1aE\xdf\xa3", "a Matroska video"),
    (0, b"\x7fELF", "an ELF program"),
    (0, b"MZ\x90\0", "a Windows program"),
    (0, b"\xcf\xfa\xed\xfe", "a Mach-O program"),
    (0, b"\xca\xfe\xba\xbe", "a Java class or Mach-O program"),
    (0, b"\0asm", "a WebAssembly program"),
    (0, b"\x1f\x8b", "a gzip archive"),
    (0, b"BZh", "a bzip2 archive"),
    (0, b"\xfd7zXZ\0", "an xz archive"),
    (0, b"\x28\xb5\x2f\xfd", "a zstd archive"),
    (0, b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (0, b"Rar!\x1a\x07", "a RAR archive"),
    (257, b"ustar", "a tar archive"),
    (0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an Office document of before 2007 (doc, xls, ppt)"),
    (0, b"{\\rtf", "an RTF document"),
    (0, b"%!PS", "a PostScript document"),
    (0, b"SQLite format 3\0", "an SQLite database"),
    (0, b"PAR1", "a Parquet table"),
    (0, b"\x93NUMPY", "a NumPy array"),
    (0, b"\x80\x04\x95", "a pickle"),
    (0, b"wOFF", "a font"),
    (0, b"wOF2", "a font"),
    (0, b"\0\x01\0\0\0", "a font"),
)

# Files inside a zip archive, by which it is known without being unpacked.
_ZIPPED = (
    (b"word/", "a Word document (docx)"),
    (b"xl/", "an Excel workbook (xlsx)"),
    (b"ppt/", "a PowerPoint presentation (pptx)"),
    (b"application/epub+zip", "an EPUB book"),
    (b"application/vnd.oasis.opendocument", "an OpenDocument file"),
    (b"META-INF/", "a Java archive"),
)


def named(head: bytes) -> str:
    """Return what a file is that begins like this, in words; "" where it may be a text."""
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return next((name for inside, name in _ZIPPED if inside in head), "a zip archive")
    return next((name for at, magic, name in _MAGIC if head.startswith(magic, at)), "")
