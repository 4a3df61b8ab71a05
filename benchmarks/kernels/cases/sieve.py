"""Which of 40 patterns may match a message, each by a hundred strings of which it needs one at the begin of a word."""

from collections.abc import Iterator

from benchmarks.kernels.case import Case, Size, chance
from brain_core.kernels import reference
from brain_core.kernels.sieve import Sieve

_LISTS, _WORDS, _LETTERS = 40, 100, 7
_TEXT = "what did we decide about the garden fence, and who wanted the old shed to go? 上周我们关于花园做了什么决定"


def cases(size: Size) -> Iterator[Case]:  # noqa: ARG001  a message is as long in a memory of any size
    """One message."""
    random = chance()
    drawn = random.integers(ord("a"), ord("z") + 1, (_LISTS, _WORDS, _LETTERS)).tolist()
    ways = {name: [[[("".join(map(chr, word)), 1, 0) for word in words]]] for name, words in enumerate(drawn)}
    compiled, twin = Sieve(ways), reference.sieve.Sieve(ways)
    told = f"{len(_TEXT)} characters"
    yield Case("sieve.Sieve.found", told, lambda: compiled.found(_TEXT), lambda: twin.found(_TEXT))
