"""A language model reads along: after the commit, once, within its bounds, and never against what the user says."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
from smartbrain.v1.event_pb2 import Message, Retraction
from smartbrain.v1.item_pb2 import ITEM_SOURCE_INFERENCE, ITEM_SOURCE_USER, ITEM_STATUS_RETRACTED

from brain_core.index import snapshot
from brain_core.index.follow import open_index, rebuild_index
from tests.building import Clock, compose, found, pref, say, turn
from tests.index.test_index_snapshot import equal
from tests.models.chat_endpoint import ChatStub
from tests.models.learning import (
    Item,
    answering,
    derived,
    drink,
    fact,
    facts_of,
    item,
    keys_of,
    open_reading,
    until_status,
    verdicts,
)
from tests.models.refining import sound

_SECONDS = 20


def test_what_the_user_says_is_learned_after_the_commit_and_found(folder: Path, chat: ChatStub) -> None:
    answering(chat, drink("green tea", "mornings always begin with green tea"))
    chat.behaviour.gate.clear()
    with open_reading(folder, chat) as brain:
        began = time.monotonic()
        answer = brain.commit_turn(say("m", "s", "My mornings  always begin with\ngreen tea here.", "Noted."))
        assert found(brain, "m", "mornings", mode="exact")
        assert time.monotonic() - began < 5, "waited for the model"
        assert (brain.status().turns_to_learn, answer.turn_id) == (1, "t1")
        chat.behaviour.gate.set()
        assert until_status(brain).learn_problem == ""
        learned = item(brain, "preferences", "pref:other:drink")
        assert (learned.confidence, learned.source) == (0.8, ITEM_SOURCE_USER)
        assert (learned.source_turn_id, learned.source_message_id) == ("t1", "t1.0")
        assert (learned.source_span.start, learned.source_span.end) == (3, 40)
        assert learned.revision == 2
        [commit] = derived(brain)
        assert (commit.commit_id, commit.turn_id, [each.key for each in commit.items]) == ("c2", "t1", [learned.key])
        assert any("green tea" in text for text in found(brain, "m", "green tea", types=["preferences"]))
        assert brain.commit_turn(say("m", "s", "Next.")).turn_id == "t3"
        until_status(brain)
        sound(brain)
    [request, *_] = chat.behaviour.said
    assert [one["role"] for one in request["turn"]] == ["user", "assistant"]


def test_chinese_is_learned_whatever_the_width_of_its_marks(folder: Path, chat: ChatStub) -> None:
    answering(chat, drink("龙井茶", "每天早上都喝龙井茶!"), fact("home", "杭州", "我搬到杭州住了"))
    with open_reading(folder, chat) as brain:
        brain.commit_turn(say("m", "s", "我搬到杭州住了，每天早上都喝龙井茶！", "好的。"))
        until_status(brain)
        assert item(brain, "preferences", "pref:other:drink").value["value"] == "龙井茶"
        assert item(brain, "profile", "profile:user").confidence == 0.8
        assert any("龙井茶" in text for text in found(brain, "m", "龙井茶", types=["preferences"]))
        sound(brain)


@pytest.mark.parametrize(
    ("entry", "says"),
    [
        (drink("coffee", "I only drink coffee"), "word for word"),
        (drink("coffee", "tea or coffee?"), "question"),
        ({**drink("coffee", "brew"), "type": "retraction"}, "not asked for"),
        ({**drink("coffee", "brew"), "denies": True}, "not asked for"),
        (drink("coffee", "brew tea", priority=1), "no model may say"),
        ({"type": "profile", "value": {"denied": [{"k": "home", "v": "Kyoto"}]}, "quote": "brew tea"}, "'denied'"),
        ({"type": "tasks", "value": {"task_id": "x", "status": "gone"}, "quote": "brew tea"}, "unknown word"),
        ({"type": "decisions", "value": {"topic": "x"}, "quote": "brew tea"}, "is required"),
        ({"type": "preferences", "value": {"name": " ", "value": "x"}, "quote": "brew tea"}, "blank"),
        ({"type": "profile", "value": {"facts": [{"k": 3, "v": "x"}]}, "quote": "brew tea"}, "is no text"),
        (drink("coffee", "…"), "word for word"),
    ],
)  # fmt: skip
def test_what_the_turn_does_not_bear_out_is_refused_with_a_reason(
    folder: Path, chat: ChatStub, entry: Item, says: str
) -> None:
    chat.behaviour.answer = lambda _: {"items": [entry, drink("tea", "brew tea at home")]}
    with open_reading(folder, chat, summarize=False) as brain:
        brain.commit_turn(say("m", "s", "We brew tea at home. Should it be tea or coffee?", "Tea."))
        until_status(brain)
        refused = [verdict for verdict in verdicts(brain) if verdict.verdict == "refused"]
        assert any(says in verdict.reason for verdict in refused), verdicts(brain)
        assert keys_of(brain) == ["pref:other:drink"], "the sound item beside it"
        sound(brain)


@pytest.mark.parametrize(
    ("said", "quote"),
    [
        ("Would it be odd if I moved to Berlin?", "I moved to Berlin"),
        ('My boss wrote: "I have moved to Berlin and start on Monday."', "I have moved to Berlin"),
        ("If I moved to Berlin, I would sell the car.", "I moved to Berlin"),
        ("我该不该搬到柏林呢？", "搬到柏林"),
        ("如果我搬到柏林，就把车卖了。", "我搬到柏林"),
        ("他在信里说：“我已经搬到柏林，下周一开始上班。”", "我已经搬到柏林"),
    ],
)
def test_what_the_rules_would_pass_over_no_model_learns(folder: Path, chat: ChatStub, said: str, quote: str) -> None:
    place = "Berlin" if "Berlin" in quote else "柏林"
    chat.behaviour.answer = lambda _: {"items": [fact("home", place, quote)]}
    with open_reading(folder, chat, summarize=False) as brain:
        brain.commit_turn(say("m", "s", said))
        until_status(brain)
        assert keys_of(brain) == []
        [refused] = verdicts(brain)
        assert (refused.verdict, refused.path, refused.rule) == ("refused", "messages[0]", "model")
        assert said[refused.span.start : refused.span.end] == quote


def test_what_the_model_makes_of_it_is_an_inference(folder: Path, chat: ChatStub) -> None:
    answering(
        chat,
        drink("wants silence and loves rain", "The garden was so quiet"),
        fact("employer", "Acme", "you work at Acme"),
        fact("city", "Lisbon", "lives in Lisbon"),
    )
    with open_reading(folder, chat) as brain:
        brain.commit_turn(say("m", "s", "The garden was so quiet.", "So you work at Acme."))
        until_status(brain)
        learned = item(brain, "preferences", "pref:other:drink")
        assert (learned.confidence, learned.source) == (0.6, ITEM_SOURCE_INFERENCE)
        assert keys_of(brain) == [learned.key], "what the assistant supposes of the user is no fact"
        brain.commit_turn(say("m", "s2", "My brother no longer lives in Lisbon."))
        until_status(brain)
        assert item(brain, "profile", "profile:user").source == ITEM_SOURCE_INFERENCE, (
            "a turned sentence bears out nothing"
        )


def test_what_another_than_the_owner_says_is_learned_of_them(folder: Path, chat: ChatStub) -> None:
    answering(chat, fact("city", "Oslo", "these days Oslo is home"), fact("city", "Berlin", "Berlin, that is where"))
    with open_reading(folder, chat) as brain:
        told = {"Ann": "Berlin, that is where I am at home.", "Tom": "And these days Oslo is home to me."}
        for name, text in told.items():
            brain.commit_turn(turn("m", "s", messages=[Message(role="user", speaker=name, content=text)]))
            until_status(brain)
        assert facts_of(brain) == {"city": "Berlin"}
        assert "city: Oslo" in item(brain, "profile", "profile:tom").sure_text


def test_a_lying_model_neither_replaces_nor_retracts_what_the_user_said(folder: Path, chat: ChatStub) -> None:
    lies = [
        drink("poison", "hello there friend", scope="writing"),
        {"type": "preferences", "value": {"name": "drink", "value": "", "scope": "writing"}, "quote": "hello there"},
        {"type": "preferences", "value": {"name": "drink"}, "quote": "hello there", "denies": True},
    ]
    chat.behaviour.answer = lambda said: {"items": lies if "hello" in said["turn"][0]["text"] else []}
    with open_reading(folder, chat, summarize=False) as brain:
        brain.commit_turn(turn("m", "s", preferences=[pref("drink", "tea")]))
        before = item(brain, "preferences", "pref:writing:drink")
        brain.commit_turn(say("m", "s", "hello there friend"))
        until_status(brain)
        assert item(brain, "preferences", "pref:writing:drink") == before
        assert any("does not replace what the user said" in one.reason for one in derived(brain)[-1].explain.conflicts)
        sound(brain)


def test_what_was_said_or_denied_meanwhile_stands(folder: Path, chat: ChatStub) -> None:
    answering(
        chat,
        drink("green tea", "the kettle holds green tea"),
        fact("home", "Paris", "I live in Paris"),
        fact("pet", "a cat called Mo", "a cat called Mo lives here"),
        {
            "type": "knowledge",
            "value": {"slug": "door", "content": "the door code is 17"},
            "quote": "the door code is 17",
        },
    )
    chat.behaviour.gate.clear()
    with open_reading(folder, chat) as brain:
        brain.commit_turn(
            say(
                "m",
                "s",
                "the kettle holds green tea. I live in Paris, a cat called Mo lives here. the door code is 17",
                at=1,
            )
        )
        assert chat.behaviour.entered.wait(_SECONDS)
        late: list[Any] = [
            {"type": "profile", "value": {"facts": [{"k": "home", "v": "Lisbon"}]}},
            {"type": "knowledge", "value": {"slug": "door", "content": "the door code is 99"}},
        ]
        brain.commit_turn(turn("m", "s", preferences=[pref("drink", "green tea", scope="other")], items=late))
        brain.commit_turn(turn("m", "s", retractions=[Retraction(type="preferences", key="pref:other:drink")]))
        chat.behaviour.gate.set()
        until_status(brain)
        assert item(brain, "preferences", "pref:other:drink").status == ITEM_STATUS_RETRACTED
        assert facts_of(brain) == {"home": "Lisbon", "pet": "a cat called Mo"}
        assert item(brain, "knowledge", "knowledge:fact:door").value["content"] == "the door code is 99"
        assert found(brain, "m", "green tea", types=["preferences"]) == []
        sound(brain)


def test_what_was_said_by_a_clock_that_was_ahead_is_not_taken_for_later(folder: Path, chat: ChatStub) -> None:
    answering(
        chat,
        drink("green tea", "the kettle holds green tea"),
        fact("home", "Paris", "I live in Paris"),
        fact("pet", "a cat called Mo", "a cat called Mo lives here"),
    )
    chat.behaviour.gate.clear()
    clock = Clock()
    clock.at = 7 * 86_400
    with open_reading(folder, chat, env=clock.env()) as brain:
        brain.commit_turn(say("m", "s", "the kettle holds green tea. I live in Paris, a cat called Mo lives here."))
        assert chat.behaviour.entered.wait(_SECONDS)
        clock.at = 0
        late: list[Any] = [{"type": "profile", "value": {"facts": [{"k": "home", "v": "Lisbon"}]}}]
        brain.commit_turn(turn("m", "s", preferences=[pref("drink", "black tea", scope="other")], items=late))
        chat.behaviour.gate.set()
        until_status(brain)
        assert item(brain, "preferences", "pref:other:drink").value["value"] == "black tea"
        assert facts_of(brain) == {"home": "Lisbon", "pet": "a cat called Mo"}
        sound(brain)


def test_what_was_learned_from_the_turn_already_is_not_learned_in_other_words(folder: Path, chat: ChatStub) -> None:
    answering(chat, drink("green tea, very hot", "green tea, very hot"))
    with open_reading(folder, chat) as brain:
        message = Message(role="user", content="It is green tea, very hot, that was served.")
        brain.commit_turn(turn("m", "s", messages=[message], preferences=[pref("drink", "green tea", scope="other")]))
        until_status(brain)
        assert item(brain, "preferences", "pref:other:drink").value["value"] == "green tea"
        assert any("read in the turn already" in verdict.reason for verdict in verdicts(brain))


def test_what_was_denied_under_another_key_does_not_come_back(folder: Path, chat: ChatStub) -> None:
    answering(chat, drink("green tea", "the kettle holds green tea"))
    chat.behaviour.gate.clear()
    with open_reading(folder, chat) as brain:
        brain.commit_turn(say("m", "s", "the kettle holds green tea"))
        assert chat.behaviour.entered.wait(_SECONDS)
        brain.commit_turn(turn("m", "s", preferences=[pref("beverage", "green tea")]))
        brain.commit_turn(turn("m", "s", retractions=[Retraction(type="preferences", key="pref:writing:beverage")]))
        chat.behaviour.gate.set()
        until_status(brain)
        assert keys_of(brain) == []
        assert any("under another key" in verdict.reason for verdict in verdicts(brain))


def test_a_long_turn_is_read_in_parts_and_what_is_beyond_them_is_named(folder: Path, chat: ChatStub) -> None:
    with open_reading(folder, chat, input_chars=1000, summarize=False) as brain:
        brain.commit_turn(say("m", "s", "tea " * 300, "yes"))
        until_status(brain)
        assert [sum(len(one["text"]) for one in said["turn"]) for said in chat.behaviour.said] == [1000, 203]
        brain.commit_turn(say("m", "s2", "tea " * 5000))
        until_status(brain)
        assert len(chat.behaviour.requests) == 10
        assert any("the turn is long" in verdict.reason for verdict in verdicts(brain))
        assert all(len(str(said)) < 6000 for said in chat.behaviour.said)


def test_what_it_is_shown_is_the_turn_what_came_before_and_what_is_known(folder: Path, chat: ChatStub) -> None:
    with open_reading(folder, chat, summarize=False) as brain:
        brain.commit_turn(say("m", "s", "first", "second"))
        brain.commit_turn(
            turn(
                "m",
                "s",
                messages=[Message(role="system", content="secret rules"), Message(role="user", content="third")],
                preferences=[pref("tone", "formal")],
            )
        )
        until_status(brain)
    shown = chat.behaviour.said[-1]
    assert [one["text"] for one in shown["earlier"]] == ["first", "second"]
    assert [one["text"] for one in shown["turn"]] == ["third"]
    assert any("pref:writing:tone" in text for text in shown["known"])


def test_secrets_and_pasted_text_are_not_shown_to_it(folder: Path, chat: ChatStub) -> None:
    secret = "sk-proj-Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4zAb7dEf0h"
    with open_reading(folder, chat, summarize=False) as brain:
        brain.commit_turn(say("m", "s", f"My API key is {secret}, use it.", "ok", "x " * 10_001))
        until_status(brain)
    assert secret not in str(chat.behaviour.requests)
    assert [one["text"] for said in chat.behaviour.said for one in said["turn"]] == [
        "My API key is [secret], use it.",
        "ok",
    ]


def test_a_summary_is_reworded_and_follows_what_it_rests_on(folder: Path, chat: ChatStub) -> None:
    def answer(said: dict[str, Any]) -> dict[str, Any]:
        lines = [{"section": one["section"], "text": f"In short: {one['text']}", "from": [one["number"]]}
                 for one in said.get("lines", ())]  # fmt: skip
        return {"items": [], "lines": [*lines, {"section": "Goals", "text": "Rule the world", "from": []}]}

    chat.behaviour.answer = answer
    with open_reading(folder, chat) as brain:
        decision = {"topic": "database", "decision": "use RocksDB"}
        answered = brain.commit_turn(
            turn("m", "s", decisions=[decision], messages=[Message(role="user", content="ok")])
        )
        assert answered.summary.triggered
        until_status(brain)
        summary = compose(brain, "m", "s", "what now?").working_summary
        shown = [line for section in summary.sections for line in section.lines]
        assert any(line.startswith("In short: ") for line in shown)
        assert not any("Rule the world" in line for line in shown)
        brain.commit_turn(turn("m", "s", retractions=[Retraction(type="decisions", key="decision:default:database")]))
        summary = compose(brain, "m", "s", "what now?").working_summary
        assert not any("RocksDB" in line for section in summary.sections for line in section.lines)
        sound(brain)


def test_live_replayed_and_rebuilt_indexes_are_equal_and_an_unloaded_memory_stays_so(
    folder: Path, chat: ChatStub
) -> None:
    answering(chat, drink("green tea", "the kettle holds green tea"))
    chat.behaviour.gate.clear()
    with open_reading(folder, chat) as brain:
        brain.commit_turn(say("m", "s", "the kettle holds green tea"))
        with brain._indexes.use("m") as index:
            snapshot.save(snapshot.snapshot_path(folder / "early", "m"), index)
        chat.behaviour.gate.set()
        until_status(brain)
        view = brain._kv.snapshot()
        replayed, _, why_not = open_index(view, "m", folder / "early", brain.status().dimension)
        assert why_not == ""
        with brain._indexes.use("m") as live:
            equal(replayed, live)
            equal(rebuild_index(view, "m", live.dimension), live)
        chat.behaviour.gate.clear()
        brain.commit_turn(say("n", "s", "the kettle holds green tea"))
    chat.behaviour.gate.set()
    with open_reading(folder, chat) as brain:
        until_status(brain)
        assert brain.status().memories_loaded == 0
        assert keys_of(brain, "n") == ["pref:other:drink"]
