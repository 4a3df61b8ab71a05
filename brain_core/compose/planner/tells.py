"""The words that tell what a message asks for, as one value per language, and the form in which a message is read."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Set
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Literal, NamedTuple

from brain_core.extract.language import MASK
from brain_core.text.expression import Expression
from brain_core.text.language import han_count
from brain_core.text.sifted import Sifted, Sifter
from brain_core.text.words import terms

_END = 300
"""Code points read of each end of a message: requests stand there, and what is pasted stands between."""

FILE = (
    r"(?<![\w.-])[^\W_][\w.-]{0,80}\.(?:md|mdx|txt|rst|pdf|docx?|xlsx?|csv|tsv|pptx?|json|ya?ml|toml|tex|bib|ipynb|"
    r"epub|html?|log|sql|xml|ini|conf|odt|rtf)(?![a-z0-9])"
)
"""A file by its ending. Code is left out: Node.js and Vue.js are no files."""

_MOST_TERMS = 6
_COUNTED_TERMS = 3
_MOST_HAN = 16

_NOT_SAID = re.compile(
    r"[\"“][^\"“”\n]{1,200}[\"”]|(?<![a-z0-9])'[^'\n]{1,80}'(?![a-z0-9])|《[^》\n]{1,60}》|[「『][^」』\n]{1,60}[」』]|"
    rf"`[^`\n]{{1,200}}`|https?://[^\s，。；）)]+|{FILE}|\b[\w-]+\.(?:com|org|net|io|ai|dev|app|cn|co)\b"
)
_MAY_QUOTE = re.compile(r"[\"“'《「『`:.]")
"""One of these stands in whatever is not said."""


class Said(NamedTuple):
    """A message as rules see it. text: its ends. plain: lower case, what is quoted or a URL masked. words: of plain.

    possible: patterns that may match; no others can, since each of their matches needs what is not there. None: any.
    """

    text: str
    plain: str
    words: frozenset[str]
    possible: Set[Hashable] | None = None


def may_hold(said: Said, patterns: Set[Hashable]) -> bool:
    """Return whether any of some patterns may match a message."""
    return said.possible is None or not said.possible.isdisjoint(patterns)


def without(said: Said, match: re.Match[str]) -> Said:
    """Return a message less what matches in its plain text."""
    start, stop = match.span()
    return Said(said.text, f"{said.plain[:start]} {said.plain[stop:]}", said.words)


@dataclass(frozen=True, slots=True, eq=False)
class Tell:
    """A pattern over `Said.plain`, tried if one of `cues` (all if empty) is among the message's words."""

    cues: frozenset[str]
    pattern: Expression

    def find(self, said: Said) -> re.Match[str] | None:
        """Return the first match, or None."""
        if (said.possible is not None and self not in said.possible) or (
            self.cues and self.cues.isdisjoint(said.words)
        ):
            return None
        return self.pattern.search(said.plain)

    def words(self, said: Said) -> str:
        """Return what stands in the message, or nothing."""
        match = self.find(said)
        return match[0].strip(" ,.，。") if match else ""


@dataclass(frozen=True, slots=True)
class Period:
    """A time that a text names: from `start` up to, and without, `stop`. span: characters of the text."""

    start: date
    stop: date
    span: tuple[int, int]

    @classmethod
    def of_days(cls, start: date, count: int, span: tuple[int, int]) -> Period:
        """Return so many days from a day on."""
        return cls(start, start + timedelta(days=count), span)


@dataclass(frozen=True, slots=True)
class Coming:
    """How days to come are asked for. named: all that a text names, in order, none that is over on the day said.

    sure: words of a period that lies ahead whatever else is said. told: such words if all of it is to come. lean: words
    of a period that lies ahead only where its sentence does. to_come, over: in a sentence, look ahead or back. plans:
    in a sentence, ask what is planned, whoever asks. ours: what people have on a day, such as a meeting.
    """

    named: Callable[[str, date], Iterator[Period]]
    sure: re.Pattern[str]
    told: re.Pattern[str]
    to_come: Sifted
    over: Sifted
    plans: Sifted
    lean: re.Pattern[str]
    ours: Sifted


@dataclass(frozen=True, slots=True)
class Sign:
    """What shows an intent: all of `needs` are found, the first gives the words of the reason; `unless` is not."""

    intent: str
    needs: tuple[Tell, ...]
    unless: Tell | None = None

    def words(self, said: Said) -> str:
        """Return the words of a message that show it, or nothing."""
        first = self.needs[0]
        if said.possible is not None and first not in said.possible:  # so it is of most messages and signs
            return ""
        match = first.find(said)
        if match is None or not all(one.find(said) for one in self.needs[1:]):
            return ""
        if self.unless is not None and self.unless.find(said):
            return ""
        return match[0].strip(" ,.，。") or self.intent


TaskState = Literal["", "open", "blocked", "done"]
States = tuple[tuple[TaskState, Tell], ...]
"""States of tasks and what asks for them, the first that applies."""


@dataclass(frozen=True, slots=True)
class Scattered:
    """What asks for many of a sort, which were told one by one. counted: asks how many. unless: what was proposed.

    Such a question has few words of its own: what has more of them is told best by some one text.
    """

    of_a_sort: Tell
    counted: Tell
    unless: Tell

    def words(self, said: Said) -> str:
        """Return the words of a message that ask so, or nothing."""
        found = self.of_a_sort.words(said)
        counted = "" if found else self.counted.words(said)
        if not (found or counted) or self.unless.find(said):
            return ""
        han = han_count(said.plain)
        if han > _MOST_HAN or (not han and len(set(terms(said.plain))) > (_MOST_TERMS if found else _COUNTED_TERMS)):
            return ""
        return found or counted


@dataclass(frozen=True, slots=True, eq=False)
class Tells:
    """Everything the planner knows of a language.

    language: ISO 639-1. words: of a plain text that cues may be among. sure: signs that settle the intent, whatever
    else a message reads like. signs: of intents, the first that applies counts; none is small talk. documents: names
    what is read rather than remembered; manuals: also where the user writes something himself. types: (type of item,
    what names it). session: this conversation. pointer: at something given before, by a noun. follows: what only makes
    sense after something else. named_place: a `name` to look in. named_document:
    the name of one, each way to call it by a group of its own. periods: times named, in order. frame: words that ask
    what there was, whatever it is about: "what did I do". task_states: that tasks are asked for by. unwanted: says that
    documents are not to be looked in. coming: days to come that are asked for. subject: that something is to be learned
    about, compared or outlined. scattered: that many of a sort are asked for. sifter: of its times, which also tells
    which of these patterns a plain text may have.
    """

    language: str
    words: Callable[[str], Iterable[str]]
    sure: tuple[Sign, ...]
    signs: tuple[Sign, ...]
    documents: Tell
    manuals: Tell
    types: tuple[tuple[str, Tell], ...]
    session: Tell
    pointer: Tell
    follows: Tell
    named_place: Tell
    named_document: Tell
    periods: Callable[[str, date], Iterator[Period]]
    frame: re.Pattern[str]
    task_states: States
    unwanted: Tell
    subject: Tell
    scattered: Scattered
    coming: Coming
    sifter: Sifter
    of_signs: Set[Tell] = field(init=False)
    """Those of which any sign has one."""
    of_items: Set[Tell] = field(init=False)
    """Those that name types of memory items, and states of tasks."""

    def patterns(self) -> Iterator[Tell]:
        """Yield all that messages are searched for, some of them repeatedly."""
        for sign in (*self.sure, *self.signs):
            yield from sign.needs
            if sign.unless is not None:
                yield sign.unless
        yield from (one for _, one in (*self.types, *self.task_states))
        yield from (self.documents, self.manuals, self.session, self.pointer, self.follows, self.unwanted, self.subject)
        yield self.named_document
        yield from (self.scattered.of_a_sort, self.scattered.counted, self.scattered.unless)

    def __post_init__(self) -> None:
        """Have the patterns looked for beside those of times."""
        object.__setattr__(self, "of_signs", frozenset(sign.needs[0] for sign in (*self.sure, *self.signs)))
        object.__setattr__(self, "of_items", frozenset(one for _, one in (*self.types, *self.task_states)))
        for one in self.patterns():
            self.sifter.add(one, one.pattern.pattern)


def tell(pattern: str, cues: str = "") -> Tell:
    """Return a Tell. cues: words, with spaces between, of which every match has one; none: always tried."""
    return Tell(frozenset(cues.split()), Expression(pattern))


def heard(text: str, tells: Tells, fold: Callable[[str], str]) -> Said:
    """Return a message as rules see it. fold: one form of writing for the patterns, of the same length."""
    ends = text if len(text) <= 2 * _END else f"{text[:_END]}\n{text[-_END:]}"
    plain = fold(ends)
    if _MAY_QUOTE.search(plain):
        plain = _NOT_SAID.sub(lambda match: MASK * len(match[0]), plain)
    return Said(ends, plain, frozenset(tells.words(plain)), tells.sifter.possible(plain))
