"""LangGraph's long-term memory, over whichever of its stores."""

from collections.abc import Mapping, Sequence

from langgraph.store.base import BaseStore, PutOp

from benchmarks.peers.given import GivenVectors
from benchmarks.peers.peer import WANTED, Found, Memory, Query, Search


class LangGraph:
    """The owner is the namespace, as LangGraph's own examples have it."""

    def __init__(self, store: BaseStore, given: GivenVectors, told: str) -> None:
        self._store = store
        self._given = given
        self.told = told

    def add(self, memories: Sequence[Memory]) -> None:
        """Put in one batch."""
        self._given.expect(memories)
        self._store.batch(
            [PutOp(("memories", memory.owner), str(memory.number), {"text": memory.text}) for memory in memories]
        )

    def settle(self) -> None:
        """Nothing to build."""

    def ways(self) -> Mapping[str, Search]:
        """Give the only one."""
        return {"": self._search}

    def close(self) -> None:
        """Nothing to call: the store ends with its process."""

    def _search(self, query: Query) -> list[Found]:
        self._given.expect([query])
        items = self._store.search(("memories", query.owner), query=query.text, limit=WANTED)
        return [Found(int(item.key), item.value["text"]) for item in items]
