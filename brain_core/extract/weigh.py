"""The judge (`worth.py`) over the sentences of a message: which are read, what is kept of it, and what is proposed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from brain_core.extract.worth import TYPES, Scores, Worth, built_in_judge, of_rule, passages
from brain_core.kinds.draft import Draft
from brain_core.policy import WorthPolicy


class Weighing:
    """What the judge makes of a message. words: the message, masked. spans: its sentences."""

    def __init__(self, policy: WorthPolicy, words: str, spans: Sequence[tuple[int, int]]) -> None:
        self._policy = policy
        asked = policy.look > 0 or policy.keep > 0 or policy.propose < 1
        self._scores: list[Scores] = built_in_judge().scores(passages(words, spans)) if asked and spans else []

    def passes_over(self, number: int) -> bool:
        """Return whether no rule need read a sentence: it hardly teaches anything."""
        return bool(self._scores) and self._worth(number).learned < self._policy.look

    def against(self, number: int, draft: Draft) -> str:
        """Return why a draft that a rule has read in a sentence is not worth keeping, empty if it is."""
        if draft.kind.type not in TYPES or self._policy.keep == 0:
            return ""
        likely = self._worth(number, of_rule(draft.rule, draft.kind.type)).of(draft.kind.type)
        return "" if likely >= self._policy.keep else f"not worth keeping (p {_short(likely)})"

    def proposed(self, number: int) -> Iterator[tuple[str, str]]:
        """Yield (type, why) of what a sentence that no rule reads surely teaches, the surest first."""
        if self._policy.propose == 1:
            return
        worth = self._worth(number)
        for name in sorted(TYPES, key=worth.of, reverse=True):
            if worth.of(name) < self._policy.propose:
                return
            yield name, f"reads like something to keep (p {_short(worth.of(name))})"

    def _worth(self, number: int, names: Sequence[str] = ()) -> Worth:
        return built_in_judge().worth(self._scores[number], names)


def _short(likely: float) -> str:
    return f"{likely:.2f}".removeprefix("0")
