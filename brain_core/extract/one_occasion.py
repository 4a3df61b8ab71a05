"""What is told of one time, or of one's own doings, leaves what holds for good, and what others do, as it is."""

from __future__ import annotations

import re
from functools import lru_cache

from brain_core.extract.claims import Claim
from brain_core.extract.values import WHEN, values
from brain_core.text.expression import Expression

_REMEMBERED = 64  # sentences, each of which is asked about beside claim after claim
_FOR_GOOD = frozenset({"knowledge", "profile", "preferences"})

_VISIT = Expression(
    r"^(?:(?:so|ok(?:ay)?|well|and|oh|btw|today|yesterday)[, ]+)*(?:I|we)(?:['’]ve| have)?(?: just| finally)? "
    r"(?:went to|was at|were at|been (?:to|at)|visited|stopped by|dropped by|popped (?:in|over )?to|walked to|"
    r"drove to) "
    r"(?!.*\b(?:and|but|because|closed|shut|instead|now|new)\b)[^,;:]{2,60}$|"
    r"^(?:(?:我们?|咱们?)|今天|昨天|前天|刚[才刚]?|上?个?(?:周|星期|礼拜)[一二三四五六日天末]|[早晚]上|[上下中]午){0,4}"
    r"(?:去|逛|跑)了(?:一?趟|一?次)?[^,，。；;了]{2,10}了?[。.!！]*$",
    re.IGNORECASE,
)
"""Tells where somebody was, and no more."""

_THIS_TIME = Expression(
    r"(?<!from )(?<!since )(?<!starting )(?<!as of )\b"
    r"(?:this (?:week|time|once|(?:mon|tues|wednes|thurs|fri|satur|sun)day)|"
    r"today|tonight|tomorrow)\b|(?<!从)(?:[这本]周|这次|这回|[今明]天|今晚)(?![起后开]|以后)",
    re.IGNORECASE,
)
_FROM_NOW_ON = Expression(
    r"\b(?:now|from|onwards?|permanently|for good|always|every)\b|以后|今后|从此|[起都]|一直|每", re.IGNORECASE
)
_AGAIN_AND_AGAIN = Expression(r"\b(?:every|each|\w+days|daily|weekly|usually|always)\b|每|都", re.IGNORECASE)

_MYSELF = Expression(
    r"^(?:(?:so|ok(?:ay)?|well|and|but|oh|btw|now|today)[, ]+)*I(?:['’](?:m|ve|d|ll))?\b(?!.*\b(?:we|us|our)\b)|"
    r"^(?:今天|昨天|现在|最近|其实|对了|[,，])*我(?!们|[家的爸妈爹娘哥姐弟妹舅姨姑叔伯爷奶姥外婆公岳表堂儿女孩]|和|跟|同[事学]|朋友)",
    re.IGNORECASE,
)
_RELATIVE = (
    r"(?:mum|mom|mother|dad|father|parents|sisters?|brothers?|sons?|daughters?|kids?|children|gran\w*|uncle|aunt\w*|cousins?|"
    r"nephew|niece|neighbou?rs?|friends?|colleagues?)"
)
_RELATIVE_CHINESE = "[爸妈爹娘哥姐弟妹舅姨姑叔伯]|爷爷|奶奶|姥姥|姥爷|外公|外婆|儿子|女儿|孩子|邻居|同事|同学|朋友"
_OF_A_RELATIVE = Expression(
    rf"^(?:[\w]+ )??(?:my |our )?(?:\w+ )?{_RELATIVE}(?:['’]s)?\b(?!.*\b(?:me|us|I|we)\b)|"
    rf"^(?:[\w]+ )?(?:我们?|咱们?)?家?(?:{_RELATIVE_CHINESE})(?!.*[我咱])",
    re.IGNORECASE,
)
_NAMES_SOMEBODY = Expression(
    rf"\b{_RELATIVE}\b|\b(?:he|she|they|his|her|their|him|them)\b|{_RELATIVE_CHINESE}|[他她]", re.IGNORECASE
)


def leaves_what_holds(claim: Claim, text: str) -> bool:
    """Return whether a sentence tells of one time, where a claim is of each time, or of the user, where one is of kin.

    "this week yoga is on Tuesday" of Monday's class, "I was at the library on Friday" of when it is open, "I play
    tennis on Thursdays now" of the sister's tennis.
    """
    if claim.item.type not in _FOR_GOOD:
        return False
    is_visit, is_once, is_of_myself = _told(text)
    if is_visit or (is_of_myself and _OF_A_RELATIVE.search(claim.text) is not None):
        return True
    return is_once and (
        _AGAIN_AND_AGAIN.search(claim.text) is not None or any(each.kind in WHEN for each in values(claim.text))
    )


@lru_cache(maxsize=_REMEMBERED)
def _told(text: str) -> tuple[bool, bool, bool]:
    """Return whether a sentence tells of a visit alone, of another time just once, and of nobody but the user."""
    is_once = (
        _THIS_TIME.search(text) is not None
        and _FROM_NOW_ON.search(text) is None
        and any(each.kind in WHEN for each in values(text))
    )
    is_of_myself = _MYSELF.match(text) is not None and _NAMES_SOMEBODY.search(text) is None
    return _VISIT.match(text) is not None, is_once, is_of_myself
