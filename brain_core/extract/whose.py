"""Is a passage about somebody else than who says it, or about what is over? "My sister lives in Rome", 以前住在杭州."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from brain_core.extract.chinese.aspects import RELATIVE_FIRST
from brain_core.extract.english.vocabulary import PARTNER
from brain_core.extract.language import Language, Scene
from brain_core.text.expression import Expression
from brain_core.text.script import fold
from brain_core.text.words import first_person_words, terms

OF_THE_USER = frozenset({"preferences", "goals", "profile"})
"""Types of what is the user's alone."""

_KIN_FIRST = Expression(
    r"(?:(?:actually|well|and|but|so|also|btw|because|since|that|while|when),? )*"
    rf"(?P<who>(?:my|our|his|her|their|the|a|one of my|some of my) (?:\w+ ){{0,2}}?(?:{PARTNER}|ex|mum|mom|mother|"
    r"dad|father|parents?|sisters?|brothers?|siblings?|sons?|daughters?|kids?|child(?:ren)?|twins?|aunt|uncle|cousins?|"
    r"nephew|niece|gran\w*|(?:\w+-)?in-laws?|friends?|mates?|roommates?|flatmates?|housemates?|neighbou?rs?|"
    r"colleagues?|co-?workers?|boss|manager|landlord|landlady|teacher|tutor|doctor|dentist|clients?|customers?|"
    r"students?)(?: (?-i:[A-Z])\w+)?)(?:['’]s \w+)?(?:,[^,]{2,40},)? "
    r"(?!and (?:I|me)\b|(?:called|gave|made|says?|said|told|knows?|thinks?) )",
    re.IGNORECASE,
)
_OTHERS_FIRST = Expression(
    r"(?:其实|不过|而且|但是?|因为|所以|还有|另外|,|，|\s)*(?P<who>"
    rf"{RELATIVE_FIRST}|(?:我们?家?|咱们?)?的?(?:同事|同学|朋友|闺蜜|哥们|邻居|老板|领导|老师|学生|客户|室友|房东|"
    r"表[哥弟姐妹]|堂[哥弟姐妹])|[他她]们?|[小老阿](?![区家板组时孩心路])[\u4e00-\u9fff](?=[住在搬喜爱养当做是])|"
    r"[王李张刘陈杨赵吴徐孙胡朱郭罗](?![家府庄口])[\u4e00-\u9fff]{1,2}(?=[住在搬喜爱养当做是]))"
)
_SELF_CHINESE = Expression(
    r"我(?!们?家?的?(?:同|朋|闺|哥|弟|姐|妹|爸|妈|爷|奶|邻|老|领|学|客|室|房|表|堂|妻|丈|女|儿))|咱们俩|俺|本人"
)

_NO_PAST = Expression(
    r"(?:\b(?:am|is|are|was|were|be|been|being|gets?|got|getting|grown|grew|becom(?:e|ing)|became)|['’](?:m|re|s))"
    r"(?: \w+)? used to\b|\b(?:un)?til now\b|\bby now\b",
    re.IGNORECASE,
)
_OVER = Expression(
    r"\bused to\b|\b(?:formerly|previously|in the past|back (?:when|then|in the)|years ago)\b|"
    r"\bas a (?:child|kid|student)\b|"
    r"\bonce (?:lived|worked|had|was|were|liked|played)\b|\b(?:ex-\w+|former)\b|"
    r"\b(?:until|till) (?:last|recently|yesterday|this (?:spring|summer|autumn|winter|year))\b|"
    r"\b(?:i|we) (?:lived|worked|was an? (?!bit|little)|were (?:in|at))\b|"
    r"\b(?:i|we)(?:['’]ve| have)? (?:just |recently )?(?:left|resigned from|moved (?:out of|away from))\b|"
    r"(?:^|[,，。;；\s我们他她])以前|(?:^|[,，。;；\s我们])之前(?=[在住是做用喜爱养吃喝])|曾|从前|当年|小时候|早年|年轻时|原先|"
    r"过去(?=[在住是做用养爱喜]|几年)|原来(?=[在住做用养])|[住待养做干学用]过(?![去来年节户敏度程])|离职|离开|搬[离出走]|"
    r"卖[了掉]|前(?:公司|单位|东家|女友|男友|妻|夫)",
    re.IGNORECASE,
)
_NOW = Expression(r"\b(?:now|nowadays|these days|currently|at present)\b|现在|如今|目前|眼下", re.IGNORECASE)
_AWAY_FROM = Expression(
    r"\b(?:moved|relocated|switched|changed|migrated)(?: \w+){0,2}? from (?P<gone>[^,.;]+?)(?= to\b|[,.;]|$)|"
    r"\b(?:instead of|rather than|anything but) (?P<other>[^,.;]+)|(?:而不是|而非)(?P<not>[^,，。;；]+)|"
    r"从(?P<left>[^,，。;；]{1,12}?)(?:搬|离开|跳槽|换)",
    re.IGNORECASE,
)


def told_of(scenes: Iterable[tuple[Language, Scene]], claim: str) -> str:
    """Return whom the clauses with words of a claim are about, as they name them; empty if the user, or if it says so.

    claim: with the words under which it is filed.
    """
    said = set(terms(claim))
    for spoken, scene in _with_words(scenes, said):
        who = _another(spoken, scene)
        if who and not said & set(terms(who)):
            return who
    return ""


def _with_words(scenes: Iterable[tuple[Language, Scene]], said: set[str]) -> list[tuple[Language, Scene]]:
    every = list(scenes)
    return [each for each in every if said & set(terms(each[1].clause.text))] or every


def _another(spoken: Language, scene: Scene) -> str:
    """Return who else a clause is about, or the sentence of a clause that names nobody; empty if nobody is."""
    for text in (scene.clause.text.lstrip(), scene.clause.sentence.lstrip()):
        match = _OTHERS_FIRST.match(fold(text)) if spoken.code == "zh" else _KIN_FIRST.match(text)
        if match is not None and not (spoken.code == "zh" and _SELF_CHINESE.search(text)):
            return match["who"]
        if spoken.tells_of_another(replace(scene, clause=replace(scene.clause, text=text))):
            return next(iter(terms(text)), text)
        if first_person_words(text):
            break
    return ""


def is_over(sentence: str, claim: str) -> bool:
    """Return whether a sentence tells of a claim as of what is so no longer: of what it is from, or before a now."""
    said = set(terms(claim))
    if not said or _is_past(claim):
        return False
    away = (part for each in _AWAY_FROM.finditer(sentence) for part in each.groups() if part)
    if any(said.issubset(terms(part)) for part in away):
        return True
    parts = list(_parts(_NO_PAST.sub(" ", sentence)))
    return any(_is_past(part) for part in [part for part in parts if said & set(terms(part))] or parts)


def _is_past(text: str) -> bool:
    return _OVER.search(fold(_NO_PAST.sub(" ", text))) is not None


def _parts(text: str) -> Iterator[str]:
    """Yield a text in parts, from each word that says now on."""
    start = 0
    for match in _NOW.finditer(text):
        yield text[start : match.start()]
        start = match.start()
    yield text[start:]
