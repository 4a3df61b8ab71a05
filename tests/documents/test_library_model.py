"""Documents against a dict of them, through replacements, deletions, purges, commits, lost indexes and reopenings."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from smartbrain.v1.plan_pb2 import PlanFilters
from smartbrain.v1.resource_service_pb2 import DeleteDocumentRequest, DocumentHeader, ListDocumentsRequest

from tests.building import open_brain, plan, retrieve, say

_NAMES = st.sampled_from(["one", "two", "三"])
_WORDS = [f"{kind}{n}" for n in range(9) for kind in ("qzebra", "qotter")] + ["麋", "骐"]
_TEXTS = st.lists(st.sampled_from(_WORDS), min_size=1, max_size=5)


class Documents(RuleBasedStateMachine):
    """texts: what each document says, a word a section."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.brain = open_brain(self.folder, documents={"purge_share": 0.5})
        self.texts: dict[str, list[str]] = {}
        self.said: set[str] = set()
        self.brain.commit_turn(say("m", "s", "hello"))

    def teardown(self) -> None:
        self.brain.close()
        shutil.rmtree(self.folder)

    @rule(name=_NAMES, texts=_TEXTS, tagged=st.booleans())
    def ingest(self, name: str, texts: list[str], tagged: bool) -> None:
        header = DocumentHeader(memory_id="m", document_id=name, media_type="text/markdown", title=name)
        header.tag_ids.extend(["tag"] if tagged else [])
        body = "\n\n".join(f"# {n}\n\n{name} says {word}." for n, word in enumerate(texts))
        answer = self.brain.ingest_document(header, [body.encode()])
        assert answer.outcome in ({"replaced", "unchanged"} if name in self.texts else {"created"})
        assert answer.sections_kept + answer.sections_added == len(texts)
        self.texts[name] = texts

    @rule(name=_NAMES, purge=st.booleans())
    def delete(self, name: str, purge: bool) -> None:
        if self.texts.pop(name, None) is not None:
            self.brain.delete_document(DeleteDocumentRequest(memory_id="m", document_id=name, purge=purge))

    @rule(word=st.sampled_from(_WORDS))
    def say(self, word: str) -> None:
        self.brain.commit_turn(say("m", "s", f"somebody says {word}"))
        self.said.add(word)

    @rule(lost=st.booleans())
    def reopen(self, lost: bool) -> None:
        self.brain.close()
        if lost:
            shutil.rmtree(self.folder / "index", ignore_errors=True)
        self.brain = open_brain(self.folder, documents={"purge_share": 0.5})

    @rule(word=st.sampled_from(_WORDS))
    def find(self, word: str) -> None:
        asked = plan(word, mode="exact")
        asked.budget.diversity.by_document = 100
        found = retrieve(self.brain, "m", asked).evidences
        wanted = {name for name, texts in self.texts.items() if word in texts} | ({""} if word in self.said else set())
        assert {one.document_id for one in found} == wanted
        narrowed = retrieve(self.brain, "m", plan(word, mode="exact", filters=PlanFilters(document_ids=["one"])))
        assert {one.document_id for one in narrowed.evidences} == wanted & {"one"}

    @invariant()
    def holds(self) -> None:
        listed = self.brain.list_documents(ListDocumentsRequest(memory_id="m")).documents
        assert {one.document_id: one.sections for one in listed} == {
            name: len(texts) for name, texts in self.texts.items()
        }
        assert [problem for answer in self.brain.verify() for problem in answer.problems] == []


Documents.TestCase.settings = settings(
    max_examples=15, stateful_step_count=15, deadline=None, suppress_health_check=list(HealthCheck)
)
TestDocuments = Documents.TestCase
