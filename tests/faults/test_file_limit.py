"""A server that may open no more files: `ulimit -n`, reached by connections for one."""

from __future__ import annotations

import resource
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import grpc
from smartbrain.v1.admin_service_pb2 import GetStatusRequest, VerifyRequest
from smartbrain.v1.brain_service_pb2 import DeleteMemoryRequest
from smartbrain.v1.resource_service_pb2 import DocumentHeader, IngestDocumentRequest

from tests.server.asking import all_turns, commit, compose, refusal
from tests.serving import start_server


@contextmanager
def no_more_files(process: int) -> Iterator[None]:
    """Let a process open no file."""
    usual = resource.prlimit(process, resource.RLIMIT_NOFILE)
    resource.prlimit(process, resource.RLIMIT_NOFILE, (3, usual[1]))
    try:
        yield
    finally:
        resource.prlimit(process, resource.RLIMIT_NOFILE, usual)


def test_the_first_commits_and_contexts_after_a_start_need_no_file(folder: Path) -> None:
    """What they need was read by the first of them: a compose failed, and its log alone said why."""
    server = start_server(folder)
    said = ["I live in Oslo, and we decided to ship on Friday.", "我住在上海，我们决定用 Redis。"]
    parts = [
        IngestDocumentRequest(header=DocumentHeader(memory_id="m", document_id="d", media_type="text/plain")),
        IngestDocumentRequest(content=b"The ferry leaves at nine."),
    ]
    with server.stubs() as stubs:
        stubs.brain.CommitTurn(commit("other", "s", "Hello."))
        with no_more_files(server.process.pid):
            for text in said:
                assert stubs.brain.CommitTurn(commit("m", "s", text)).items
            for question, answer in (("Where do I live?", "Oslo"), ("我们决定用什么？", "Redis")):
                context = stubs.brain.ComposeContext(compose("m", "t", question)).context
                assert answer in str(context)
            refused = refusal(lambda: stubs.resources.IngestDocument(iter(parts)))
            assert refused.code is grpc.StatusCode.RESOURCE_EXHAUSTED
            assert refused.message.endswith("spool: Too many open files")
            assert "ulimit -n" in refused.facts["hint"]
        assert stubs.resources.IngestDocument(iter(parts)).outcome == "created"
        assert [each.problems for each in stubs.admin.Verify(VerifyRequest())] == [[], []]
    assert server.terminate() == 0


def test_a_store_that_may_open_no_file_says_so_and_loses_nothing(folder: Path) -> None:
    """A purge begins a new log; what it and all commits after it met was called data loss, to be cured by a backup."""
    server = start_server(folder)
    with server.stubs() as stubs:
        stubs.brain.CommitTurn(commit("m", "s", "I live in Oslo."))
        stubs.brain.CommitTurn(commit("gone", "s", "Hello."))
        with no_more_files(server.process.pid):
            stubs.brain.DeleteMemory(DeleteMemoryRequest(memory_id="gone"))
            deadline = time.monotonic() + 60
            while not (problem := stubs.admin.GetStatus(GetStatusRequest()).erase_problem):
                assert time.monotonic() < deadline
                time.sleep(0.05)
            assert "Too many open files" in problem
        refused = refusal(lambda: stubs.brain.CommitTurn(commit("m", "s", "Not taken.")))
        assert refused.code is grpc.StatusCode.RESOURCE_EXHAUSTED
        assert refused.message == f"{server.data}/store: Too many open files"
        assert "ulimit -n" in refused.facts["hint"]
        assert "Oslo" in str(stubs.brain.ComposeContext(compose("m", "t", "Where do I live?")).context)
    server.terminate()
    server = start_server(folder)
    with server.stubs() as stubs:
        assert len(all_turns(stubs, "m", "s")) == 1
        stubs.brain.CommitTurn(commit("m", "s", "I like tea."))
    assert server.terminate() == 0
