"""Notes about somebody who has a name: what happened to them is no goal of the user, and stays so."""

from __future__ import annotations

import pytest
from smartbrain.v1.item_pb2 import ITEM_STATUS_ACTIVE, MemoryItem
from smartbrain.v1.memory_service_pb2 import ListItemsRequest

from brain_core import Brain
from tests.building import say

DIARIES = {
    "zh": (
        "Nora在学校的运动会上参加了接力赛，比赛前十分紧张，最后拿了第三名，感到非常开心。",
        "在元旦晚会上，Nora和同学们一起表演了合唱，感到非常开心。",
        "Nora从外婆那里收到了一只红色的手表，非常惊喜。",
        "Nora从爸爸那里得到了一套蓝色的画笔。",
        "Nora参加了绘画比赛，期待能够获奖却没有得奖，感到失望。",
        "Nora在图书馆发现了一本讲海豚的漫画书。",
    ),
    "en": (
        "Halla gets seasick on anything smaller than a ferry.",
        "Teo gets migraines from red wine vinegar and from fluorescent light.",
        "Greta gets migraines from balsamic vinegar and from flashing light.",
        "Teo dislikes Valentine's Day menus and calls them hostage dinners.",
        "Otto dislikes New Year's Eve buffets and calls them survival training.",
        "Their daughter Juno is in third class and wants to become a vet for goats.",
        "Otto was given a place in marine chemistry and needs a room from August.",
    ),
}
OWN = {"zh": "我想拿下今年的接力赛冠军，这是我的目标。", "en": "My goal is to win the relay this year."}


def told(brain: Brain, memory: str, lines: tuple[str, ...]) -> list[MemoryItem]:
    for day, line in enumerate(lines):
        brain.commit_turn(say(memory, f"s{day}", line, at=day * 86_400))
    return list(brain.list_items(ListItemsRequest(memory_id=memory, page_size=100)).items)


@pytest.mark.parametrize("language", DIARIES)
def test_what_is_told_of_somebody_is_nothing_of_the_users(brain: Brain, language: str) -> None:
    items = told(brain, f"of_{language}", DIARIES[language])
    assert items
    assert {item.type for item in items}.isdisjoint({"goals", "preferences", "profile"})


@pytest.mark.parametrize("language", DIARIES)
def test_what_happened_or_is_told_of_one_stays_so_whatever_is_told_next(brain: Brain, language: str) -> None:
    items = told(brain, f"stays_{language}", DIARIES[language])
    assert items
    assert all(item.status == ITEM_STATUS_ACTIVE and not item.HasField("doubted_at") for item in items)


@pytest.mark.parametrize("language", OWN)
def test_the_users_own_goal_among_them_is_one(brain: Brain, language: str) -> None:
    items = told(brain, f"own_{language}", (*DIARIES[language][:2], OWN[language]))
    assert [item.type for item in items].count("goals") == 1


def test_what_becomes_of_somebody_else_leaves_what_is_so_of_the_user(brain: Brain) -> None:
    own = ("I live in Berlin.", "I work at Siemens.", "I bank with Barclays.")
    items = told(brain, "user", (*own, "Greta changed banks, she's with Monzo now."))
    [profile] = [item for item in items if item.type == "profile"]
    assert "Berlin" in profile.text
    assert "Barclays" in profile.text
    assert "no longer" not in profile.text
