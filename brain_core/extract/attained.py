"""Whether a sentence says that a thing is done, or is so by now: it opens no task and no goal, and may end one."""

from __future__ import annotations

import re
from typing import Any

from brain_core.extract.claims import Claim
from brain_core.extract.known import value_of, words_of
from brain_core.extract.language import Found
from brain_core.text.expression import Expression
from brain_core.text.words import terms

_AHEAD = Expression(
    r"\b(?:half|partly|will|gonna|need(?:s|ed|ing)?|wants?|wanted|would|should|must|ought|"
    r"have to|has to|had to|got to|gotta|"
    r"hop(?:e|es|ing)|plan(?:s|ning)?|aim(?:s|ing)?|goals?|targets?|wish|dream(?:s|ing)?|try|tries|trying|going to|"
    r"to-?dos?|tasks?|let['’]?s|until|till|if|unless|once|when|whether|almost|nearly|not|never|no|cannot|by the end|"
    r"\w+n['’]t|learning|training|working on|saving|preparing|practi[sc]ing|studying|looking (?:for|to)|"
    r"thinking|(?:get|be|is|are|['’]s|['’]re|remains?|yet|still) (?:yet )?to|['’]ll|please|due|next|tomorrow|soon)\b|"
    r"\?|"
    r"[要想该得需半]|打算|计划|准备|目标|希望|争取|如果|要是|等|还没|没有?|不|快|差不多|将|会|正在|[吗么？]|[请别]|明[天年]|"
    r"下[周个月]",
    re.IGNORECASE,
)
"""What is wished, supposed, still to come or not so."""
_DONE = Expression(
    r"^(?!(?:i|we|you)\b|to\b).{2,80}?(?:\b(?:is|are|was|were|(?:has|have) been|got|gets)|"
    r"['’](?:s|re)) (?:now |finally |"
    r"already |all |both |fully |completely )*(?:done|finished|completed?|ready|in place|live|up and running|working|"
    r"running|gone|in use|installed|deployed|shipped|merged|released|published|fixed|paid|booked|sent|signed|"
    r"set up|sorted|over)\b|"
    r"\b(?:by now|these days|meanwhile)\W*$|"
    r"^(?:i|we) (?:raised?|lower(?:ed)?|cut|increased?|reduced?|bump(?:ed)?) .{2,40} to \W?\d[\d.,]*\w?$|"
    r"^(?!(?:now|then|so now)\b)[\w'’ -]{1,60}? (?:(?:now|finally|already) (?:runs?|works?|has|have|is|are)|"
    r"(?:runs?|works?|has|have|is|are|can|swim|speak|run|play|cook|cycle|live|own|do)\b[^,;]{0,60}? now)\b|"
    r"(?:做|弄|搞|办|写|交|发|修|装|配|建|跑|学|上|部署|翻译|迁移?|设置)[^,，。]{0,6}?(?:好|完|掉|成|上|起来|"
    r"上线)了[^,，]{0,4}$|"
    r"(?:现在|如今|已经|终于)[^,，。我]{0,20}(?:能用|可以用|在跑|在用|正常)",
    re.IGNORECASE,
)


def is_attained(text: str) -> bool:
    """Return whether a sentence says of something that it is done or holds now, and nothing of what is to be."""
    return _DONE.search(text) is not None and _AHEAD.search(text) is None


def attained(claim: Claim, text: str) -> Found | None:
    """Return the end of the task or goal that such a sentence attains; None where it names too little of its matter.

    A task is done, a goal is reached. The verb that it begins with is none of its matter.
    """
    status = _ENDED.get(claim.item.type)
    value = value_of(claim.item)
    matter = _matter(value)
    named = matter & words_of(text)
    if status is None or (named != matter and not (len(named) > 1 and 3 * len(named) >= 2 * len(matter))):
        return None
    fields = {name: part for name, part in value.items() if isinstance(part, str)}
    return Found({**fields, "status": status}, type=claim.item.type)


_ENDED = {"tasks": "done", "goals": "reached"}
_LOOSE = frozenset(terms("set up get in out on off with into from our my the a an new all up to first user wants"))


def _matter(value: dict[str, Any]) -> frozenset[str]:
    told = str(value.get("title") or value.get("description") or value.get("name", "").replace("_", " "))
    whole = words_of(told) - _LOOSE
    return whole - frozenset(terms(told)[:1]) or whole
