"""What was made of texts, kept by the text: many short ones, a few long ones.

A cache counts its entries, not their size. One of 256 texts held 1.1 GB once each was ten thousand Chinese characters.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import lru_cache, wraps
from typing import Any, TypeVar, cast

_Making = TypeVar("_Making", bound=Callable[..., Any])

LONGEST_SHORT = 1_000
"""Characters."""
_LONG_TEXTS = 4


def remembered(most: int) -> Callable[[_Making], _Making]:
    """Have what a function makes of a text kept, of the newest `most` of up to LONGEST_SHORT characters.

    Of longer texts the newest few are kept, since whoever asks once soon asks again. The text comes first; what else
    is given, by place, must be hashable. Safe for use from many threads.
    """

    def remembering(make: _Making) -> _Making:
        of_short, of_long = lru_cache(most)(make), lru_cache(_LONG_TEXTS)(make)

        @wraps(make)
        def made(text: str, *rest: Hashable) -> Any:  # noqa: ANN401  as it is made
            return (of_short if len(text) <= LONGEST_SHORT else of_long)(text, *rest)

        return cast("_Making", made)

    return remembering
