"""A query over the rows of `bm25`, with words of like meaning and what was said around it."""

from collections.abc import Iterator

import numpy as np

from benchmarks.kernels.case import Case, Size
from benchmarks.kernels.cases.bm25 import K1, LEAST, SESSION_K1, WORDS, B, built, documents_of
from brain_core.kernels import reference
from brain_core.kernels.vocabulary import Vocabulary
from brain_core.kernels.words import Alike, ask

_OF_A_QUERY, _LIKE_IT, _COUNTED, _BESIDE = 8, 12, 4, 40


def cases(size: Size) -> Iterator[Case]:
    """All of it in one call."""
    documents = documents_of(size.rows)
    postings = built(documents)
    names = [f"word{number}" for number in range(WORDS)]
    places = np.unique(np.geomspace(3, WORDS - 1, _OF_A_QUERY).astype(int)).tolist()
    wanted = tuple(names[place] for place in places)
    likeness = (0.9 - 0.05 * step for step in range(_LIKE_IT))
    others = [((names[place * 7 % WORDS],), like) for place, like in enumerate(likeness, start=places[-2])]
    words = [((word,), tuple(others), False) for word in wanted]
    vocabulary, twin = Vocabulary(), reference.vocabulary.Vocabulary()
    for one in (vocabulary, twin):
        one.learn(names)
    bits = np.arange(len(wanted), dtype=np.int32)
    ready = tuple(Alike(*one) for one in words)
    query = (
        (0.3, _COUNTED, 0.6),
        [np.arange(100, 100 + _BESIDE, dtype=np.int32)],
        (0.7, _BESIDE),
        (1.0, K1, B, SESSION_K1),
        max(20_000, size.rows),
    )
    yield Case(
        "words.ask",
        f"{len(wanted)} words, as many like them, {_BESIDE} said around, over {size.rows:,} rows and their sessions",
        lambda: ask(postings, vocabulary, wanted, bits, ready, *query),
        lambda: reference.words.ask(documents, twin, wanted, bits, words, *query, LEAST),
    )
