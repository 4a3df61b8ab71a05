"""Which words of a sentence turn it round or end what it tells: "I didn't move", "quit coffee", 戒了咖啡, 不再喝."""

from __future__ import annotations

import re

from brain_core.commit.material import TURNS, tokens
from brain_core.text.expression import Expression

_NOT_TURNED = Expression(
    r"特别|非常(?!规)|分别|个别|性别|级别|类别|识别|差别|区别|告别|别的|别墅|不错|没错|不但|不仅|不只|不光|不管|差不多|"
    r"无论|无所谓|没问题|未来(?!得及)|未婚夫|未婚妻|(?:^|(?<=[,，。;；!！\s]))不过|"
    r"\b(?:no problem|no doubt|not only|why not|no worries|nonetheless)\b",
    re.IGNORECASE,
)
"""What has a negation's letters and denies nothing."""

_ENDS = tuple(
    (name, Expression(pattern, re.IGNORECASE))
    for name, pattern in (
        ("stop", r"\bstop(?:s|ped|ping)?(?= (?:\w+ )?\w+ing\b)|\bstopped(?! (?:by|at|in|over|off|for)\b)"),
        ("quit", r"\bquit(?:s|ting)?\b"),
        ("give up", r"\b(?:gave|giv(?:e|es|en|ing)) (?:\w+ ){0,3}?up\b"),
        ("drop", r"\bdropp(?:ed|ing)(?! (?:by|in|off|out|into)\b)|\b(?:ditch|scrapp|abandon)(?:ed|ing)\b"),
        ("cancel", r"\bcancell?(?:ed|ing|s)?\b|取消|作废"),
        ("refuse", r"\brefus(?:e|es|ed|ing)\b|拒绝"),
        ("avoid", r"\bavoid(?:s|ed|ing)?\b|避免|避开|忌口"),
        ("hate", r"\b(?:hat(?:e|es|ed|ing)|(?:dislik|loath)(?:e|es|ed|ing)|detest(?:s|ed)?)\b|讨厌|厌恶"),
        ("hardly", r"\b(?:hardly|barely|scarcely|rarely|seldom)\b|很少|极少"),
        ("fail", r"\bfail(?:s|ed|ing)? to\b"),
        ("戒", r"戒(?=[了掉断烟酒糖咖奶茶])"),
        ("停", r"停(?=[了掉止用药吃喝服])"),
        ("放弃", r"放弃|推掉"),
        ("退", r"退(?=[出订掉]|了(?!休))"),
    )
)
"""What ends or denies without a negation, by what stands for it in every form."""


def turned(text: str) -> frozenset[str]:
    """Return the words of a text that deny what it tells or end it, each in one form; 特别 and "not only" have none."""
    plain = _NOT_TURNED.sub(" ", text.replace("’", "'"))
    return (TURNS & set(tokens(plain))) | {name for name, pattern in _ENDS if pattern.search(plain)}
