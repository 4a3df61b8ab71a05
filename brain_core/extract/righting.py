"""What of a sentence puts right something told before it, as a language reads it and `put_right.py` applies it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

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
