"""What makes untrue what is known, though no rule of corrections reads it: a judge of pairs."""

from __future__ import annotations

from datetime import date
from difflib import SequenceMatcher
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from smartbrain.v1.brain_service_pb2 import CommitTurnResponse
from smartbrain.v1.event_pb2 import Decision
from smartbrain.v1.item_pb2 import ITEM_STATUS_RETRACTED
from smartbrain.v1.memory_service_pb2 import ListItemsRequest

from brain_core import Brain
from brain_core.extract.alike import Sentence
from brain_core.extract.built_alike import built_alike
from brain_core.extract.claims import Claim, ClaimTable
from brain_core.extract.language import Found
from brain_core.extract.revision import Revision, doubting, revising
from brain_core.extract.stays import stays
from tests.building import open_brain, say, turn
from tests.extraction.reading import item
from tests.extraction.updates import believed, lines

DAY = 86_400
REVISED = [
    ("I weigh 84 kg", "weighed myself today, I'm 79 kg", "79", "84"),
    ("数据库地址是10.0.0.12", "数据库迁到10.0.3.45了", "10.0.3.45", "10.0.0.12"),
]
NEVER = {"policies": {"retention": {"worth": {"doubt": 1, "revise": 1}}}}


def told(brain: Brain, first: str, second: str) -> CommitTurnResponse:
    brain.commit_turn(say("m", "one", first, at=0))
    return brain.commit_turn(say("m", "two", second, at=2 * DAY))


@pytest.mark.parametrize(("first", "second", "new", "old"), REVISED)
def test_what_is_said_to_hold_now_ends_what_held(folder: Path, first: str, second: str, new: str, old: str) -> None:
    with open_brain(folder) as brain:
        answer = told(brain, first, second)
        texts = [text for _, text in believed(brain, "m")]
        assert any(new in text for text in texts)
        assert not any(old in text for text in texts)
        because = [verdict.reason for verdict in answer.explain.retention if verdict.rule == "revision"]
        assert because
        assert all(reason.startswith("no longer so, it seems (p 0.") for reason in because)


@pytest.mark.parametrize(("first", "second", "new", "old"), REVISED)
def test_the_policy_may_leave_it_to_rules(folder: Path, first: str, second: str, new: str, old: str) -> None:  # noqa: ARG001
    with open_brain(folder, **NEVER) as brain:
        told(brain, first, second)
        assert any(old in text for _, text in believed(brain, "m"))


def test_what_held_is_there_as_of_then_and_in_the_history(folder: Path) -> None:
    with open_brain(folder) as brain:
        first, second, _, old = REVISED[1]
        brain.commit_turn(say("m", "one", first, at=0))
        revision = brain.list_items(ListItemsRequest(memory_id="m")).items[0].revision
        brain.commit_turn(say("m", "two", second, at=2 * DAY))
        request = ListItemsRequest(memory_id="m")
        request.as_of.revision = revision
        assert any(old in each.text for each in brain.list_items(request).items)
        ended = brain.list_items(ListItemsRequest(memory_id="m", statuses=[ITEM_STATUS_RETRACTED])).items
        assert any(old in each.text for each in ended)


@pytest.mark.parametrize(
    ("fact", "later"),
    [
        ("I use an iPhone 12", "my sister got a Pixel 9, that's her phone now"),
        ("I use an iPhone 12", "should I get a Pixel 9 instead?"),
        ("I use an iPhone 12", "if I got a Pixel 9, that would be my phone"),
        ("Shelf 7 carries the lamps", "Shelf 8 carries the vases"),
        ("会议室3在二楼", "会议室4在五楼"),
        ("数据库地址是10.0.0.12", "数据库要不要迁到10.0.3.45？"),
        ("数据库地址是10.0.0.12", "隔壁组的数据库迁走了"),
    ],
)
def test_what_others_have_and_what_is_only_asked_or_thought_ends_nothing(folder: Path, fact: str, later: str) -> None:
    with open_brain(folder) as brain:
        brain.commit_turn(say("m", "one", fact, at=0))
        before = lines(brain, "m")
        brain.commit_turn(say("m", "two", later, at=DAY))
        assert before <= lines(brain, "m")


@pytest.mark.parametrize(
    ("fact", "later"),
    [
        ("We chose Postgres for the database", "we did not go with MySQL, Postgres stays"),
        ("We use Postgres for the database", "we did not go with MySQL, Postgres stays"),
        ("We use Postgres for the database", "In the end we didn't go with MySQL."),
        ("We decided to use Postgres", "We didn't go with MySQL, Postgres stays"),
        ("数据库我们用Postgres", "我们没有换成MySQL，还是用Postgres"),
        ("我们决定用Postgres", "最后没用MySQL，Postgres留着"),
        ("数据库我们用Postgres", "我们没有换成MySQL，Postgres不变"),
    ],
)
def test_what_is_said_to_stay_is_not_put_in_doubt(folder: Path, fact: str, later: str) -> None:
    with open_brain(folder) as brain:
        brain.commit_turn(say("m", "one", fact, at=0))
        before = lines(brain, "m")
        assert before
        brain.commit_turn(say("m", "two", later, at=DAY))
        assert before <= lines(brain, "m")


@pytest.mark.parametrize(
    ("fact", "later"),
    [
        ("We use MySQL for the database", "we did not go with MySQL, Postgres stays"),
        ("We decided to go with MySQL", "we did not go with MySQL, Postgres stays"),
        ("We use Postgres for the database", "We did not stay with Postgres, MySQL it is now"),
        ("We use Postgres for the database", "We aren't sticking with Postgres, MySQL is our database now"),
        ("We use Postgres 14 for the database", "Postgres stays, but on version 16 now"),
        ("我们决定用Postgres", "我们没有继续用Postgres，换成MySQL了"),
        ("我们决定用Postgres", "不保留Postgres了，改用MySQL"),
    ],
)
def test_what_stays_beside_it_saves_nothing(folder: Path, fact: str, later: str) -> None:
    with open_brain(folder) as brain:
        brain.commit_turn(say("m", "one", fact, at=0))
        before = lines(brain, "m")
        brain.commit_turn(say("m", "two", later, at=DAY))
        assert not before <= lines(brain, "m")


def editor(value: str, name: str) -> Claim:
    return Claim(item("preferences", scope="tools", name=name, value=value), None, f"{name} {value}")


NEW = Found({"scope": "tools", "name": "switched_code", "value": "switched to VS Code"})


def test_a_key_that_is_a_name_stays_with_its_new_value() -> None:
    [found] = revising(Revision(editor("I write in Vim", "editor"), ends=False, likely=0.9), NEW)
    assert found.given == {"scope": "tools", "name": "editor", "value": "switched to VS Code"}
    assert not found.denies


def test_a_key_of_the_old_words_ends_with_them() -> None:
    ended, found = revising(Revision(editor("I write in Vim", "write_vim"), ends=False, likely=0.9), NEW)
    assert ended.denies
    assert ended.given == {"scope": "tools", "name": "write_vim"}
    assert found.given["name"] == "switched_code"


def test_what_has_just_ended_has_nothing_in_its_place() -> None:
    [ended] = revising(Revision(editor("I write in Vim", "editor"), ends=True, likely=0.9), NEW)
    assert ended.denies


def test_what_is_no_event_has_no_event_in_its_place() -> None:
    """A sentence without a day was to take the place of an event, which has no key without one: the commit failed."""
    held = Claim(item("events", date="2026-09-09", title="the choir sings", slug="choir_sings"), None, "")
    said = Found({"kind": "fact", "slug": "choir_weekly", "content": "the choir sings weekly"}, type="knowledge")
    for found in (*revising(Revision(held, ends=False, likely=1), said), *doubting(Revision(held, False, 1), said)):
        assert found.denies == (found.type == "events")


def test_what_is_no_fact_of_the_user_has_no_fact_in_its_place() -> None:
    fact = {"k": "home", "v": "Berlin"}
    held = Claim(item("profile", subject="user", facts=[fact]), fact, "home Berlin")
    said = Found({"kind": "fact", "slug": "moved", "content": "we moved to Slack"}, type="knowledge")
    assert [found.type for found in revising(Revision(held, ends=False, likely=1), said)] == ["profile", "knowledge"]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("线下周年庆活动在万象城中庭，9月9号", "中庭那天被汽车展占了，场地落在了龙湖三楼，日子没变"),
        ("订婚宴放在公司旁边的鹿园，周六", "鹿园那天有两场订婚宴，当天停车要早"),
    ],
)
def test_what_puts_an_event_in_doubt_without_a_day_is_committed(folder: Path, first: str, second: str) -> None:
    with open_brain(folder) as brain:
        brain.commit_turn(say("m", "one", first, at=0))
        brain.commit_turn(say("m", "two", second, at=172_800))
        assert any(text.startswith("Fact: ") for _, text in believed(brain, "m"))


@given(st.lists(st.text(alphabet="ab 数据12", max_size=12), max_size=12), st.text(alphabet="ab 数据12", max_size=12))
@example(["1111"], "")
def test_the_nearest_are_the_best_by_meaning_and_words(held: list[str], text: str) -> None:
    of_none = item("knowledge", topic="t", content="c")
    table = ClaimTable(Claim(of_none, {"k": number}, said) for number, said in enumerate(held))
    found = table.nearest(text, table.rows(), 4)
    names = {claim.name for claim, *_ in found}
    # A sentence that says nothing of a number is not about a claim that is one.
    assert len(found) == min(4, len(table.about(text, table.rows())))
    assert len(names) == len(found)
    assert found[:1] == table.nearest(text, table.rows(), 1)


def test_a_word_that_two_claims_have_is_neithers_own() -> None:
    of_none = item("knowledge", topic="t", content="c")
    table = ClaimTable(Claim(of_none, {"k": said}, said) for said in ("Teo hates wine", "Teo loves trains"))
    found = {claim.text: own for claim, _, own in table.nearest("Teo sold his trains", table.rows(), 2)}
    assert found == {"Teo hates wine": 0, "Teo loves trains": 1}


def left(fact: str, later: str) -> bool:
    claim = Claim(item("knowledge", topic="t", content=fact), None, fact)
    return stays(claim, Sentence(later), date(2026, 11, 28))


@pytest.mark.parametrize(
    ("fact", "later"),
    [
        ("The bath plug is under the basin", "we moved the bath to the upper floor"),
        ("雨伞的套子放在鞋柜", "雨伞挪到门口了"),
        ("The office is in Kent", "we were thinking about Dover for the office but nobody wanted it"),
        ("办公室在静安", "本来想把办公室迁到松江，没谈成"),
        ("My daughter Ida is 4", "My daughter Ruth is 9"),
        ("女儿叫朵朵，四岁", "女儿叫米粒的那个今天发烧"),
    ],
)
def test_what_only_sounds_like_a_claim_leaves_it(fact: str, later: str) -> None:
    assert left(fact, later)


@pytest.mark.parametrize(
    ("fact", "later"),
    [
        ("The bath plug is under the basin", "I moved the bath plug to the tray"),
        ("雨伞的套子放在鞋柜", "雨伞的套子挪到门口了"),
        ("The office is in Kent", "we moved the office to Dover"),
        ("办公室在静安", "办公室迁到松江了"),
        ("My daughter Ida is 4", "My daughter Ida is 5"),
        ("My daughter Ida is 4", "My daughter Ruth, not Ida, is 4 now"),
    ],
)
def test_what_is_of_the_thing_itself_is_weighed(fact: str, later: str) -> None:
    assert not left(fact, later)


@given(st.text(max_size=30), st.text(max_size=30), st.floats(-1, 1), st.integers(0, 5))
def test_any_two_texts_have_something_to_say_of_each_other(text: str, claim: str, cosine: float, own: int) -> None:
    names = Sentence(text).beside(claim, cosine, own)
    assert len(set(names)) == len(names)
    assert {name for name in names if name.startswith("number ")}


@given(st.lists(st.sampled_from("abcd"), max_size=14), st.lists(st.sampled_from("abcd"), max_size=14))
def test_how_two_texts_are_built_is_what_difflib_says(said: list[str], held: list[str]) -> None:
    ratio = SequenceMatcher(None, said, held, autojunk=False).ratio()
    found = built_alike(said, held, 0.4)
    assert found == ratio or (found == 0 and ratio < 0.4)


def test_what_is_said_without_a_project_ends_nothing_of_another_one(folder: Path) -> None:
    """A decision for one project ended that of the other one on the same topic."""
    with open_brain(folder) as brain:
        for session, project, database in (("one", "tasting-log", "SQLite"), ("two", "shop", "MySQL")):
            told = [Decision(project=project, topic="database", decision=f"Use {database}")]
            brain.commit_turn(turn("m", session, decisions=told))
        brain.commit_turn(say("m", "one", "We decided to use Postgres for the database."))
        texts = [text for _, text in believed(brain, "m")]
        assert any("MySQL" in text for text in texts)
        assert not any("SQLite" in text for text in texts)
