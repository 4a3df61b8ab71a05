"""What somebody said of themself, as another tells it: "I live with my wife" reads "Tom lives with their wife".

Items of people read so; their values keep the words that were said, and by those later sentences find them
(`extract/known.py`).
"""

from __future__ import annotations

import re

_SAYS_I = re.compile(
    r"(?P<am>(?:i['’]?m|i am)\b)|i(?:['’]ve| have) (?P<been>been|got|gone|had|never|always|already|just)\b|"
    r"i(?:(?P<will>['’]ll)|(?P<would>['’]d))\b|"
    r"i(?P<adverbs>(?: (?:also|still|now|only|just|always|both|never|often|no longer|kind of|rather|"
    r"[a-z]{3,}ly))*) (?P<verb>don['’]t|do not|can['’]t|cannot|must not|mustn['’]t|"
    r"(?:did|will|wo|would|could|should|was|had|have|am)(?: not|n['’]t)|[a-z]+)\b",
    re.IGNORECASE,
)
_VERBS = {
    "have": "has", "don't": "does not", "do not": "does not", "can't": "cannot", "have not": "has not",
    "haven't": "has not", "am not": "is not", "won't": "will not", "do": "does", "go": "goes", "am": "is",
}  # fmt: skip
_AS_THEY_ARE = frozenset(
    (  # noqa: SIM905
        "cannot must mustn't was were should can could would will may might shall had did went made got took came "
        "saw left lost bought sold met found told gave began grew kept felt thought knew wrote ran spent broke "
        "flew drove won ate became brought caught chose fell held led paid put said sent slept spoke taught "
        "understood woke wore quit"
    ).split()
)
_PAST = re.compile(r"\w{2,}ed|\w+(?: not|n't)")
_ES = re.compile(r".*(?:s|x|z|ch|sh|o)")
_IES = re.compile(r".*[^aeiou]y")
_SAYS_MY = re.compile(r"my (?!(?:god|bad)\b)", re.IGNORECASE)
_INNER = (
    (re.compile(r"\bI(?:['’]m| am)\b"), "they are"),
    (re.compile(r"\bI was\b"), "they were"),
    (re.compile(r"\bI(?:['’]ve)\b"), "they have"),
    (re.compile(r"\bI(?=\b)"), "they"),
    (re.compile(r"\bmyself\b"), "themselves"),
    (re.compile(r"\b[Mm]y\b"), "their"),
    (re.compile(r"\bme\b"), "them"),
    (re.compile(r"\bmine\b"), "theirs"),
)
_SAYS_WO = re.compile(r"(?:我|俺|本人)(?!们|們)")
_KIN = re.compile(
    r"的|家(?![里在])|爸|妈|爷|奶|姥|外|哥|姐|弟|妹|儿|女|老[婆公师板爸妈]|先生|太太|男|朋|媳妇|妻子|丈夫|孩子|同事|同学|室友|邻居|[猫狗]"
)
_A_RELATIVE = re.compile(
    r"(?:[大小二三]?(?:女儿|儿子|闺女|孩子)|老[婆公爸妈]|妻子|丈夫|[爸妈哥姐弟妹]{1,2}|爷爷|奶奶|外[公婆]|[男女]朋友)"
)
_A_PET = re.compile(r"[一两二三四五]?[只条隻][^,，。]{0,4}[猫狗貓犬兔鸟鱼龟鼠]")


def told_of(text: str, who: str = "") -> str:
    """Return a text in the first person as told of who said it; empty for one in which nobody speaks of himself.

    who: what another is called; empty for the owner of a memory, the user.
    """
    said = _SAYS_I.match(text)
    if said is not None:
        return f"{who or 'The user'} {_third(said)}{_inner(text[said.end() :])}"
    mine = _SAYS_MY.match(text)
    if mine is not None:
        return f"{who or 'The user'}'s {_inner(text[mine.end() :])}"
    return _chinese(text, who or "用户")


def _chinese(text: str, who: str) -> str:
    said = _SAYS_WO.match(text)
    if said is not None:
        rest = _SAYS_WO.sub("自己", text[said.end() :])
        kin = _KIN.match(rest)
        return f"{who}的{rest}" if kin is not None and kin[0] != "的" else f"{who}{rest}"
    if _A_RELATIVE.match(text) is not None:
        return f"{who}的{text}"
    return f"{who}养了{text}" if _A_PET.match(text) is not None else ""


def _inner(text: str) -> str:
    for said, instead in _INNER:
        text = said.sub(instead, text)
    return text


def _third(said: re.Match[str]) -> str:
    """Return the verb of "I …" as it is of another."""
    if said["am"]:
        return "is"
    if said["will"] or said["would"]:
        return "will" if said["will"] else "would"
    if said["been"]:
        return "has" if said["been"].lower() == "got" else f"has {said['been'].lower()}"
    return f"{(said['adverbs'] or '').strip()} {_of_one(said['verb'].lower().replace('’', chr(39)))}".strip()


def _of_one(verb: str) -> str:
    if verb in _VERBS:
        return _VERBS[verb]
    if verb in _AS_THEY_ARE or _PAST.fullmatch(verb):
        return verb
    if _ES.fullmatch(verb):
        return f"{verb}es"
    return f"{verb[:-1]}ies" if _IES.fullmatch(verb) else f"{verb}s"
