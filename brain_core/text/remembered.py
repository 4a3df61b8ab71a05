"""What was made of texts, kept by the text: many short ones, a few long ones.

A cache counts its entries, not their size. One of 256 texts held 1.1 GB once each was ten thousand Chinese characters.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import lru_cache, wraps
from typing import Any, TypeVar, cast

_Making = TypeVar("_Making", bound=Callable[..., Any])

LONGEST_SHORT = 1_000
"""Characters."""
LONG_CHARACTERS = 32_000
"""Of the long texts that are kept together; the newest is kept whatever its size."""


def remembered(most: int) -> Callable[[_Making], _Making]:
    """Have what a function makes of a text kept, of the newest `most` of up to LONGEST_SHORT characters.

    Of longer texts the newest are kept that have LONG_CHARACTERS together, since whoever asks once soon asks again. The
    text comes first; what else is given, by place, must be hashable. Safe for use from many threads.
    """

    def remembering(make: _Making) -> _Making:
        of_short, of_long = lru_cache(most)(make), _LongTexts(make)

        @wraps(make)
        def made(text: str, *rest: Hashable) -> Any:  # noqa: ANN401  as it is made
            return (of_short if len(text) <= LONGEST_SHORT else of_long)(text, *rest)

        return cast("_Making", made)

    return remembering


class _LongTexts:
    """What was made of long texts, the newest last."""

    def __init__(self, make: Callable[..., Any]) -> None:
        self._make = make
        self._kept: OrderedDict[tuple[str, Hashable], Any] = OrderedDict()
        self._characters = 0
        self._lock = threading.Lock()

    def __call__(self, text: str, *rest: Hashable) -> Any:  # noqa: ANN401  as it is made
        key = text, rest
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        made = self._make(text, *rest)
        with self._lock:
            if key not in self._kept:
                self._kept[key] = made
                self._characters += len(text)
                while self._characters > LONG_CHARACTERS and len(self._kept) > 1:
                    (gone, _), _ = self._kept.popitem(last=False)
                    self._characters -= len(gone)
        return made
