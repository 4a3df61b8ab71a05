"""Which language a text is in, as far as its script tells."""

from __future__ import annotations

import re

_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")
_KANA = re.compile(r"[\u3040-\u30ff]")
_HANGUL = re.compile(r"[\uac00-\ud7af]")
_LATIN = re.compile(r"[A-Za-z]")

_NAMED = {"english": "en", "eng": "en", "英语": "en", "英文": "en", "japanese": "ja", "jpn": "ja", "korean": "ko"}
_NAMED |= {"chinese": "zh", "zho": "zh", "中文": "zh", "汉语": "zh", "kor": "ko"}


def has_han(text: str) -> bool:
    """Return whether a text has a Chinese character in it."""
    return _HAN.search(text) is not None


def han_count(text: str) -> int:
    """Return how many Chinese characters a text has."""
    return len(_HAN.findall(text))


def language(text: str) -> str:
    """Return zh, ja, ko or en, the ISO 639-1 code of the larger share of the script; empty where there is none.

    A Han character weighs as much as two Latin letters, about a word's share each. Latin script counts as English.
    """
    han, kana, hangul = han_count(text), len(_KANA.findall(text)), len(_HANGUL.findall(text))
    latin = len(_LATIN.findall(text))
    if not (han or kana or hangul or latin):
        return ""
    if 2 * (han + kana + hangul) < latin:
        return "en"
    if kana * 4 > han:
        return "ja"
    return "ko" if hangul > han else "zh"


def language_code(tag: str) -> str:
    """Return the ISO 639-1 code that a tag of a language begins with (zh-CN, EN, en_US), or that its name has."""
    word = re.split(r"[-_]", tag.strip().casefold())[0]
    return _NAMED.get(word, word)
