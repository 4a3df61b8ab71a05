"""A disk without room, and a limit that cuts writes short: nothing acknowledged is lost, and it goes on by itself."""

from __future__ import annotations

import resource
import time
from contextlib import suppress
from pathlib import Path

import grpc
import pytest

from brain_core.commit.spool import SectionFile
from brain_core.errors import ResourceExhausted
from brain_core.readers.document import Section
from brain_core.store.kv import Batch
from brain_core.store.rocks import RocksKV
from tests.faults.test_bad_disk import COMMITS, MEMORY, newest_log, open_and_verify, said
from tests.server.asking import all_turns, commit, compose, refusal, texts
from tests.serving import start_server


@pytest.mark.parametrize("durability", ["disk", "process"])
def test_a_full_disk_fails_commits_by_name_and_keeps_what_was_acknowledged(small_disk: Path, durability: str) -> None:
    filler = small_disk / "filler"
    filler.write_bytes(bytes(11 << 20))
    config = f"store: {{durability: {durability}}}"
    server = start_server(small_disk, config=config)
    acknowledged = []
    refusals = []
    with server.stubs() as stubs:
        for number in range(2000):
            text = f"{said(number)} " + "x" * 50_000
            try:
                stubs.brain.CommitTurn(commit(MEMORY, "s", text))
            except grpc.RpcError as error:
                refusals.append(error.code())
                if len(refusals) == 5:
                    break
            else:
                acknowledged.append(text)
        assert len(refusals) == 5
        assert set(refusals) <= {grpc.StatusCode.RESOURCE_EXHAUSTED, grpc.StatusCode.DATA_LOSS}
        assert refusals[0] == grpc.StatusCode.RESOURCE_EXHAUSTED
        refused = refusal(lambda: stubs.brain.CommitTurn(commit(MEMORY, "s", "One more. " + "x" * 50_000)))
        assert str(server.data) in refused.message
        assert set(acknowledged) <= {text[0] for text in texts(all_turns(stubs, MEMORY, "s", 50))}, "reading goes on"
        filler.unlink()
        acknowledged.append("There is room again.")
        stubs.brain.CommitTurn(commit(MEMORY, "s", acknowledged[-1]))
    server.terminate()
    assert "Traceback" not in server.log.read_text(), server.log.read_text()[-2000:]

    server = start_server(small_disk, config=config)
    with server.stubs() as stubs:
        stored = [text[0] for text in texts(all_turns(stubs, MEMORY, "s", 50))]
        assert stored == acknowledged
        stubs.brain.CommitTurn(commit(MEMORY, "s", "And more."))
    assert server.terminate() == 0
    assert open_and_verify(server.data) == [(len(stored) + 1, [])]


def test_a_log_that_a_full_disk_cut_short_is_written_again_without_a_restart(
    disk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A commit beside it that then waited for the disk had RocksDB refuse all writes, as data loss, until a restart."""
    monkeypatch.setattr("brain_core.store.rocks._RESERVE_BYTES", -(1 << 40))  # as if others took the room meanwhile
    space, filler = b"space", disk / "filler"
    store = RocksKV(disk / "store", durable=True)
    store.write(space, _batch(b"before"))
    with suppress(OSError), filler.open("wb") as file:
        file.write(bytes(64 << 20))
    for _ in range(2):
        with pytest.raises(ResourceExhausted, match="No space left on device") as failed:
            store.write(space, _batch(b"amid", bytes(100_000)))
        assert "make room" in failed.value.hint
        with pytest.raises(ResourceExhausted, match="No space left on device"):
            store.sync()
    filler.unlink()
    revision = _written_once_there_is_room(store, space)
    store.sync()
    store.close()
    store = RocksKV(disk / "store", durable=True)
    assert store.revision(space) == revision == 2
    assert [store.get(space, key) for key in (b"before", b"amid", b"after")] == [b"", None, b""]
    store.close()


def _batch(key: bytes, value: bytes = b"") -> Batch:
    batch = Batch()
    batch.put(key, value)
    return batch


def _written_once_there_is_room(store: RocksKV, space: bytes) -> int:
    """Write as soon as it is possible, which RocksDB looks at every five seconds."""
    deadline = time.monotonic() + 60
    while True:
        try:
            return store.write(space, _batch(b"after"))
        except ResourceExhausted:
            assert time.monotonic() < deadline, "nothing is written until a restart"
            time.sleep(0.1)


def test_a_write_that_is_cut_short_is_refused_by_name_and_keeps_what_was_acknowledged(folder: Path) -> None:
    """As with a quota, of which half a record is written; and no file system of its own is needed."""
    server = start_server(folder)
    with server.stubs() as stubs:
        for number in range(COMMITS):
            stubs.brain.CommitTurn(commit(MEMORY, "s", said(number)))
        size = newest_log(server.data).stat().st_size
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (size + 100, resource.RLIM_INFINITY))
        died = commit(MEMORY, "s", said(COMMITS), request_id="cut short")
        for _ in range(2):
            refused = refusal(lambda: stubs.brain.CommitTurn(died))
            assert refused.code is grpc.StatusCode.RESOURCE_EXHAUSTED, "nothing is lost"
            assert str(server.data) in refused.message
            assert "raise the limit" in refused.facts["hint"]
        assert len(all_turns(stubs, MEMORY, "s")) == COMMITS, "reading goes on"
        assert stubs.brain.ComposeContext(compose(MEMORY, "s", "Number 7?")).context.evidence
    server.terminate()
    assert "Traceback" not in server.log.read_text(), server.log.read_text()[-2000:]

    server = start_server(folder)
    with server.stubs() as stubs:
        assert stubs.brain.CommitTurn(died).turn_id == f"t{COMMITS + 1}"
        stored = [text[0] for text in texts(all_turns(stubs, MEMORY, "s"))]
        assert stored == [said(number) for number in range(COMMITS + 1)]
    assert server.terminate() == 0


@pytest.mark.parametrize("length", [100, 100_000])
def test_sections_that_there_is_no_room_for_are_refused_by_name(folder: Path, length: int) -> None:
    """What stood in the buffer yet failed when it was read again, which told the client of a fault of the server."""
    room = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (50, room[1]))
    try:
        with (
            pytest.raises(ResourceExhausted, match="File too large") as failed,
            SectionFile(folder / "spool", [Section("", (), "x" * length, 0, 0)]),
        ):
            pass
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, room)
    assert "twice its size" in failed.value.hint
    assert list((folder / "spool").iterdir()) == []
