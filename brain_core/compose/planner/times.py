"""What the words of times are looked for with: most messages name none, and no message many."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from brain_core.extract import dates
from brain_core.extract.chinese import dates as chinese_dates
from brain_core.text.sifted import Sifter

ENGLISH = Sifter()
CHINESE = Sifter()
_DAY = ENGLISH.expression(dates.HINT)
_CHINESE_DAY = CHINESE.expression(chinese_dates.ANY)


def days(text: str, said: date, *, past: bool = False) -> Iterator[dates.Day]:
    """Yield what `extract.dates` does of a text in lower case."""
    if not (text.isascii() and _DAY.is_absent(text)):  # letters beyond ASCII may be capitals of others
        yield from dates.days(text, said, past)


def chinese_days(text: str, said: date, *, past: bool = False) -> Iterator[dates.Day]:
    """Yield what `extract.chinese.dates` does."""
    if not _CHINESE_DAY.is_absent(text):
        yield from chinese_dates.days(text, said, past=past)
