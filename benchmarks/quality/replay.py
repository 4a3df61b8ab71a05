"""Replays a data set through one system: turns in the order of the data, each question at its place in the stream."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from smartbrain.conversations import Conversation, Session

from benchmarks.quality.answers import Answer
from benchmarks.quality.datasets import DataSet, Question
from benchmarks.quality.systems import ALONE, Memory, Setting, System

TOKEN_LIMITS = (1024, 2048, 4096)
KEPT = 50  # turns of a ranking that are written and scored


@dataclass(frozen=True, slots=True)
class Replay:
    """One data set through one system; `run` makes its memories' names new on a server that was used before.

    amid: questions are asked in the session that they were asked in, where the data tells what was said there before.
    """

    data: DataSet
    system: System
    run: str = ""
    amid: bool = False

    def answers(self, on_turn: Callable[[], object] = lambda: None) -> Iterator[Answer]:
        """Yield answers in the order asked; `on_turn` is called after each turn was handed over."""
        for memory, question, setting in self.asked(on_turn):
            yield self._ask(memory, question, setting)

    def asked(self, on_turn: Callable[[], object] = lambda: None) -> Iterator[tuple[Memory, Question, Setting]]:
        """Yield each question, where its memory has what it is to have, before anything more goes in.

        A question with before_session_id is asked when exactly the earlier sessions are in; the others at the end.
        """
        for conversation in self.data.conversations:
            memory = self._new_memory(conversation)
            waiting = self._by_place(conversation)
            for place, session in enumerate(conversation.sessions):
                later: list[Question] = []
                for question in waiting.get(place, ()):
                    if self.amid and any(turn.turn_id == question.turn_id for turn in session.turns):
                        later.append(question)
                    else:
                        yield memory, question, ALONE
                for number, turn in enumerate(session.turns):
                    for question in (one for one in later if one.turn_id == turn.turn_id):
                        yield memory, question, Setting(session.session_id, session.turns[:number])
                    memory.add(session, turn)
                    on_turn()
            for question in waiting.get(len(conversation.sessions), ()):
                yield self._amid(conversation, memory, question)

    def _new_memory(self, conversation: Conversation, name: str = "") -> Memory:
        return self.system.open(f"{self.data.name}:{conversation.id}{self.run}{name}")

    def _by_place(self, conversation: Conversation) -> dict[int, list[Question]]:
        waiting: dict[int, list[Question]] = {}
        for question in self.data.questions:
            if question.conversation_id == conversation.id:
                waiting.setdefault(self.data.place_of(question), []).append(question)
        return waiting

    def _amid(self, conversation: Conversation, memory: Memory, question: Question) -> tuple[Memory, Question, Setting]:
        """Ask at the end; what was said before, of which no other question must know, needs a memory of its own."""
        if not (self.amid and question.said):
            return memory, question, ALONE
        own = self._new_memory(conversation, f":{question.id}")
        now = Session(f"amid-{question.id}", None, question.said)
        for session in (*conversation.sessions, now):
            for turn in session.turns:
                own.add(session, turn)
        return own, question, Setting(now.session_id, question.said)

    def _ask(self, memory: Memory, question: Question, setting: Setting) -> Answer:
        ranking = memory.retrieve(question.text, setting)
        packages = {str(limit): memory.package(question.text, limit, setting) for limit in TOKEN_LIMITS}
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
