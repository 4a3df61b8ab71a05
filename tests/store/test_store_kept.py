"""Values that a store keeps for reads that come back: never older than what was written, and not without bound."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from brain_core.store import kept
from brain_core.store.kept import UNREAD, Kept
from brain_core.store.kv import Batch
from brain_core.store.rocks import RocksKV

PARTITIONS = [b"ma", b"mab"]
KEYS = [b"", b"k", "茶".encode()]


def test_a_read_that_a_write_came_between_keeps_nothing() -> None:
    values = Kept()
    before = values.writes
    with values.written([b"row"]):
        during = values.writes
        values.keep({b"row": b"old"}, before)
        assert values.get(b"row") is UNREAD, "it began before"
        values.keep({b"row": b"old"}, during)
    assert values.get(b"row") is UNREAD, "it was kept amid the write, of before perhaps"
    values.keep({b"row": b"old"}, during)
    assert values.get(b"row") is UNREAD, "it ended since"
    values.keep({b"row": b"new"}, values.writes)
    assert values.get(b"row") == b"new"


def test_a_write_that_fails_lets_go_as_well() -> None:
    values = Kept()
    values.keep({b"a": b"1", b"b": b"2"}, values.writes)
    with pytest.raises(OSError, match="full"), values.written([b"a"]):
        raise OSError("full")
    assert (values.get(b"a"), values.get(b"b")) == (UNREAD, b"2")


def test_that_a_row_is_absent_is_kept_until_it_is_written() -> None:
    values = Kept()
    values.keep({b"ma\x00k": None, b"mab\x00k": None}, values.writes)
    assert (values.get(b"ma\x00k"), values.get(b"other")) == (None, UNREAD)
    with values.written([b"ma\x00k"]):
        pass
    assert (values.get(b"ma\x00k"), values.get(b"mab\x00k")) == (UNREAD, None)


def test_an_absent_row_is_read_of_the_store_once(tmp_path: Path) -> None:
    kv = RocksKV(tmp_path / "store", durable=False)
    try:
        assert (kv.get(b"m", b"k"), kv.multi_get(b"m", [b"k", b"l"])) == (None, [None, None])
        read = kv._kept.get(b"m\x00k"), kv._kept.get(b"m\x00l")
        assert read == (None, None)
        batch = Batch()
        batch.put(b"k", b"v")
        kv.write(b"m", batch)
        assert kv.multi_get(b"m", [b"k", b"l"]) == [b"v", None]
    finally:
        kv.close()


def test_ranges_are_let_go_and_no_others() -> None:
    values = Kept()
    values.keep({b"ma\x00k": b"1", b"mab\x00k": b"2"}, values.writes)
    with values.written([], [b"ma\x00"]):
        pass
    assert (values.get(b"ma\x00k"), values.get(b"mab\x00k")) == (UNREAD, b"2")


def test_there_is_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "_MOST_BYTES", 25 + 2 * kept._OF_A_ROW)
    values = Kept()
    values.keep({b"a": b"x" * kept._LONGEST + b"x"}, values.writes)
    assert values.get(b"a") is UNREAD, "too long a value"
    values.keep({b"a": b"x" * 9, b"b": b"x" * 9}, values.writes)
    assert values.get(b"a") is not UNREAD
    values.keep({b"c": b"x" * 9}, values.writes)
    assert [values.get(row) is not UNREAD for row in (b"a", b"b", b"c")] == [False, False, True]
    with values.written([b"c"]):
        pass
    values.keep({b"a": b"x" * 9, b"b": b"x" * 9}, values.writes)
    assert values.get(b"a") is not UNREAD, "what was let go counts no more"


steps = st.one_of(
    st.tuples(st.just("put"), st.sampled_from(PARTITIONS), st.sampled_from(KEYS[1:]), st.binary(max_size=3)),
    st.tuples(st.just("delete"), st.sampled_from(PARTITIONS), st.sampled_from(KEYS[1:])),
    st.tuples(st.just("remove"), st.sampled_from(PARTITIONS)),
    st.tuples(st.just("get"), st.sampled_from(PARTITIONS), st.sampled_from(KEYS)),
    st.tuples(st.just("multi_get"), st.sampled_from(PARTITIONS), st.lists(st.sampled_from(KEYS), max_size=5)),
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(steps, min_size=20, max_size=60))
def test_a_store_reads_what_it_was_written(
    tmp_path_factory: pytest.TempPathFactory, script: list[tuple[Any, ...]]
) -> None:
    kv = RocksKV(tmp_path_factory.mktemp("store"), durable=False)
    holds: dict[tuple[bytes, bytes], bytes] = {}
    try:
        for name, partition, *rest in script:
            if name in {"put", "delete"}:
                batch = Batch()
                if name == "put":
                    batch.put(*rest)
                    holds[partition, rest[0]] = rest[1]
                else:
                    batch.delete(rest[0])
                    holds.pop((partition, rest[0]), None)
                revision = int.from_bytes(holds.get((partition, b""), b""), "big") + 1
                assert kv.write(partition, batch) == revision
                holds[partition, b""] = revision.to_bytes(8, "big")
            elif name == "remove":
                kv.remove([partition], {})
                holds = {row: value for row, value in holds.items() if row[0] != partition}
            elif name == "get":
                assert kv.get(partition, rest[0]) == holds.get((partition, rest[0]))
            else:
                assert kv.multi_get(partition, rest[0]) == [holds.get((partition, key)) for key in rest[0]]
    finally:
        kv.close()


def test_what_was_written_is_read_whatever_other_threads_read_meanwhile(tmp_path: Path) -> None:
    kv, stop = RocksKV(tmp_path / "store", durable=False), threading.Event()

    def read() -> None:
        while not stop.is_set():
            kv.get(b"m", b"k")
            kv.multi_get(b"m", [b"k", b"other"])

    readers = [threading.Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    try:
        for number in range(2_000):
            batch = Batch()
            batch.put(b"k", str(number).encode())
            kv.write(b"m", batch)
            assert kv.get(b"m", b"k") == str(number).encode()
    finally:
        stop.set()
        for reader in readers:
            reader.join()
        kv.close()
