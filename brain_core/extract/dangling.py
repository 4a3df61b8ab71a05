"""Whether a text that is to be kept points at what it does not name: "i'm her bridesmaid", "pass it on", 她挺失望的."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from brain_core.extract.known import FIELDS
from brain_core.text.expression import Expression

_POINTS = Expression(
    r"^\W*(?:(?:and|so|but|also) )?(?:(?:i['’]?m|i am|it['’]s|that['’]s) (?:her|his|hers)\b|(?:her|his) name\b)|"
    r"^\W*[他她](?:挺|很|真的?|好|有点|非常|特别|可)[\u4e00-\u9fff]",
    re.IGNORECASE,
)


def is_dangling(text: str) -> bool:
    """Return whether a text begins with whose name, kin or mood it is by a pronoun alone."""
    return _POINTS.search(text) is not None


def points_away(item_type: str, given: Mapping[str, Any]) -> bool:
    """Return whether what is wished or liked is said by a pronoun alone: "to pass it on", "their work"."""
    return item_type in _WISHED and _AWAY.search(str(given.get(FIELDS[item_type], ""))) is not None


_WISHED = frozenset({"preferences", "goals"})
_AWAY = Expression(
    # one of a third person's, and nothing else
    r"^(?:their|his|her|its)(?: own)? [\w’'-]+$|"
    # of two things, the better one
    r"^(?:it|them|this|that|these|those) (?:over|to|than|rather|more|instead)\b|"
    # a verb of wishing, a verb, and a pronoun
    r"^(?:(?:i|we)(?:['’](?:m|re|d|ve)| am| are| would| have)? )?(?:(?:really|just|also|still|only|finally|always) )*"
    r"(?:(?:not |n['’]t )?(?:want(?:ed)?|wanna|hop(?:e|ing)|try(?:ing)?|plan(?:ning)?|aim(?:ing)?|like|love|intend|"
    r"looking forward) )?(?:to )?(?!make\b|call\b)[a-z]+ (?:it|them|this|that|these|those)"
    r"(?! (?:[a-z]+ )?(?:is|are|was|were|when|if|that|has|have|can|will)\b)"
    r"(?: (?:on|up|out|off|back|down|over|away|in|to|with|for|by|again|too|all|right|well|better|properly)\b|\W*$)|"
    # ends with what was named before: "to go through that"
    r"\b(?:through|with|about|of|for|to|from|like|into|at|on|by|over|doing|did|get|gets|got|have|do|does|want) "
    r"(?:this|that|these|those)(?: (?:again|too|either|any ?more|all the time|at all|wrong|right|anyway|as well))*\W*$",
    re.IGNORECASE,
)
