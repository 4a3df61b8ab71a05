"""No expression takes exponential time: a message of a short word said over and over must not hold everybody up.

Python's `re` tries each way in which a repeated group may read a text before it gives up, and holds the interpreter's
lock meanwhile. `刚刚?` beside `刚` in a repeated group has two ways for each 刚刚.
"""

from __future__ import annotations

import ast
import gc
import importlib
import inspect
import pkgutil
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from types import ModuleType

import pytest

import brain_core
from brain_core.text.expression import Expression
from tests.text.ambiguity import ambiguous_loop, automata

_CPU_S = 20
_SEARCHES = frozenset({"compile", "search", "match", "fullmatch", "sub", "split", "findall", "finditer"})
_BEFORE_FLAGS = {"compile": 1, "sub": 4, "split": 3}
"""Arguments of a function of `re` that stand before its flags, 2 unless told."""


def _written(module: ModuleType) -> Iterator[tuple[str, int]]:
    """Yield (source, flags) of expressions within functions that depend on nothing but what their module has."""
    for node in ast.walk(ast.parse(inspect.getsource(module))):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        if ast.unparse(node.func.value) == "re" and node.func.attr in _SEARCHES:
            given = {each.arg: each.value for each in node.keywords}
            flags = node.args[_BEFORE_FLAGS.get(node.func.attr, 2) :]
            asked = [node.args[0], *flags, *([given["flags"]] if "flags" in given else [])]
            with suppress(NameError):  # of what a function was given
                source, *known = (eval(ast.unparse(each), vars(module)) for each in asked)
                yield source, int(known[0]) if known else 0


def _expressions() -> list[tuple[str, int]]:
    """Return (source, flags) of all expressions that brain_core has once all of it is imported."""
    for module in pkgutil.walk_packages(brain_core.__path__, "brain_core."):
        if not module.name.endswith(("__main__", "_child")):
            importlib.import_module(module.name)
    gc.unfreeze()
    found = {(each.pattern, each.flags): None for each in gc.get_objects() if isinstance(each, Expression)}
    for name, imported in list(sys.modules.items()):
        if name.startswith("brain_core.") and str(imported.__file__).endswith(".py"):
            of_re = (each for each in vars(imported).values() if isinstance(each, re.Pattern))
            found |= {(each.pattern, each.flags & ~re.UNICODE): None for each in of_re if isinstance(each.pattern, str)}
            found |= dict.fromkeys(_written(imported))
    return list(found)


def test_no_loop_of_an_expression_reads_a_word_in_two_ways() -> None:
    """Whether a match must reach the end of the text or not, so that nobody need know how each is asked."""
    found = []
    expressions = _expressions()
    for source, flags in expressions:
        for automaton in automata(source, flags, is_whole=True):
            pump = ambiguous_loop(automaton)
            if pump is not None:
                found.append(f"{pump.lead!r}, then {pump.word!r} over and over, by {source!r}")
    assert not found, "\n".join(found)
    assert len(expressions) > 2_000


TWO_WAYS = [
    "(?:a|a)*b",
    "(?:a+)*b",
    "(?:a*)*b",
    "(?:a?b?)*ba*c",
    "(?:刚刚?|刚)*说",
    r"\s*(?:哎|对了|\s)*\s*(?:,\s*|\s)*好",
    "我们?(?:之前|还|[一-鿿]{1,4}前)*得",
    "(?:从[^,]{1,9}?|都|也)*换到",
    r"(?:\w+ly|simply| )* not",
    r"(?=(?:x+x+)+y)",
    "(?>(?:a|a)*b)",
    "(?i:(?:ab|AB)*c)",
    "(?:(?!x)a|(?<=a)a)*b",
    r"(?:\w+|\bno )*!",
    "(?:a{0,20})*b",
    "(?:a*+b?)*c",
    "(a+)(?:\\1)*b",
]
ONE_WAY = [
    "(?:a|b)*c",
    "(?:刚刚?又|说)*",
    "(?:a|a)*",
    "(?:a|a){0,8}b",
    "(?>(?:a|aa))*b",
    "(?:周[一二]?+|[一二]号)*发",
    "(?:[^,，一]+一)*，",
    "(?:没(?!有)|没有|什么|有什么)*$",
    r"(?:\bno\b|\s)*!",
    "(?:a(?!b)|ab|b(?<!ab))*c",
    "(?:^a|a)*b",
    "[a-z]+[a-z]+[a-z]+$",
]


@pytest.mark.parametrize("source", TWO_WAYS)
def test_two_ways_through_a_loop_are_found(source: str) -> None:
    pumps = [ambiguous_loop(each) for each in automata(source, 0)]
    assert any(pump is not None and pump.word for pump in pumps)


@pytest.mark.parametrize("source", ONE_WAY)
def test_one_way_through_a_loop_is_none_too_many(source: str) -> None:
    assert all(ambiguous_loop(each) is None for each in automata(source, 0))


def test_what_must_reach_the_end_may_fail_there() -> None:
    assert any(ambiguous_loop(each) for each in automata("(?:a|a)*", 0, is_whole=True))


SAID_OVER_AND_OVER = [
    "嗯",
    "那好",
    "哈哈",
    "刚刚",
    "刚又",
    "好了",
    "等等",
    "啊",
    "明天",
    "给我",
    "真的",
    "可是",
    "回头",
    "所有的",
    "早就",
    "住在",
    "ok",
    "yes",
    "'",
    "_a",
    ",0",
    "go",
]


def test_what_is_said_over_and_over_is_read() -> None:
    _are_read([text for said in SAID_OVER_AND_OVER for text in _over_and_over(said)])


def _over_and_over(said: str) -> list[str]:
    return [said * 40, f"记住我喜欢茶{said * 40}x", f"I like tea, {said * 40}"]


READ_IN_TWO_WAYS = [
    "我们" + "之前" * 36 + "得",
    "我们" + "还之前" * 24 + "得",
    "把车" + "从a都" * 24 + "换到",
    "车子" + "从a都" * 24 + "换成",
    "啊刚刚说" * 10 + "涨到3000,",
    "但是" * 40,
    "好" + "但是" * 30,
    "拜" * 70 + "熊",
    "我" + "在1" * 30 + "管",
    "我年龄" + "是今年年龄" * 30,
    "I finished at A" + " today" * 40 + " x",
]


def test_words_that_another_alternative_takes_in_are_read() -> None:
    """What a repeated group reads as one word, or as a part of what stands around another: 从a都 and 都."""
    _are_read(READ_IN_TWO_WAYS)


LONG = {
    "extract.chinese.accepted:_ACCEPTS": "那" * 1900,
    "extract.chinese.target:_DENIAL": "也" * 1900,
    "extract.chinese.changes:_FROM_NOW": " " * 3000,
    "extract.chinese.orders:_ORDER": " " * 900,
    "extract.chinese.titled:_TITLED": "题目取了" + " " * 900,
    "extract.replaced:_PAID_BY_THE_MONTH": " " * 900,
    "extract.english.progress:_JOINTS": " " * 3000,
    "compose.planner.chinese_periods:_JOINS": " " * 3000,
}
"""Expressions with loops one after the other, and what each of these loops reads."""


@pytest.mark.parametrize("name", LONG)
def test_loops_one_after_the_other_end(name: str) -> None:
    module, _, attribute = f"brain_core.{name}".partition(":")
    _run(f"from {module} import {attribute} as one\none.fullmatch({LONG[name]!r} + '!'), one.search({LONG[name]!r})")


def _run(code: str) -> None:
    """Run code in a process that ends when its time is up: it must have ended before."""
    command = f'ulimit -t {_CPU_S}; exec {sys.executable} -c "$0"'
    tried = subprocess.run(["bash", "-c", command, code], capture_output=True, text=True, check=False)
    assert tried.returncode == 0, f"{tried.stderr[-500:]}\n{tried.stdout[-500:]}"


def _are_read(texts: Sequence[str]) -> None:
    """Assert that texts are read, each, and looked at for whether they say anything, before time is up."""
    _run(
        "from brain_core.text.contentless import is_contentless\n"
        "from tests.extraction.reading import read\n"
        f"for text in {list(texts)!r}:\n"
        "    print(repr(text), flush=True)\n"
        "    read(text), is_contentless(text)"
    )
