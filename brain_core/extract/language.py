"""What a language brings to extraction: how its sentences fall apart, what is not learned from, and its rules.

A language is one value in one file (`ENGLISH` in english.py, `CHINESE` in chinese.py), and `read.py` applies it:

1. A user's message is masked (masks.py): quotes, code, pasted text and echoes become `MASK` characters, as many as they
   had, so every offset stays one of the message. Then it is cut into sentences, and each goes to the language of its
   script.
2. `clauses` cuts a sentence into the passages that are read on their own.
3. `words` gives the words (Chinese: the characters) of a clause. Of `rules` only those are tried, in order, that have a
   cue among them: a set intersection, so that most clauses cost no regex at all.
4. The first rule whose `build` gives a `Found` owns the clause. A rule with `shares` leaves it to those after it too.
5. If any was found, `skips` are tried: the first that applies turns all of it into one `Skip` with its name and reason.

6. A judge (worth.py) weighs what is left: what is not worth keeping becomes a `Skip`, and a sentence from which nothing
   is kept and that surely teaches something goes to `proposals`.

A rule reads `Scene` for the day the message was said (dates are resolved against it), for what the memory already holds
and for the clause before it. It returns values in the shape of its type (kinds/registry.py); keys are made from them,
so the same fact in other words should give the same key parts. For example:

    def _employer(match: re.Match[str], scene: Scene) -> Iterable[Found]:
        yield Found({"subject": "user", "facts": [{"k": "employer", "v": match["org"]}]})

    Rule("profile_employer", "profile", "工 班", Expression(r"我在(?P<org>[^，。]{2,30}?)(?:工作|上班)"), _employer)

To deny or to update what is known: `known.find(scene.known, "preferences", words)` and `known.denial(item)`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Literal

from smartbrain.v1.event_pb2 import Message

from brain_core.extract.assent import Assent
from brain_core.extract.known import Known
from brain_core.extract.righting import Righting
from brain_core.text.expression import Expression

MASK = "\ufffc"
"""Stands for every character that is not the user's own words. No pattern should match it by a word class."""


@dataclass(frozen=True, slots=True)
class Clause:
    """A passage that is read on its own, as its language cut it.

    start: of its text in the message, code points. sentence: what it stands in. whole: its text and what belongs to it
    up to the end of the sentence, questions and requests left out; empty means the text. asked: whether the user asked
    to remember it, so that no skip rule applies.
    """

    text: str
    start: int
    sentence: str
    whole: str = ""
    asked: bool = False


_TOLD_BEFORE = 300  # code points


@dataclass(slots=True)  # frozen, one takes 2 µs to make, and a message has dozens
class Scene:
    """What a rule may look at besides its match. Nobody changes one.

    said: day the message was said, where it was. message: its masked text. before: the clause before this one in the
    message. session: id of its session, empty where that is not known. message_id: of the message. own: what of the
    known is the speaker's alone, None where all is. just_before: gives the message before this one, where the same
    speaker said it and nobody has spoken since. earlier: gives what the user said in the session before the message,
    oldest first.
    """

    clause: Clause
    said: date
    known: Known
    message: str
    before: str = ""
    session: str = ""
    message_id: str = ""
    own: Known | None = None
    just_before: Callable[[], Message | None] = lambda: None
    earlier: Callable[[], Sequence[str]] = tuple

    @property
    def told_before(self) -> str:
        """The end of what the message says before the clause, in which a month may be named that it speaks of."""
        return self.message[max(0, self.clause.start - _TOLD_BEFORE) : self.clause.start]


@dataclass(frozen=True, slots=True)
class Found:
    """A value that a rule has read.

    given: fields of the value, without defaults. type: empty means the rule's. denies: what is given no longer holds
    (then given needs the parts of the key; for profile, `facts` with the `k` that is denied). doubts: it perhaps no
    longer holds, besides denies. weak: a guess of the
    rule, which gets the confidence of an inference. span: in the clause, None means the whole match; where it reaches
    beyond the clause, the clauses it covers are not read. unmet: why nothing comes of what the clause asks for: then it
    is told in a verdict, and nothing else reads the clause; of a rule that shares it, nothing known ends by a guess.
    """

    given: dict[str, Any]
    type: str = ""
    denies: bool = False
    doubts: bool = False
    weak: bool = False
    valid_from: date | None = None
    valid_to: date | None = None
    span: tuple[int, int] | None = None
    unmet: str = ""


Build = Callable[[re.Match[str], Scene], Iterable[Found]]
"""Reads values from a match; nothing means that the rule does not apply after all."""


Propose = Callable[[Scene], Found | None]


@dataclass(frozen=True, slots=True)
class Rule:
    """How a passage becomes a value of a type. The pattern is searched in the clause; it must be linear-time.

    cues: words, with spaces between, of which the clause must have one for the pattern to be tried; empty tries it
    always. shares: whether other rules may read the same clause too. insists: whether skip rules do not apply (an
    explicit request to remember, for example). vital: whether it is read and kept however little it seems worth: what
    does harm where it is forgotten, an allergy, or changes something known. Such a rule has cues; of a type
    of its own, knowledge, it stands in every context.
    """

    name: str
    type: str
    cues: str
    pattern: Expression
    build: Build
    shares: bool = False
    insists: bool = False
    general: bool = False
    vital: bool = False
    cue_set: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "cue_set", frozenset(self.cues.split()))


@dataclass(frozen=True, slots=True)
class SkipRule:
    """Why a passage is not learned from.

    scope: what the pattern is searched in. types: the types of items it keeps from being written, with spaces between;
    empty means all. soft: whether the judge may know better, where a sentence that surely teaches something is worded
    like one that does not ("Vet says he weighs 5 kilos").
    """

    name: str
    reason: str
    pattern: Expression
    scope: Literal["clause", "sentence", "message"] = "clause"
    types: str = ""
    soft: bool = False


@dataclass(frozen=True, slots=True)
class Language:
    """Everything that extraction knows of a language.

    code: ISO 639-1. clauses: cuts a sentence (its text, and where it starts in the message) into clauses. words: those
    of a clause that cues may be among. rules: most specific first. skips: as they should be named, first match wins.
    stands_alone: whether a sentence that no rule reads can be kept as it stands as an item of a type. tells_of_another:
    whether it is about somebody who is not the user. assent: how it proposes and accepts.
    status_in: which status of a task a text tells, "" if none.
    is_about: whether a text has words of a part of a life, such as "work" or "home". righting: how it puts right what
    was just told. told_plainly: what a clause that is of no type in particular tells as a fact, None where it has not
    the form of one.
    """

    code: str
    clauses: Callable[[str, int], Iterable[Clause]]
    words: Callable[[str], set[str]]
    rules: tuple[Rule, ...]
    skips: tuple[SkipRule, ...]
    proposals: Mapping[str, Propose]
    tells_of_another: Callable[[Scene], bool]
    assent: Assent
    status_in: Callable[[str], str]
    is_about: Callable[[str, str], bool]
    righting: Righting
    stands_alone: Callable[[Scene, str], bool] = lambda _scene, _type: True
    told_plainly: Propose = lambda _scene: None
    _by_cue: dict[str, int] = field(init=False, repr=False)
    _vital: frozenset[str] = field(init=False, repr=False)
    _vital_bits: int = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Give each cue the bits of its rules, bit n for rule n; "" those of the rules without cues."""
        vital = [rule for rule in self.rules if rule.vital]
        if not all(rule.cue_set for rule in vital):
            raise ValueError("a vital rule without cues: no sentence could be passed over")
        object.__setattr__(self, "_vital", frozenset().union(*(rule.cue_set for rule in vital)))
        object.__setattr__(self, "_vital_bits", sum(1 << n for n, rule in enumerate(self.rules) if rule.vital))
        by_cue: dict[str, int] = {"": 0}
        for number, rule in enumerate(self.rules):
            for cue in rule.cue_set or ("",):
                by_cue[cue] = by_cue.get(cue, 0) | 1 << number
        object.__setattr__(self, "_by_cue", by_cue)

    def may_be_vital(self, text: str) -> bool:
        """Return whether a text has a cue of a vital rule, so that it must be read."""
        return not self._vital.isdisjoint(self.words(text))

    def candidates(self, clause: str, *, vital: bool = False) -> Iterator[Rule]:
        """Yield the rules that have a cue in a clause, and those without cues, in their order; vital: only such."""
        bits = self._by_cue[""]
        for word in self.words(clause) & self._by_cue.keys():
            bits |= self._by_cue[word]
        if vital:
            bits &= self._vital_bits
        while bits:
            lowest = bits & -bits
            yield self.rules[lowest.bit_length() - 1]
            bits ^= lowest
