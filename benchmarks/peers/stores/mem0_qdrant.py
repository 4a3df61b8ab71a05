"""Mem0 over Qdrant's local mode, which is its default."""

from pathlib import Path

from benchmarks.peers.mem0 import Mem0
from benchmarks.peers.peer import Peer


def open_peer(folder: Path, dimension: int) -> Peer:
    """Make an empty memory."""
    return Mem0(folder, "qdrant", {"embedding_model_dims": dimension, "on_disk": True})
