"""The floor: each owner's vectors in an array, all of them looked at. Nothing is written to disk."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from benchmarks.peers.peer import WANTED, Found, Memory, Peer, Query, Search


class ExactNumpy:
    """Owners by name."""

    told = f"NumPy {np.__version__}: a dictionary of owners, brute force over float32; keeps nothing on disk"

    def __init__(self, dimension: int) -> None:
        self._dimension = dimension
        self._owners: dict[str, _Owner] = {}

    def add(self, memories: Sequence[Memory]) -> None:
        """Append."""
        for memory in memories:
            self._owners.setdefault(memory.owner, _Owner(self._dimension)).add(memory)

    def settle(self) -> None:
        """Nothing to build."""

    def ways(self) -> Mapping[str, Search]:
        """Give the only one."""
        return {"": self._search}

    def close(self) -> None:
        """Nothing to write."""

    def _search(self, query: Query) -> list[Found]:
        owner = self._owners[query.owner]
        cosines = owner.vectors[: len(owner.found)] @ query.vector
        return [owner.found[row] for row in np.argsort(-cosines, kind="stable")[:WANTED]]


class _Owner:
    """One owner's memories; the array doubles when it is full."""

    def __init__(self, dimension: int) -> None:
        self.vectors = np.empty((64, dimension), dtype=np.float32)
        self.found: list[Found] = []

    def add(self, memory: Memory) -> None:
        if len(self.found) == len(self.vectors):
            self.vectors = np.concatenate([self.vectors, np.empty_like(self.vectors)])
        self.vectors[len(self.found)] = memory.vector
        self.found.append(Found(memory.number, memory.text))


def open_peer(folder: Path, dimension: int) -> Peer:  # noqa: ARG001
    """Make an empty one."""
    return ExactNumpy(dimension)
