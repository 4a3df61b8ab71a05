"""Names that need no grammar: URLs, repositories, file paths, handles. Both languages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

_HINT = re.compile(r"/(?:(?<=:/)/|(?<=[\w~.-]/)[\w.-]|(?<=~/))|@\w|\.(?:(?<=www\.)|(?<=\w\.)[a-z]{2,5}\b)")
"""Begins with what seldom stands in a text, which is soon looked for."""
_URL = re.compile(r"(?:https?://|www\.)[^\s<>\"'`“”‘’（）()，。；、\ufffc]{3,1000}")
_GITHUB = re.compile(
    r"(?:https?://)?(?:www\.)?(?P<host>github\.com|gitlab\.com|codeberg\.org|bitbucket\.org|gitee\.com)"
    r"/(?P<owner>[\w.-]{1,60})/(?P<name>[\w.-]{1,100})"
)
_REPO = re.compile(
    r"(?:(?<=repo )|(?<=repository )|(?<=fork )|(?<=clone )|(?<=仓库 )|(?<=仓库))`?(?P<owner>[\w.-]{1,60})"
    r"/(?P<name>[\w.-]{1,100})|(?<![\w./:~@-])(?P<owner2>[a-z0-9][\w-]{1,38})/(?P<name2>[\w.-]{2,60})(?= "
    r"(?:repo|repository|on github)\b|仓库|这个仓库)"
)
_PATH = re.compile(
    r"(?<![\w./:@~-])(?:~|\.{1,2})?(?:/[\w.@+-]{1,80}){2,20}(?:\.\w{1,8})?|(?<![\w./:@~-])~/[\w./@+-]{2,200}|"
    r"(?<![\w./:@~-])(?:[\w.-]{1,60}/){1,15}[\w-]{1,80}\.[a-z]\w{0,7}\b|\b[A-Z]:\\[\w\\ .-]{2,200}"
)
_TRAILING = ".,;:!?)]"
_PASSING = re.compile(
    r"(?:^|[/\\])(?:tmp|temp|site-packages|dist-packages|node_modules|__pycache__)[/\\]", re.IGNORECASE
)
"""Folders whose files nobody means to keep: they stand in what a program printed."""
_PLACEHOLDER = re.compile(r"(?://|^)(?:www\.)?example\.(?:com|org|net)\b|(?:^|[/\\])path[/\\]to[/\\]", re.IGNORECASE)
"""Addresses that stand for any other (RFC 2606)."""


def structural(text: str) -> Iterator[tuple[int, int, dict[str, Any]]]:
    """Yield (start, stop, value of an entity) of what a text names by its form, in order within each sort.

    Each where it is named first.
    """
    if not _HINT.search(text):
        return
    taken: list[tuple[int, int]] = []
    named = set()
    for reader in (_repositories, _urls, _paths):
        for start, stop, value in reader(text):
            if not any(start < other[1] and other[0] < stop for other in taken):
                taken.append((start, stop))
                if value["canonical"] not in named:
                    named.add(value["canonical"])
                    yield start, stop, value


def of_uri(uri: str) -> dict[str, Any]:
    """Return the entity that an address names: a repository, URL or file."""
    github = _GITHUB.fullmatch(uri.rstrip("/").removesuffix(".git"))
    if github is not None:
        return _repo(github["owner"], github["name"], github["host"])
    return {"kind": "url" if re.match(r"[a-z][a-z0-9+.-]*://(?<!file://)", uri) else "file", "canonical": uri}


def _repositories(text: str) -> Iterator[tuple[int, int, dict[str, Any]]]:
    for match in _GITHUB.finditer(text):
        rest = text[match.end() : match.end() + 1]
        if rest != "/":
            yield *match.span(), _repo(match["owner"], match["name"].rstrip(".").removesuffix(".git"), match["host"])
    for match in _REPO.finditer(text):
        yield *match.span(), _repo(match["owner"] or match["owner2"], (match["name"] or match["name2"]).rstrip("."), "")


def _repo(owner: str, name: str, host: str) -> dict[str, Any]:
    value: dict[str, Any] = {"kind": "repo", "canonical": f"{owner}/{name}", "aliases": [name]}
    return {**value, "attrs": {"host": host}} if host else value


def _urls(text: str) -> Iterator[tuple[int, int, dict[str, Any]]]:
    for match in _URL.finditer(text):
        address = match[0].rstrip(_TRAILING)
        if _PLACEHOLDER.search(address):
            continue
        yield match.start(), match.start() + len(address), {"kind": "url", "canonical": address}


def _paths(text: str) -> Iterator[tuple[int, int, dict[str, Any]]]:
    for match in _PATH.finditer(text):
        path = match[0].rstrip(_TRAILING)
        if ("/" in path or "\\" in path) and not (_PASSING.search(path) or _PLACEHOLDER.search(path)):
            name = re.split(r"[/\\]", path.rstrip("/"))[-1]
            yield match.start(), match.start() + len(path), {"kind": "file", "canonical": path, "aliases": [name]}
