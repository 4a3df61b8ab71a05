"""LanceDB in process, on disk."""

from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path

import lancedb
import pyarrow as pa

from benchmarks.peers.peer import WANTED, Found, Memory, Peer, Query, Search


class Lance:
    """One table; the owner is a column with a bitmap index, the vectors of the owner are looked at one by one."""

    told = f"lancedb {version('lancedb')}: bitmap index on owner and optimize() after the fill, prefilter, no ANN index"

    def __init__(self, folder: Path, dimension: int) -> None:
        self._schema = pa.schema(
            [
                pa.field("number", pa.int64()),
                pa.field("owner", pa.string()),
                pa.field("text", pa.string()),
                pa.field("vector", pa.list_(pa.float32(), dimension)),
            ]
        )
        self._table = lancedb.connect(folder).create_table("memories", schema=self._schema)

    def add(self, memories: Sequence[Memory]) -> None:
        """Add in one call."""
        rows = [
            {"number": memory.number, "owner": memory.owner, "text": memory.text, "vector": memory.vector}
            for memory in memories
        ]
        self._table.add(pa.Table.from_pylist(rows, schema=self._schema))

    def settle(self) -> None:
        """Join the fragments that single adds leave, and index the owner."""
        self._table.optimize()
        self._table.create_scalar_index("owner", index_type="BITMAP")

    def ways(self) -> Mapping[str, Search]:
        """Give the only one."""
        return {"": self._search}

    def close(self) -> None:
        """Nothing to close."""

    def _search(self, query: Query) -> list[Found]:
        search = self._table.search(query.vector).distance_type("dot").where(f"owner = '{query.owner}'", prefilter=True)
        rows = search.limit(WANTED).select(["number", "text", "_distance"]).to_list()
        return [Found(row["number"], row["text"]) for row in rows]


def open_peer(folder: Path, dimension: int) -> Peer:
    """Make an empty table."""
    return Lance(folder, dimension)
