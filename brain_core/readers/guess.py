"""Which charset the bytes of a text are in, where nothing says so. The only reader that knows charset-normalizer.

That judges by mess, and any East Asian charset reads a few bytes of another without one: the likely charsets are held
against each other first, by how common the letters are that they make.
"""

from __future__ import annotations

from collections.abc import Callable

from charset_normalizer import from_bytes

from brain_core.readers import letters

_LIKELY: tuple[tuple[str, Callable[[str], float]], ...] = (
    ("gb18030", letters.chinese),
    ("big5", letters.chinese),
    ("cp932", letters.japanese),
    ("euc_jp", letters.japanese),
    ("cp949", letters.korean),
    ("cp1251", letters.cyrillic),
    ("koi8_r", letters.cyrillic),
)
"""With how much of a text looks like it; the first of those that look alike."""

_TWO_BYTES = (("utf-16-le", letters.chinese), ("utf-16-be", letters.chinese))
_SURE = 0.6
_BROKEN = "\ufffd"
_MOST_BROKEN = 0.01

# UTF-16 is told by its mark or zeros or letters; the others are of machines that send no documents.
_UNLIKELY = [
    *("utf_16", "utf_16_le", "utf_16_be", "utf_32", "utf_32_le", "utf_32_be", "utf_7", "johab", "cp1006"),
    *("cp037", "cp273", "cp424", "cp500", "cp875", "cp1026", "cp1140"),
]
# charset-normalizer 3.5 takes full-width letters for a mess; these charsets refuse most of what is not theirs.
_EAST_ASIAN = ["gb18030", "big5", "cp932", "euc_jp", "cp949"]
_FULL_WIDTH = 0.6


def guess(sample: bytes) -> str:
    """Return the charset of bytes that are no UTF-8, as codecs name it; "" where they are like none."""
    likely = _LIKELY if len(sample) % 2 else (*_LIKELY, *_TWO_BYTES)
    shares = {name: _share(sample, name, look) for name, look in likely}
    likeliest = max(shares, key=lambda name: shares[name])
    if shares[likeliest] >= _SURE:
        return likeliest
    western = _share(sample, "cp1252", letters.western)
    found = from_bytes(sample, cp_exclusion=_UNLIKELY) or from_bytes(
        sample, threshold=_FULL_WIDTH, cp_isolation=_EAST_ASIAN
    )
    best = found.best()
    if best is None:
        return "cp1252" if western >= _SURE else ""
    like = [one.encoding for one in found if (one.chaos, one.coherence) == (best.chaos, best.coherence)]
    told = best.coherence > 0 and best.encoding not in _EAST_ASIAN
    if "cp1252" in like or (western >= _SURE and not told):
        return "cp1252"
    return max(_EAST_ASIAN, key=lambda name: shares[name]) if best.encoding in _EAST_ASIAN else best.encoding


def _share(sample: bytes, encoding: str, look: Callable[[str], float]) -> float:
    """Return how much of bytes looks like what a charset is for, 0..1; 0 where they are not of that charset."""
    text = sample.decode(encoding, "replace")
    if text.count(_BROKEN) > len(text) * _MOST_BROKEN:
        return 0.0
    return look(text)
