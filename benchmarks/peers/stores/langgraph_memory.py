"""LangGraph's InMemoryStore."""

from importlib.metadata import version
from pathlib import Path

from langgraph.store.memory import InMemoryStore

from benchmarks.peers.given import GivenVectors
from benchmarks.peers.langgraph import LangGraph
from benchmarks.peers.peer import Peer


def open_peer(folder: Path, dimension: int) -> Peer:  # noqa: ARG001
    """Make an empty store."""
    given = GivenVectors()
    store = InMemoryStore(index={"dims": dimension, "embed": given.embed, "fields": ["text"]})
    told = f"langgraph-checkpoint {version('langgraph-checkpoint')}: InMemoryStore; keeps nothing on disk"
    return LangGraph(store, given, told)
