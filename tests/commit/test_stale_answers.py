"""Stale answers: 200 update chains, and a question for each.

A chain is one key whose value is said, changed 1 to 5 times and, in some, denied at some point; half are structured
entries, half plain English and Chinese sentences. After the last change the question is asked in a new session, and

- the current value stands in the package: in system_blocks, working_summary or evidence;
- no piece that presents an item (a system block, a line of the summary, evidence with a memory_item_id) holds a value
  that was replaced or denied. What is quoted from the log is history and may hold one, but only with its date;
- where nothing holds any more, no such piece holds any value of the chain;
- GetItem as of each revision of the chain gives the value of that revision, or that it was denied.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from google.protobuf import json_format
from smartbrain.v1.brain_service_pb2 import CommitTurnRequest, ComposeContextRequest
from smartbrain.v1.event_pb2 import Decision, Event, Goal, Message, Retraction, Task, TurnEvents
from smartbrain.v1.item_pb2 import ITEM_STATUS_ACTIVE, ITEM_STATUS_RETRACTED, AsOf
from smartbrain.v1.memory_service_pb2 import GetItemRequest

from brain_core import Brain
from brain_core.errors import NotFound
from tests.building import open_brain, pref, second
from tests.commit.drafting import draft
from tests.composed import everything, presented

CHAINS = 200
_DAY = 86_400
_ANIMALS = "heron otter lynx crane tapir gecko bison egret marten puffin".split()  # noqa: SIM905
_COLOURS = "teal amber ochre mauve coral khaki azure ivory".split()  # noqa: SIM905
_PLACES = ("Lisbon", "Oslo", "Kyoto", "Vienna", "Toronto", "Dublin", "Prague", "Geneva")
_CITIES = ("上海", "杭州", "成都", "西安", "昆明", "厦门", "大连", "苏州")
_FIRMS = ("Acme", "Globex", "Initech", "Umbrella", "Hooli", "Vandelay", "Wonka", "Stark")
_COMPANIES = ("阿里", "腾讯", "百度", "美团", "小米", "网易", "华为", "京东")
_STORES = ("Postgres", "SQLite", "RocksDB", "MySQL", "MongoDB", "Redis", "DuckDB", "Cassandra")
_LANGUAGES = ("French", "German", "Spanish", "Italian", "Dutch", "Greek", "Polish", "Danish")
_TONGUES = ("法语", "德语", "英语", "日语", "俄语", "韩语")
_PORTS = ("5433", "6012", "7345", "8181", "9290", "4747", "3639", "2525")

Parts = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Way:
    """How a chain speaks. say, deny: parts of a turn for a value. question: what is asked in the end."""

    type: str
    key: str
    values: tuple[str, ...]
    say: Callable[[str], Parts]
    deny: Callable[[str], Parts] | None
    question: str


def structured(number: int) -> Way:
    """Return the way of a chain of structured entries."""
    colours = random.Random(number)
    values = tuple(f"{colours.choice(_COLOURS)}-{animal}-{number:03d}" for animal in _ANIMALS)
    name = f"app {number:03d}"
    part = f"app_{number:03d}"
    owner = f"project://{part}/owner"
    kinds: list[tuple[str, str, Callable[[str], Parts], str]] = [
        (
            "preferences",
            f"pref:ui:theme_of_{part}",
            lambda v: {"preferences": [pref(f"theme of {name}", v, scope="ui")]},
            f"Which theme does {name} get?",
        ),
        (
            "decisions",
            f"decision:default:database_of_{part}",
            lambda v: {"decisions": [Decision(topic=f"database of {name}", decision=f"use {v}")]},
            f"What did we decide on the database of {name}?",
        ),
        (
            "goals",
            f"goal:default:aim_of_{part}",
            lambda v: {"goals": [Goal(name=f"aim of {name}", description=f"reach {v}")]},
            f"What is the aim of {name}?",
        ),
        (
            "tasks",
            f"task:{part}:release",
            lambda v: {"tasks": [Task(project=name, task_id="release", title=f"Release {v}")]},
            f"What is to be released of {name}?",
        ),
        (
            "events",
            f"event:default:2023-11-01:launch_of_{part}",
            lambda v: {"events": [Event(title=f"Launch of {name}", date="2023-11-01", impact=f"moved to {v}")]},
            f"What did the launch of {name} change?",
        ),
        (
            "knowledge",
            f"knowledge:fact:host_of_{part}",
            lambda v: _item("knowledge", slug=f"host of {name}", content=f"The host of {name} is {v}"),
            f"What is the host of {name}?",
        ),
        (
            "notes",
            owner,
            lambda v: _item("notes", uri=owner, content=f"Owner of {name}: {v}"),
            f"Who is the owner of {name}?",
        ),
        (
            "patterns",
            f"pattern:general:deploy_of_{part}",
            lambda v: _item("patterns", name=f"deploy of {name}", rule=f"always by {v}"),
            f"How is {name} deployed?",
        ),
    ]
    item_type, key, say, question = kinds[number % len(kinds)]
    denial = {"retractions": [Retraction(type=item_type, key=key, reason="not true")]}
    return Way(item_type, key, values, say, lambda _: denial, question)


def _item(item_type: str, **value: str) -> Parts:
    return {"items": [draft(item_type, value)]}


def _spoken(pattern: str) -> Callable[[str], Parts]:
    return lambda value: {"messages": [Message(role="user", content=pattern.format(value))]}


def _both(first: str, later: str) -> Callable[[str], Parts]:
    """Return what says odd and even values in other words."""
    return lambda value: _spoken(first if len(value) % 2 else later)(value)


SPOKEN: list[Way] = [
    Way("profile", "profile:user", _PLACES, _both("I live in {}.", "I now live in {}."), None, "Where do I live?"),
    Way("profile", "profile:user", _CITIES, _spoken("我现在住在{}。"), _spoken("我不住在{}了。"), "我住在哪里？"),
    Way("profile", "profile:user", _FIRMS, _both("I work at {}.", "I now work at {}."),
        _spoken("I no longer work at {}."), "Where do I work?"),
    Way("profile", "profile:user", _COMPANIES, _spoken("我现在在{}工作。"), _spoken("我已经不在{}工作了。"),
        "我在哪家公司工作？"),
    Way("decisions", "decision:default:database", _STORES,
        _both("We decided to use {} for the database.", "Let's go with {} for the database."), None,
        "Which database did we decide to use?"),
    Way("decisions", "decision:default:database", _STORES, _spoken("我们决定用{}做数据库。"), None,
        "我们决定用什么数据库？"),
    Way("preferences", "pref:writing:language", _LANGUAGES,
        _both("Please always answer in {}.", "From now on always answer in {}."), None, "Which language do I want?"),
    Way("preferences", "pref:writing:language", _TONGUES, _spoken("以后都用{}回答。"), None,
        "我希望用什么语言回答？"),
    Way("knowledge", "knowledge:fact:测试库端口", _PORTS, _spoken("记住测试库的端口是{}。"), None,
        "测试库的端口是多少？"),
    Way("profile", "profile:user", _PLACES, _spoken("My name is {}."), None, "What is my name?"),
]  # fmt: skip
"""Ways of chains of sentences, each in a memory of its own, for they share keys."""


@dataclass(frozen=True, slots=True)
class Step:
    """One change of a chain. value: None for a denial."""

    value: str | None
    parts: Parts


def steps_of(way: Way, seed: int) -> list[Step]:
    """Return a chain: a value, then 1 to 5 changes; in a third of those that can, one of them is a denial."""
    chance = random.Random(seed)
    changes = chance.randint(1, 5)
    values = chance.sample(way.values, min(changes + 1, len(way.values)))
    steps = [Step(value, way.say(value)) for value in values]
    if way.deny is not None and chance.random() < 0.35:
        place = chance.randint(1, len(steps) - 1)
        steps[place] = Step(None, way.deny(values[place - 1]))
    return steps


DISTRACTORS = (
    "Good morning! The weather is lovely today, is it not?",
    "What would happen if we all lived on the moon?",
    "最近天气真不错，你觉得呢？",
    "Could you explain how rainbows come about?",
)


def commit_chain(brain: Brain, memory: str, steps: list[Step]) -> Iterator[tuple[int, Step]]:
    """Commit a chain with talk in between, some days apart; yield the revision of each step."""
    for number, step in enumerate(steps):
        parts: Parts = {name: list(value) for name, value in step.parts.items()}
        when = second((3 * number - 60) * _DAY)
        messages = parts.pop("messages", [Message(role="user", content=DISTRACTORS[number % len(DISTRACTORS)])])
        for message in messages:
            message.created_at.CopyFrom(when)
        talk = Message(role="user", content=DISTRACTORS[(number + 1) % len(DISTRACTORS)], created_at=when)
        events = TurnEvents(messages=[*messages, talk], **parts)
        request = CommitTurnRequest(memory_id=memory, session_id=f"day {number}", turn=events)
        yield brain.commit_turn(request).revision, step


def value_of(brain: Brain, memory: str, way: Way, revision: int) -> str | None:
    """Return what was believed at a revision, as one text: empty if nothing, None if it had been denied."""
    request = GetItemRequest(memory_id=memory, type=way.type, key=way.key, as_of=AsOf(revision=revision))
    try:
        item = brain.get_item(request).item
    except NotFound:
        return ""
    if item.status == ITEM_STATUS_RETRACTED:
        return None
    assert item.status == ITEM_STATUS_ACTIVE, f"{way.key} at {revision}: {item.status}"
    value = json_format.MessageToDict(item.value)
    value.pop("denied", None)
    return str(value)


def problems_of(brain: Brain, memory: str, way: Way, history: list[tuple[int, Step]]) -> list[str]:
    """Return what is wrong with the answer to a chain's question and with its past; empty if nothing is."""
    current = history[-1][1].value
    stale = {step.value for _, step in history if step.value} - {current}
    request = ComposeContextRequest(memory_id=memory, session_id="a new one", user_message=way.question)
    package = brain.compose_context(request).context
    found = [f"{one!r} is presented as current" for one in stale if any(one in text for text in presented(package))]
    if current is not None and current not in everything(package):
        found.append(f"{current!r} is not in the package")
    for place, (revision, step) in enumerate(history):
        request.as_of.revision = revision
        then = everything(brain.compose_context(request).context)
        later = {one.value for _, one in history[place:] if one.value} - {one.value for _, one in history[: place + 1]}
        found += [f"as of revision {revision}: the package knows of {one!r}" for one in later if one in then]
        if step.value is not None and step.value not in then:
            found.append(f"as of revision {revision}: {step.value!r} is not in the package")
        believed = value_of(brain, memory, way, revision)
        if (believed is None) != (step.value is None) or (step.value is not None and step.value not in str(believed)):
            found.append(f"as of revision {revision}: {believed!r}, not {step.value!r}")
    return found


def test_no_answer_is_stale(folder: Path) -> None:
    wrong: dict[str, list[str]] = {}
    asked: list[tuple[str, Way, list[tuple[int, Step]]]] = []
    with open_brain(folder) as brain:
        for number in range(CHAINS):
            half = number // 2
            way = SPOKEN[half % len(SPOKEN)] if number % 2 else structured(half)
            memory = f"spoken {half}" if number % 2 else f"structured {half // 20}"
            asked.append((memory, way, list(commit_chain(brain, memory, steps_of(way, number)))))
        for number, (memory, way, history) in enumerate(asked):
            problems = problems_of(brain, memory, way, history)
            if problems:
                said = [step.value for _, step in history]
                wrong[f"{number} {way.type} {way.question} {said}"] = problems
    assert len(asked) == CHAINS
    denied = [history for _, _, history in asked if any(step.value is None for _, step in history)]
    assert len(denied) >= CHAINS // 10
    assert not wrong, f"{CHAINS - len(wrong)} of {CHAINS} are right:\n" + "\n".join(
        f"{k}: {v}" for k, v in wrong.items()
    )


@pytest.mark.parametrize("way", SPOKEN, ids=lambda way: way.question)
def test_every_way_of_speaking_is_learned_from(folder: Path, way: Way) -> None:
    with open_brain(folder) as brain:
        steps = [Step(value, way.say(value)) for value in way.values[:3]]
        for revision, step in commit_chain(brain, "m", steps):
            assert step.value
            assert step.value in str(value_of(brain, "m", way, revision))
