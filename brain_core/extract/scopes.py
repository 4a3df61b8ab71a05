"""For which project, service, repository or language something holds, where a sentence says so."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from brain_core.extract.known import Known, value_of
from brain_core.kinds.kind import NO_PROJECT
from brain_core.kinds.registry import slug
from brain_core.text.expression import Expression

_REMEMBERED = 4096  # texts, most of them of items, which are met by sentence after sentence
_OF_PROJECTS = ("decisions", "tasks", "goals")

_PLACE = r"(?:project|repo|repository|service|micro-?service|codebase|monorepo)"
_NEAR = rf"(?:{_PLACE}|app|application|module|package|component|library|website|site|api|pipeline|cluster|team|backend)"
_LANGUAGE = (
    r"(?:python|go|golang|rust|java|kotlin|scala|swift|php|ruby|javascript|typescript|js|ts|c\+\+|c#|c|sql|ya?ml|json|toml|"
    r"html|css|scss|bash|shell|lua|perl|elixir|haskell|terraform|makefiles?|markdown)"
)
_NAME = (
    r"(?!(?:the|our|my|this|that|a|an|new|whole|entire|same|other|every|each|all|any|which|current|side)\b)[\w.-]{1,40}"
)
_ENGLISH = (
    Expression(
        rf"\b(?:for|in|on|of|within|inside) (?:the |our |my )?(?:project|repo|service) (?P<x>{_NAME})", re.IGNORECASE
    ),
    Expression(
        rf"\b(?:for|in|on|within|inside) (?:the |our |my )?(?P<x>{_NAME}(?: {_NAME})?) {_NEAR}s?\b", re.IGNORECASE
    ),
    Expression(rf"\b(?P<x>{_NAME}) {_PLACE}s?\b", re.IGNORECASE),
    Expression(
        rf"\b(?:in|for|with) (?P<x>{_LANGUAGE})(?![\w+#])(?: (?:code|files?|projects?|scripts?))?", re.IGNORECASE
    ),
)
_CHINESE = (
    Expression(
        r"(?<![A-Za-z0-9_.-])(?P<x>[A-Za-z0-9][\w.-]{0,40}?)\s*(?:这个|那个|這個|那個)?"
        r"(?:项目|專案|项目组|仓库|服务|服務|代码库|工程)"
    ),
    Expression(
        r"(?:^|决定|確定|确定|[在给為为对把,，。]|那就|就)\s*(?P<x>(?!这|那|我|你|他|整|所有|每|新|当前|本|项|同)[\u4e00-\u9fff]{2,6}?)"
        r"(?:项目|專案|仓库|服务|服務|代码库|工程)"
    ),
    Expression(
        rf"(?:写|在|用)?\s*(?<![A-Za-z])(?P<x>{_LANGUAGE})(?![A-Za-z+#])\s*(?:代码|文件|项目)?(?:里|中|的时候|时|代码|文件)",
        re.IGNORECASE,
    ),
)
"""Of texts with Chinese characters. x, in both: what it is called."""

_HOSTED = Expression(
    r"\b(?:deploy|host|run|move|migrate|put|build|serve|ship|keep|store|rewrite|write)(?:ing)? (?:the |our |my )?"
    r"(?P<x>(?!it\b|this\b|that\b|them\b|everything\b|all\b|things?\b|stuff\b|away\b|over\b|to\b|on\b|off\b|"
    r"(?:\w+ )?(?:web ?site|site|app|application|back-?end|front-?end|apis?|infra\w*|servers?|hosting|stack|workloads?|"
    r"services?|production|code|product|platform|project|system|data|database|company|business|tests?|ci)\b)"
    r"[\w-]{2,30}(?: [\w-]{2,30})?) (?:on|to|in|onto|with|at)\b",
    re.IGNORECASE,
)
"""What of several things is put somewhere: each has a place of its own."""


_FOR = r"\b(?:for|in|on|of|within) (?:the |our |my )?(?:project |repo |service )?{}\b"


def project_in(text: str, known: Known) -> str:
    """Return the known project that a text says something is for, empty for none."""
    projects = {str(value_of(item).get("project", NO_PROJECT)) for kind in _OF_PROJECTS for item in known.active(kind)}
    return next((name for name in sorted(projects - {NO_PROJECT}, key=len, reverse=True) if _is_for(name, text)), "")


def _is_for(project: str, text: str) -> bool:
    name = _spelled(project)
    english = (
        rf"\b(?:for|in|on|of|within) (?:the |our |my )?(?:project |repo |service )?{name}\b|(?<![\w-]){name} {_NEAR}\b"
    )
    chinese = rf"(?:[在给为对]\s*{name}(?![A-Za-z0-9])|{name}\s*(?:这个|那个)?(?:项目|仓库|服务|代码库|工程|[里上]))"
    return re.search(f"{english}|{chinese}", text, re.IGNORECASE) is not None


def _spelled(project: str) -> str:
    return re.escape(project).replace("_", "[ _-]").replace(r"\-", "[ _-]")


def without_project(project: str, text: str) -> str:
    """Return a text without the words that say that it holds for a project."""
    return re.sub(_FOR.format(_spelled(project)), " ", text, flags=re.IGNORECASE).strip()


@lru_cache(maxsize=_REMEMBERED)
def scope_in(text: str) -> str:
    """Return what a text calls that for which it says something, as a part of a key; empty for none."""
    scopes = _ENGLISH if text.isascii() else (*_ENGLISH, *_CHINESE)
    return next((slug(match["x"], 40) for each in scopes if (match := each.search(text)) is not None), "")


def without_scope(text: str) -> str:
    """Return a text without the words that say for what it holds."""
    for each in (*_ENGLISH, *_CHINESE):
        text = each.sub(" ", text)
    return " ".join(text.split())


def hosted_in(text: str) -> str:
    """Return what a text says is put somewhere, as a part of a key; empty for none."""
    match = _HOSTED.search(text)
    return slug(match["x"], 40) if match is not None else ""


def joined(name: str, scopes: Iterable[str]) -> str:
    """Return a name with the scopes that it does not have already."""
    for scope in scopes:
        if scope and scope not in name:
            name = f"{name}_{scope}"
    return name
