"""Files of indexes that cannot be written or taken away: what they only save time for goes on without them."""

from __future__ import annotations

import resource
from pathlib import Path

import pytest
from smartbrain.v1.brain_service_pb2 import DeleteTurnRequest
from smartbrain.v1.resource_service_pb2 import DeleteDocumentRequest, DocumentHeader

from brain_core import Brain
from brain_core.errors import StoreFailed
from brain_core.index import snapshot
from tests.building import found, open_brain, say
from tests.purge.files import files_with

WORD = "xylophonist"
TURN = "The ferry leaves at nine."


def fill(folder: Path) -> None:
    """Commit a turn and take in a document; the index is written out."""
    with open_brain(folder) as brain:
        brain.commit_turn(say("m", "s", TURN))
        header = DocumentHeader(memory_id="m", document_id="d", title="A", media_type="text/plain")
        brain.ingest_document(header, [f"The {WORD} lives in Ulm.".encode()])


def sound(brain: Brain) -> bool:
    return not any(answer.problems for answer in brain.verify())


def test_a_document_is_purged_though_its_index_cannot_be_written_anew(folder: Path) -> None:
    """It was out, and the answer was that the call had failed; the old file kept its words."""
    fill(folder)
    assert files_with(folder / "index", WORD)
    with open_brain(folder) as brain:
        in_its_way = snapshot.snapshot_path(folder / "index", "m").with_suffix(".new")
        in_its_way.mkdir()
        brain.delete_document(DeleteDocumentRequest(memory_id="m", document_id="d", purge=True))
        assert found(brain, "m", WORD, mode="exact") == []
        assert files_with(folder / "index", WORD) == []
        assert [answer.memory_id for answer in brain.rebuild_index("m")] == ["m"]
        assert found(brain, "m", "ferry", mode="exact") == [TURN]
        in_its_way.rmdir()
    with open_brain(folder) as brain:
        assert sound(brain)


def test_a_purge_that_cannot_take_the_index_away_says_so_and_purges_nothing(folder: Path) -> None:
    """It failed without a word of why."""
    fill(folder)
    index, aside = folder / "index", folder / "aside"
    with open_brain(folder) as brain:
        index.rename(aside)
        index.write_text("no folder")
        for _ in range(2):
            with pytest.raises(StoreFailed, match=r"\.index: cannot be removed: Not a directory") as failed:
                brain.delete_turn(DeleteTurnRequest(memory_id="m", turn_id="t1"))
            assert failed.value.hint.startswith("nothing was purged")
            assert found(brain, "m", "ferry", mode="exact") == [TURN]
        index.unlink()
        aside.rename(index)
        brain.delete_turn(DeleteTurnRequest(memory_id="m", turn_id="t1"))
        assert found(brain, "m", "ferry", mode="exact") == []
        assert sound(brain)


def test_an_index_that_there_is_no_room_for_leaves_none_of_it(folder: Path) -> None:
    """The half that had been written stayed, and kept a full disk full."""
    fill(folder)
    path = snapshot.snapshot_path(folder / "index", "m")
    before = path.read_bytes()
    with open_brain(folder) as brain, brain._indexes.use("m") as index:
        made = index
    room = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) // 2, room[1]))
    try:
        with pytest.raises(OSError, match="File too large"):
            snapshot.save(path, made)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, room)
    assert [file.name for file in path.parent.iterdir()] == [path.name]
    assert path.read_bytes() == before
