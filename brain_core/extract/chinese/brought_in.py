"""Somebody else whom a sentence brings in, of whom its later clauses tell: 请了个师傅，四川人，月薪八千."""

from __future__ import annotations

from brain_core.extract.chinese.jobs import JOBS
from brain_core.text.expression import Expression

_ROLE = (
    rf"(?:[室舍队战]友|租客|房客|住户|徒弟|徒儿|实习生|护工|保姆|月嫂|钟点工|阿姨|师傅|小伙子?|小姑娘|姑娘|小哥|小妹|大哥|大姐|大叔|大妈|"
    rf"相亲对象|对象|"
    r"同[学桌事]|患者|病人|客户|甲方|乙方|负责人|对接人|联系人|邻居|老乡|网友|买家|卖家|候选人|应聘者|新人|老[板师]娘?|"
    rf"{JOBS})"
)
_FETCHED = (
    r"(?:招|请|找|雇|聘|换|派|介绍|安排|认识|面试|碰到|遇到|(?:搬|转|调|新)?来|租给|卖给|交给)"
    r"(?:到|了|来|过|成|的是){0,2}"
)
_COUNTED = r"(?:[一两二三几]?[个位名户]|新)"
_BROUGHT_IN = Expression(
    rf"{_FETCHED}(?:{_COUNTED}[^,，我]{{0,8}}?)?{_ROLE}(?!了)|{_FETCHED}(?:[一两]?户|[一两]?[个位名]新?人)|"
    r"[招找请]到人了?|收银的|做饭的|开车的|带班的|[男女]的(?=[是叫姓]|[0-9一二三四五六七八九十])|对方(?=[是叫姓])"
)
_AS_SUBJECT = Expression(
    rf"\W*(?:[^我俺,，]{{0,4}}[给帮替](?:我|俺)[^,，]{{1,8}}的|(?:我|俺|咱)们?[^,，]{{0,6}}的|"
    rf"(?!我|俺|咱|本人|[做当在是干想学考找]|刚[做当]|以前|现在|目前|平时)[^,，我]{{0,8}}?)?{_ROLE}[\u4e00-\u9fffA-Za-z]{{0,3}}?"
    r"(?=[是姓叫说在换住也都很做有]|来自|今年|老家|考上|本科|研究生|[0-9一二三四五六七八九十]|糖尿病|高血压)"
)
_CALLED = Expression(r"\W*(?!我|俺|咱|本人|名字|大名|全名|网名)[^,，我]{1,10}?[姓叫](?!我|做|人|苦|停|[外车早])")


_PIECES = Expression(r"[^,，;；]+")
_USER = Expression(r"\W*(?:我|俺|咱|本人)")
_PLANS = Expression(r"打算|想|准备|希望|争取|目标|计划|决定")
"""What follows on one who was fetched, of the user all the same: 请了个私教，打算减十斤."""


def tells_of_one_brought_in(told: str) -> bool:
    """Return whether what was told up to here, folded, is of somebody else whom it has brought in."""
    for piece in reversed(_PIECES.findall(told)):
        if brings_in(piece):
            return True
        if _USER.match(piece) or _PLANS.search(piece):
            return False
    return False


def brings_in(clause: str) -> bool:
    """Return whether a clause, folded, brings in somebody else than who says it, of whom a clause after it may tell."""
    return any(each.match(clause) for each in (_AS_SUBJECT, _CALLED)) or _BROUGHT_IN.search(clause) is not None
