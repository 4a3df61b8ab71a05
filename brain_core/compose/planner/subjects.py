"""Wishes to learn about something: comparisons, overviews, introductions."""

from __future__ import annotations

from brain_core.compose.planner.tells import tell

_OPENS = (
    r"(?:^\W*|[.!?;:,\n—-]\s*|\b(?:please|pls|now|then|so|and|ok|okay|just|(?:can|could|would|will) you|help me|let's|"
    r"i'd like (?:you )?to|i (?:want|need)(?: you)? to)\s+)"
)
_LEARN = r"(?:learn|read|study|understand|find out|know)"
_KINDS = r"(?:overview|introduction|intro|primer|comparison|background|survey|crash course)"
_NAME = r"[\w.+#/-]+(?: [\w.+#/-]+)?"

ENGLISH = tell(
    rf"{_OPENS}(?:compare|contrast)\b(?= ?\w)|"
    rf"{_OPENS}(?:(?:give|show|get|send) (?:me|us) |i(?:'d like| would like| need| want) )?(?:an? |the |some )?"
    rf"(?:\w+ ){{0,2}}?{_KINDS} (?:of|on|to|about|between)\b|"
    rf"\b(?:i|we)(?:'d| would)?(?: really| just)? (?:want|like|love|need|wish) to {_LEARN}"
    r"(?: (?:more|a bit|a little|something|everything|all))? (?:about|on|how|what|why)\b|"
    rf"^\W*{_NAME} (?:vs\.?|versus) {_NAME}\W*$",
    "compare contrast overview introduction intro primer comparison background survey crash learn read study "
    "understand find know vs versus",
)

_WANTS = (
    r"(?:^\W*|[，。！？!?,;；\s]|帮我?|帮忙|请|麻烦你?|劳驾|给我|先|再|来|能(?:不能)?|可以|"
    r"(?:我们?|咱们?)?(?:想要?|需要|要))"
)
_OVERVIEW = r"(?:概述|概览|概况|综述|简介|总览|入门)"
CHINESE = tell(
    rf"{_WANTS}(?:比较|对比|比对|比一比)(?:一?下)?[^，。？！?!]{{1,30}}?(?:和|与|跟|及|、|还是|vs)|"
    rf"{_WANTS}(?:大概|大致|简单|快速|详细|深入|系统)?地?了解(?:一?下|一些|些|点)|(?:我们?|"
    rf"咱们?)?想要?多?了解(?![了过])|"
    rf"{_WANTS}(?:大概|大致|简单|快速|详细)?地?(?:介绍|科普|普及)(?:一?下|介绍)|"
    rf"(?<=[a-z0-9一-鿿])\s*的?{_OVERVIEW}\W*$|{_WANTS}{_OVERVIEW}(?:一?下)"
)
