"""Requests in one line, and a brain in a folder, for tests of the library."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from google.protobuf.timestamp_pb2 import Timestamp
from numpy.typing import NDArray
from smartbrain.v1.brain_service_pb2 import CommitTurnRequest, ComposeContextRequest
from smartbrain.v1.context_pb2 import ContextPackage
from smartbrain.v1.event_pb2 import Message, Preference, TurnEvents
from smartbrain.v1.evidence_pb2 import EvidencePack
from smartbrain.v1.item_pb2 import ITEM_STATUS_ACTIVE, MemoryItem
from smartbrain.v1.plan_pb2 import PlanFilters, PlanQuery, RetrievalPlan
from smartbrain.v1.retrieval_service_pb2 import RetrieveRequest

from brain_core import Brain, load_policy
from brain_core.env import Env
from brain_core.kernels.vectors import expand, quantise
from brain_core.models.static import StaticEmbedder
from brain_core.store import items, keys, log

FIRST_SECOND = 1_700_000_000
"""When the clock of `ticking` begins, Unix seconds."""


@cache
def embedder() -> StaticEmbedder:
    """Return the built-in embedder, loaded once."""
    return StaticEmbedder()


def kept(vectors: NDArray[np.floating[Any]]) -> NDArray[np.float32]:
    """Return vectors as an index keeps them: of signed bytes."""
    rows = np.arange(len(vectors), dtype=np.int32)
    return expand(quantise(np.ascontiguousarray(vectors, dtype=np.float32)), rows)


def ticking() -> Env:
    """Return a clock that moves by a second whenever it is read, and ids that count."""
    seconds, ids = itertools.count(FIRST_SECOND), itertools.count(1)
    return Env(lambda: next(seconds) * 1_000_000, lambda: f"id-{next(ids)}")


class Clock:
    """A clock that stands until it is set, and ids that count. at: seconds after FIRST_SECOND."""

    def __init__(self) -> None:
        self.at = 0.0
        self._ids = itertools.count(1)

    def env(self) -> Env:
        """Return it as a brain has it."""
        return Env(lambda: int((FIRST_SECOND + self.at) * 1_000_000), lambda: f"id-{next(self._ids)}")


def open_by(clock: Clock, folder: Path) -> Brain:
    """Open the brain of a folder by a clock, not waiting for the disk."""
    return Brain.open(folder, load_policy({"store": {"durability": "process"}}), embedder(), clock.env())


def open_brain(folder: Path, **changes: dict[str, Any]) -> Brain:
    """Open the brain of a folder, not waiting for the disk. changes: sections of the policy."""
    policy = load_policy({"store": {"durability": "process"}, **changes})
    return Brain.open(folder, policy, embedder(), ticking())


_FRESH = map("m{}".format, itertools.count())


def fresh() -> str:
    """Return the name of a memory that no test of this process has used: for tests that share a brain."""
    return next(_FRESH)


def active(brain: Brain, memory: str, *less: str) -> list[MemoryItem]:
    """Return the active items of a memory, without those of some types."""
    found = (one for one in items.scan_items(brain._kv, memory) if one.status == ITEM_STATUS_ACTIVE)
    return [one for one in found if one.type not in less]


def follows(brain: Brain, memory_id: str) -> bool:
    """Return whether a memory's counters say what it holds at its revision, so that no list counts its rows."""
    space = log.read_space(brain._kv, memory_id)
    return space is not None and space.holdings.revision == brain._kv.revision(keys.memory(memory_id))


@pytest.fixture
def brain(folder: Path) -> Iterator[Brain]:
    """Give a brain in a folder of its own."""
    with open_brain(folder) as opened:
        yield opened


def second(seconds: float) -> Timestamp:
    """Return the time that many seconds after FIRST_SECOND."""
    at = Timestamp()
    at.FromMicroseconds(int((FIRST_SECOND + seconds) * 1_000_000))
    return at


def turn(memory: str, session: str, *, request_id: str = "", **parts: Any) -> CommitTurnRequest:  # noqa: ANN401
    """Return a commit of a turn. parts: fields of TurnEvents."""
    return CommitTurnRequest(memory_id=memory, session_id=session, request_id=request_id, turn=TurnEvents(**parts))


def say(memory: str, session: str, *texts: str, at: float | None = None) -> CommitTurnRequest:
    """Return a commit of what user and assistant say in turns. at: seconds after FIRST_SECOND."""
    roles = itertools.cycle(("user", "assistant"))
    when = None if at is None else second(at)
    messages = [Message(role=role, content=text, created_at=when) for role, text in zip(roles, texts, strict=False)]
    return turn(memory, session, messages=messages)


def pref(name: str, value: str, *, scope: str = "writing", confirmed: bool = True) -> Preference:
    """Return a preference that the user has stated, or that was inferred."""
    return Preference(scope=scope, name=name, value=value, confirmed=confirmed)


def plan(*texts: str, mode: str = "hybrid", filters: PlanFilters | None = None) -> RetrievalPlan:
    """Return a plan of one query per text. filters: of the whole plan."""
    return RetrievalPlan(queries=[PlanQuery(text=text, mode=mode) for text in texts], global_filters=filters)


def retrieve(brain: Brain, memory: str, asked: RetrievalPlan) -> EvidencePack:
    """Carry out a plan."""
    return brain.retrieve(RetrieveRequest(memory_id=memory, plan=asked)).pack


def found(brain: Brain, memory: str, text: str, *, mode: str = "hybrid", **filters: Any) -> list[str]:  # noqa: ANN401
    """Return the snippets that a one-query plan finds, best first. filters: fields of PlanFilters."""
    pack = retrieve(brain, memory, plan(text, mode=mode, filters=PlanFilters(**filters)))
    return [evidence.snippet for evidence in pack.evidences]


def compose(brain: Brain, memory: str, session: str, message: str, **fields: Any) -> ContextPackage:  # noqa: ANN401
    """Compose a context. fields: further ones of ComposeContextRequest."""
    request = ComposeContextRequest(memory_id=memory, session_id=session, user_message=message, **fields)
    return brain.compose_context(request).context
