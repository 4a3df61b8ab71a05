"""Mem0 with `infer=False`: memories as given, no model called, over whichever of its vector stores."""

from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path

from mem0 import Memory as Mem0Memory

from benchmarks.peers.given import GivenVectors
from benchmarks.peers.peer import WANTED, Found, Memory, Query, Search


class Mem0:
    """The owner is Mem0's user_id."""

    def __init__(self, folder: Path, vector_store: str, settings: Mapping[str, object]) -> None:
        never_called = {"provider": "openai", "config": {"api_key": "none"}}
        config = {
            "llm": never_called,
            "embedder": never_called,
            "vector_store": {"provider": vector_store, "config": {"path": str(folder / "vectors"), **settings}},
            "history_db_path": str(folder / "history.db"),
        }
        self._memory = Mem0Memory.from_config(config)
        self._given = GivenVectors()
        self._memory.embedding_model = _Embedding(self._given)
        self.told = f"mem0ai {version('mem0ai')}, infer=False, threshold 0, over its {vector_store} store in process"

    def add(self, memories: Sequence[Memory]) -> None:
        """Add one by one: a call has one metadata for all its messages, and the number goes there."""
        self._given.expect(memories)
        for memory in memories:
            messages = [{"role": "user", "content": memory.text}]
            self._memory.add(messages, user_id=memory.owner, metadata={"number": memory.number}, infer=False)

    def settle(self) -> None:
        """Nothing to build."""

    def ways(self) -> Mapping[str, Search]:
        """Give the only one."""
        return {"": self._search}

    def close(self) -> None:
        """Close its history."""
        self._memory.close()

    def _search(self, query: Query) -> list[Found]:
        self._given.expect([query])
        answer = self._memory.search(query.text, top_k=WANTED, filters={"user_id": query.owner}, threshold=0.0)
        return [Found(one["metadata"]["number"], one["memory"]) for one in answer["results"]]


class _Embedding:
    """What Mem0 asks of an embedding model."""

    def __init__(self, given: GivenVectors) -> None:
        self._given = given

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:  # noqa: ARG002
        """Give the vector of an expected text."""
        return self._given.embed([text])[0]

    def embed_batch(self, texts: Sequence[str], memory_action: str | None = None) -> list[list[float]]:  # noqa: ARG002
        """Give the vectors of expected texts."""
        return self._given.embed(texts)
