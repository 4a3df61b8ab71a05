"""How many tokens a text costs a language model."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Protocol

from tokenizers import Tokenizer

from brain_core.errors import PolicyError, shorten
from brain_core.kernels.tokens import WordPieces

APPROX = "approx"

TOKEN = 100
"""Weight of a token: weights are whole hundredths, so that estimates add up before they are rounded."""

_VOCABULARY = Path(__file__).parents[1] / "models" / "static-minilm-384" / "tokenizer.json"
_OWN = 29_036
"""Entries of that vocabulary that are its tokenizer's; whole words were added behind them for the table's sake."""


@cache
def _word_pieces() -> WordPieces:
    vocabulary: dict[str, int] = json.loads(_VOCABULARY.read_bytes())["model"]["vocab"]
    return WordPieces(piece for piece, place in vocabulary.items() if place < _OWN)


class TokenCounter(Protocol):
    """Counts tokens. Safe for use from many threads."""

    @property
    def name(self) -> str:
        """Name that packages report; two counters of one name count alike."""

    def count(self, text: str) -> int:
        """Return the tokens of a text that stands on lines of its own.

        Of a text in parts of whole lines they are, in sum, at least those of the whole, line breaks included.
        """

    def weigh(self, text: str) -> int:
        """Return the same in hundredths, not yet rounded up where the counter estimates: sums of it may be instead."""

    def weigh_within(self, text: str) -> int:
        """Return the most, in hundredths, that a text without a line end adds to a line that it stands in."""


class ApproxCounter:
    """Counts without the model's own tokenizer, erring high."""

    def __init__(self) -> None:
        self._pieces = _word_pieces()

    @property
    def name(self) -> str:
        """The word that a policy names it by, and which way of estimating it is."""
        return f"{APPROX}-3"

    def count(self, text: str) -> int:
        """Estimate the tokens of a text and of the line break before it, as kernels.tokens tells.

        benchmarks/notes/packages.md says how far it errs beside the tokenizers of several models.
        """
        return whole_tokens(self.weigh(text))

    def weigh(self, text: str) -> int:
        """Estimate them in hundredths."""
        return self._pieces.weigh(f"\n{text}") if text else 0

    def weigh_within(self, text: str) -> int:
        """Estimate what a text adds to a line."""
        return self._pieces.weigh(text)


class ExactCounter:
    """Counts with a model's own tokenizer.json."""

    def __init__(self, file: Path) -> None:
        """Raise PolicyError if the file is no tokenizer."""
        try:
            content = _content(file)
            self._tokenizer = Tokenizer.from_str(content.decode())
        except Exception as error:  # tokenizers raises a bare one
            raise _refused(str(file), " ".join(str(error).split())[:200]) from error
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        self._name = f"{file.name}:{hashlib.sha256(content).hexdigest()[:12]}"

    @property
    def name(self) -> str:
        """File name and the first digits of its SHA-256."""
        return self._name

    def count(self, text: str) -> int:
        """Return the tokens of a text and of the line break before it, without those that a chat template adds.

        A break costs byte-level tokenizers a token, and many have another one for a word that begins a text than for
        the same word on a new line.
        """
        return len(self._tokenizer.encode(f"\n{text}", add_special_tokens=False).ids) if text else 0

    def weigh(self, text: str) -> int:
        """Return the same in hundredths: these are whole."""
        return TOKEN * self.count(text)

    def weigh_within(self, text: str) -> int:
        """Return what a text would be on a line of its own: a tokenizer tells nothing of parts."""
        return self.weigh(text)


def whole_tokens(weight: int) -> int:
    """Return the whole tokens that a weight comes to, rounded up."""
    return -(-weight // TOKEN)


def make_counter(setting: str) -> TokenCounter:
    """Return the counter of a policy: "approx", or the path of a tokenizer.json. Raises PolicyError."""
    if not setting.strip():
        raise _refused(setting, "names no file")
    return ApproxCounter() if setting == APPROX else ExactCounter(Path(setting))


def _content(file: Path) -> bytes:
    if not file.is_file():  # a pipe or a device may have no end
        raise FileNotFoundError("there is no such file")
    return file.read_bytes()


def _refused(setting: str, why: str) -> PolicyError:
    limit = '"approx", or the path of a tokenizer.json'
    return PolicyError(
        f"policies.composition.tokenizer: {shorten(setting, 300)!r}: {why} (limit: {limit})",
        field="policies.composition.tokenizer",
        value=setting,
        limit=limit,
    )
