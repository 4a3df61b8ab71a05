"""Signs, direction, degree and names make another value; case, width, white space and closing marks do not."""

from __future__ import annotations

import pytest

from brain_core import Brain
from brain_core.store import items
from tests.building import say
from tests.commit.drafting import decisions, draft, give, item_at, value_at

NOTE = {"uri": "project://note"}

OTHERS = [
    ("latency must stay < 200 ms", "latency must stay > 200 ms"),
    ("延迟 < 200 毫秒", "延迟 > 200 毫秒"),
    ("x <= 3", "x >= 3"),
    ("a ~ b", "a | b"),
    ("migrate billing from MySQL to Postgres", "migrate billing to MySQL from Postgres"),
    ("trains from Rome to Oslo", "trains to Rome from Oslo"),
    ("张三把李四打了", "张三被李四打了"),
    ("A* search", "A search"),
    ("vitamin A", "vitamin"),
    (".env", "env"),
    ("*.py", ".py"),
    ("_private", "private"),
    ("very spicy", "spicy"),
    ("很辣", "辣"),
    ("reports by Ann", "reports for Ann"),
    ("it was on", "it is on"),
    ("5'", '5"'),
    ("C", "C++"),
    ("not tabs", "tabs"),
]
SAME = [
    ("short", " Short. "),
    ("The port is 5433", "the port is 5433!"),
    ("the port is 5433", "port is 5433"),
    ("简短的回答", "简短回答。"),
    ("请用中文回答", "用中文回答！"),
    ("ＡＢＣ 第1天", "abc 第1天"),
    ('say "yes"', "say yes"),
    ("（早上）喝茶", "早上喝茶"),
    ("tabs,  always;", "tabs always"),
]


@pytest.mark.parametrize(("one", "other"), [*OTHERS, *((other, one) for one, other in OTHERS)])
def test_what_says_something_else_is_another_version(brain: Brain, one: str, other: str) -> None:
    give(brain, draft("notes", {**NOTE, "content": one}))
    assert decisions(give(brain, draft("notes", {**NOTE, "content": other}))) == [("overwrite", "superseded")]
    assert value_at(brain, "notes", "project://note")["content"] == other


@pytest.mark.parametrize(("one", "other"), [*SAME, *((other, one) for one, other in SAME)])
def test_what_says_the_same_is_none(brain: Brain, one: str, other: str) -> None:
    give(brain, draft("notes", {**NOTE, "content": one}))
    assert decisions(give(brain, draft("notes", {**NOTE, "content": other}))) == [("overwrite", "refreshed")]
    assert item_at(brain, "notes", "project://note").version == 1


def test_a_decision_that_is_turned_round_is_learned(brain: Brain) -> None:
    for sign in "<>":
        brain.commit_turn(say("m", "s", f"We decided that latency must stay {sign} 200 ms."))
    held = [item for item in items.scan_items(brain._kv, "m") if item.type == "decisions"]
    assert any("> 200" in item.text for item in held)
