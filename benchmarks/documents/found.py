"""Questions to a tree: whether the right document is among the first ten, beside BM25 over the same chunks."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

import grpc
from smartbrain.v1.resource_service_pb2 import Document, GetDocumentRequest, ListDocumentsRequest
from smartbrain.v1.resource_service_pb2_grpc import ResourceServiceStub
from smartbrain.v1.retrieval_service_pb2 import RetrieveRequest
from smartbrain.v1.retrieval_service_pb2_grpc import RetrievalServiceStub
from tqdm import tqdm

from benchmarks.documents.ingest import MEMORY
from benchmarks.documents.tree import Tree
from benchmarks.quality.bm25 import Bm25
from benchmarks.quality.datasets import DataError
from benchmarks.quality.metrics import ranking_scores, unique
from benchmarks.quality.smartbrain_system import hybrid_plan
from benchmarks.quality.words import Words
from brain_core import load_policy
from brain_core.text.windows import windows

WANTED = 10
_PAGE = 1000
_TIMEOUT = 60.0


@dataclass(frozen=True, slots=True)
class Question:
    """A question to a tree, its language, and the files that answer it, by name."""

    text: str
    language: str
    documents: frozenset[str]


class Row(TypedDict):
    """One system on one group of questions, means. missed: questions that it has no document for in the first ten."""

    system: str
    language: str
    questions: int
    recall: float
    mrr: float
    missed: list[str]


def load_questions(path: Path, tree: Tree) -> list[Question]:
    """Read questions; raises DataError for one whose document is not in the tree."""
    questions = [
        Question(row["question"], row["language"], frozenset(row["documents"]))
        for row in json.loads(path.read_text(encoding="utf-8"))
    ]
    missing = {name for one in questions for name in one.documents} - set(tree.names)
    if missing:
        raise DataError(f"{path}: documents that are not in {tree.folder}: {', '.join(sorted(missing))}")
    return questions


def rows(channel: grpc.Channel, tree: Tree, questions: Sequence[Question]) -> list[Row]:
    """Ask the server and BM25, by language and in all. Raises grpc.RpcError when a call fails."""
    stub = RetrievalServiceStub(channel)
    bm25 = _Bm25Documents(ResourceServiceStub(channel), tree)
    systems = {"smartbrain": [_first(stub, tree, one.text) for one in questions]}
    systems["bm25"] = [bm25.first(one.text) for one in questions]
    languages = {"all": list(range(len(questions)))}
    for number, one in enumerate(questions):
        languages.setdefault(one.language, []).append(number)
    return [
        _row(system, language, [(questions[number], found[number]) for number in numbers])
        for language, numbers in languages.items()
        for system, found in systems.items()
    ]


def _row(system: str, language: str, pairs: Sequence[tuple[Question, list[str]]]) -> Row:
    scores = [ranking_scores(found, one.documents) for one, found in pairs]
    return Row(
        system=system,
        language=language,
        questions=len(pairs),
        recall=sum(one[f"recall@{WANTED}"] for one in scores) / max(len(scores), 1),
        mrr=sum(one["mrr"] for one in scores) / max(len(scores), 1),
        missed=[one.text for one, found in pairs if not one.documents.intersection(found)],
    )


def _first(stub: RetrievalServiceStub, tree: Tree, question: str) -> list[str]:
    """Return the first documents that the server finds; a document stands where its first chunk does."""
    request = RetrieveRequest(memory_id=MEMORY, plan=hybrid_plan(question))
    evidences = stub.Retrieve(request, timeout=_TIMEOUT).pack.evidences
    return unique(tree.name_of[one.source_uri] for one in evidences)[:WANTED]


class _Bm25Documents:
    """The documents of the server behind a keyword index of their chunks, headings included."""

    def __init__(self, stub: ResourceServiceStub, tree: Tree) -> None:
        self._index = Bm25(Words())
        self._names: list[str] = []
        longest = load_policy().index.window_chars
        for document in tqdm(_documents(stub), desc="bm25", disable=None):
            for title, text in _chunks(stub, document, longest):
                self._index.add(text, title)
                self._names.append(tree.name_of[document.source_uri])

    def first(self, question: str) -> list[str]:
        ranked = self._index.rank(question).tolist()
        return unique(self._names[number] for number in ranked)[:WANTED]


def _documents(stub: ResourceServiceStub) -> Iterator[Document]:
    request = ListDocumentsRequest(memory_id=MEMORY, page_size=_PAGE)
    while True:
        page = stub.ListDocuments(request, timeout=_TIMEOUT)
        yield from page.documents
        request.page_token = page.next_page_token
        if not request.page_token:
            return


def _chunks(stub: ResourceServiceStub, document: Document, longest: int) -> Iterator[tuple[str, str]]:
    """Yield (headings, text) of each chunk, at most `longest` characters, cut from the sections as the server does."""
    request = GetDocumentRequest(
        memory_id=MEMORY, document_id=document.document_id, include_sections=True, page_size=_PAGE
    )
    while True:
        page = stub.GetDocument(request, timeout=_TIMEOUT)
        for section in page.sections:
            title = " ".join([document.title, *section.path])
            yield from ((title, section.text[one.start : one.stop]) for one in windows(section.text, longest))
        request.page_token = page.next_page_token
        if not request.page_token:
            return
