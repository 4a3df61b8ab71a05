"""In a chat of several, what one tells changes nothing of what another has told."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from google.protobuf import json_format
from smartbrain.v1.event_pb2 import ItemDraft, Message, Preference, Task
from smartbrain.v1.item_pb2 import ITEM_STATUS_ACTIVE, AsOf, MemoryItem
from smartbrain.v1.memory_service_pb2 import ListItemsRequest, RollbackItemRequest

from brain_core import Brain
from brain_core.commit.held import MOST
from brain_core.commit.revisions import begin_revision, put_revision
from brain_core.kinds.registry import KINDS
from brain_core.kinds.subject import without_subject
from brain_core.store import items, keys
from tests.building import compose, found, fresh, open_brain, turn


def tell(brain: Brain, *lines: str, memory: str = "") -> str:
    """Commit lines `speaker: text`, a turn each, in one session; return the memory."""
    memory = memory or fresh()
    for line in lines:
        speaker, _, text = line.partition(": ")
        said = Message(role="user", speaker=speaker, content=text)
        brain.commit_turn(turn(memory, "s", messages=[said]))
    return memory


def held(brain: Brain, memory: str) -> dict[str, MemoryItem]:
    """Return the active items of a memory by key, those that are in doubt left out."""
    found = items.scan_items(brain._kv, memory)
    active = (one for one in found if one.status == ITEM_STATUS_ACTIVE and not one.HasField("doubted_at"))
    return {one.key: one for one in active if one.type != "entities"}


def texts(brain: Brain, memory: str) -> dict[str, str]:
    return {key: one.text.partition("\n")[2] for key, one in held(brain, memory).items()}


APART = [
    ("I live in Berlin.", "I live in Oslo.", "Berlin", "Oslo"),
    ("I moved to Porto last year.", "I just moved to Lyon.", "Porto", "Lyon"),
    ("I work at Siemens.", "I work at Bosch.", "Siemens", "Bosch"),
    ("My birthday is on May 3.", "My birthday is on June 9.", "May 3", "June 9"),
    ("I'm allergic to peanuts.", "I'm allergic to shellfish.", "peanuts", "shellfish"),
    ("I prefer tabs over spaces.", "I prefer spaces over tabs.", "tabs over spaces", "spaces over tabs"),
    ("I decided to use Postgres for it.", "I decided to use MySQL for it.", "Postgres", "MySQL"),
    ("My goal is to run a marathon.", "My goal is to learn Spanish.", "marathon", "Spanish"),
    ("I have to water the plants.", "I need to call the bank.", "plants", "bank"),
    ("我住在杭州。", "我住在奥斯陆。", "杭州", "奥斯陆"),
    ("我搬到成都了。", "我搬到深圳了。", "成都", "深圳"),
    ("我在腾讯上班。", "我在华为上班。", "腾讯", "华为"),
    ("我对花生过敏。", "我对海鲜过敏。", "花生", "海鲜"),
    ("我喜欢吃辣。", "我不喜欢吃辣。", "用户喜欢吃辣", "Tom不喜欢吃辣"),
    ("我决定用 Postgres。", "我决定用 MySQL。", "Postgres", "MySQL"),
    ("我要给银行打电话。", "我要去买牛奶。", "银行", "牛奶"),
]


@pytest.mark.parametrize(("one", "other", "of_one", "of_other"), APART)
def test_what_each_tells_is_kept_about_them(brain: Brain, one: str, other: str, of_one: str, of_other: str) -> None:
    told = texts(brain, tell(brain, f"Ann: {one}", f"Tom: {other}"))
    (ann,) = (text for key, text in told.items() if ":tom" not in key)
    (tom,) = (text for key, text in told.items() if ":tom" in key)
    assert of_one in ann
    assert "Tom" not in ann
    assert of_other in tom
    assert "Tom" in tom
    assert "user" not in tom


STANDS = [
    ("I love meat.", "I don't eat meat any more."),
    ("I live in Berlin.", "I no longer live in Berlin."),
    ("I work at Siemens.", "I quit my job at Siemens."),
    ("I'm allergic to peanuts.", "I'm not allergic to peanuts."),
    ("I use an iPhone 12.", "got a Pixel 9, that's my phone now"),
    ("I decided to use Postgres for my blog.", "I decided against Postgres, MySQL it is."),
    ("I decided to sell the car.", "We decided not to sell the car."),
    ("We decided to use Postgres.", "I don't want Postgres."),
    ("I need to renew my passport.", "I renewed my passport."),
    ("I need to call the bank.", "It's done."),
    ("I need to call the bank.", "Forget the call to the bank, no need to call the bank."),
    ("My dentist appointment is on Friday.", "My dentist appointment got cancelled."),
    ("My goal is to run a marathon.", "I gave up on running a marathon."),
    ("我爱吃肉。", "我不吃肉了。"),
    ("我住在杭州。", "我不住杭州了。"),
    ("我在腾讯上班。", "我从腾讯离职了。"),
    ("我对花生过敏。", "我对花生不过敏。"),
    ("我的手机是 iPhone 12。", "我换了 Pixel 9。"),
    ("我要给银行打电话。", "给银行的电话打完了。"),
    ("我要给银行打电话。", "搞定了。"),
    ("我喜欢喝咖啡。", "我不喝咖啡了，改喝茶了。"),
    ("我周五要去看牙。", "看牙取消了。"),
]


@pytest.mark.parametrize("told_by", ["Ann Tom", "Tom Ann"], ids=["owner", "other"])
@pytest.mark.parametrize(("one", "other"), STANDS)
def test_nobody_ends_or_doubts_what_another_has_told(brain: Brain, told_by: str, one: str, other: str) -> None:
    first, then = told_by.split()
    memory = tell(brain, "Ann: Hello!", f"{first}: {one}")
    before = held(brain, memory)
    assert before
    tell(brain, f"{then}: {other}", memory=memory)
    after = held(brain, memory)
    assert {key: after.get(key) for key in before} == before


@pytest.mark.parametrize(
    ("one", "other", "left"),
    [
        ("I love meat.", "I don't eat meat any more.", "love"),
        ("I live in Oslo.", "I moved to Rome.", "Oslo"),
        ("I need to call the bank.", "I called the bank.", "todo"),
        ("I need to call the bank.", "It's done.", "todo"),
        ("I decided to use Postgres.", "I decided to use MySQL instead.", "Postgres"),
        ("我住在杭州。", "我搬到成都了。", "杭州"),
        ("我要给银行打电话。", "给银行的电话打完了。", "todo"),
    ],
)
def test_who_is_not_the_owner_may_change_their_own(brain: Brain, one: str, other: str, left: str) -> None:
    memory = tell(brain, "Ann: Hello!", f"Tom: {one}", f" TOM : {other}".replace(" :", ":", 1))
    assert not any(left in text for text in texts(brain, memory).values())


SHARED = [
    ("We need to fix the login bug.", "I fixed the login bug.", "todo"),
    ("We have to book the venue.", "Booked the venue.", "todo"),
    ("We decided to use Postgres.", "We decided to use MySQL instead.", "Postgres"),
    ("Let's go with Postgres, we decided.", "We decided against Postgres.", "go with Postgres"),
    ("我们要修登录的 bug。", "登录的 bug 修好了。", "todo"),
    ("我们决定用 Postgres。", "我们决定改用 MySQL。", "用 Postgres"),
]


@pytest.mark.parametrize("told_by", ["Ann Tom", "Tom Ann", "Tom Kim"])
@pytest.mark.parametrize(("one", "other", "left"), SHARED)
def test_what_is_told_for_all_is_everybody_s(brain: Brain, told_by: str, one: str, other: str, left: str) -> None:
    first, then = told_by.split()
    memory = tell(brain, "Ann: Hello!", f"{first}: {one}", f"{then}: {other}")
    assert not any(left in text for text in texts(brain, memory).values())


def test_a_task_of_a_project_is_everybody_s(brain: Brain) -> None:
    memory = tell(brain, "Ann: Hello!", "Tom: Hello!")
    given = [
        Task(project="atlas", task_id="login", title="Fix the login page"),
        Task(task_id="tax", title="Do the tax"),
    ]
    brain.commit_turn(turn(memory, "s", tasks=given))
    tell(brain, "Tom: I fixed the login page.", "Tom: I did the tax.", memory=memory)
    told = texts(brain, memory)
    assert "done" in told["task:atlas:login"]
    assert "todo" in told["task:default:tax"]


@pytest.mark.parametrize(
    "lines",
    [
        (": I live in Berlin. My name is Ann.", "Ann: I moved to Rome."),
        ("Ann: I live in Berlin.", "ＡＮＮ : I moved to Rome."),
        ("Ann: I live in Berlin.", ": I moved to Rome."),
        ("user: I live in Berlin.", ": I moved to Rome."),
        (": 我叫小安，我住在杭州。", "小安: 我搬到成都了。"),
    ],
)
def test_the_owner_by_any_name_is_one(brain: Brain, lines: Sequence[str]) -> None:
    told = texts(brain, tell(brain, *lines))
    assert told.keys() == {"profile:user"}
    assert "Berlin" not in told["profile:user"]
    assert "杭州" not in told["profile:user"]


def test_who_speaks_under_a_name_after_one_without_is_another(brain: Brain) -> None:
    told = texts(brain, tell(brain, ": I live in Berlin.", "Tom: I live in Oslo.", "Kim: I live in Bern."))
    assert told.keys() == {"profile:user", "profile:tom", "profile:kim"}


def test_the_policy_names_the_owner(folder: Path) -> None:
    with open_brain(folder, policies={"retention": {"owner": ["Ann"]}}) as brain:
        told = texts(brain, tell(brain, "Tom: I live in Oslo.", "ann: I live in Berlin.", memory="m"))
    assert "Berlin" in told["profile:user"]
    assert "Oslo" in told["profile:tom"]


def test_memories_of_earlier_versions_are_of_who_spoke_first_in_them(folder: Path) -> None:
    with open_brain(folder) as brain:
        tell(brain, "Ann: I live in Berlin.", memory="m")
        space, change, batch = begin_revision(brain._kv, "m", brain._env)
        space.ClearField("owner")
        put_revision(batch, brain._kv, space, change)
        brain._kv.write(keys.memory("m"), batch)
    with open_brain(folder) as brain:
        told = texts(brain, tell(brain, "Tom: I live in Oslo.", "Ann: I moved to Rome.", memory="m"))
    assert "Rome" in told["profile:user"]
    assert "Oslo" in told["profile:tom"]


def test_what_callers_give_is_of_whom_they_say(brain: Brain) -> None:
    memory = fresh()
    given = [Preference(scope="ui", name="theme", value="dark", confirmed=True)]
    said = [Message(role="user", speaker=name, content="Hello!") for name in ("Ann", "Tom")]
    brain.commit_turn(turn(memory, "s", messages=said, preferences=given))
    brain.commit_turn(turn(memory, "s", messages=said[1:], preferences=given))
    assert held(brain, memory).keys() == {"pref:ui:theme"}


@pytest.mark.parametrize(
    ("told", "what"),
    [
        ("My sister Mei is allergic to peanuts.", "peanuts"),
        ("My brother can't have dairy.", "dairy"),
        ("My mom takes warfarin.", "warfarin"),
        ("我老婆对虾过敏。", "虾"),
    ],
)
def test_what_somebody_near_another_must_not_be_given_is_pinned_for_the_owner_alone(
    brain: Brain, told: str, what: str
) -> None:
    """It stands in every context of whom it is near to: a merge pinned what a guest said of his sister, too."""
    for speaker, is_pinned in (("Tom", False), ("Ann", True)):
        memory = tell(brain, "Ann: I live in Berlin.", f"{speaker}: {told}")
        assert any(what in one.text for one in held(brain, memory).values())
        blocks = compose(brain, memory, "later", "Hello?").system_blocks
        assert any(what in block.text for block in blocks) == is_pinned


def test_of_others_nothing_is_pinned_and_all_is_found(brain: Brain) -> None:
    memory = tell(
        brain,
        "Ann: I live in Berlin and I'm allergic to peanuts.",
        "Tom: I live in Oslo.",
        "Tom: I'm allergic to shellfish.",
        "Tom: My goal is to learn Spanish.",
    )
    pinned = " ".join(block.text for block in compose(brain, memory, "later", "Hello?").system_blocks)
    assert "Berlin" in pinned
    assert "peanuts" in pinned
    assert not any(word in pinned for word in ("Oslo", "shellfish", "Spanish"))
    assert any("Profile of Tom" in text for text in found(brain, memory, "Where does Tom live?"))


def test_a_crowd_hides_nothing_that_one_has_told(brain: Brain) -> None:
    memory = tell(brain, "Ann: I live in Berlin. I love meat.", "Tom: I love fish.")
    crowd = [ItemDraft(type="preferences") for _ in range(2 * MOST)]
    for number, draft in enumerate(crowd):
        draft.value.update({"subject": f"kim{number}", "name": f"dish {number}", "value": "hot"})
    brain.commit_turn(turn(memory, "s", items=crowd))
    tell(brain, "Ann: I don't eat meat any more.", "Tom: I don't eat fish any more.", memory=memory)
    told = {key: text for key, text in texts(brain, memory).items() if "dish" not in key}
    assert not any(text.endswith((": meat", ": fish")) for text in told.values()), told


def test_versions_of_another_s_items_are_read_and_rolled_back(brain: Brain) -> None:
    memory = tell(brain, "Ann: I live in Berlin.", "Tom: I live in Oslo.", "Tom: I moved to Rome.")
    then = ListItemsRequest(memory_id=memory, types=["profile"], as_of=AsOf(revision=2))
    tom, ann = (item.text for item in brain.list_items(then).items)
    assert "Profile of Tom" in tom
    assert "Oslo" in tom
    assert "Berlin" in ann
    brain.rollback_item(RollbackItemRequest(memory_id=memory, type="profile", key="profile:tom", version=1))
    tell(brain, "Ann: I moved to Bern.", memory=memory)
    assert "Oslo" in texts(brain, memory)["profile:tom"]


def test_a_summary_says_who_has_decided(brain: Brain) -> None:
    memory = tell(brain, "Ann: Hello!")
    said = Message(role="user", speaker="Tom", content="I decided to use MySQL for my blog.")
    assert "(Tom)" in brain.commit_turn(turn(memory, "s", messages=[said])).summary.text


def test_what_somebody_tells_of_a_project_is_found_by_its_name(brain: Brain) -> None:
    memory = tell(brain, "Ann: Hello!", "Tom: Hello!")
    value = {"subject": "tom", "project": "atlas", "name": "beta", "description": "Ship the beta by May"}
    draft = ItemDraft(type="goals")
    draft.value.update(value)
    brain.commit_turn(turn(memory, "s", items=[draft], tasks=[Task(project="atlas", task_id="login", title="Log in")]))
    assert any("Goal of tom in atlas" in text for text in found(brain, memory, "atlas", mode="relational"))


ONE = (
    "I live in Berlin.", "I'm allergic to peanuts.", "I love meat.", "I work at Siemens.", "I need to call the bank.",
    "I decided to use Postgres.", "I moved to Rome.", "I don't eat meat any more.", "I called the bank.",
    "我住在杭州。", "我喜欢喝咖啡。", "我要去买牛奶。", "我搬到成都了。", "我不喝咖啡了。", "牛奶买好了。",
)  # fmt: skip
OTHER = (
    "I live in Oslo.", "I'm not allergic to peanuts.", "I don't like meat.", "I quit my job at Siemens.",
    "I work at Bosch.", "I need to call the bank.", "I called the bank.", "I decided to use MySQL.", "I moved to Rome.",
    "我住在成都。", "我不喜欢喝咖啡。", "我要去买牛奶。", "牛奶买好了。", "我对花生过敏。", "我搬到杭州了。",
)  # fmt: skip


def of(brain: Brain, memory: str, subject: str) -> dict[str, tuple[int, int, dict[str, Any]]]:
    """Return status, version and value of a subject's items by key, as they were if it was the owner."""
    told = {}
    for item in items.scan_items(brain._kv, memory):
        kind, value = KINDS[item.type], json_format.MessageToDict(item.value)
        if kind.of_somebody and kind.subject_of(item.key) == subject:
            bare = without_subject(value)
            told[kind.key(kind.complete(bare))] = item.status, item.version, bare
    return {key: (status, version, _undated(value)) for key, (status, version, value) in told.items()}


def _undated(value: dict[str, Any]) -> dict[str, Any]:
    return {name: each for name, each in value.items() if name not in {"subject", "made_at"}}


@pytest.mark.parametrize("seed", range(6))
def test_what_others_say_between_changes_nothing(brain: Brain, seed: int) -> None:
    chance = random.Random(seed)
    said = [(speaker, chance.choice(own)) for speaker, own in chance.choices([("Ann", ONE), ("Tom", OTHER)], k=24)]
    together = tell(brain, "Ann: Hello!", *(f"{speaker}: {text}" for speaker, text in said))
    for speaker, subject in (("Ann", ""), ("Tom", "tom")):
        alone = tell(brain, *(f"{speaker}: {text}" for one, text in said if one == speaker))
        assert of(brain, together, subject) == of(brain, alone, "")
