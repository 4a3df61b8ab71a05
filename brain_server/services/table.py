"""Which call of which service is answered by which verb of the brain."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import grpc
from smartbrain.v1 import (
    admin_service_pb2,
    brain_service_pb2,
    memory_service_pb2,
    resource_service_pb2,
    retrieval_service_pb2,
)
from smartbrain.v1.brain_service_pb2 import CommitTurnResponse, CommitTurnsRequest, CommitTurnsResponse
from smartbrain.v1.resource_service_pb2 import IngestDocumentRequest, IngestDocumentResponse

from brain_core import Brain
from brain_core.errors import BrainError, require
from brain_server.metrics import Metrics
from brain_server.services.calls import Called, Calls
from brain_server.status import Status
from brain_server.tokens import Tokens

SERVICES = (
    brain_service_pb2.DESCRIPTOR.services_by_name["BrainService"].full_name,
    memory_service_pb2.DESCRIPTOR.services_by_name["MemoryService"].full_name,
    retrieval_service_pb2.DESCRIPTOR.services_by_name["RetrievalService"].full_name,
    resource_service_pb2.DESCRIPTOR.services_by_name["ResourceService"].full_name,
    admin_service_pb2.DESCRIPTOR.services_by_name["AdminService"].full_name,
)


def handlers(
    brain: Brain, status: Status, metrics: Metrics, called: Called, tokens: Tokens
) -> list[grpc.GenericRpcHandler]:
    """Return the handlers of all services over a brain. Answers are counted in the metrics, ends told to `called`."""
    calls = Calls(called, tokens)
    unary, in_time, answers, requests = calls.unary, calls.in_time, calls.answers, calls.requests
    brain_calls = {
        "CommitTurn": unary(brain_service_pb2.CommitTurnRequest, partial(brain.commit_turn, seen=metrics.committed)),
        "CommitTurns": requests(CommitTurnsRequest, lambda stream: commit_turns(brain, stream, metrics)),
        "ComposeContext": in_time(
            brain_service_pb2.ComposeContextRequest, partial(brain.composed_bytes, seen=metrics.composed)
        ),
        "GetContext": unary(brain_service_pb2.GetContextRequest, brain.get_context),
        "ListContexts": unary(brain_service_pb2.ListContextsRequest, brain.list_contexts),
        "Replay": unary(brain_service_pb2.ReplayRequest, brain.replay),
        "ListMemories": calls.within_reach(brain_service_pb2.ListMemoriesRequest, brain.list_memories),
        "ListSessions": unary(brain_service_pb2.ListSessionsRequest, brain.list_sessions),
        "GetSession": unary(brain_service_pb2.GetSessionRequest, brain.get_session),
        "DeleteMemory": unary(brain_service_pb2.DeleteMemoryRequest, brain.delete_memory),
        "DeleteSession": unary(brain_service_pb2.DeleteSessionRequest, brain.delete_session),
        "DeleteTurn": unary(brain_service_pb2.DeleteTurnRequest, brain.delete_turn),
        "ListTurns": unary(brain_service_pb2.ListTurnsRequest, brain.list_turns),
    }
    memory_calls = {
        "ListItems": unary(memory_service_pb2.ListItemsRequest, brain.list_items),
        "GetItem": unary(memory_service_pb2.GetItemRequest, brain.get_item),
        "GetItemHistory": unary(memory_service_pb2.GetItemHistoryRequest, brain.item_history),
        "DiffItem": unary(memory_service_pb2.DiffItemRequest, brain.diff_item),
        "RollbackItem": unary(memory_service_pb2.RollbackItemRequest, brain.rollback_item),
        "GetCommit": unary(memory_service_pb2.GetCommitRequest, brain.get_commit),
    }
    retrieval_calls = {
        "Retrieve": calls.relayed(
            retrieval_service_pb2.RetrieveRequest, partial(brain.retrieved_bytes, seen=metrics.retrieved)
        )
    }
    resource_calls = {
        "IngestDocument": requests(IngestDocumentRequest, lambda stream: ingest_document(brain, stream)),
        "GetDocument": unary(resource_service_pb2.GetDocumentRequest, brain.get_document),
        "ListDocuments": unary(resource_service_pb2.ListDocumentsRequest, brain.list_documents),
        "DeleteDocument": unary(resource_service_pb2.DeleteDocumentRequest, brain.delete_document),
    }
    admin_calls = {
        "GetStatus": unary(admin_service_pb2.GetStatusRequest, lambda _: status.read()),
        "GetMetrics": unary(
            admin_service_pb2.GetMetricsRequest, lambda _: admin_service_pb2.GetMetricsResponse(text=metrics.text())
        ),
        "Verify": answers(admin_service_pb2.VerifyRequest, lambda request: brain.verify(request.memory_id)),
        "RebuildIndex": answers(
            admin_service_pb2.RebuildIndexRequest, lambda request: brain.rebuild_index(request.memory_id)
        ),
        "Backup": answers(admin_service_pb2.BackupRequest, brain.back_up),
    }
    of_services = (brain_calls, memory_calls, retrieval_calls, resource_calls, admin_calls)
    return [
        grpc.method_handlers_generic_handler(name, calls) for name, calls in zip(SERVICES, of_services, strict=True)
    ]


def ingest_document(brain: Brain, stream: Iterator[IngestDocumentRequest]) -> IngestDocumentResponse:
    """Take in the document of a stream: a header, then content, then its size."""
    first = next(stream, IngestDocumentRequest())
    require(first.HasField("header"), "requests[0]", first.WhichOneof("part") or "none", "a header", "is no header")
    return brain.ingest_document(first.header, _content(stream, first.header.states_size))


def _content(stream: Iterator[IngestDocumentRequest], states_size: bool) -> Iterator[bytes]:
    """Yield the content of a stream past its header; raise InvalidArgument if it is not all there.

    gRPC may end the stream of a cancelled call as that of a complete one: 50 of 800 were taken in by halves.
    """
    size, stated = 0, None
    for number, each in enumerate(stream, start=1):
        part = each.WhichOneof("part")
        require(part != "header", f"requests[{number}]", "header", "content", "is a header")
        require(stated is None, f"requests[{number}]", part, "nothing after size_bytes", "comes after the end")
        if part == "size_bytes":
            stated = each.size_bytes
        size += len(each.content)
        yield each.content
    if states_size or stated is not None:
        require(stated is not None, "size_bytes", "none", f"{size} bytes came", "the stream has broken off")
        require(stated == size, "size_bytes", stated, f"{size} bytes came", "is not what came")


def commit_turns(brain: Brain, stream: Iterator[CommitTurnsRequest], metrics: Metrics) -> CommitTurnsResponse:
    """Commit a stream of turns with one wait for the disk at its end, whether it ends well or not."""
    response = CommitTurnsResponse()
    written: list[str] = []

    def seen(committed: CommitTurnResponse) -> None:
        written.append(committed.turn_id)
        metrics.committed(committed)

    try:
        for each in stream:
            each.turn.ClearField("validate_only")
            committed = brain.commit_turn(each.turn, sync=False, seen=seen)
            response.committed += 1
            response.repeated = response.committed - len(written)
            response.revision = committed.revision
            response.turn_ids.append(committed.turn_id)
    except BrainError as error:
        place = f"requests[{response.committed}]"
        error.field = f"{place}.{error.field}".removesuffix(".")
        error.args = (f"{place}: {error}",)
        error.done = {"committed": response.committed, "repeated": response.repeated}
        raise
    finally:
        brain.sync()
    return response
