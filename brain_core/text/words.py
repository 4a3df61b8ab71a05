"""From text to index terms.

Latin and other alphabetic words are case-folded, stripped of accents' width variants (NFKC) and stemmed (Snowball
English); words of the stop list are dropped. Identifiers (snake_case, CamelCase, dotted.paths, versions) are kept
whole and also split. Runs of Han, Hiragana, Katakana and Hangul become their characters' bigrams, then
their characters, so that a question of one character finds something too. Traditional characters are read as their
simplified ones: a question in one script finds what was said in the other.
"""

from __future__ import annotations

import re
import threading
import unicodedata
from collections.abc import Callable
from functools import cache, lru_cache, partial
from itertools import chain
from operator import add

import Stemmer

from brain_core.text.remembered import remembered
from brain_core.text.script import fold

ANALYSIS_VERSION = 2
"""On disk in index snapshots: raise it whenever the same text would give other terms."""

# The 33 stop words of Lucene's EnglishAnalyzer, and the words that questions to a memory are made of.
STOP_WORDS = frozenset(
    (  # noqa: SIM905  as a list of literals it would fill two screens
        "a an and are as at be but by for if in into is it no not of on or such that the their then there these they "
        "this to was will with am been being can could did do does doing had has have having he her hers him his how i "
        "its me my of our ours she should so than them those too us we were what when where which who whom why would "
        "you your yours s t d m ll re ve don"
    ).split()
)

CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af\U00020000-\U0003ffff"
_FIRST_CJK = CJK[0]
_PIECE = re.compile(rf"[{CJK}]+|[^\W{CJK}]+(?:[.\-/'’:@]+[^\W{CJK}]+)*")
_ASCII_PIECE = re.compile(r"[A-Za-z0-9_]+(?:[.\-/':@]+[A-Za-z0-9_]+)*")
_INNER = re.compile(rf"[^\W_{CJK}]+")
_HUMP = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_IS_CJK = re.compile(rf"[{CJK}]")
_POSSESSIVE = re.compile(r"['’](?:s|S)?$")
_FIRST_PERSON = re.compile(r"\b(?:I|my|me|we|our|us|mine|ours)\b|[我咱]", re.IGNORECASE)
_FIRST_PERSON_SMALL = re.compile(r"\b(?:i|m(?:y|e|ine)|we|ours?|us)\b")
"""The same of ASCII in small letters, where it costs a quarter."""
_QUOTED = re.compile(r'["“”「『]([^"“”「」『』]*)["“”」』]')
_LONGEST_TERM = 64
_TEXTS_KEPT = 256  # whose distinct terms are remembered: a message is searched for in several ways
_PIECES_KEPT = 16_384  # whose terms are remembered, about 5 MB: most words of a text have been met before

_local = threading.local()


def _stem(words: list[str]) -> list[str]:
    # A Snowball stemmer is not safe for use from two threads at once.
    stemmer = getattr(_local, "stemmer", None)
    if stemmer is None:
        stemmer = _local.stemmer = Stemmer.Stemmer("english")
    stemmed: list[str] = stemmer.stemWords(words)
    return stemmed


def _split(piece: str) -> list[str]:
    """Return the words of an alphabetic piece: its parts, their humps, and the whole where that differs."""
    parts = _INNER.findall(piece)
    words: list[str] = []
    for part in parts:
        words.append(part)
        humps = _HUMP.findall(part) if not (part.islower() or part.isdigit()) and part.isascii() else []
        if len(humps) > 1:
            words.extend(humps)
    if len(parts) > 1 and not _is_contraction(piece):
        words.append(piece)
    return words


def _is_contraction(piece: str) -> bool:
    return bool(re.fullmatch(rf"[^\W_{CJK}]+['’][^\W_{CJK}]+", piece))


def _grams(run: str) -> list[str]:
    return [*map(add, run, run[1:]), *run]


def pieces(text: str) -> list[str]:
    """Return the words of a text, and its runs of Han, Kana and Hangul, NFKC and in simplified Han, in order."""
    return _ASCII_PIECE.findall(text) if text.isascii() else _PIECE.findall(fold(unicodedata.normalize("NFKC", text)))


def is_cjk(piece: str) -> bool:
    """Return whether a piece is such a run."""
    return piece[0] >= _FIRST_CJK and _IS_CJK.match(piece) is not None


def terms(text: str) -> list[str]:
    """Return the index terms of a text in order, repeats included."""
    return _terms(text, STOP_WORDS)


@remembered(_TEXTS_KEPT)
def distinct_terms(text: str) -> tuple[str, ...]:
    """Return the index terms of a text, each once, in order."""
    return tuple(dict.fromkeys(terms(text)))


def _terms(text: str, dropped: frozenset[str]) -> list[str]:
    known_stems = _known_stems(dropped)
    found = pieces(text)
    if text.isascii() and (not found or len(max(found, key=len)) <= _LONGEST_TERM):
        return list(chain.from_iterable(map(known_stems, found)))
    out: list[str] = []
    for piece in found:
        if piece[0] >= _FIRST_CJK and is_cjk(piece):
            out += _grams(piece)
        elif len(piece) <= _LONGEST_TERM:
            out += known_stems(piece)
        else:
            out += _stems(dropped, piece)
    return out


def _stems(dropped: frozenset[str], piece: str) -> list[str]:
    """Return the terms of an alphabetic piece."""
    if piece.isascii() and piece.isalpha() and (piece.islower() or piece.istitle()):
        word = piece.lower()
        return [] if word in dropped or len(word) > _LONGEST_TERM else _stem([word])
    words = (word.casefold() for word in _split(_POSSESSIVE.sub("", piece)))
    return _stem([word for word in words if word not in dropped and len(word) <= _LONGEST_TERM])


@cache
def _known_stems(dropped: frozenset[str]) -> Callable[[str], list[str]]:
    """Return `_stems` with a memory; lists that it returns are not to be changed."""
    return lru_cache(maxsize=_PIECES_KEPT)(partial(_stems, dropped))


def _parts(text: str) -> list[str]:
    """Return the words of a text in order, stemmed: of a compound its parts alone, of other scripts characters."""
    words: list[str] = []
    for piece in pieces(text):
        if is_cjk(piece):
            words += piece
        else:
            words += (part.casefold() for part in _INNER.findall(_POSSESSIVE.sub("", piece)))
    return _stem(words)


def _holds(words: list[str], run: list[str]) -> bool:
    size = len(run)
    return any(words[start : start + size] == run for start in range(len(words) - size + 1))


class Phrase:
    """A part of a query that a text must hold word for word, stop words too; forms of one stem are one word.

    It may be part of a path, an address, a version or an identifier, from one of its words to another. One with Han,
    Kana or Hangul may also stand inside a longer run of them, where no bigram begins or ends with it.
    """

    def __init__(self, text: str) -> None:
        self._run = _terms(text, frozenset())
        self._parts = _parts(text)
        self._folded = _folded(text) if _IS_CJK.search(_folded(text)) else ""

    @property
    def has_words(self) -> bool:
        """Whether it has any word."""
        return bool(self._parts)

    @property
    def sure_terms(self) -> frozenset[str]:
        """Index terms that every text which holds it has, but for stop words; not all that there are.

        A word beside Han, Kana or Hangul may be the end of a longer one in the text.
        """
        if self._folded:
            return frozenset(part for part in self._parts if _IS_CJK.match(part))
        return frozenset(self._parts)

    def is_in(self, text: str) -> bool:
        """Return whether a text holds it. One without any word is in every text."""
        if _holds(_terms(text, frozenset()), self._run):
            return True
        return self._folded in _folded(text) if self._folded else _holds(_parts(text), self._parts)


def first_person_words(text: str) -> int:
    """Count the words by which one who speaks of himself names himself, English and Chinese."""
    return len(_FIRST_PERSON_SMALL.findall(text.lower()) if text.isascii() else _FIRST_PERSON.findall(text))


def _folded(text: str) -> str:
    return " ".join(fold(unicodedata.normalize("NFKC", text)).casefold().split())


def phrases(text: str) -> list[str]:
    """Return the parts of a query in double quotes (straight, curly or corner), without them."""
    return [found.strip() for found in _QUOTED.findall(text) if found.strip()]
