"""How many tokens a text costs a language model."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Protocol

from tokenizers import Tokenizer

from brain_core.errors import PolicyError
from brain_core.kernels.tokens import approx_tokens

APPROX = "approx"


class TokenCounter(Protocol):
    """Counts tokens. Safe for use from many threads."""

    @property
    def name(self) -> str:
        """Name that packages report; two counters of one name count alike."""

    def count(self, text: str) -> int:
        """Return the tokens of a text that stands on lines of its own.

        Of a text in parts of whole lines they are, in sum, at least those of the whole, line breaks included.
        """


class ApproxCounter:
    """Counts without a tokenizer, erring high."""

    @property
    def name(self) -> str:
        """The word that a policy names it by."""
        return APPROX

    def count(self, text: str) -> int:
        """Estimate the tokens of a text, as kernels.tokens tells.

        Calibrated against the WordPiece tokenizer of all-MiniLM-L6-v2 on realmem, memorybank, madial and cosqa;
        benchmarks/README.md says how far it errs on others.
        """
        return approx_tokens(text)


class ExactCounter:
    """Counts with a model's own tokenizer.json."""

    def __init__(self, file: Path) -> None:
        """Raise PolicyError if the file is no tokenizer."""
        try:
            content = file.read_bytes()
            self._tokenizer = Tokenizer.from_str(content.decode())
        except Exception as error:  # tokenizers raises a bare one
            raise PolicyError(
                f"policies.composition.tokenizer: {file}: {' '.join(str(error).split())[:200]}",
                field="policies.composition.tokenizer",
                value=file,
                limit='"approx", or the path of a tokenizer.json',
            ) from error
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


def make_counter(setting: str) -> TokenCounter:
    """Return the counter of a policy: "approx", or the path of a tokenizer.json. Raises PolicyError."""
    return ApproxCounter() if setting == APPROX else ExactCounter(Path(setting))
