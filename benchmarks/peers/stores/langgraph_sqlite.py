"""LangGraph's SqliteStore."""

from importlib.metadata import version
from pathlib import Path

from langgraph.store.sqlite import SqliteStore

from benchmarks.peers.given import GivenVectors
from benchmarks.peers.langgraph import LangGraph
from benchmarks.peers.peer import Peer
from benchmarks.peers.sqlite import connect


def open_peer(folder: Path, dimension: int) -> Peer:
    """Make an empty store."""
    given = GivenVectors()
    # It reads `text_fields`, where its documentation and InMemoryStore say `fields`; without it, it embeds the JSON.
    index = {"dims": dimension, "embed": given.embed, "text_fields": ["text"]}
    store = SqliteStore(connect(folder / "store.db"), index=index)
    store.setup()
    told = f"langgraph-checkpoint-sqlite {version('langgraph-checkpoint-sqlite')}: SqliteStore, WAL, synchronous OFF"
    return LangGraph(store, given, told)
