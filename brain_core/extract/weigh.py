"""The judge (`worth.py`) over the sentences of a message: which are read, what is kept of it, and what is proposed.

A sentence that hardly teaches anything is read by no rule but the vital ones, which are never judged: what does harm
where it is forgotten, what ends in plain words, requests to forget. A draft that is not likely enough, or hardly of its
type where another type is sure, becomes a Skip with the name of its rule. A sentence from which nothing is kept goes to
its language's `proposals`, which makes a plain value of it: the sentence as it stands, filed by its first words.
Proposals are inferences, so they never replace what the user said.

Between people only what is surely of its type is kept. What a rule adds to the scores counts half there: the words
alone tell junk apart, the rule does not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import exp

from brain_core.extract.language import MASK
from brain_core.extract.worth import LABELS, TYPES, Passage, judged, likely, passages, told_by
from brain_core.kinds.draft import Draft
from brain_core.policy import WorthPolicy
from brain_core.text.language import has_han

_LONG = 7
"""Sentences above which a message is rather a text that is worked on: nothing is proposed from it."""

_HARDLY = 0.25
"""Share of the sentences that teach something, below which one hardly is of a type."""

_TOLD_OF_ANYBODY = frozenset({"events", "knowledge"})
"""What may be proposed of talk between people: it says by itself whom it is about, and what day."""

_SURER_OF = {"stated": 0.6, "lets_go_with": 0.8}
"""Where what a rule has read is kept from a higher likelihood on, for the same reason."""

_PLAIN = frozenset(
    {
        "profile_birthday",
        "profile_anniversary",
        "birthday_of",
        "profile_moved",
        "profile_phone_number",
        "correction_make",
        "titled",
    }
)
"""Rules whose words tell a fact of the user so plainly that no likeness to an event, or to chat, makes it another."""

_ALONE = 0.65
"""Share of the likelihood from which something is proposed that is enough for the only sentence of a message."""

_SHORT = 30  # characters

_BEYOND_DOUBT = 0.8
"""Share of the sentences that teach something, above which one is of a type."""

_OF_NO_DAY = ("profile", "knowledge")
"""Types of what holds, which one says in a sentence: 我左手有块疤."""

_SURELY = 0.5
"""Likelihood from which a sentence is of another type than a rule says."""


class Weighing:
    """What the judge makes of a message. words: the message, masked. spans: its sentences, at least one.

    between_people: whether people talk with each other, not one with an assistant.
    """

    def __init__(
        self, policy: WorthPolicy, words: str, spans: Sequence[tuple[int, int]], *, between_people: bool = False
    ) -> None:
        self._policy = policy
        self._surely = policy.between_people if between_people else 0.0
        self._passages = passages(words, spans)
        scores = judged(self._passages)
        self._whole = [MASK not in words[start:stop] for start, stop in spans]
        self._scores = scores
        self._learned: list[float] = scores[:, 0].tolist()
        self._likely = likely(scores)

    def passage(self, number: int) -> Passage:
        """Return a sentence as it is judged."""
        return self._passages[number]

    def passes_over(self, number: int) -> bool:
        """Return whether no rule need read a sentence: it hardly teaches anything."""
        return self._likely[number][0] < self._policy.look

    def teaches(self, number: int) -> bool:
        """Return whether a sentence is worth learning from, whatever reads it."""
        return self._likely[number][0] >= self._policy.keep

    def overrules(self, number: int) -> bool:
        """Return whether a sentence so surely teaches something that a rule to skip it is wrong."""
        return self._likely[number][0] >= self._policy.overrule

    def may_guess(self, item_type: str) -> bool:
        """Return whether anything of a type may be proposed, however likely it is."""
        return self._least(item_type) < 1

    def tells_surely(self, number: int) -> bool:
        """Return whether a sentence of a short message surely teaches something, though of no type in particular."""
        return (
            not self._surely
            and len(self._likely) <= _LONG
            and self._whole[number]
            and self.overrules(number)
            and self._policy.propose < 1
        )

    def against(self, number: int, draft: Draft) -> str:
        """Return why a draft that a rule has read in a sentence is not worth keeping, empty if it is."""
        if draft.kind.type not in TYPES or draft.rule in _PLAIN:
            return ""
        surer = self._surer(number, draft.kind.type)
        if surer:
            return surer
        learned, of_its_type = told_by(draft.rule, draft.kind.type)
        worth = _share(self._learned[number] + learned)
        least = max(self._policy.keep, _SURER_OF.get(draft.rule, 0)) if self._policy.keep else 0
        if worth < least:
            return f"not worth keeping (p {_short(worth)})"
        kind = self._scores[number, LABELS.index(draft.kind.type)]
        fits = _share(self._learned[number] + learned / 2) * _share(kind + of_its_type / 2)
        return "" if fits >= self._surely else f"between people, and not surely one (p {_short(fits)})"

    def proposed(self, number: int, told_as: Callable[[str], str] = str) -> Iterator[tuple[str, str]]:
        """Yield (type, why) of what a sentence that no rule reads surely teaches, the surest first.

        None of a sentence with words that are not the user's, nor of a long message. told_as: the type under which one
        is written, which says how likely it must be.
        """
        if len(self._likely) > _LONG or not self._whole[number]:
            return
        learned, worth = self._likely[number][0], self._of_types(number)
        if learned < self._policy.propose:
            yield from self._plainly_of(number, told_as)
            return
        for name in sorted(TYPES, key=worth.__getitem__, reverse=True):
            least = self._least(told_as(name))
            if least < 1 and worth[name] >= least:
                yield name, f"reads like something to keep (p {_short(learned)})"

    def _plainly_of(self, number: int, told_as: Callable[[str], str]) -> Iterator[tuple[str, str]]:
        """Yield (type, why) of a short Chinese sentence that is all of a message, if it is of one type beyond doubt.

        In English what is so likely is mostly said of something: "Turns out olives are a fruit".
        """
        learned, worth, text = self._likely[number][0], self._of_types(number), self._passages[number].text
        is_all = len(self._likely) == 1 and len(text) <= _SHORT and has_han(text)
        asked = self._policy.propose < 1 and not self._surely
        if not asked or not is_all or learned < self._policy.propose * _ALONE:
            return
        for name in _OF_NO_DAY:
            if worth[name] >= _BEYOND_DOUBT * learned and self._least(told_as(name)) < 1:
                yield name, f"reads like {name}, said alone (p {_short(learned)})"

    def _surer(self, number: int, item_type: str) -> str:
        """Return why a sentence is of another type, empty unless it hardly is of this one and that will be proposed."""
        if self._likely[number][0] < self._policy.propose:
            return ""
        worth = self._of_types(number)
        surest, _ = next(self.proposed(number), (item_type, ""))
        if worth[item_type] >= _HARDLY * self._likely[number][0] or worth[surest] < _SURELY:
            return ""
        return f"reads like {surest} (p {_short(worth[surest])})"

    def _least(self, item_type: str) -> float:
        """Return how likely a sentence must teach something of a type for that to be proposed; 1: it never is."""
        if self._surely and item_type not in _TOLD_OF_ANYBODY:
            return 1.0
        least: float = getattr(self._policy.guess, item_type)
        return max(self._surely, least)

    def _of_types(self, number: int) -> dict[str, float]:
        return dict(zip(TYPES, self._likely[number][1:], strict=True))


def weighing(
    policy: WorthPolicy, words: str, spans: Sequence[tuple[int, int]], *, between_people: bool = False
) -> Weighing | None:
    """Return the judge's view of a message, None where the policy asks for none or nothing is said."""
    asked = policy.look > 0 or policy.keep > 0 or min(policy.propose, policy.overrule) < 1
    return Weighing(policy, words, spans, between_people=between_people) if asked and spans else None


def _share(log_odds: float) -> float:
    return 1 / (1 + exp(-log_odds))


def _short(worth: float) -> str:
    return f"{worth:.2f}".removeprefix("0")
