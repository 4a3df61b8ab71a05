"""Short texts out of long ones."""

import re

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n+")
_MARKUP = re.compile(r"[*_`#>|]+|\[\d+\]|https?://\S+")


def sentences(text: str) -> list[str]:
    """Return the sentences of 4 to 25 words, without their markup."""
    found = (" ".join(_MARKUP.sub(" ", one).split()) for one in _SENTENCE_END.split(text))
    return [one for one in found if 4 <= one.count(" ") + 1 <= 25]
