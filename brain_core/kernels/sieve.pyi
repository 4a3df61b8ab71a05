from collections.abc import Collection, Hashable, Mapping
from typing import Generic, TypeVar

Name = TypeVar("Name", bound=Hashable)

class Sieve(Generic[Name]):
    def __init__(self, lists: Mapping[Name, Collection[str]]) -> None: ...
    def lacking(self, text: str) -> set[Name]: ...
