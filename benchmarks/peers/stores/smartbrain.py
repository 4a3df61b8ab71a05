"""SmartBrain in process: an owner is a memory, a memory a turn of one message. It embeds by itself."""

from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path

from smartbrain.v1.brain_service_pb2 import CommitTurnRequest, ComposeContextRequest
from smartbrain.v1.context_pb2 import ContextEvidence
from smartbrain.v1.event_pb2 import Message, TurnEvents
from smartbrain.v1.plan_pb2 import (
    PerModeK,
    PlanBudget,
    PlanDiversity,
    PlanQuery,
    PlanRanking,
    Rerank,
    RetrievalPlan,
)
from smartbrain.v1.retrieval_service_pb2 import RetrieveRequest

from benchmarks.peers.corpus import SPEAKER
from benchmarks.peers.peer import WANTED, Found, Memory, Peer, Query, Search
from brain_core import Brain, load_policy

_TURNS_OF_A_SESSION = 20
_NO_CAP = 1000
_LEFT_OUT = "\n…"  # stands where messages between two of a piece are not in it
_HYBRID = PlanBudget(top_k=WANTED)
_NEAREST = PlanBudget(
    top_k=WANTED,
    per_mode_k=PerModeK(semantic=WANTED),
    diversity=PlanDiversity(by_document=_NO_CAP, by_source=_NO_CAP, by_section=_NO_CAP),
)


class SmartBrain:
    """A brain in a folder, with every default but durability, and without items of its own: peers keep none."""

    told = (
        f"smartbrain-server {version('smartbrain-server')}, durability process, learn_from []; every add is a commit "
        "of its own, and adds and searches include the embedding. compose: ComposeContext (plan, hybrid search, "
        "rerank, selection, token budget, package, kept for GetContext), of each piece the memory that it was found "
        "by. retrieve: hybrid search and rerank. semantic: a plan of one semantic query without rerank, to be "
        "compared with exact vector search; the other two order differently on purpose, so their recall says how far,"
        " not how well"
    )

    def __init__(self, folder: Path) -> None:
        settings = {"store": {"durability": "process"}, "policies": {"retention": {"learn_from": []}}}
        self._brain = Brain.open(folder, load_policy(settings))

    def add(self, memories: Sequence[Memory]) -> None:
        """Commit each as a turn."""
        for memory in memories:
            message = Message(message_id=str(memory.number), role="user", speaker=SPEAKER, content=memory.text)
            request = CommitTurnRequest(
                memory_id=memory.owner,
                session_id=f"session-{memory.number // _TURNS_OF_A_SESSION}",
                turn=TurnEvents(messages=[message]),
            )
            self._brain.commit_turn(request)

    def settle(self) -> None:
        """Nothing to build: a commit is found by the next search."""

    def ways(self) -> Mapping[str, Search]:
        """Give what an agent calls, what a plan of its own calls, and the part that peers have too."""
        return {"compose": self._compose, "retrieve": self._retrieve, "semantic": self._semantic}

    def close(self) -> None:
        """Close the brain."""
        self._brain.close()

    def _compose(self, query: Query) -> list[Found]:
        request = ComposeContextRequest(memory_id=query.owner, session_id="asking", user_message=query.text)
        context = self._brain.compose_context(request).context
        return [_hit(one) for one in context.evidence]

    def _retrieve(self, query: Query) -> list[Found]:
        return self._carry_out(query, RetrievalPlan(queries=[PlanQuery(text=query.text)], budget=_HYBRID))

    def _semantic(self, query: Query) -> list[Found]:
        plan = RetrievalPlan(
            queries=[PlanQuery(text=query.text, mode="semantic")],
            budget=_NEAREST,
            ranking=PlanRanking(rerank=Rerank(enabled=False)),
        )
        return self._carry_out(query, plan)

    def _carry_out(self, query: Query, plan: RetrievalPlan) -> list[Found]:
        pack = self._brain.retrieve(RetrieveRequest(memory_id=query.owner, plan=plan)).pack
        return [Found(int(one.ref.message_id), one.snippet) for one in pack.evidences]


def _hit(piece: ContextEvidence) -> Found:
    """Return the memory that a piece of evidence was found by, without those around it."""
    numbers = [ref.message_id for ref in piece.merged] or [piece.ref.message_id]
    texts = piece.snippet.split(f"\n{SPEAKER}: ")
    return Found(int(piece.ref.message_id), texts[numbers.index(piece.ref.message_id)].removesuffix(_LEFT_OUT))


def open_peer(folder: Path, dimension: int) -> Peer:  # noqa: ARG001
    """Open an empty brain; its embedder is the one that made the vectors."""
    return SmartBrain(folder)
