"""One turn before a language model: what it is shown, what it is asked, what that may cost."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import tzinfo
from functools import partial
from itertools import islice

from smartbrain.v1.event_pb2 import Message, Turn
from smartbrain.v1.item_pb2 import ITEM_STATUS_ACTIVE, MemoryItem

from brain_core.budget import Budget
from brain_core.commit.held import HeldItems
from brain_core.commit.known import StoreAndLedger
from brain_core.commit.learn import said_in
from brain_core.commit.ledger import Ledger
from brain_core.commit.quoted import READ_ROLES, Quoted, shapes
from brain_core.errors import ModelUnavailable, UnusableAnswer
from brain_core.extract.frames import EARLIER
from brain_core.extract.pasted import LONGEST_MESSAGE
from brain_core.extract.secrets import shown_by
from brain_core.extract.unkept import kept
from brain_core.kinds.draft import Draft, Skip
from brain_core.kinds.registry import Kinds
from brain_core.models.reading import Extractor, Found, Odd, Rewritten, Said, Summarizer
from brain_core.models.remote import ChatModel, Prompt, Reply
from brain_core.policy import Policy
from brain_core.store import events, items, log, summaries
from brain_core.store.kv import ReadView
from brain_core.summary import SECTIONS
from brain_core.zones import clock, zone_or

_MOST_PARTS = 8
_EARLIER_TURNS = 2
_EARLIER_CHARS = 2000
_SUMMED_TURNS = 6
_KNOWN_OF_TYPE = 20
_KNOWN_TYPES = ("profile", "preferences")
_KNOWN_CHARS = 200


@dataclass(frozen=True, slots=True)
class Studied:
    """What a model says of a turn. lines: a summary in its words, of the version it was shown; 0 means none."""

    found: Sequence[Draft | Skip] = ()
    version: int = 0
    lines: Sequence[Rewritten] = ()


class Study:
    """Puts turns before a model. wait: lets seconds pass, with the reason in words."""

    def __init__(
        self, chat: ChatModel, budget: Budget, policy: Policy, kinds: Kinds, wait: Callable[[float, str], None]
    ) -> None:
        self._chat = chat
        self._budget = budget
        self._policy = policy.llm
        self._retention = policy.policies.retention
        self._kinds = kinds
        self._zone = policy.zone
        self._extractor = Extractor(shapes(kinds))
        self._summarizer = Summarizer(SECTIONS)
        self._wait = wait

    def read(self, view: ReadView, memory_id: str, turn: Turn) -> Studied:
        """Return what the model says of a turn. Raises ModelUnavailable or UnusableAnswer."""
        entries = list(self._entries(view, memory_id, turn)) if self._policy.extract else []
        version, lines, odd = self._summary(view, memory_id, turn) if self._policy.summarize else (0, [], [])
        known = StoreAndLedger(view, memory_id, Ledger(), HeldItems(memory_id))
        before = partial(events.newest_turns_before, view, memory_id, turn.session_id, turn.sequence, EARLIER)
        confidence, zone = self._retention.confidence, self._zone_of(turn)
        quoted = Quoted(turn, self._kinds, known, confidence, zone, lambda: said_in(before()))
        return Studied(list(quoted.drafts([*entries, *odd])), version, lines)

    def _entries(self, view: ReadView, memory_id: str, turn: Turn) -> Iterator[Found | Odd]:
        before = self._before(view, memory_id, turn, _EARLIER_TURNS)
        shown, known = self._shown([*before, *self._said(turn)], list(_known(view, memory_id, turn)))
        earlier = _last(shown[: len(before)], _EARLIER_CHARS)
        parts = list(_parts(shown[len(before) :], self._policy.input_chars))
        for part in parts[:_MOST_PARTS]:
            yield from self._extractor.read(self._ask(self._extractor.prompt(part, earlier, known)).value)
        if len(parts) > _MOST_PARTS:
            most = _MOST_PARTS * self._policy.input_chars
            yield Odd(0, "", f"the turn is long: no more than its first {most} characters were shown to the model")

    def _summary(self, view: ReadView, memory_id: str, turn: Turn) -> tuple[int, list[Rewritten], list[Odd]]:
        """Return the summary that this turn has made, in the model's words, if it still is the newest.

        With its version, and the lines that are refused.
        """
        record = summaries.read_newest(view, memory_id, turn.session_id)
        if record is None or record.turn_to != turn.turn_id or not record.lines:
            return 0, [], []
        said = [*self._before(view, memory_id, turn, _SUMMED_TURNS - 1), *self._said(turn)]
        shown, texts = self._shown(said, [line.text for line in record.lines])
        lines = [(line.section, text) for line, text in zip(record.lines, texts, strict=True)]
        turns = _last(shown, self._policy.input_chars)
        reply = self._ask(self._summarizer.prompt(turns, lines))
        return record.version, *self._summarizer.read(reply.value, turns, lines)

    def _said(self, turn: Turn) -> list[Said]:
        """Return what of a turn the model may be shown: no pasted text, and nothing that is not to be remembered."""
        return [
            _timed(message, self._zone_of(turn))
            for _, message in kept(turn.events.messages)
            if message.role in READ_ROLES and not (message.role == "user" and len(message.content) > LONGEST_MESSAGE)
        ]

    def _zone_of(self, turn: Turn) -> tzinfo:
        return zone_or(turn.timezone, self._zone)

    def _before(self, view: ReadView, memory_id: str, turn: Turn, limit: int) -> list[Said]:
        turns = events.newest_turns_before(view, memory_id, turn.session_id, turn.sequence, limit)
        return [one for each in turns for one in self._said(each)]

    def _shown(self, said: Sequence[Said], lines: Sequence[str]) -> tuple[list[Said], list[str]]:
        """Return messages and lines of one question without secrets: what is secret in one of them is in none."""
        texts = shown_by(self._retention.secrets)([*(one.text for one in said), *lines])
        messages = [replace(one, text=text) for one, text in zip(said, texts, strict=False)]
        return messages, texts[len(said) :]

    def _ask(self, prompt: Prompt) -> Reply:
        """Ask within the budget. Tokens count as spent before, and what was not needed is given back."""
        while (seconds := self._budget.wait_seconds()) > 0:
            self._wait(seconds, self._budget.problem())
        most = prompt.tokens + self._chat.answer_tokens
        self._budget.spend(1, most)
        try:
            reply = self._chat.ask(prompt)
        except UnusableAnswer:
            raise  # it was thought about, and nobody says how long
        except ModelUnavailable:
            self._budget.spend(0, -most)
            raise
        self._budget.spend(0, reply.tokens - most)
        return reply


def _timed(message: Message, zone: tzinfo) -> Said:
    time = clock(message.created_at.ToMicroseconds(), zone).isoformat("T", "minutes")
    return Said(message.role, message.speaker, time, message.content)


def _parts(said: Sequence[Said], most: int) -> Iterator[list[Said]]:
    """Yield messages in parts of up to `most` characters, long messages in pieces."""
    part: list[Said] = []
    size = 0
    for one in said:
        for start in range(0, len(one.text), most):
            piece = Said(one.role, one.speaker, one.time, one.text[start : start + most])
            if part and size + len(piece.text) > most:
                yield part
                part, size = [], 0
            part.append(piece)
            size += len(piece.text)
    if part:
        yield part


def _last(said: Sequence[Said], most: int) -> list[Said]:
    """Return the last of the messages, as many as `most` characters hold; the first of them may lack its beginning."""
    kept: list[Said] = []
    for one in reversed(said):
        if most <= 0:
            break
        kept.append(Said(one.role, one.speaker, one.time, one.text[-most:]))
        most -= len(one.text)
    return kept[::-1]


def _known(view: ReadView, memory_id: str, turn: Turn) -> Iterator[str]:
    """Yield what need not be found again: what was learned from the turn, and how the user is known."""
    change = log.read_change(view, memory_id, turn.revision)
    of_turn = [items.read_item(view, memory_id, each.type, each.key) for each in (change.items if change else ())]
    found = [item for item in of_turn if item is not None]
    for item_type in _KNOWN_TYPES:
        found += islice(filter(_holds, items.scan_items(view, memory_id, item_type)), _KNOWN_OF_TYPE)
    yield from dict.fromkeys(item.text[:_KNOWN_CHARS] for item in found if _holds(item))


def _holds(item: MemoryItem) -> bool:
    return item.status == ITEM_STATUS_ACTIVE
