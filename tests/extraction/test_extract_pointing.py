"""What "it" and "that" are: what a message has named itself, before anything that the memory holds."""

from __future__ import annotations

from pathlib import Path

import pytest
from google.protobuf import json_format
from smartbrain.v1.item_pb2 import ITEM_STATUS_ACTIVE
from smartbrain.v1.memory_service_pb2 import ListItemsRequest

from brain_core import Brain
from tests.building import open_brain, say
from tests.extraction.updates import changed_among, changed_beside

TOLD = (
    "My favourite tea is oolong.",
    "I have to send the tax form to Kim by Friday.",
    "I need to book the dentist.",
    "I'm allergic to peanuts.",
)
TOLD_IN_CHINESE = ("我最喜欢的茶是乌龙。", "我得预约牙医。", "我对花生过敏。")


def _held(brain: Brain) -> dict[str, object]:
    """Return the values of what is believed, by key."""
    items = brain.list_items(ListItemsRequest(memory_id="m")).items
    return {each.key: json_format.MessageToDict(each.value) for each in items if each.status == ITEM_STATUS_ACTIVE}


def _before_and_after(
    folder: Path, told: tuple[str, ...], said: str, session: str = "s"
) -> tuple[dict[str, object], dict[str, object]]:
    with open_brain(folder) as brain:
        for fact in told:
            brain.commit_turn(say("m", "s", fact))
        before = _held(brain)
        brain.commit_turn(say("m", session, said))
        after = _held(brain)
    return before, {key: after.get(key) for key in before}


@pytest.mark.parametrize(
    "said",
    [
        "I called my mum and she loved it.",
        "We talked about the discounts and deadlines for it.",
        "My whole trip depends on it.",
        "I bought a new bike and it's fast.",
        "We ordered pizza and it was cold.",
        "I wrote a poem, it's out in a magazine.",
        "Hello. I managed to link my main bank account. It took a bit, but it's done.",
        "Kim finished her exams.",
        "My dentist got a new job.",
        "She sent me a form yesterday.",
        "My sister's match was cancelled. It's been moved to Friday.",
        "The concert is off, they cancelled it.",
        "They called the wedding off, it's not happening.",
    ],
)
def test_it_is_not_what_the_memory_holds(said: str, tmp_path: Path) -> None:
    before, after = _before_and_after(tmp_path, TOLD, said)
    assert after == before


@pytest.mark.parametrize(
    "said",
    ["她发了。", "他写完了。", "折腾了半天路由器，总算弄好了。", "别管那个声音，是邻居。", "演唱会取消了，改到周五。"],
)
def test_it_is_not_what_the_memory_holds_in_chinese(said: str, tmp_path: Path) -> None:
    before, after = _before_and_after(tmp_path, TOLD_IN_CHINESE, said)
    assert after == before


@pytest.mark.parametrize(
    "said", ["It's done.", "I'm on it.", "Forget that.", "I'm done with that.", "It's Saturday now."]
)
def test_it_is_none_of_many_things_of_another_session(said: str, tmp_path: Path) -> None:
    before, after = _before_and_after(tmp_path, TOLD, said, "later")
    assert after == before


def test_it_is_no_task_where_another_thing_was_told_last(tmp_path: Path) -> None:
    before, after = _before_and_after(tmp_path, TOLD, "It's done.")
    assert after == before


@pytest.mark.parametrize(
    "said",
    [
        "Let's get the dentist booked.",
        "I can't relax until the dentist is booked.",
        "It's taking forever to get the dentist booked.",
        "We can sort out the dentist.",
        "I'll get stuck into booking the dentist today.",
    ],
)
def test_what_is_not_done_yet_is_not_done(said: str, tmp_path: Path) -> None:
    before, after = _before_and_after(tmp_path, TOLD, said)
    assert after["task:default:book_dentist"] == before["task:default:book_dentist"]


@pytest.mark.parametrize("said", ["看了。", "已经付了。", "改了。", "小杰说这个牌子的茶换了包装。"])
def test_it_is_nothing_of_another_session_in_chinese(said: str, tmp_path: Path) -> None:
    before, after = _before_and_after(tmp_path, TOLD_IN_CHINESE, said, "later")
    assert after == before


@pytest.mark.parametrize(
    ("said", "status"),
    [
        ("It's done.", "done"),
        ("Hi! All done.", "done"),
        ("I've booked it.", "done"),
        ("About the dentist: all done.", "done"),
        ("Dentist booked.", "done"),
        ("the dentist is booked for Monday", "done"),
        ("I'm stuck on the dentist.", "blocked"),
    ],
)
def test_what_became_of_the_newest_task_or_of_one_by_name(said: str, status: str, tmp_path: Path) -> None:
    _, after = _before_and_after(tmp_path, TOLD[:3], said)
    assert after["task:default:book_dentist"] == {
        "project": "default",
        "status": status,
        "task_id": "book_dentist",
        "title": "book the dentist",
    }


@pytest.mark.parametrize("said", ["搞定了！", "办完了。", "牙医约好了。"])
def test_what_became_of_the_only_task_in_chinese(said: str, tmp_path: Path) -> None:
    _, after = _before_and_after(tmp_path, TOLD_IN_CHINESE, said)
    assert "'status': 'done'" in str(after["task:default:预约牙医"])


def test_a_task_of_another_name_keeps_its_status(tmp_path: Path) -> None:
    before, after = _before_and_after(tmp_path, TOLD[:3], "I sent Kim the form.")
    assert after.pop("task:default:send_tax_form_kim") != before.pop("task:default:send_tax_form_kim")
    assert after == before


def test_a_word_that_ends_like_a_past_form_finishes_nothing(tmp_path: Path) -> None:
    told = "I have a list of treaties that I still need to go through."
    before, after = _before_and_after(tmp_path, (told,), "I have the list in front of me.")
    assert after == before


@pytest.mark.parametrize(("language", "most"), [("en", 0), ("zh", 1)])
def test_what_is_said_of_other_matters_changes_nothing(language: str, most: int) -> None:
    """Of 100 messages each, written by one who knew the facts: of seven English ones before, something was changed."""
    assert len(changed_beside(language)) <= most


@pytest.mark.parametrize(("language", "least"), [("en", 18), ("zh", 15)])
def test_as_much_is_up_to_date_among_other_facts_as_was(language: str, least: int) -> None:
    assert len(changed_among(language)) >= least
