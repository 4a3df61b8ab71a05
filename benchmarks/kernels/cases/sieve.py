"""Which of 40 patterns may match a message, each by a hundred strings of which it needs one at the begin of a word."""

from collections.abc import Iterator

from benchmarks.kernels.case import Case, Size, chance
from brain_core.kernels import reference
from brain_core.kernels.sieve import Sieve

_PATTERNS, _WORDS, _LETTERS = 40, 100, 7
_TEXT = "what did we decide about the garden fence, and who wanted the old shed to go? 上周我们关于花园做了什么决定"


def cases(size: Size) -> Iterator[Case]:  # noqa: ARG001  a message is as long in a memory of any size
    """One message."""
    random = chance()
    drawn = random.integers(ord("a"), ord("z") + 1, (_PATTERNS, _WORDS, _LETTERS)).tolist()
    ways = [[[[("".join(map(chr, word)), 1, 0) for word in words]]] for words in drawn]
    compiled, twin = Sieve(), reference.sieve.Sieve()
    for of_one in ways:
        compiled.add(of_one)
        twin.add(of_one)
    told, every = f"{len(_TEXT)} characters", range(_PATTERNS)
    yield Case(
        "sieve.Sieve.add",
        f"{_WORDS} words, to none",
        lambda: Sieve().add(ways[0]),
        lambda: reference.sieve.Sieve().add(ways[0]),
    )
    yield Case("sieve.Sieve.possible", told, lambda: compiled.possible(_TEXT), lambda: twin.possible(_TEXT))
    yield Case(
        "sieve.Sieve.excludes",
        f"{told}, again, pattern by pattern",
        lambda: [compiled.excludes(_TEXT, each) for each in every],
        lambda: [twin.excludes(_TEXT, each) for each in every],
    )
