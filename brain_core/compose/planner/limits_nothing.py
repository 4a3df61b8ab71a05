"""Times that a message names and that leave nothing out: of what was done to what is now at fault, of what to write."""

from __future__ import annotations

import re

from brain_core.compose.planner.tells import Period, Said
from brain_core.text.expression import Expression

_COMMA = re.compile(r"[,.;!?，。；！？\n]")
_STILL_FINE = Expression(
    r"\b(?:worked|was (?:fine|ok|okay|good|working|alright)|were (?:fine|ok|working)|used to|ran fine)\b|"
    r"好好的|还?(?:能用|正常|没事|没问题)|[是都]?通的"
)
"""What the thing was like before its fault."""
_TENDED = Expression(
    r"^(?:(?!\b(?:since|after|when|once)\b).)*\b(?:changed|replaced|cleaned|serviced|fitted|refitted|topped up|"
    r"refilled|"
    r"descaled|(?:is|was|were|are) (?:\w+ )?new|brand new|bought (?:it|them|new)|put in|checked|rewired|bled|"
    r"had (?:it|them|the [\w ]{1,24}?) (?:done|looked at))\b|"
    r"\b(?:nothing|nobody|no ?one|none of us|no (?:\w+ )?(?:deploys?|deployments?|releases?|commits?|merges?|changes?|"
    r"updates?|pushes|edits))\b.*\bsince\b|"
    r"(?<!一)(?:刚刚?|才|先|已经?|都)(?:[一-鿿]{0,2}(?:师傅|师父|工人))?(?:给)?(?:洗|换|修|买|装|清|擦|充|加|查|保养|"
    r"清洗|检查|检修|维修)"
    r"(?![一-鿿]{0,4}(?:就|以后|之后))|师[傅父]刚?[来给]?[一-鿿]?(?:洗|换|修|装|清|查)|"
    r"(?:洗|换|修|清|保养|检查|检修|维修)过(?![一-鿿]{0,4}(?:就|以后|之后))|(?:没|未)(?:人)?(?:动|改|碰)过"
)
"""What was done to it, or was not, and did not help or harm. Since when the fault is, and what it came after, limit."""

_TO_BE_WRITTEN = Expression(
    r"\b(?:saying|to say|(?:and|,) say|(?:let|letting) (?!(?:me|us)\b)[\w' ]{1,24} know|"
    r"(?:tell|telling|text|texting|message|messaging|reply to|answer|remind|reminding) (?!(?:me|us)\b)[\w']+ "
    r"(?:[\w']+ ){0,2}?(?:that|i|i'm|we|we're|he|she|they|it|the|my|our|to|about)\b|(?:make|take|"
    r"keep) a (?:quick )?note (?:that|of|saying|:)|"
    r"note (?:down )?(?:that|:)|jot (?:down|this)|write (?:down|this down)|(?:put|log|record) (?:down )?that|"
    r"remember (?:for me|that|this)|keep in mind)|"
    r"(?:就说|回(?:复|他|她|个信)?说|写明|注明|说明(?!书)|(?:跟|和|同|给|向)(?![你您我咱])[一-鿿]{1,6}?(?:说|讲|解释|"
    r"交代|请假)|"
    r"(?:告诉|通知|转告|提醒|回复)(?![我咱你您过])|"
    r"(?:帮|替|给|请)(?:我|忙)*(?:记|备注)(?!得)(?:一下|一笔|下来|下|住|着|录|好|个|到)?)"
)
"""After this come words for another, or to be kept, and their times with them."""


def limits_nothing(said: Said, period: Period, intent: str) -> bool:
    """Return whether a time that a message names is not one to look in."""
    if intent == "debug":
        clause = _clause(said.plain, period)
        return _STILL_FINE.search(clause) is not None or _TENDED.search(clause) is not None
    if intent == "continue_task":
        return _TO_BE_WRITTEN.search(said.plain[: period.span[0]]) is not None
    return False


def _clause(plain: str, period: Period) -> str:
    """Return the words around a period, up to the commas on both sides."""
    start, stop = period.span
    before, after = _COMMA.split(plain[:start])[-1], _COMMA.split(plain[stop:])[0]
    return f"{before}{plain[start:stop]}{after}"
