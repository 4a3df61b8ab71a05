"""Plain pairs out of those that were written to be hard: a fact told again with its new value, 我的牙医换成李医生了.

Who writes pairs to be hard leaves the plain ones out, and a judge that has learned from these alone misses them. What
says "now" in a look-alike changes nothing: that word alone tells nothing.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Pair:
    """A fact and a later sentence. new: what holds now, empty if nothing does; None if nothing has changed.

    weight: of its sentences, as so many. stress: the same of the second alone, and not of what is made of it.
    """

    first: str
    second: str
    old: str
    new: str | None
    type: str
    weight: float = 1.0
    stress: float = 1.0


_MARKED = 0.6
"""Share of the changes that say "now" or the like, and of the look-alikes that are told so."""

_AGAIN = 0.3
"""Share of the facts that are told a second time as they were, and "now"."""

_BESIDE, _TWICE = 0.7, 0.4
"""Weights of look-alikes and of facts told again, beside a change told plainly."""

_EN = (("{} now", 0.55), ("now {}", 0.8), ("{} these days", 0.9), ("from now on {}", 1.0))
_ZH = (("{}了", 0.15), ("以后{}", 0.22), ("现在{}", 1.0))
"""What tells that something holds from now on, each with the number from 0 to 1 below which it is drawn."""

_IS = {
    "en": re.compile(r"^(?P<what>(?:my|our|the) [\w' -]{2,30}?) (?:is|are|runs? on|goes to) $", re.IGNORECASE),
    "zh": re.compile(
        r"^(?P<what>(?!(?:我|你|他|她|咱)们?[是叫用找定])[^，,。]{2,12}?)(?:是|叫|用的?是?|定在|设的是?|找)$"
    ),
}
"""What stands before a value in a fact that names a thing and its value."""

_BECAME = {
    "en": ("{what} changed to {new}", "{what} is {new} now, not {old}", "{what}: {new} instead of {old}"),
    "zh": ("{what}换成{new}了", "{what}改成{new}了", "{what}现在是{new}", "{what}不是{old}了，是{new}"),
}
_REPLACED = 0.5
"""Share of the facts that name a thing and its value of which a change is told in so many words."""

_I = re.compile("我们?|咱们?")


def plainly(pair: Pair, language: str, chance: random.Random) -> Iterator[Pair]:
    """Yield what is made of a pair: its change told plainly, its look-alike with a "now", its fact told twice."""
    if pair.new is None:
        if chance.random() < _MARKED:
            yield replace(pair, second=_now(pair.second, language, chance), weight=_BESIDE * pair.weight)
        return
    if pair.new and pair.old and pair.old in pair.first:
        yield replace(pair, second=_changed(pair, pair.new, language, chance))
    if chance.random() < _AGAIN:
        yield replace(pair, second=_now(pair.first, language, chance), new=None, weight=_TWICE * pair.weight)


def _changed(pair: Pair, new: str, language: str, chance: random.Random) -> str:
    before, _, _ = pair.first.partition(pair.old)
    thing = _IS[language].match(before)
    if thing and chance.random() < _REPLACED:
        return chance.choice(_BECAME[language]).format(what=thing["what"], new=new, old=pair.old)
    text = pair.first.replace(pair.old, new, 1)
    return _now(text, language, chance) if chance.random() < _MARKED else text


def _now(text: str, language: str, chance: random.Random) -> str:
    """Return a sentence that says of itself that it holds from now on."""
    text, drawn = text.rstrip(" .。!！"), chance.random()
    form = next(form for form, below in (_EN if language == "en" else _ZH) if drawn < below)
    user = _I.search(text)
    if user and form.startswith("现在"):
        return f"{text[: user.end()]}现在{text[user.end() :]}"
    small = text if form.startswith("{}") or re.match(r"I\b", text) else text[:1].lower() + text[1:]
    return form.format(small)
