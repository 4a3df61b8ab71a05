"""Documents as they are meant to be: what each format gives, in English and Chinese."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from brain_core.errors import UnreadableDocument
from brain_core.readers.document import Section
from tests.readers.pdfs import pdf, stream, text_page
from tests.readers.reading import begin, outline, read, refusal


def test_plain_text_is_cut_at_paragraphs(folder: Path) -> None:
    paragraph = "A sentence of some words. " * 8
    source = "\n\n".join([paragraph.strip()] * 4) + "\n"
    found = read(folder, source, "notes.txt")
    assert [one.text for one in found] == [paragraph.strip()] * 4
    assert [source[one.start : one.start + len(one.text)] for one in found] == [one.text for one in found]
    assert outline(found) == [("",)] * 4


def test_underlined_headings_give_a_text_its_structure(folder: Path) -> None:
    source = "Guide\n=====\n\nSetup\n-----\nRun it.\n\n安装说明\n--------\n先装好。\n\nAppendix\n========\nEnd.\n"
    reading = begin(folder, source, "guide.rst")
    found = list(reading.sections)
    assert (reading.media_type, reading.title) == ("text/x-rst", "Guide")
    assert outline(found) == [("Guide", "Setup"), ("Guide", "安装说明"), ("Appendix",)]
    assert found[0].text == "Guide\n=====\n\nSetup\n-----\nRun it.", "no section is a heading and nothing else"
    assert found[1].text == "安装说明\n--------\n先装好。"
    assert source[found[1].start :].startswith(found[1].text)


def test_overlined_headings_stand_above_underlined_ones(folder: Path) -> None:
    source = "====\nBook\n====\n\nPart\n====\ntext\n"
    assert outline(read(folder, source, "a.rst")) == [("Book", "Part")]


def test_rules_and_lists_are_no_headings(folder: Path) -> None:
    source = "a paragraph\nof two lines\n------------\nmore\n\n-----\n\nName  Age\n----  ---\nAnn   3\n"
    assert outline(read(folder, source, "a.txt")) == [("",)]


def test_markdown_headings_give_the_structure(folder: Path) -> None:
    source = (
        "---\ntitle: Field notes\ntags: [bees, 蜜蜂]\nauthor: Ann\n---\nbefore\n\n# The **whole** `hive`\n\n"
        "## Queen [one](http://x)\n\nShe rests.\n\n```sh\n# no heading\n```\n\n"
        "> # nor this\n\n工蜂\n----\n采蜜。\n\n# Last\n"
    )
    reading = begin(folder, source, "bees.md")
    found = list(reading.sections)
    assert (reading.media_type, reading.title, reading.tags) == ("text/markdown", "Field notes", ("bees", "蜜蜂"))
    assert reading.warnings == []
    assert found.pop(0).text == "title: Field notes\ntags: [bees, 蜜蜂]\nauthor: Ann"
    assert outline(found) == [("",), ("The whole hive", "Queen one"), ("The whole hive", "工蜂"), ("Last",)]
    assert found[1].text.startswith("She rests.")
    assert found[1].text.endswith("> # nor this")
    assert found[3].text == "# Last", "a heading with nothing under it is its own text"
    assert all(source[one.start : one.start + len(one.text)] == one.text for one in found)


def test_the_first_heading_is_the_title_where_front_matter_has_none(folder: Path) -> None:
    assert begin(folder, "\n# 蜂群\n\ntext\n", "a.md").title == "蜂群"
    assert begin(folder, "text\n\n# Later\n\ntext\n", "a.md").title == ""


@pytest.mark.parametrize(
    "above",
    [
        "[![ci](https://ci.example/b.svg)](https://ci.example)",
        "<!-- generated, do not edit -->",
        "<!--\ntwo\n\nparts -->",
        '<p align="center"><img src="logo.png" alt="Logo"></p>',
        "[![a](b)](c) [![d](e)](f)\n![图](g)",
        "***",
        "---\nauthor: Ann\n---",
    ],
)
def test_what_has_no_words_above_the_first_heading_takes_no_title_away(folder: Path, above: str) -> None:
    reading = begin(folder, f"{above}\n\n# Puffin 引擎\n\ntext\n", "README.md")
    assert reading.title == "Puffin 引擎"
    assert [one.text for one in reading.sections][-1] == "text"


@pytest.mark.parametrize(
    ("matter", "words"),
    [
        ("author: Ann\nstatus: draft\nexpires: 2031-05-01\n", ["Ann", "draft", "2031-05-01"]),
        ("title: 手册\n描述: 港口的起重机\n", ["港口的起重机"]),
        ("description: |\n  Two lines\n  of it\n", ["of it"]),
    ],
)
def test_what_front_matter_says_beyond_title_and_tags_is_the_first_section(
    folder: Path, matter: str, words: list[str]
) -> None:
    source = f"---\n{matter}---\n# Head\n\ntext\n"
    found = read(folder, source, "a.md")
    assert all(word in found[0].text for word in words)
    assert (found[0].aside, found[1].aside, found[1].text) == (True, False, "text")
    assert all(source[one.start : one.start + len(one.text)] == one.text for one in found)


def test_front_matter_of_title_and_tags_alone_is_no_section(folder: Path) -> None:
    for matter in ("title: A\ntags: [b]\n", "", "keywords: x\n", "author:\n"):
        assert [one.text for one in read(folder, f"---\n{matter}---\ntext\n", "a.md")] == ["text"]


def test_text_between_two_rules_is_text(folder: Path) -> None:
    for between in ("Plain words stand here.\n", "第一段。\n\n第二段。\n", "- a: [b\n- Words\n"):
        held = "".join(one.text for one in read(folder, f"---\n\n{between}\n---\n\nafter\n", "a.md"))
        assert all(line in held for line in between.splitlines())


def test_code_fences_stay_whole_where_they_fit(folder: Path) -> None:
    fence = "```py\n" + "x = 1\n\n" * 45 + "```"
    source = f"# A\n\n{'word ' * 60}\n\n{fence}\n\nafter\n"
    assert any(one.text.startswith(fence) for one in read(folder, source, "a.md"))


def test_a_fence_goes_on_over_parts(folder: Path) -> None:
    fence = "```\n" + "# no heading, in a fence that is longer than a part\n" * 3000 + "```\n"
    found = read(folder, f"# A\n\n{fence}\n# B\n\nend\n", "a.md")
    assert {one.title for one in found} == {"A", "B"}
    assert (found[-1].title, found[-1].text) == ("B", "end")


def test_headings_are_found_in_every_part(folder: Path) -> None:
    source = "".join(f"## Head {place}\n\nSome words under it.\n\n" for place in range(6000))
    found = read(folder, source, "a.md")
    assert outline(found) == [(f"Head {place}",) for place in range(6000)]
    assert all(source[one.start : one.start + len(one.text)] == one.text for one in found)


def test_html_keeps_what_is_read_and_drops_what_is_around(folder: Path) -> None:
    source = (
        "<!doctype html><html><head><title>Bees &amp; 蜜蜂</title><meta name=keywords content='hive, 蜂'>"
        "<style>p{}</style></head><body><nav>Menu</nav><h1>One</h1><p>Hello <b>bold</b>&nbsp;world&mdash;x"
        "<ul><li>a<li>b<ul><li>c</ul></ul><ol><li>x<li>y</ol><table><tr><th>名<th>Age<tr><td>李雷<td>3</table>"
        "<pre>def f():\n    pass</pre><h2>Two</h2>text<br>next<script>if (a<b) 1</script></body><footer>(c)</footer>"
    )
    reading = begin(folder, source, "page.html")
    found = list(reading.sections)
    assert (reading.title, reading.tags) == ("Bees & 蜜蜂", ("hive", "蜂"))
    assert outline(found) == [("One",), ("One", "Two")]
    assert found[0].text == ("Hello bold world—x\n- a\n- b\n  - c\n1. x\n2. y\n名 | Age\n李雷 | 3\ndef f():\n    pass")
    assert found[1].text == "text\nnext"
    assert reading.warnings == ["left out around the text: footer (1), nav (1)"]


def test_html_says_its_own_charset(folder: Path) -> None:
    page = "<meta charset=gb2312><p>" + "中文网页，镕基。" * 5
    assert read(folder, page.encode("gb18030"), "a.html")[0].text == "中文网页，镕基。" * 5


def test_pdf_pages_come_under_their_bookmarks(folder: Path) -> None:
    content = pdf(
        [text_page("Hello (world)", "second"), text_page("知识图谱", "ASCII"), stream(b""), text_page("end")],
        title="报告 R",
        bookmarks=[("Chapter 一", 1), ("Two", 4)],
    )
    reading = begin(folder, content, "https://example.org/report.pdf?x=1")
    assert list(reading.sections) == [
        Section("Chapter 一", (), "Hello (world)\nsecond", 1),
        Section("Chapter 一", (), "知识图谱\nASCII", 2),
        Section("Two", (), "end", 4),
    ]
    assert (reading.media_type, reading.title, reading.tags) == ("application/pdf", "报告 R", ("alpha", "beta"))
    assert reading.warnings == ["1 pages have no text (images are not read): 3"]


@pytest.mark.parametrize(
    ("name", "source", "titles"),
    [
        (
            "a.py",
            "import x\n\n# 打开\n@cached(\n    1)\nclass Brain(Base):\n    x = 1\n\n    a = 1\n\nasync def open(x):\n",
            ["", "class Brain", "async def open"],
        ),
        (
            "a.go",
            "package x\n\n// Foo does\nfunc Foo(a int) {\n}\n\nfunc (b *B) Bar() error {\n}\n",
            ["", "func Foo", "func (b *B) Bar"],
        ),
        (
            "a.rs",
            "use x;\n\n#[derive(Debug)]\npub struct A<T> {\n}\n\nimpl A {\n    fn f() {}\n}\n",
            ["", "pub struct A<T>", "impl A"],
        ),
        (
            "a.ts",
            "import x\n\n/** 说明 */\nexport const go = async (x) => {\n}\n\nexport default function App() {\n}\n",
            ["", "export const go", "export default function App"],
        ),
        (
            "a.cpp",
            "#include <x>\n\n/*\n * main\n */\nint main(int n) {\n}\n\nstd::string A::foo(int x) {\n}\n",
            ["", "int main", "std::string A::foo"],
        ),
    ],
)
def test_code_is_cut_at_its_definitions(folder: Path, name: str, source: str, titles: list[str]) -> None:
    found = read(folder, source, name)
    assert [one.title for one in found] == titles
    assert all(source[one.start : one.start + len(one.text)] == one.text for one in found)
    assert found[1].text[0] in "#/", "what stands right above a definition belongs to it"


def test_json_values_stand_under_their_names(folder: Path) -> None:
    source = (
        '{"name": "蜂", "v": 1.50, "deps": {"a": "1", "b": ["x", "y"]}, "users": [{"n": 1}, {"n": null, "ok": true}]}'
    )
    found = read(folder, source, "a.json")
    assert found == [
        Section("deps", (), "a: 1\nb: x, y"),
        Section("users", (), "n: 1\nn: null\nok: true", start=13),
        Section("", (), "name: 蜂\nv: 1.50", start=35),
    ]


def test_long_json_is_cut_where_values_end(folder: Path) -> None:
    people = ", ".join(f'{{"id": {place}, "名": "name {place}"}}' for place in range(100))
    found = read(folder, f'{{"staff": {{"people": [{people}], "count": 100}}}}', "a.json")
    assert {(*one.path, one.title) for one in found} == {("staff", "people"), ("staff",)}
    assert all(one.text.startswith("id: ") for one in found[:-1]), "records are not cut"
    assert "".join(one.text for one in found).count("名: ") == 100
    assert found[-1].text == "count: 100"


def test_json_lines_are_records(folder: Path) -> None:
    source = "".join(f'{{"id": {place}, "text": "行 {place}"}}\n' for place in range(50))
    found = read(folder, source, "a.jsonl")
    assert found[0].text.startswith("id: 0\ntext: 行 0\n\nid: 1")
    assert "\n".join(one.text for one in found).count("text: ") == 50
    assert begin(folder, source, "").media_type == "application/jsonl"


def test_rows_repeat_the_names_of_their_columns(folder: Path) -> None:
    reading = begin(folder, 'name,city\nAnn,"Rome, IT"\n李雷,北京\n\nBo,,extra\n', "a.csv")
    assert [one.text for one in reading.sections] == [
        "name: Ann\ncity: Rome, IT\n\nname: 李雷\ncity: 北京\n\nname: Bo\ncolumn 3: extra"
    ]
    assert reading.warnings == ["rows have more or fewer cells than the first, at lines 5"]
    assert read(folder, "1;2\n3;4\n", "a.csv")[0].text == "column 1: 1\ncolumn 2: 2\n\ncolumn 1: 3\ncolumn 2: 4"
    assert read(folder, "a\tb\n1\t2\n", "a.tsv")[0].text == "a: 1\nb: 2"
    assert read(folder, "only,names\n", "a.csv")[0].text == "only, names"


@pytest.mark.parametrize(
    ("content", "name", "media_type", "expected"),
    [
        ("<html><p>x", "", "", "text/html"),
        ("# Head\n\nx", "notes", "", "text/markdown"),
        ("#!/bin/sh\necho\n", "run", "", "text/x-source"),
        ('{"a": 1}', "", "application/octet-stream", "application/json"),
        ("[1] a reference\n", "", "", "text/plain"),
        ("plain", "a.unknown", "", "text/plain"),
        ("a,b\n", "a.txt", "text/csv; charset=utf-8", "text/csv"),
        ("BEGIN", "a", "text/calendar", "text/calendar"),
        ("def f(): pass", "HTTPS://X.org/A.PY#l1", "", "text/x-python"),
    ],
)
def test_the_format_is_told(folder: Path, content: str, name: str, media_type: str, expected: str) -> None:
    assert begin(folder, content, name, media_type).media_type == expected


@pytest.mark.parametrize(
    ("encoding", "media_type"),
    [
        ("utf-8", ""),
        ("utf-8-sig", ""),
        ("utf-16", ""),
        ("utf-32", ""),
        ("gb18030", ""),
        ("big5", "text/plain; charset=Big5"),
        ("utf-16-le", "text/plain; charset=utf-16le"),
    ],
)
def test_charsets_are_told_or_taken_as_declared(folder: Path, encoding: str, media_type: str) -> None:
    text = "北京是一座大城市，今天的天气很好。\n全角：ＡＢＣ１２３，「引號」。"
    if encoding == "big5":
        text = "台北是一座大城市，今天的天氣很好。"
    reading = begin(folder, text.replace("\n", "\r\n").encode(encoding), "a.txt", media_type)
    assert [one.text for one in reading.sections] == [text]
    guessed = encoding == "gb18030"  # which nothing in the content says
    assert reading.warnings == ["read as gb18030 (guessed): if that is wrong, declare its charset"] * guessed


def test_utf16_without_a_mark_is_told_by_its_zeros(folder: Path) -> None:
    assert read(folder, "plain words, no mark".encode("utf-16-be"), "a.txt")[0].text == "plain words, no mark"


def test_western_text_is_told(folder: Path) -> None:
    text = "Café résumé naïve – “quoted”. Ça va très bien, merci; où êtes-vous allés ?"
    assert read(folder, text.encode("cp1252"), "a.txt")[0].text == text


def test_a_few_bad_bytes_are_replaced_and_named(folder: Path) -> None:
    reading = begin(folder, ("中文" * 100).encode() + b"\xff" + "完".encode(), "a.txt")
    assert "".join(one.text for one in reading.sections) == "中文" * 100 + "\ufffd完"
    assert reading.warnings == ["read as utf-8: 1 characters replaced by U+FFFD"]


def test_an_unknown_charset_of_a_page_is_a_warning(folder: Path) -> None:
    reading = begin(folder, "<meta charset=klingon><p>Ça va très bien, où êtes-vous allés ?".encode("cp1252"), "a.html")
    assert [one.text for one in reading.sections] == ["Ça va très bien, où êtes-vous allés ?"]
    assert "unknown charset" in reading.warnings[0]


def test_sections_are_read_as_they_are_asked_for(folder: Path) -> None:
    lines = "".join(f'{{"id": {place}}}\n' for place in range(40_000))
    reading = begin(folder, f"{lines}oops", "a.jsonl")
    assert next(reading.sections).text.startswith("id: 0")
    with pytest.raises(UnreadableDocument, match="line 40001, column 1"):
        list(reading.sections)


@pytest.mark.parametrize(
    "style", ["display:none", "color: red; DISPLAY : None !important", "visibility:hidden;", "margin:0;display:none;"]
)
def test_what_a_page_does_not_show_is_not_read(folder: Path, style: str) -> None:
    page = f'<p>seen</p><div style="{style}">unseen <b>bold</b><br></div><p style="display:block">看得见</p>'
    assert read(folder, page, "a.html")[0].text == "seen\n看得见"


def test_a_notebook_gives_its_cells_and_what_they_printed(folder: Path) -> None:
    picture = {"output_type": "display_data", "data": {"image/png": "aGVsbG8=" * 100, "text/plain": ["<Figure>"]}}
    cells = [
        {"cell_type": "markdown", "source": ["# Wombats 袋熊\n", "\n", "They sleep."]},
        {"cell_type": "code", "source": "x = '```'\nprint(41 + 1)", "outputs": [
            {"output_type": "stream", "name": "stdout", "text": ["42\n"]},
            {"output_type": "execute_result", "data": {"text/plain": "array([7])"}},
            {"output_type": "error", "ename": "KeyError", "evalue": "'burrow'", "traceback": ["\x1b[0;31m"]},
            picture,
        ]},
        {"cell_type": "markdown", "source": "## 结论\n\n睡得多。"},
    ]  # fmt: skip
    content = json.dumps({"cells": cells, "metadata": {"kernelspec": {"name": "python3"}}, "nbformat": 4})
    reading = begin(folder, content, "a.ipynb")
    found = list(reading.sections)
    assert (reading.media_type, reading.title) == ("application/x-ipynb+json", "Wombats 袋熊")
    assert outline(found) == [("Wombats 袋熊",), ("Wombats 袋熊", "结论")]
    for words in ("They sleep.", "print(41 + 1)", "42", "array([7])", "KeyError: 'burrow'", "<Figure>"):
        assert words in found[0].text
    held = "".join(one.text for one in found)
    assert not any(junk in held for junk in ("aGVs", "kernelspec", "cell_type"))


def test_what_is_only_named_a_notebook_is_read_as_json(folder: Path) -> None:
    assert "a: 1" in read(folder, '{"a": 1}', "a.ipynb")[0].text
    assert "is not JSON" in str(refusal(folder, '{"a": ', "a.ipynb"))


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("<h1>Setup</h1><p>Run it.</p><h2>安装</h2><p>先装好。</p><p>Then rest.</p>", "a.html"),
        (json.dumps({"port": {"web": 80, "说明": "网页"}, "hosts": ["a", "b"]}), "a.json"),
        ("name,age\nAnn,3\n李,4\n" * 9, "a.csv"),
    ],
)
def test_texts_that_are_made_anew_tell_their_place_among_themselves(folder: Path, source: str, name: str) -> None:
    found = read(folder, source, name)
    whole = "".join(f"{one.text}\n" for one in found)
    assert len({one.start for one in found}) == len(found) > 1
    assert all(whole[one.start : one.start + len(one.text)] == one.text for one in found)
