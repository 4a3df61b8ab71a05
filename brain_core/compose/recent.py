"""recent_turns: a session's newest messages, the last exchange before all evidence."""

from __future__ import annotations

from collections.abc import Sequence
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
        self._newest, self._costs = _newest(turns, counter, policy.tool_result_max_chars)
        self._policy = policy
        self._left: list[str] = []

    def hold(self, room: Room) -> None:
        """Keep room for what the user message most likely answers, as far as it fits into a share of the limit.

        Where the last exchange is short, what was said before it has room, too: what has just changed is said there,
        and in a small package older evidence would leave no room for it.
        """
        policy, exchange = self._policy, self._exchange()
        few = min(policy.newest_turns_max_tokens, int(policy.newest_turns_share * room.limit))
        if room.hold(_SLOT, self._costs, min(policy.recent_turns_max_tokens, few)) < exchange:
            most = min(policy.recent_turns_max_tokens, int(policy.last_exchange_share * room.limit))
            room.hold(_SLOT, self._costs[:exchange], most)

    def _exchange(self) -> int:
        """Return how many of the newest are the last exchange, what tools gave between its messages included."""
        spoken = (number for number, one in enumerate(self._newest, start=1) if one.role != "tool")
        return next(islice(spoken, EXCHANGE - 1, None), len(self._newest))

    def add(self, draft: Draft, room: Room) -> set[tuple[str, str]]:
        """Add the newest messages that fit; return (turn_id, message_id) of those shown whole."""
        # From the newest back to the first that does not fit: a conversation with holes misleads.
        fitting = room.take_first(_SLOT, self._costs, slot_limit=self._policy.recent_turns_max_tokens)
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


def _newest(turns: Sequence[SaidTurn], counter: SlotCounter, longest: int) -> tuple[list[SaidMessage], list[int]]:
    """Return messages as recent_turns shows them, and what each costs, in hundredths of a token; the newest first.

    Of a long tool result it shows where it is, of the newest also an excerpt. turns: newest last. longest: characters
    from which a tool result is long.
    """
    found, costs, excerpts = list[SaidMessage](), list[int](), 0
    for turn in reversed(turns):
        if turn.longest_result <= longest:
            found += reversed(turn.messages)
            costs += reversed(_costs_of(turn, counter))
            continue
        shown, excerpts = _shortened(turn, longest, excerpts)
        found += shown
        costs += [counter.recent_turn(one.role, one.speaker, one.content) for one in shown]
    return found, costs


def _costs_of(turn: SaidTurn, counter: SlotCounter) -> tuple[int, ...]:
    """Return what the messages of a turn cost, counted once: a session's newest turns come back."""
    costs = turn.costs.get(counter.name)
    if costs is None:
        costs = tuple([counter.recent_turn(one.role, one.speaker, one.content) for one in turn.messages])
        turn.costs[counter.name] = costs
    return costs


def _shortened(turn: SaidTurn, longest: int, excerpts: int) -> tuple[list[SaidMessage], int]:
    """Return the messages of a turn, the newest first, without what is long of tool results.

    longest: as in `_newest`. excerpts: shown so far. Returns also how many are shown then.
    """
    found = list[SaidMessage]()
    for message in reversed(turn.messages):
        if message.role != "tool" or len(message.content) <= longest:
            found.append(message)
            continue
        told = f"(tool result of {len(message.content)} characters: {turn.uri})"
        if excerpts < _EXCERPTS:
            told += f"\n{excerpt(message.content, longest)}"
            excerpts += 1
        found.append(message.showing(told))
    return found, excerpts
