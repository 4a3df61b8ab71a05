"""Qdrant's Python client in local mode: NumPy in process, kept in SQLite."""

from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path

from qdrant_client import QdrantClient
from qdrant_client.models import Distance, FieldCondition, Filter, MatchValue, PointStruct, VectorParams

from benchmarks.peers.peer import WANTED, Found, Memory, Peer, Query, Search

_NAME = "memories"


class QdrantLocal:
    """One collection; the owner is payload."""

    told = f"qdrant-client {version('qdrant-client')}, local mode, filter on owner; it has no indexes there"

    def __init__(self, folder: Path, dimension: int) -> None:
        self._client = QdrantClient(path=str(folder))
        self._client.create_collection(_NAME, vectors_config=VectorParams(size=dimension, distance=Distance.DOT))

    def add(self, memories: Sequence[Memory]) -> None:
        """Upsert in one call."""
        points = [
            PointStruct(
                id=memory.number, vector=memory.vector.tolist(), payload={"owner": memory.owner, "text": memory.text}
            )
            for memory in memories
        ]
        self._client.upsert(_NAME, points)

    def settle(self) -> None:
        """Nothing to build."""

    def ways(self) -> Mapping[str, Search]:
        """Give the only one."""
        return {"": self._search}

    def close(self) -> None:
        """Close the client."""
        self._client.close()

    def _search(self, query: Query) -> list[Found]:
        owner = Filter(must=[FieldCondition(key="owner", match=MatchValue(value=query.owner))])
        answer = self._client.query_points(
            _NAME, query=query.vector.tolist(), query_filter=owner, limit=WANTED, with_payload=["text"]
        )
        return [Found(int(point.id), (point.payload or {})["text"]) for point in answer.points]


def open_peer(folder: Path, dimension: int) -> Peer:
    """Make an empty collection."""
    return QdrantLocal(folder, dimension)
