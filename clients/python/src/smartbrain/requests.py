"""From what a caller writes to the messages on the wire; shared by the synchronous and the asynchronous client.

Whatever cannot be put into a message (a wrong type, an unknown key, a time without a zone) raises InvalidArgument, as
the server would for what it refuses; `fields.py` says how.
"""

import logging
import uuid
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

from smartbrain.chat import REASONING, MessageLike, read_chat
from smartbrain.errors import InvalidArgument
from smartbrain.fields import filled, timestamp, unfit
from smartbrain.v1.admin_service_pb2 import BackupRequest
from smartbrain.v1.brain_service_pb2 import (
    AgentState,
    CommitTurnRequest,
    CommitTurnsRequest,
    ComposeContextRequest,
    DeleteMemoryRequest,
    DeleteSessionRequest,
    DeleteTurnRequest,
    WaitLevel,
)
from smartbrain.v1.event_pb2 import TurnEvents
from smartbrain.v1.item_pb2 import AsOf, ItemStatus
from smartbrain.v1.memory_service_pb2 import GetItemRequest, ListItemsRequest, RollbackItemRequest
from smartbrain.v1.plan_pb2 import PlanQuery, RetrievalPlan
from smartbrain.v1.resource_service_pb2 import DeleteDocumentRequest, GetDocumentRequest, ListDocumentsRequest
from smartbrain.v1.retrieval_service_pb2 import RetrieveRequest

_log = logging.getLogger("smartbrain")

Moment = int | datetime
"""A revision, or an aware datetime."""


def commit_request(
    memory_id: str,
    session_id: str,
    messages: Iterable[MessageLike] | TurnEvents,
    *,
    request_id: str | None,
    wait_level: WaitLevel.ValueType,
    validate_only: bool,
    timezone: str,
) -> CommitTurnRequest:
    """Give the request for one turn, under a new request_id unless one is given."""
    turn = messages if isinstance(messages, TurnEvents) else turn_events(messages)
    return filled(
        CommitTurnRequest,
        memory_id=memory_id,
        session_id=session_id,
        request_id=request_id or str(uuid.uuid4()),
        turn=turn,
        wait_level=wait_level,
        validate_only=validate_only,
        timezone=timezone,
    )


def commit_stream(turns: Iterable[CommitTurnRequest], memory_id: str, timezone: str) -> list[CommitTurnsRequest]:
    """Give the requests of a stream, filling in `memory_id`, `timezone` and a new request_id where they are empty."""
    if not isinstance(turns, Iterable):
        raise unfit("turns", turns, "a list, and each value of type CommitTurnRequest")
    default = filled(CommitTurnRequest, memory_id=memory_id, timezone=timezone)
    stream = []
    for at, turn in enumerate(turns):
        if not isinstance(turn, CommitTurnRequest):
            raise unfit(f"turns[{at}]", turn, "of type CommitTurnRequest")
        request = CommitTurnsRequest(turn=turn)
        request.turn.memory_id = turn.memory_id or default.memory_id
        request.turn.timezone = turn.timezone or default.timezone
        request.turn.request_id = turn.request_id or str(uuid.uuid4())
        stream.append(request)
    return stream


def turn_events(messages: Iterable[MessageLike]) -> TurnEvents:
    """Give the turn in which `messages` were said, without the reasoning among them, which is logged.

    Raises InvalidArgument for the first other thing that no turn holds.
    """
    turn, left_out = read_chat(messages)
    for refused in left_out:
        if refused.reason == REASONING:
            _log.info("%s is reasoning, which is not committed", refused.field)
            continue
        facts = {**refused.metadata, "hint": "turn, left_out = read_chat(messages) goes on without it and names it"}
        raise InvalidArgument(refused.message, reason=refused.reason, metadata=facts)
    return turn


def compose_request(  # noqa: PLR0913 - one parameter per field of the request
    memory_id: str,
    session_id: str,
    user_message: str,
    *,
    token_limit: int,
    plan: RetrievalPlan | None,
    agent_state: AgentState | None,
    min_revision: int,
    now: datetime | None,
    as_of: Moment | None,
    timezone: str,
) -> ComposeContextRequest:
    """Give the request for a context."""
    return filled(
        ComposeContextRequest,
        memory_id=memory_id,
        session_id=session_id,
        user_message=user_message,
        agent_state=agent_state,
        plan=plan,
        token_limit=token_limit,
        min_revision=min_revision,
        now=None if now is None else timestamp(now, "now"),
        as_of=_as_of(as_of),
        timezone=timezone,
    )


def retrieve_request(
    memory_id: str, plan: RetrievalPlan | str, *, session_id: str, min_revision: int, as_of: Moment | None
) -> RetrieveRequest:
    """Give the request for evidence; a text becomes a plan with that one query."""
    return filled(
        RetrieveRequest,
        memory_id=memory_id,
        session_id=session_id,
        plan=_asking(plan) if isinstance(plan, str) else plan,
        min_revision=min_revision,
        as_of=_as_of(as_of),
    )


def list_items_request(
    memory_id: str,
    *,
    types: Iterable[str],
    statuses: Iterable[ItemStatus.ValueType],
    key_prefix: str,
    session_id: str,
    as_of: Moment | None,
    page_size: int,
) -> ListItemsRequest:
    """Give the request for the first page of items."""
    return filled(
        ListItemsRequest,
        memory_id=memory_id,
        types=types,
        statuses=statuses,
        key_prefix=key_prefix,
        session_id=session_id,
        as_of=_as_of(as_of),
        page_size=page_size,
    )


def get_item_request(memory_id: str, item_type: str, key: str, *, version: int, as_of: Moment | None) -> GetItemRequest:
    """Give the request for one item."""
    return filled(GetItemRequest, memory_id=memory_id, type=item_type, key=key, version=version, as_of=_as_of(as_of))


def rollback_request(
    memory_id: str, item_type: str, key: str, version: int, *, request_id: str | None
) -> RollbackItemRequest:
    """Give the request to go back to a version, under a new request_id unless one is given."""
    return filled(
        RollbackItemRequest,
        memory_id=memory_id,
        type=item_type,
        key=key,
        version=version,
        request_id=request_id or str(uuid.uuid4()),
    )


def list_documents_request(
    memory_id: str, *, source_uri_prefix: str, tags: Iterable[str], page_size: int
) -> ListDocumentsRequest:
    """Give the request for the first page of documents."""
    return filled(
        ListDocumentsRequest,
        memory_id=memory_id,
        source_uri_prefix=source_uri_prefix,
        tag_ids=tags,
        page_size=page_size,
    )


def document_sections_request(memory_id: str, document_id: str, page_size: int) -> GetDocumentRequest:
    """Give the request for the first page of a document's sections."""
    return filled(
        GetDocumentRequest,
        memory_id=memory_id,
        document_id=document_id,
        include_sections=True,
        page_size=page_size,
    )


def delete_document_request(
    memory_id: str, document_id: str, *, purge: bool, request_id: str | None
) -> DeleteDocumentRequest:
    """Give the request to take a document out, under a new request_id unless one is given."""
    return filled(
        DeleteDocumentRequest,
        memory_id=memory_id,
        document_id=document_id,
        purge=purge,
        request_id=request_id or str(uuid.uuid4()),
    )


def delete_turn_request(
    memory_id: str, turn_id: str, *, validate_only: bool, request_id: str | None
) -> DeleteTurnRequest:
    """Give the request to purge a turn, under a new request_id unless one is given."""
    return filled(
        DeleteTurnRequest,
        memory_id=memory_id,
        turn_id=turn_id,
        validate_only=validate_only,
        request_id=request_id or str(uuid.uuid4()),
    )


def delete_session_request(
    memory_id: str, session_id: str, *, validate_only: bool, request_id: str | None
) -> DeleteSessionRequest:
    """Give the request to purge a session, under a new request_id unless one is given."""
    return filled(
        DeleteSessionRequest,
        memory_id=memory_id,
        session_id=session_id,
        validate_only=validate_only,
        request_id=request_id or str(uuid.uuid4()),
    )


def delete_memory_request(memory_id: str, *, validate_only: bool, request_id: str | None) -> DeleteMemoryRequest:
    """Give the request to purge a memory, under a new request_id unless one is given."""
    return filled(
        DeleteMemoryRequest,
        memory_id=memory_id,
        validate_only=validate_only,
        request_id=request_id or str(uuid.uuid4()),
    )


def backup_request(folder: Path | str) -> BackupRequest:
    """Give the request for a backup."""
    return filled(BackupRequest, folder=str(folder) if isinstance(folder, Path) else folder)


def _asking(text: str) -> RetrievalPlan:
    try:
        return RetrievalPlan(queries=[PlanQuery(text=text)])
    except ValueError as error:
        raise unfit("plan", text, "text that UTF-8 can hold, or of type RetrievalPlan") from error


def _as_of(moment: Moment | None) -> AsOf | None:
    if moment is None:
        return None
    if isinstance(moment, datetime):
        return AsOf(time=timestamp(moment, "as_of"))
    try:
        return AsOf(revision=moment)
    except (TypeError, ValueError) as error:
        raise unfit("as_of", moment, "a revision (a whole number) or an aware datetime") from error
