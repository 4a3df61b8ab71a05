"""sqlite-vec: a virtual table of SQLite whose vectors lie together by owner."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import sqlite_vec

from benchmarks.peers.peer import WANTED, Found, Memory, Peer, Query, Search
from benchmarks.peers.sqlite import connect


class SqliteVec:
    """One table; the owner is its partition key."""

    told = f"sqlite-vec {sqlite_vec.__version__}: vec0 with partition key, brute force inside it, WAL, synchronous OFF"

    def __init__(self, folder: Path, dimension: int) -> None:
        self._connection = connect(folder / "memories.db")
        self._connection.execute(
            "CREATE VIRTUAL TABLE memories USING vec0(number INTEGER PRIMARY KEY, owner TEXT PARTITION KEY, "
            f"vector FLOAT[{dimension}] DISTANCE_METRIC=cosine, +text TEXT)"
        )

    def add(self, memories: Sequence[Memory]) -> None:
        """Insert in one transaction."""
        rows = [(memory.number, memory.owner, memory.vector.tobytes(), memory.text) for memory in memories]
        self._connection.execute("BEGIN")
        self._connection.executemany("INSERT INTO memories(number, owner, vector, text) VALUES (?, ?, ?, ?)", rows)
        self._connection.execute("COMMIT")

    def settle(self) -> None:
        """Nothing to build."""

    def ways(self) -> Mapping[str, Search]:
        """Give the only one."""
        return {"": self._search}

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def _search(self, query: Query) -> list[Found]:
        rows = self._connection.execute(
            "SELECT number, text FROM memories WHERE owner = ? AND vector MATCH ? AND k = ? ORDER BY distance",
            (query.owner, query.vector.tobytes(), WANTED),
        )
        return [Found(number, text) for number, text in rows]


def open_peer(folder: Path, dimension: int) -> Peer:
    """Make an empty table."""
    return SqliteVec(folder, dimension)
