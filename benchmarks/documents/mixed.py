"""One memory holds conversations and documents; each question is asked of both and of the source that has its gold."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypedDict

import grpc
from smartbrain.v1.brain_service_pb2 import ComposeContextRequest
from smartbrain.v1.brain_service_pb2_grpc import BrainServiceStub
from smartbrain.v1.evidence_pb2 import EvidencePack
from smartbrain.v1.plan_pb2 import RetrievalPlan
from smartbrain.v1.resource_service_pb2 import DocumentHeader
from smartbrain.v1.resource_service_pb2_grpc import ResourceServiceStub
from smartbrain.v1.retrieval_service_pb2 import RetrieveRequest
from smartbrain.v1.retrieval_service_pb2_grpc import RetrievalServiceStub
from tqdm import tqdm

from benchmarks.documents.asked import Asked, Source, document_uri, message_id
from benchmarks.documents.upload import upload
from benchmarks.quality.datasets import DataSet
from benchmarks.quality.metrics import unique
from benchmarks.quality.smartbrain_system import SmartBrain, hybrid_plan
from benchmarks.server import running_server

WANTED = 10
TOKEN_LIMIT = 2048
WAYS = ("auto", "on")
"""policies.retrieval.enable_resource_retrieval of the server that composes."""

_MEMORY = "mixed"
_SOURCE_TYPE = "manual"  # of the documents; nothing else has it
_TIMEOUT = 60.0  # seconds per call


class Packed(TypedDict):
    """What a package holds. ids: of messages and documents. memory, resource: pieces of evidence."""

    ids: list[str]
    memory: int
    resource: int


class Answer(TypedDict):
    """What one question was answered with: ids, best first, at most ten of each. packages: by way."""

    data: str
    question_id: str
    drawn: bool
    both: list[str]
    alone: list[str]
    packages: dict[str, Packed]


def run(chats: Sequence[DataSet], documents: Sequence[DataSet], asked: Sequence[Asked], folder: Path) -> list[Answer]:
    """Fill a memory in a folder and ask everything. Raises grpc.RpcError or SmartBrainError when a call fails."""
    with running_server(_set("auto"), folder) as server:
        _fill(server.target, chats, documents)
        with grpc.insecure_channel(server.target) as channel:
            answers = [_retrieved(RetrievalServiceStub(channel), one) for one in _shown(asked, "retrieve")]
            packed = {"auto": _packages(channel, asked, "auto")}
    with running_server(_set("on"), folder) as server, grpc.insecure_channel(server.target) as channel:
        packed["on"] = _packages(channel, asked, "on")
    for number, answer in enumerate(answers):
        answer["packages"] = {way: packed[way][number] for way in WAYS}
    return answers


def _set(way: str) -> dict[str, object]:
    return {
        "policies": {"retrieval": {"enable_resource_retrieval": way}},
        "store": {"durability": "process"},
    }


def _fill(target: str, chats: Sequence[DataSet], documents: Sequence[DataSet]) -> None:
    """Commit conversations turn by turn, then ingest each passage as a document of its own."""
    smartbrain = SmartBrain(target)
    memory = smartbrain.open(_MEMORY)
    for conversation in (one for data in chats for one in data.conversations):
        for session in conversation.sessions:
            named = replace(session, session_id=f"{conversation.id}/{session.session_id}")
            for turn in session.turns:
                memory.add(named, replace(turn, turn_id=message_id(conversation.id, turn.turn_id)))
        memory.commit_waiting()
    smartbrain.close()
    passages = [
        (document_uri(one.id, turn.turn_id), turn.text)
        for data in documents
        for one in data.conversations
        for session in one.sessions
        for turn in session.turns
    ]
    with grpc.insecure_channel(target) as channel:
        stub = ResourceServiceStub(channel)
        for uri, text in tqdm(passages, desc="documents", disable=None):
            header = DocumentHeader(
                memory_id=_MEMORY, source_uri=uri, source_type=_SOURCE_TYPE, media_type="text/plain"
            )
            upload(stub, header, [text.encode()])


def _retrieved(stub: RetrievalServiceStub, asked: Asked) -> Answer:
    return Answer(
        data=asked.data,
        question_id=asked.id,
        drawn=asked.drawn,
        both=_first(stub, _plan(asked.text, "memory", "documents")),
        alone=_first(stub, _plan(asked.text, asked.source)),
        packages={},
    )


def _plan(question: str, *sources: Source) -> RetrievalPlan:
    plan = hybrid_plan(question)
    plan.resource_retrieval.enabled = "documents" in sources
    if "memory" not in sources:
        plan.global_filters.source_type.append(_SOURCE_TYPE)
    return plan


def _first(stub: RetrievalServiceStub, plan: RetrievalPlan) -> list[str]:
    pack = stub.Retrieve(RetrieveRequest(memory_id=_MEMORY, plan=plan), timeout=_TIMEOUT).pack
    return unique(_ids(pack))[:WANTED]


def _ids(pack: EvidencePack) -> Iterator[str]:
    """Yield what the evidence is of; an item that was learned from no message is of nothing."""
    for one in pack.evidences:
        name = one.source_uri if one.ref.document_id else one.ref.message_id
        if name:
            yield name


def _packages(channel: grpc.Channel, asked: Sequence[Asked], way: str) -> list[Packed]:
    """Compose for each question in a session of its own, so that no recent turns come in."""
    stub = BrainServiceStub(channel)
    return [_packed(stub, one, f"{way}-{number}") for number, one in enumerate(_shown(asked, f"compose, {way}"))]


def _packed(stub: BrainServiceStub, asked: Asked, session_id: str) -> Packed:
    request = ComposeContextRequest(
        memory_id=_MEMORY, session_id=session_id, user_message=asked.text, token_limit=TOKEN_LIMIT
    )
    context = stub.ComposeContext(request, timeout=_TIMEOUT).context
    resources = [one for one in context.evidence if one.source == "resource"]
    messages = [ref.message_id for one in context.evidence if one.source == "memory" for ref in one.merged or [one.ref]]
    return Packed(
        ids=unique(one for one in [*(each.source_uri for each in resources), *messages] if one),
        memory=len(context.evidence) - len(resources),
        resource=len(resources),
    )


def _shown(asked: Sequence[Asked], what: str) -> "tqdm[Asked]":
    return tqdm(asked, desc=what, disable=None)
