"""What a sentence and something known have in common: named features of the pair, English and Chinese."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from brain_core.extract.applies import environment_in
from brain_core.extract.built_alike import built_alike
from brain_core.extract.known import words_of
from brain_core.extract.scopes import scope_in
from brain_core.models.static import built_in
from brain_core.text.expression import Expression
from brain_core.text.words import first_person_words

_REMEMBERED = 4096  # texts of items, which are met by sentence after sentence
_COSINES = tuple(step / 20 for step in range(2, 19, 2))
_SHARES = (0.01, 0.2, 0.4, 0.6, 0.8, 1.0)
_COUNTS = (1, 2, 3, 4)
_BUILDS = (0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
_EACH_WORD = Expression(r"[\u3400-\u9fff]|[^\W_\u3400-\u9fff]+")
_TELLING = {
    "number": Expression(
        r"\d[\d.,:/-]*\d|\d|(?<=[周星期拜])[一二三四五六日天]|[一二两三四五六七八九十]+(?=[点岁个月号楼年块万])"
    ),
    "day": Expression(
        r"\b(?:mon|tues?|wednes|thurs?|fri|satur|sun)days?\b|"
        r"\b(?:january|february|march|april|may|june|july|august|september|october|november|december)\b",
        re.IGNORECASE,
    ),
    "name": Expression(r"(?<![.!?]\s)(?<!^)\b[A-Z][\w-]+"),
    "person": Expression(
        r"\b(?:wife|husband|hubby|partner|girlfriend|boyfriend|fianc\w+|sons?|daughters?|kids?|child(?:ren)?|baby|twins?|"
        r"mum|mom|mother|dad|father|parents|sister|brother|gran\w*|nan|uncle|aunt\w*|cousin|nephew|niece|in-laws?|"
        r"flatmate|roommate|neighbou?rs?|friends?|mate|colleague|coworker|boss|manager|"
        r"he|she|his|her|they|their|somebody|someone|everyone)\b|"
        r"老公|老婆|丈夫|妻子|媳妇|男友|女友|对象|儿子|女儿|闺女|孩子|宝宝|[爸妈爹娘哥姐弟妹舅姨姑叔伯]|爷爷|奶奶|姥姥|姥爷|外公|外婆|"
        r"婆婆|公公|岳父|岳母|同事|同学|朋友|室友|舍友|邻居|隔壁|领导|老板|[他她]|人家|别人|有人|大家",
        re.IGNORECASE,
    ),
}
"""What tells one matter or value from another, by its sort."""

_ANOTHER = Expression(
    r"^(?:(?:so|well|ok|okay|actually|btw|oh|hey|and|but|fyi|now|today|yesterday|last \w+|this \w+)[,:!. ]+)*"
    r"(?:(?:my|our|his|her|a) (?:[\w-]+ )?)?(?:wife|husband|hubby|partner|girlfriend|boyfriend|fianc\w+|sons?|"
    r"daughters?|kids?|mum|mom|mother|dad|father|parents|sister|brother|grand\w+|gran|nan|uncle|aunt\w*|cousin|nephew|"
    r"niece|in-laws?|flatmate|roommate|neighbou?rs?|friends?|mate|he|she)(?:['’]\w+)?\b|"
    r"^(?:今天|昨天|刚|最近|现在|上周|其实|那个|对了|听说|[，,。！ ])*(?:我们?|咱们?|俺)?家?"
    r"(?:老公|老婆|丈夫|妻子|媳妇|男友|女友|对象|儿子|女儿|闺女|[爸妈爹娘哥姐弟妹舅姨姑叔伯]|爷爷|奶奶|姥姥|姥爷|外公|外婆|婆婆|公公|"
    r"岳父|岳母|表[哥姐弟妹]|堂[哥姐弟妹]|同学|朋友|闺蜜|哥们|室友|舍友|邻居|隔壁|[他她])",
    re.IGNORECASE,
)
"""Begins with somebody who has things of his own. Who may change the user's things is not among them: a boss, they."""

_NAMED = Expression(
    r"^(?:[a-z0-9_\u4e00-\u9fff]+ )?(?:(?i:actually|well|and|but|so|also),? )*"
    r"(?!(?:I|It|This|That|There|These|Those|We|You|He|She|They|Not|No|The|My|Our|Mine|Always|Please|What|Who)\b)"
    r"(?P<who>[A-Z][a-z]+)(?:['’]s |(?: (?:also|always|never|still|really))? (?:is|are|was|has|had|will|can|"
    r"does|did|used|gets?|got|gave|went|\w+n['’]t|\w+(?<!s)s|\w{2,}ed)\b)|"
    r"^(?:[a-z0-9_\u4e00-\u9fff]+ )?(?P<han>[A-Z][a-z]+(?=[\u4e00-\u9fff])|"
    r"(?:小(?![区时孩学说组程心声型号])|阿(?!姨))[\u4e00-\u9fff](?=[^\u4e00-\u9fff]?[\u4e00-\u9fff]))"
)
"""Begins with somebody who has a name: Teo is, Teo's, 小王. An item's own name may stand before it."""

_NUMBERED = Expression(r"^(?:(?:the|our|my) )?(?P<what>[^\W\d]+)[ #]?(?P<number>\d+)", re.IGNORECASE)
"""Begins with one of several: shelf 7, 会议室3."""

DOING_NOW = r"(?:排队|等|坐|吃|喝|逛|看|玩|开会|上课|路上|睡|打)"
"""What somebody is at for a moment, in Chinese after 在."""

_I = r"(?:i|we)(?:['’](?:m|re)| am| are)"
_PASSING = Expression(
    rf"^(?:ok,? |well,? |so,? )?(?:{_I} (?:now |just |finally |back )*(?:in|at|near|over|back|off|out|from|here|there)|"
    rf"(?:{_I} )?(?:now |just )?(?:heading|leaving|walking|driving|going|getting|sitting|standing|waiting|having|"
    r"eating|drinking|looking|on (?:my|the|our) way|back (?:in|at|from|home)))\b|"
    r"^我?们?(?:现在|这会儿)?(?:正|还)?在[^,，。]{1,10}" + DOING_NOW,
    re.IGNORECASE,
)
"""Where somebody is now, and what he is doing, says nothing of what holds."""

_ADDING = Expression(
    r"\b(?:also|as well|(?:too|either)[.!]*$)|^(?:yes,? )?(?:i|we) (?:really |do )*(?:like|love|enjoy|plan)\b"
    r"(?!.*\b(?:now|more|better|instead|these days|lately|no longer|any ?more)\b)|"
    r"也(?:喜欢|爱|想)|还(?:喜欢|爱|想|养了|买了)|又[养买]了?一",
    re.IGNORECASE,
)
"""One thing that is liked, had or wanted is none the less for another."""

_SUBJECT = Expression(
    r"^(?:(?:so|well|ok|okay|actually|btw|oh|hey|and|but|ugh|fyi|update|heads up|turns out|good news|finally|yesterday|"
    r"today|last \w+|this \w+|now)[,:!. ]+)*"
    r"(?:(?P<self>(?:i|we)(?:['’]\w+)?)|(?:my|our|the|that|this) (?P<of>[\w'’-]+(?: [\w'’-]+)?)|(?P<bare>[\w'’-]+))\b|"
    r"^(?:今天|昨天|刚|最近|现在|上周|其实|那个|对了|结果|后来|终于|[，,。！ ])*"
    r"(?:(?:我们?|咱们?|俺)(?P<ours>..)?|(?P<first>..))",
    re.IGNORECASE,
)
"""What a sentence begins with: who or what it is likely about."""


def leaves_all(text: str) -> bool:
    """Return whether a sentence is of a sort that makes nothing untrue: where somebody just is, what comes beside."""
    return _PASSING.match(text) is not None or _ADDING.search(text) is not None


def says_change(text: str) -> bool:
    """Return whether a sentence has a word of change."""
    return _CHANGING.search(text) is not None


def told_of(text: str) -> str:
    """Return the name, in small letters, of whom a sentence is about; empty if it has none or tells of the user."""
    who = marks(text).who
    return who.lower() if who and not first_person_words(text) and "俺" not in text else ""


def others_than(text: str) -> Callable[[Marks], bool]:
    """Return what tells by its marks whether a claim is not what a sentence is about, however much alike they are.

    A claim of nobody but the user where the sentence is of somebody else; of Ann where it is of Tom; the next of a sort
    (shelf 7 and shelf 8); what holds for another project or language.
    Unless the sentence says that something changes: a number or an address of which it says nothing (a phone is no
    phone number), another side of somebody (where she lives and what she does), and one thing that is learned or read
    beside another.
    """
    said, of_another, changes = marks(text), _ANOTHER.match(text) is not None, says_change(text)

    def another(held: Marks) -> bool:
        if (of_another and not held.person) or said.is_of_another(held):
            return True
        if said.is_next_to(held) or said.is_elsewhere(held):
            return True
        if changes:
            return False
        of_another_sort = held.identified and not said.identified
        return of_another_sort or held.is_another_side(said) or (held.one_of_many and said.one_of_many)

    return another


class Marks(NamedTuple):
    """What is told of a text apart from what it says.

    who: begins it, if that has a name. side: of somebody that it tells. sort, number: of one of several that it begins
    with. scope: for what it holds, environment: where.
    """

    who: str
    person: bool
    identified: bool
    side: str
    one_of_many: bool
    sort: str
    number: str
    scope: str
    environment: str

    def is_of_another(self, other: Marks) -> bool:
        """Return whether both begin with somebody who has a name, and not with the same."""
        return bool(self.who and other.who) and self.who != other.who

    def is_elsewhere(self, other: Marks) -> bool:
        """Return whether both say for what or where they hold, and not for the same."""
        return (bool(self.scope and other.scope) and self.scope != other.scope) or (
            bool(self.environment and other.environment) and self.environment != other.environment
        )

    def is_another_side(self, other: Marks) -> bool:
        """Return whether two texts tell different things of somebody; a name is told by its own words alone."""
        return self.side != other.side and (self.side == "name" or bool(self.side and other.side))

    def is_next_to(self, other: Marks) -> bool:
        """Return whether both are of one sort, and of another number."""
        return bool(self.sort) and self.sort == other.sort and self.number != other.number


@lru_cache(maxsize=_REMEMBERED)
def marks(text: str) -> Marks:
    """Return the marks of a text."""
    numbered, named = _NUMBERED.match(text), _NAMED.match(text)
    return Marks(
        (named["who"] or named["han"]) if named else "",
        _TELLING["person"].search(text) is not None,
        _IDENTIFIED.search(text) is not None,
        next((side for side, words in _SIDES.items() if words.search(text)), ""),
        _ONE_OF_MANY.search(text) is not None,
        numbered["what"].lower() if numbered else "",
        numbered["number"] if numbered else "",
        scope_in(text),
        environment_in(text),
    )


_CHANGING = Expression(
    r"\b(?:no longer|any ?more|instead|now|new|chang\w+|switch\w+|mov(?:ed|ing)|replac\w+|used to|gave up|given up|"
    r"stopp?ed|quit|dropped|finished|done|gone|lost|cancell?ed|wrong)\b|n['’]t\b|[换改停退丢]|不|没|现在|作废|取消|错",
    re.IGNORECASE,
)
_IDENTIFIED = Expression(r"\d{4}|\d[\d .-]{5,}\d|@|://|\d+\.\d+\.\d+")
_SIDES = {
    "name": Expression(r"\b(?:is|are|am|was) (?:called|named)\b|\bname(?:['’]?s| is)\b|叫|名字是", re.IGNORECASE),
    "lives": Expression(r"\blives?\b|\bliving (?:in|at)\b|住(?![院校])|老家|定居", re.IGNORECASE),
    "works": Expression(
        r"\bworks?\b|\bworking (?:as|at|for)\b|\b(?:nurse|teacher|lawyer|engineer|doctor|chef|driver)\b|"
        r"工作|上班|[医律教厨]师|医生|护士|老师|会计|司机|工程师|程序员|设计师",
        re.IGNORECASE,
    ),
}
"""Sides of somebody: what is told of one makes nothing of another untrue."""
_ONE_OF_MANY = Expression(
    r"\b(?:learning|studying|reading|watching|playing|training for|practi[sc]ing)\b|在(?:学|看|读|玩|追|练)",
    re.IGNORECASE,
)


class Sentence:
    """A sentence beside one claim after the other: what is told of it alone is worked out once."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.words = words_of(text)
        self.changes = says_change(text)
        self._told = _told(text)
        self._in_order = _in_order(text)
        self._subject = _SUBJECT.match(text)

    def beside(self, claim: str, cosine: float, own: int) -> list[str]:
        """Return the names of what it and a claim have in common; of a measure, those of the steps it reaches.

        own: words of both that no other claim has: what many claims have is who or what they are about.
        """
        said, held = self.words, words_of(claim)
        both = len(said & held)
        by_own = f"own {min(own, 2)}"
        met = self._met(claim)
        return [
            f"{by_own} others {min(both - own, 2)} change {self.changes}",
            f"{by_own} cosine {int(10 * cosine)}",
            *(f"{by_own} {each}" for each in met),
            *_OWN_WORDS.reached(own),
            *_WORDS_OF_OTHERS.reached(both - own),
            *_OWN_OF_THE_WORDS.reached(own / max(len(said), 1)),
            *_OWN_OF_ITS_WORDS.reached(own / max(len(held), 1)),
            *_COSINE.reached(cosine),
            *_OF_ITS_WORDS.reached(both / max(len(held), 1)),
            *_OF_THE_WORDS.reached(both / max(len(said), 1)),
            *_WORDS.reached(both),
            *_BUILD.reached(built_alike(self._in_order, _in_order(claim), _BUILDS[0])),
            *met,
            *self._begins(held),
        ]

    def is_of_others_than(self, claim: str) -> bool:
        """Return whether it and a claim both speak of persons, and of none that both name."""
        person = list(_TELLING).index("person")
        return _met(self._told[person], _told(claim)[person]) == "other"

    def _met(self, claim: str) -> list[str]:
        return [f"{sort} {_met(now, then)}" for sort, now, then in zip(_TELLING, self._told, _told(claim), strict=True)]

    def _begins(self, held: frozenset[str]) -> list[str]:
        found = self._subject
        if found is None:
            return []
        sort = found.lastgroup or "ours"
        words = words_of(found[sort] or "")
        return [f"subject {sort} {'known' if words & held else 'new' if words else 'unsaid'}"]


class _Measure:
    """A measure by the steps that it reaches, each of which has a name."""

    def __init__(self, name: str, steps: Sequence[float]) -> None:
        """Take the steps in ascending order."""
        self._steps = steps
        self._names = [f"{name} {step}" for step in steps]

    def reached(self, value: float) -> list[str]:
        return self._names[: bisect_right(self._steps, value)]


_OWN_WORDS = _Measure("own words", _COUNTS)
_WORDS_OF_OTHERS = _Measure("words of others", _COUNTS)
_OWN_OF_THE_WORDS = _Measure("own of the words", _SHARES)
_OWN_OF_ITS_WORDS = _Measure("own of its words", _SHARES)
_COSINE = _Measure("cosine", _COSINES)
_OF_ITS_WORDS = _Measure("of its words", _SHARES)
_OF_THE_WORDS = _Measure("of the words", _SHARES)
_WORDS = _Measure("words", _COUNTS)
_BUILD = _Measure("build", _BUILDS)


@lru_cache(maxsize=_REMEMBERED)
def _in_order(text: str) -> tuple[str, ...]:
    return tuple(_EACH_WORD.findall(text.lower()))


@lru_cache(maxsize=_REMEMBERED)
def _told(text: str) -> tuple[frozenset[str], ...]:
    """Return what a text has of each sort in `_TELLING`."""
    return tuple(frozenset(found.findall(text)) for found in _TELLING.values())


def _met(now: frozenset[str], then: frozenset[str]) -> str:
    if now and then:
        return "same" if now <= then else "other" if now.isdisjoint(then) else "some"
    return "new" if now else "gone" if then else "none"


@lru_cache(maxsize=_REMEMBERED)
def vector(text: str) -> NDArray[np.float32]:
    """Return what a text means, as the built-in table has it."""
    meant: NDArray[np.float32] = built_in().embed([text])[0]
    return meant
