"""What a commit answered."""

from __future__ import annotations

from google.protobuf.timestamp_pb2 import Timestamp
from smartbrain.v1.brain_service_pb2 import CommitTurnResponse
from smartbrain.v1.memory_service_pb2 import GetCommitRequest, GetCommitResponse

from brain_core import paging
from brain_core.check import check_id
from brain_core.errors import NotFound
from brain_core.policy import Limits
from brain_core.store import events, items, keys, log
from brain_core.store.kv import ReadView
from brain_core.store.v1.records_pb2 import ChangeRecord

_PREFIX = "c"
_REVISION_DIGITS = 18


def get_commit(view: ReadView, request: GetCommitRequest, limits: Limits) -> GetCommitResponse:
    """Give what a commit answered; raise NotFound.

    Where that was not kept, for there was nothing to decide or the commit is older than the keeping, it is put
    together from what the commit changed, without verdicts.
    """
    check_id("memory_id", request.memory_id, limits.id_bytes)
    check_id("commit_id", request.commit_id, limits.id_bytes)
    log.require_memory(view, request.memory_id)
    change = _change(view, request)
    _refuse_purged(request, change)
    kept = log.read_commit(view, request.memory_id, change.revision)
    answer = GetCommitResponse(
        response=CommitTurnResponse.FromString(kept.response) if kept else _from_change(view, request, change),
        session_id=change.session_id,
        revision=view.revision(keys.memory(request.memory_id)),
    )
    answer.committed_at.FromMicroseconds(change.committed_at_us)
    return answer


def _change(view: ReadView, request: GetCommitRequest) -> ChangeRecord:
    digits = request.commit_id.removeprefix(_PREFIX)
    change = None
    if paging.is_number(digits, _REVISION_DIGITS):
        change = log.read_change(view, request.memory_id, int(digits))
    if change is None or change.commit_id != request.commit_id:
        raise NotFound(
            f"commit_id: memory {request.memory_id!r} has no commit {request.commit_id!r}",
            field="commit_id",
            value=request.commit_id,
            limit="commit_id of a CommitTurn's answer",
        )
    return change


def _refuse_purged(request: GetCommitRequest, change: ChangeRecord) -> None:
    if not change.turn_purged_at_us:
        return
    at = Timestamp()
    at.FromMicroseconds(change.turn_purged_at_us)
    raise NotFound(
        f"commit_id: the turn of {request.commit_id!r} of memory {request.memory_id!r} was purged at "
        f"{at.ToJsonString()}",
        field="commit_id",
        value=request.commit_id,
        limit="commit_id of a turn that was not purged",
    )


def _from_change(view: ReadView, request: GetCommitRequest, change: ChangeRecord) -> CommitTurnResponse:
    response = CommitTurnResponse(commit_id=change.commit_id, revision=change.revision)
    for turn in events.scan_turns(view, request.memory_id, change.session_id, change.sequence):
        response.turn_id = turn.turn_id
        response.message_ids.extend(message.message_id for message in turn.events.messages)
        break
    for written in change.items:
        for version in items.versions_as_written(view, request.memory_id, written.type, written.key):
            if version.version == written.version:
                response.items.add(
                    type=version.type,
                    key=version.key,
                    status=version.status,
                    version=version.version,
                    confidence=version.confidence,
                )
    return response
