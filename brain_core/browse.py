"""Reading back what was stored: sessions, turns, contexts. Pages carry their place as an opaque token."""

from __future__ import annotations

import base64
import binascii

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
from smartbrain.v1.event_pb2 import Turn

from brain_core.check import check_id, check_range
from brain_core.errors import InvalidArgument, shorten
from brain_core.policy import Limits
from brain_core.store import events, keys
from brain_core.store.contexts import ContextLog
from brain_core.store.kv import ReadView
from brain_core.store.log import require_memory

_PAGE = 100
_PAGE_BYTES = 3 << 20  # gRPC clients refuse messages over 4 MiB unless told otherwise
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
    size = _page_size(request.page_size, limits)
    after = _place(request.page_token)
    require_memory(view, request.memory_id)
    found = events.list_sessions(view, request.memory_id, after, size + 1)
    token = _token(found[size - 1].session_id) if len(found) > size else ""
    revision = view.revision(keys.memory(request.memory_id))
    return ListSessionsResponse(sessions=found[:size], next_page_token=token, revision=revision)


def turns(view: ReadView, request: ListTurnsRequest, limits: Limits) -> ListTurnsResponse:
    """Give a page of a session's turns."""
    size = _page_size(request.page_size, limits)
    place = _place(request.page_token)
    if place and not (place.isdecimal() and len(place) <= _MOST_DIGITS):
        raise _bad_token(request.page_token)
    _check_session(view, request.memory_id, request.session_id, limits)
    events.get_session(view, request.memory_id, request.session_id)
    start = int(place or 0)
    page: list[Turn] = []
    nbytes, more = 0, False
    for turn in events.scan_turns(view, request.memory_id, request.session_id, start):
        nbytes += turn.ByteSize()
        more = len(page) == size or (bool(page) and nbytes > _PAGE_BYTES)
        if more:
            break
        page.append(turn)
    token = _token(str(start + len(page))) if more else ""
    revision = view.revision(keys.memory(request.memory_id))
    return ListTurnsResponse(turns=page, next_page_token=token, revision=revision)


def _check_session(view: ReadView, memory_id: str, session_id: str, limits: Limits) -> None:
    check_id("memory_id", memory_id, limits.id_bytes)
    check_id("session_id", session_id, limits.id_bytes)
    require_memory(view, memory_id)


def _page_size(asked: int, limits: Limits) -> int:
    check_range("page_size", asked, 0, limits.page_size)
    return asked or min(_PAGE, limits.page_size)


def _token(place: str) -> str:
    return base64.urlsafe_b64encode(place.encode()).decode()


def _place(token: str) -> str:
    try:
        return base64.b64decode(token.encode(), altchars=b"-_", validate=True).decode()
    except (binascii.Error, UnicodeDecodeError) as error:
        raise _bad_token(token) from error


def _bad_token(token: str) -> InvalidArgument:
    return InvalidArgument(
        f"page_token: {shorten(token)!r} is not one that a page gave",
        field="page_token",
        value=token,
        limit="next_page_token of the page before",
    )
