"""What the user has just told is put right or taken back by what follows, and by nothing that only sounds like it."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brain_core import Brain
from brain_core.extract.aligned import place_of, value_place
from brain_core.extract.hits import language_of
from brain_core.extract.values import fits, value_is
from tests.building import active, fresh, open_brain, say
from tests.extraction.righted import DIALOGUES, HALVES, LANGUAGES, dialogues, measured


@pytest.fixture(scope="module")
def brain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Brain]:
    with open_brain(Path(tmp_path_factory.mktemp("righted"))) as opened:
        yield opened


def told(brain: Brain, *messages: str, answer: str = "OK.", sessions: tuple[str, ...] = ()) -> str:
    """Return what is believed after these messages, each in session "s" unless `sessions` says otherwise."""
    memory = fresh()
    for message, session in itertools.zip_longest(messages, sessions, fillvalue="s"):
        brain.commit_turn(say(memory, session, message, answer))
    return "\n".join(item.text.partition("\n")[2] for item in active(brain, memory, "entities"))


PUT_RIGHT = [
    ("The budget is 40k", "correction: 45k", "40k", "45k"),
    ("My meeting with Paul is on January 12.", "typo, the 21st", "January 12", "January 21"),
    ("Our office is on the third floor", "second floor, sorry", "third", "second"),
    ("My birthday is March 4", "I mistyped, it's March 14", "March 4\n", "March 14"),
    ("The server has 64 GB of RAM", "I was wrong about the RAM, it has 128 GB", "64", "128"),
    ("My sister's name is Anna.", "oops, Ana with one n", "Anna", "Ana"),
    ("We have 3 kids", "4 actually, I forgot the baby lol", "3 kids", "4 kids"),
    ("My landlord is Mr Okafor", "spelled Okafour, sorry", "Okafor\n", "Okafour"),
    ("My email is jo@foo.com", "that's wrong, it's jo@bar.com", "foo", "bar"),
    ("My son Theo is in year 5", "Year 6!", "year 5", "year 6"),
    ("I drive a Corolla", "I mean a Camry, not a Corolla", "Corolla", "Camry"),
    ("I'm vegetarian", "let me rephrase: I'm vegan", "vegetarian", "vegan"),
    ("We settled on blue for the logo", "green! I said blue but meant green", "blue", "green"),
    ("I am on call in week 32", "wrong week. 33", "32", "33"),
    ("Parking permit number is KX-4471.", "KX-4417", "4471", "4417"),
    ("Our clusters are on Kubernetes 1.27", "s/1.27/1.29/", "1.27", "1.29"),
    ("The rent is 1200 a month", "1250 now that I look at the contract", "1200", "1250"),
    ("Grandma's in room 212 at St. Anne's", "Mum says 221", "212", "221"),
    (
        "My daughter is allergic to eggs",
        "I mixed that up, it's my nephew who is allergic to eggs",
        "daughter",
        "nephew",
    ),
    ("The shop's wifi is velohub, pw is on the router", "wrong, the wifi is velo_guest", "velohub", "velo_guest"),
    ("The repair of the lift costs 450", "480 with the call-out fee", "450", "480"),
    ("我姐叫安娜", "打错字了，叫安娅", "安娜", "安娅"),
    ("我们办公室在三楼", "哦不，二楼", "三楼", "二楼"),
    ("项目预算4万", "更正一下，4万5", "4万\n", "4万5"),
    ("服务器内存64G", "内存我记错了，是128G", "64", "128"),
    ("我们家三个孩子", "四个，把老幺忘了哈哈", "三个", "四个"),
    ("我开的是卡罗拉", "不是卡罗拉，是凯美瑞", "卡罗拉", "凯美瑞"),
    ("logo定了蓝色", "我把绿色说成蓝色了", "蓝色", "绿色"),
    ("我女儿对鸡蛋过敏", "搞混了，是我外甥对鸡蛋过敏", "女儿", "外甥"),
    ("兽医说豆包6.2公斤", "刚又看了眼单子，是5.2", "6.2", "5.2"),
    ("宝宝今天量了，身高 68 厘米", "再量一次是 71，刚才他腿没伸直", "68", "71"),
    ("儿子在二中念高一", "高二，瞧我这记性", "高一", "高二"),
]


@pytest.mark.parametrize(("first", "second", "old", "new"), PUT_RIGHT)
def test_what_was_told_is_put_right(brain: Brain, first: str, second: str, old: str, new: str) -> None:
    assert old.strip() in told(brain, first)
    after = told(brain, first, second)
    assert old not in f"{after}\n"
    assert new in after


def test_an_event_is_on_the_day_it_is_put_right_to(brain: Brain) -> None:
    assert "2023-11-15: The dentist is on Wednesday" in told(
        brain, "The dentist is on Tuesday at 3", "sorry, Wednesday at 3"
    )


TAKEN_BACK = [
    ("my brother's staying with us till june", "ignore what i said about june, they made up"),
    ("We decided to use Kafka for events.", "forget the Kafka decision"),
    ("Remember that I take my coffee black", "please delete that"),
    ("I speak fluent Portuguese", "haha, I was kidding, I don't speak a word of it"),
    ("Add to my tasks: rewrite the onboarding guide.", "You know what, drop that one, Imogen has it already."),
    ("我们决定用Kafka", "刚才说的Kafka当我没说"),
    ("记住我喝咖啡不加糖", "刚才那条忘掉吧"),
    ("我跟前女友复合了", "才一天……又分了，你就当没这回事"),
]


@pytest.mark.parametrize(("first", "second"), TAKEN_BACK)
def test_what_was_told_is_taken_back(brain: Brain, first: str, second: str) -> None:
    assert told(brain, first)
    words = {word for word in first.split() if len(word) > 5} or {"Kafka", "咖啡", "复合"} & {first[-6:-1], first[3:5]}
    assert not any(word in told(brain, first, second) for word in words)


LEFT = [
    ("The budget is 40k", "Sorry for the delay, the bus was late."),
    ("The budget is 40k", "See you at 9"),
    ("My monthly bus pass costs 58.40.", "Is that wrong of me to find steep? In 2012 I paid 31."),
    ("My cat is called Miso", "Forget it."),
    ("My cat is called Miso", "Cool!"),
    ("I like tea. We live in Porto.", "Actually don't."),
    ("In our repo, indentation is four spaces.", "thanks. sorry, other window"),
    ("We pay 1,340 a month for the flat.", "Utilities are separate. And scratch that head of yours."),
    ("我查出来脖子上长了个结节，0.9 公分", "写的是 3 类，边界清楚。"),
    ("我对青霉素过敏", "记下了。"),
    ("我们办公室在三楼", "好的。"),
    ("我开的是卡罗拉", "算了，刚才那个问题当我没问。"),
    ("我们家三个孩子", "是不是应该买四个？"),
]


@pytest.mark.parametrize(("first", "second"), LEFT)
def test_what_only_sounds_like_it_changes_nothing(brain: Brain, first: str, second: str) -> None:
    before = told(brain, first)
    assert before
    assert set(before.splitlines()) <= set(told(brain, first, second).splitlines())


@pytest.mark.parametrize(
    ("first", "answer", "second"),
    [
        ("We have 3 kids", "How many bedrooms do you need?", "4"),
        ("The rent is 1200 a month", "And what can you afford?", "1300"),
        ("我养了两条狗", "一天遛几次？", "三次"),
    ],
)
def test_what_answers_a_question_changes_nothing(brain: Brain, first: str, answer: str, second: str) -> None:
    assert set(told(brain, first).splitlines()) <= set(told(brain, first, second, answer=answer).splitlines())


def test_a_name_that_stands_alone_takes_the_place_of_the_one_that_was_answered_with(brain: Brain) -> None:
    first = "We landed on Kotlin for the Android rewrite"
    assert "Flutter for the Android" in told(brain, first, "Flutter. Short memory.", answer="Okay, Kotlin.")
    assert "Kotlin" in told(brain, first, "Flutter. Short memory.", answer="Kotlin has null safety. " * 5)


def test_what_was_told_in_another_session_is_not_meant(brain: Brain) -> None:
    assert "third" in told(brain, "Our office is on the third floor", "second floor, sorry", sessions=("a", "b"))


def test_what_was_told_some_messages_ago_is_meant_by_what_names_it(brain: Brain) -> None:
    talk = ("How do I water a cactus?", "And a fern?")
    assert "45k" in told(brain, "The budget is 40k", *talk, "I misspoke, it's 45k")
    assert "40k" in told(brain, "The budget is 40k", *talk, "And a rose?", "And ivy?", "I misspoke, it's 45k")


@pytest.mark.parametrize(
    ("text", "new", "place"),
    [
        ("Our office is on the third floor", "second floor", "third floor"),
        ("The client's name is Hargreaves Ltd", "Hargrave Ltd", "Hargreaves Ltd"),
        ("holiday from 10 to 24 August", "17 to 31 August", "10 to 24 August"),
        ("我们家三个孩子", "四个", "三个"),
        ("我们定了蓝色的logo", "绿色", "蓝色"),
        ("Two cats and two dogs", "three birds", None),
        ("I like the red one and the red two", "blue one", "red one"),
        ("Our office is on the third floor", "third floor", None),
    ],
)
def test_the_part_that_a_few_words_take_the_place_of(text: str, new: str, place: str | None) -> None:
    found = place_of(text, new, by_meaning=True)
    assert (None if found is None else text[slice(*found)]) == place


@given(st.text(max_size=60), st.text(max_size=20), st.booleans())
def test_a_place_is_a_part_of_the_text(text: str, new: str, by_meaning: bool) -> None:
    place = place_of(text, new, by_meaning=by_meaning)
    if place is not None:
        assert 0 <= place[0] < place[1] <= len(text)
    value = value_is(new)
    held = value_place(text, value) if value is not None else None
    if value is not None and held is not None:
        assert text[held.start : held.stop] == held.text
        assert fits(value, held)


@given(st.text(max_size=200))
def test_whatever_is_said_is_read(text: str) -> None:
    slip = language_of(text).righting.read(text)
    assert slip is None or len(slip.new) <= len(text)


FLOORS = {
    ("en", "seen"): (20, 4, 13),
    ("en", "held"): (9, 2, 11),
    ("en", "more"): (20, 4, 18),
    ("zh", "seen"): (23, 6, 14),
    ("zh", "held"): (14, 1, 11),
    ("zh", "more"): (9, 7, 18),
}
"""Of each half, what is right of what is put right, taken back and left alone, as reached."""


@pytest.mark.parametrize(("lang", "half"), FLOORS)
def test_floor(lang: str, half: str) -> None:
    counts = measured(lang, half)
    assert tuple(counts[f"{kind} right"] for kind in "crn") >= FLOORS[lang, half], counts


def test_the_dialogues_are_whole() -> None:
    assert len(list(DIALOGUES.iterdir())) == len(LANGUAGES) * len(HALVES)
    for lang in LANGUAGES:
        for each in (each for half in HALVES for each in dialogues(lang, half)):
            assert each.kind in {"c", "r", "n"}
            assert each.old in each.first
            assert bool(each.new) == (each.kind == "c")
            assert each.new in each.second


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Remember that shelf 17 carries lamp17.", "Shelf 38 carries lamp38."),
        ("Remember that room 12 is Anna's.", "Room 13 is Anna's"),
        ("记住7号柜放着灯泡7。", "8号柜放着灯泡8"),
    ],
)
def test_what_is_told_of_another_thing_in_the_same_words_puts_nothing_right(brain: Brain, one: str, other: str) -> None:
    alone = told(brain, one)
    assert alone.splitlines() == [line for line in told(brain, one, other).splitlines() if line in alone]
