"""Chroma in process, on disk."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import chromadb
from chromadb.config import Settings

from benchmarks.peers.peer import WANTED, Found, Memory, Peer, Query, Search


class Chroma:
    """One collection; the owner is metadata."""

    told = f"chromadb {chromadb.__version__}: PersistentClient, its HNSW with defaults, `where` owner"

    def __init__(self, folder: Path) -> None:
        self._client = chromadb.PersistentClient(str(folder), settings=Settings(anonymized_telemetry=False))
        self._collection = self._client.create_collection(
            "memories", configuration={"hnsw": {"space": "ip"}}, embedding_function=None
        )

    def add(self, memories: Sequence[Memory]) -> None:
        """Add in one call."""
        self._collection.add(
            ids=[str(memory.number) for memory in memories],
            embeddings=[memory.vector for memory in memories],
            documents=[memory.text for memory in memories],
            metadatas=[{"owner": memory.owner} for memory in memories],
        )

    def settle(self) -> None:
        """Nothing to build."""

    def ways(self) -> Mapping[str, Search]:
        """Give the only one."""
        return {"": self._search}

    def close(self) -> None:
        """Close the client."""
        self._client.close()

    def _search(self, query: Query) -> list[Found]:
        answer = self._collection.query(
            query_embeddings=[query.vector], n_results=WANTED, where={"owner": query.owner}, include=["documents"]
        )
        rows = zip(answer["ids"][0], answer["documents"][0], strict=True)
        return [Found(int(number), text) for number, text in rows]


def open_peer(folder: Path, dimension: int) -> Peer:  # noqa: ARG001
    """Make an empty collection, which takes its dimension from the first vector."""
    return Chroma(folder)
