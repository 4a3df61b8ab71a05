"""What of a message is not the user's own words: quotes, code, pasted text, echoes of memory."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from brain_core.extract.language import MASK


@dataclass(frozen=True, slots=True)
class Mask:
    """Characters [start, stop) of a message that nothing is learned from, and why."""

    start: int
    stop: int
    name: str
    reason: str


_REASONS = {
    "echo": "recalled memory, not something new",
    "code": "code, not the user's statement",
    "pasted": "pasted text, not the user's statement",
    "email": "a quoted message, not the user's statement",
    "log": "log output, not the user's statement",
    "transcript": "a transcript, not the user's statement",
    "quoted": "quoted words, not the user's statement",
}

_HINT = re.compile(r"[`\"“«「『\[>|]|~~~|\n|'\w|‘|[:：] ?\S")
_LINES = re.compile(r"[^\n]+")
_FENCE = re.compile(r"^[ \t]{0,3}(```|~~~)[^\n]*\n", re.MULTILINE)
_INLINE = re.compile(r"`[^`\n]{1,400}`")
_QUOTES = re.compile(
    r"\"[^\"\n]{1,600}\"|“[^“”\n]{1,600}”|«[^«»\n]{1,600}»|「[^「」\n]{1,600}」|『[^『』\n]{1,600}』|"
    r"‘[^‘’\n]{1,300}’(?!\w)|(?<!\w)'[^'\n]{1,300}(?:'\w{1,3} [^'\n]{1,300}){0,4}'(?!\w)"
)
_PASTE = re.compile(
    r"\b(?:here(?:'s|’s| is| are)|this is|below is|see|read|pasting|pasted|paste|following|from|summari[sz]e|translate|"
    r"proofread|rewrite|rephrase|edit|fix|review|check|improve|correct|explain|analy[sz]e|paraphrase)\b[^:\n]{0,80}"
    r"\b(?:e-?mail|article|post|transcript|message|text|log|logs|poem|story|draft|review|letter|paragraph|excerpt|doc|"
    r"document|spec|readme|snippet|passage|chat|thread|comment|tweet|description|sentence|quote|lyrics|"
    r"essay|note|notes|"
    r"minutes|bio|resume|cv|page|abstract|ticket|output|error|report|reply|response|prompt|feedback|slack|following|"
    r"this|it|he said|she said|wrote)\b[^:\n]{0,60}:(?=\s)|"
    r"(?:以下|下面|下边|如下|这是|这段|原文|转发|粘贴|翻译|润色|总结|改写)[^：:\n，。]{0,30}"
    r"(?:邮件|文章|内容|消息|聊天记录|记录|日志|文字|段落|原文|代码|短信|评论|故事|小说|文案|句子|这段话|一段话|报告|通知|如下|歌词|台词)"
    r"[^：:\n，。]{0,15}[：:]|(?:^|\n)\s*-{3,}\s*(?:Original|Forwarded)[^\n]{0,40}\n|"
    r"(?:^|\n)On [^\n]{4,90} wrote:|(?:^|\n)From: [^\n]{1,200}\n(?=(?:To|Sent|Date|Subject|Cc): )",
    re.IGNORECASE,
)
_LINE_SORTS = (
    ("echo", re.compile(r"\s*(?:[-*]\s*)?\[(?:[a-z]{3,20}:[^\]\n]{2,200}|E\d{1,3})\]|\s*\(mode=\w+, score=")),
    ("email", re.compile(r"\s*>+(?:\s|$)|\s*>\S")),
    (
        "log",
        re.compile(
            r"\s*\[?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d|\s*\[?\d\d:\d\d:\d\d|\s*\[?(?:INFO|WARN|WARNING|"
            r"ERROR|DEBUG|FATAL|"
            r"TRACE|CRITICAL)\b|\s*Traceback \(|\s+File \"|\s*at [\w.$<>]{3,120}\(|\s*[\w.]{2,80}(?:Error|Exception): |"
            r"\s*(?:\$|>>>|#!|diff --git|@@|\+\+\+|---) ?\S"
        ),
    ),
)
_SPEAKER = re.compile(
    r"\s*(?:\[[^\]\n]{1,24}\]\s*)?(?!(?:https?|note|todo|ps|fyi|also|task|goal)\b)([\w.’' -]{1,24})[:：]\s",
    re.IGNORECASE,
)
_I = re.compile(r"\b(?:i|i'm|my|me|we|our)\b|[我咱]", re.IGNORECASE)
_WORDS = re.compile(r"[^\W\d_]+")
_SHORT_QUOTE_WORDS = 4
_SHORT_QUOTE_HAN = 12


def masks(text: str) -> list[Mask]:
    """Return the passages of a message that are not its writer's words, in order, without overlaps.

    Short code and short quotes without a first person stay: they name things ("call the repo `atlas`").
    """
    if not _HINT.search(text):
        return []
    found: list[Mask] = []  # by start
    for reader in (_fences, _pastes, _lines, _spans):
        for start, stop, name in reader(text):
            place = bisect_right(found, start, key=lambda each: each.start)
            if not any(start < each.stop and each.start < stop for each in found[max(0, place - 1) : place + 1]):
                found.insert(place, Mask(start, stop, name, _REASONS[name]))
    return found


def masked(text: str, covered: list[Mask]) -> str:
    """Return the text with every covered character as MASK, line breaks kept; its length stays."""
    parts: list[str] = []
    place = 0
    for mask in covered:
        hidden = re.sub(r"[^\n]", MASK, text[mask.start : mask.stop])
        parts += (text[place : mask.start], hidden)
        place = mask.stop
    return "".join((*parts, text[place:]))


_Span = tuple[int, int, str]


def _fences(text: str) -> Iterator[_Span]:
    place = 0
    while (opening := _FENCE.search(text, place)) is not None:
        closing = text.find(f"\n{opening[1]}", opening.end() - 1)
        place = len(text) if closing < 0 else closing + 4
        yield opening.start(), place, "code"


def _pastes(text: str) -> Iterator[_Span]:
    for opening in _PASTE.finditer(text):
        if opening.end() < len(text):
            yield opening.end(), len(text), "pasted"
            return


def _lines(text: str) -> Iterator[_Span]:
    if "\n" not in text:
        if _LINE_SORTS[0][1].match(text):
            yield 0, len(text), "echo"
        return
    speakers: list[tuple[int, int]] = []
    names: set[str] = set()
    echoing = False
    for line in _LINES.finditer(text):
        sort = next((name for name, pattern in _LINE_SORTS if pattern.match(line[0])), None)
        echoing = sort == "echo" or (echoing and text[line.start() - 2 : line.start()] != "\n\n")
        if sort or echoing:
            yield line.start(), line.end(), "echo" if echoing else sort or ""
        elif (speaker := _SPEAKER.match(line[0])) is not None:
            speakers.append(line.span())
            names.add(speaker[1].strip().lower())
    if len(speakers) > max(len(names), 1) or names & {"user", "assistant", "human", "ai", "bot"}:
        yield from ((start, stop, "transcript") for start, stop in speakers)


def _spans(text: str) -> Iterator[_Span]:
    for code in _INLINE.finditer(text):
        if len(code[0]) > 80 or _I.search(code[0]):
            yield *code.span(), "code"
    for quote in _QUOTES.finditer(text):
        if not _is_a_name(quote[0]):
            yield *quote.span(), "quoted"


def _is_a_name(quote: str) -> bool:
    if _I.search(quote):
        return False
    words = _WORDS.findall(quote)
    return len(words) <= _SHORT_QUOTE_WORDS and len(quote) <= (_SHORT_QUOTE_HAN if not quote.isascii() else 60)
