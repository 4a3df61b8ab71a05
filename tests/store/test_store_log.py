"""What revisions changed, as the log tells it."""

from __future__ import annotations

from brain_core.store import keys, log
from brain_core.store.kv import Batch
from brain_core.store.rocks import RocksKV
from brain_core.store.v1.records_pb2 import ChangeRecord, ItemVersion


def test_items_of_a_session_past_a_revision_come_newest_first(kv: RocksKV) -> None:
    batch = Batch()
    for revision, session_id in enumerate(("s", "t", "s", "s", "s"), start=1):
        item = ItemVersion(type="tasks", key=f"task:{revision}", version=1)
        log.put_change(batch, ChangeRecord(revision=revision, session_id=session_id, items=[item]))
    log.put_change(batch, ChangeRecord(revision=6, session_id="s"))
    kv.write(keys.memory("m"), batch)

    def found(after: int, limit: int = 9) -> list[str]:
        return [item.key for item in log.session_items(kv, "m", "s", after, limit)]

    assert found(0) == ["task:5", "task:4", "task:3", "task:1"]
    assert found(3) == ["task:5", "task:4"], "past it, not at it"
    assert found(0, limit=2) == ["task:5", "task:4"]
    assert found(5) == []
