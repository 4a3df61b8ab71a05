"""What the benchmark asks of a system under test, whatever is behind it."""

from dataclasses import dataclass
from typing import Protocol

from smartbrain.conversations import Session, Turn


@dataclass(frozen=True, slots=True)
class Ranking:
    """Answer to one question: ids of turns, best first, each once; wall time in milliseconds as the caller sees it."""

    turn_ids: list[str]
    took_ms: float


@dataclass(frozen=True, slots=True)
class Package:
    """Context for one question: ids of the turns in it, its tokens by the system's own counter, wall time in ms."""

    turn_ids: list[str]
    tokens: int
    took_ms: float


@dataclass(frozen=True, slots=True)
class Setting:
    """Where a question is asked: in a session that goes on, or in a new one, without id, where nothing was said.

    said: oldest first; it has been added to the memory.
    """

    session_id: str = ""
    said: tuple[Turn, ...] = ()


ALONE = Setting()


class Memory(Protocol):
    """One conversation as a system remembers it. What was added is found by the very next question."""

    def add(self, session: Session, turn: Turn) -> None:
        """Add the next turn of the stream."""

    def retrieve(self, question: str, setting: Setting = ALONE) -> Ranking:
        """Find the turns that answer the question, at least 50 where the memory has as many that match."""

    def package(self, question: str, token_limit: int, setting: Setting = ALONE) -> Package:
        """Choose what the system would put before a model for the question inside the limit, what was said included."""


class System(Protocol):
    """Something that remembers and finds. `counter` says how its tokens are counted."""

    name: str
    counter: str

    def open(self, memory_id: str) -> Memory:
        """Make a new, empty memory under this name."""
