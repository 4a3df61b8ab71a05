"""recent_turns: a session's newest messages, the last exchange before all evidence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from brain_core.compose.draft import Draft
from brain_core.compose.drops import name_dropped
from brain_core.compose.said import SaidMessage, SaidTurn
from brain_core.compose.slots import Room, SlotCounter
from brain_core.index.records import Records
from brain_core.policy import Composition
from brain_core.text.excerpt import excerpt

_SLOT = "recent_turns"
NO_ROOM = f"{_SLOT}/budget"
"""Under which messages are counted that had no room here."""

EXCHANGE = 2
"""Newest messages that have room before evidence: what was asked or told last, and the answer to it."""


_EXCERPTS = 4
"""Long tool results of which more is shown than that they are there: older ones would push out what was said."""


class RecentMessages:
    """What recent_turns may show, the newest first. turns: newest last."""

    def __init__(self, turns: Sequence[SaidTurn], counter: SlotCounter, policy: Composition) -> None:
        self._newest = _newest(turns, policy.tool_result_max_chars)
        self._counter = counter
        self._policy = policy
        self._left: list[str] = []
        self._costs: list[int] = []

    def hold(self, room: Room) -> None:
        """Keep room for what the user message most likely answers, as far as it fits into a share of the limit.

        Where the last exchange is short, what was said before it has room, too: what has just changed is said there,
        and in a small package older evidence would leave no room for it.
        """
        policy, exchange = self._policy, self._exchange()
        few = min(policy.newest_turns_max_tokens, int(policy.newest_turns_share * room.limit))
        if room.hold(_SLOT, self._costs_of(len(self._newest)), min(policy.recent_turns_max_tokens, few)) < exchange:
            most = min(policy.recent_turns_max_tokens, int(policy.last_exchange_share * room.limit))
            room.hold(_SLOT, self._costs_of(exchange), most)

    def _exchange(self) -> int:
        """Return how many of the newest are the last exchange, what tools gave between its messages included."""
        spoken = (number for number, one in enumerate(self._newest, start=1) if one.role != "tool")
        return next(islice(spoken, EXCHANGE - 1, None), len(self._newest))

    def add(self, draft: Draft, room: Room) -> set[tuple[str, str]]:
        """Add the newest messages that fit; return (turn_id, message_id) of those shown whole."""
        # From the newest back to the first that does not fit: a conversation with holes misleads.
        fitting = room.take_first(
            _SLOT, self._costs_of(len(self._newest)), slot_limit=self._policy.recent_turns_max_tokens
        )
        room.let_go(_SLOT)
        shown, left = self._newest[:fitting], self._newest[fitting:]
        draft.recent_turns = b"".join([one.shown for one in reversed(shown)])
        self._left = [f"{one.turn_id}:{one.id}" for one in reversed(left)]
        return {(one.turn_id, one.id) for one in shown if one.is_whole}

    def name_left(self, draft: Draft, records: Records, stands: Sequence[int]) -> frozenset[str]:
        """Name the messages that had no room here and stand in no evidence; return the ids of all that had none.

        stands: rows of the evidence.
        """
        if self._left:
            told = draft.dropped_ids().union(records.ids(stands))
            over = "over recent_turns_max_tokens or token_limit"
            name_dropped(draft, [(one, over) for one in self._left if one not in told], "budget", _SLOT)
        return frozenset(self._left)

    def _costs_of(self, count: int) -> Iterator[int]:
        """Yield what so many of the newest cost, each counted once, when it is come to."""
        costs, counted = self._costs, self._counter.recent_turn
        for place in range(count):
            if place == len(costs):
                message = self._newest[place]
                costs.append(counted(message.role, message.speaker, message.content))
            yield costs[place]


def _newest(turns: Sequence[SaidTurn], longest: int) -> list[SaidMessage]:
    """Return messages as recent_turns shows them: of a long tool result where it is, of the newest also an excerpt.

    turns: newest last. longest: characters from which a tool result is long. Returns the newest first.
    """
    found, excerpts = list[SaidMessage](), 0
    for turn in reversed(turns):
        for message in reversed(turn.messages):
            if message.role != "tool" or len(message.content) <= longest:
                found.append(message)
                continue
            told = f"(tool result of {len(message.content)} characters: {turn.uri})"
            if excerpts < _EXCERPTS:
                told += f"\n{excerpt(message.content, longest)}"
                excerpts += 1
            found.append(message.showing(told))
    return found
