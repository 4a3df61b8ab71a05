"""Working summaries: how far each session's is, and its newest versions."""

from __future__ import annotations

from brain_core.store import keys
from brain_core.store.kv import Batch, ReadView
from brain_core.store.v1.records_pb2 import SummaryProgress, SummaryRecord


def read_progress(view: ReadView, memory_id: str, session_id: str) -> SummaryProgress:
    """Return how far the summary of a session is; of a session without turns, the beginning."""
    found = view.get(keys.memory(memory_id), keys.summary_progress(session_id))
    return SummaryProgress() if found is None else SummaryProgress.FromString(found)


def put_progress(batch: Batch, session_id: str, progress: SummaryProgress) -> None:
    """Replace how far the summary of a session is."""
    batch.put(keys.summary_progress(session_id), progress.SerializeToString())


def read_version(view: ReadView, memory_id: str, session_id: str, version: int) -> SummaryRecord | None:
    """Return one version of a session's summary, or None if it is not kept."""
    found = view.get(keys.memory(memory_id), keys.summary(session_id, version))
    return None if found is None else SummaryRecord.FromString(found)


def read_newest(view: ReadView, memory_id: str, session_id: str) -> SummaryRecord | None:
    """Return the newest version of a session's summary, or None if there is none."""
    found = newest_version(view, memory_id, session_id)
    return None if found is None else SummaryRecord.FromString(found)


def newest_version(view: ReadView, memory_id: str, session_id: str) -> bytes | None:
    """Return the same as it is stored, for whoever keeps what is made of it."""
    version = read_progress(view, memory_id, session_id).version
    return view.get(keys.memory(memory_id), keys.summary(session_id, version)) if version else None


def read_newest_by(view: ReadView, memory_id: str, session_id: str, revision: int) -> SummaryRecord | None:
    """Return the newest version that a revision or an earlier one made, or None if none is kept."""
    for version in range(read_progress(view, memory_id, session_id).version, 0, -1):
        record = read_version(view, memory_id, session_id, version)
        if record is None or 0 < record.revision <= revision:
            return record
    return None


def put_version(batch: Batch, session_id: str, record: SummaryRecord, keep: int) -> None:
    """Add or replace a version, and drop the one that is `keep` older."""
    batch.put(keys.summary(session_id, record.version), record.SerializeToString())
    if record.version > keep:
        batch.delete(keys.summary(session_id, record.version - keep))
