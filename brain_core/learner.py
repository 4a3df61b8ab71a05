"""What a language model learns from turns, in the background: a commit neither waits for it nor depends on it.

Each memory counts how far it was read, in the batch that writes what was learned, so a turn is learned from once,
however often the process dies. What is learned from a turn is one revision of its memory. A turn that the model gives
no usable answer for is set aside, so that it holds up no other, and tried again later.

An endpoint that is away holds up everything, with growing pauses. An answer that cannot be used holds up its turn
alone: after three tries it is set aside for an hour, then two, up to a day; another model tries it at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from smartbrain.v1.event_pb2 import Turn

from brain_core.budget import Budget
from brain_core.commit.derive import Deriving, derive
from brain_core.commit.rewrite import rewrite_summary
from brain_core.errors import FailedPrecondition, ModelUnavailable, ResourceExhausted, StoreFailed, UnusableAnswer
from brain_core.index.cache import IndexCache
from brain_core.models.remote import ChatModel
from brain_core.rounds import Rounds, Stopped
from brain_core.store import events, keys, learned, log
from brain_core.store.holdings import keep_holdings
from brain_core.store.kv import KV, Batch, ReadView
from brain_core.store.v1.records_pb2 import ChangeRecord, SetAsideRecord, SpaceRecord
from brain_core.study import Studied, Study

_LONGEST_PAUSE_SECONDS = 300.0
_TRIES = 3
"""Unusable answers in a row for which a turn is set aside."""

_NOT_THE_ANSWER = (FailedPrecondition, ResourceExhausted, StoreFailed, Stopped)
"""Failures that another turn would meet too, as it would an endpoint that is away."""

_HOUR_US = 3600 * 1_000_000
_LONGEST_ASIDE_US = 24 * _HOUR_US


@dataclass(frozen=True, slots=True)
class _Next:
    """A turn to be read. aside: what is known of it if it was set aside."""

    turn: Turn
    aside: SetAsideRecord | None = None


class Learner:
    """One thread that puts the turns of each memory before a model, oldest first.

    written: called with the memory after each revision, without its lock.
    """

    def __init__(
        self, kv: KV, indexes: IndexCache, chat: ChatModel, deriving: Deriving, written: Callable[[str], None]
    ) -> None:
        """Begin with what earlier runs have left."""
        self._kv = kv
        self._indexes = indexes
        self._chat = chat
        self._deriving = deriving
        self._written = written
        self._tries: dict[tuple[str, int], int] = {}
        self._rounds = Rounds("learner", self._learn_next, _LONGEST_PAUSE_SECONDS)
        budget = Budget(kv, deriving.env, deriving.policy.llm)
        self._study = Study(chat, budget, deriving.policy, deriving.kinds, self._rounds.wait)
        self._rounds.start(log.memory_ids(kv.snapshot()))

    def notice(self, memory_id: str) -> None:
        """Look at a memory, for it has a new turn."""
        self._rounds.notice(memory_id)

    def status(self, view: ReadView) -> tuple[int, str]:
        """Return how many turns of all memories were not read, those set aside included, and why, in words.

        The words are "" if this is getting on.
        """
        left = 0
        for memory_id in log.memory_ids(view):
            space = log.read_space(view, memory_id)
            if space is not None:
                left += space.turns - learned.read_learned(view, memory_id).turns
        return left, (self._rounds.problem or next(self._set_aside(view), "")) if left else ""

    def close(self) -> None:
        """End the thread; a question under way is given up, and asked again in the next run."""
        self._rounds.stop()
        self._chat.close()
        self._rounds.close()

    def _set_aside(self, view: ReadView) -> Iterator[str]:
        for memory_id in log.memory_ids(view):
            for revision, record in learned.scan_set_aside(view, memory_id):
                yield f"memory {memory_id!r}: turn t{revision} is set aside until a later try: {record.problem}"

    def _learn_next(self, memory_id: str) -> bool:
        """Put a memory's next turn before the model; return whether there may be more."""
        view = self._kv.snapshot()
        chosen = self._choose(view, memory_id)
        if chosen is None:
            return False
        slot = (memory_id, chosen.turn.revision)
        try:
            begun = log.read_space(view, memory_id)
            self._write(memory_id, chosen, self._study.read(view, memory_id, chosen.turn), begun)
        except Exception as error:
            is_away = isinstance(error, ModelUnavailable) and not isinstance(error, UnusableAnswer)
            if is_away or isinstance(error, _NOT_THE_ANSWER):
                raise
            self._tries[slot] = self._tries.get(slot, 0) + 1
            if chosen.aside is None and self._tries[slot] < _TRIES:
                raise
            self._put_aside(memory_id, chosen, str(error))
        self._tries.pop(slot, None)
        return True

    def _choose(self, view: ReadView, memory_id: str) -> _Next | None:
        """Return the next turn that was never read, else one set aside whose time has come.

        None is set aside for longer than a day: one that seems so was by a clock that was ahead.
        """
        for change in log.scan_changes(view, memory_id, learned.read_learned(view, memory_id).revision):
            turn = events.turn_of(view, memory_id, change)
            if turn is not None:
                return _Next(turn)
        now, waits = self._deriving.env.now_us(), []
        for _, record in learned.scan_set_aside(view, memory_id):
            waits_us = record.not_before_us - now
            if record.model != self._chat.name or waits_us <= 0 or waits_us > _LONGEST_ASIDE_US:
                turn = next(events.scan_turns(view, memory_id, record.session_id, record.sequence))
                return _Next(turn, record)
            waits.append(waits_us)
        if waits:
            self._rounds.notice_later(memory_id, min(waits) / 1e6)
        return None

    def _write(self, memory_id: str, chosen: _Next, studied: Studied, begun: SpaceRecord | None) -> None:
        """Write what was learned into a memory as it is now: much may have been said and denied meanwhile.

        begun: the counters when it was read. What was read before a purge is not written after it, but read again.
        """
        turn = chosen.turn
        with self._indexes.hold(memory_id) as index:
            if not log.is_unpurged(begun, log.read_space(self._kv, memory_id)):
                return
            prepared = derive(self._kv, memory_id, turn, studied.found, self._deriving)
            batch, revision = prepared.batch, prepared.response.revision
            if batch is None:
                return
            self._mark(batch, memory_id, chosen)
            if studied.version:
                consolidation = self._deriving.policy.policies.consolidation
                rewrite_summary(
                    batch, self._kv, memory_id, turn.session_id, studied.version, studied.lines, consolidation
                )
            self._kv.write(keys.memory(memory_id), batch, expect=revision - 1)
            if index is not None:
                with self._indexes.discarding(memory_id):
                    index.apply(revision, prepared.added, prepared.changed)
        self._written(memory_id)

    def _mark(self, batch: Batch, memory_id: str, chosen: _Next) -> None:
        record = learned.read_learned(self._kv, memory_id)
        record.turns += 1
        record.revision = max(record.revision, chosen.turn.revision)
        learned.put_learned(batch, record)
        if chosen.aside is not None:
            learned.delete_set_aside(batch, chosen.turn.revision)

    def _put_aside(self, memory_id: str, chosen: _Next, problem: str) -> None:
        """Go on without a turn, as a revision that changes nothing else."""
        turn, now = chosen.turn, self._deriving.env.now_us()
        times = 1 + (chosen.aside.times if chosen.aside is not None and chosen.aside.model == self._chat.name else 0)
        aside = SetAsideRecord(
            session_id=turn.session_id,
            sequence=turn.sequence,
            times=times,
            model=self._chat.name,
            not_before_us=now + min(_HOUR_US << min(times - 1, 5), _LONGEST_ASIDE_US),
            problem=problem,
        )
        with self._indexes.hold(memory_id) as index:
            space = log.read_space(self._kv, memory_id)
            found = events.find_turn(self._kv, memory_id, turn.turn_id)
            if space is None or found != turn:  # it was purged meanwhile
                return
            batch = Batch()
            learned.put_set_aside(batch, turn.revision, aside)
            record = learned.read_learned(self._kv, memory_id)
            record.revision = max(record.revision, turn.revision)
            learned.put_learned(batch, record)
            expected = self._kv.revision(keys.memory(memory_id))
            change = ChangeRecord(revision=expected + 1, committed_at_us=now, first_chunk=space.next_chunk)
            log.put_change(batch, change)
            keep_holdings(space, change)
            log.put_space(batch, space)
            revision = self._kv.write(keys.memory(memory_id), batch, expect=expected)
            if index is not None:
                with self._indexes.discarding(memory_id):
                    index.apply(revision, (), ())
