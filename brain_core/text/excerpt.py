"""What a long output of a tool tells in short: the lines that tell of a failure, and how it ends."""

from __future__ import annotations

import re
from itertools import chain

from brain_core.text.best_window import cut_beginning
from brain_core.text.expression import Expression

_LINE_CHARS = 160
_LAST = 2  # lines: most tools sum up at their end
_LEFT_OUT = "…"
_LEAST = 1 + 1 + len(_LEFT_OUT) + 1  # characters that the shortest line needs
_FAILS = Expression(
    r"\b(?:error|errors|failed|failure|failures|fail|fails|failing|exception|traceback|fatal|panic|denied|refused|"
    r"not found|no such|undefined|unresolved|cannot|can't|could not|unable|mismatch|expected|timed out|timeout|"
    r"assert\w*|aborted|killed|conflict|invalid|missing|warning)\b|\w(?:Error|Exception|Failure)\b|[✗✘✖×❌]|"
    r"错误|失败|异常|报错|未找到|找不到|不存在|拒绝|超时|无法|冲突|警告",
    re.IGNORECASE,
)
_MAY_FAIL = Expression(
    r"err|fail|except|trace|fatal|panic|denied|refused|found|such|undef|unres|can|could|unable|mismatch|expect|time|"
    r"assert|abort|kill|conflict|invalid|missing|warn"
)
"""What each ASCII line in small letters has that tells of a failure: asked first, for most lines do not."""
_NONE_FAILS = Expression(
    r"\b(?:0|no|without|zero) (?:\w+ )?(?:errors?|failures?|failed|warnings?|exceptions?|conflicts?)\b|"
    r"\b(?:errors?|failures?|failed|warnings?): ?0\b|(?:没有|无|0 ?个)(?:错误|失败|异常|警告)",
    re.IGNORECASE,
)


def excerpt(text: str, longest: int) -> str:
    """Return lines of a text in their order, at most `longest` characters, with … where some are left out.

    Those that tell of a failure, the first ones first, with room for the last lines; where none does, its beginning
    and its last lines.
    """
    if len(text) <= longest:
        return text
    lines = [(number, line.rstrip()) for number, line in enumerate(text.splitlines()) if line.strip()]
    failing = (one for one in lines if _tells_of_failure(one[1]))
    taken: dict[int, str] = {}
    room = longest
    for number, line in chain(reversed(lines[-_LAST:]), failing, lines):
        if room < _LEAST:
            break
        short = cut_beginning(line, _LINE_CHARS)
        cost = len(short) + 1 + len(_LEFT_OUT) + 1
        if number not in taken and cost <= room:
            taken[number] = short
            room -= cost
    return "\n".join(_with_gaps(taken, [number for number, _ in lines])) or cut_beginning(text.strip(), longest)


def _tells_of_failure(line: str) -> bool:
    if line.isascii() and not _MAY_FAIL.search(line.lower()):
        return False
    return _FAILS.search(line) is not None and _NONE_FAILS.search(line) is None


def _with_gaps(taken: dict[int, str], numbers: list[int]) -> list[str]:
    shown: list[str] = []
    for number in numbers:
        if number in taken:
            shown.append(taken[number])
        elif not shown or shown[-1] != _LEFT_OUT:
            shown.append(_LEFT_OUT)
    return shown
