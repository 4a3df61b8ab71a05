"""Which of 40 patterns may match a message, each by a hundred strings of which it needs one."""

from collections.abc import Iterator

from benchmarks.kernels.case import Case, Size, chance
from brain_core.kernels import reference
from brain_core.kernels.word_lists import WordLists

_LISTS, _WORDS, _LETTERS = 40, 100, 7
_TEXT = "what did we decide about the garden fence, and who wanted the old shed to go? 上周我们关于花园做了什么决定"


def cases(size: Size) -> Iterator[Case]:  # noqa: ARG001  a message is as long in a memory of any size
    """One message."""
    random = chance()
    drawn = random.integers(ord("a"), ord("z") + 1, (_LISTS, _WORDS, _LETTERS)).tolist()
    lists = [{"".join(map(chr, word)) for word in words} for words in drawn]
    compiled, twin = WordLists(), reference.word_lists.WordLists()
    for words in lists:
        compiled.add(words)
        twin.add(words)
    told, every, some = f"{len(_TEXT)} characters", range(_LISTS), lists[0]
    yield Case(
        "word_lists.WordLists.add",
        f"{len(some)} words, to none",
        lambda: WordLists().add(some),
        lambda: reference.word_lists.WordLists().add(some),
    )
    yield Case(
        "word_lists.WordLists.lacks",
        f"{told}, again, list by list",
        lambda: [compiled.lacks(_TEXT, each) for each in every],
        lambda: [twin.lacks(_TEXT, each) for each in every],
    )
