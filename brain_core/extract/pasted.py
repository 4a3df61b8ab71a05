"""Whole messages that were written elsewhere: what they say is somebody's, and nobody tells it of himself."""

from __future__ import annotations

import re

from brain_core.text.language import han_count

LONGEST_MESSAGE = 20_000
"""Characters above which a message counts as pasted."""

_PROSE = 240  # characters that one says to another without an I or a you; a Han character weighs three
_PERSONS = re.compile(
    r"\b(?:i|i'm|me|my|mine|we|us|our|ours|you|your|yours|let's|lets|please|remember|remind|note)\b|[我咱俺你您请請记記]",
    re.IGNORECASE,
)
_CODE_LINE = re.compile(
    r"\s*(?:def|class|import|from|return|if|for|while|try|except|elif|else|with|raise|function|const|let|var|public|"
    r"private|static|#include|SELECT|INSERT|UPDATE|CREATE)\b.*[:;({)]\s*$|.*[;{}]\s*$|\s*[\w.\[\]'\"]+\s*[-+*/|]?=\s*\S+.*$|"
    r"\s*[\w.]+\(.*\)\s*$"
)
_LEAST_CODE = 3  # lines
_PARAGRAPH = 400  # characters of a line that says no I and no you, above which it is somebody's text; Han weigh three
_LINES = re.compile(r"[^\n]+")


def pasted(text: str) -> str:
    """Return why a message counts as pasted, in words; empty if it does not."""
    if len(text) > LONGEST_MESSAGE:
        return f"over {LONGEST_MESSAGE} characters: counts as pasted"
    if len(text) + 2 * han_count(text) > _PROSE and not _PERSONS.search(text):
        return "long, and nobody speaks of himself or to anybody: counts as pasted"
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) >= _LEAST_CODE and 2 * sum(bool(_CODE_LINE.match(line)) for line in lines) > len(lines):
        return "most lines are code: counts as pasted"
    return ""


def paragraphs(text: str) -> list[tuple[int, int]]:
    """Return the long lines of a message in which nobody speaks of himself or to anybody: they count as pasted, too."""
    if len(text) + 2 * han_count(text) <= _PARAGRAPH:
        return []
    long = (line for line in _LINES.finditer(text) if len(line[0]) + 2 * han_count(line[0]) > _PARAGRAPH)
    return [line.span() for line in long if not _PERSONS.search(line[0])]
