"""What must hold of a package under a limit, beside the one that had all the room."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from smartbrain.render import render, render_evidence, render_messages
from smartbrain.v1.context_pb2 import ContextPackage, RecentTurn

from brain_core.compose.recent import EXCHANGE
from brain_core.compose.slots import SlotCounter
from brain_core.policy import Composition
from brain_core.text.tokens import TOKEN, whole_tokens

_DOES_NOT_FIT = re.compile(r"(\d+) tokens do not fit")

Breach = tuple[str, str]
"""(which rule, in words that hold no text of the data)."""


@dataclass(frozen=True, slots=True)
class Judge:
    """exact: tokens of a text by the model's tokenizer. counter: the server's, over again. policy: the server's."""

    exact: Callable[[str], int]
    counter: SlotCounter
    policy: Composition

    def breaches(
        self, question: str, package: ContextPackage, whole: ContextPackage, short_list: list[str]
    ) -> Iterator[Breach]:
        """Yield what does not hold. whole: of the same question at the largest limit. short_list: ids retrieved."""
        yield from self._size(package)
        if package.user_message.content != question or package.user_message.role != "user":
            yield "user message", "it is not as it was said"
        yield from self._order(package, whole)
        yield from _explained(package, whole, short_list)

    def exact_size(self, package: ContextPackage) -> int:
        """Return the tokens of a package by the model's tokenizer: as one text or as chat, whichever has more."""
        return max(self.exact(render(package)), sum(self.exact(one["content"]) for one in render_messages(package)))

    def _size(self, package: ContextPackage) -> Iterator[Breach]:
        budget = package.constraints.token_budget
        tokens = self.exact_size(package)
        if tokens > budget.limit:
            yield "size", f"{tokens} tokens, limit {budget.limit}"
        if not budget.used == sum(budget.slots.values()) <= budget.limit:
            yield "size", f"{budget.used} said to be used of {budget.limit}, {sum(budget.slots.values())} by slot"

    def _order(self, package: ContextPackage, whole: ContextPackage) -> Iterator[Breach]:
        """Yield the pieces that are out though the room of all that comes after their slot would do for them."""
        slots = _slots(package)
        left = package.constraints.token_budget.limit - sum(slots.values())
        free = package.constraints.token_budget.limit - slots["user_message"] - slots["system_blocks"]
        blocks = {block.text for block in package.system_blocks}
        for block in whole.system_blocks:
            _, cost = self.counter.system_blocks((block.text,))
            needed = whole_tokens(cost + self._heading("system_blocks", package))
            most = package.constraints.token_budget.slot_limits["system_blocks"] - slots["system_blocks"]
            if block.text not in blocks and needed <= min(free, most):
                yield "order", f"a system block of {needed} tokens is out, {free} were free"
        free -= slots["developer_blocks"]
        rules = {rule.text for rule in package.developer_blocks}
        for rule in whole.developer_blocks:
            needed = whole_tokens(self.counter.developer_block(rule.text) + self._heading("developer_blocks", package))
            if rule.text not in rules and needed <= free:
                yield "order", f"a rule of {needed} tokens is out, {free} were free"
        free -= slots["evidence"] + self._exchange(package, min(EXCHANGE, len(whole.recent_turns)))
        # Blocks that do not fit are offered as evidence, and may move what counts as top.
        if len(blocks) == len(whole.system_blocks):
            yield from self._top_evidence(package, whole, free)
        yield from self._summary(package, whole, left)
        yield from self._recent(package, whole, left)

    def _exchange(self, package: ContextPackage, exchange: int) -> int:
        """Return the tokens of the newest messages that have room before evidence. exchange: those of the last one."""
        policy, limit = self.policy, package.constraints.token_budget.limit
        few = min(policy.newest_turns_max_tokens, int(policy.newest_turns_share * limit))
        count, held = self._held(package.recent_turns, few)
        if count < exchange:
            held = self._held(package.recent_turns[-exchange:], int(policy.last_exchange_share * limit))[1]
        return held if package.recent_turns else 0

    def _held(self, turns: Sequence[RecentTurn], most: int) -> tuple[int, int]:
        """Return how many of the newest messages fit into so many tokens, and what they cost with their heading."""
        count, held = 0, self.counter.headings["recent_turns"]
        for one in reversed(turns):
            cost = self.counter.recent_turn(one.role, one.speaker, one.content)
            if whole_tokens(held + cost) > min(most, self.policy.recent_turns_max_tokens):
                break
            count, held = count + 1, held + cost
        return count, whole_tokens(held)

    def _top_evidence(self, package: ContextPackage, whole: ContextPackage, free: int) -> Iterator[Breach]:
        top = {piece.id for piece in whole.evidence if piece.group == "top"}
        for one in package.debug.dropped:
            found = _DOES_NOT_FIT.fullmatch(one.detail)
            if found and one.id in top and int(found[1]) + whole_tokens(self._heading("evidence", package)) <= free:
                yield "order", f"top evidence of {found[1]} tokens is out, {free} were free before the summary"

    def _summary(self, package: ContextPackage, whole: ContextPackage, free: int) -> Iterator[Breach]:
        have = {section.title: set(section.lines) for section in package.working_summary.sections}
        free = min(free, self.policy.summary_max_tokens - _slots(package)["working_summary"])
        for section in whole.working_summary.sections:
            for line in section.lines:
                title, text = self.counter.summary_line(section.title, line)
                cost = text + (0 if section.title in have else title) + self._heading("working_summary", package)
                needed = whole_tokens(cost)
                if line not in have.get(section.title, ()) and needed <= free:
                    yield "order", f"a summary line of {needed} tokens is out, {free} were free"

    def _recent(self, package: ContextPackage, whole: ContextPackage, free: int) -> Iterator[Breach]:
        have, all_of_them = ([one.message_id for one in each.recent_turns] for each in (package, whole))
        if have != all_of_them[len(all_of_them) - len(have) :]:
            yield "order", "recent turns have a hole"
        elif len(have) < len(all_of_them):
            next_one = whole.recent_turns[len(all_of_them) - len(have) - 1]
            cost = self.counter.recent_turn(next_one.role, next_one.speaker, next_one.content)
            needed = whole_tokens(cost + self._heading("recent_turns", package))
            long_tail = sum(
                self.counter.counter.weigh(render_evidence(number, piece))
                for number, piece in enumerate(package.evidence, start=1)
                if piece.group == "long_tail"
            )
            free += long_tail // TOKEN
            used = _slots(package)["recent_turns"]
            if needed <= min(free, self.policy.recent_turns_max_tokens - used):
                yield "order", f"a recent message of {needed} tokens is out, {free} were free or long tail"

    def _heading(self, slot: str, package: ContextPackage) -> int:
        """Return what a slot's heading costs if it is still to be paid, in hundredths of a token."""
        return 0 if _slots(package)[slot] else self.counter.headings[slot]


def _slots(package: ContextPackage) -> Counter[str]:
    """Return the tokens by slot; asking a protobuf map itself for what it lacks would put it there."""
    return Counter(dict(package.constraints.token_budget.slots))


def _explained(package: ContextPackage, whole: ContextPackage, short_list: list[str]) -> Iterator[Breach]:
    """Whatever was retrieved, or stands in the package that had room, is in this one or named among its dropped."""
    dropped = [one.id for one in package.debug.dropped]
    accounted = {*map(_of_message, dropped), *(_of_message(piece.id) for piece in package.evidence)}
    accounted |= {f"{ref.turn_id}:{ref.message_id}" for piece in package.evidence for ref in piece.merged}
    accounted |= {f"{one.turn_id}:{one.message_id}" for one in package.recent_turns}
    pinned = {block.source.memory_item_id for block in package.system_blocks}
    wanted = [*short_list, *(piece.id for piece in whole.evidence)]
    wanted += [f"{one.turn_id}:{one.message_id}" for one in whole.recent_turns]
    for one in wanted:
        if _of_message(one) not in accounted and one.rpartition(":")[0] not in pinned:
            yield "explained", f"nothing is said of {one}"
    items = pinned | {one.rpartition(":")[0] for one in dropped}
    for block in whole.system_blocks:
        if block.source.memory_item_id not in items:
            yield "explained", f"nothing is said of the block {block.source.memory_item_id}"
    for rule in range(len(whole.developer_blocks)):
        if len(package.developer_blocks) < len(whole.developer_blocks) and not any(
            one.startswith("developer_blocks[") for one in dropped
        ):
            yield "explained", f"nothing is said of rule {rule}"
    gone = _lines(whole) - _lines(package)
    named = sum(one.startswith("summary:") for one in dropped)
    if gone > named:
        yield "explained", f"{gone} lines of the summary are out, {named} are named"


def _lines(package: ContextPackage) -> int:
    return sum(len(section.lines) for section in package.working_summary.sections)


def _of_message(evidence_id: str) -> str:
    """Return the id of the whole message that an evidence is a window of."""
    return evidence_id.partition("#")[0]
