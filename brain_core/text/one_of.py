"""Strings of which every match of a regular expression has one: a text without any of them needs no search.

They are read off the tree that `re` parses an expression into. Whatever is not known to need something needs nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any, NamedTuple

_MOST_STRINGS = 300  # that a part may be, one by one
_WIDEST_RANGE = 32  # of characters, as in [0-9]
_LONGEST_COUNTED = 4  # code points, beyond which a string is rare enough


class _Part(NamedTuple):
    """Of a part of an expression: all that it can be, and what it needs; None where neither can be told."""

    exact: frozenset[str] | None
    needs: frozenset[str] | None


_UNKNOWN = _Part(None, None)
_NO_WIDTH = _Part(frozenset([""]), None)


def one_of(pattern: str) -> frozenset[str]:
    """Return strings of which every match of an expression without flags has one; none where that cannot be told."""
    tree = _parser.parse(pattern)
    if tree.state.flags & ~_parser.SRE_FLAG_UNICODE:
        return frozenset()
    return _row(tree).needs or frozenset()


def _row(tree: Iterable[tuple[Any, Any]]) -> _Part:
    """Return what parts are that stand one after the other."""
    exact, needs, whole = frozenset([""]), None, True
    for code, given in tree:
        part = _part(code, given)
        if part.exact is not None and len(exact) * len(part.exact) <= _MOST_STRINGS:
            exact = frozenset(one + other for one in exact for other in part.exact)
            continue
        needs, whole = _rarer(needs, _needs_of(exact), part.needs), False
        exact = part.exact or frozenset([""])
    return _Part(exact if whole else None, _rarer(needs, _needs_of(exact)))


def _part(code: Any, given: Any) -> _Part:  # noqa: ANN401  a node of the tree
    known = _KNOWN.get(code)
    return _UNKNOWN if known is None else known(given)


def _characters(given: list[tuple[Any, Any]]) -> _Part:
    found: set[str] = set()
    for code, each in given:
        if code is op.LITERAL:
            found.add(chr(each))
        elif code is op.RANGE and each[1] - each[0] < _WIDEST_RANGE:
            found.update(map(chr, range(each[0], each[1] + 1)))
        else:
            return _UNKNOWN
    return _Part(frozenset(found), frozenset(found))


def _one_of(given: tuple[Any, list[Any]]) -> _Part:
    parts = [_row(branch) for branch in given[1]]
    exact, needs = (_all(part[place] for part in parts) for place in (0, 1))
    return _Part(exact if exact is not None and len(exact) <= _MOST_STRINGS else None, needs)


def _repeated(given: tuple[int, int, Any]) -> _Part:
    least, most, tree = given
    part = _row(tree)
    if least:
        return part if most == 1 else _Part(None, part.needs)
    return _Part(part.exact | {""}, None) if most == 1 and part.exact is not None else _UNKNOWN


def _all(found: Iterable[frozenset[str] | None]) -> frozenset[str] | None:
    known = list(found)
    return None if None in known else frozenset().union(*(one for one in known if one is not None))


def _needs_of(exact: frozenset[str]) -> frozenset[str] | None:
    return None if "" in exact else exact


def _rarer(*choices: frozenset[str] | None) -> frozenset[str] | None:
    """Return of what is needed the one choice whose shortest string is longest; of equals the one with fewest."""
    return max(filter(None, choices), key=lambda one: (min(_LONGEST_COUNTED, *map(len, one)), -len(one)), default=None)


_KNOWN: dict[Any, Callable[[Any], _Part]] = {
    op.LITERAL: lambda given: _Part(frozenset([chr(given)]), frozenset([chr(given)])),
    op.IN: _characters,
    op.SUBPATTERN: lambda given: _UNKNOWN if given[1] or given[2] else _row(given[3]),  # with flags of its own
    op.ATOMIC_GROUP: _row,
    op.BRANCH: _one_of,
    op.MAX_REPEAT: _repeated,
    op.MIN_REPEAT: _repeated,
    op.POSSESSIVE_REPEAT: _repeated,
    **dict.fromkeys((op.AT, op.ASSERT, op.ASSERT_NOT), lambda _: _NO_WIDTH),
}
