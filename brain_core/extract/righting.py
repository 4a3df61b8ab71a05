"""What of a sentence puts right something told before it, as a language reads it and `put_right.py` applies it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from brain_core.extract.bare_day import DayOf
from brain_core.text.expression import Expression


@dataclass(frozen=True, slots=True)
class Slip:
    """What a sentence puts right.

    new: the words that hold instead, empty where something is only taken back. old: those that hold no more. about:
    what it names that it is of. states: what it tells besides of what it takes back: of whom it is so. surely: whether
    it says that something told was wrong; else it may answer a question. whole: whether the new words are a statement.
    bare: whether nothing but the new words says that something is put right. excuses: whether only an excuse does,
    which behind a sentence is of that one.
    """

    new: str = ""
    old: str = ""
    about: str = ""
    states: str = ""
    surely: bool = True
    whole: bool = False
    bare: bool = False
    excuses: bool = False


@dataclass(frozen=True, slots=True)
class Righting:
    """How a language puts right.

    read: what a sentence puts right, None where it does not. erred: says somewhere in a message that something was
    wrong, or has been looked up.
    """

    read: Callable[[str], Slip | None]
    erred: Expression
    day_of: DayOf


class Opened(NamedTuple):
    """A sentence and where what opens it ends, and what that says.

    told: as it was told. text: as it is read, of the same length. place: where it ends. doubts: that something may be
    wrong. regrets: an excuse. wrong: that something told was wrong. about: of what.
    """

    told: str
    text: str
    place: int
    doubts: bool
    regrets: bool
    wrong: bool
    about: str

    @property
    def surely(self) -> bool:
        """Whether it says that something was wrong, or is sorry for it."""
        return self.wrong or self.regrets

    @property
    def opens(self) -> str:
        """What opens the sentence."""
        return self.text[: self.place]

    @property
    def rest(self) -> str:
        """What is left of the sentence as it is read."""
        return self.text[self.place :]

    def part(self, match: re.Match[str], group: str) -> str:
        """Return a group of a match in the rest as it was told."""
        return self.told[self.place + match.start(group) : self.place + match.end(group)]


@dataclass(frozen=True, slots=True)
class Openings:
    """What may open a sentence that puts right, in a language, each with the marks behind it.

    wrong: says that something told was wrong, of what in its group `about`. looked_up: of these, that say no more than
    that it was looked up. regrets: an excuse. others: whatever else may stand there. doubts: of all, those that doubt.
    """

    wrong: Expression
    looked_up: Expression
    regrets: Expression
    others: Expression
    doubts: Expression

    def of(self, told: str, text: str) -> Opened:
        """Return a sentence behind what opens it."""
        doubts = regrets = wrong = False
        about, place = "", 0
        while True:
            error, sorry = self.wrong.match(text, place), self.regrets.match(text, place)
            match = error or sorry or self.others.match(text, place)
            if match is None or match.end() == place:
                return Opened(told, text, place, doubts, regrets, wrong, about)
            checked = error is not None and self.looked_up.match(text, place) is not None
            wrong = wrong or (error is not None and not checked)
            about = about or (error["about"] or "" if error is not None else "")
            regrets = regrets or (error is None and sorry is not None)
            doubts = doubts or checked or self.doubts.match(text, place) is not None
            place = match.end()
