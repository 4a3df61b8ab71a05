"""What of a message is not the user's own words: quotes, code, pasted text, echoes of memory."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from brain_core.extract.chinese.framed import framed
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

_HINT = re.compile(r"[`\"“«「『\[>|]|~~~|\n|'\w|‘|[:：] ?\S|^\s*(?:npm|yarn|pnpm) ")
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
_WORKED_ON = re.compile(
    r"(?:^|(?<=[.!?\n]))\s*(?:(?:please|pls|can you|could you|would you|now|just|also|hey|hi|help me|"
    r"i need you to)[, ]+)*"
    r"(?:(?:translate|rewrite|reword|rephrase|paraphrase|proof-?read|copy-?edit|summari[sz]e|shorten|condense|simplify|"
    r"polish|transcribe|tl;?dr)\b|"
    r"(?:fix|correct|check|improve|clean up|edit|revise) (?:the |my |any |all |its |this |up )*(?:grammar|"
    r"spelling|typos?|"
    r"punctuation|wording|english|style|tone|language|phrasing|text|sentences?|paragraphs?)\b|"
    r"(?:draft|compose|(?:write|send|reply with|make|create)(?: me| up)?(?= (?:an?|the|my|our|some)\b)|"
    r"turn (?:this|it) into)\b[^:\n]{0,40}?\b(?:e-?mail|letter|message|reply|response|post|tweet|bio|blurb|speech|text|"
    r"statement|announcement|article|paragraph|essay|caption|intro(?:duction)?|resume|cv|summary|toast|review|ad|"
    r"description|poem|story|song)\b|draft(?=:))[^:\n.!?]{0,80}:(?=\s)|"
    r"(?:^|[。！？，,\n])\s*(?:请|麻烦)?(?:你)?(?:帮(?:我|忙))?(?:把)?(?:翻译|翻譯|译成|译为|润色|潤色|改写|改寫|校对|校對|总结|總結|概括|"
    r"缩写|扩写|精简|(?:改|修改|纠正|检查)(?:一下)?(?:语法|错别字|措辞|语病))[^：:\n。]{0,16}[：:]|"
    r"(?:写|寫|起草|草拟|拟)(?:一?[封份个個条條篇段])?[^：:\n。]{0,12}(?:邮件|郵件|信|短信|消息|回复|回覆|通知|文案|简历|介绍|致辞|"
    r"发言稿|文章|作文|帖子)[^：:\n。]{0,10}[：:]",
    re.IGNORECASE,
)
"""An order to work on words, or to write some, before the words."""
_TOLD_BY = re.compile(
    r"\b(?:(?:my|our|his|her|their|the|a) (?:[\w'’-]+ ){1,3}|(?!(?:I|We|You|Note|It|"
    r"Also)\b)(?-i:[A-Z][\w'’-]+) |he |she |they |"
    r"some(?:one|body) )(?:just |has |have )?(?:wrote|writes|said|says|texted|messaged|e-?mailed|replied|"
    r"answered|posted|"
    r"tweeted|sent|told me|asked)\b[^:.\n]{0,30}:(?=\s)|"
    r"(?:[他她]们?|同事|朋友|老板|领导|客户|老婆|老公|[妈爸哥姐弟妹]{1,2}|老师|[小老阿][\u4e00-\u9fff])[^：:。，\n]{0,6}"
    r"(?:说|写道|写着|发来|回复|留言|回我|告诉我)[：:]|(?:写道|发来|留言)[：:]",
    re.IGNORECASE,
)
_OUTPUT = re.compile(
    r"(?:^|\n)[^\n:：]{0,40}(?:\b(?:logs?|output|stack ?trace|traceback|stderr|stdout|console|dump|diff|"
    r"error(?: message)?)|"
    r"日志|输出|报错|堆栈)[^\n:：]{0,12}[:：][ \t]*\n",
    re.IGNORECASE,
)
_PARAGRAPH_END = re.compile(r"\n[ \t]*\n|$")
_PROGRAM_LINE = re.compile(
    r"\s*(?:(?:npm|yarn|pnpm) (?:ERR!|error|WARN|warn|notice)|(?:error|warning|fatal|hint)(?:\[\w+\])?:\s)",
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
    ("log", _PROGRAM_LINE),
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
    for reader in (_fences, _pastes, _worked_on, framed, _lines, _spans):
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


def _worked_on(text: str) -> Iterator[_Span]:
    """Yield the words that the user wants something done with, and those of others up to the end of the paragraph."""
    opening = _WORKED_ON.search(text)
    if opening is not None and opening.end() < len(text):
        yield opening.end(), len(text), "pasted"
    for pattern, name in ((_TOLD_BY, "quoted"), (_OUTPUT, "log")):
        for opening in pattern.finditer(text):
            end = _PARAGRAPH_END.search(text, opening.end())
            if end is not None and opening.end() < end.start():
                yield opening.end(), end.start(), name


def _pastes(text: str) -> Iterator[_Span]:
    for opening in _PASTE.finditer(text):
        if opening.end() < len(text):
            yield opening.end(), len(text), "pasted"
            return


def _lines(text: str) -> Iterator[_Span]:
    if "\n" not in text:
        if _LINE_SORTS[0][1].match(text):
            yield 0, len(text), "echo"
        elif _PROGRAM_LINE.match(text):
            yield 0, len(text), "log"
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


def restored(value: Any, words: str, text: str, start: int) -> Any:  # noqa: ANN401  a JSON value
    """Return a value with the masked parts of its strings as they stood in the message."""
    if isinstance(value, str) and MASK in value:
        place = words.find(value, start)
        return text[place : place + len(value)] if place >= 0 else value.replace(MASK, "")
    if isinstance(value, dict):
        return {name: restored(part, words, text, start) for name, part in value.items()}
    if isinstance(value, list):
        return [restored(part, words, text, start) for part in value]
    return value
