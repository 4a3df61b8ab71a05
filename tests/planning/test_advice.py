"""What a language model says of a message: taken over what rules read, field by field, within what was said."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from smartbrain.v1.admin_service_pb2 import ExecutorStatus
from smartbrain.v1.brain_service_pb2 import ComposeContextRequest, ReplayRequest
from smartbrain.v1.event_pb2 import Entity, Event

from brain_core import Brain, load_policy
from brain_core.compose.check import check_plan
from brain_core.compose.plan import plan_message
from brain_core.compose.planner.consult import FIELDS, Consultant, Matter
from brain_core.compose.planner.grounds import Grounds
from brain_core.env import Watch
from brain_core.index.memory_index import MemoryIndex
from brain_core.models.adviser import ChatAdviser
from brain_core.models.remote import ChatEndpoint
from tests.building import compose, open_brain, plan, say, second, turn
from tests.models.chat_endpoint import MODEL, ChatStub, chat_endpoint
from tests.planning.advised import advice, named, open_advised, says, texts

NOW = second(0)  # 2023-11-14


@pytest.fixture
def chat() -> Iterator[ChatStub]:
    with chat_endpoint() as running:
        yield running


@pytest.fixture
def brain(folder: Path, chat: ChatStub) -> Iterator[Brain]:
    """Give a brain that asks the endpoint and knows of a kettle and a hotel."""
    with open_advised(folder, chat) as opened:
        opened.commit_turn(say("m", "kitchen", "The blue kettle from Alder & Sons leaks.", "Take it back."))
        opened.commit_turn(say("m", "trip", "我们订了西湖边的亚朵酒店，一晚四百八。", "好的。"))
        yield opened


# Healthy


def test_what_it_says_of_an_english_message_is_planned(brain: Brain, chat: ChatStub) -> None:
    says(
        chat,
        purpose="debug",
        documents=True,
        why="a fault of a thing",
        expansions=["kettle leaks", "Alder & Sons"],
        types=["tasks"],
    )
    package = compose(brain, "m", "kitchen", "and what now?", now=NOW)
    planner = package.debug.planner
    assert planner.intent == "debug"
    assert {("kettle leaks", 0.6), ("Alder & Sons", 0.6)} <= set(texts(package))
    assert ["tasks"] in [list(query.filters.types) for query in planner.queries]
    assert "documents: the llm planner says: a fault of a thing" in planner.reason
    assert planner.reason.endswith(
        f"llm planner {MODEL}: purpose debug; documents on; types tasks; also asked for 'kettle leaks', 'Alder & Sons'"
    )
    assert named(package) == []
    assert not package.debug.degraded
    assert package.debug.timings_ms["plan.llm"] > 0
    status = brain.status().planner
    assert (status.name, status.target, status.state) == (MODEL, chat.url, "ready")
    assert (status.calls, status.failures) == (1, 0)


def test_a_time_after_today_is_of_days_to_come(brain: Brain, chat: ChatStub) -> None:
    says(chat, time_from="2023-11-20", time_to="2023-11-27", time_words="the Lisbon week")
    brain.commit_turn(turn("m", "trip", events=[Event(date="2023-11-22", title="the Lisbon week begins")]))
    planner = compose(brain, "m", "new", "the Lisbon week, what was it about?", now=NOW).debug.planner
    assert "days to come 2023-11-20 to 2023-11-27, preferred" in planner.reason
    assert not any(query.filters.HasField("time_range") for query in planner.queries)
    assert getattr(planner.queries[0].filters.days, "from") == "2023-11-20"


def test_what_it_says_of_a_chinese_message_is_planned(brain: Brain, chat: ChatStub) -> None:
    says(
        chat,
        purpose="continue_task",
        why="问的是订过的事",
        expansions=["亚朵酒店", "西湖酒店"],
        time_from="2023-11-06",
        time_to="2023-11-13",
        time_words="上个礼拜",
    )
    package = compose(brain, "m", "trip", "上个礼拜那家多少钱？", now=NOW)
    planner = package.debug.planner
    assert planner.intent == "continue_task"
    assert {("亚朵酒店", 0.6), ("西湖酒店", 0.6)} <= set(texts(package)), "pieces of what was said may be joined"
    assert getattr(planner.queries[0].filters.time_range, "from").ToJsonString() == "2023-11-06T00:00:00Z"
    assert planner.queries[0].filters.time_range.to.ToJsonString() == "2023-11-13T00:00:00Z"
    assert ("上个礼拜那家多少钱？", 0.8) in texts(package), "a time is preferred and never the only way"
    assert named(package) == []


def test_it_is_shown_the_message_what_went_before_and_other_names(brain: Brain, chat: ChatStub) -> None:
    says(chat, expansions=["Kestrel"])
    brain.commit_turn(
        turn("m", "repo", entities=[Entity(kind="repo", canonical="acme/rag", aliases=["Kestrel"], remember=True)])
    )
    brain.commit_turn(say("m", "repo", "acme/rag is slow today."))
    package = compose(brain, "m", "repo", "why is that?", now=NOW)
    [said] = chat.behaviour.said
    assert said == {
        "today": "2023-11-14",
        "message": "why is that?",
        "before": ["acme/rag is slow today."],
        "also_called": ["Kestrel"],
    }
    assert ("Kestrel", 0.6) in texts(package)
    [request] = chat.behaviour.requests
    assert sorted(request["response_format"]["json_schema"]["schema"]["properties"]) == sorted(FIELDS)


def test_where_it_has_no_opinion_the_rules_decide(brain: Brain, chat: ChatStub) -> None:
    question = "what did I say about the kettle last week?"
    chat.behaviour.answer = lambda _: {"purpose": None}
    asked = compose(brain, "m", "s", question, now=NOW)
    own = plan_message(
        ComposeContextRequest(session_id="s", user_message=question, now=NOW),
        brain.policy.policies,
        MemoryIndex(4),
        list,
    )
    assert [each.text for each in asked.debug.planner.queries] == [each.text for each in own.plan.queries]
    assert asked.debug.planner.queries[0].filters == own.plan.queries[0].filters
    assert asked.debug.planner.intent == own.plan.purpose
    assert (
        asked.debug.planner.reason == f"{own.reason}; llm planner {MODEL}: nothing that can be taken; planned by rules"
    )


def test_a_plan_of_the_callers_is_never_sent(brain: Brain, chat: ChatStub) -> None:
    compose(brain, "m", "s", "what leaks?", plan=plan("kettle"))
    assert chat.behaviour.requests == []
    assert brain.status().planner.state == "untried"


# What it may not say


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        ({"purpose": "sell"}, "purpose: 'sell' is none of qa, continue_task, debug, summarize, research, other"),
        ({"purpose": ["qa"]}, "purpose: a list is none of qa, continue_task, debug, summarize, research, other"),
        ({"documents": "yes"}, "documents: 'yes' is neither true nor false"),
        ({"documents": 1}, "documents: 1 is neither true nor false"),
        ({"why": {"a": 1}}, "why: an object is no line of up to 200 characters"),
        ({"why": "a\nb"}, "why: 'a\\nb' is no line of up to 200 characters"),
        ({"why": "\ud800"}, "why: '\\ud800' is no line of up to 200 characters"),
        ({"expansions": "kettle"}, "expansions: 'kettle' is no list"),
        ({"expansions": [7]}, "expansions: 7 is no line of text"),
        ({"expansions": ["kettle"] * 3_000}, "expansions: the first 6 of 3000 were read"),
        ({"expansions": ["the kettle is from Bodum"]}, None),
        ({"expansions": ["moon base"]}, "expansions: 'moon base' stands nowhere in what was said: moon, base"),
        ({"expansions": ["蓝色水壶"]}, "expansions: '蓝色水壶' stands nowhere in what was said: 蓝, 色, 水, 壶"),
        ({"expansions": ["the"]}, "expansions: 'the' stands nowhere in what was said: the"),
        ({"expansions": [""]}, "expansions: '' stands nowhere in what was said: "),
        ({"expansions": ["kettle " * 12 + "leaks"]}, None),
        ({"types": ["spells"]}, "types: 'spells' is no type of memory item"),
        ({"types": {"tasks": 1}}, "types: an object is no list"),
        ({"facts": [1]}, "'facts': was not asked for"),
    ],
)
def test_what_is_malformed_or_invented_is_named_and_the_rest_is_taken(
    brain: Brain, chat: ChatStub, fields: dict[str, Any], line: str | None
) -> None:
    chat.behaviour.mode = "500"
    alone = texts(compose(brain, "m", "kitchen", "what about the blue kettle that leaks?"))
    chat.behaviour.mode = "good"
    chat.behaviour.answer = lambda _: advice(**{"types": ["goals"], **fields})
    package = compose(brain, "m", "kitchen", "what about the blue kettle that leaks?")
    [found] = named(package)
    assert line is None or found == line
    added = set(texts(package)) - set(alone)
    assert not {text for text, _ in added} - {"kettle", "what about the blue kettle that leaks?"}
    assert "types" in fields or any(query.filters.types == ["goals"] for query in package.debug.planner.queries)


@pytest.mark.parametrize(
    ("start", "stop", "words", "line"),
    [
        ("2023-10-01", "2023-11-01", "in the spring", "time_words: 'in the spring' do not stand in what was said"),
        ("2023-10-01", "2023-11-01", "", "time_words: '' do not stand in what was said"),
        ("2023-11-01", "2023-10-01", "a while ago",
         "time: '2023-11-01 to 2023-10-01' is not from a day to a later one, YYYY-MM-DD"),
        ("October", "", "a while ago", "time: 'October to ' is not from a day to a later one, YYYY-MM-DD"),
        ("2023-02-30", "2023-03-01", "a while ago",
         "time: '2023-02-30 to 2023-03-01' is not from a day to a later one, YYYY-MM-DD"),
        ("2023-10-01", "99999-01-01", "a while ago",
         "time: '2023-10-01 to 99999-01-01' is not from a day to a later one, YYYY-MM-DD"),
    ],
)  # fmt: skip
def test_a_time_needs_days_and_words_that_were_said(
    brain: Brain, chat: ChatStub, start: str, stop: str, words: str, line: str
) -> None:
    says(chat, time_from=start, time_to=stop, time_words=words)
    package = compose(brain, "m", "s", "A while ago something leaked, what was it?", now=NOW)
    assert named(package) == [line]
    assert not any(query.filters.HasField("time_range") for query in package.debug.planner.queries)


def test_the_policy_stands_above_it(folder: Path, chat: ChatStub) -> None:
    off = {"retrieval": {"enable_resource_retrieval": "off", "query_expansion": {"enabled": False}}}
    says(chat, documents=True, expansions=["kettle"], types=["tasks"])
    with open_advised(folder, chat, off) as brain:
        brain.commit_turn(say("m", "s", "kettle"))
        package = compose(brain, "m", "s", "the kettle?")
    assert texts(package) == [("the kettle?", 1.0)]
    assert named(package) == [
        "documents: policies.retrieval.enable_resource_retrieval is off",
        "expansions: policies.retrieval.query_expansion is off",
        "types: policies.retrieval.query_expansion is off",
    ]


def test_what_the_message_names_is_looked_in_whatever_it_says(brain: Brain, chat: ChatStub) -> None:
    says(chat, documents=False)
    package = compose(brain, "m", "s", "What does notes/kettle.md say? 这份 kettle.md 里写了什么？")
    assert named(package) == ["documents: false, but the message names notes/kettle.md"]
    assert "documents: a place is named: notes/kettle.md" in package.debug.planner.reason


@pytest.mark.parametrize(
    ("message", "what"),
    [
        ("What changed in https://example.com/kettle/notes ?", "https://example.com/kettle/notes"),
        ("看一下 https://example.com/kettle 里写了什么？", "https://example.com/kettle"),
        ("What do the docs say about descaling?", "docs"),
        ("Which port does the README name?", "readme"),
        ("文档里怎么说除垢的？", "文档"),
        ("kettle.md 里写了什么？", "kettle.md"),
    ],
)
def test_documents_asked_for_in_words_are_not_taken_away(brain: Brain, chat: ChatStub, message: str, what: str) -> None:
    says(chat, documents=False)
    package = compose(brain, "m", "s", message)
    [line] = named(package)
    assert line.startswith("documents: false, but the message names ")
    assert what in line.casefold()
    assert "documents: the llm planner" not in package.debug.planner.reason


@pytest.mark.parametrize(
    "message",
    [
        "What is the best way to descale a kettle?",
        "Don't look in the docs: which kettle leaks?",
        "不要查文档，哪个水壶漏水？",
        "Which kettle did I say leaks?",
    ],
)
def test_where_no_document_is_asked_for_its_word_counts(brain: Brain, chat: ChatStub, message: str) -> None:
    says(chat, documents=False)
    package = compose(brain, "m", "s", message)
    assert named(package) == []
    assert "documents: the llm planner says so" in package.debug.planner.reason


def test_a_plan_has_no_more_queries_than_the_policy_allows(folder: Path, chat: ChatStub) -> None:
    says(chat, expansions=["blue kettle", "kettle leaks", "Alder"])
    with open_advised(folder, chat, {"retrieval": {"query_expansion": {"max_queries": 2}}}) as brain:
        brain.commit_turn(say("m", "s", "The blue kettle from Alder leaks."))
        package = compose(brain, "m", "s", "What was wrong with the thing from Alder that I bought?")
    assert [text for text, _ in texts(package)][1:] == ["blue kettle"]
    assert named(package) == [
        "expansions: 'kettle leaks': the plan has its 2 queries",
        "expansions: 'Alder': the plan has its 2 queries",
    ]


@pytest.mark.parametrize(("secrets", "shown"), [("mask", False), ("keep", True)])
def test_secrets_are_masked_before_it_is_asked(folder: Path, chat: ChatStub, secrets: str, shown: bool) -> None:
    says(chat)
    with open_advised(folder, chat, {"retention": {"secrets": secrets}}) as brain:
        brain.commit_turn(say("m", "s", "我的密码是 Tr0ub4dor&3 好吗", "ok"))
        compose(brain, "m", "s", "is Tr0ub4dor&3 safe? my api key is sk-live-4f9aK2mQ8xZ7pL3v")
    sent = json.dumps(chat.behaviour.requests, ensure_ascii=False)
    assert ("Tr0ub4dor" in sent, "4f9aK2mQ8xZ7pL3v" in sent) == (shown, shown)


def test_of_much_text_both_ends_are_shown(folder: Path, chat: ChatStub) -> None:
    says(chat)
    with open_advised(folder, chat, input_chars=400) as brain:
        brain.commit_turn(say("m", "s", "a" * 300 + " 结尾", "b" * 300))
        compose(brain, "m", "s", "短问题？")
        compose(brain, "m", "s", "开头 " + "z" * 10_000 + " the end?")
    short, long = chat.behaviour.said
    assert short["before"][-1] == "b" * 300
    assert short["before"][0].endswith("结尾")
    assert sum(map(len, [short["message"], *short["before"]])) == 400
    assert long["message"].startswith("开头")
    assert long["message"].endswith("the end?")
    assert len(long["message"]) < 410
    assert long["before"] == []


# Beside everything else


def test_the_memory_goes_on_while_it_thinks(brain: Brain, chat: ChatStub) -> None:
    says(chat, expansions=["kettle"])
    chat.behaviour.gate.clear()
    chat.behaviour.entered.clear()
    packages: list[Any] = []
    turn_of = say("m", "kitchen", "The kettle was replaced. 水壶换了。")
    composing = threading.Thread(target=lambda: packages.append(compose(brain, "m", "kitchen", "and now?")))
    committing = threading.Thread(target=lambda: brain.commit_turn(turn_of))
    composing.start()
    assert chat.behaviour.entered.wait(20)
    committing.start()
    committing.join(15)  # the endpoint holds its answer back for longer
    assert not committing.is_alive()
    assert packages == []
    chat.behaviour.gate.set()
    composing.join(20)
    assert any("replaced" in each.content for each in packages[0].recent_turns), "it is searched as it is by then"


def test_a_replay_does_not_ask_again(folder: Path, chat: ChatStub) -> None:
    says(chat, purpose="debug", expansions=["kettle"], types=["tasks", "spells"])
    with open_advised(folder, chat) as brain:
        brain.commit_turn(say("m", "s", "The kettle leaks. 水壶漏水。"))
        advised = compose(brain, "m", "s", "why? 为什么？")
        chat.behaviour.mode = "500"
        alone = compose(brain, "m", "s", "why? 为什么？")
        asked = len(chat.behaviour.requests)
        for package in (advised, alone):
            found = brain.replay(ReplayRequest(memory_id="m", context_id=package.context_id))
            assert found.identical, found.changes
            assert found.plan_source == "stored"
            assert found.context.debug.planner == package.debug.planner
    assert len(chat.behaviour.requests) == asked
    with open_brain(folder) as brain:
        found = brain.replay(ReplayRequest(memory_id="m", context_id=advised.context_id))
        assert found.identical, "the endpoint need not be there any more"
        assert ("kettle", 0.6) in texts(found.context)
        ruled = compose(brain, "m", "s", "why? 为什么？")
    with open_advised(folder, chat) as brain:
        found = brain.replay(ReplayRequest(memory_id="m", context_id=ruled.context_id))
    assert found.identical
    assert found.plan_source == "planner"
    assert len(chat.behaviour.requests) == asked


def test_nothing_of_it_is_loaded_where_none_is_named(folder: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from brain_core import Brain, load_policy;"
        f"Brain.open(Path({str(folder)!r}), load_policy()).close();"
        "print([name for name in sys.modules if name.endswith(('models.adviser', 'planner.consult', 'grounds'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "[]"


# Whatever it says


class Saying:
    """A model in the same process that says one thing."""

    name = "local"

    def __init__(self, answer: Mapping[str, Any]) -> None:
        self._answer = answer

    def admit(self, due: float | None) -> None: ...

    def ask(self, said: Mapping[str, Any], watch: Watch | None) -> Mapping[str, Any]:  # noqa: ARG002
        return self._answer

    def status(self) -> ExecutorStatus:
        return ExecutorStatus(name=self.name)

    def close(self) -> None: ...


_SAID = ["the second hotel in Lisbon", "亚朵酒店在西湖边", "last week 上周"]
_WORDS = st.sampled_from(
    ["hotel", "Lisbon pool", "亚朵", "酒店西湖", "last week", "上周", "tasks", "qa", "2023-01-02", ""]
)
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12) | _WORDS,
    lambda inner: st.lists(inner, max_size=8) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(FIELDS) | st.text(max_size=5), _JSON, max_size=9))
@settings(max_examples=300, deadline=None)
def test_whatever_it_says_the_plan_is_a_valid_one_of_words_that_were_said(answer: dict[str, Any]) -> None:
    policy = load_policy()
    consultant = Consultant(Saying(answer), ["tasks", "goals"], 4000, "mask")
    matter = Matter(date(2023, 11, 14), _SAID[-1], _SAID[:-1], [])
    found = consultant.advise(lambda: matter, None, None)
    request = ComposeContextRequest(memory_id="m", session_id="s", user_message=_SAID[-1], now=NOW)
    planned = plan_message(request, policy.policies, MemoryIndex(4), list, found)
    check_plan(planned.plan, policy.limits)
    planned.plan.SerializeToString()
    assert "\n".join([planned.reason, *(planned.advice.ignored if planned.advice else ())]).encode()
    said = Grounds(_SAID)
    assert all(not said.lacking(query.text) for query in planned.plan.queries)
    assert len(found.ignored) <= 50


def test_grounds_are_words_and_neighbours() -> None:
    grounds = Grounds(["InvoiceExporter writes to harbour-bucket", "我们订了西湖边的亚朵酒店", "Café Zoë"])
    for text in (
        "invoice exporter",
        "exporters",
        "harbour bucket",
        "西湖",
        "亚朵酒店",
        "西湖亚朵酒店",
        "café",
        "ｗｒｉｔｅｓ",
    ):
        assert grounds.lacking(text) == [], text
    assert grounds.lacking("invoice importer") == [grounds.lacking("importer")[0]]
    assert grounds.lacking("西湖大学") == ["大", "学"]
    assert grounds.lacking("酒") == []
    assert grounds.lacking("学") == ["学"]
    assert grounds.lacking("朵西") == ["朵", "西"], "in another order"
    assert grounds.lacking("of the") == ["of the"]
    assert grounds.hold("WRITES  to")
    assert not grounds.hold("to writes")
    assert not grounds.hold(" ")


def test_an_adviser_is_asked_for_the_types_it_is_given(chat: ChatStub) -> None:
    adviser = ChatAdviser(ChatEndpoint(chat.url, MODEL, 20.0, 300), 0, ["qa"], ["tasks", "spells"])
    says(chat)
    assert adviser.ask({"message": "?"}, None) == advice()
    adviser.close()
    [request] = chat.behaviour.requests
    assert request["messages"][0]["content"].endswith("tasks, spells")
    schema = request["response_format"]["json_schema"]["schema"]
    assert schema["properties"]["types"]["items"]["enum"] == ["tasks", "spells"]
