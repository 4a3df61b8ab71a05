"""stub"""

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Section:
    title: str
    path: tuple[str, ...]
    text: str
    page: int = 0
    start: int = 0


@dataclass(frozen=True, slots=True)
class Reading:
    media_type: str
    title: str
    tags: tuple[str, ...]
    sections: Iterator[Section]
    warnings: list[str]
