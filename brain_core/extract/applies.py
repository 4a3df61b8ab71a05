"""To what a rule or a statement applies: comments, logs, the frontend; staging; the thing that a sentence begins with.

What is told of one leaves what is told of another as it is, so it is a part of the key, and of what the judge compares.
"""

from __future__ import annotations

import re
from functools import lru_cache

from brain_core.text.expression import Expression

_REMEMBERED = 4096  # texts, most of them of items, which are met by sentence after sentence
_SORTS = tuple(
    (name, Expression(words, re.IGNORECASE))
    for name, words in (
        ("commit_messages", r"\bcommits?\b|提交信息|提交说明|提交记录"),
        ("pull_requests", r"\b(?:PRs?|pull requests?|merge requests?)\b"),
        ("comments", r"\bcomments?\b|\bdocstrings?\b|注释|註釋"),
        ("docs", r"\b(?:docs?|documentation|readme|changelogs?|wiki)\b|文档|文檔|说明书"),
        ("logs", r"\b(?:logs?|logging|log (?:messages|lines))\b|日志|日誌"),
        ("errors", r"\berror (?:messages?|texts?)\b|报错|错误信息|错误提示"),
        ("api", r"\b(?:apis?|endpoints?|json|payloads?)\b|接口|入参|出参"),
        ("database", r"\b(?:databases?|db|columns?|tables? names?|schemas?)\b|数据库|数据表|表名|字段|[库表]里"),
        ("files", r"\b(?:file ?names?|files|folders?)\b|文件|目录名"),
        ("functions", r"\b(?:functions?|methods?)\b|函数|方法名"),
        ("classes", r"\b(?:class(?:es)?|components?)\b|类名|组件"),
        ("constants", r"\b(?:constants?|enums?)\b|常量|枚举"),
        ("branches", r"\bbranch(?:es)?\b|分支"),
        ("styles", r"\b(?:s?css|stylesheets?)\b|样式"),
        ("config", r"\b(?:configs?|configuration|ya?ml)\b|配置"),
        ("scripts", r"\bscripts?\b|脚本"),
        ("tests", r"\b(?:tests?|specs)\b|测试|测試|单测|用例"),
        ("frontend", r"\bfront-?end\b|前端"),
        ("backend", r"\bback-?end\b|后端|後端"),
        ("emails", r"\be-?mails?\b|邮件|郵件"),
        ("reports", r"\breports?\b|周报|月报|日报|报告"),
        ("interface", r"\b(?:ui|buttons?|labels|menus?)\b|界面|介面|按钮|菜单"),
    )
)  # fmt: skip
"""Sorts of things that have rules of their own; the first that is found is meant."""

_IS = r"(?: (?:is|was|has|had|got|gets|went|runs|moved)\b|['’]s\b)"
_BECOMES = "(?=[也已刚先还]{0,2}(?:升|换|切|迁|改|挂|跑|用))"
_ENVIRONMENTS = tuple(
    (name, Expression(words, re.IGNORECASE))
    for name, words in (
        ("staging", r"\b(?:in|on|to|for|at) (?:the )?(?:staging|preprod|pre-prod|uat)\b|"
            rf"^(?:the |our )?(?:staging|preprod|pre-prod|uat){_IS}|"
            rf"(?:staging|预发布?|灰度|uat)(?:环境|上|里|机|是|$|{_BECOMES})"),
        ("test", r"\b(?:in|on|to|for) (?:the )?(?:qa|test(?:ing)? env\w*)\b|(?:测试|qa)环境|"
            rf"^(?:the |our )?(?:qa|test(?:ing)?) (?:env\w*|box|server|cluster){_IS}"),
        ("dev", r"\b(?:in|on|to|for) (?:the )?(?:dev\b(?! mode| team)|development env\w*)|(?:开发|dev|本地)环境|"
            rf"^(?:the |our )?dev(?:elopment)? (?:env\w*|box|server|cluster){_IS}"),
        ("prod", r"\b(?:in|on|to|for|at) (?:the )?(?:prod|production)\b|(?:生产|线上|prod|正式)环境|线上|"
            rf"^(?:the |our )?(?:prod|production){_IS}"),
    )
)  # fmt: skip

_USUAL = "prod"
"""What is meant where no environment is named: it is no part of a key."""

_SUBJECT = Expression(
    r"^(?:(?:remember|note|fyi|btw|so|ok|also|and|the|our|记住|记一下|注意|另外|对了|还有)[:：,， ]+)*"
    r"(?:[\w' -]{2,30}? (?:in|of|for|on) (?:the )?(?P<of>[a-z][a-z0-9_.-]*)(?: repo| service| app| project)? "
    r"(?:is|are|=)\b|"
    r"(?P<id>[a-z]+[-_/.](?=[a-z0-9])[a-z0-9_./-]*|[a-z]+[0-9][a-z0-9_.]*)(?![a-z0-9_'’-])|"
    r"(?P<latin>[a-z][a-z0-9_.-]*)\s*(?=[\u4e00-\u9fff]))",
    re.IGNORECASE,
)
"""Begins with a thing that has a name of letters: shop-web, cart.ts, web 仓库; or says of what: the port of pay is."""

_LATIN = re.compile(r"[a-z][a-z0-9]*(?:[._-][a-z0-9]+)*|\d{2,}", re.ASCII)


@lru_cache(maxsize=_REMEMBERED)
def applied_to(text: str) -> str:
    """Return the sort of things that a rule is for, as a part of a key; empty where it names none."""
    return next((name for name, words in _SORTS if words.search(text)), "")


def environment_in(text: str) -> str:
    """Return the environment that a text names, empty where it names none."""
    return next((name for name, words in _ENVIRONMENTS if words.search(text)), "")


def of_environment(text: str) -> str:
    """Return the environment that a text names as a part of a key: empty for the usual one."""
    named = environment_in(text)
    return "" if named == _USUAL else named


@lru_cache(maxsize=_REMEMBERED)
def subject_in(text: str) -> str:
    """Return the name, in small letters, of the thing that a text begins with, empty where it has none."""
    found = _SUBJECT.match(text)
    return "" if found is None else (found["of"] or found["id"] or found["latin"]).lower()


def names_all_of(text: str, about: str) -> bool:
    """Return whether a text has all names in Latin letters of what another is about: cart.ts, v2, web."""
    return set(_LATIN.findall(about.lower())) <= set(_LATIN.findall(text.lower()))
