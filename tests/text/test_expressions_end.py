"""No expression takes exponential time: a message of a short word said over and over must not hold everybody up.

Python's `re` tries each way in which a repeated group may read a text before it gives up, and holds the interpreter's
lock meanwhile. `刚刚?` beside `刚` in a repeated group has two ways for each 刚刚.
"""

from __future__ import annotations

import gc
import importlib
import pkgutil
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from random import Random
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

import pytest

import brain_core
from brain_core.text.expression import Expression

_LONG = 40
"""Code points of a repeated text: twice as long takes a million times the time where it is exponential."""
_CPU_S = 20
_MOST_BODIES = 12
_CHARACTERS = {
    op.CATEGORY_WORD: "a",
    op.CATEGORY_DIGIT: "1",
    op.CATEGORY_SPACE: " ",
    op.CATEGORY_NOT_WORD: "-",
    op.CATEGORY_NOT_SPACE: "a",
    op.CATEGORY_NOT_DIGIT: "a",
}
_NO_MATCH = ("", "\x01")
"""What stands behind a repeated text: where nothing follows, and where no match may end."""


def _of_class(entries: Sequence[Any]) -> list[str]:
    if entries and entries[0][0] is op.NEGATE:
        return ["a"]
    found = []
    for code, value in entries:
        if code is op.LITERAL:
            found.append(chr(value))
        elif code is op.RANGE:
            found.append(chr(value[0]))
        elif code is op.CATEGORY:
            found.append(_CHARACTERS.get(value, "a"))
    return found[:6] or ["a"]


def _texts(parts: Any, optional: int, random: Random, most: int = 6) -> list[str]:  # noqa: ANN401  sre's own
    """Return texts that a parsed expression matches, mostly: the first way, and some others. optional: 0 or 1 times."""
    whole = [""]
    for code, value in parts:
        here = _of_one(code, value, optional, random)
        here = list(dict.fromkeys(here)) or [""]
        here = here if len(here) <= most else [here[0], *random.sample(here[1:], most - 1)]
        whole = [text + more for text in whole for more in here]
        whole = whole if len(whole) <= most else [whole[0], *random.sample(whole[1:], most - 1)]
    return whole


def _of_one(code: Any, value: Any, optional: int, random: Random) -> list[str]:  # noqa: ANN401
    found = [""]
    if code is op.LITERAL:
        found = [chr(value)]
    elif code in (op.NOT_LITERAL, op.ANY):
        found = ["a"]
    elif code is op.IN:
        found = _of_class(value)
    elif code is op.BRANCH:
        found = [text for branch in value[1] for text in _texts(branch, optional, random, 2)]
    elif code in (op.SUBPATTERN, op.ATOMIC_GROUP):
        found = _texts(value[3] if code is op.SUBPATTERN else value, optional, random)
    elif code in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
        least, most, body = value
        times = max(least, min(optional, most))
        found = [text * times for text in _texts(body, optional, random)] if times else [""]
    return found


def _repeated(parts: Any, before: str, random: Random) -> Iterator[tuple[str, str]]:  # noqa: ANN401
    """Yield (a text that leads to a repeated group, a text that the group matches once)."""
    for code, value in parts:
        if code in (op.MAX_REPEAT, op.MIN_REPEAT):
            _, most, body = value
            if most >= _LONG // 8:
                bodies = [text for optional in (0, 1) for text in _texts(body, optional, random, _MOST_BODIES)]
                yield from ((before, text) for text in dict.fromkeys(bodies) if text)
            yield from _repeated(body, before, random)
        elif code is op.BRANCH:
            for branch in value[1]:
                yield from _repeated(branch, before, random)
        elif code is op.SUBPATTERN:
            yield from _repeated(value[3], before, random)
        elif code is op.ASSERT:
            yield from _repeated(value[1], before, random)
        elif code is op.ATOMIC_GROUP:
            yield from _repeated(value, before, random)
        before += _texts([(code, value)], 0, random, 1)[0]


def _expressions() -> list[tuple[str, int]]:
    """Return (source, flags) of all expressions that brain_core has once all of it is imported."""
    for module in pkgutil.walk_packages(brain_core.__path__, "brain_core."):
        if not module.name.endswith(("__main__", "_child")):
            importlib.import_module(module.name)
    found = {(each.pattern, each.flags): None for each in gc.get_objects() if isinstance(each, Expression)}
    for name, imported in list(sys.modules.items()):
        if name.startswith("brain_core."):
            of_re = (each for each in vars(imported).values() if isinstance(each, re.Pattern))
            found |= {(each.pattern, each.flags & ~re.UNICODE): None for each in of_re if isinstance(each.pattern, str)}
    return list(found)


def try_all() -> None:
    """Search for what each repeated group matches, many times over; in a process that is ended where it takes long."""
    random = Random(1)
    for source, flags in _expressions():
        compiled = re.compile(source, flags)
        for before, body in dict.fromkeys(_repeated(parser.parse(source, flags), "", random)):
            text = before + body * max(1, _LONG // len(body))
            print(f"{text!r} by {source!r}", flush=True)
            for end in _NO_MATCH:
                compiled.search(text + end)


def test_no_expression_takes_exponential_time() -> None:
    tried = subprocess.run(
        ["bash", "-c", f"ulimit -t {3 * _CPU_S}; exec {sys.executable} {__file__}"],
        capture_output=True,
        text=True,
        check=False,
    )
    last = tried.stdout.rstrip().rpartition("\n")[2]
    assert tried.returncode == 0, f"{tried.stderr[-500:]}\nlooking for {last[:2000]}"


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


@pytest.mark.parametrize("said", SAID_OVER_AND_OVER)
def test_what_is_said_over_and_over_is_read(said: str) -> None:
    """In a process of its own, which ends where it takes long."""
    assert _is_read([said * 40, f"记住我喜欢茶{said * 40}x", f"I like tea, {said * 40}"])


READ_IN_TWO_WAYS = ["我们" + "之前" * 36 + "得", "我们" + "还之前" * 24 + "得", "把车" + "从a都" * 24 + "换到"]
READ_IN_TWO_WAYS += ["车子" + "从a都" * 24 + "换成", "啊刚刚说" * 10 + "涨到3000,", "但是" * 40, "好" + "但是" * 30]


@pytest.mark.parametrize("text", READ_IN_TWO_WAYS)
def test_words_that_another_alternative_takes_in_are_read(text: str) -> None:
    """What a repeated group reads as one word, or as a part of what stands around another: 从a都 and 都."""
    assert _is_read([text])


def _is_read(texts: Sequence[str]) -> bool:
    """Return whether texts are read, each, and looked at for whether they say anything, before time is up."""
    code = (
        "from brain_core.text.contentless import is_contentless\n"
        "from tests.extraction.reading import read\n"
        f"for text in {list(texts)!r}: read(text), is_contentless(text)"
    )
    command = f'ulimit -t {_CPU_S}; exec {sys.executable} -c "$0"'
    return subprocess.run(["bash", "-c", command, code], check=False).returncode == 0


if __name__ == "__main__":
    try_all()
