"""Folders of the uniform layout: conversations.jsonl and questions.jsonl, each plain or gzipped."""

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from smartbrain.conversations import Conversation, Turn, load_conversations

from benchmarks.quality.metrics import unique

_AROUND_WORDS = ' :"“”'


class DataError(Exception):
    """A data folder that cannot be used; the message names file, line and field."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question to one conversation and the ids that answer it. Empty gold means: not labelled at that level."""

    id: str
    conversation_id: str
    text: str
    category: str
    gold_turns: tuple[str, ...]
    gold_sessions: tuple[str, ...]
    before_session_id: str | None  # asked just before this session begins; None: after the last one
    turn_id: str = ""  # the turn of that session that asks it
    said: tuple[Turn, ...] = ()  # before it, in a session that is not among the conversation's


@dataclass(frozen=True)
class DataSet:
    """One folder, whole. Conversations without a question are kept out: there is nothing to ask them."""

    name: str
    conversations: list[Conversation]
    questions: list[Question] = field(repr=False)
    blank_questions: int = 0  # of the whole file: a question without text cannot be asked and is left out

    @cached_property
    def session_of(self) -> dict[str, dict[str, str]]:
        """Map conversation id → turn id → session id."""
        return {
            conversation.id: {
                turn.turn_id: session.session_id for session in conversation.sessions for turn in session.turns
            }
            for conversation in self.conversations
        }

    @cached_property
    def first_to_say(self) -> dict[str, dict[str, str]]:
        """Map conversation id → turn id → the first turn whose speaker says the same, word for word."""
        return {conversation.id: _first_to_say(conversation) for conversation in self.conversations}

    @cached_property
    def _session_places(self) -> dict[str, dict[str, int]]:
        return {
            conversation.id: {session.session_id: place for place, session in enumerate(conversation.sessions)}
            for conversation in self.conversations
        }

    def place_of(self, question: Question) -> int:
        """Count the sessions that exist when the question is asked. Raises DataError for an unknown session."""
        places = self._session_places[question.conversation_id]
        if question.before_session_id is None:
            return len(places)
        if question.before_session_id not in places:
            raise DataError(f"{self.name}: question {question.id}: no session {question.before_session_id}")
        return places[question.before_session_id]

    def absent_gold(self, question: Question) -> int:
        """Count the gold ids that no system can find: not in the conversation, or not yet said when it is asked."""
        places = self._session_places[question.conversation_id]
        sessions = self.session_of[question.conversation_id]
        now = self.place_of(question)
        absent_turns = [turn for turn in question.gold_turns if places.get(sessions.get(turn, ""), now) >= now]
        absent_sessions = [session for session in question.gold_sessions if places.get(session, now) >= now]
        return len(absent_turns) + len(absent_sessions)


def load_data(folder: Path, limit: int | None = None, asked: str = "question") -> DataSet:
    """Read a folder; `limit` keeps its first questions and the conversations they belong to.

    asked: the field that holds a question; `question_other` where it stands in another language too.

    Raises DataError when a file is missing, a line is not a question, or a question names an unknown conversation.
    """
    every = list(_questions(_find(folder, "questions"), asked))
    questions = [question for question in every if question.text.strip()]
    blank = len(every) - len(questions)
    questions = questions[:limit]
    named = {question.conversation_id for question in questions}
    conversations = [one for one in load_conversations(_find(folder, "conversations")) if one.id in named]
    missing = named - {conversation.id for conversation in conversations}
    if missing:
        raise DataError(f"{folder}: questions to conversations that are not there: {', '.join(sorted(missing))}")
    return DataSet(folder.name, conversations, questions, blank)


def _first_to_say(conversation: Conversation) -> dict[str, str]:
    first: dict[tuple[str, str], str] = {}
    turns = [turn for session in conversation.sessions for turn in session.turns]
    return {turn.turn_id: first.setdefault((turn.speaker, turn.text), turn.turn_id) for turn in turns}


def _find(folder: Path, stem: str) -> Path:
    for name in (f"{stem}.jsonl", f"{stem}.jsonl.gz"):
        if (folder / name).is_file():
            return folder / name
    raise DataError(f"{folder}: neither {stem}.jsonl nor {stem}.jsonl.gz is there")


def _said(question_id: str, context: str, question: str) -> Iterator[Turn]:
    """Yield the lines `speaker: "words"` of a dialogue that went before a question, which may stand at its end."""
    lines = [line for line in context.splitlines() if line.strip()]
    if lines and question.strip() in lines[-1]:
        lines.pop()
    for number, line in enumerate(lines):
        speaker, _, words = line.partition(":")
        text, name = words.strip(_AROUND_WORDS), speaker.strip()
        role, name = ("assistant", "") if name.casefold() == "assistant" else ("user", name)
        if text:
            yield Turn(f"{question_id}-{number}", role, name, text, None)


def _questions(path: Path, asked: str) -> Iterator[Question]:
    seen: set[str] = set()
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            try:
                row = json.loads(line)
                question = Question(
                    id=str(row["id"]),
                    conversation_id=str(row["conversation_id"]),
                    text=row[asked],
                    category=row.get("category") or "",
                    gold_turns=tuple(unique(map(str, row.get("gold_turn_ids") or ()))),
                    gold_sessions=tuple(unique(map(str, row.get("gold_session_ids") or ()))),
                    before_session_id=row.get("before_session_id"),
                    turn_id=row.get("query_turn_id") or "",
                    said=tuple(_said(str(row["id"]), row.get("context") or "", row[asked])),
                )
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                raise DataError(f"{path}:{number}: not a question: {error!r}") from error
            if question.id in seen:
                raise DataError(f"{path}:{number}: question id {question.id} stands twice")
            seen.add(question.id)
            yield question
