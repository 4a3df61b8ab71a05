"""Whether documents tell of what a message asks, whatever it reads like: "my badge" may stand in a handbook."""

from __future__ import annotations

import numpy as np

from brain_core.index.lexical import Formula, places_in
from brain_core.index.memory_index import MemoryIndex

_LEAST_SHARE = 0.3  # of the weight of the message's words
_LEAST_KNOWN_SHARE = 0.5  # of those that any text has, if it has two of them: most pairs of Chinese characters are none


def documents_tell(index: MemoryIndex, message: str, formula: Formula) -> str:
    """Return in words why documents may answer a message; empty where they tell no more of it than all else does.

    They do where they are all that there is, or where one of their texts has more of its words than any other text.
    """
    of_documents, count = index.chunks.sections()
    if not count:
        return ""
    found, everything = index.chunks.found_by_default()
    if everything == count:
        return "documents are all that there is"
    lexical = index.lexical.score(message, formula)
    read = np.where(of_documents, lexical.rows, np.float32(0))
    said = np.where(found & (1 - of_documents), lexical.rows, np.float32(0))
    best = int(read.argmax())
    if read[best] <= said.max():
        return ""
    weights = lexical.weights.tolist()
    here, known = places_in(int(lexical.masks[best])), places_in(int(np.bitwise_or.reduce(lexical.masks)))
    weight = sum(weights[place] for place in here)
    enough = weight >= _LEAST_SHARE * sum(weights)
    if not enough and (len(here) < 2 or weight < _LEAST_KNOWN_SHARE * sum(weights[place] for place in known)):
        return ""
    rarest = max(here, key=weights.__getitem__)
    return f"documents have more of its words than what was said has, among them {lexical.terms[rarest]!r}"
