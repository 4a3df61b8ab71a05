"""Expressions that are compiled at first use."""

import gc
import re

import pytest

from brain_core.extract.chinese import CHINESE
from brain_core.extract.english import ENGLISH
from brain_core.text.expression import Expression


def test_it_does_what_a_compiled_one_does() -> None:
    lazy = Expression(r"(?P<word>b\w+)", re.IGNORECASE)
    match = lazy.search("a Bee")
    assert match is not None
    assert (match["word"], match.span()) == ("Bee", (2, 5))
    assert [each[0] for each in lazy.finditer("bat, BALL")] == ["bat", "BALL"]
    assert Expression(r"\s+").sub(" ", "a  b") == "a b"
    assert lazy.pattern == r"(?P<word>b\w+)"


def test_an_error_is_raised_at_first_use() -> None:
    broken = Expression("(")
    with pytest.raises(re.error, match="unterminated"):
        broken.search("x")


def test_each_expression_of_the_rules_compiles() -> None:
    rules = [each for spoken in (ENGLISH, CHINESE) for each in (*spoken.rules, *spoken.skips)]
    assert len(rules) > 300
    waiting = [each for each in gc.get_objects() if type(each) is Expression and each.pattern != "("]
    assert len(waiting) > 200
    for each in waiting:
        re.compile(each.pattern, each.flags)
