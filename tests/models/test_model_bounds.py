"""What a model makes of the user's words counts as theirs only where the words bear it out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from google.protobuf import json_format
from smartbrain.v1.event_pb2 import Message
from smartbrain.v1.item_pb2 import ITEM_SOURCE_INFERENCE, ITEM_SOURCE_USER, MemoryItem

from brain_core import Brain, load_policy
from tests.building import compose, embedder, say, ticking, turn
from tests.models.chat_endpoint import ChatStub
from tests.models.learning import Item, derived, drink, fact, item, open_reading, until_status
from tests.models.refining import sound


def open_alone(folder: Path, stub: ChatStub) -> Brain:
    """Open a brain that a model reads for, and no rule."""
    llm = {**stub.policy, "summarize": False}
    read = {"policies": {"retention": {"learn_from": []}}, "store": {"durability": "process"}, "llm": llm}
    return Brain.open(folder, load_policy(read), embedder(), ticking())


def learned(folder: Path, chat: ChatStub, said: str, *found: Item) -> MemoryItem:
    """Return what a model that has found these in what the user said has taught first."""
    chat.behaviour.answer = lambda _: {"items": list(found)}
    with open_alone(folder, chat) as brain:
        brain.commit_turn(say("m", "s", said))
        until_status(brain)
        sound(brain)
        [*_, answer] = derived(brain)
        assert answer.items, answer.explain
        kept = item(brain, found[0]["type"], answer.items[0].key)
        assert kept.source == (ITEM_SOURCE_USER if kept.confidence > 0.6 else ITEM_SOURCE_INFERENCE)
        return kept


def confidence(folder: Path, chat: ChatStub, said: str, *found: Item) -> float:
    return learned(folder, chat, said, *found).confidence


@pytest.mark.parametrize(
    ("said", "quote", "value"),
    [
        ("The barista didn't pour green tea.", "pour green tea", "green tea"),
        ("The barista didn’t pour green tea.", "pour green tea", "green tea"),
        ("That kettle couldn't hold green tea.", "hold green tea", "green tea"),
        ("This kettle wouldn’t hold green tea.", "hold green tea", "green tea"),
        ("We stopped brewing green tea at home.", "brewing green tea", "green tea"),
        ("Our kitchen quit green tea in May.", "green tea in May", "green tea"),
        ("We gave green tea up in May.", "green tea", "green tea"),
        ("Nobody here pours green tea.", "pours green tea", "green tea"),
        ("We rarely brew green tea.", "brew green tea", "green tea"),
        ("Everyone at home hates green tea.", "green tea", "green tea"),
        ("家里戒了龙井茶，改喝别的。", "龙井茶", "龙井茶"),
        ("家里没再泡过龙井茶。", "泡过龙井茶", "龙井茶"),
        ("家里停掉了龙井茶。", "龙井茶", "龙井茶"),
        ("家里很少泡龙井茶。", "泡龙井茶", "龙井茶"),
    ],
)
def test_what_its_sentence_denies_or_ends_is_not_the_users_word(
    folder: Path, chat: ChatStub, said: str, quote: str, value: str
) -> None:
    assert confidence(folder, chat, said, drink(value, quote)) == 0.6


@pytest.mark.parametrize(
    ("said", "quote", "value"),
    [
        ("Green tea is not only cheap, mornings begin with green tea.", "mornings begin with green tea", "green tea"),
        ("We stopped by the shop for green tea.", "for green tea", "green tea"),
        ("Our kitchen quit sugar in May.", "quit sugar", "quit sugar"),
        ("The kitchen doesn’t take sugar.", "doesn’t take sugar", "doesn't take sugar"),
        ("每天早上特别想泡龙井茶。", "泡龙井茶", "龙井茶"),
        ("龙井茶非常好，每天早上都泡龙井茶。", "每天早上都泡龙井茶", "龙井茶"),
        ("这家的龙井茶不错，每天都泡。", "龙井茶不错", "龙井茶"),
    ],
)
def test_what_only_looks_denied_is_the_users_word(
    folder: Path, chat: ChatStub, said: str, quote: str, value: str
) -> None:
    assert confidence(folder, chat, said, drink(value, quote)) == 0.8


_NOTES = ["needs a crane", "mend"]


def to_do(quote: str, **fields: str | list[str]) -> Item:
    return {"type": "tasks", "value": {"task_id": "t", "title": quote, **fields}, "quote": quote}


@pytest.mark.parametrize(
    ("said", "found", "sure"),
    [
        ("Acme has a canteen where everyone eats.", fact("employer", "Acme", "Acme has a canteen"), 0.6),
        ("Acme has a fine office, the place of my job.", fact("employer", "Acme", "Acme has a fine office"), 0.8),
        ("Lunch in Otley was good.", fact("home", "Otley", "Lunch in Otley"), 0.6),
        ("These days Otley is home.", fact("city", "Otley", "Otley is home"), 0.8),
        ("I'm Annabel by the way.", fact("name", "Annabel", "I'm Annabel"), 0.8),
        ("We read Annabel aloud last night.", fact("name", "Annabel", "We read Annabel aloud"), 0.6),
        ("We flew the blue kite.", fact("favourite_colour", "blue", "the blue kite"), 0.6),
        ("Blue is the favourite colour here.", fact("favourite_colour", "Blue", "Blue is the favourite colour"), 0.8),
        ("杭州的龙井最香。", fact("home", "杭州", "杭州的龙井"), 0.6),
        ("后来就在杭州定居。", fact("home", "杭州", "在杭州定居"), 0.8),
        ("华为的食堂挺大。", fact("employer", "华为", "华为的食堂"), 0.6),
        ("在华为上班挺累。", fact("employer", "华为", "在华为上班"), 0.8),
        ("The shed roof and the paint.", to_do("shed roof and the paint", status="done"), 0.6),
        ("The shed roof is finished at last.", to_do("shed roof", status="done"), 0.8),
        ("周报和屋顶的事。", to_do("周报和屋顶", status="done"), 0.6),
    ],
)
def test_a_field_that_the_words_do_not_bear_out_is_no_word_of_the_user(
    folder: Path, chat: ChatStub, said: str, found: Item, sure: float
) -> None:
    assert confidence(folder, chat, said, found) == sure


@pytest.mark.parametrize(
    ("said", "found", "kept"),
    [
        ("There is the shed roof to mend.", to_do("shed roof to mend", due="2025-06-01"), {"due": None}),
        ("There is the shed roof to mend by 1 June 2025.", to_do("shed roof to mend", due="2025-06-01"),
         {"due": "2025-06-01"}),
        ("屋顶漏了，得补屋顶。", to_do("补屋顶", due="2025-06-01"), {"due": None}),
        ("屋顶漏了，2025年6月1日前补屋顶。", to_do("补屋顶", due="2025-06-01"), {"due": "2025-06-01"}),
        ("There is the shed roof to mend.", to_do("shed roof to mend", notes=_NOTES), {"notes": ["mend"]}),
        ("There is the shed roof to mend. It needs a crane.", to_do("shed roof to mend", notes=_NOTES),
         {"notes": _NOTES}),
    ],
)  # fmt: skip
def test_what_no_words_say_is_left_out(
    folder: Path, chat: ChatStub, said: str, found: Item, kept: dict[str, Any]
) -> None:
    task = learned(folder, chat, said, found)
    assert task.confidence == 0.8
    value = json_format.MessageToDict(task.value)
    assert {name: value.get(name) for name in kept} == kept


def test_an_alias_that_nobody_said_and_a_day_that_none_named_are_not_the_users(folder: Path, chat: ChatStub) -> None:
    quote = "the harbour opening was grand"
    event = {"type": "events", "value": {"title": "harbour opening", "date": "2019-02-03"}, "quote": quote}
    entity = {
        "type": "entities",
        "value": {"kind": "project", "canonical": "Larkspur", "aliases": ["LKS", "Larry"]},
        "quote": "Larkspur",
    }
    with open_alone(folder, chat) as brain:
        chat.behaviour.answer = lambda _: {"items": [event, entity]}
        said = "So the harbour opening was grand. Project Larkspur, or LKS, matters: Larkspur ships, Larkspur wins."
        brain.commit_turn(say("m", "s", said))
        until_status(brain)
        kept = {each.type: item(brain, each.type, each.key) for answer in derived(brain) for each in answer.items}
        assert kept["events"].confidence == 0.6
        if "entities" in kept:
            assert json_format.MessageToDict(kept["entities"].value)["aliases"] == ["LKS"]
        sound(brain)


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("Mei lives in Kyoto.", fact("home", "Kyoto", "lives in Kyoto")),
        ("My brother lives in Kyoto.", fact("home", "Kyoto", "My brother lives in Kyoto")),
        ("Our neighbour Tom works at Acme.", fact("employer", "Acme", "works at Acme")),
        ("She lives in Kyoto.", fact("home", "Kyoto", "She lives in Kyoto")),
        ("My sister brews green tea daily.", drink("green tea", "brews green tea")),
        ("Mei lives in Kyoto, and I live in Otley.", fact("home", "Kyoto", "Mei lives in Kyoto, and I live in Otley")),
        ("我弟弟住在京都。", fact("home", "京都", "住在京都")),
        ("我同事在华为上班。", fact("employer", "华为", "在华为上班")),
        ("Mei住在京都。", fact("home", "京都", "住在京都")),
        ("李明住在京都。", fact("home", "京都", "李明住在京都")),
        ("她住在京都。", fact("home", "京都", "她住在京都")),
        ("I used to live in Oslo.", fact("home", "Oslo", "live in Oslo")),
        ("We lived in Oslo for ten years.", fact("home", "Oslo", "lived in Oslo")),
        ("I used to live in Oslo, now I live in Otley.", fact("home", "Oslo", "I used to live in Oslo")),
        ("We moved from Oslo to a house in Otley.", fact("home", "Oslo", "moved from Oslo to a house")),
        ("We brew coffee rather than green tea.", drink("green tea", "coffee rather than green tea")),
        ("以前住在奥斯陆。", fact("home", "奥斯陆", "住在奥斯陆")),
        ("我在奥斯陆住过三年。", fact("home", "奥斯陆", "在奥斯陆住过三年")),
        ("我以前在华为上班，现在在小米上班。", fact("employer", "华为", "我以前在华为上班")),
    ],
)
def test_what_is_told_of_another_or_is_over_is_no_fact_of_the_user(
    folder: Path, chat: ChatStub, said: str, found: Item
) -> None:
    assert confidence(folder, chat, said, found) == 0.6


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("I live in Kyoto with Mei.", fact("home", "Kyoto", "live in Kyoto")),
        ("Mei lives in Kyoto, and I live in Otley.", fact("home", "Otley", "I live in Otley")),
        ("My brother lives in Kyoto.", fact("family", "brother lives in Kyoto", "My brother lives in Kyoto")),
        ("My brother lives in Kyoto.", fact("brother_home", "Kyoto", "My brother lives in Kyoto")),
        ("My brother and I live in Kyoto.", fact("home", "Kyoto", "live in Kyoto")),
        ("My home is in Kyoto.", fact("home", "Kyoto", "My home is in Kyoto")),
        ("I used to live in Oslo, now I live in Otley.", fact("home", "Otley", "now I live in Otley")),
        ("I'm used to the rain, for I live in Otley.", fact("home", "Otley", "I live in Otley")),
        ("I have lived in Otley for ten years.", fact("home", "Otley", "lived in Otley")),
        ("We moved from Oslo to a house in Otley.", fact("home", "Otley", "a house in Otley")),
        ("We brew coffee rather than green tea.", drink("coffee", "brew coffee rather than green tea")),
        ("我和弟弟住在京都。", fact("home", "京都", "住在京都")),
        ("我弟弟住在京都。", fact("family", "弟弟住在京都", "我弟弟住在京都")),
        ("我住在京都，周五以前要交报告。", fact("home", "京都", "我住在京都")),
        ("我以前在华为上班，现在在小米上班。", fact("employer", "小米", "现在在小米上班")),
        ("老家在京都。", fact("home", "京都", "老家在京都")),
    ],
)
def test_what_only_names_another_or_the_past_is_the_users(folder: Path, chat: ChatStub, said: str, found: Item) -> None:
    assert confidence(folder, chat, said, found) == 0.8


@pytest.mark.parametrize(
    ("said", "found", "sure"),
    [
        ("Would it be odd if I live in Oslo? Well, I live in Oslo.", fact("home", "Oslo", "I live in Oslo"), 0.8),
        ("I live in Oslo. No, I never said I live in Oslo.", fact("home", "Oslo", "I live in Oslo"), 0.6),
        ("I live in Oslo. Mei says I live in a zoo. I live in Oslo.", fact("home", "Oslo", "I live in Oslo"), 0.8),
        ("我该住在京都吗？我住在京都。", fact("home", "京都", "住在京都"), 0.8),
        ("我住在京都。我弟弟不住在京都。", fact("home", "京都", "住在京都"), 0.6),
    ],
)
def test_every_place_of_a_quote_is_looked_at(folder: Path, chat: ChatStub, said: str, found: Item, sure: float) -> None:
    assert confidence(folder, chat, said, found) == sure


def test_a_quote_of_the_users_question_and_of_the_answer_teaches_nothing(folder: Path, chat: ChatStub) -> None:
    chat.behaviour.answer = lambda _: {"items": [fact("home", "Oslo", "I live in Oslo")]}
    with open_alone(folder, chat) as brain:
        brain.commit_turn(say("m", "s", "Should I live in Oslo?", "I live in Oslo myself."))
        until_status(brain)
        [answer] = derived(brain)
        assert not answer.items
        sound(brain)


@pytest.mark.parametrize(
    ("worded", "adds"),
    [
        ("They will use RocksDB from 12 May on", ""),
        ("Storage: RocksDB, as of 2026-05-12", ""),
        ("从5月12日起使用 RocksDB", ""),
        ("They will use Postgres", "Postgres"),
        ("RocksDB, as Anna wished", "Anna"),
        ("RocksDB from 14 May on", "14"),
        ("RocksDB for 3,000 users", "3000"),
        ("改用 Postgres 存储", "Postgres"),
        ("从5月14日起使用 RocksDB", "14"),
        ("存储按《设计手册》来", "设计手册"),
    ],
)
def test_a_line_of_a_summary_adds_no_name_and_no_number(folder: Path, chat: ChatStub, worded: str, adds: str) -> None:
    def answer(said: dict[str, Any]) -> dict[str, Any]:
        notes = [each["number"] for each in said.get("lines", ())]
        return {"items": [], "lines": [{"section": "Decisions", "text": worded, "from": notes}]}

    chat.behaviour.answer = answer
    with open_reading(folder, chat) as brain:
        decision = {"topic": "storage", "decision": "use RocksDB from 2026-05-12"}
        brain.commit_turn(turn("m", "s", decisions=[decision], messages=[Message(role="user", content="fine")]))
        until_status(brain)
        shown = compose(brain, "m", "s", "what now?").working_summary
        lines = [line for section in shown.sections for line in section.lines]
        refused = [verdict.reason for answer in derived(brain) for verdict in answer.explain.retention]
        if adds:
            assert lines == ["storage: use RocksDB from 2026-05-12"], "its notes stand instead"
            assert any(f"adds {adds}," in reason for reason in refused)
        else:
            assert (lines, refused) == ([worded], [])
        sound(brain)
