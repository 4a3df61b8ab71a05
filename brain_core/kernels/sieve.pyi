from collections.abc import Collection, Hashable, Mapping
from typing import Generic, TypeVar

Name = TypeVar("Name", bound=Hashable)

class Sieve(Generic[Name]):
    def __init__(self, ways: Mapping[Name, Collection[Collection[Collection[tuple[str, int, int]]]]]) -> None: ...
    def found(self, text: str) -> set[Name]: ...
