"""Homes, jobs, allergies, rules and goals as people tell them, in few and plain words; beside each, what is none."""

from __future__ import annotations

import itertools

import pytest
from smartbrain.v1.item_pb2 import MemoryItem

from brain_core import Brain
from brain_core.extract.known import value_of
from brain_core.extract.spelling import as_written, spelled
from tests.building import active, fresh, say
from tests.extraction.reading import drafts

_DAY = 86_400
_AT = 1_790_000_000


def held(brain: Brain, *texts: str) -> list[MemoryItem]:
    """Return what is active after these turns of one memory, each a day after the one before."""
    memory = fresh()
    for number, text in enumerate(texts):
        brain.commit_turn(say(memory, "s", text, at=_AT + number * _DAY))
    return active(brain, memory)


def told(brain: Brain, *texts: str) -> str:
    """Return what is active, a line for each fact and item, without events: what happened stays."""
    lines = []
    for one in held(brain, *texts):
        value = value_of(one)
        if one.type == "profile":
            lines += [f"{fact['k']}: {fact['v']}{_DOUBT if 'doubted' in fact else ''}" for fact in value["facts"]]
        elif one.type != "events":
            status = f" ({value['status']})" if "status" in value else ""
            lines.append(f"{one.key.rpartition(':')[2]}{status}: {value.get('decision') or value.get('value') or ''}")
    return "\n".join(lines)


_DOUBT = " (perhaps no longer so"


CHANGES = [
    ("I live in Leeds.", "moved! Living in Otley since Saturday", "home: Otley"),
    ("I live in Leeds.", "We got the keys, so I'm in Otley now", "home: Otley"),
    ("i live in leeds", "packed up and im in bristol now", "home: bristol"),
    (
        "i live in leeds",
        "hiya so i finally did it, packed up the flat in leeds and im in bristol now as of last weekend",
        "home: bristol",
    ),
    ("I live in Leeds.", "finally out of Leeds, Otley is home as of last weekend", "home: Otley"),
    ("I live in Leeds.", "finally moved in! new place in Otley is great", "home: Otley"),
    ("I live in Leeds.", "settled into the new flat in Otley", "home: Otley"),
    ("I work at Hollybrook.", "gave my two weeks notice", "Hollybrook (perhaps no longer so"),
    ("I work at Hollybrook.", "my last day at Hollybrook was Friday", "Hollybrook (perhaps no longer so"),
    ("我在字节上班", "昨天提离职了", "字节 (perhaps no longer so"),
    ("I live in Leeds.", "we have moved to 14 Mill Lane", "home: 14 Mill Lane"),
    ("我住在玉林", "新房子在建设路，昨天搬完的", "home: 建设路"),
    ("I work at Hollybrook.", "third day at the parks department. My feet.", "employer: the parks department"),
    ("I work at Hollybrook.", "handed my notice in at Hollybrook yesterday", "Hollybrook (perhaps no longer so"),
    ("I work at Hollybrook.", "Left Hollybrook on Friday", "Hollybrook (perhaps no longer so"),
    ("I work at Hollybrook.", "I GOT IT. The council job! start on the 6th of July", "Hollybrook (perhaps no longer"),
    ("Our goal is to launch in May", "we launched yesterday", "launch (reached)"),
    ("Our goal is the first release on 15 May", "we shipped on Friday, the 26th!!", "first_release_15 (reached)"),
    ("Need a runbook for the gateway by 15 June, that's our goal", "runbook's done", "june (reached)"),
    ("我们目标是五月上线", "昨天上线了", "五月上线 (reached)"),
    ("we use mysql", "switched to tidb last week", "database: switched to tidb"),
    ("我用的是mate60", "换了个mate70", "phone: mate70"),
    ("I take metformin 500", "she upped it to 1000", "take metformin 1000"),
]
UNCHANGED = [
    ("I live in Leeds.", "We got the keys to the van, so I'm in Otley now", "home: in Leeds"),
    ("I live in Leeds.", "Dear customers, we have moved to 14 Mill Lane, Bath. Parking at the back.", "home: in Leeds"),
    ("I live in Leeds.", "We moved on, I'm in Otley now", "home: in Leeds"),
    ("I live in Leeds.", "My sister moved. I'm in Otley now", "home: in Leeds"),
    ("I live in Leeds.", "Living in Otley for the summer", "home: in Leeds"),
    ("i live in leeds", "packed up and im in bed now", "home: in leeds"),
    ("我住在玉林", "新房子在建设路，下个月搬进去", "home: 玉林"),
    ("我住在玉林", "我妈新房子在建设路，昨天搬完的", "home: 玉林"),
    ("I work at Hollybrook.", "third day at the conference. My feet.", "employer: Hollybrook"),
    ("I live in Leeds.", "my sister moved in! new place in Otley is great", "home: in Leeds"),
    ("我在字节上班", "我同事提离职了", "employer: 字节"),
    ("I work at Hollybrook.", "finished with Anna on Friday", "employer: Hollybrook"),
    ("I work at Hollybrook.", "Left London on Friday", "employer: Hollybrook"),
    ("I work at Hollybrook.", "the landlord handed in his notice", "employer: Hollybrook"),
    ("I work at Hollybrook.", "thinking about handing my notice in", "employer: Hollybrook"),
    ("I work at Hollybrook.", "The council job was boring", "employer: Hollybrook"),
    ("Our goal is to launch in May", "we launched the survey yesterday", "launch (active)"),
    ("Our goal is to launch in May", "they launched yesterday", "launch (active)"),
    ("Need a runbook for the gateway by 15 June, that's our goal", "dinner's ready", "june (active)"),
    ("我们目标是五月上线", "网站昨天上线了吗", "五月上线 (active)"),
    ("we use mysql", "I switched to decaf last week", "database: we use mysql"),
    ("I take metformin 500", "my landlady upped it to 1000", "take metformin 500"),
    ("I use an iPhone 12", "iphones are dead to me", "I use an iPhone 12"),
]


@pytest.mark.parametrize(("first", "later", "now"), CHANGES, ids=[later for _, later, _ in CHANGES])
def test_a_change_told_briefly(brain: Brain, first: str, later: str, now: str) -> None:
    assert now in told(brain, first, later)


@pytest.mark.parametrize(("first", "later", "still"), UNCHANGED, ids=[later for _, later, _ in UNCHANGED])
def test_what_is_said_of_something_else_changes_nothing(brain: Brain, first: str, later: str, still: str) -> None:
    found = told(brain, first, later)
    assert still in found
    assert f"{still} (perhaps" not in found


BESIDE = [
    ("i speak portuguese", "i also speak italian", ("language: portuguese", "language_italian: italian")),
    ("I speak French", "a bit of german too", ("language: French", "a bit of german")),
    ("我会说英语", "我也会说一点韩语", ("language: 英语", "一点韩语")),
    ("我会说英语", "我会说日语", ("language: 英语", "日语")),
    ("i work at shell", "i also work at a bar on saturdays", ("work: shell", "second_job: at a bar on saturdays")),
    ("i live in leeds during the week", "i live in york on weekends", ("home: in leeds", "in york on weekends")),
]


@pytest.mark.parametrize(("first", "second", "both"), BESIDE, ids=[second for _, second, _ in BESIDE])
def test_a_second_value_stands_beside_the_first(brain: Brain, first: str, second: str, both: tuple[str, str]) -> None:
    found = told(brain, first, second)
    assert all(each in found for each in both), found


PINNED = [
    ("kiwi makes my throat swell up. Proper allergy", "preferences", "allergy_kiwi"),
    ("I come out in a rash from penicillin", "preferences", "allergy_penicillin"),
    ("I swell up if I eat shrimp", "preferences", "allergy_shrimp"),
    ("peanuts could kill me", "preferences", "allergy_peanuts"),
    ("can't do shellfish, I end up in hospital", "preferences", "allergy_shellfish"),
    ("one thing to know, kiwi makes my throat swell up", "preferences", "allergy_kiwi"),
    ("Mia breaks out in hives from strawberries", "knowledge", "mia_allergy_strawberries"),
    ("绝不要把密码写进日志", "preferences", "密码"),
    ("我一吃芒果嘴就肿", "preferences", "allergy_芒果"),
    ("turns out leo cant have peanuts", "knowledge", "leo_allergy_peanuts"),
    ("my son reacts to eggs, full on rash", "knowledge", "son_allergy_eggs"),
    ("我儿子一吃鸡蛋就起疹子", "knowledge", "鸡蛋"),
    ("never suggest ringing people, I can't bear phone calls", "preferences", "ringing"),
    ("please never delete files without asking", "preferences", "delete_files"),
    ("don't touch vendor/, ever", "preferences", "vendor"),
    ("never log emails", "preferences", "log_emails"),
    ("千万不要动 vendor 目录", "preferences", "vendor"),
    ("一定不要删线上数据", "preferences", "线上数据"),
    ("金额一律用分做单位", "preferences", "金额"),
]
NEITHER = [
    "this film makes my eyes itch",
    "the idea gives me hives",
    "my son reacts to jokes",
    "turns out leo cant have friday off",
    "我一吃饱就困",
    "Monday mornings could kill me",
    "I bought a Ford poster",
    "千万别忘了交房租",
    "明天千万不要迟到",
    "千万不要告诉他",
    "never mind the emails",
    "stop giving me that",
    "my boss is grumpy",
    "my name is the same",
    "I bought a toy Mazda for my son",
    "I play the lottery",
    "我今天不喝酒了",
    "我会去弹吉他",
]


@pytest.mark.parametrize(("text", "item_type", "named"), PINNED, ids=[text for text, _, _ in PINNED])
def test_what_does_harm_where_it_is_forgotten_stands_in_every_context(
    brain: Brain, text: str, item_type: str, named: str
) -> None:
    [found] = [one for one in held(brain, text) if one.type == item_type and named in one.key]
    assert found.priority == 2
    assert found.confidence >= 0.8


@pytest.mark.parametrize("text", NEITHER)
def test_near_to_it_is_nothing(brain: Brain, text: str) -> None:
    assert not [one.text for one in held(brain, text) if one.type in {"preferences", "profile"} or one.priority <= 2]


PLAINLY = [
    ("my manager is priya", "manager: Priya"),
    ("my doctor is dr khan", "doctor: Dr Khan"),
    ("my name is sam and im looking for a gift", "name: Sam"),
    ("I bought a Mazda CX-5.", "car: Mazda CX-5"),
    ("i own a mazda", "car: mazda"),
    ("bought a house in leeds last month", "property: bought a house in leeds last month"),
    ("我买了套房", "property: 我买了套房"),
    ("我换了特斯拉", "car: 特斯拉"),
    ("i play bass in a band", "plays_bass: i play bass in a band"),
    ("my band (low tide, i play bass) is covering one of them", "plays_bass: i play bass"),
    ("doc says ive got type 2 diabetes, shes put me on metformin 500", "type 2 diabetes"),
    ("im learning portuguese", "learning_portuguese: i'm learning portuguese"),
    ("我在学吉他", "学吉他: 在学吉他"),
    ("我会弹吉他", "会吉他: 会弹吉他"),
    ("i dont smoke anymore", "smoking: i don't smoke anymore"),
    ("我把烟戒了", "smoking: 我把烟戒了"),
    ("I have $22k in savings.", "savings: $22k in savings"),
    ("please correct my mistakes every time i write in portuguese", "correct my mistakes every time"),
    ("we use pnpm, stop giving me npm commands", "stop giving me npm commands"),
    ("我老婆怀孕三个月了", "wife_health: 老婆怀孕三个月了"),
]


@pytest.mark.parametrize(("text", "line"), PLAINLY, ids=[text for text, _ in PLAINLY])
def test_a_plain_statement_is_kept(brain: Brain, text: str, line: str) -> None:
    assert line in told(brain, text)


@pytest.mark.parametrize(
    ("text", "with_them"),
    [
        ("im in, ive won and i dont care, its now over", "i'm in, i've won and i don't care, it's now over"),
        ("hes here, shes not, theyre cant", "he's here, she's not, they're can't"),
        ("trips off, dan got covid", "trip's off, dan got covid"),
        ("its name, were ill, lets", "its name, were ill, lets"),
        ("run `dont stop` im", "run `dont stop` i'm"),
        ("see im.example.org and a/im", "see im.example.org and a/im"),
        ("la fille dont je parle", "la fille dont je parle"),
        ("wir waren im Haus und im Garten", "wir waren im Haus und im Garten"),
    ],
)
def test_apostrophes_that_were_left_out(text: str, with_them: str) -> None:
    found, places = spelled(text)
    assert found == with_them
    for start, stop in itertools.combinations(range(len(text) + 1), 2):
        inside = [place for place in places if place <= start]
        spread = (start + len(inside), stop + sum(place < stop for place in places))
        assert as_written(spread, places) == (start, stop)


def test_the_span_is_that_of_what_was_written() -> None:
    text = "hi. im allergic to shellfish"
    [draft] = drafts(text)
    assert draft.given["value"].startswith("i'm allergic")
    assert draft.span is not None
    assert text[slice(*draft.span)] == "im allergic to shellfish"
