"""What a brain holds of memories that never began: nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from smartbrain.v1.brain_service_pb2 import CommitTurnRequest
from smartbrain.v1.resource_service_pb2 import DocumentHeader

from brain_core.errors import InvalidArgument
from tests.building import open_brain, say


def test_dry_runs_of_new_memories_leave_no_index(folder: Path) -> None:
    """An index of each stayed, some 100 KB that were counted as one: 1,500 dry runs took 170 MB."""
    with open_brain(folder) as brain:
        for number in range(3):
            request = CommitTurnRequest()
            request.CopyFrom(say(f"new {number}", "s", "I live in Oslo. 我住在上海。"))
            request.validate_only = True
            assert brain.commit_turn(request).items
        assert (brain.status().memories_loaded, brain.status().index_bytes) == (0, 0)
        brain.commit_turn(say("new 0", "s", "I live in Oslo."))
        assert brain.status().memories_loaded == 1


def test_refused_documents_leave_no_lock(folder: Path) -> None:
    with open_brain(folder) as brain:
        for number in range(3):
            header = DocumentHeader(memory_id=f"new {number}", document_id="d", media_type="application/pdf")
            with pytest.raises(InvalidArgument):
                brain.ingest_document(header, [b"no pdf"])
        assert len(brain._library._locks) == 0
        assert brain.status().memories_loaded == 0
