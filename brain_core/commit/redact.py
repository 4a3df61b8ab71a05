"""Answers and summaries without what was purged: what is kept beside turns and items, and quotes them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass

from google.protobuf.message import DecodeError
from google.protobuf.timestamp_pb2 import Timestamp
from smartbrain.v1.brain_service_pb2 import CommitSummary, CommitTurnResponse
from smartbrain.v1.memory_service_pb2 import RollbackItemResponse

from brain_core.store import keys
from brain_core.store.kv import Batch, ReadView
from brain_core.store.v1.records_pb2 import CommitRecord, RequestRecord, SummaryLine, SummaryRecord

Slot = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Redacting:
    """What was purged.

    turns: ids, of one session. touched: items that lost something. gone: those of which nothing is left. item_ids: of
    both. chunks: that lost their text, or some of it. first: revision of the first of the turns. at: when.
    """

    memory_id: str
    session_id: str
    turns: Set[str]
    touched: Set[Slot]
    gone: Set[Slot]
    item_ids: Set[str]
    chunks: Set[int]
    first: int
    at: Timestamp


def redact_answers(batch: Batch, view: ReadView, redacting: Redacting) -> None:
    """Put what commits and rollbacks answered as it may still be told.

    What a purged turn was answered goes; its request_id stays, with ids alone. Others lose their summaries, where these
    were made since, and what they say of items that lost something.
    """
    partition = keys.memory(redacting.memory_id)
    for key, stored in view.scan(partition, keys.COMMITS, after=keys.commit(redacting.first - 1)):
        record = CommitRecord.FromString(stored)
        answer = CommitTurnResponse.FromString(record.response)
        if answer.turn_id in redacting.turns:
            batch.delete(key)
        elif _redacted(answer, redacting):
            record.response = answer.SerializeToString()
            batch.put(key, record.SerializeToString())
    for key, stored in view.scan(partition, keys.REQUESTS):
        request = RequestRecord.FromString(stored)
        fresh = _request(request, redacting)
        if fresh is not None:
            batch.put(key, fresh.SerializeToString())


def _request(request: RequestRecord, redacting: Redacting) -> RequestRecord | None:
    """Return what is kept of a request instead; None where all of it may stay."""
    answer = _commit_answer(request.response)
    if answer is not None:
        if answer.turn_id in redacting.turns:
            return RequestRecord(purged=True, response=_bare(answer, redacting.at).SerializeToString())
        if answer.revision >= redacting.first and _redacted(answer, redacting):
            return RequestRecord(content_hash=request.content_hash, response=answer.SerializeToString())
        return None
    rolled = _rollback_answer(request.response)
    if rolled is not None and rolled.item.id in redacting.item_ids:
        return RequestRecord(purged=True, response=RollbackItemResponse(revision=rolled.revision).SerializeToString())
    return None


def _commit_answer(response: bytes) -> CommitTurnResponse | None:
    """Return the answer of a commit, None if it is of another call."""
    try:
        answer = CommitTurnResponse.FromString(response)
    except DecodeError:
        return None
    return answer if answer.commit_id and answer.commit_id == f"c{answer.revision}" else None


def _rollback_answer(response: bytes) -> RollbackItemResponse | None:
    try:
        answer = RollbackItemResponse.FromString(response)
    except DecodeError:
        return None
    return answer if answer.item.id else None


def _bare(answer: CommitTurnResponse, at: Timestamp) -> CommitTurnResponse:
    return CommitTurnResponse(
        commit_id=answer.commit_id,
        turn_id=answer.turn_id,
        revision=answer.revision,
        summary=CommitSummary(reason=f"the turn was purged at {at.ToJsonString()}"),
    )


def _redacted(answer: CommitTurnResponse, redacting: Redacting) -> bool:
    """Take from an answer what it may not say any more; return whether there was something."""
    before = answer.SerializeToString()
    if answer.summary.text:
        answer.summary.text = ""
        answer.summary.reason = f"{answer.summary.trigger}: its text went with a purge at {redacting.at.ToJsonString()}"
    _keep(answer.items, [each for each in answer.items if (each.type, each.key) not in redacting.gone])
    explain = answer.explain
    _keep(explain.retention, [each for each in explain.retention if (each.type, each.key) not in redacting.gone])
    told = [
        each
        for each in explain.conflicts
        if redacting.gone.isdisjoint({(each.type, each.key), (each.other_type, each.other_key)})
    ]
    _keep(explain.conflicts, told)
    for verdict in explain.retention:
        if (verdict.type, verdict.key) in redacting.touched:
            verdict.reason = ""
    for decision in explain.conflicts:
        if (decision.type, decision.key) in redacting.touched:
            decision.reason = ""
    return answer.SerializeToString() != before


def _keep(field: object, kept: list) -> None:  # type: ignore[type-arg]
    copies = [type(each).FromString(each.SerializeToString()) for each in kept]
    del field[:]  # type: ignore[attr-defined]
    field.extend(copies)  # type: ignore[attr-defined]


def redact_summaries(batch: Batch, view: ReadView, redacting: Redacting, lines: Iterable[SummaryLine]) -> None:
    """Put all summaries without the lines that rest on what was purged.

    lines: of items that hold again. They stand where the item was told of; as of a revision before the purge the chunk
    that they rest on is not there. What a model made of the lines of the session, with its turns before it, goes.
    """
    restored = {(line.item_type, line.item_key): line for line in lines}
    for key, stored in view.scan(keys.memory(redacting.memory_id), keys.SUMMARIES):
        record = SummaryRecord.FromString(stored)
        kept = list(_kept(record.lines, redacting))
        is_of_session = key.startswith(keys.summaries(redacting.session_id))
        if len(kept) == len(record.lines) and not (is_of_session and record.rewritten):
            continue
        told = {(line.item_type, line.item_key) for line in record.lines}
        holding = [line for slot, line in restored.items() if slot in told]
        _keep(record.lines, [*kept, *holding])
        del record.rewritten[:]
        batch.put(key, record.SerializeToString())


def _kept(lines: Iterable[SummaryLine], redacting: Redacting) -> Iterator[SummaryLine]:
    for line in lines:
        rests = redacting.chunks if line.chunks else ()
        if line.turn_id not in redacting.turns and not any(each in rests for each in line.chunks):
            yield line
