"""Which tasks a message asks for: open ones (todo, doing or blocked), blocked ones, or those that are done."""

from __future__ import annotations

from brain_core.compose.planner.tells import States, tell

_TASKS = r"(?:tasks?|to-?dos?|to do list|todo list|action items?|chores?|work items?|tickets?)"
_UNFINISHED = r"(?:open|left|remain(?:s|ing)?|outstanding|unfinished|pending|incomplete|undone|overdue|due)"
_FINISHED = r"(?:done|finish(?:ed)?|complete[d]?|closed|ticked off|crossed off)"
_NOT = r"(?:not|n't|never|yet to (?:be|get))"
_NEAR = r"[^.?!\n]{0,40}"
ENGLISH: States = (
    (
        "blocked",
        tell(
            rf"\b{_TASKS}\b{_NEAR}\b(?:blocked|stuck|stalled|on hold)\b|"
            rf"\b(?:blocked|stuck|stalled)\b[^.?!\n]{{0,15}}\b{_TASKS}\b|"
            r"\b(?:what|which|anything)\b[^.?!\n]{0,25}\bblocked\b(?! by)"
        ),
    ),
    (
        "open",
        tell(
            rf"\b(?:left|remaining|remains) to (?:do|be done|finish|complete)\b|\bleft undone\b|"
            rf"\bstill (?:(?:have|need|got|has|needs) )?to (?:do|be done|finish|get done|complete)\b|"
            rf"\bwhat(?:'s| is| are)? (?:still )?(?:left (?:in|on|for|with|of)|outstanding|pending|open|overdue|due)\b|"
            rf"\b{_TASKS}\b{_NEAR}(?:\b{_UNFINISHED}\b|{_NOT} (?:\w+ ){{0,2}}(?:{_FINISHED}|started)\b)|"
            rf"\b{_UNFINISHED}\b (?:\w+ ){{0,2}}{_TASKS}\b|"
            rf"\b(?:what|which|anything)\b{_NEAR}{_NOT} (?:\w+ ){{0,2}}{_FINISHED}\b|"
            rf"\b(?:what|which|anything)\b[^.?!\n]{{0,25}}\bunfinished\b"
        ),
    ),
    (
        "done",
        tell(
            rf"\b{_TASKS}\b{_NEAR}\b{_FINISHED}\b|\b{_FINISHED}\b (?:\w+ ){{0,2}}{_TASKS}\b|"
            r"\b(?:what|which)\b[^.?!\n]{0,15}\b(?:did|have|had)\b (?:i|we) (?:already )?"
            r"(?:finish(?:ed)?|completed?|get done|got done)\b"
        ),
    ),
    (
        "open",
        tell(
            r"\b(?:what|which|list|show|how many|my|our|any)\b[^.?!\n]{0,20}\b(?:tasks|to-?dos|action items|chores)\b"
        ),
    ),
)

_THINGS = r"(?:任务|待办|事情?|事项|活儿?|工作|todo)"
CHINESE: States = (
    (
        "blocked",
        tell(
            rf"(?:卡住|卡着|卡在|阻塞|受阻|搁置|停滞)[^，。？?]{{0,8}}{_THINGS}|"
            rf"{_THINGS}[^，。？?]{{0,10}}(?:卡住|卡着|卡在|阻塞|受阻|搁置|停滞)"
        ),
    ),
    (
        "open",
        tell(
            rf"{_THINGS}[^，。？?]{{0,10}}(?:没|未|不曾)(?:有|能)?(?:做|完成|办|弄|干|处理|搞|结束|收尾|动)|未完成|"
            rf"(?:没|未)(?:有)?(?:做|完成|办|弄|干|处理|搞|结束)[^，。？?]{{0,4}}{_THINGS}|"
            rf"(?:还|剩下?|剩余)(?:有|剩|差|欠)?(?:哪些|什么|啥|几[件个项])?[^，。？?]{{0,6}}(?:没|未|"
            rf"要)(?:有)?(?:做|办|完成|弄|干|处理)|"
            rf"(?:剩下|剩余|遗留|进行中)的?{_THINGS}|还(?:剩|差|欠)(?:下)?(?:哪些|什么|啥|多少|几[件个项])|"
            rf"{_THINGS}[^，。？?]{{0,6}}(?:到期|截止|逾期)|待办"
        ),
    ),
    (
        "done",
        tell(
            rf"{_THINGS}[^，。？?]{{0,10}}(?:做完|完成|办完|办好|弄完|搞定|干完|结束)|"
            rf"(?:做完|完成|办完|办好|弄完|搞定|干完|结束)(?:了|的|过)[^，。？?]{{0,4}}{_THINGS}|"
            r"(?:做完|完成|办完|搞定|干完)了(?:哪些|什么|啥)"
        ),
    ),
    (
        "open",
        tell(
            r"(?:哪些|什么|几[个项]|多少|我的|列出?|所有)(?:任务|待办)|(?:任务|待办)(?:有(?:哪些|什么|啥|几)|清单|列表)"
        ),
    ),
)
