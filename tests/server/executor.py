"""A server of RetrievalService that answers as a test says, and packs to answer with."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import grpc
from smartbrain.v1.evidence_pb2 import Evidence, EvidencePack
from smartbrain.v1.plan_pb2 import RetrievalPlan
from smartbrain.v1.retrieval_service_pb2 import RetrieveRequest, RetrieveResponse

from brain_core import Brain, load_policy
from brain_core.policy import RemoteRow
from brain_server.executors import GrpcExecutor
from tests.building import embedder, ticking

PATIENT_MS = 20_000
"""A timeout that no healthy executor needs."""

Answer = Callable[[RetrieveRequest], bytes]


@dataclass
class Asked:
    """What came in, and when the server is to let go of calls that it holds."""

    requests: list[RetrieveRequest] = field(default_factory=list)
    metadata: list[dict[str, Any]] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)


@contextlib.contextmanager
def answering(target: str, answer: Answer, asked: Asked | None = None) -> Iterator[Asked]:
    """Run a server at an address that answers every Retrieve with these bytes."""
    seen = asked or Asked()

    def serve(raw: bytes, context: grpc.ServicerContext) -> bytes:
        request = RetrieveRequest.FromString(raw)
        seen.requests.append(request)
        seen.metadata.append(dict(context.invocation_metadata()))
        return answer(request)

    with ThreadPoolExecutor(16) as pool:
        server = grpc.server(pool, options=[("grpc.so_reuseport", 0), ("grpc.max_send_message_length", 1 << 28)])
        handler: Any = grpc.unary_unary_rpc_method_handler(serve)
        service = grpc.method_handlers_generic_handler("smartbrain.v1.RetrievalService", {"Retrieve": handler})
        server.add_generic_rpc_handlers([service])
        server.add_insecure_port(target)
        server.start()
        try:
            yield seen
        finally:
            seen.over.set()
            server.stop(0).wait()


def evidence(number: int = 0, text: str = "", **changes: Any) -> Evidence:  # noqa: ANN401
    """Return a good evidence of a document. changes: fields that differ."""
    one = Evidence(
        id=f"handbook:s{number}:0",
        kind="resource_section",
        document_id=f"handbook-{number}",
        section_id=f"s{number}",
        title=f"Handbook {number}",
        source_uri=f"https://wiki.example/handbook/{number}",
        source_type="url",
        snippet=text or f"Section {number} of the handbook: the kitchen closes at {number} o'clock.",
    )
    one.signals.rerank_score = max(0.0, 0.9 - number / 100)
    one.provenance.mode = "hybrid"
    for name, value in changes.items():
        setattr(one, name, value)
    return one


def packed(plan: RetrievalPlan, *evidences: Evidence) -> RetrieveResponse:
    """Return a good answer to a plan."""
    pack = EvidencePack(version="0.1", plan_id="p-1", request_id=plan.request_id, plan=plan, evidences=evidences)
    return RetrieveResponse(pack=pack, revision=1)


def bringing(*evidences: Evidence) -> Answer:
    """Return what answers every plan with these."""
    return lambda request: packed(request.plan, *evidences).SerializeToString()


@contextlib.contextmanager
def asking(folder: Path, *rows: dict[str, Any], **changes: dict[str, Any]) -> Iterator[Brain]:
    """Give a brain in a folder that asks the servers of these rows, over gRPC. changes: sections of the policy."""
    filled = [{"when": "always", "timeout_ms": PATIENT_MS, **row} for row in rows]
    policy = load_policy({"store": {"durability": "process"}, "resources": {"remote": filled}, **changes})
    executors = [GrpcExecutor(RemoteRow(**row)) for row in filled]
    try:
        with Brain.open(folder, policy, embedder(), ticking(), executors) as brain:
            yield brain
    finally:
        for executor in executors:
            executor.close()
