"""`python -m benchmarks.quality.train_query --data DIR …`: find what all texts share.

See benchmarks/notes/embedding.md.

Half a minute. Of the texts of conversations that may teach (../shared/data/README.md): realmem, cosqa, memorybank.
"""

import argparse
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from smartbrain.conversations import load_conversations

from brain_core.models.static import BUILT_IN, built_in
from brain_core.models.wordwise import SHARED, Shared, write_shared

TEXTS = 6000
"""Of each data set, evenly spread."""
AXES = 8
"""All 384 do the same."""
HELD = 30.0
"""A direction that is so many times as strong as the mean one is halved."""


def main() -> None:
    """Read texts, write the directions."""
    chosen = _parser().parse_args()
    write_shared(shared(np.concatenate([_vectors(folder) for folder in chosen.data])), chosen.out)


def shared(vectors: NDArray[np.float32]) -> Shared:
    """Return the strongest principal directions of float32[n, d], uncentred, and what a query loses of each."""
    strengths, axes = np.linalg.eigh(vectors.T @ vectors / len(vectors))
    strongest = strengths[::-1][:AXES] / (HELD * strengths.mean())
    shares = 1 - 1 / (1 + strongest)
    return Shared(np.ascontiguousarray(axes[:, ::-1][:, :AXES].T, dtype=np.float32), shares.astype(np.float32))


def _vectors(folder: Path) -> NDArray[np.float32]:
    [file] = folder.glob("conversations.jsonl*")
    texts = [
        f"{turn.speaker}: {turn.text}"
        for one in load_conversations(file)
        for session in one.sessions
        for turn in session.turns
    ]
    return built_in().embed(texts[:: max(1, len(texts) // TEXTS)])


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.quality.train_query", description=__doc__)
    parser.add_argument("--data", type=Path, action="append", required=True, metavar="DIR", help="folder; repeatable")
    parser.add_argument("--out", type=Path, default=BUILT_IN / SHARED, help="file; default: the built-in one")
    return parser


if __name__ == "__main__":
    main()
