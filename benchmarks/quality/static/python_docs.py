"""What Python's library and a few documented packages say of themselves: prose about many subjects, and code."""

import ast
import re
import sys
import sysconfig
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from benchmarks.quality.static.sentences import sentences

_DOCUMENTED = [
    *("sklearn", "scipy", "sympy", "statsmodels", "networkx", "astropy", "skimage", "nltk", "pandas", "matplotlib"),
    *("numpy", "joblib", "click", "pip", "yaml"),
]
_PARAGRAPH_END = re.compile(r"\n\s*\n")
_LONGEST_FUNCTION = 1200
"""Characters."""


def _modules() -> Iterator[ast.Module]:
    """Parse the standard library and the documented packages beside it."""
    standard = Path(sysconfig.get_path("stdlib"))
    installed = [Path(sysconfig.get_path("purelib")) / name for name in _DOCUMENTED]
    files = [
        *standard.glob("*.py"),
        *standard.glob("[a-z]*/*.py"),
        *(f for one in installed for f in one.rglob("*.py")),
    ]
    for file in sorted(set(files)):
        if {"test", "tests", "idlelib", "lib2to3"} & set(file.parts):
            continue
        try:
            yield ast.parse(file.read_bytes())
        except (SyntaxError, ValueError, tokenize.TokenError):
            print(f"not Python of this version: {file}", file=sys.stderr)


@cache
def _documented() -> list[tuple[str, str]]:
    """Return (docstring, source if it is a function's, else "") of all that has one."""
    nodes = (node for module in _modules() for node in ast.walk(module))
    return [
        (text, ast.unparse(node) if isinstance(node, ast.FunctionDef) else "")
        for node in nodes
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and (text := ast.get_docstring(node))
    ]


def _is_prose(paragraph: str) -> bool:
    return ">>>" not in paragraph and "---" not in paragraph


def docstrings() -> Iterator[str]:
    """Yield the sentences of docstrings, their wrapped lines joined."""
    for text, _ in _documented():
        for paragraph in _PARAGRAPH_END.split(text):
            if _is_prose(paragraph):
                yield from sentences(" ".join(paragraph.split()))


def passages() -> Iterator[str]:
    """Yield what docstrings say at length, of at least 60 words, without their first paragraph."""
    for text, _ in _documented():
        paragraphs = [" ".join(one.split()) for one in _PARAGRAPH_END.split(text)]
        body = " ".join(one for one in paragraphs[1:] if _is_prose(one))
        if body.count(" ") >= 60:
            yield body


def functions() -> Iterator[str]:
    """Yield whole functions of at most 1,200 characters with their docstring."""
    yield from (source for _, source in _documented() if 0 < len(source) <= _LONGEST_FUNCTION)
