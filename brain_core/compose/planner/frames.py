"""Words that ask what there was, whatever it is about: beside a time they leave nothing to look for but the time."""

from __future__ import annotations

import re

ENGLISH = re.compile(
    r"\b(?:what(?:'s)?|which|who(?:'s)?|how|where|i|i'd|i've|we|we've|you|me|us|my|our|all|any|anything|everything|"
    r"something|things?|"
    r"stuff|do|does|did|done|doing|was|were|is|are|am|had|have|has|been|be|go|goes|going|went|gone|happen(?:s|ed|ing)?|"
    r"say|said|tell|told|talk(?:ed|ing)?|speak|spoke|discuss(?:ed)?|chat(?:ted)?|mention(?:ed)?|note[ds]?|"
    r"log(?:ged)?|write|wrote|written|record(?:ed)?|remember(?:ed)?|spen[dt]|get|got|busy|up|to|on|in|at|of|for|from|"
    r"with|the|a|an|and|or|about|there|that|it|like|so|please|can|could|would|again|else|just|exactly|"
    r"day|time|morning|afternoon|evening|night|plans?|planned|schedule[d]?|calendar|agenda|diary|journal|entry|"
    r"entries|notes?|events?|activities|memories|conversations?|remind|show|list|give|look|back|summari[sz]e|"
    r"summary|recap|overview|run-?down)\b"
)

CHINESE = re.compile(
    r"发生|讨论|事情|事儿|情况|安排|日程|日历|计划|活动|内容|东西|日记|记录|回顾|总结|回忆|概括|告诉|知道|看看|查查|"
    r"怎么样|"
    r"怎样|怎么|如何|什么|哪些|哪儿|哪里|一下|一些|来着|究竟|到底|所有|全部|主要|具体|大概|那天|当天|这天|时候|有空|"
    r"[我你咱俺们在的了过着得都也还是有做干忙弄搞说聊谈讲提记写啥事些吗呢啊呀吧请帮给列几件和跟起想能可以会这那个里全每去度]"
)
