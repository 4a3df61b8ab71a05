"""A data folder that is moved or removed under a running server: nothing is acknowledged that would be gone with it."""

from __future__ import annotations

import shutil
from pathlib import Path

import grpc
import pytest
from smartbrain.v1.admin_service_pb2 import BackupRequest
from smartbrain.v1.brain_service_pb2 import DeleteMemoryRequest
from smartbrain.v1.resource_service_pb2 import DocumentHeader, IngestDocumentRequest

from tests.faults.test_bad_disk import open_and_verify
from tests.server.asking import all_turns, commit, compose, refusal, texts
from tests.serving import Stubs, start_server


def check_nothing_is_written(stubs: Stubs, data: Path, backups: Path) -> None:
    """Check that all that writes is refused by name, that reading goes on and that nothing is made anew."""
    header = DocumentHeader(memory_id="m", document_id="d", media_type="text/plain")
    parts = [IngestDocumentRequest(header=header), IngestDocumentRequest(content=b"The ferry leaves at nine.")]
    writes = [
        lambda: stubs.brain.CommitTurn(commit("m", "s", "Not kept.")),
        lambda: stubs.brain.DeleteMemory(DeleteMemoryRequest(memory_id="other")),
        lambda: list(stubs.admin.Backup(BackupRequest(folder=str(backups / "one")))),
    ]
    before = sorted(data.rglob("*"))
    for write in writes:
        refused = refusal(write)
        assert refused.code is grpc.StatusCode.DATA_LOSS
        assert f"{data / 'store'} was moved or removed" in refused.message
        assert "put it back" in refused.facts["hint"]
    assert str(data) in refusal(lambda: stubs.resources.IngestDocument(iter(parts))).message
    assert "Oslo" in str(stubs.brain.ComposeContext(compose("m", "s", "Where do I live?")).context)
    assert sorted(data.rglob("*")) == before


@pytest.mark.parametrize("again", [False, True])
def test_a_folder_that_is_removed_takes_nothing_more_in(folder: Path, again: bool) -> None:
    server = start_server(folder, config=f"store: {{backup_folders: [{folder / 'backups'}]}}")
    with server.stubs() as stubs:
        for memory_id in ("m", "other"):
            stubs.brain.CommitTurn(commit(memory_id, "s", "I live in Oslo."))
        shutil.rmtree(server.data)
        if again:
            (server.data / "store").mkdir(parents=True)
            (server.data / "spool").write_text("in the way")
        check_nothing_is_written(stubs, server.data, folder / "backups")
    server.terminate()
    assert "Traceback" not in server.log.read_text()


def test_a_folder_that_is_put_back_is_written_again(folder: Path) -> None:
    server = start_server(folder, config=f"store: {{backup_folders: [{folder / 'backups'}]}}")
    with server.stubs() as stubs:
        for memory_id in ("m", "other"):
            stubs.brain.CommitTurn(commit(memory_id, "s", "I live in Oslo."))
        server.data.rename(folder / "aside")
        check_nothing_is_written(stubs, server.data, folder / "backups")
        (folder / "aside").rename(server.data)
        stubs.brain.CommitTurn(commit("m", "s", "I like tea."))
        assert texts(all_turns(stubs, "m", "s")) == [["I live in Oslo."], ["I like tea."]]
    assert server.terminate() == 0
    assert open_and_verify(server.data) == [(2, []), (1, [])]
