"""What does harm where it is forgotten: allergies, diets, conditions, medicines. Such a thing is ended on no guess."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from smartbrain.v1.item_pb2 import MemoryItem

from brain_core.extract.known import body_of
from brain_core.text.expression import Expression

_NAME = Expression(r"^(?:\w+_)?(?:allerg|intoleran|diet|health|medic|pregnan|condition)")
_TEXT = Expression(
    r"\b(?:allerg\w+|intoleran\w+|anaphyla\w+|epi-?pens?|vegan|vegetarian|pescatarian|coeliac|celiac|kosher|halal|"
    r"gluten[- ]free|dairy[- ]free|diabet\w+|asthma\w*|epilep\w+|pregnan\w+|medication|inhaler|insulin)\b|"
    r"过敏|過敏|不耐受|蚕豆病|吃[素斋]|素食|纯素|清真|忌口|不能(?:吃|喝|碰|沾)|糖尿病|哮喘|癫痫|高血压|怀孕|孕妇|胰岛素",
    re.IGNORECASE,
)
_REMEMBERED = 4096  # names and texts of what is known, which is asked about by sentence after sentence
_OF_TYPES = ("preferences", "profile", "knowledge")


@lru_cache(maxsize=_REMEMBERED)
def is_vital(name: str, text: str) -> bool:
    """Return whether what is kept under a name is about what somebody must, or must not, be given."""
    return _NAME.search(name) is not None or _TEXT.search(text) is not None


def is_vital_item(item: MemoryItem, fact: dict[str, Any] | None = None) -> bool:
    """Return `is_vital` of an item, or of one fact of a profile."""
    if item.type not in _OF_TYPES:
        return False
    if fact is not None:
        return is_vital(str(fact["k"]), str(fact["v"]))
    return is_vital(item.key.rpartition(":")[2], body_of(item))
