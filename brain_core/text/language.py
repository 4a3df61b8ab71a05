"""Which language a text is in, as far as its script tells, and of Latin script its commonest words."""

from __future__ import annotations

import re

_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")
_KANA = re.compile(r"[\u3040-\u30ff]")
_HANGUL = re.compile(r"[\uac00-\ud7af]")
_LATIN = re.compile(r"[A-Za-z]")
_LATIN_WORD = re.compile(r"[^\W\d_]+")
_COMMON = {
    "en": "the of and is are was were with that this for from have has not you your it its be by which they their can"
    " will should would an as at or if when what to in on we our all no but how does",
    "fr": "le la les des du une un et est sont dans pour avec sur que qui pas ne ce cette ces au aux par plus il elle"
    " nous vous votre ont être leur ou où mais se son sa ses en de",
    "de": "der die das den dem des ein eine einen einem und ist sind war nicht mit für auf von zu zum zur im am auch"
    " als wie wird werden bei aus nach wir sie ich er es haben hat dass oder aber um in",
    "es": "el los las una un y es son en con por para que no del al se su sus como más pero está están este esta ser"
    " fue lo la ha muy también o de",
    "it": "il lo gli una un e è sono di con per che non del della dei delle al alla nel nella si come più ma questo"
    " questa anche da ha la le i in",
    "pt": "o os as um uma e é são em com por para que não do da dos das no na nos nas ao se seu sua como mais mas este"
    " esta foi também ou de a",
    "nl": "de het een en is zijn van met voor op niet dat die aan er ook als bij uit naar wij we ik je worden wordt"
    " heeft hebben maar om door of in te",
}
_COMMON_WORDS = {code: frozenset(words.split()) for code, words in _COMMON.items()}
_LEAST_COMMON = 0.15
"""Share of the words of a running text; of those languages a third and more are such."""

_NAMED = {"english": "en", "eng": "en", "英语": "en", "英文": "en", "japanese": "ja", "jpn": "ja", "korean": "ko"}
_NAMED |= {"chinese": "zh", "zho": "zh", "中文": "zh", "汉语": "zh", "kor": "ko"}


def has_han(text: str) -> bool:
    """Return whether a text has a Chinese character in it."""
    return not text.isascii() and _HAN.search(text) is not None


def han_count(text: str) -> int:
    """Return how many Chinese characters a text has."""
    return len(_HAN.findall(text))


def language(text: str) -> str:
    """Return zh, ja, ko or en, the ISO 639-1 code of the larger share of the script; empty where there is none.

    A Han character weighs as much as two Latin letters, about a word's share each. Latin script counts as English.
    """
    if text.isascii():
        return "en" if _LATIN.search(text) else ""
    han, kana, hangul = han_count(text), len(_KANA.findall(text)), len(_HANGUL.findall(text))
    latin = len(_LATIN.findall(text))
    if not (han or kana or hangul or latin):
        return ""
    if 2 * (han + kana + hangul) < latin:
        return "en"
    if kana * 4 > han:
        return "ja"
    return "ko" if hangul > han else "zh"


def written_language(text: str) -> str:
    """Return the ISO 639-1 code of a text's language; empty where its script or its commonest words do not tell it."""
    by_script = language(text)
    if by_script != "en":
        return by_script
    words = _LATIN_WORD.findall(text.lower())
    shares = sorted(((sum(word in common for word in words), code) for code, common in _COMMON_WORDS.items()))
    (second, _), (most, code) = shares[-2:]
    different = len(_COMMON_WORDS[code].intersection(words))
    return code if most > second and different > 1 and most >= _LEAST_COMMON * len(words) else ""


def language_code(tag: str) -> str:
    """Return the ISO 639-1 code that a tag of a language begins with (zh-CN, EN, en_US), or that its name has."""
    word = re.split(r"[-_]", tag.strip().casefold())[0]
    return _NAMED.get(word, word)
