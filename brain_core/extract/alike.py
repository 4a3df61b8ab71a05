"""What a sentence and something known have in common: named features of the pair, English and Chinese."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from difflib import SequenceMatcher
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from brain_core.extract.known import words_of
from brain_core.extract.scopes import scope_in
from brain_core.models.static import built_in

_REMEMBERED = 4096  # texts of items, which are met by sentence after sentence
_COSINES = tuple(step / 20 for step in range(2, 19, 2))
_SHARES = (0.01, 0.2, 0.4, 0.6, 0.8, 1.0)
_COUNTS = (1, 2, 3, 4)
_BUILDS = (0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
_WORD = re.compile(r"[\u3400-\u9fff]|[^\W_\u3400-\u9fff]+")
_TELLING = {
    "number": re.compile(
        r"\d[\d.,:/-]*\d|\d|(?<=[周星期拜])[一二三四五六日天]|[一二两三四五六七八九十]+(?=[点岁个月号楼年块万])"
    ),
    "day": re.compile(
        r"\b(?:mon|tues?|wednes|thurs?|fri|satur|sun)days?\b|"
        r"\b(?:january|february|march|april|may|june|july|august|september|october|november|december)\b",
        re.IGNORECASE,
    ),
    "name": re.compile(r"(?<![.!?]\s)(?<!^)\b[A-Z][\w-]+"),
    "person": re.compile(
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

_ANOTHER = re.compile(
    r"^(?:(?:so|well|ok|okay|actually|btw|oh|hey|and|but|fyi|now|today|yesterday|last \w+|this \w+)[,:!. ]+)*"
    r"(?:(?:my|our|his|her|a) (?:[\w-]+ )?)?(?:wife|husband|hubby|partner|girlfriend|boyfriend|fianc\w+|sons?|"
    r"daughters?|kids?|mum|mom|mother|dad|father|parents|sister|brother|grand\w+|gran|nan|uncle|aunt\w*|cousin|nephew|"
    r"niece|in-laws?|flatmate|roommate|neighbou?rs?|friends?|mate|he|she)(?:['’]\w+)?\b|"
    r"^(?:今天|昨天|刚刚?|最近|现在|上周|其实|那个|对了|听说|[，,。！ ])*(?:我们?|咱们?|俺)?家?"
    r"(?:老公|老婆|丈夫|妻子|媳妇|男友|女友|对象|儿子|女儿|闺女|[爸妈爹娘哥姐弟妹舅姨姑叔伯]|爷爷|奶奶|姥姥|姥爷|外公|外婆|婆婆|公公|"
    r"岳父|岳母|表[哥姐弟妹]|堂[哥姐弟妹]|同学|朋友|闺蜜|哥们|室友|舍友|邻居|隔壁|[他她])",
    re.IGNORECASE,
)
"""Begins with somebody who has things of his own. Who may change the user's things is not among them: a boss, they."""

_NUMBERED = re.compile(r"^(?:(?:the|our|my) )?(?P<what>[^\W\d]+)[ #]?(?P<number>\d+)", re.IGNORECASE)
"""Begins with one of several: shelf 7, 会议室3."""

DOING_NOW = r"(?:排队|等|坐|吃|喝|逛|看|玩|开会|上课|路上|睡|打)"
"""What somebody is at for a moment, in Chinese after 在."""

_I = r"(?:i|we)(?:['’](?:m|re)| am| are)"
_PASSING = re.compile(
    rf"^(?:ok,? |well,? |so,? )?(?:{_I} (?:now |just |finally |back )*(?:in|at|near|over|back|off|out|from|here|there)|"
    rf"(?:{_I} )?(?:now |just )?(?:heading|leaving|walking|driving|going|getting|sitting|standing|waiting|having|"
    r"eating|drinking|looking|on (?:my|the|our) way|back (?:in|at|from|home)))\b|"
    r"^我?们?(?:现在|这会儿)?(?:正|还)?在[^,，。]{1,10}" + DOING_NOW,
    re.IGNORECASE,
)
"""Where somebody is now, and what he is doing, says nothing of what holds."""

_ADDING = re.compile(
    r"\b(?:also|as well|too[.!]*$)|^(?:yes,? )?(?:i|we) (?:really |do )*(?:like|love|enjoy|plan)\b"
    r"(?!.*\b(?:now|more|better|instead|these days|lately|no longer|any ?more)\b)|"
    r"也(?:喜欢|爱|想)|还(?:喜欢|爱|想|养了|买了)|又[养买]了?一",
    re.IGNORECASE,
)
"""One thing that is liked, had or wanted is none the less for another."""

_SUBJECT = re.compile(
    r"^(?:(?:so|well|ok|okay|actually|btw|oh|hey|and|but|ugh|fyi|update|heads up|turns out|good news|finally|yesterday|"
    r"today|last \w+|this \w+|now)[,:!. ]+)*"
    r"(?:(?P<self>(?:i|we)(?:['’]\w+)?)|(?:my|our|the|that|this) (?P<of>[\w'’-]+(?: [\w'’-]+)?)|(?P<bare>[\w'’-]+))\b|"
    r"^(?:今天|昨天|刚刚?|最近|现在|上周|其实|那个|对了|结果|后来|终于|[，,。！ ])*"
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


def others_than(text: str) -> Callable[[Marks], bool]:
    """Return what tells by its marks whether a claim is not what a sentence is about, however much alike they are.

    A claim of nobody but the user where the sentence is of somebody else; the next of a sort (shelf 7 and shelf 8);
    what holds for another project or language.
    Unless the sentence says that something changes: a number or an address of which it says nothing (a phone is no
    phone number), another side of somebody (where she lives and what she does), and one thing that is learned or read
    beside another.
    """
    said, of_another, changes = marks(text), _ANOTHER.match(text) is not None, says_change(text)

    def another(held: Marks) -> bool:
        if (of_another and not held.person) or said.is_next_to(held) or said.is_elsewhere(held):
            return True
        if changes:
            return False
        of_another_sort = held.identified and not said.identified
        return of_another_sort or held.is_another_side(said) or (held.one_of_many and said.one_of_many)

    return another


class Marks(NamedTuple):
    """What is told of a text apart from what it says.

    side: of somebody that it tells. sort, number: of one of several that it begins with. scope: for what it holds.
    """

    person: bool
    identified: bool
    side: str
    one_of_many: bool
    sort: str
    number: str
    scope: str

    def is_elsewhere(self, other: Marks) -> bool:
        """Return whether both say for what they hold, and not for the same."""
        return bool(self.scope and other.scope) and self.scope != other.scope

    def is_another_side(self, other: Marks) -> bool:
        """Return whether two texts tell different things of somebody; a name is told by its own words alone."""
        return self.side != other.side and (self.side == "name" or bool(self.side and other.side))

    def is_next_to(self, other: Marks) -> bool:
        """Return whether both are of one sort, and of another number."""
        return bool(self.sort) and self.sort == other.sort and self.number != other.number


@lru_cache(maxsize=_REMEMBERED)
def marks(text: str) -> Marks:
    """Return the marks of a text."""
    numbered = _NUMBERED.match(text)
    return Marks(
        _TELLING["person"].search(text) is not None,
        _IDENTIFIED.search(text) is not None,
        next((side for side, words in _SIDES.items() if words.search(text)), ""),
        _ONE_OF_MANY.search(text) is not None,
        numbered["what"].lower() if numbered else "",
        numbered["number"] if numbered else "",
        scope_in(text),
    )


_CHANGING = re.compile(
    r"\b(?:no longer|any ?more|instead|now|new|chang\w+|switch\w+|mov(?:ed|ing)|replac\w+|used to|gave up|given up|"
    r"stopp?ed|quit|dropped|finished|done|gone|lost|cancell?ed|wrong)\b|n['’]t\b|[换改停退丢]|不|没|现在|作废|取消|错",
    re.IGNORECASE,
)
_IDENTIFIED = re.compile(r"\d{4}|\d[\d .-]{5,}\d|@|://|\d+\.\d+\.\d+")
_SIDES = {
    "name": re.compile(r"\b(?:is|are|am|was) (?:called|named)\b|\bname(?:['’]?s| is)\b|叫|名字是", re.IGNORECASE),
    "lives": re.compile(r"\blives?\b|\bliving (?:in|at)\b|住(?![院校])|老家|定居", re.IGNORECASE),
    "works": re.compile(
        r"\bworks?\b|\bworking (?:as|at|for)\b|\b(?:nurse|teacher|lawyer|engineer|doctor|chef|driver)\b|"
        r"工作|上班|[医律教厨]师|医生|护士|老师|会计|司机|工程师|程序员|设计师",
        re.IGNORECASE,
    ),
}
"""Sides of somebody: what is told of one makes nothing of another untrue."""
_ONE_OF_MANY = re.compile(
    r"\b(?:learning|studying|reading|watching|playing|training for|practi[sc]ing)\b|在(?:学|看|读|玩|追|练)",
    re.IGNORECASE,
)


def beside(text: str, claim: str, cosine: float, own: int) -> list[str]:
    """Return the names of what a sentence and a claim have in common; of a measure, those of the steps it reaches.

    own: words of both that no other claim has: what many claims have is who or what they are about.
    """
    said, held = words_of(text), words_of(claim)
    both = len(said & held)
    by_own = f"own {min(own, 2)}"
    met = [f"{sort} {_met(now, then)}" for sort, now, then in zip(_TELLING, _told(text), _told(claim), strict=True)]
    return [
        f"{by_own} others {min(both - own, 2)} change {says_change(text)}",
        f"{by_own} cosine {int(10 * cosine)}",
        *(f"{by_own} {each}" for each in met),
        *_reached("own words", own, _COUNTS),
        *_reached("words of others", both - own, _COUNTS),
        *_reached("own of the words", own / max(len(said), 1), _SHARES),
        *_reached("own of its words", own / max(len(held), 1), _SHARES),
        *_reached("cosine", cosine, _COSINES),
        *_reached("of its words", both / max(len(held), 1), _SHARES),
        *_reached("of the words", both / max(len(said), 1), _SHARES),
        *_reached("words", both, _COUNTS),
        *_reached("build", _build(text, claim), _BUILDS),
        *met,
        *_subject(text, held),
    ]


def _reached(name: str, value: float, steps: Iterable[float]) -> list[str]:
    return [f"{name} {step}" for step in steps if value >= step]


def _build(text: str, claim: str) -> float:
    """Return how far two texts are built of the same words in the same order, 0..1; 0 where no step is reached."""
    said, held = _in_order(text), _in_order(claim)
    both = min(sum(word in held for word in said), sum(word in said for word in held))
    if 2.0 * both < _BUILDS[0] * (len(said) + len(held)):
        return 0.0
    return SequenceMatcher(None, said, held, autojunk=False).ratio()


@lru_cache(maxsize=_REMEMBERED)
def _in_order(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(text.lower()))


@lru_cache(maxsize=_REMEMBERED)
def _told(text: str) -> tuple[frozenset[str], ...]:
    """Return what a text has of each sort in `_TELLING`."""
    return tuple(frozenset(found.findall(text)) for found in _TELLING.values())


def _met(now: frozenset[str], then: frozenset[str]) -> str:
    if now and then:
        return "same" if now <= then else "other" if now.isdisjoint(then) else "some"
    return "new" if now else "gone" if then else "none"


def _subject(text: str, held: frozenset[str]) -> list[str]:
    found = _SUBJECT.match(text)
    if found is None:
        return []
    sort = found.lastgroup or "ours"
    words = words_of(found[sort] or "")
    return [f"subject {sort} {'known' if words & held else 'new' if words else 'unsaid'}"]


@lru_cache(maxsize=_REMEMBERED)
def vector(text: str) -> NDArray[np.float32]:
    """Return what a text means, as the built-in table has it."""
    meant: NDArray[np.float32] = built_in().embed([text])[0]
    return meant
