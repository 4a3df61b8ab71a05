"""Arrays that grow: room to grow is asked of the system as zeros, which takes no memory before it is written to."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

_Kind = TypeVar("_Kind", bound=np.generic)

_SPARE = 8  # an eighth more than is needed


def with_room(array: NDArray[_Kind], least: int, at_first: int = 0) -> NDArray[_Kind]:
    """Return an array of `least` places or more: the given one, or one with its contents and room for an eighth more.

    at_first: room that is made at least. What is past the contents is 0.
    """
    if least <= len(array):
        return array
    longer = np.zeros((least + max(least // _SPARE, at_first), *array.shape[1:]), dtype=array.dtype)
    longer[: len(array)] = array
    return longer
