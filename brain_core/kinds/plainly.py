"""What is kept in plain words: "The user is allergic to peanuts", as told of who has told it."""

from __future__ import annotations

import re

from brain_core.kinds.kind import slug
from brain_core.kinds.told_of import told_of

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
HAN = re.compile(r"[\u4e00-\u9fff]")


def plainly(name: str, value: str, who: str = "") -> str:
    """Return how a preference or a fact reads in plain words; empty for a bare value of any other name than these.

    who: the name of another whose it is. What somebody said of himself reads as told of him; what is said otherwise
    stands as it is, after its sort.
    """
    told = told_of(value, who)
    sort = _NAME.match(name)
    if told or sort is None or not value:
        return told
    english, chinese = _SORTS[sort["sort"]]
    if HAN.search(value) is not None:
        subject = who or "用户"
        return f"{subject}{value}" if value[0] in "对對" else f"{subject}的{chinese}：{value}"
    return f"{english} of {who or 'the user'}: {value}"


_SHORTEST = 4  # characters of Chinese: less may well name something of its own


def is_named_by(name: str, said: str) -> bool:
    """Return whether a name is made of the words that it is the name of, and so says nothing more."""
    words = slug(said, 3 * len(said))  # so much is never cut
    apart = words.split("_")
    if len(apart) > 1 and set(name.split("_")) <= set(apart):
        return True
    if len(name) < _SHORTEST or HAN.search(name) is None:
        return False
    left = iter(words)
    return all(each in left for each in name if each != "_")
