"""A server whose planner asks a language model: the deadline of a client, one that leaves, and what the status says."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest
from smartbrain.v1.admin_service_pb2 import GetMetricsRequest, GetStatusRequest

from tests.clients.command import Brain as Command
from tests.models.chat_endpoint import MODEL, ChatStub, chat_endpoint
from tests.planning.advised import says, section, texts
from tests.server.asking import commit, compose
from tests.serving import Server, start_server

QUESTION = "what did I say about the roof? 屋顶怎么说的？"


@pytest.fixture
def chat() -> Iterator[ChatStub]:
    with chat_endpoint() as running:
        says(running, expansions=["roof", "屋顶"])
        yield running


@pytest.fixture
def server(folder: Path, chat: ChatStub) -> Iterator[Server]:
    """Give a server of one worker, which whoever is waited for holds up."""
    planner = section(chat.url, timeout_ms=60_000, reserve_ms=1000)
    running = start_server(folder, config=json.dumps({"planner": planner, "server": {"workers": 1}}))
    try:
        with running.stubs() as stubs:
            stubs.brain.CommitTurn(commit("m", "s", "The roof leaks. 屋顶漏了。"))
        yield running
    finally:
        chat.behaviour.gate.set()
        assert running.terminate() == 0


def test_a_call_without_a_deadline_is_advised(server: Server) -> None:
    with server.stubs() as stubs:
        package = stubs.brain.ComposeContext(compose("m", "s", QUESTION)).context
    assert {("roof", 0.6), ("屋顶", 0.6)} <= set(texts(package))


def test_a_deadline_too_near_for_model_and_search_is_met_by_rules(server: Server, chat: ChatStub) -> None:
    with server.stubs() as stubs:
        package = stubs.brain.ComposeContext(compose("m", "s", QUESTION), timeout=60).context
        page = stubs.admin.GetMetrics(GetMetricsRequest()).text
    assert chat.behaviour.requests == []
    assert "ms are left, it is given 60000 and the search 1000; planned by rules" in package.debug.planner.reason
    assert package.evidence or package.recent_turns
    assert list(package.debug.degraded) == ["llm_planner"]
    assert 'smartbrain_left_out_total{call="ComposeContext",what="llm_planner"} 1.0' in page


def test_a_client_that_leaves_is_not_waited_for(server: Server, chat: ChatStub) -> None:
    chat.behaviour.gate.clear()
    with server.stubs() as stubs:
        call = stubs.brain.ComposeContext.future(compose("m", "s", QUESTION))
        assert chat.behaviour.entered.wait(30)
        with pytest.raises(grpc.RpcError) as held:
            stubs.admin.GetStatus(GetStatusRequest(), timeout=0.2)
        assert held.value.code() == grpc.StatusCode.DEADLINE_EXCEEDED, "the one worker waits"
        call.cancel()
        status = stubs.admin.GetStatus(GetStatusRequest(), timeout=15)
        assert not chat.behaviour.gate.is_set()
    assert (status.planner.calls, status.planner.failures, status.planner.state) == (1, 0, "ready")


def test_the_status_command_names_it(server: Server, chat: ChatStub) -> None:
    told = Command(server.target)("status")
    assert f"llm planner {MODEL} at {chat.url}: untried, 0 of 0 calls failed" in told
