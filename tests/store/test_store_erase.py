"""What was removed leaves the files: tables, log, and the manifest, which names keys."""

from __future__ import annotations

from pathlib import Path

from brain_core.store.kv import Batch
from brain_core.store.rocks import RocksKV, RocksView
from tests.purge.files import files_with

WORDS = ("xylophonist", "鳜鱼火锅")


def written(folder: Path) -> None:
    """Write keys and values with words, those of one partition the first and last keys of all."""
    for _ in range(2):  # each opening makes a table of the log, whose first and last keys the manifest names
        kv = RocksKV(folder, durable=True)
        batch = Batch()
        batch.put("".join(WORDS).encode(), " ".join(WORDS).encode())
        kv.write(b"m", batch)
        kv.close()


def give_up() -> None:
    raise AssertionError("no view is held")


def test_a_partition_that_is_removed_leaves_the_files(folder: Path) -> None:
    written(folder)
    kv = RocksKV(folder, durable=True)
    assert len(files_with(folder, *WORDS)) > 1
    note = Batch()
    note.put(b"note", b"1")
    kv.remove([b"m"], {b"s": note})
    assert kv.revision(b"m") == 0
    assert list(kv.scan(b"m", b"")) == []
    assert kv.get(b"s", b"note") == b"1"
    kv.erase([b"m"], give_up)
    assert files_with(folder, *WORDS) == []
    kv.close()
    assert files_with(folder, *WORDS) == []


def test_a_key_that_is_deleted_leaves_the_files(folder: Path) -> None:
    written(folder)
    kv = RocksKV(folder, durable=True)
    batch = Batch()
    batch.delete("".join(WORDS).encode())
    kv.write(b"m", batch)
    kv.erase([b"m"], give_up)
    assert files_with(folder, *WORDS) == []
    kv.close()


def test_erasing_waits_for_views_that_see_it_and_for_those_that_keep_its_files(folder: Path) -> None:
    written(folder)
    kv = RocksKV(folder, durable=True)
    key = "".join(WORDS).encode()
    older, newer = [kv.snapshot()], list[RocksView]()
    waited = []
    batch = Batch()
    batch.delete(key)
    kv.write(b"m", batch)

    def let_go() -> None:
        if older:
            assert older[0].get(b"m", key) is not None
            newer.append(kv.snapshot())
            older.clear()
            waited.append("for one that sees it")
        else:
            assert newer[0].get(b"m", key) is None
            newer.clear()
            waited.append("for one that has its files open")

    kv.erase([b"m"], let_go)
    assert waited == ["for one that sees it", "for one that has its files open"]
    assert files_with(folder, *WORDS) == []
    kv.close()


def test_batches_beside_land_together_or_not_at_all(folder: Path) -> None:
    kv = RocksKV(folder, durable=True)
    batch, beside = Batch(), Batch()
    batch.put(b"a", b"1")
    beside.put(b"b", b"2")
    assert kv.write(b"m", batch, expect=0, beside={b"s": beside}) == 1
    assert (kv.get(b"m", b"a"), kv.get(b"s", b"b"), kv.revision(b"s")) == (b"1", b"2", 1)
    kv.close()
    again = RocksKV(folder, durable=True)
    assert (again.revision(b"m"), again.revision(b"s")) == (1, 1)
    again.close()
