"""Does a value say something else than another? Case, width, white space and closing punctuation do not count."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Mapping
from functools import lru_cache
from typing import Any

_EDGES = ".,;:!?\"'`()[]{}<>…。，、；：！？“”‘’（）《》「」『』【】〈〉~～·|*_"
_CJK_MARKS = str.maketrans(dict.fromkeys("。，、；：！？“”‘’（）《》「」『』【】〈〉…～·", " "))
_APOSTROPHE = re.compile(r"(?<=[a-z])’(?=[a-z])", re.IGNORECASE)
_PIECE = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]|[^\s\u3400-\u4dbf\u4e00-\u9fff]+")
_STOP = frozenset(
    # No word that turns a sentence round ("not", "no", "never", 不, 没) and none that may be a name or a unit.
    "a an the is are was were be been am of to in on at for and that this it its with as by from do does did so very "  # noqa: SIM905
    "really just please i'm it's that's 的 了 吧 呢 啊 呀 哦 嘛 是 就 也 很 请 把 被".split()
)
TURNS = frozenset(
    "no not never none neither nor nobody nothing nowhere without cannot don't doesn't didn't isn't aren't wasn't "  # noqa: SIM905
    "weren't won't wouldn't can't couldn't shan't shouldn't mustn't needn't haven't hasn't hadn't ain't dont doesnt "
    "didnt isnt arent wasnt werent wouldnt cant couldnt shouldnt havent hasnt hadnt 不 没 无 别 非 未".split()
)
"""Words that turn a sentence round."""

_OPENING = "\"'`([{"
_CLOSING = re.compile(r"(?:[.,;:!?)\]}…]|(?<!\d)[\"'`])+$")
"""Quotes after a number are feet and inches, minutes and seconds."""

_EMPTY = frozenset("an the please 的 了 吧 呢 啊 呀 哦 嘛 请".split())  # noqa: SIM905
"""Words without meaning: none that tells a direction, a degree or a time, and none that may be a name."""

_NUMBER = re.compile(r"[-+]?\d[\d.,:/%-]*")


def _folded(text: str) -> str:
    return _APOSTROPHE.sub("'", unicodedata.normalize("NFKC", text).casefold()).translate(_CJK_MARKS)


@lru_cache(maxsize=1024)
def tokens(text: str) -> tuple[str, ...]:
    """Return what counts in a text, in order: folded words and Han characters without stop words.

    A text of nothing but stop words has them all.
    """
    folded = _folded(text)
    pieces = [piece.strip(_EDGES) for piece in _PIECE.findall(folded)]
    pieces = [piece for piece in pieces if piece]
    return tuple(piece for piece in pieces if piece not in _STOP) or tuple(pieces)


def said(text: str) -> tuple[str, ...]:
    """Return all that may matter in a text, in order: folded words and Han characters, signs among them.

    Left out are quotes, brackets and closing punctuation around a word, and words without any meaning of their own.
    """
    folded = _folded(text)
    pieces = [_CLOSING.sub("", piece.lstrip(_OPENING)) for piece in _PIECE.findall(folded)]
    return tuple(piece for piece in pieces if piece and piece not in _EMPTY) or tokens(text)


def same(old: object, new: object) -> bool:
    """Return whether two JSON values are of the same thing: stop words do not count. Lists are compared in order."""
    return _equal(old, new, tokens)


def restated(old: object, new: object) -> bool:
    """Return whether a JSON value says no more and no less than another: a sign or a small word may turn it round."""
    return _equal(old, new, said)


def _equal(old: object, new: object, words: Callable[[str], tuple[str, ...]]) -> bool:
    if isinstance(old, str) and isinstance(new, str):
        return old == new or (words(old) == words(new) and bool(words(old)))
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        return all(_equal(old.get(name), new.get(name), words) for name in {*old, *new})
    if isinstance(old, list) and isinstance(new, list):
        return len(old) == len(new) and all(_equal(one, other, words) for one, other in zip(old, new, strict=True))
    return old == new


def changed(old: Mapping[str, Any], new: Mapping[str, Any], quiet: Collection[str]) -> list[str]:
    """Return the names of fields that say something else, in order; fields that are quiet never do."""
    names = sorted({*old, *new} - {*quiet})
    return [name for name in names if not restated(old.get(name), new.get(name))]


def likeness(one: str, other: str) -> float:
    """Return the share of the words of two texts that both have, 0..1."""
    first, second = _words(one), _words(other)
    return len(first & second) / len(first | second) if first and second else 0.0


def opposed(one: str, other: str, least: float) -> bool:
    """Return whether two texts are alike but for numbers or negations, of which they have others."""
    turns, other_turns = _turns(one), _turns(other)
    if turns == other_turns:
        return False
    rest, other_rest = _words(one) - turns, _words(other) - other_turns
    if min(len(rest), len(other_rest)) < 2:
        return False
    return len(rest & other_rest) / len(rest | other_rest) >= least


@lru_cache(maxsize=4096)
def _words(text: str) -> frozenset[str]:
    return frozenset(tokens(text))


@lru_cache(maxsize=4096)
def _turns(text: str) -> frozenset[str]:
    """Return the numbers and negations of a text."""
    return frozenset(word for word in _words(text) if word in TURNS or _NUMBER.fullmatch(word))
