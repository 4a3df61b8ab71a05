"""Questions for many of a sort, which were told one by one over many sessions, and those that only look like it."""

from __future__ import annotations

from datetime import date

import pytest

from brain_core.compose.planner.read import Recent, read


def asks_for_many(message: str) -> bool:
    return bool(read(message, date(2026, 5, 15), Recent).scattered)


@pytest.mark.parametrize(
    "message",
    [
        "Which restaurants have we been to?",
        "What books did I read this year?",
        "What kinds of tea have I tried?",
        "which of my plants have died",
        "Who is allergic to what?",
        "Where have I travelled?",
        "Which pictures has Melanie painted so far?",
        "list my tablets",
        "every novel I've finished",
        "How many races did I run?",
        "Whose birthdays do I have to remember, and when are they?",
        "What did we sell this year?",
        "我们去过哪些城市？",
        "我都有什么药？",
        "谁对什么过敏？",
        "把我看过的书都列一下",
        "我们吃過哪些餐廳",
        "家里修过什么？",
        "小雨今年跑了几场比赛？",
        "读过的书有哪几本，都叫什么",
    ],
)
def test_many_of_a_sort_are_asked_for(message: str) -> None:
    assert asks_for_many(message)


@pytest.mark.parametrize(
    "message",
    [
        "What is my dog's name?",
        "What does Tom do?",
        "Where did we go for Easter?",
        "How many napkins had Soph's mum folded into fish?",
        "Which three buttons did we agree the volunteer gets?",
        "Who blocked the card processor I knew well, and on what grounds?",
        "What jackets will the crew wear, and what do they cost?",
        "What restaurants did you recommend?",
        "What were your suggestions?",
        "What tasks are still open?",
        "Which functions does the README list?",
        "What topics did we cover in this chat?",
        "I read a lot of books.",
        "我的狗叫什么名字？",
        "你推荐过哪些餐馆？",
        "你之前的建议都有哪些",
        "我还有哪些待办没做完？",
        "幼儿园那单一共多少扇，一扇多少钱？",
        "团子三天吐了几次？",
        "我读了很多书。",
    ],
)
def test_one_thing_or_what_was_proposed_is_no_list(message: str) -> None:
    assert not asks_for_many(message)
