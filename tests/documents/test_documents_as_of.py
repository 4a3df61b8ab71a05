"""Documents as of a moment are those of now: what was replaced or taken out since is said."""

from __future__ import annotations

from pathlib import Path

from smartbrain.v1.item_pb2 import AsOf
from smartbrain.v1.resource_service_pb2 import DeleteDocumentRequest, DocumentHeader
from smartbrain.v1.retrieval_service_pb2 import RetrieveRequest

from brain_core import Brain
from tests.building import compose, open_brain, plan

ASKED = plan("port of the lighthouse 灯塔 server")
KEPT = "# 灯塔\n\n灯塔服务器的端口是一。\n"


def ingest(brain: Brain, name: str, text: str) -> int:
    header = DocumentHeader(memory_id="m", document_id=name, media_type="text/markdown")
    return brain.ingest_document(header, [text.encode()]).revision


def told(brain: Brain, revision: int) -> list[list[str]]:
    """Return what a pack and a package as of a revision say of documents that are gone."""
    pack = brain.retrieve(RetrieveRequest(memory_id="m", plan=ASKED, as_of=AsOf(revision=revision))).pack
    package = compose(brain, "m", "s", "which port?", plan=ASKED, as_of=AsOf(revision=revision))
    return [[one for one in said if one.startswith("as_of:")] for said in (pack.warnings, package.debug.ignored)]


def test_a_read_as_of_a_moment_tells_how_many_documents_have_changed_since(folder: Path) -> None:
    with open_brain(folder) as brain:
        first = ingest(brain, "a", f"# Server\n\nThe lighthouse server has port 1.\n\n{KEPT}")
        second = ingest(brain, "b", "The lighthouse server stands in pier two.")
        assert told(brain, second) == [[], []]
        ingest(brain, "a", f"# Server\n\nThe lighthouse server has port 2.\n\n{KEPT}")
        words = "as_of: documents are as of now: of 1 of then, text was replaced or taken out since"
        assert told(brain, second) == [[words], [words]]
        brain.delete_document(DeleteDocumentRequest(memory_id="m", document_id="b"))
        last = ingest(brain, "c", "The lighthouse is white.")
        assert told(brain, second)[0] == [words.replace("of 1", "of 2")]
        assert told(brain, first)[0] == [words], "the second document was not there then"
        assert told(brain, last) == [[], []]
        unasked = plan("port")
        unasked.resource_retrieval.enabled = False
        pack = brain.retrieve(RetrieveRequest(memory_id="m", plan=unasked, as_of=AsOf(revision=second))).pack
        assert not pack.warnings


def test_documents_whose_text_was_purged_are_counted_too(folder: Path) -> None:
    with open_brain(folder) as brain:
        for name in ("a", "b", "c", "d"):
            revision = ingest(brain, name, f"The lighthouse server {name} stands in pier {name}.")
        for name, purge in (("a", True), ("b", True), ("c", False)):
            brain.delete_document(DeleteDocumentRequest(memory_id="m", document_id=name, purge=purge))
        words = "as_of: documents are as of now: of 3 of then, text was replaced or taken out since"
        assert told(brain, revision) == [[words], [words]]
