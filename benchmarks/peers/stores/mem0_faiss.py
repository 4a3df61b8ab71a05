"""Mem0 over FAISS."""

from pathlib import Path

from benchmarks.peers.mem0 import Mem0
from benchmarks.peers.peer import Peer


def open_peer(folder: Path, dimension: int) -> Peer:
    """Make an empty memory."""
    return Mem0(folder, "faiss", {"embedding_model_dims": dimension, "distance_strategy": "cosine"})
