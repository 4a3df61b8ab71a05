"""Where in a text a few words would stand that are told instead of a part of it: "second floor" of "the third floor".

The part is one of the same kind of value, or shares words with what is told, or is spelled like it, or means much the
same sort of thing. Of two that fit alike, none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from functools import lru_cache

import numpy as np

from brain_core.extract.values import Value, fits, value_is, values
from brain_core.models.static import built_in
from brain_core.text.expression import Expression
from brain_core.text.language import has_han

Place = tuple[int, int]
"""[start, stop) in a text, characters."""

_WORD = Expression(r"[\u3400-\u9fff]|[A-Za-zÀ-ɏ0-9_@](?:[A-Za-zÀ-ɏ0-9_.@:/'’+#%&-]*[A-Za-zÀ-ɏ0-9_+#%])?")
_LONGEST = 5
"""Words, or Chinese characters, of what is told instead."""
_SPELLED_ALIKE = 0.65
_MEANT_ALIKE = 0.2
_CLEARLY = 0.1
"""By how much the part that is most like what is told must be more like it than any other."""


def value_place(text: str, new: Value) -> Value | None:
    """Return the one value of a text that a new one can take the place of."""
    found = [each for each in values(text) if fits(new, each) and not each.is_same(new)]
    return found[0] if len(found) == 1 else None


def place_of(text: str, new: str, *, by_meaning: bool) -> Place | None:
    """Return the part of a text that a few words take the place of, None where none or several would do.

    by_meaning: whether a part may be found that has nothing in common with them but its sort.
    """
    if new.casefold() in text.casefold() or value_is(new) is not None:
        return None
    by_form = (_with_common_words, _of_one_form, _counted, _spelled_alike)
    place = next((place for each in by_form if (place := _only(each(text, new)))), None)
    return place or (_only(_names(text, new)) or _meant_alike(text, new) if by_meaning else None)


def echoed(text: str, new: str, answer: str) -> Place | None:
    """Return the part of a text that a name takes the place of: the only name in it that was answered with.

    "Kotlin", of "We landed on Kotlin for the Android rewrite", where "Okay, Kotlin." was answered and "Flutter." said.
    """
    if _A_NAME.fullmatch(new) is None or new.casefold() in answer.casefold():
        return None
    names = (match.span() for match in _NAME_WITHIN.finditer(text))
    return _only(place for place in names if text[slice(*place)] in answer)


def has_grammar(new: str) -> bool:
    """Return whether a word of grammar stands among a few words: "live in Bergen" is more than a place."""
    return any(new[start:stop].casefold() in _GRAMMAR for start, stop in parts_of(new))


def is_marked(new: str) -> bool:
    """Return whether a few words are hardly said for anything but what they name: numbers, names of two words."""
    counts = not _NUMBERS.isdisjoint(new.casefold().split())
    return has_han(new) or counts or _MARKED.search(new) is not None or value_is(new) is not None


def _only(places: Iterable[Place]) -> Place | None:
    found = list(dict.fromkeys(places))
    return found[0] if len(found) == 1 else None


def parts_of(text: str) -> list[Place]:
    """Return the words of a text; Chinese by the character."""
    return [match.span() for match in _WORD.finditer(text)]


def _windows(text: str, size: int) -> Iterator[tuple[Place, tuple[str, ...]]]:
    parts = parts_of(text)
    for first in range(len(parts) - size + 1) if size else ():
        window = parts[first : first + size]
        yield (window[0][0], window[-1][1]), tuple(text[start:stop].casefold() for start, stop in window)


def _is_of_others(held: Sequence[str], new: str, text: str) -> bool:
    """Return whether a whole statement has other figures than what is told, and so is no slip of it."""
    return _is_all_of(text, held, _OPENS) and _FIGURE.findall(text) != _FIGURE.findall(new)


def _with_common_words(text: str, new: str) -> Iterator[Place]:
    """Yield the parts that differ from what is told in one word and share another: "year 5" of "year 6"."""
    told = [new[start:stop].casefold() for start, stop in parts_of(new)]
    if not 1 < len(told) <= _LONGEST:
        return
    for place, held in _windows(text, len(told)):
        apart = [(old, now) for old, now in zip(held, told, strict=True) if old != now]
        numbers = all(old[:1].isdigit() and now[:1].isdigit() for old, now in apart)
        if _names_another(held, told, text) or not (len(apart) == 1 or numbers):
            continue
        if all(_same_form(*each) for each in apart) and _name_the_same(held, told):
            yield place


def _names_another(held: Sequence[str], told: Sequence[str], text: str) -> bool:
    """Return whether a whole statement says of another thing what was told of one: "Room 13 is Anna's", of room 12."""
    opens = zip(held[:_OPENS], told[:_OPENS], strict=True)
    return _is_all_of(text, held, _OPENS + 1) and any(old != now and now[:1].isdigit() for old, now in opens)


def _is_all_of(text: str, held: Sequence[str], more_than: int) -> bool:
    """Return whether a window is a whole text, of more than so many words."""
    return more_than < len(held) == len(parts_of(text))


_OPENS = 2
"""Words of a statement, at its beginning, that may name by a number what it is about."""


def _name_the_same(held: Sequence[str], told: Sequence[str]) -> bool:
    """Return whether the words in common name something: a word of grammar does only where it counts, 三个 and 四个."""
    common = set(held) & set(told)
    return not common <= _GRAMMAR or (held[0] in _NUMERALS and told[0] in _NUMERALS)


def _same_form(old: str, new: str) -> bool:
    """Return whether both have figures, or neither has; and neither is a word of grammar."""
    return old[:1].isdigit() == new[:1].isdigit() and old not in _GRAMMAR and new not in _GRAMMAR


def _spelled_alike(text: str, new: str) -> Iterator[Place]:
    """Yield the parts that are spelled much like what is told, "Okafor" of "Okafour", those that are most like it.

    Of a statement other figures are no spelling: "Shelf 18 carries lamp18" is no slip of "Shelf 17 carries lamp17".
    """
    told = new.casefold()
    if len(told) < _SHORTEST and not has_han(new):
        return
    size = len(parts_of(new))
    alike = [
        (SequenceMatcher(None, text[slice(*place)].casefold(), told).ratio(), place)
        for place, words in _windows(text, size)
        if 0 < size <= _LONGEST and (words[0][0] == told[0] or has_han(new)) and not _is_of_others(words, new, text)
    ]
    best = max((ratio for ratio, _ in alike), default=0.0)
    if best >= _SPELLED_ALIKE:
        yield from (place for ratio, place in alike if ratio == best)


_SHORTEST = 3
_MARKED = Expression(r"\d|\b[A-Z][\w.]*[ -][A-Z]|[A-Z]{3}")
_NUMBERS = frozenset(
    (  # noqa: SIM905
        "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred first second "
        "third fourth fifth sixth seventh eighth ninth tenth half"
    ).split()
)
_NUMERALS = frozenset("零一二三四五六七八九十两0123456789")


def _of_one_form(text: str, new: str) -> Iterator[Place]:
    """Yield the words of a text that have other figures in the same places: "K3" of "K5"."""
    form = _FIGURE.sub("0", new.casefold())
    if "0" in form and len(parts_of(new)) == 1:
        yield from (place for place, (word,) in _windows(text, 1) if _FIGURE.sub("0", word) == form)


_FIGURE = Expression(r"\d")


def _counted(text: str, new: str) -> Iterator[Place]:
    """Yield the words of a text that say how many where a word alone does: "eleven" of "twelve"."""
    if new.casefold() in _NUMBERS:
        yield from (place for place, (word,) in _windows(text, 1) if word in _NUMBERS)


def _names(text: str, new: str) -> Iterator[Place]:
    """Yield the names of a text where a name is told: words with a capital that stand at no beginning."""
    if _NAME.fullmatch(new) is not None:
        yield from (match.span() for match in _NAME_WITHIN.finditer(text))


_NAME = Expression(r"[A-Z][\w-]+")
_A_NAME = Expression(r"(?:the )?[A-Z0-9][\w.&'’-]*(?: [A-Z][\w.&'’-]*){0,2}")
_NAME_WITHIN = Expression(r"(?<=[a-z0-9,] )(?:(?:Mrs?|Ms|Dr|Prof|St)\.? )?[A-Z][\w-]+(?: [A-Z][\w-]+)*")


def _meant_alike(text: str, new: str) -> Place | None:
    """Return the part that is clearly nearest to what is told in meaning."""
    sizes = range(1, min(len(parts_of(new)), 2) + 1) if not has_han(new) else range(1, _LONGEST + 1)
    places = [
        place
        for size in sizes
        for place, words in _windows(text, size)
        if words[0] not in _GRAMMAR and words[-1] not in _GRAMMAR
    ]
    if not places:
        return None
    like = _likeness(new, tuple(text[slice(*place)] for place in places))
    best = int(like.argmax())
    start, stop = places[best]
    others = [float(value) for value, place in zip(like, places, strict=True) if place[1] <= start or place[0] >= stop]
    clearly = like[best] >= _MEANT_ALIKE and like[best] - max(others, default=0.0) >= _CLEARLY
    again = text[start:stop].casefold() in new.casefold()  # "negative", of "O negative": what differs stands beside it
    return (start, stop) if clearly and not again else None


@lru_cache(maxsize=256)
def _likeness(new: str, parts: tuple[str, ...]) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    rows = built_in().embed([new, *parts])
    like: np.ndarray[tuple[int], np.dtype[np.float32]] = rows[1:] @ rows[0]
    return like


_GRAMMAR = frozenset(
    (  # noqa: SIM905
        "a an the my our your his her its their this that these those i we you he she it they me us is are was "
        "were be am been has have had do does did will would can could not no of to in on at for with by from as "
        "and or but so if who which what when where there here now just very too also im i'm i've we're it's "
        "that's 的 了 是 在 我 你 他 她 它 们 这 那 有 和 跟 与 就 都 也 很 不 没 吧 啊 "
        "呢 吗 把 被 对 从 到 给 要 会 能 说 个 号 点"
    ).split()
)
