"""Notes of purges whose bytes may still stand in the files."""

from __future__ import annotations

from brain_core.store import keys
from brain_core.store.purges import noted, scan_purges
from brain_core.store.rocks import RocksKV
from brain_core.store.v1.records_pb2 import PurgeRecord


def test_notes_of_one_memory_are_told_from_those_of_others(kv: RocksKV) -> None:
    for number, memory_id in enumerate(("m", "mm", "m", "n")):
        kv.write(keys.STORE, noted(PurgeRecord(memory_id=memory_id, revision=number + 1), number))
    assert [record.revision for _, record in scan_purges(kv, "m")] == [1, 3], "else one erases the notes of the others"
    assert [record.memory_id for _, record in scan_purges(kv)] == ["m", "m", "mm", "n"]
    assert not list(scan_purges(kv, "o"))
