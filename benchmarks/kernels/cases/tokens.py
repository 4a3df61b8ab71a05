"""The tokens of a long text."""

from collections.abc import Iterator

from benchmarks.kernels.case import Case, Size
from brain_core.kernels import reference
from brain_core.kernels.tokens import WordPieces

_TEXT = "We decided to use `retry_with_backoff` in HTTPClient from 2026-03-01 on. 我们决定从三月开始用新的客户端。\n"


def cases(size: Size) -> Iterator[Case]:
    """English, Chinese and code, a line for every ten candidates."""
    text = _TEXT * max(1, size.candidates // 10)
    vocabulary = {word[:length] for word in _TEXT.lower().split() for length in (1, 3, 5)}
    vocabulary |= {f"##{piece}" for piece in vocabulary}
    compiled, twin = WordPieces(vocabulary), reference.tokens.WordPieces(vocabulary)
    yield Case(
        "tokens.WordPieces.weigh",
        f"{len(text):,} characters",
        lambda: compiled.weigh(text),
        lambda: twin.weigh(text),
    )
