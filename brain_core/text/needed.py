"""What every match of a regular expression needs: strings, some of them beside the edge of a word or of the text.

An expression has ways to match, each with demands, and of each demand one string must stand in the text: a text that
meets no way whole needs no search. They are read off the tree that `re` parses an expression into. Whatever is not
known to need something needs nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import chain
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any, NamedTuple

ANYWHERE, OF_A_WORD, OF_THE_TEXT = 0, 1, 2
"""What stands beside a string: anything; no character of a word; none of one between it and the end of the text."""

FIGURE = "0"
"""Stands for any decimal digit."""

_MOST_STRINGS = 50  # that a part may be, one by one
_MOST_WAYS = 12
_WIDEST_RANGE = 32  # of characters, as in [0-9]
_LONGEST_COUNTED = 4  # letters, beyond which a string is rare enough
_RARE = 2  # letters of a string that is worth looking for beside others
_REMEMBERED = 1024  # sets of strings: a branch stands beside what its row has
_NUL = 0
_EDGE = chr(_NUL)  # within strings, where \b stands; the character itself is taken for any


class Needed(NamedTuple):
    """A string, and which edge it begins and ends at: ANYWHERE, OF_A_WORD or OF_THE_TEXT."""

    text: str
    begins: int = ANYWHERE
    ends: int = ANYWHERE


Demand = frozenset[Needed]
"""Strings, one of which must be there."""
Way = frozenset[Demand]
"""All of its demands must be met."""

_REPEATS = (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT)
_BEGINNINGS = (op.AT_BEGINNING, op.AT_BEGINNING_STRING)
_ENDS = (op.AT_END, op.AT_END_STRING)


def needed(pattern: str) -> frozenset[Way]:
    """Return the ways in which an expression can match, of no flags but (?x); none where one of them needs nothing."""
    tree = _parser.parse(pattern)
    if tree.state.flags & ~(_parser.SRE_FLAG_UNICODE | _parser.SRE_FLAG_VERBOSE):
        return frozenset()
    ways = _ways(_Row(_items(tree)), _MOST_WAYS)
    if frozenset() in ways:
        return frozenset()
    alone = [way for way in ways if len(way) == 1]
    together = frozenset(chain.from_iterable(chain.from_iterable(alone)))
    rest = [way for way in ways if len(way) > 1]
    return frozenset([*rest, frozenset([together])] if alone else rest)


class _Item:
    """A node of the tree, its groups without flags of their own opened; letters in a row are one.

    least, most: how often it stands there, where it is repeated. rows: what is repeated, or branches.
    """

    def __init__(self, code: Any, given: Any) -> None:  # noqa: ANN401  as of the parser, but a string for a LITERAL
        self.code, self.given = code, given
        self.least = self.most = 1
        self.rows: list[list[_Item]] = []
        if code is op.BRANCH:
            self.rows = [_items(branch) for branch in given[1]]
        elif code in _REPEATS:
            self.least, self.most, repeated = given
            self.rows = [_items(repeated)]
        self.strings = self._each()
        """All that it can be, None where that is too many."""

    @property
    def is_once(self) -> bool:
        """Whether it is one of its rows, once."""
        return bool(self.rows) and self.least == self.most == 1

    def _each(self) -> frozenset[str] | None:
        if self.code is op.LITERAL:
            return frozenset([self.given])
        if self.code is op.IN:
            return _characters(self.given)
        if self.code in (op.ASSERT, op.ASSERT_NOT):
            return frozenset([""])
        if self.code is op.AT and self.given is op.AT_BOUNDARY:
            return frozenset([_EDGE])
        if self.rows and self.most == 1:
            return _all([*map(_of_row, self.rows), *([] if self.least else [frozenset([""])])])
        return None

    @cached_property
    def is_apart(self) -> bool:
        """Whether it is one character that is of no word, or several such."""
        if self.code is op.LITERAL:
            return not is_of_a_word(self.given[0])
        if self.code is op.IN:
            return _are_apart(self.given)
        return self.code in _REPEATS and all(one.is_apart for one in self.rows[0])

    @cached_property
    def has_width(self) -> bool:
        """Whether it surely has a character, of what is apart."""
        return self.least > 0 and (not self.rows or any(one.has_width for one in self.rows[0]))


_Items = Sequence[_Item]


def _items(tree: _parser.SubPattern) -> list[_Item]:
    found: list[_Item] = []
    run, of_words = "", False
    for code, given in _opened(tree):
        if code is not op.LITERAL or given == _NUL:
            other = _Item(op.ANY if code is op.LITERAL else code, given)
            found += [_letters(run), other] if run else [other]
            run = ""
            continue
        letter, is_of_words = _letter(given)
        if run and is_of_words is not of_words:
            found.append(_letters(run))
            run = ""
        run, of_words = run + letter, is_of_words
    return [*found, _letters(run)] if run else found


def _opened(tree: _parser.SubPattern) -> list[tuple[Any, Any]]:
    """Return nodes, those of groups in the place of the groups."""
    if not any(code is op.SUBPATTERN or code is op.ATOMIC_GROUP for code, _ in tree.data):
        return list(tree.data)
    found: list[tuple[Any, Any]] = []
    for code, given in tree.data:
        if code is op.SUBPATTERN and not (given[1] or given[2]):
            found += _opened(given[3])
        elif code is op.ATOMIC_GROUP:
            found += _opened(given)
        else:
            found.append((code, given))
    return found


@lru_cache(maxsize=_REMEMBERED)
def _letters(text: str) -> _Item:
    return _Item(op.LITERAL, text)


@lru_cache(maxsize=_REMEMBERED)
def _letter(code_point: int) -> tuple[str, bool]:
    """Return a letter, and whether it is of a word."""
    letter = _figure(chr(code_point))
    return letter, is_of_a_word(letter)


_ANYTHING: _Items = (_Item(op.ANY, None),)


class _Row(NamedTuple):
    """Items one after the other. before, after: what stands around them, which only tells where edges are."""

    items: _Items
    before: _Items = ()
    after: _Items = _ANYTHING

    def around(self, place: int, items: _Items) -> _Row:
        """Return items that stand in one place, alone."""
        return _Row(items, [*self.before, *self.items[:place]], [*self.items[place + 1 :], *self.after])

    def with_branch(self, place: int, items: _Items) -> _Row:
        """Return all, with items in one place."""
        return self._replace(items=[*self.items[:place], *items, *self.items[place + 1 :]])

    def up_to(self, place: int) -> _Row:
        """Return what stands before a place, of which it is not known what comes after it."""
        return self._replace(items=self.items[:place], after=_ANYTHING)

    def demand(self, strings: frozenset[str], first: int, stop: int) -> Iterator[Demand]:
        """Yield what strings demand that stand for some of the items, if they demand something."""
        if all(one.strip(_EDGE) for one in strings):
            begins = _edge([*self.items[:first][::-1], *self.before[::-1]], _BEGINNINGS)
            ends = _edge([*self.items[stop:], *self.after], _ENDS)
            yield _shortest(_placed(one, begins, ends) for one in strings)


def _ways(row: _Row, most: int) -> set[Way]:
    """Return the ways in which a row can match, at most so many: beyond, branches are demands of one way."""
    demands: set[Demand] = set()
    branches: list[tuple[int, int]] = []
    first, strings = 0, frozenset([""])
    for place, item in enumerate(row.items):
        part = item.strings
        if part is not None and len(strings) * len(part) <= _MOST_STRINGS:
            strings = _joined(strings, part)
            continue
        demands.update(_before(row, place, strings, first))
        first, strings = (place, part) if part is not None else (place + 1, frozenset([""]))
        if part is None and item.is_once:
            branches.append((len(item.rows), place))
    demands.update(row.demand(strings, first, len(row.items)))
    if branches:
        count, place = max(branches)
        if count <= most:
            each = [row.with_branch(place, branch) for branch in row.items[place].rows]
            return {way for one in each for way in _ways(one, most // count)}
    for _, place in branches:
        each = [row.around(place, branch) for branch in row.items[place].rows]
        demands.update(_either(way for one in each for way in _ways(one, 1)))
    return {_rare(demands)}


def _before(row: _Row, place: int, strings: frozenset[str], first: int) -> Iterator[Demand]:
    """Yield what strings before an item demand, and what the first of several times demands that it stands there."""
    item = row.items[place]
    if not item.least or item.most == 1:
        yield from row.demand(strings, first, place)
        return
    once = _of_row(item.rows[0])
    if once is not None and len(strings) * len(once) <= _MOST_STRINGS:
        yield from row.up_to(place).demand(_joined(strings, once), first, place)
        return
    yield from row.demand(strings, first, place)
    yield from _either(_ways(row.up_to(place).around(place, item.rows[0]), 1))


def _of_row(items: _Items) -> frozenset[str] | None:
    strings = frozenset([""])
    for item in items:
        part = item.strings
        if part is None or len(strings) * len(part) > _MOST_STRINGS:
            return None
        strings = _joined(strings, part)
    return strings


def _joined(strings: frozenset[str], others: frozenset[str]) -> frozenset[str]:
    return frozenset([one + other for one in strings for other in others])


def _all(found: Iterable[frozenset[str] | None]) -> frozenset[str] | None:
    every: set[str] = set()
    for one in found:
        if one is None or len(every) + len(one) > _MOST_STRINGS:
            return None
        every |= one
    return frozenset(every)


def _figure(character: str) -> str:
    return FIGURE if character.isdecimal() else character


def _characters(given: list[tuple[Any, Any]]) -> frozenset[str] | None:
    found: set[str] = set()
    for code, each in given:
        if code is op.LITERAL:
            found.add(_figure(chr(each)))
        elif code is op.RANGE and each[1] - each[0] < _WIDEST_RANGE:
            found.update(_figure(chr(number)) for number in range(each[0], each[1] + 1))
        elif code is op.CATEGORY and each is op.CATEGORY_DIGIT:
            found.add(FIGURE)
        else:
            return None
    return None if _EDGE in found else frozenset(found)


def _placed(string: str, begins: int, ends: int) -> Needed:
    """Return a string with its edges: where it begins or ends a word, those marked or of what stands around it."""
    text = string.replace(_EDGE, "")
    first, last = is_of_a_word(text[0]), is_of_a_word(text[-1])
    begins = max(begins, OF_A_WORD if string[0] == _EDGE else ANYWHERE) if first else ANYWHERE
    return Needed(text, begins, max(ends, OF_A_WORD if string[-1] == _EDGE else ANYWHERE) if last else ANYWHERE)


def is_of_a_word(character: str) -> bool:
    """Return whether words are made of a character, as expressions see it."""
    return character.isalnum() or character == "_"


def _edge(items: _Items, ends: Sequence[Any]) -> int:
    """Return which edge stands where items begin, seen along them. ends: what stands for that of the text."""
    apart = ANYWHERE
    for place, item in enumerate(items):
        if item.code is op.AT and (item.given in ends or item.given is op.AT_BOUNDARY):
            return OF_THE_TEXT if item.given in ends else OF_A_WORD
        if item.code in (op.AT, op.ASSERT, op.ASSERT_NOT):
            continue
        if item.is_apart:
            apart = OF_A_WORD if item.has_width else apart
            continue
        if apart or not item.rows:
            return apart
        rest = items[place + 1 :] if item.most == 1 else []
        once = [_edge([*(row if ends is _ENDS else row[::-1]), *rest], ends) for row in item.rows]
        return min([*once, *([] if item.least else [_edge(items[place + 1 :], ends)])])
    return apart


def _are_apart(given: list[tuple[Any, Any]]) -> bool:
    """Return whether no character of a set is of a word."""
    if given[0][0] is op.NEGATE:
        return (op.CATEGORY, op.CATEGORY_WORD) in given
    characters = _characters([one for one in given if one[0] is not op.CATEGORY])
    kinds = {each for code, each in given if code is op.CATEGORY}
    return (
        characters is not None
        and not any(map(is_of_a_word, characters))
        and kinds <= {op.CATEGORY_SPACE, op.CATEGORY_NOT_WORD}
    )


def _shortest(strings: Iterable[Needed]) -> Demand:
    """Return strings without those that are there only where another is."""
    every = frozenset(strings)
    return every if len(every) == 1 else _without_longer(every)


@lru_cache(maxsize=_REMEMBERED)
def _without_longer(strings: frozenset[Needed]) -> Demand:
    kept: dict[str, set[tuple[int, int]]] = {}
    sizes: dict[int, None] = {}
    found: list[Needed] = []
    for one in sorted(strings, key=lambda each: (len(each.text), each.begins + each.ends, each)):
        text, last = one.text, len(one.text)
        spans = [(start, start + size) for size in sizes for start in range(last - size + 1)]
        parts = [(start, stop) for start, stop in spans if text[start:stop] in kept]
        if not any(_holds(one, kept[text[start:stop]], start, stop) for start, stop in parts):
            kept.setdefault(text, set()).add((one.begins, one.ends))
            sizes[last] = None
            found.append(one)
    return frozenset(found)


def _holds(one: Needed, edges: Iterable[tuple[int, int]], start: int, stop: int) -> bool:
    """Return whether a part of a string has some of the edges, or ones further in."""
    begins = one.begins if start == 0 else OF_A_WORD if not is_of_a_word(one.text[start - 1]) else ANYWHERE
    ends = one.ends if stop == len(one.text) else OF_A_WORD if not is_of_a_word(one.text[stop]) else ANYWHERE
    return any(first <= begins and last <= ends for first, last in edges)


def _either(ways: Iterable[Way]) -> Iterator[Demand]:
    """Yield the one demand that is met in whichever way, if there is one: of each way its rarest."""
    rarest = [max(way, key=_rarity, default=None) for way in ways]
    if None not in rarest:
        yield _shortest(chain.from_iterable(one for one in rarest if one is not None))


def _rare(demands: Collection[Demand]) -> Way:
    """Return those demands that few texts meet, at least the rarest."""
    rare = frozenset(one for one in demands if _rarity(one)[0] >= _RARE)
    return rare or frozenset(sorted(demands, key=lambda one: (_rarity(one), sorted(one)))[-1:])


@lru_cache(maxsize=_REMEMBERED)
def _rarity(demand: Demand) -> tuple[int, int]:
    """Return what is greater of what fewer texts meet: by the shortest string, a Chinese character as two letters."""
    return min(min(_LONGEST_COUNTED, len(one.text) * (1 if one.text.isascii() else 2)) for one in demand), -len(demand)
