"""Where to look, as far as a message names it: a file, a repository, a folder."""

from __future__ import annotations

import re

from brain_core.compose.planner.tells import FILE, Said, Tells
from brain_core.extract.language import MASK

_FILE = re.compile(rf"(?:[\w.~-]+/)*{FILE}")
_NOT_A_PLACE = re.compile(
    r"(?i)File \"[^\"\n]*$|://\S*$|\b(?:as|named|called|call it|save it)\s+[\"'`]?$|"
    r"\b(?:export|sav|writ|convert|renam|cop[yi]|output|dump|print|mov|turn|chang|put|download|"
    r"log)\w*\b[^.?!\n]{0,60}\bto\s+"
    r"[\"'`]?$|"
    r"(?:存成|改名为?|叫做?|命名为|导出(?:成|为)?|另存为)\s*$"
)
_KINDS = frozenset(("repo", "repository", "codebase", "folder", "directory", "package"))
_PLAIN = frozenset(
    [
        "git",
        "github",
        "gitlab",
        "upstream",
        "linked",
        "demo",
        "the",
        "that",
        "this",
        "same",
        "main",
        "old",
        "new",
        "other",
        "private",
        "public",
        "whole",
        "our",
        "my",
        "your",
        "root",
        "src",
        "test",
        "tests",
        "open",
        "source",
        "entire",
        "first",
        "second",
        "last",
        "next",
    ]
)
_NAME = re.compile(r"[A-Za-z0-9]+(?:[_-][A-Za-z0-9]+)+|(?:[\w.~-]+/)+[\w.-]+|[\w-]{2,}\.[a-z]{1,5}")
_MARKED = re.compile(
    r"(?<![\w./:@~\\-])(?:(?:[\w~-][\w.~-]+/)+[\w.-]+\w|[A-Za-z0-9]+(?:_[A-Za-z0-9]+)+|"
    r"[\w-]+(?:\.[\w-]+)*\.(?:py|tsx?|mts|vue|svelte|php|go|rs|java|kt|swift|rb|cs|cpp|hpp|sh|ps1|tf|prisma|graphql|"
    r"mbox|eml|fdx|bak|numbers|pages|key|ics|srt|env|cfg|lock|proto))(?![\w(=./\\-])"
)
"""Names that can only be a file's, a folder's or a module's, whatever stands before them."""
_MAY_BE_MARKED = re.compile(r"[/_]|\.[a-z]")
"""One of these stands in every such name."""
_AMONG_HAN = re.compile(r"(?<![\w./:@-])[A-Za-z][A-Za-z0-9]+(?:-[A-Za-z0-9]{2,})+(?![\w./:@-])")
_HAN_FOLDER = re.compile(r"(?:^|[，。,;；\s])(?P<name>[一-鿿_]{2,10}) (?=里头?|那个|这个(?:文件夹|目录|项目|仓库))")
_LEADS = re.compile(
    r"^(?:麻烦|请|帮我|给我|帮忙|你)*(?:看看|看一?下|翻翻|翻一?下|查查|查一?下|打开|根据|按照|参照|参考|对照|把|将)"
    r"(?=[^./]{3,}\.)"
)
"""What is done with a file, written without a space before its name."""
_SHORT = 200
"""Code points of a message up to which such a name is where to look; beyond it is part of what was pasted."""
ORDINARY = re.compile(
    r"(?i)(?:mid|real|self|well|long|short|full|part|half|one|two|three|four|five|six|day|follow|up|non|"
    r"pre|post|co|re|high|"
    r"low|in|on|off|e|x|t|cross|multi|semi|ex|vice|all|year|month|week|hand|face|end|state|so|back|open|ready|go|check|"
    r"log|sign|lock|world|pro|anti|ultra|inter|intra|north|south|east|west|mother|father|sister|brother|"
    r"old|new|first|last)[-_]|\d+-\d+|.*-(?:to|in|of|and|the|up|out|off)(?:-|$)|[\d.-]+$|and/or|w/o|"
    r"he/she|a/b|n/a|(?:node|next|vue|nuxt|express|three|d3|react|asp)\.(?:js|net)"
)


def named_place(said: Said, tells: Tells) -> str:
    """Return the name of the place to look in, as it is written, or nothing."""
    for file in _FILE.finditer(said.text) if MASK in said.plain else ():  # files are masked there
        if not _NOT_A_PLACE.search(said.text[max(0, file.start() - 100) : file.start()]):
            return _LEADS.sub("", file[0])
    for match in tells.named_place.pattern.finditer(said.text):
        name = match["name"]
        called = (match["said"] or (match["after"] or "").strip() in _KINDS) and name.lower() not in _PLAIN
        if (called or _NAME.fullmatch(name)) and not ORDINARY.match(name):
            return name
    return _marked(said.text, tells) if len(said.text) <= _SHORT else ""


def _marked(text: str, tells: Tells) -> str:
    for found in _MARKED.finditer(text) if _MAY_BE_MARKED.search(text) else ():
        if not ORDINARY.match(found[0]) and not _NOT_A_PLACE.search(text[max(0, found.start() - 100) : found.start()]):
            return found[0]
    if tells.language != "zh":
        return ""
    named = next((one for one in _AMONG_HAN.finditer(text) if not ORDINARY.match(one[0])), None)
    folder = _HAN_FOLDER.search(text)
    return named[0] if named else folder["name"] if folder else ""
