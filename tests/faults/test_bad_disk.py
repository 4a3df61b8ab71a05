"""Files of the store that are torn, damaged or gone: opened without what was torn off, or refused in one line."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import grpc
import pytest

from brain_core import Brain, load_policy
from brain_core.errors import StoreFailed
from tests.clients.command import Brain as Command
from tests.faults.corpus import answers, commit_all, turns
from tests.server.asking import all_turns, commit, refusal, retrieve, texts
from tests.serving import run_server, start_server

MEMORY = "notes"
FAST = "store: {durability: process}"
COMMITS = 60
TURNS = 100  # of the store whose turns are in tables


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the folder of a server that was killed: every turn is in the log alone."""
    folder = tmp_path_factory.mktemp("killed")
    server = start_server(folder)
    with server.stubs() as stubs:
        for number in range(COMMITS):
            stubs.brain.CommitTurn(commit(MEMORY, "s", said(number)))
    server.kill()
    return server.data


@pytest.fixture(scope="module")
def flushed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the folder of a stopped server whose turns are in tables, in many blocks."""
    folder = tmp_path_factory.mktemp("flushed")
    policy = load_policy({"store": {"durability": "process"}})
    with Brain.open(folder, policy) as brain:
        for request in turns(MEMORY, 0, TURNS):
            brain.commit_turn(request)
    with Brain.open(folder, policy):
        pass  # what an opening recovers from the log it writes into a table
    assert list((folder / "store").glob("*.sst"))
    return folder


def said(number: int) -> str:
    """Return what turn `number` says."""
    return f"Number {number}. 第{number}个。"


def newest_log(data: Path) -> Path:
    """Return the log that was written last."""
    return max((file for file in (data / "store").glob("*.log") if file.stat().st_size), key=lambda file: file.name)


def copied(data: Path, folder: Path) -> Path:
    """Return a copy to be damaged."""
    return Path(shutil.copytree(data, folder / "data"))


def open_and_verify(data: Path) -> list[tuple[int, list[str]]]:
    """Open a store and read all of it; return the number of turns and the problems of each memory."""
    with Brain.open(data, load_policy({"store": {"durability": "process"}})) as brain:
        return [(answer.turns, list(answer.problems)) for answer in brain.verify()]


@pytest.mark.parametrize("torn", [1, 7, 100, 2500])
def test_a_torn_log_loses_only_its_end(killed: Path, folder: Path, torn: int) -> None:
    data = copied(killed, folder)
    log = newest_log(data)
    with log.open("r+b") as file:
        file.truncate(log.stat().st_size - torn)
    server = start_server(folder, config=FAST)
    with server.stubs() as stubs:
        stored = [text[0] for text in texts(all_turns(stubs, MEMORY, "s"))]
        assert stored == [said(number) for number in range(len(stored))]
        assert COMMITS - 2 - torn // 500 <= len(stored) < COMMITS
        stubs.brain.CommitTurn(commit(MEMORY, "s", "And on."))
        assert len(all_turns(stubs, MEMORY, "s")) == len(stored) + 1
    assert server.terminate() == 0
    assert open_and_verify(data) == [(len(stored) + 1, [])]


def _flip(path: Path, place: float = 0.5) -> None:
    content = bytearray(path.read_bytes())
    at = int(len(content) * place)
    for each in range(at, min(at + 16, len(content))):
        content[each] ^= 0xFF
    path.write_bytes(content)


def _files(data: Path, pattern: str) -> list[Path]:
    found = sorted((data / "store").glob(pattern))
    assert found
    return found


def _remove(data: Path, pattern: str) -> None:
    for file in _files(data, pattern):
        file.unlink()


def _flip_all(data: Path, pattern: str) -> None:
    for file in _files(data, pattern):
        _flip(file)


def _flip_ends(data: Path, pattern: str) -> None:
    for file in _files(data, pattern):
        _flip(file, 1 - 48 / file.stat().st_size)  # in the footer, which says where the index of the table is


def _cut_all(data: Path, pattern: str) -> None:
    for file in _files(data, pattern):
        file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def _write_all(data: Path, pattern: str, content: str) -> None:
    for file in _files(data, pattern):
        file.write_text(content)


DAMAGE: dict[str, tuple[Callable[[Path], None], str]] = {
    "table flipped": (lambda data: _flip_all(data, "*.sst"), "*.sst"),
    "table's end flipped": (lambda data: _flip_ends(data, "*.sst"), "*.sst"),
    "table cut short": (lambda data: _cut_all(data, "*.sst"), "*.sst"),
    "table emptied": (lambda data: _write_all(data, "*.sst", ""), "*.sst"),
    "table gone": (lambda data: _remove(data, "*.sst"), "*.sst"),
    "manifest flipped": (lambda data: _flip_all(data, "MANIFEST-*"), "MANIFEST-*"),
    "manifest gone": (lambda data: _remove(data, "MANIFEST-*"), "MANIFEST-*"),
    "current is garbage": (lambda data: _write_all(data, "CURRENT", "garbage"), "CURRENT"),
    "current points nowhere": (lambda data: _write_all(data, "CURRENT", "MANIFEST-999999\n"), "MANIFEST-999999"),
    "current emptied": (lambda data: _write_all(data, "CURRENT", ""), "CURRENT"),
}
"""What is done to a store, and which file its refusal names."""


def refused(data: Path) -> str:
    """Return in what words a store is refused, or is found damaged; the error itself holds on to the store."""
    try:
        found = open_and_verify(data)
    except StoreFailed as error:
        return str(error)
    told = [problem for _, problems in found for problem in problems]
    assert told, f"was not refused, but has {found}"
    return "\n".join(told)


@pytest.mark.parametrize(("damage", "named"), DAMAGE.values(), ids=DAMAGE.keys())
def test_a_damaged_store_is_refused_by_file_and_left_as_it_is(
    damage: Callable[[Path], None], named: str, flushed: Path, folder: Path
) -> None:
    data = copied(flushed, folder)
    names = {file.name for file in (flushed / "store").glob(named)} or {named}
    damage(data)
    before = {file.name for file in (data / "store").glob("*.sst")}
    told = refused(data)
    assert str(data) in told
    assert any(name in told for name in names)
    assert {file.name for file in (data / "store").glob("*.sst")} == before, "evidence of what was there is gone"
    for file in _files(flushed, "*"):
        shutil.copy(file, data / "store")
    assert open_and_verify(data) == [(TURNS, [])], "the right files put back, all is there"


@pytest.mark.parametrize(("damage", "arguments"), [("table flipped", ["--verify"]), ("manifest flipped", [])])
def test_the_command_refuses_a_damaged_store_in_one_line(
    damage: str, arguments: list[str], flushed: Path, folder: Path
) -> None:
    """Reading every block of every table at each start would cost minutes: a start alone does not see a flipped one."""
    data = copied(flushed, folder)
    DAMAGE[damage][0](data)
    ended = run_server("--data", str(data), *(arguments or ["--listen", f"unix:{folder}/sock"]))
    assert ended.returncode == 1, ended.stdout + ended.stderr
    assert len(ended.stderr.splitlines()) == 1, ended.stderr
    assert ended.stderr.startswith("brain-server: ")
    assert str(data) in ended.stderr
    assert "in use" not in ended.stderr


@pytest.mark.parametrize("damage", ["table cut short", "table gone", "manifest flipped"])
def test_a_store_that_does_not_open_sends_nobody_to_the_doctor(damage: str, flushed: Path, folder: Path) -> None:
    data = copied(flushed, folder)
    DAMAGE[damage][0](data)
    with pytest.raises(StoreFailed) as failed:
        open_and_verify(data)
    assert "brain restore" in failed.value.hint
    assert "see brain doctor" not in failed.value.hint


@pytest.mark.parametrize("pattern", ["OPTIONS-*", "IDENTITY", "rocksdict-config.json", "LOG"])
def test_files_that_hold_no_turns_may_be_damaged_or_gone(pattern: str, flushed: Path, folder: Path) -> None:
    data = copied(flushed, folder)
    _write_all(data, pattern, "garbage")
    assert open_and_verify(data) == [(TURNS, [])]
    _remove(data, pattern)
    assert open_and_verify(data) == [(TURNS, [])]


def test_damage_amid_the_log_is_refused(killed: Path, folder: Path) -> None:
    data = copied(killed, folder)
    _flip(newest_log(data))
    ended = run_server("--data", str(data), "--listen", f"unix:{folder}/sock")
    assert ended.returncode == 1, "later turns, acknowledged, would be dropped in silence"
    assert len(ended.stderr.splitlines()) == 1, ended.stderr
    assert str(data) in ended.stderr


@pytest.fixture
def damaged(folder: Path) -> Path:
    """Give a folder of three memories, in whose tables a block of the first and one of the last is damaged."""
    policy = load_policy({"store": {"durability": "process"}})
    with Brain.open(folder / "data", policy) as brain:
        for memory_id in ("a-first", "m-amid", "z-last"):
            for request in turns(memory_id, 0, TURNS):
                brain.commit_turn(request)
    with Brain.open(folder / "data", policy):
        pass
    shutil.rmtree(folder / "data" / "index")
    for table in _files(folder / "data", "*.sst"):
        for place in (0.2, 0.8):
            _flip(table, place)
    return folder / "data"


def test_all_damage_is_named_with_what_is_lost_and_nothing_is_changed(damaged: Path) -> None:
    """The check ended with the first block that could not be read."""
    before = {file.name: file.read_bytes() for file in _files(damaged, "*.sst")}
    with Brain.open(damaged, load_policy({"store": {"durability": "process"}})) as brain:
        found = {answer.memory_id: list(answer.problems) for answer in brain.verify()}
    assert {"a-first", "m-amid", "z-last"} <= found.keys()
    assert found["m-amid"] == []
    for memory_id in ("a-first", "z-last"):
        told = "\n".join(found[memory_id])
        assert "cannot all be read" in told
        assert "lost" in told
        assert any(name in told for name in before)
    assert {file.name: file.read_bytes() for file in _files(damaged, "*.sst")} == before


def test_the_doctor_goes_on_past_damage_and_says_so_by_its_exit_code(damaged: Path) -> None:
    server = start_server(damaged.parent, config=FAST)
    try:
        brain = Command(server.target)
        for arguments in (["doctor"], ["doctor", "--rebuild"]):
            ended = brain.run(*arguments)
            assert ended.returncode == 1
            assert "2 with problems" in ended.stdout
            assert {line.split(":")[0] for line in ended.stdout.splitlines()} >= {"a-first", "z-last"}
        assert "its index cannot be made anew" in ended.stderr
    finally:
        server.terminate()


def test_damage_found_by_a_call_is_data_loss_and_spares_other_memories(folder: Path) -> None:
    """A damaged block is only seen when it is read: the call fails by name, other memories can be read on."""
    policy = load_policy({"store": {"durability": "process"}})
    with Brain.open(folder / "data", policy) as brain:
        for memory_id in ("a-first", "z-last"):
            for request in turns(memory_id, 0, 100):
                brain.commit_turn(request)
    with Brain.open(folder / "data", policy):
        pass
    shutil.rmtree(folder / "data" / "index")
    for table in _files(folder / "data", "*.sst"):
        _flip(table, 0.25)
    server = start_server(folder, config=FAST)
    try:
        with server.stubs() as stubs:
            refused = refusal(lambda: stubs.retrieval.Retrieve(retrieve("a-first", "number", mode="hybrid")))
            assert refused.code == grpc.StatusCode.DATA_LOSS
            assert str(server.data) in refused.message
            # Writing may end, once RocksDB meets the block while it compacts; reading goes on.
            assert answers(stubs, "z-last")
    finally:
        server.terminate()
    assert "Traceback" not in server.log.read_text(), server.log.read_text()[-2000:]
    ended = run_server("--data", str(server.data), "--verify")
    assert ended.returncode == 1
    assert "Traceback" not in ended.stderr


def test_a_file_system_that_cannot_be_written_is_refused_in_one_line(small_disk: Path, folder: Path) -> None:
    server = start_server(small_disk)
    with server.stubs() as stubs:
        commit_all(stubs, turns(MEMORY, 0, 5))
    server.terminate()
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    ended = run_server("--data", str(server.data), "--listen", f"unix:{folder}/sock")
    assert ended.returncode == 1
    assert len(ended.stderr.splitlines()) == 1, ended.stderr
    assert str(server.data) in ended.stderr
    assert "ead-only" in ended.stderr
    assert "in use" not in ended.stderr
