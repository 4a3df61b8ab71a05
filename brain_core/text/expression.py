"""Regular expressions that are compiled at first use: hundreds of them cost half a second of a start together."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any


class Expression:
    """What `re.compile(source, flags)` gives, compiled once one of its methods is asked for.

    One that does not compile raises re.error then. It is not taken by the functions of `re`.
    """

    search: Callable[..., re.Match[str] | None]
    match: Callable[..., re.Match[str] | None]
    fullmatch: Callable[..., re.Match[str] | None]
    finditer: Callable[..., Iterator[re.Match[str]]]
    findall: Callable[..., list[Any]]
    split: Callable[..., list[str]]
    sub: Callable[..., str]
    groups: int
    groupindex: dict[str, int]

    def __init__(self, pattern: str, flags: int = 0) -> None:
        self.pattern = pattern
        self.flags = flags

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  whatever it is of the compiled one
        compiled = re.compile(self.pattern, self.flags)
        for each in Expression.__annotations__:
            setattr(self, each, getattr(compiled, each))
        return getattr(compiled, name)
