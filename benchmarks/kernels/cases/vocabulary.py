"""Ids of the words of one text, in a memory that has met most words."""

from collections.abc import Iterator

from benchmarks.kernels.case import Case, Size, chance
from brain_core.kernels import reference
from brain_core.kernels.vocabulary import Vocabulary

_OF_A_TEXT = 40


def cases(size: Size) -> Iterator[Case]:
    """As many words as there are rows."""
    names = [f"word{number}" for number in range(size.rows)]
    text = [names[number] for number in chance().integers(0, size.rows, _OF_A_TEXT).tolist()]
    compiled, twin = Vocabulary(), reference.vocabulary.Vocabulary()
    for one in (compiled, twin):
        one.learn(names)
    told = f"{_OF_A_TEXT} words, {size.rows:,} known"
    yield Case(
        "vocabulary.Vocabulary.add",
        told,
        lambda: [compiled.add(word) for word in text],
        lambda: [twin.add(word) for word in text],
        calls=_OF_A_TEXT,
    )
    yield Case("vocabulary.Vocabulary.learn", told, lambda: compiled.learn(text), lambda: twin.learn(text))
    yield Case("vocabulary.Vocabulary.ids", told, lambda: compiled.ids(text), lambda: twin.ids(text))
