"""Reading back what was stored: sessions, turns, contexts."""

from __future__ import annotations

from smartbrain.v1.brain_service_pb2 import (
    GetContextRequest,
    GetContextResponse,
    GetSessionRequest,
    GetSessionResponse,
    ListSessionsRequest,
    ListSessionsResponse,
    ListTurnsRequest,
    ListTurnsResponse,
)

from brain_core import paging
from brain_core.check import check_id
from brain_core.policy import Limits
from brain_core.store import events, keys
from brain_core.store.contexts import ContextLog
from brain_core.store.kv import ReadView
from brain_core.store.log import require_memory

_MOST_DIGITS = 18  # of a turn's place: more is no place, and would not fit a key


def stored_context(
    view: ReadView, contexts: ContextLog, request: GetContextRequest, limits: Limits
) -> GetContextResponse:
    """Give an earlier compose; raise NotFound."""
    check_id("memory_id", request.memory_id, limits.id_bytes)
    check_id("context_id", request.context_id, limits.id_bytes)
    require_memory(view, request.memory_id)
    return contexts.get(request.memory_id, request.context_id)


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
