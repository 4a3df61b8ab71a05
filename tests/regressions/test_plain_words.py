"""What a tester said in plain English words and what had become of it: ends, requests to forget, others' allergies."""

from __future__ import annotations

import pytest
from google.protobuf.timestamp_pb2 import Timestamp
from smartbrain.v1.event_pb2 import Message
from smartbrain.v1.item_pb2 import MemoryItem

from brain_core import Brain
from brain_core.extract.known import value_of
from tests.building import active, fresh, say, turn

DAY_SAID = "2026-01-06T10:00:00Z"
"""A Tuesday in January: most days of the calendar are still to come."""


def told(brain: Brain, *texts: str, session: str = "") -> list[MemoryItem]:
    """Return what is active after these messages, each in a session of its own unless one is named."""
    memory, when = fresh(), Timestamp()
    when.FromJsonString(DAY_SAID)
    for number, text in enumerate(texts):
        said = Message(role="user", content=text, created_at=when)
        brain.commit_turn(turn(memory, session or f"s{number}", messages=[said]))
        when.seconds += 3600
    return active(brain, memory, "entities")


def held(brain: Brain, *texts: str, session: str = "") -> dict[str, str]:
    """Return what is believed after these messages by key; facts of the profile by their own, doubted ones left out."""
    pieces: dict[str, str] = {}
    for item in told(brain, *texts, session=session):
        if item.type == "profile":
            pieces |= {fact["k"]: fact["v"] for fact in value_of(item)["facts"] if "doubted" not in fact}
        elif not item.HasField("doubted_at"):
            pieces[item.key] = item.text.partition("\n")[2]
    return pieces


ENDED = [
    ("I work at Siemens.", "I quit my job yesterday.", "employer"),
    ("I work at Siemens.", "I left Siemens last week.", "employer"),
    ("I work at Siemens.", "I've been made redundant.", "employer"),
    ("I work at Siemens.", "Siemens let me go.", "employer"),
    ("I work at Siemens.", "I'm out of work at the moment.", "employer"),
    ("I work at Siemens.", "I'm retired now.", "employer"),
    ("My girlfriend is called Emma.", "Emma and I broke up.", "girlfriend"),
    ("My girlfriend is called Emma.", "We split up last month.", "girlfriend"),
    ("My wife is called Anna. My wife works as a nurse.", "I'm divorced now.", "wife_works"),
    ("My boyfriend is called Joe.", "Joe and I aren't together anymore.", "boyfriend"),
    ("I have a cat called Luna.", "Luna passed away on Sunday.", "cat"),
    ("I have a dog called Luna.", "We had to put Luna down.", "dog"),
    ("I have a dog called Luna.", "We gave Luna away.", "dog"),
    ("My dad is called Peter. My dad lives in Leeds.", "My dad died in March.", "father_lives"),
    ("I'm vegetarian.", "I started eating meat again.", "pref:other:diet"),
]


@pytest.mark.parametrize(("fact", "end", "key"), ENDED)
def test_an_end_in_plain_words_ends_the_fact(brain: Brain, fact: str, end: str, key: str) -> None:
    assert key in held(brain, fact)
    assert key not in held(brain, fact, end)


NOT_ENDED = [
    ("I work at Siemens.", "My brother quit his job yesterday.", "employer"),
    ("I work at Siemens.", "I left Siemens early today.", "employer"),
    ("I work at Siemens.", "I got laid off in 2019.", "employer"),
    ("I work at Siemens.", "I almost quit my job yesterday.", "employer"),
    ("I work at Siemens.", "They let me go early.", "employer"),
    ("I work at Siemens.", "I've joined the BMW fan club.", "employer"),
    ("My girlfriend is called Emma.", "My sister and I broke up.", "girlfriend"),
    ("My wife is called Anna.", "Lena and I got divorced.", "wife"),
    ("My boyfriend is called Max.", "We split up at the mall.", "boyfriend"),
    ("My boyfriend is called Max.", "Max left me a note.", "boyfriend"),
    ("I have a cat called Luna.", "Luna's phone died.", "cat"),
    ("I have a cat called Luna.", "If Luna died, I'd be devastated.", "cat"),
    ("My dad is called Peter.", "My dad died in March.", "father"),
    ("I live in Berlin.", "We relocated the meeting to Munich.", "home"),
    ("I have a dog called Max. I also have a dog called Rex.", "Rex died.", "dog"),
    ("I work at Siemens.", "I retired to bed early.", "employer"),
    ("I have a dog called Max.", "Max passed on the treat.", "dog"),
    ("I speak Spanish.", "I speak fluent sarcasm.", "language"),
    ("I live in Berlin.", "Berlin is so grey in January.", "home"),
    ("I'm a data engineer.", "I met a data engineer from Google.", "role"),
]


@pytest.mark.parametrize(("fact", "later", "key"), NOT_ENDED)
def test_what_ends_for_another_or_is_only_worded_alike_ends_nothing(
    brain: Brain, fact: str, later: str, key: str
) -> None:
    assert held(brain, fact, later)[key] == held(brain, fact)[key]


INSTEAD = [
    ("I work at Siemens.", "I've joined BMW as a team lead.", "employer", "BMW"),
    ("I work at Siemens.", "I just started a new job at BMW.", "employer", "BMW"),
    ("I live in Berlin.", "We relocated to Munich for my wife's job.", "home", "Munich"),
    ("I live in Berlin.", "We finally moved, we're in Potsdam now.", "home", "Potsdam"),
    ("My sister lives in Leeds.", "My sister has moved to Bath.", "sister_lives", "My sister has moved to Bath"),
    ("I drive a Ford Fiesta.", "Traded the Fiesta for a Skoda Octavia.", "car", "a Skoda Octavia"),
    ("My phone number is 07700 900123.", "I changed my number, it's 07700 900456 now.", "phone_number", "07700 900456"),
]


@pytest.mark.parametrize(("fact", "later", "key", "value"), INSTEAD)
def test_what_holds_instead_takes_the_place(brain: Brain, fact: str, later: str, key: str, value: str) -> None:
    assert held(brain, fact, later)[key] == value


FORGOTTEN = [
    ("I live at 5 Main Street, Leeds.", "Forget my address."),
    ("My phone number is 555 0199.", "please delete my phone number from your memory"),
    ("My phone number is 555 0199.", "Can you forget my phone number?"),
    ("I like coffee.", "Forget that I like coffee."),
    ("I like coffee.", "forget I ever told you that I like coffee"),
    ("I work at Siemens.", "Don't store where I work."),
    ("My email is jo@example.com.", "I don't want you to remember my email."),
    ("I'm allergic to peanuts.", "Forget about my peanut allergy."),
    ("My wife is called Anna. My wife works as a nurse.", "Forget everything about Anna."),
]


@pytest.mark.parametrize(("fact", "asked"), FORGOTTEN)
def test_what_is_asked_to_be_forgotten_is_retracted_and_nothing_is_written(brain: Brain, fact: str, asked: str) -> None:
    assert held(brain, fact)
    assert held(brain, fact, asked) == {}


REMEMBERED = [
    ("My phone number is 555 0199.", "I forgot my phone number."),
    ("My phone number is 555 0199.", "Don't forget my phone number."),
    ("My phone number is 555 0199.", "Remove my phone number from the letter."),
    ("My email is jo@example.com.", "Delete the email I got from Tom."),
    ("My car is a Honda Civic.", "Forget about my car, I'll take the bus."),
    ("I like coffee.", "Don't forget to buy coffee."),
]


@pytest.mark.parametrize(("fact", "later"), REMEMBERED)
def test_what_is_no_request_to_forget_retracts_nothing(brain: Brain, fact: str, later: str) -> None:
    assert held(brain, fact).items() <= held(brain, fact, later).items()


def test_a_request_to_forget_names_its_rule_in_explain(brain: Brain) -> None:
    brain.commit_turn(say("explained", "s", "My birthday is March 3."))
    answer = brain.commit_turn(say("explained", "s", "Forget my birthday please"))
    assert [(each.rule, each.verdict) for each in answer.explain.retention] == [("forget", "written")]
    assert [each.decision for each in answer.explain.conflicts] == ["retracted"]


OTHERS = [
    ("My sister Mei must not eat peanuts.", "sister_mei_diet_peanuts"),
    ("Tom can't have dairy.", "tom_diet_dairy"),
    ("My son is allergic to nuts.", "son_allergy_nuts"),
    ("My boss is allergic to shellfish.", "boss_allergy_shellfish"),
    ("My roommate is lactose intolerant.", "roommate_allergy_lactose"),
    ("Anna is vegan.", "anna_diet_vegan"),
    ("My mom takes warfarin.", "mother_medicine_warfarin"),
    ("My dad has diabetes.", "father_health_diabetes"),
    ("Our dog can't have chocolate.", "dog_diet_chocolate"),
]


@pytest.mark.parametrize(("text", "slug"), OTHERS)
def test_what_another_must_be_given_or_not_is_pinned_knowledge_about_that_one(
    brain: Brain, text: str, slug: str
) -> None:
    [item] = told(brain, text)
    assert (item.type, item.key, item.priority) == ("knowledge", f"knowledge:fact:{slug}", 2)
    assert text.rstrip(".") in item.text


@pytest.mark.parametrize(
    "text", ["My sister must not drive at night.", "Dogs can't eat chocolate.", "My boss is vegan about deadlines."]
)
def test_what_others_must_do_is_no_preference_of_the_user(brain: Brain, text: str) -> None:
    assert not any(item.type == "preferences" or item.priority == 2 for item in told(brain, text))


PLAIN = [
    ("I'm allergic to peanuts.", "The user is allergic to peanuts"),
    ("I've got a severe nut allergy.", "The user has a severe nut allergy"),
    ("I'm vegetarian.", "The user is vegetarian"),
    ("I can't eat grapefruit.", "The user cannot eat grapefruit"),
    ("I don't eat pork.", "The user does not eat pork"),
    ("I have asthma.", "The user has asthma"),
    ("I take metformin.", "The user takes metformin"),
    ("我对花生过敏。", "用户对花生过敏"),
    ("我吃素。", "用户吃素"),
    ("我在吃二甲双胍。", "用户在吃二甲双胍"),
]


@pytest.mark.parametrize(("text", "reading"), PLAIN)
def test_allergies_diets_conditions_and_medicines_read_plainly(brain: Brain, text: str, reading: str) -> None:
    assert reading in {line for item in told(brain, text) for line in item.text.split("\n")}


@pytest.mark.parametrize(
    "swap",
    ["use almonds instead of peanuts", "Please use almonds instead of peanuts.", "Replace the peanuts with almonds."],
)
def test_an_order_for_what_is_at_hand_leaves_an_allergy_undoubted(brain: Brain, swap: str) -> None:
    allergy = "I'm allergic to peanuts."
    assert held(brain, allergy, swap) == held(brain, allergy)


SEVERAL = [
    ("I have a daughter called Mia.", "I have a son called Leo."),
    ("My brother is called Tom.", "I have another brother called Jim."),
    ("My daughter is called Mia.", "My older daughter is called Eva."),
    ("My daughter Mia is 4.", "My daughter Eva is 7."),
    ("My brother Tom lives in Leeds.", "My brother Jim lives in York."),
    ("We have a dog called Max.", "My other dog is called Rex."),
    ("I have a cat called Luna.", "We have another cat, Milo."),
    ("I speak Spanish.", "I speak French too."),
    ("My son is allergic to nuts.", "My son is allergic to eggs."),
]


@pytest.mark.parametrize(("one", "other"), SEVERAL)
def test_of_whom_one_may_have_several_each_keeps_a_fact_of_its_own(brain: Brain, one: str, other: str) -> None:
    both = held(brain, one, other)
    assert len(both) == 2
    assert held(brain, one).items() <= both.items()


@pytest.mark.parametrize(
    ("one", "later"),
    [
        ("I have a cat called Luna.", "My cat is called Milo now."),
        ("My brother is called Tom.", "My brother is called Tim."),
        ("My brother Tom lives in Leeds.", "My brother Tom lives in Bath now."),
        ("I speak a bit of Spanish.", "I speak fluent Spanish."),
    ],
)
def test_what_is_told_anew_of_the_only_one_takes_the_place(brain: Brain, one: str, later: str) -> None:
    assert len(held(brain, one, later)) == 1


REACHED = [
    ("I want to run a marathon this year.", "I finally ran the marathon."),
    ("My goal is to pass the bar exam this summer.", "I passed the exam."),
    ("I'm saving up for a house.", "We bought a house!"),
    ("I want to lose 10 kilos by summer.", "I've lost 10 kilos!"),
    ("I want to run a marathon this year.", "I reached my goal."),
]


@pytest.mark.parametrize(("goal", "done"), REACHED)
def test_a_goal_that_is_reached_is_over_and_not_pinned(brain: Brain, goal: str, done: str) -> None:
    [wanted] = [item for item in told(brain, goal) if item.type == "goals"]
    [item] = [item for item in told(brain, goal, done) if item.key == wanted.key]
    assert (value_of(wanted)["status"], wanted.priority) == ("active", 2)
    assert (value_of(item)["status"], item.priority) == ("reached", 6)


@pytest.mark.parametrize(
    ("goal", "later"),
    [
        ("I want to run a marathon this year.", "My brother ran the marathon."),
        ("I want to run a marathon this year.", "I watched the marathon."),
        ("I want to lose 10 kilos by summer.", "I've lost 3 kilos."),
        ("I want to read 20 books this year.", "I read a book."),
        ("I want to learn Spanish this year.", "I learned a new Spanish word today."),
    ],
)
def test_what_is_only_like_a_goal_leaves_it_active(brain: Brain, goal: str, later: str) -> None:
    [item] = [item for item in told(brain, goal, later) if item.type == "goals"]
    assert value_of(item)["status"] == "active"


LISTS = [
    ("TODO:\n- buy milk\n- call the dentist", {"buy milk", "call the dentist"}),
    ("TODO: buy milk; call the dentist; and pay the rent", {"buy milk", "call the dentist", "pay the rent"}),
    ("My tasks for today:\n1. send invoices\n2. email Bob\n\nThanks!", {"send invoices", "email Bob"}),
    ("Here are my todos:\n- [ ] buy milk\n- [x] call mom", {"buy milk"}),
    ("Pros:\n- cheap\n- call the dentist", set[str]()),
    ("Next task: call mom, she is ill.", {"call mom"}),
]


@pytest.mark.parametrize(("text", "titles"), LISTS)
def test_each_entry_of_a_list_of_tasks_is_a_task(brain: Brain, text: str, titles: set[str]) -> None:
    assert {str(value_of(item)["title"]) for item in told(brain, text) if item.type == "tasks"} == titles


DATED = [
    (("I'm getting married on June 12!",), "2026-06-12"),
    (("We got tickets for the opera on March 3.",), "2026-03-03"),
    (("My exam was moved to March 3.",), "2026-03-03"),
    (("We got married on June 12.",), "2025-06-12"),
    (("My mom's birthday is on March 3rd.", "Oops, it's the 4th."), "2026-03-04"),
    (("The party is on May 12.", "Correction, it's May 13."), "2026-05-13"),
]


@pytest.mark.parametrize(("texts", "day"), DATED)
def test_a_day_is_the_one_that_is_meant(brain: Brain, texts: tuple[str, ...], day: str) -> None:
    [event] = [item for item in told(brain, *texts, session="s") if item.type == "events"]
    assert value_of(event)["date"] == day


@pytest.mark.parametrize("later", ["My dentist appointment is now at 4pm.", "Sorry, it's at 4pm."])
def test_an_appointment_that_moves_keeps_no_old_hour(brain: Brain, later: str) -> None:
    texts = ("My dentist appointment is on January 20 at 3pm.", later)
    [event] = [item for item in told(brain, *texts, session="s") if item.type == "events"]
    assert "4pm" in event.text
    assert "3pm" not in event.text


def test_a_birthday_that_was_mistold_is_put_right(brain: Brain) -> None:
    assert held(brain, "My birthday is on March 3rd.", "Oops, it's the 4th.", session="s") == {"birthday": "March 4th"}
