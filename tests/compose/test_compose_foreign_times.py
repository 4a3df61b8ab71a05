"""What a compose that asks others says of its time: each stage is its own span, and none is negative."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from smartbrain.v1.retrieval_service_pb2 import RetrieveRequest, RetrieveResponse

from tests.building import compose
from tests.compose.test_compose_foreign import QUESTION, Direct, Ready, opened
from tests.server.executor import evidence

WAIT_SECONDS = 0.05


class Slow(Direct):
    """An executor whose answer takes a while."""

    def start(self, request: RetrieveRequest, due: float) -> Ready:
        return Late(super().start(request, due).result(0))


class Late(Ready):
    """An answer that comes later."""

    def result(self, timeout: float) -> RetrieveResponse:
        time.sleep(WAIT_SECONDS)
        return super().result(timeout)


@pytest.mark.parametrize("count", [1, 2, 4])
def test_embedding_is_timed_by_itself_however_many_are_waited_for(folder: Path, count: int) -> None:
    others = [Slow(f"n{number}") for number in range(count)]
    for one in others:
        one.found = [evidence(1)]
    with opened(folder, *others) as brain:
        timings = compose(brain, "m", "s", QUESTION).debug.timings_ms
    assert all(spent >= 0 for spent in timings.values()), dict(timings)
    assert 0 < timings["embed"] < timings["total"] - count * WAIT_SECONDS * 1000
    assert timings[f"remote.n{count - 1}"] >= WAIT_SECONDS * 1000
