"""What a message wants: the first sign that applies, weighed with what the whole message reads like.

The sign is a feature among the message's words and what it means, the vector of the built-in table; beside these, small
filters hear the words in their order, those of like meaning alike. How far a sign is to be believed was learned on
messages that the writers of the signs had not seen (`benchmarks/quality/linear`).
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from brain_core.compose.planner.tells import Said, Sign, Tells, may_hold
from brain_core.models.static import built_in
from brain_core.text.classifier import Classifier
from brain_core.text.convolution import Convolution, read_convolution
from brain_core.text.linear import read_linear

FILTERS = Path(__file__).parent / "intent_filters.safetensors"
"""The weights of the filters, of both languages, which the package has."""

_END = 160
"""Code points of each end of a message that are weighed."""


def intent_of(said: Said, tells: Tells) -> tuple[str, str]:
    """Return (intent, what decided: the words of a sign, or that the message reads like it)."""
    for one in tells.sure if may_hold(said, tells.of_signs) else ():
        if settles := one.words(said):
            return one.intent, _told(one, settles)
    text, named, by_sign, words = weighed(said, tells)
    if not said.words:
        return by_sign, words
    embedder = built_in()
    intent, likely = _classifier(tells.language).likeliest(text, named, embedder.vector(text), embedder.tokens(text))
    return intent, words if intent == by_sign else f"{intent}: reads like it ({likely:.2f})"


def weighed(said: Said, tells: Tells) -> tuple[str, tuple[str, ...], str, str]:
    """Return (text and named features that the classifier sees, intent by the first sign that applies, its words)."""
    plain = said.plain
    text = plain if len(plain) <= 2 * _END else f"{plain[:_END]}\n{plain[-_END:]}"
    for number, one in enumerate(tells.signs if may_hold(said, tells.of_signs) else ()):
        words = one.words(said)
        if words:
            named = (f"sign:{one.intent}", f"sign:{tells.language}:{number}")
            return text, named, one.intent, _told(one, words)
    return text, ("sign:none",), "other", "neither a question nor a request"


def _told(sign: Sign, words: str) -> str:
    return f"{sign.intent}: {words[:60]!r}"


def weights_of(language: str) -> Path:
    """Return the file of a language's weights, which the package has."""
    return Path(__file__).parent / f"intent_{language}.safetensors"


@lru_cache(maxsize=2)
def _classifier(language: str) -> Classifier:
    return Classifier(read_linear(weights_of(language)), _filters())


@lru_cache(maxsize=1)
def _filters() -> Convolution:
    return read_convolution(FILTERS, built_in().token_vectors)
