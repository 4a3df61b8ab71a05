"""What holds for any bytes and any text."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from brain_core.errors import UnreadableDocument
from brain_core.readers.read import ReadLimits
from tests.readers.reading import read

NAMES = ("a.txt", "a.rst", "a.md", "a.html", "a.py", "a.json", "a.jsonl", "a.csv", "a.tsv", "a")
TYPES = (
    "",
    "text/plain",
    "text/plain; charset=gb18030",
    "text/html; charset=",
    "application/json",
    "x/y",
    ";;",
    "text/",
)

_KINDS = (
    'Words stand here.|标题|====|----|# Head|## 第二|```|> q|- a|def f(x):|class 甲:|@d|    x = 1|// c|a,b|"|{|}'
    '|{"a": [1]}|<p>x|<h1>|</h1>|---|title: x|||\t|\u3000全角|\u2028|\x0c|𠮷😀|word word word word word word word'
)
LINES = st.sampled_from(_KINDS.split("|"))
SOURCES = st.lists(LINES, max_size=40).map("\n".join)
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\x01\x7f"), max_size=300)


def sections(content: bytes, name: str, media_type: str = "", longest: int = 60) -> list[tuple[int, str]]:
    """Return (start, text) of each section; none where the document is refused."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            found = read(Path(folder), content, name, media_type, ReadLimits(100_000, longest, 60))
        except UnreadableDocument:
            return []
    for one in found:
        assert 0 < len(one.text) <= longest
        assert one.text.strip()
        assert "\n" not in one.title
        one.text.encode()
    return [(one.start, one.text) for one in found]


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.binary(max_size=400), st.sampled_from(NAMES), st.sampled_from(TYPES))
def test_any_bytes_are_read_or_refused(content: bytes, name: str, media_type: str) -> None:
    sections(content, name, media_type)


@settings(max_examples=200, deadline=None)
@given(SOURCES, st.sampled_from(NAMES), st.integers(1, 80))
def test_any_lines_are_read_or_refused(source: str, name: str, longest: int) -> None:
    sections(source.encode(), name, longest=longest)


@settings(max_examples=200, deadline=None)
@given(SOURCES | TEXTS, st.sampled_from(["a.txt", "a.rst", "a.py"]), st.integers(1, 80))
def test_texts_and_code_hold_every_line(source: str, name: str, longest: int) -> None:
    found = sections(source.encode(), name, longest=longest)
    if found or not source.strip():
        assert "".join("".join(text.split()) for _, text in found) == "".join(source.split())


@settings(max_examples=200, deadline=None)
@given(
    SOURCES, st.sampled_from(["a.txt", "a.rst", "a.md", "a.py"]), st.sampled_from(["\n", "\r\n"]), st.integers(1, 80)
)
def test_starts_point_at_the_text(source: str, name: str, ends: str, longest: int) -> None:
    for start, text in sections(source.replace("\n", ends).encode(), name, longest=longest):
        assert source[start : start + len(text)] == text


def test_a_heading_over_blank_text_starts_where_it_stands() -> None:
    for blank in ("\u2028", " \n\n", "\n\t\n"):
        assert list(sections(f"# Head\n{blank}".encode(), "a.md")) == [(0, "# Head")]


@settings(max_examples=100, deadline=None)
@given(SOURCES)
def test_markdown_loses_nothing_but_headings_and_front_matter(source: str) -> None:
    lines = [line.strip() for line in source.splitlines() if line.strip()]
    with tempfile.TemporaryDirectory() as folder:
        found = read(Path(folder), f"x\n\n{source}", "a.md")
    held = "".join("".join("".join((*one.path, one.title, one.text)).split()) for one in found)
    for line in lines:
        if line.startswith(("Words", "word ", "- a", "def f")):
            assert "".join(line.split()) in held


@settings(max_examples=100, deadline=None)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
        lambda inner: st.lists(inner, max_size=6) | st.dictionaries(TEXTS.map(lambda key: key[:9]), inner, max_size=6),
        max_leaves=30,
    ),
    st.integers(5, 200),
)
def test_json_keeps_every_word(value: object, longest: int) -> None:
    found = sections(json.dumps(value, ensure_ascii=False).encode(), "a.json", longest=longest)
    held = "".join("".join(text.split()) for _, text in found)
    for word in words(value):
        assert "".join(word.split()) in held


def words(value: object) -> list[str]:
    """Return the texts in a value."""
    if isinstance(value, dict):
        return [word for inner in value.values() for word in words(inner)]
    if isinstance(value, list):
        return [word for inner in value for word in words(inner)]
    return [value] if isinstance(value, str) else []


@pytest.mark.parametrize("name", NAMES)
def test_reading_twice_gives_the_same(name: str) -> None:
    content = '# A\n\n{"a": [1, 2]}\n\nwords, 中文\n'.encode()
    assert sections(content, name) == sections(content, name)
