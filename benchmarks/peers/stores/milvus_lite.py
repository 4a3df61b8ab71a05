"""Milvus Lite: the engine in a process that the client starts, over a file."""

from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path

from pymilvus import DataType, MilvusClient

from benchmarks.peers.peer import WANTED, Found, Memory, Peer, Query, Search

_NAME = "memories"
_LONGEST_TEXT = 4096  # bytes; a memory has at most 600 characters


class MilvusLite:
    """One collection; the owner is a field that the filter names."""

    told = f"milvus-lite {version('milvus-lite')} through pymilvus {version('pymilvus')}: AUTOINDEX, filter on owner"

    def __init__(self, folder: Path, dimension: int) -> None:
        self._client = MilvusClient(str(folder / "milvus.db"))
        schema = MilvusClient.create_schema(auto_id=False)
        schema.add_field("number", DataType.INT64, is_primary=True)
        schema.add_field("owner", DataType.VARCHAR, max_length=64)
        schema.add_field("text", DataType.VARCHAR, max_length=_LONGEST_TEXT)
        schema.add_field("vector", DataType.FLOAT_VECTOR, dim=dimension)
        index = MilvusClient.prepare_index_params()
        index.add_index("vector", index_type="AUTOINDEX", metric_type="IP")
        self._client.create_collection(_NAME, schema=schema, index_params=index)

    def add(self, memories: Sequence[Memory]) -> None:
        """Insert in one call."""
        rows = [
            {"number": memory.number, "owner": memory.owner, "text": memory.text, "vector": memory.vector}
            for memory in memories
        ]
        self._client.insert(_NAME, rows)

    def settle(self) -> None:
        """Flush, which seals and indexes what was inserted."""
        self._client.flush(_NAME)

    def ways(self) -> Mapping[str, Search]:
        """Give the only one."""
        return {"": self._search}

    def close(self) -> None:
        """Stop the engine."""
        self._client.close()

    def _search(self, query: Query) -> list[Found]:
        [hits] = self._client.search(
            _NAME,
            data=[query.vector],
            filter=f'owner == "{query.owner}"',
            limit=WANTED,
            output_fields=["text"],
            consistency_level="Strong",
        )
        return [Found(hit["number"], hit["entity"]["text"]) for hit in hits]


def open_peer(folder: Path, dimension: int) -> Peer:
    """Make an empty collection."""
    return MilvusLite(folder, dimension)
