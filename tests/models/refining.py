"""A brain whose documents get their lasting vectors in the background, for tests of the library."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from brain_core import Brain, load_policy
from brain_core.env import Env
from brain_core.index.derive import chunk_text
from brain_core.models.embedder import Embedder
from brain_core.store.log import scan_chunks
from tests.building import ticking
from tests.models.endpoint import Stub

_SECONDS = 30


def open_with(folder: Path, given: Embedder | Stub, env: Env | None = None, **changes: dict[str, Any]) -> Brain:
    """Open a brain with an embedder, or with the policy that names an endpoint."""
    if isinstance(given, Stub):
        policy = load_policy({"store": {"durability": "process"}, "embedder": given.policy, **changes})
        return Brain.open(folder, policy, env=env or ticking())
    return Brain.open(folder, load_policy({"store": {"durability": "process"}, **changes}), given, env or ticking())


def refined(brain: Brain) -> None:
    """Wait until no chunk waits any more."""
    deadline = time.monotonic() + _SECONDS
    while brain.status().chunks_to_refine:
        assert time.monotonic() < deadline, brain.status()
        time.sleep(0.01)


def vectors_of(brain: Brain, memory: str = "m") -> NDArray[np.float32]:
    """Return the stored vectors."""
    rows = [np.frombuffer(chunk.vector, dtype="<f2") for chunk in scan_chunks(brain._kv.snapshot(), memory)]
    return np.array(rows, dtype=np.float32)


def texts_of(brain: Brain, memory: str = "m") -> list[str]:
    """Return what the chunks are embedded by."""
    return [chunk_text(chunk) for chunk in scan_chunks(brain._kv.snapshot(), memory)]


def sound(brain: Brain) -> None:
    """Check store and indexes."""
    assert [problem for answer in brain.verify() for problem in answer.problems] == []
