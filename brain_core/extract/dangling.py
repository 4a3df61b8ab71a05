"""Whether a text that is to be kept points at somebody whom it does not name: "i'm her bridesmaid", 她挺失望的."""

from __future__ import annotations

import re

from brain_core.text.expression import Expression

_POINTS = Expression(
    r"^\W*(?:(?:and|so|but|also) )?(?:(?:i['’]?m|i am|it['’]s|that['’]s) (?:her|his|hers)\b|(?:her|his) name\b)|"
    r"^\W*[他她](?:挺|很|真的?|好|有点|非常|特别|可)[\u4e00-\u9fff]",
    re.IGNORECASE,
)


def is_dangling(text: str) -> bool:
    """Return whether a text begins with whose name, kin or mood it is by a pronoun alone."""
    return _POINTS.search(text) is not None
