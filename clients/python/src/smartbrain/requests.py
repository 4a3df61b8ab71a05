"""From what a caller writes to the messages on the wire; shared by the synchronous and the asynchronous client.

Whatever cannot be put into a message (a wrong type, an unknown key, a time without a zone) raises InvalidArgument, as
the server would for what it refuses.
"""

import uuid
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime

from google.protobuf.json_format import ParseDict, ParseError
from google.protobuf.timestamp_pb2 import Timestamp

from smartbrain.errors import InvalidArgument
from smartbrain.v1.brain_service_pb2 import (
    AgentState,
    CommitTurnRequest,
    CommitTurnsRequest,
    ComposeContextRequest,
    WaitLevel,
)
from smartbrain.v1.event_pb2 import Message, TurnEvents
from smartbrain.v1.item_pb2 import AsOf, ItemStatus
from smartbrain.v1.memory_service_pb2 import GetItemRequest, ListItemsRequest, RollbackItemRequest
from smartbrain.v1.plan_pb2 import PlanQuery, RetrievalPlan
from smartbrain.v1.resource_service_pb2 import DeleteDocumentRequest, ListDocumentsRequest
from smartbrain.v1.retrieval_service_pb2 import RetrieveRequest

MessageLike = Message | Mapping[str, object]
"""A Message, or a mapping with `role` and `content`, and if wanted `speaker`, `message_id` and `created_at` (an aware
datetime or an RFC 3339 string)."""

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
) -> CommitTurnRequest:
    """Give the request for one turn, under a new request_id unless one is given."""
    turn = messages if isinstance(messages, TurnEvents) else turn_events(messages)
    with refused_as("request"):
        return CommitTurnRequest(
            memory_id=memory_id,
            session_id=session_id,
            request_id=request_id or str(uuid.uuid4()),
            turn=turn,
            wait_level=wait_level,
            validate_only=validate_only,
        )


def commit_stream(turns: Iterable[CommitTurnRequest], memory_id: str) -> list[CommitTurnsRequest]:
    """Give the requests of a stream, filling in `memory_id` and a new request_id where they are empty."""
    stream = [CommitTurnsRequest(turn=turn) for turn in turns]
    for request in stream:
        request.turn.memory_id = request.turn.memory_id or memory_id
        request.turn.request_id = request.turn.request_id or str(uuid.uuid4())
    return stream


def turn_events(messages: Iterable[MessageLike]) -> TurnEvents:
    """Give the turn in which `messages` were said."""
    if isinstance(messages, str | Mapping | Message) or not isinstance(messages, Iterable):
        raise invalid("messages", "messages must be a list of messages, or a TurnEvents")
    return TurnEvents(messages=[_message(given, f"messages[{at}]") for at, given in enumerate(messages)])


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
) -> ComposeContextRequest:
    """Give the request for a context."""
    with refused_as("request"):
        return ComposeContextRequest(
            memory_id=memory_id,
            session_id=session_id,
            user_message=user_message,
            agent_state=agent_state,
            plan=plan,
            token_limit=token_limit,
            min_revision=min_revision,
            now=None if now is None else timestamp(now, "now"),
            as_of=_as_of(as_of),
        )


def retrieve_request(
    memory_id: str, plan: RetrievalPlan | str, *, session_id: str, min_revision: int, as_of: Moment | None
) -> RetrieveRequest:
    """Give the request for evidence; a text becomes a plan with that one query."""
    with refused_as("request"):
        return RetrieveRequest(
            memory_id=memory_id,
            session_id=session_id,
            plan=RetrievalPlan(queries=[PlanQuery(text=plan)]) if isinstance(plan, str) else plan,
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
    if isinstance(types, str):
        raise invalid("types", "types must be a list of types")
    with refused_as("request"):
        return ListItemsRequest(
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
    with refused_as("request"):
        return GetItemRequest(memory_id=memory_id, type=item_type, key=key, version=version, as_of=_as_of(as_of))


def rollback_request(
    memory_id: str, item_type: str, key: str, version: int, *, request_id: str | None
) -> RollbackItemRequest:
    """Give the request to go back to a version, under a new request_id unless one is given."""
    with refused_as("request"):
        return RollbackItemRequest(
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
    if isinstance(tags, str):
        raise invalid("tags", "tags must be a list of tags")
    with refused_as("request"):
        return ListDocumentsRequest(
            memory_id=memory_id, source_uri_prefix=source_uri_prefix, tag_ids=tags, page_size=page_size
        )


def delete_document_request(
    memory_id: str, document_id: str, *, purge: bool, request_id: str | None
) -> DeleteDocumentRequest:
    """Give the request to take a document out, under a new request_id unless one is given."""
    with refused_as("request"):
        return DeleteDocumentRequest(
            memory_id=memory_id, document_id=document_id, purge=purge, request_id=request_id or str(uuid.uuid4())
        )


def _as_of(moment: Moment | None) -> AsOf | None:
    if isinstance(moment, datetime):
        return AsOf(time=timestamp(moment, "as_of"))
    return None if moment is None else AsOf(revision=moment)


def _message(given: MessageLike, path: str) -> Message:
    if isinstance(given, Message):
        return given
    if not isinstance(given, Mapping):
        raise invalid(path, f"{path} is a {type(given).__name__}; it must be a mapping or a Message")
    fields = dict(given)
    created_at = fields.pop("created_at", None)
    if isinstance(created_at, datetime):
        created_at = timestamp(created_at, f"{path}.created_at").ToJsonString()
    with refused_as(path):
        return ParseDict(fields if created_at is None else {**fields, "created_at": created_at}, Message())


def timestamp(time: datetime, field: str) -> Timestamp:
    """Give an aware datetime as a Timestamp; raise InvalidArgument that names the field for one without a zone."""
    if time.tzinfo is None:
        raise invalid(field, f"{field} has no time zone", hint="give an aware datetime, as datetime.now(UTC) is")
    given = Timestamp()
    given.FromDatetime(time)
    return given


@contextmanager
def refused_as(field: str) -> Iterator[None]:
    """Raise InvalidArgument for what protobuf refuses to put into a message."""
    try:
        yield
    except (ParseError, TypeError, ValueError) as error:
        raise invalid(field, f"{field}: {' '.join(str(error).split())}") from error


def invalid(field: str, message: str, hint: str = "") -> InvalidArgument:
    """Give the error for a field that no server needs to see."""
    return InvalidArgument(message, reason="FIELD_INVALID", metadata={"field": field, "hint": hint})
