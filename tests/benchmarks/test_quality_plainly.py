"""Plain pairs that are made of those written to be hard: the judge of revisions learns from both."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from benchmarks.quality.plainly import Pair, plainly

DENTIST = Pair("我的牙医是王医生，在三楼", "牙换地方看了，找的李医生", "王医生", "李医生", "profile", 2.0)
VAN = Pair("My van is a white Transit", "traded it in, I've a Vivaro", "white Transit", "Vivaro", "profile")


def told(pair: Pair, language: str) -> Iterator[Pair]:
    for seed in range(60):
        yield from plainly(pair, language, random.Random(seed))


@pytest.mark.parametrize(("pair", "language"), [(DENTIST, "zh"), (VAN, "en")])
def test_a_change_is_told_of_the_fact_with_its_new_value(pair: Pair, language: str) -> None:
    changes = [each for each in told(pair, language) if each.new is not None]
    assert len(changes) == 60
    assert all(str(pair.new) in each.second for each in changes)
    assert all((each.first, each.old, each.weight) == (pair.first, pair.old, pair.weight) for each in changes)
    assert len({each.second for each in changes}) > 3


def test_a_value_is_swapped_in_so_many_words_where_the_fact_names_a_thing() -> None:
    assert "我的牙医换成李医生了" in {each.second for each in told(DENTIST, "zh")}
    landlord = Pair("My landlord is Mr Whitcombe", "sold to a Mrs Adeyemi", "Mr Whitcombe", "Mrs Adeyemi", "profile")
    assert "My landlord changed to Mrs Adeyemi" in {each.second for each in told(landlord, "en")}
    named = Pair("我叫小林", "我改名了，叫林川", "小林", "林川", "profile")
    assert not any("我换成" in each.second or "我改成" in each.second for each in told(named, "zh"))


def test_the_word_now_alone_is_no_change() -> None:
    twice = [each for each in told(VAN, "en") if each.new is None]
    assert twice
    assert all("white Transit" in each.second and "Vivaro" not in each.second for each in twice)
    alike = Pair("My van is a white Transit", "a Vivaro nearly hit me.", "", None, "knowledge")
    beside = list(told(alike, "en"))
    assert 0 < len(beside) < 60
    assert all(each.new is None and "Vivaro nearly hit me" in each.second for each in beside)
    assert any(each.second.endswith(" now") for each in beside)
    assert all(each.weight < alike.weight for each in [*twice, *beside])


def test_what_just_ends_is_told_plainly_of_nothing() -> None:
    over = Pair("I have braces", "braces came OFF today", "braces", "", "profile")
    assert all(each.new is None and "braces" in each.second for each in told(over, "en"))
