"""Allergies, diets, conditions and medicines in plain words: "The user is allergic to peanuts"."""

from __future__ import annotations

import re

_NAME = re.compile(
    r"(?P<sort>allergy|allergies|intolerance|diet|health|condition|medicine|medication|"
    r"pregnancy)(?:_|$)"
)
_SORTS = {
    "allergy": ("Allergy", "过敏"),
    "allergies": ("Allergies", "过敏"),
    "intolerance": ("Intolerance", "不耐受"),
    "diet": ("Diet", "饮食"),
    "health": ("Health", "健康"),
    "condition": ("Condition", "病情"),
    "medicine": ("Medicine", "用药"),
    "medication": ("Medication", "用药"),
    "pregnancy": ("Pregnancy", "怀孕"),
}
_HAN = re.compile(r"[\u4e00-\u9fff]")
_SAYS_I = re.compile(
    r"(?P<am>(?:i['’]?m|i am)\b)|i(?:['’]ve| have) (?P<been>been|got|gone|had)\b|"
    r"i(?P<adverbs>(?: (?:also|still|now|currently|only|just|always|both|never|really|simply|usually|"
    r"mostly))*) (?P<verb>don['’]t|do not|can['’]t|cannot|"
    r"must not|mustn['’]t|[a-z]+)\b",
    re.IGNORECASE,
)
_VERBS = {
    "have": "has", "don't": "does not", "do not": "does not", "can't": "cannot", "cannot": "cannot",
    "must": "must", "must not": "must not", "mustn't": "must not", "was": "was", "should": "should", "can": "can",
}  # fmt: skip
_MY = re.compile(r"\bmy\b", re.IGNORECASE)
_I = re.compile(r"\bI\b")
_SAYS_WO = re.compile(r"我(?!们|們|的|家|爸|妈|爷|奶|姥|外|哥|姐|弟|妹|儿|女|老|先生|太太|男|朋)")


def plainly(name: str, value: str, who: str = "") -> str:
    """Return how a preference or a fact reads that is named as one of these; empty for any other name.

    who: the name of another whose it is. What somebody said of himself reads as told of him; what is said otherwise
    stands as it is, after its sort.
    """
    sort = _NAME.match(name)
    if sort is None or not value:
        return ""
    english, chinese = _SORTS[sort["sort"]]
    if _HAN.search(value) is not None:
        subject = who or "用户"
        if _SAYS_WO.match(value):
            return f"{subject}{value[1:]}"
        return f"{subject}{value}" if value[0] in "对對" else f"{subject}的{chinese}：{value}"
    said = _SAYS_I.match(value)
    if said is None:
        return f"{english} of {who or 'the user'}: {value}"
    rest = _MY.sub("their", value[said.end() :])
    rest = _I.sub(lambda _: who or "the user", rest)
    return f"{who or 'The user'} {_third(said)}{rest}"


def _third(said: re.Match[str]) -> str:
    """Return the verb of "I …" as it is of the user."""
    if said["am"]:
        return "is"
    if said["been"]:
        return "has" if said["been"].lower() == "got" else f"has {said['been'].lower()}"
    verb = said["verb"].lower().replace("’", "'")
    return f"{said['adverbs'].strip()} {_VERBS.get(verb, f'{verb}s')}".strip()
