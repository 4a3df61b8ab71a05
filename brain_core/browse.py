"""Reading back what was stored: sessions, turns, contexts."""

from __future__ import annotations

from smartbrain.v1.brain_service_pb2 import (
    ComposeContextResponse,
    GetContextRequest,
    GetContextResponse,
    GetSessionRequest,
    GetSessionResponse,
    ListContextsRequest,
    ListContextsResponse,
    ListSessionsRequest,
    ListSessionsResponse,
    ListTurnsRequest,
    ListTurnsResponse,
    ReplayRequest,
    StoredContext,
)

from brain_core import paging
from brain_core.check import check_id
from brain_core.policy import Limits
from brain_core.store import events, keys
from brain_core.store.contexts import ContextLog
from brain_core.store.kv import ReadView
from brain_core.store.log import require_memory
from brain_core.store.v1.records_pb2 import ContextRecord

_MOST_DIGITS = 18  # of a place in a list: more is no place, and would not fit a key
_MESSAGE_CHARS = 200


def stored_context(
    view: ReadView, contexts: ContextLog, request: GetContextRequest, limits: Limits
) -> GetContextResponse:
    """Give an earlier compose; raise NotFound."""
    record = stored_record(view, contexts, request, limits)
    plan = record.plan if record.HasField("plan") else None
    answer = ComposeContextResponse.FromString(record.response)
    return GetContextResponse(request=record.request, plan=plan, context=answer.context, revision=answer.revision)


def stored_record(
    view: ReadView, contexts: ContextLog, request: GetContextRequest | ReplayRequest, limits: Limits
) -> ContextRecord:
    """Give all that is kept of an earlier compose; raise NotFound."""
    check_id("memory_id", request.memory_id, limits.id_bytes)
    check_id("context_id", request.context_id, limits.id_bytes)
    require_memory(view, request.memory_id)
    return contexts.get(request.memory_id, request.context_id)


def stored_contexts(
    view: ReadView, contexts: ContextLog, request: ListContextsRequest, limits: Limits
) -> ListContextsResponse:
    """Give a page of stored contexts, newest first."""
    check_id("memory_id", request.memory_id, limits.id_bytes)
    size = paging.page_size(request.page_size, limits)
    before = paging.number_of(request.page_token, _MOST_DIGITS)
    require_memory(view, request.memory_id)
    found = contexts.newest(request.memory_id, before, size + 1)
    token = paging.token_of(str(found[size - 1][0])) if len(found) > size else ""
    return ListContextsResponse(
        contexts=[_told(record) for _, record in found[:size]],
        next_page_token=token,
        revision=view.revision(keys.memory(request.memory_id)),
    )


def _told(record: ContextRecord) -> StoredContext:
    answer = ComposeContextResponse.FromString(record.response)
    package, budget = answer.context, answer.context.constraints.token_budget
    return StoredContext(
        context_id=package.context_id,
        session_id=package.session_id,
        created_at=package.created_at,
        user_message=package.user_message.content[:_MESSAGE_CHARS],
        revision=answer.revision,
        tokens_used=budget.used,
        token_limit=budget.limit,
        evidence=len(package.evidence),
    )


def session(view: ReadView, request: GetSessionRequest, limits: Limits) -> GetSessionResponse:
    """Give one session; raise NotFound."""
    _check_session(view, request.memory_id, request.session_id, limits)
    found = events.get_session(view, request.memory_id, request.session_id)
    return GetSessionResponse(session=found, revision=view.revision(keys.memory(request.memory_id)))


def sessions(view: ReadView, request: ListSessionsRequest, limits: Limits) -> ListSessionsResponse:
    """Give a page of sessions."""
    check_id("memory_id", request.memory_id, limits.id_bytes)
    size = paging.page_size(request.page_size, limits)
    after = paging.place_of(request.page_token)
    require_memory(view, request.memory_id)
    found = events.list_sessions(view, request.memory_id, after, size + 1)
    token = paging.token_of(found[size - 1].session_id) if len(found) > size else ""
    revision = view.revision(keys.memory(request.memory_id))
    return ListSessionsResponse(sessions=found[:size], next_page_token=token, revision=revision)


def turns(view: ReadView, request: ListTurnsRequest, limits: Limits) -> ListTurnsResponse:
    """Give a page of a session's turns."""
    size = paging.page_size(request.page_size, limits)
    start = paging.number_of(request.page_token, _MOST_DIGITS)
    _check_session(view, request.memory_id, request.session_id, limits)
    events.get_session(view, request.memory_id, request.session_id)
    stored = events.scan_turns(view, request.memory_id, request.session_id, start)
    page, more = paging.filled(stored, size)
    token = paging.token_of(str(start + len(page))) if more else ""
    revision = view.revision(keys.memory(request.memory_id))
    return ListTurnsResponse(turns=page, next_page_token=token, revision=revision)


def _check_session(view: ReadView, memory_id: str, session_id: str, limits: Limits) -> None:
    check_id("memory_id", memory_id, limits.id_bytes)
    check_id("session_id", session_id, limits.id_bytes)
    require_memory(view, memory_id)
