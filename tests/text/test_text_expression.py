"""Expressions that are compiled at first use."""

import gc
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brain_core.extract.chinese import CHINESE
from brain_core.extract.english import ENGLISH
from brain_core.extract.language import Rule, SkipRule
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
    gc.unfreeze()  # what stays is hidden once tests are collected
    waiting = [each for each in gc.get_objects() if type(each) is Expression and each.pattern != "("]
    gc.freeze()
    assert len(waiting) > 200
    for each in waiting:
        re.compile(each.pattern, each.flags)


TEXTS = (
    "Actually I MOVED to Lisbon on May 3rd, and my boss Kim isn't happy about it!",
    "i decided to use PostgreSQL 16 for the billing service; the old one is no longer used",
    "We're done with the Report. Remind me to call Dr. Brown tomorrow at 5pm",
    "My wife's name is ANNA, she works as a nurse, and I'm allergic to Peanuts",
    "It’s not the cache: the café in İzmir ſtarts at 9, Kelvin K1",
    "我们决定用 Redis 做缓存，IP 是 10.0.0.1，Done!",
    "",
)


def test_rules_find_in_any_case_what_compiled_ones_do() -> None:
    """Of texts without capitals but ASCII those that ignore case look in small letters first."""
    languages = (ENGLISH, CHINESE)
    rules: list[Rule | SkipRule] = [rule for spoken in languages for rule in spoken.rules]
    rules += [skip for spoken in languages for skip in spoken.skips]
    ignoring = {each.pattern.pattern: each.pattern for each in rules if each.pattern.flags == re.IGNORECASE}
    assert len(ignoring) > 150
    for lazy in ignoring.values():
        compiled = re.compile(lazy.pattern, lazy.flags)
        for text in TEXTS:
            for said in (text, text.upper()):
                assert _told(lazy.search(said)) == _told(compiled.search(said))
                assert _told(lazy.search(said, 3, 40)) == _told(compiled.search(said, 3, 40))
                assert _told(lazy.match(said)) == _told(compiled.match(said))
                assert lazy.findall(said) == compiled.findall(said)
                assert lazy.sub("_", said) == compiled.sub("_", said)


def test_rules_find_what_compiled_ones_do_once_they_have_been_asked_often() -> None:
    """Then a text is searched no longer that lacks what each match needs."""
    languages = (ENGLISH, CHINESE)
    rules = [rule.pattern for spoken in languages for rule in spoken.rules]
    rules += [skip.pattern for spoken in languages for skip in spoken.skips]
    texts = (*TEXTS, *(text[7:40] for text in TEXTS))
    for lazy in rules:
        compiled = re.compile(lazy.pattern, lazy.flags)
        for text in texts * 2:
            assert _told(lazy.search(text)) == _told(compiled.search(text))
            assert _told(lazy.match(text, 2)) == _told(compiled.match(text, 2))
        assert [lazy.findall(text) for text in texts] == [compiled.findall(text) for text in texts]
        assert [lazy.sub("_", text) for text in texts] == [compiled.sub("_", text) for text in texts]
        assert [each.span() for each in lazy.finditer(texts[0])] == [
            each.span() for each in compiled.finditer(texts[0])
        ]


@pytest.mark.parametrize(
    "pattern",
    [
        r"\b(?:K|Is)\W",
        r"[A-Z]\w+\S",
        r"(?-i:[A-Z])a",
        r"(?P<X>k)(?P=X)",
        r"\u0130|[\u0100-\u0140]",
        r"[^a-y]",
        "ſ|ß",
        r"\x41",
    ],
)
@given(text=st.text(alphabet="KkİıIisSſßAaZz我，。 \n-'", max_size=12))
def test_no_letter_is_found_by_another_way(pattern: str, text: str) -> None:
    lazy, compiled = Expression(pattern, re.IGNORECASE), re.compile(pattern, re.IGNORECASE)
    assert _told(lazy.search(text)) == _told(compiled.search(text))
    assert _told(lazy.match(text)) == _told(compiled.match(text))
    assert (lazy.findall(text), lazy.sub("_", text)) == (compiled.findall(text), compiled.sub("_", text))


def _told(found: re.Match[str] | None) -> object:
    return None if found is None else (found.regs, found.groups())
