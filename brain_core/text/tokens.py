"""How many tokens a text costs a language model, without its tokenizer."""

from __future__ import annotations

import math
import re

COUNTER = "approx"
"""Name of this counter, as packages report it."""

_PIECE = re.compile(r"(_[A-Za-z]+|[A-Z][a-z]+|[a-z]+|[A-Z]+)|(\d+)|(\s+)|(.)", re.DOTALL)
_SHORT_WORD = 6
_PER_LETTER = 0.3
_PER_DIGIT = 0.45
_IN_IDENTIFIER = 1.6
_MARGIN = 1.07


def count(text: str) -> int:
    """Estimate the tokens of a text, erring high.

    A word of up to six letters counts 1 and each further letter 0.3; the parts of snake_case 0.6 more; numbers 1 and
    0.45 per further digit; every other visible character 1 (so one Chinese character is one token); white space
    nothing; 7 % on top. Calibrated against the WordPiece tokenizer of all-MiniLM-L6-v2 on realmem, memorybank, madial
    and cosqa: benchmarks/quality/README says how far it errs on texts it was not calibrated on.
    """
    if not text:
        return 0
    total = 0.0
    for word, digits, _, other in _PIECE.findall(text):
        if word:
            total += _IN_IDENTIFIER if word[0] == "_" else 1.0
            total += max(len(word) - _SHORT_WORD, 0) * _PER_LETTER
        elif digits:
            total += 1.0 + (len(digits) - 1) * _PER_DIGIT
        elif other:
            total += 1.0
    return math.ceil(total * _MARGIN) if total else 0
