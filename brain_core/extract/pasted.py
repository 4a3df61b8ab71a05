"""Whole messages that were written elsewhere: what they say is somebody's, and nobody tells it of himself."""

from __future__ import annotations

import re

from brain_core.text.language import han_count

LONGEST_MESSAGE = 20_000
"""Characters above which a message counts as pasted."""

_PROSE = 240  # characters that one says to another without an I or a you; a Han character weighs three
_PERSONS = re.compile(
    r"\b(?:i|i'm|me|my|mine|we|us|our|ours|you|your|yours|let's|lets|please|remember|remind|note)\b"
    r"|[我咱俺你您]|(?<![邀申聘恳懇宴延敦])[请請](?![求柬客辞辭缨纓])|[记記](?=[住得下着一牢])|帮忙|幫忙|提醒",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"《[^《》\n]*》|“[^“”\n]*”|「[^「」\n]*」|『[^『』\n]*』")
"""Titles, and words of others: a person in them speaks to nobody here."""
_CODE_LINE = re.compile(
    r"\s*(?:def|class|import|from|return|if|for|while|try|except|elif|else|with|raise|function|const|let|var|public|"
    r"private|static|#include|SELECT|INSERT|UPDATE|CREATE)\b.*[:;({)]\s*$|.*[;{}]\s*$|\s*[\w.\[\]'\"]+\s*[-+*/|]?=\s*\S+.*$|"
    r"\s*[\w.]+\(.*\)\s*$"
)
_LEAST_CODE = 3  # lines
_HEADING = re.compile(r"^#{1,6} +(\S[^\n]*)$", re.MULTILINE)
_OF_A_FILE = re.compile(
    r"contribut|readme|changelog|licen[sc]e|code of conduct|guidelines|install|getting started|usage|architecture|"
    r"贡献|安装|更新日志|使用说明|快速开始",
    re.IGNORECASE,
)
_LEAST_DOCUMENT = 3  # lines
_PARAGRAPH = 400  # characters of a line that says no I and no you, above which it is somebody's text; Han weigh three
_LINES = re.compile(r"[^\n]+")


_NOTICE = re.compile(
    r"\s*(?:fwd?|forwarded(?: message)?)\s*[:：]\s*\S|"
    r"\s*(?:team|company|office|staff|all[- ]staff|all[- ]hands|school|building|tenant|resident)s?[- ](?:update|"
    r"announcement|notice|memo|bulletin)"
    r"\s*[:：](?=[\s\S]*(?:\b(?:dear|all|everyone|please|kindly)\b[\s\S]*[-–—] ?[A-Z]\w+\W*$|\bkind regards\b|"
    r"\byour\b))|"
    r"\s*(?:dear|attention,?) (?:all|residents|tenants|colleagues|team|parents|customers?|students)\b\s*[,:]"
    r"(?![\s\S]*\b(?:i|i['’]?m|my|me)\b)|"
    r"\s*【[^】\n]{0,10}(?:通知|公告|通告|公示|温馨提示|物业|快递|驿站|银行|短信|提醒您?)】(?!.{0,40}我(?![们行司校院市区处会]))|"
    r"\s*(?:紧急|重要|温馨|停[水电]|物业)?(?:通知|公告|提示)[：:](?!.{0,40}我(?![们行司校院市区处会]))|"
    r"\s*@(?:所有人|全体(?:成员|人员)?|all\b|everyone\b|channel\b)|"
    r"\s*(?:(?:转发|转自)[^：:\n，。]{0,10}|转)[：:]|\s*各位(?:业主|同事|家长|同学|老师|员工|住户|用户|居民|领导)(?!.{0,60}我(?![们行司校院市区处会]))",
    re.IGNORECASE,
)
"""How a message begins that was written to many, or that is passed on."""


def pasted(text: str) -> str:
    """Return why a message counts as pasted, in words; empty if it does not."""
    if len(text) > LONGEST_MESSAGE:
        return f"over {LONGEST_MESSAGE} characters: counts as pasted"
    if _NOTICE.match(text):
        return "a notice or a message passed on: counts as pasted"
    if len(text) + 2 * han_count(text) > _PROSE and not _somebody_speaks(text):
        return "long, and nobody speaks of himself or to anybody: counts as pasted"
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) >= _LEAST_CODE and 2 * sum(bool(_CODE_LINE.match(line)) for line in lines) > len(lines):
        return "most lines are code: counts as pasted"
    if len(lines) >= _LEAST_DOCUMENT and _is_document(text):
        return "a document with headings: counts as pasted"
    return ""


def _somebody_speaks(text: str) -> bool:
    return _PERSONS.search(_QUOTED.sub("", text)) is not None


def _is_document(text: str) -> bool:
    """Return whether a text begins with a heading, and has another or one that a file of a repository has."""
    headings = _HEADING.findall(text) if text.lstrip().startswith("#") else []
    return len(headings) > 1 or any(_OF_A_FILE.search(heading) for heading in headings)


def paragraphs(text: str) -> list[tuple[int, int]]:
    """Return the long lines of a message in which nobody speaks of himself or to anybody: they count as pasted, too."""
    if len(text) + 2 * han_count(text) <= _PARAGRAPH:
        return []
    long = (line for line in _LINES.finditer(text) if len(line[0]) + 2 * han_count(line[0]) > _PARAGRAPH)
    return [line.span() for line in long if not _somebody_speaks(line[0])]
