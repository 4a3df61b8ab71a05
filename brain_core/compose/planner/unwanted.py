"""Documents that a message says are not to be looked in."""

from __future__ import annotations

from brain_core.compose.planner.english_nouns import DOC
from brain_core.compose.planner.tells import tell

_OPENS = r"(?:^|[.!?;:,\n(—-]\s*|\b(?:please|pls|but|and|just|so|you|answer|tell me|reply) )"
_NOT_TO = (
    r"(?:(?:do not|don't|dont|never|needn't|need not|must not|mustn't|shouldn't|should not)(?: (?:have|need) to)?|"
    r"no need to|without)"
)
_LOOK = (
    r"(?:look(?:ing)?(?: (?:in|into|at|up|through))?|search(?:ing)?(?: (?:in|through))?|us(?:e|ing)|check(?:ing)?|"
    r"consult(?:ing)?|read(?:ing)?|open(?:ing)?|touch(?:ing)?|go(?:ing)? (?:through|into)|rely(?:ing)? on|"
    r"bother(?:ing)? with)"
)
_WHICH = r"(?:(?:any|all|of|the|my|our|your|those|these|other|uploaded|stored) ){0,3}"
ENGLISH = tell(
    rf"{_OPENS}(?:{_NOT_TO} (?:even )?{_LOOK} {_WHICH}|(?:ignor(?:e|ing)|skip(?:ping)?|"
    rf"leave out|leaving out|forget(?: about)?|"
    rf"without|no) {_WHICH}){DOC}\b",
    "not don't dont never needn't mustn't shouldn't no without ignore ignoring skip skipping leave leaving forget",
)

_PAPERS = r"(?:文档|资料|文件|文献|手册|说明书|论文|附件|知识库|仓库|pdf|材料)"
CHINESE = tell(
    r"(?:(?<!要)不要|(?<!用)不用|(?<!必)不必|无需|无须|不需要|用不着|别|勿|甭)(?:再|去|先|管|来)?"
    rf"(?:查|搜|看|翻|用|读|找|检索|参考|引用|打开|理会)(?:阅|询|索|寻|找|看)?"
    rf"(?:一下|任何|所有|我的?|那些|这些|了|什么)*{_PAPERS}|"
    rf"(?:忽略|跳过|撇开|抛开|先不看|先不查)(?:掉|任何|所有|我的?|那些|这些)*{_PAPERS}"
)
