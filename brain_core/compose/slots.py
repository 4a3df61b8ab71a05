"""Slots of a context and their tokens. Each piece is counted in the form that clients render.

What pieces cost is in hundredths of a token, and only the sum of a slot is rounded up: of a hundred pieces rounding
each one took fifty tokens.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from smartbrain.render import (
    HEADINGS,
    render_developer_block,
    render_heading,
    render_quoted,
    render_recent_turn,
    render_status,
    render_summary,
    render_system_block,
)
from smartbrain.v1.context_pb2 import DeveloperBlock, RecentTurn, SummarySection, SystemBlock, WorkingSummary
from smartbrain.v1.item_pb2 import ItemStatus

from brain_core.kernels.budget import fit
from brain_core.text.tokens import TOKEN, TokenCounter, whole_tokens

_UNLIMITED = 1 << 31
_REMEMBERED_CHARS = 2000
_REMEMBERED = 4096  # pieces
_MEMORIES = 16
_DAYS = 8
_LABELLED = 64  # most pieces of a package, as far as these differ


class SlotCounter:
    """Counts pieces of slots. A session's newest messages and pinned blocks come back with each of its composes.

    Counting them anew was 30 % of one, so what they cost is remembered. All in hundredths of a token. statuses:
    int32[by status], what a label costs more that tells it. name: of the counter.
    """

    def __init__(self, counter: TokenCounter) -> None:
        self.counter = counter
        self.name = counter.name
        # A break is counted with what follows it; between slots there are two.
        self.headings = {slot: counter.weigh(f"\n{heading}") for slot, heading in HEADINGS.items()}
        self._days = lru_cache(maxsize=_DAYS)(self._headings_of)
        self.ellipsis = counter.weigh(render_quoted("…"))
        self.statuses = _status_costs(counter)
        self._labels = lru_cache(maxsize=_LABELLED)(self._label_costs)
        self._turn = lru_cache(maxsize=_REMEMBERED)(self._turn_cost)
        self._block = lru_cache(maxsize=_REMEMBERED)(self._block_cost)
        self._blocks = lru_cache(maxsize=_MEMORIES)(self._block_costs)
        self._rule = lru_cache(maxsize=_REMEMBERED)(self._rule_cost)
        self._summary = lru_cache(maxsize=_REMEMBERED)(self._summary_costs)

    def headings_on(self, today: str) -> Mapping[str, int]:
        """Return what the headings of a package cost that says `today`."""
        return self._days(today) if today else self.headings

    def labels(self, most: int) -> NDArray[np.int32]:
        """Return int32[max(most, 1)]: what each piece of evidence costs beyond `token_costs` for its label's number.

        That of 37 may be a token more than that of 99. Of the first n pieces they add up to at least what all n labels
        are.
        """
        return self._labels(max(most, 1))[0]

    def dearest_label(self, most: int) -> int:
        """Return the same of any one of so many pieces, whatever its number."""
        return self._labels(max(most, 1))[1]

    def user_message(self, text: str) -> int:
        """Return what a user message costs, its heading included."""
        return self.headings["user_message"] + self.counter.weigh(text)

    def system_blocks(self, texts: tuple[str, ...]) -> tuple[NDArray[np.int64], int]:
        """Return what each of some pinned blocks costs, and their sum."""
        return self._blocks(texts)

    def developer_block(self, text: str) -> int:
        """Return what a rule costs."""
        return self._rule(text)

    def summary_line(self, title: str, line: str) -> tuple[int, int]:
        """Return what the title of a summary's section and one of its lines cost."""
        return self._summary(title, line)

    def recent_turn(self, role: str, speaker: str, content: str) -> int:
        """Return what a recent message costs."""
        count = self._turn if len(content) <= _REMEMBERED_CHARS else self._turn_cost
        return count(role, speaker, content)

    def _headings_of(self, today: str) -> Mapping[str, int]:
        return {slot: self.counter.weigh(f"\n{render_heading(slot, today)}") for slot in HEADINGS}

    def _label_costs(self, most: int) -> tuple[NDArray[np.int32], int]:
        costs = np.array([self.counter.weigh(f"[E{number}]") for number in range(1, most + 1)])
        beyond = costs - costs[0]
        together = np.maximum.accumulate(np.cumsum(beyond).clip(min=0))
        return np.diff(together, prepend=0).astype(np.int32), int(beyond.max())

    def _turn_cost(self, role: str, speaker: str, content: str) -> int:
        return self.counter.weigh(render_recent_turn(RecentTurn(role=role, speaker=speaker, content=content)))

    def _summary_costs(self, title: str, line: str) -> tuple[int, int]:
        section = render_summary(WorkingSummary(sections=[SummarySection(title=title, lines=[line])]))
        rendered_title, _, rendered_line = section.partition("\n")
        return self.counter.weigh(rendered_title), self.counter.weigh(rendered_line)

    def _block_costs(self, texts: tuple[str, ...]) -> tuple[NDArray[np.int64], int]:
        costs = [*map(self._block, texts)]
        return np.array(costs, dtype=np.int64), sum(costs)

    def _block_cost(self, text: str) -> int:
        return self.counter.weigh(render_system_block(SystemBlock(text=text)))

    def _rule_cost(self, text: str) -> int:
        return self.counter.weigh(render_developer_block(DeveloperBlock(text=text)))


def _status_costs(counter: TokenCounter) -> NDArray[np.int32]:
    costs = np.zeros(max(ItemStatus.values()) + 1, dtype=np.int32)
    for status in ItemStatus.values():
        costs[status] = counter.weigh_within(render_status(status))
    return costs


class Room:
    """Tokens left under a limit, and what each slot has taken. Slots take whole tokens, their pieces hundredths of one.

    limit: tokens. headings: what each slot's heading costs. said: what the user message does, its heading included.
    """

    def __init__(self, limit: int, headings: Mapping[str, int], said: int) -> None:
        self.limit = limit
        self.used = 0
        """Tokens taken so far."""
        self.slots: dict[str, int] = {}
        """Tokens that each slot has taken."""
        self._headings = headings
        self._held: dict[str, int] = {}
        self._taken: dict[str, int] = {}
        self._take("user_message", said)

    def hold(self, slot: str, costs: Iterable[int], most: int) -> int:
        """Keep room from other slots for the first pieces of one, up to the first over `most` tokens, heading included.

        The slot may take them while they are held. `let_go` gives back what is held. Returns how many are held.
        """
        held, free, count = self._headings[slot], TOKEN * min(most, self.limit - self.used), 0
        for one in costs:
            if held + one > free:
                break
            held, count = held + one, count + 1
        self._held[slot] = whole_tokens(held) if count else 0
        return count

    def let_go(self, slot: str) -> None:
        """Give back what is held for a slot."""
        self._held.pop(slot, None)

    def take(self, slot: str, costs: Sequence[int] | NDArray[np.int64], slot_limit: int = _UNLIMITED) -> list[bool]:
        """Take pieces of a slot in order while they fit; return which did.

        The slot's heading is paid with its first piece. slot_limit: tokens of the slot, heading included.
        """
        heading, free = self._free(slot, slot_limit)
        kept, used = fit(np.asarray(costs, dtype=np.int64), free, len(costs))
        if np.count_nonzero(kept):
            self._take(slot, heading + used)
        kept_mask: list[bool] = kept.astype(bool).tolist()
        return kept_mask

    def take_all(self, slot: str, cost: int, slot_limit: int) -> bool:
        """Take all pieces of a slot, which cost so much, if they fit together; return whether they did."""
        heading, free = self._free(slot, slot_limit)
        if fits := cost <= free:
            self._take(slot, heading + cost)
        return fits

    def free(self, slot: str) -> int:
        """Return what is free for pieces of a slot, its heading provided for, in hundredths of a token."""
        return self._free(slot, _UNLIMITED)[1]

    def spend(self, slot: str, cost: int) -> None:
        """Take of a slot what `free` said there is; nothing is taken for nothing."""
        if cost:
            self._take(slot, cost if slot in self._taken else cost + self._headings[slot])

    def take_first(self, slot: str, costs: Iterable[int], slot_limit: int = _UNLIMITED) -> int:
        """Take pieces of a slot in order up to the first that does not fit; return how many. Otherwise as `take`."""
        heading, free = self._free(slot, slot_limit)
        taken = count = 0
        for one in costs:
            if taken + one > free:
                break
            taken += one
            count += 1
        if count:
            self._take(slot, heading + taken)
        return count

    def _take(self, slot: str, cost: int) -> None:
        taken = self._taken[slot] = self._taken.get(slot, 0) + cost
        before, self.slots[slot] = self.slots.get(slot, 0), whole_tokens(taken)
        self.used += self.slots[slot] - before

    def _free(self, slot: str, slot_limit: int) -> tuple[int, int]:
        """Return (what the slot's heading costs if it is still to be paid, what is free for its pieces)."""
        taken = self._taken.get(slot, 0)
        heading = 0 if slot in self._taken else self._headings[slot]
        others = self.used - self.slots.get(slot, 0)
        if self._held:
            others += sum(self._held.values()) - self._held.get(slot, 0)
        return heading, TOKEN * min(self.limit - others, slot_limit) - taken - heading
