"""Which call of which service is answered by which verb of the brain."""

from __future__ import annotations

from collections.abc import Iterator

import grpc
from smartbrain.v1 import admin_service_pb2, brain_service_pb2, memory_service_pb2, retrieval_service_pb2
from smartbrain.v1.brain_service_pb2 import CommitTurnsRequest, CommitTurnsResponse

from brain_core import Brain
from brain_core.errors import BrainError
from brain_server.services.calls import answers, in_time, requests, unary
from brain_server.status import Status

SERVICES = (
    brain_service_pb2.DESCRIPTOR.services_by_name["BrainService"].full_name,
    memory_service_pb2.DESCRIPTOR.services_by_name["MemoryService"].full_name,
    retrieval_service_pb2.DESCRIPTOR.services_by_name["RetrievalService"].full_name,
    admin_service_pb2.DESCRIPTOR.services_by_name["AdminService"].full_name,
)


def handlers(brain: Brain, status: Status) -> list[grpc.GenericRpcHandler]:
    """Return the handlers of all services over a brain."""
    brain_calls = {
        "CommitTurn": unary(brain_service_pb2.CommitTurnRequest, brain.commit_turn),
        "CommitTurns": requests(CommitTurnsRequest, lambda stream: commit_turns(brain, stream)),
        "ComposeContext": in_time(brain_service_pb2.ComposeContextRequest, brain.compose_context),
        "GetContext": unary(brain_service_pb2.GetContextRequest, brain.get_context),
        "ListContexts": unary(brain_service_pb2.ListContextsRequest, brain.list_contexts),
        "Replay": unary(brain_service_pb2.ReplayRequest, brain.replay),
        "ListSessions": unary(brain_service_pb2.ListSessionsRequest, brain.list_sessions),
        "GetSession": unary(brain_service_pb2.GetSessionRequest, brain.get_session),
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
    retrieval_calls = {"Retrieve": in_time(retrieval_service_pb2.RetrieveRequest, brain.retrieve)}
    admin_calls = {
        "GetStatus": unary(admin_service_pb2.GetStatusRequest, lambda _: status.read()),
        "Verify": answers(admin_service_pb2.VerifyRequest, lambda request: brain.verify(request.memory_id)),
        "RebuildIndex": answers(
            admin_service_pb2.RebuildIndexRequest, lambda request: brain.rebuild_index(request.memory_id)
        ),
    }
    return [
        grpc.method_handlers_generic_handler(name, calls)
        for name, calls in zip(SERVICES, (brain_calls, memory_calls, retrieval_calls, admin_calls), strict=True)
    ]


def commit_turns(brain: Brain, stream: Iterator[CommitTurnsRequest]) -> CommitTurnsResponse:
    """Commit a stream of turns with one wait for the disk at its end, whether it ends well or not."""
    response = CommitTurnsResponse()
    try:
        for each in stream:
            each.turn.ClearField("validate_only")
            committed = brain.commit_turn(each.turn, sync=False)
            response.committed += 1
            response.revision = committed.revision
            response.turn_ids.append(committed.turn_id)
    except BrainError as error:
        place = f"requests[{response.committed}]"
        error.field = f"{place}.{error.field}".removesuffix(".")
        error.args = (f"{place}: {error}",)
        raise
    finally:
        brain.sync()
    return response
