"""Slots of a context and their tokens. Each piece is counted in the form that clients render."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from math import ceil

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
from brain_core.text.tokens import TokenCounter

_UNLIMITED = 1 << 30
_REMEMBERED_CHARS = 2000
_REMEMBERED = 4096  # pieces
_DAYS = 8
_LABELLED = 64  # most pieces of a package, as far as these differ


class SlotCounter:
    """Counts pieces of slots. A session's newest messages and pinned blocks come back with each of its composes.

    Counting them anew was 30 % of one, so what they cost is remembered. statuses: int32[by status], what a label costs
    more that tells it.
    """

    def __init__(self, counter: TokenCounter) -> None:
        self.counter = counter
        # A break is counted with what follows it; between slots there are two.
        self.headings = {slot: counter.count(f"\n{heading}") for slot, heading in HEADINGS.items()}
        self._days = lru_cache(maxsize=_DAYS)(self._headings_of)
        self.ellipsis = counter.count(render_quoted("…"))
        self.statuses = _status_tokens(counter)
        self._labels = lru_cache(maxsize=_LABELLED)(self._label_tokens)
        self._turn = lru_cache(maxsize=_REMEMBERED)(self._turn_tokens)
        self._block = lru_cache(maxsize=_REMEMBERED)(self._block_tokens)
        self._rule = lru_cache(maxsize=_REMEMBERED)(self._rule_tokens)
        self._summary = lru_cache(maxsize=_REMEMBERED)(self._summary_tokens)

    def headings_on(self, today: str) -> Mapping[str, int]:
        """Return what the headings of a package cost that says `today`."""
        return self._days(today) if today else self.headings

    def labels(self, most: int) -> NDArray[np.int32]:
        """Return int32[max(most, 1)]: what each piece of evidence costs beyond `token_costs` for its label's number.

        That of 37 may be a token more than that of 99. Of the first n pieces they add up to what all n labels are.
        """
        return self._labels(max(most, 1))[0]

    def dearest_label(self, most: int) -> int:
        """Return the same of any one of so many pieces, whatever its number."""
        return self._labels(max(most, 1))[1]

    def user_message(self, text: str) -> int:
        """Return what a user message costs, its heading included."""
        return self.headings["user_message"] + self.counter.count(text)

    def system_block(self, text: str) -> int:
        """Return what a pinned block costs."""
        return self._block(text)

    def developer_block(self, text: str) -> int:
        """Return what a rule costs."""
        return self._rule(text)

    def summary_line(self, title: str, line: str) -> tuple[int, int]:
        """Return what the title of a summary's section and one of its lines cost."""
        return self._summary(title, line)

    def recent_turn(self, role: str, speaker: str, content: str) -> int:
        """Return what a recent message costs."""
        count = self._turn if len(content) <= _REMEMBERED_CHARS else self._turn_tokens
        return count(role, speaker, content)

    def _headings_of(self, today: str) -> Mapping[str, int]:
        return {slot: self.counter.count(f"\n{render_heading(slot, today)}") for slot in HEADINGS}

    def _label_tokens(self, most: int) -> tuple[NDArray[np.int32], int]:
        weights = np.array([self.counter.weigh(f"[E{number}]") for number in range(1, most + 1)])
        beyond = weights - weights[0]
        together = np.maximum.accumulate(np.cumsum(beyond).clip(min=0.0))
        return np.diff(np.ceil(together), prepend=0.0).astype(np.int32), ceil(float(beyond.max()))

    def _turn_tokens(self, role: str, speaker: str, content: str) -> int:
        return self.counter.count(render_recent_turn(RecentTurn(role=role, speaker=speaker, content=content)))

    def _summary_tokens(self, title: str, line: str) -> tuple[int, int]:
        section = render_summary(WorkingSummary(sections=[SummarySection(title=title, lines=[line])]))
        rendered_title, _, rendered_line = section.partition("\n")
        return self.counter.count(rendered_title), self.counter.count(rendered_line)

    def _block_tokens(self, text: str) -> int:
        return self.counter.count(render_system_block(SystemBlock(text=text)))

    def _rule_tokens(self, text: str) -> int:
        return self.counter.count(render_developer_block(DeveloperBlock(text=text)))


def _status_tokens(counter: TokenCounter) -> NDArray[np.int32]:
    tokens = np.zeros(max(ItemStatus.values()) + 1, dtype=np.int32)
    for status in ItemStatus.values():
        tokens[status] = counter.count(render_status(status))
    return tokens


class Room:
    """Tokens left under a limit, and what each slot has taken. headings: tokens of each slot's heading."""

    def __init__(self, limit: int, headings: Mapping[str, int]) -> None:
        self.limit = limit
        self._headings = headings
        self._held: dict[str, int] = {}
        self.slots: dict[str, int] = {}

    @property
    def used(self) -> int:
        """Tokens taken so far."""
        return sum(self.slots.values())

    def hold(self, slot: str, tokens: Iterable[int], most: int) -> None:
        """Keep room from other slots for the first pieces of one, up to the first over `most` tokens, heading included.

        The slot may take them while they are held. `let_go` gives back what is held.
        """
        held = self._headings[slot]
        for one in tokens:
            if held + one > min(most, self.limit - self.used):
                break
            held += one
        self._held[slot] = held if held > self._headings[slot] else 0

    def let_go(self, slot: str) -> None:
        """Give back what is held for a slot."""
        self._held.pop(slot, None)

    def take(self, slot: str, tokens: Sequence[int], slot_limit: int = _UNLIMITED) -> list[bool]:
        """Take pieces of a slot in order while they fit; return which did.

        The slot's heading is paid with its first piece. slot_limit: tokens of the slot, heading included.
        """
        heading, free = self._free(slot, slot_limit)
        kept, used = fit(np.array(tokens, dtype=np.int64), free, len(tokens))
        if kept.any():
            self.slots[slot] = self.slots.get(slot, 0) + heading + used
        kept_mask: list[bool] = kept.astype(bool).tolist()
        return kept_mask

    def free(self, slot: str) -> int:
        """Return the tokens free for pieces of a slot, its heading provided for."""
        return self._free(slot, _UNLIMITED)[1]

    def spend(self, slot: str, tokens: int) -> None:
        """Take tokens of a slot that `free` said there are; nothing is taken for no tokens."""
        if tokens:
            self.slots[slot] = self.slots.get(slot, 0) + self._free(slot, _UNLIMITED)[0] + tokens

    def take_first(self, slot: str, tokens: Iterable[int], slot_limit: int = _UNLIMITED) -> int:
        """Take pieces of a slot in order up to the first that does not fit; return how many. Otherwise as `take`."""
        heading, free = self._free(slot, slot_limit)
        taken = count = 0
        for one in tokens:
            if taken + one > free:
                break
            taken += one
            count += 1
        if count:
            self.slots[slot] = self.slots.get(slot, 0) + heading + taken
        return count

    def _free(self, slot: str, slot_limit: int) -> tuple[int, int]:
        """Return (tokens of the slot's heading if it is still to be paid, tokens free for pieces)."""
        heading = 0 if slot in self.slots else self._headings[slot]
        held = sum(self._held.values()) - self._held.get(slot, 0)
        return heading, min(self.limit - self.used - held, slot_limit - self.slots.get(slot, 0)) - heading
