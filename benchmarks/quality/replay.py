"""Replays a data set through one system: turns in the order of the data, each question at its place in the stream."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from smartbrain.conversations import Conversation

from benchmarks.quality.answers import Answer
from benchmarks.quality.datasets import DataSet, Question
from benchmarks.quality.systems import Memory, System

TOKEN_LIMITS = (1024, 2048, 4096)
KEPT = 50  # turns of a ranking that are written and scored


@dataclass(frozen=True, slots=True)
class Replay:
    """One data set through one system; `run` makes its memories' names new on a server that was used before."""

    data: DataSet
    system: System
    run: str = ""

    def answers(self, on_turn: Callable[[], object] = lambda: None) -> Iterator[Answer]:
        """Yield answers in the order asked; `on_turn` is called after each turn was handed over.

        A question with before_session_id is asked when exactly the earlier sessions are in; the others at the end.
        """
        for conversation in self.data.conversations:
            memory = self.system.open(f"{self.data.name}:{conversation.id}{self.run}")
            waiting = self._by_place(conversation)
            for place, session in enumerate(conversation.sessions):
                for question in waiting.get(place, ()):
                    yield self._ask(memory, question)
                for turn in session.turns:
                    memory.add(session, turn)
                    on_turn()
            for question in waiting.get(len(conversation.sessions), ()):
                yield self._ask(memory, question)

    def _by_place(self, conversation: Conversation) -> dict[int, list[Question]]:
        waiting: dict[int, list[Question]] = {}
        for question in self.data.questions:
            if question.conversation_id == conversation.id:
                waiting.setdefault(self.data.place_of(question), []).append(question)
        return waiting

    def _ask(self, memory: Memory, question: Question) -> Answer:
        ranking = memory.retrieve(question.text)
        packages = {str(limit): memory.package(question.text, limit) for limit in TOKEN_LIMITS}
        return Answer(
            data=self.data.name,
            question_id=question.id,
            system=self.system.name,
            retrieved=ranking.turn_ids[:KEPT],
            package={limit: package.turn_ids for limit, package in packages.items()},
            retrieve_ms=round(ranking.took_ms, 3),
            compose_ms={limit: round(package.took_ms, 3) for limit, package in packages.items()},
            tokens={limit: package.tokens for limit, package in packages.items()},
        )
