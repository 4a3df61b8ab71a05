"""The same question at the same revision has the same answer, twice, restarted, and whatever became of the index."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from google.protobuf.message import Message as Proto
from smartbrain.v1.admin_service_pb2 import RebuildIndexRequest, VerifyRequest

from brain_core import Brain, load_policy
from brain_core.index.snapshot import snapshot_path
from tests.faults.corpus import answers, commit_all, turns
from tests.serving import Stubs, start_server

MEMORY, OTHER = "trip", "旅行"
FAST = "store: {durability: process}"
POLICY = load_policy({"store": {"durability": "process"}})


def sound(stubs: Stubs) -> bool:
    """Return whether verify finds nothing wrong."""
    return not [problem for answer in stubs.admin.Verify(VerifyRequest()) for problem in answer.problems]


def test_twice_after_a_restart_and_without_the_index(folder: Path) -> None:
    server = start_server(folder, config=FAST)
    with server.stubs() as stubs:
        commit_all(stubs, turns(MEMORY, 0, 150))
        first = answers(stubs, MEMORY)
        assert answers(stubs, MEMORY) == first, "asked twice"
    assert server.terminate() == 0

    server = start_server(folder, config=FAST)
    with server.stubs() as stubs:
        assert answers(stubs, MEMORY) == first, "after a restart"
    server.kill()

    shutil.rmtree(server.data / "index")
    server = start_server(folder, config=FAST)
    with server.stubs() as stubs:
        assert answers(stubs, MEMORY) == first, "without the index"
        list(stubs.admin.RebuildIndex(RebuildIndexRequest()))
        assert answers(stubs, MEMORY) == first, "with the index made anew"
        assert sound(stubs)
    assert server.terminate() == 0


def test_turn_by_turn_and_from_an_old_snapshot(folder: Path) -> None:
    server = start_server(folder, config=FAST)
    with server.stubs() as stubs:
        for request in turns(MEMORY, 0, 40):
            stubs.brain.CommitTurn(request)
    server.terminate()  # writes a snapshot
    server = start_server(folder, config=FAST)
    with server.stubs() as stubs:
        for request in turns(MEMORY, 40, 60):
            stubs.brain.CommitTurn(request)
        live = answers(stubs, MEMORY)
    server.kill()  # writes none
    server = start_server(folder, config=FAST)
    with server.stubs() as stubs:
        assert answers(stubs, MEMORY) == live, "an old snapshot and a replay"
        assert sound(stubs)
    assert server.terminate() == 0


def _flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 0xFF
    path.write_bytes(content)


def _flip_checksum(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[25] ^= 0xFF
    path.write_bytes(content)


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1000])


def _swap(path: Path) -> None:
    other = snapshot_path(path.parent, OTHER)
    content = path.read_bytes()
    path.write_bytes(other.read_bytes())
    other.write_bytes(content)


def _half_written(path: Path) -> None:
    path.with_suffix(".new").write_bytes(path.read_bytes()[:500])
    path.unlink()


DAMAGE: dict[str, Callable[[Path], object]] = {
    "flipped byte": _flip,
    "flipped checksum": _flip_checksum,
    "cut short": _cut,
    "zero length": lambda path: path.write_bytes(b""),
    "zeros": lambda path: path.write_bytes(bytes(path.stat().st_size)),
    "other format": lambda path: path.write_bytes(b"smartbrain-index 8\n" + path.read_bytes()[19:]),
    "text": lambda path: path.write_text("not an index"),
    "another memory's": _swap,
    "wrong name": lambda path: path.rename(path.with_name("0" * 32 + ".index")),
    "half written": _half_written,
    "gone": lambda path: path.unlink(),
}


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Proto]]:
    """Give a folder with saved indexes of two memories, and what is answered from it."""
    folder = tmp_path_factory.mktemp("saved")
    with Brain.open(folder, POLICY) as brain:
        for request in (*turns(OTHER, 300, 400), *turns(MEMORY, 0, 50)):
            brain.commit_turn(request)
        expected = both(brain)
    return folder, expected


def both(brain: Brain) -> list[Proto]:
    """Return the answers about both memories."""
    verbs = SimpleNamespace(ComposeContext=brain.compose_context, Retrieve=brain.retrieve)
    stubs = cast("Stubs", SimpleNamespace(brain=verbs, retrieval=verbs))
    return answers(stubs, MEMORY) + answers(stubs, OTHER)


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE.keys())
def test_a_damaged_snapshot_is_ignored(
    damage: Callable[[Path], object], saved: tuple[Path, list[Proto]], tmp_path: Path
) -> None:
    data, expected = saved
    folder = shutil.copytree(data, tmp_path / "data")
    path = snapshot_path(folder / "index", MEMORY)
    assert path.is_file()
    damage(path)
    with Brain.open(folder, POLICY) as brain:
        assert both(brain) == expected
    with Brain.open(folder, POLICY) as brain:
        assert [list(answer.problems) for answer in brain.verify()] == [[], []], "it was not made anew"
        assert both(brain) == expected
