"""A document's purge that a process does not outlive, and what works beside one."""

from __future__ import annotations

import contextlib
import shutil
from pathlib import Path

import pytest
from smartbrain.v1.resource_service_pb2 import DeleteDocumentRequest, DocumentHeader

from brain_core import Brain
from tests.building import found, open_brain, say
from tests.purge.files import erased, files_with
from tests.purge.passed import opened

WORD = "xylophonist"
PURGE = DeleteDocumentRequest(memory_id="m", document_id="d", purge=True, request_id="once")


def ingest(brain: Brain) -> None:
    header = DocumentHeader(memory_id="m", document_id="d", title="A", media_type="text/plain")
    brain.ingest_document(header, [f"The {WORD} lives in Ulm.".encode()])


def copy_as_it_stands(folder: Path, copy: Path) -> None:
    """Copy a store that is open: RocksDB removes old files of its own in the background, soon after it was opened."""
    for _ in range(4):
        with contextlib.suppress(shutil.Error):
            shutil.copytree(folder, copy)
            return
        shutil.rmtree(copy)
    shutil.copytree(folder, copy)


@pytest.mark.parametrize("cache_bytes", [1, 1 << 30])
def test_no_file_of_an_index_outlives_its_text(folder: Path, cache_bytes: int) -> None:
    """The process dies once the text has left the store, while the index is made anew.

    What was written out before stayed until the memory was used again; with little room for indexes one was written
    out just then, which had the text still and was of the newest revision, so it stayed for good.
    """
    died = folder / "died"
    with open_brain(folder / "lives") as brain:
        brain.commit_turn(say("m", "s", "The ferry leaves at nine."))
        ingest(brain)
    assert files_with(folder / "lives" / "index", WORD)
    with opened(folder / "lives", index={"cache_bytes": cache_bytes}) as (brain, store):

        def die() -> None:
            brain.commit_turn(say("n", "s", "Elsewhere."))
            copy_as_it_stands(folder / "lives", died)

        assert found(brain, "m", WORD)
        store.after_view = die
        brain.delete_document(PURGE)
    assert died.is_dir()
    with open_brain(died) as brain:
        brain.delete_document(PURGE)
        erased(brain)
        assert files_with(died, WORD) == []
        assert any("ferry" in text for text in found(brain, "m", "ferry"))
        assert not any(answer.problems for answer in brain.verify("m"))
    assert files_with(died, WORD) == []


def test_a_check_meanwhile_finds_nothing_wrong(folder: Path) -> None:
    """Between the text's leaving and the index made anew, the loaded index differed from the store."""
    with opened(folder) as (brain, store):
        brain.commit_turn(say("m", "s", "The ferry leaves at nine. 渡轮九点开。"))
        ingest(brain)

        def check() -> str:
            [answer] = brain.verify("m")
            return "; ".join(answer.problems)

        with store.passed_by(check):
            brain.delete_document(PURGE)
        assert len(store.calls) > 1
        assert {call.result() for call in store.calls} == {""}
        assert check() == ""
        assert found(brain, "m", "ferry 渡轮")
