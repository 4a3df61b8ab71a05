"""Vectors for stores that insist on embedding by themselves, so that they get the same ones at no cost."""

from collections.abc import Iterable, Sequence

from benchmarks.peers.peer import Memory, Query, Vector


class GivenVectors:
    """An embedding function that knows the texts of the call in progress and no others."""

    def __init__(self) -> None:
        self._by_text: dict[str, Vector] = {}

    def expect(self, coming: Iterable[Memory | Query]) -> None:
        """Know these from now on, and forget the ones before."""
        self._by_text = {one.text: one.vector for one in coming}

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Give the vectors of expected texts. Raises KeyError for another."""
        return [self._by_text[text].tolist() for text in texts]
