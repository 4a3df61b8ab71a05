"""The contract of KV, over RocksDB."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from brain_core.errors import FailedPrecondition, StoreFailed, StoreLocked
from brain_core.store.kv import Batch
from brain_core.store.rocks import RocksKV

P = b"m1"


def puts(*rows: tuple[bytes, bytes]) -> Batch:
    batch = Batch()
    for key, value in rows:
        batch.put(key, value)
    return batch


def deletes(*keys: bytes) -> Batch:
    batch = Batch()
    for key in keys:
        batch.delete(key)
    return batch


def test_what_is_written_is_read(kv: RocksKV) -> None:
    kv.write(P, puts((b"a", b"1"), (b"b", b"")))
    assert kv.get(P, b"a") == b"1"
    assert kv.get(P, b"b") == b""
    assert kv.get(P, b"c") is None
    assert kv.multi_get(P, [b"c", b"b", b"a", b"a"]) == [None, b"", b"1", b"1"]
    kv.write(P, deletes(b"a", b"absent"))
    assert kv.get(P, b"a") is None


def test_a_key_both_deleted_and_put_in_a_batch_is_there(kv: RocksKV) -> None:
    kv.write(P, puts((b"a", b"1")))
    batch = puts((b"a", b"2"))
    batch.delete(b"a")
    kv.write(P, batch)
    assert kv.get(P, b"a") == b"2"


def test_partitions_do_not_mix_where_one_name_begins_another(kv: RocksKV) -> None:
    names = [b"m", b"ma", b"mab", "m用户".encode(), "m用户2".encode(), b"m\x01", b"m\xff"]
    for name in names:
        kv.write(name, puts((b"k", name), (b"\x00k", name), (b"\xff\xff", name)))
    for name in names:
        assert list(kv.scan(name, b"")) == [(b"\x00k", name), (b"k", name), (b"\xff\xff", name)]
        assert list(kv.scan(name, b"", reverse=True)) == [(b"\xff\xff", name), (b"k", name), (b"\x00k", name)]
        assert kv.revision(name) == 1
    assert list(kv.partitions(b"m")) == sorted(names)
    assert list(kv.partitions("m用户".encode())) == ["m用户".encode(), "m用户2".encode()]
    assert list(kv.partitions(b"x")) == []
    for reverse in (False, True):
        inside = sorted(names, reverse=reverse)
        for at, name in enumerate(inside):
            assert list(kv.partitions(b"m", after=name, reverse=reverse)) == inside[at + 1 :]


def test_scan_orders_bounds_and_limits(kv: RocksKV) -> None:
    keys = [b"a", b"b", b"b\x00", b"b1", b"b2", b"b\xff", b"c"]
    kv.write(P, puts(*((key, key) for key in reversed(keys))))

    def scan(prefix: bytes, *, after: bytes = b"", limit: int = 0, reverse: bool = False) -> list[bytes]:
        return [key for key, _ in kv.scan(P, prefix, after=after, limit=limit, reverse=reverse)]

    in_b = [b"b", b"b\x00", b"b1", b"b2", b"b\xff"]
    assert scan(b"b") == in_b
    assert scan(b"b", after=b"b1") == [b"b2", b"b\xff"]
    assert scan(b"b", after=b"b11") == [b"b2", b"b\xff"], "after need not be there"
    assert scan(b"b", after=b"a") == in_b, "after may stand before the prefix"
    assert scan(b"b", after=b"c") == []
    assert scan(b"b", limit=2) == in_b[:2]
    assert scan(b"b", after=b"b", limit=1) == [b"b\x00"]
    assert scan(b"b", reverse=True) == in_b[::-1]
    assert scan(b"b", reverse=True, limit=2) == [b"b\xff", b"b2"]
    assert scan(b"b", reverse=True, after=b"b2") == [b"b1", b"b\x00", b"b"]
    assert scan(b"b", reverse=True, after=b"c") == in_b[::-1]
    assert scan(b"b", reverse=True, after=b"a") == []
    for nothing in (scan(b"d"), scan(b"d", reverse=True), scan(b"bb"), scan(b"bb", reverse=True), scan(b"0")):
        assert nothing == []


def test_an_empty_partition_scans_empty_between_full_ones(kv: RocksKV) -> None:
    kv.write(b"m1", puts((b"k", b"1")))
    kv.write(b"m3", puts((b"k", b"3")))
    for reverse in (False, True):
        assert list(kv.scan(b"m2", b"", reverse=reverse)) == []
        assert list(kv.scan(b"m2", b"k", reverse=reverse)) == []


short = st.binary(max_size=3)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(short.filter(bool), max_size=12), short, short, st.integers(0, 5), st.booleans())
def test_scan_equals_a_sorted_dict(
    kv: RocksKV,
    keys: list[bytes],
    prefix: bytes,
    after: bytes,
    limit: int,
    reverse: bool,
) -> None:
    partition = b"h"
    kv.write(partition, deletes(*(key for key, _ in kv.scan(partition, b""))))
    kv.write(partition, puts(*((key, key) for key in keys)))
    expected = sorted({key for key in keys if key.startswith(prefix)}, reverse=reverse)
    if after:
        expected = [key for key in expected if (key < after if reverse else key > after)]
    found = [key for key, _ in kv.scan(partition, prefix, after=after, limit=limit, reverse=reverse)]
    assert found == expected[: limit or None]


def test_each_batch_moves_its_partition_by_one(kv: RocksKV) -> None:
    assert kv.revision(P) == 0
    assert [kv.write(P, puts((b"k", b"v"))) for _ in range(3)] == [1, 2, 3]
    assert kv.write(P, Batch()) == 4
    assert kv.write(b"other", Batch()) == 1
    assert kv.revision(P) == 4


def test_expect_fences(kv: RocksKV) -> None:
    kv.write(P, puts((b"k", b"1")), expect=0)
    with pytest.raises(FailedPrecondition, match="partition is at revision 1, not 0") as failed:
        kv.write(P, puts((b"k", b"2")), expect=0)
    assert (failed.value.field, failed.value.value, failed.value.limit) == ("revision", "1", "0")
    assert (kv.get(P, b"k"), kv.revision(P)) == (b"1", 1)
    kv.write(P, puts((b"k", b"2")), expect=1)


def test_a_snapshot_does_not_see_later_writes(kv: RocksKV) -> None:
    kv.write(P, puts((b"a", b"1"), (b"b", b"1")))
    view = kv.snapshot()
    kv.write(P, puts((b"a", b"2"), (b"c", b"2")))
    kv.write(P, deletes(b"b"))
    kv.write(b"m2", puts((b"a", b"2")))
    assert [view.get(P, key) for key in (b"a", b"b", b"c")] == [b"1", b"1", None]
    assert list(view.scan(P, b"")) == [(b"a", b"1"), (b"b", b"1")]
    assert (view.revision(P), kv.revision(P)) == (1, 3)
    assert list(view.partitions(b"m")) == [P]


@pytest.mark.parametrize("durable", [True, False])
def test_reopening_keeps_everything(folder: Path, durable: bool) -> None:
    for revision in range(1, 4):
        kv = RocksKV(folder / "deep/store", durable=durable)
        assert kv.write(P, puts((str(revision).encode(), b"v"))) == revision
        kv.sync()
        kv.close()
    kv = RocksKV(folder / "deep/store", durable=durable)
    assert [key for key, _ in kv.scan(P, b"")] == [b"1", b"2", b"3"]
    assert kv.revision(P) == 3
    kv.close()


_OPEN = """
import sys
from pathlib import Path
from brain_core.errors import StoreLocked
from brain_core.store.rocks import RocksKV
try:
    RocksKV(Path(sys.argv[1]), durable=True).close()
except StoreLocked as error:
    print(f"{error} / {error.reason} / {error.field} / {error.hint}")
    sys.exit(7)
"""


def test_a_second_process_is_refused_until_the_first_lets_go(folder: Path) -> None:
    def other() -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", _OPEN, str(folder / "store")]
        return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)

    kv = RocksKV(folder / "store", durable=True)
    refused = other()
    assert refused.returncode == 7, refused.stderr
    assert "is in use by another process / STORE_LOCKED / data / stop the other" in refused.stdout
    with pytest.raises(StoreLocked):
        RocksKV(folder / "store", durable=True)
    kv.close()
    allowed = other()
    assert allowed.returncode == 0, allowed.stderr


@pytest.mark.parametrize("parent", ["plain", "BLOCKS"])
@pytest.mark.parametrize("file", ["CURRENT", "MANIFEST-*"])
def test_a_damaged_store_is_refused_as_damaged(folder: Path, file: str, parent: str) -> None:
    place = folder / parent / "store"
    kv = RocksKV(place, durable=True)
    kv.write(P, puts((b"k", b"v")))
    kv.close()
    for found in place.glob(file):
        found.write_bytes(b"damaged")
    with pytest.raises(StoreFailed, match="RocksDB in ") as failed:
        RocksKV(place, durable=True)
    assert (failed.value.field, failed.value.value) == ("data", str(place)[:80])


def test_a_store_that_cannot_be_made_is_a_failure(folder: Path) -> None:
    (folder / "store").write_text("a file, not a folder")
    with pytest.raises((StoreFailed, OSError)):
        RocksKV(folder / "store", durable=True)


def test_scans_of_one_snapshot_may_run_inside_each_other(kv: RocksKV) -> None:
    kv.write(P, puts(*((bytes([65 + number]), b"1") for number in range(5))))
    kv.write(b"m2", puts((b"k", b"2")))
    view = kv.snapshot()
    kv.write(P, puts((b"A1", b"later")))
    expected = [b"A", b"B", b"C", b"D", b"E"]
    for reverse in (False, True):
        seen = []
        for key, value in view.scan(P, b"", reverse=reverse):
            assert value == b"1"
            seen.append(key)
            assert [inner for inner, _ in view.scan(P, b"", reverse=not reverse)] == sorted(
                expected, reverse=not reverse
            )
            assert list(view.partitions(b"m")) == [b"m1", b"m2"]
            assert list(view.scan(b"m2", b"", limit=1)) == [(b"k", b"2")]
        assert seen == sorted(expected, reverse=reverse)
    pairs = zip(view.scan(P, b""), view.scan(P, b"", reverse=True), strict=True)
    assert [(left[0], right[0]) for left, right in pairs] == list(zip(expected, expected[::-1], strict=True))
    assert [list(view.scan(partition, b"", limit=1)) for partition in view.partitions(b"m")] == [
        [(b"A", b"1")],
        [(b"k", b"2")],
    ]


def test_a_view_that_is_still_held_does_not_keep_the_folder_locked(folder: Path) -> None:
    kv = RocksKV(folder / "store", durable=True)
    kv.write(P, puts((b"k", b"v")))
    view = kv.snapshot()
    assert view.get(P, b"k") == b"v"
    kv.close()
    RocksKV(folder / "store", durable=True).close()
    with pytest.raises(StoreFailed):
        view.get(P, b"k")
