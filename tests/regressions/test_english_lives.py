"""What English lives tell in passing, and what becomes of it later; beside each, what must be left alone."""

from __future__ import annotations

import pytest

from brain_core import Brain
from brain_core.extract.known import value_of
from tests.building import active, fresh, say

_DAY = 86_400


def held(brain: Brain, *sessions: str) -> list[str]:
    """Return what is held after these sessions, two days apart, their turns parted by " | ": facts and items.

    The first is of Tuesday, 14 November 2023.
    """
    memory = fresh()
    for number, session in enumerate(sessions):
        for turn, text in enumerate(session.split(" | ")):
            at = number * 2 * _DAY + turn * 60
            brain.commit_turn(say(memory, f"s{number}", text, at=at))
    return [line for one in active(brain, memory) for line in _lines(one.type, value_of(one), one.text)]


def _lines(item_type: str, value: dict[str, object], text: str) -> list[str]:
    if item_type == "profile":
        return text.splitlines()[2:]
    if item_type == "events":
        until = f"..{value['until']}" if value.get("until") else ""
        return [f"{value['date']}{until}: {value['title']}"]
    return [" ".join(text.splitlines()[1:])]


@pytest.mark.parametrize(("first", "then"), [
    ("I work as a nurse at St James's.", "I no longer work as a nurse"),
    ("I work as a nurse at St James's.", "I don't work as a nurse any more"),
    ("I'm a teacher.", "I quit teaching"),
    ("I'm a teacher at Hillview School.", "I gave up teaching in June"),
    ("I'm a lorry driver for Stobart", "gave up driving for good"),
    ("I'm a paramedic in Leeds", "no longer a paramedic, retrained to help horses"),
    ("I'm a midwife.", "not working as a midwife any more"),
    ("I'm a paramedic in Leeds", "I've packed in being a paramedic"),
])  # fmt: skip
def test_who_gives_up_a_trade_has_it_no_more(brain: Brain, first: str, then: str) -> None:
    assert any(line.startswith("role: ") for line in held(brain, first))
    assert not any(line.startswith("role: ") for line in held(brain, first, then))


def test_the_employer_of_a_trade_that_is_given_up_is_doubted(brain: Brain) -> None:
    told = held(brain, "I work as a nurse at St James's.", "I no longer work as a nurse")
    assert any(line.startswith("employer: St James's (perhaps no longer so") for line in told)
    told = held(brain, "I work as a nurse at St James's.", "I'm no longer a nurse, they made me ward manager")
    assert "employer: St James's" in told


@pytest.mark.parametrize(("first", "then"), [
    ("I'm a barista at Brew Lab", "my sister quit being a barista"),
    ("I'm a barista at Brew Lab", "I've stopped writing"),
    ("I'm a lorry driver for Stobart", "if I quit driving, what could I do?"),
    ("I'm a lorry driver for Stobart", "I haven't given up driving"),
    ("I'm a writer", "I've finished writing the chapter"),
    ("I'm a nurse", "I'm no longer a beginner"),
])  # fmt: skip
def test_another_trade_or_another_ones_leaves_the_users(brain: Brain, first: str, then: str) -> None:
    [role] = [line for line in held(brain, first) if line.startswith("role: ")]
    assert role in held(brain, first, then)


@pytest.mark.parametrize(("first", "then", "now"), [
    ("I live in Oslo", "correction: I live in Bergen", "home: Bergen"),
    ("I live in Oslo", "sorry, I live in New Bergen", "home: New Bergen"),
    ("I'm from Oslo", "correction: I come from Bergen", "origin: Bergen"),
    ("我住在奥斯陆", "更正：我住在卑尔根", "home: 卑尔根"),
])  # fmt: skip
def test_a_statement_that_puts_right_gives_its_value_alone(brain: Brain, first: str, then: str, now: str) -> None:
    """The home was "in live in Bergen"."""
    assert held(brain, f"{first} | {then}") == [now]


@pytest.mark.parametrize(("text", "event"), [
    ("I'll be in Oslo on Monday", "2023-11-20: I'll be in Oslo on Monday"),
    ("I'll be in Oslo Mon-Wed", "2023-11-20..2023-11-22: I'll be in Oslo Mon-Wed"),
    ("I'm in Oslo all of next week", "2023-11-20..2023-11-26: I'm in Oslo all of next week"),
    ("I'll be out of the country all next week", "2023-11-20..2023-11-26: I'll be out of the country all next week"),
    ("we'll be staying in Brighton from Friday to Monday",
     "2023-11-17..2023-11-20: we'll be staying in Brighton from Friday to Monday"),
    ("seeing the consultant on Monday at 10", "2023-11-20: seeing the consultant on Monday at 10"),
    ("off to Wales Thursday till Sunday", "2023-11-16..2023-11-19: off to Wales Thursday till Sunday"),
    ("I'm back from Rome on Thursday", "2023-11-16: I'm back from Rome on Thursday"),
])  # fmt: skip
def test_where_one_will_be_is_an_event_of_its_days(brain: Brain, text: str, event: str) -> None:
    assert held(brain, text) == [event]


@pytest.mark.parametrize("text", [
    "I work Monday to Wednesday",
    "the office is open Monday to Friday",
    "I've got the kids Wednesday to Sunday, they're at their mum's the rest",
    "I'm on call Monday to Thursday",
    "I have lectures Monday to Thursday",
])  # fmt: skip
def test_what_is_so_on_some_days_of_every_week_is_on_no_date(brain: Brain, text: str) -> None:
    """Each was an event of the next such days."""
    [told] = held(brain, text)
    assert not told.startswith("2023"), told


@pytest.mark.parametrize("text", [
    "I gave up my job at the library in spring to be with him",
    "We lost our dog last autumn",
    "My father passed away when I was ten",
    "my mum passed away in spring",
    "My wife Margaret passed away two years ago",
])  # fmt: skip
def test_what_happened_in_a_season_is_not_of_today(brain: Brain, text: str) -> None:
    [told] = held(brain, text)
    assert not told.startswith("2023"), told


@pytest.mark.parametrize("text", ["My gran died", "my dad's passed away", "Sadly our son has died"])
def test_a_death_is_never_passed_over(brain: Brain, text: str) -> None:
    assert held(brain, text) == [f"2023-11-14: {text}"]


@pytest.mark.parametrize("text", ["my friend died laughing", "My phone died", "if my dad died I'd move"])
def test_what_is_no_death_is_left_alone(brain: Brain, text: str) -> None:
    assert held(brain, text) == []


@pytest.mark.parametrize(("first", "then", "now"), [
    ("parents evening Tuesday at half five for Mia", "parents evening isn't Tuesday it's Thursday",
     "2023-11-23: parents evening at half five for Mia"),
    ("My dentist appointment is on Friday.", "dentist isn't friday, it's monday", "2023-11-20: My dentist appointment"),
    ("my interview is on Friday at 3", "the interview is not on Friday, it's on Thursday",
     "2023-11-23: my interview at 3"),
    ("Choir concert is on 9 December", "the concert isn't the 9th, it's the 16th", "2023-12-16: Choir concert"),
    ("I've got a statistics exam on December 12th", "exam got pushed to the 15th",
     "2023-12-15: I've got a statistics exam"),
    ("I have a scan on Monday", "scan rescheduled for Wednesday", "2023-11-22: I have a scan"),
    ("I've got a physio appointment on Friday at 3", "physio moved, it's Monday now",
     "2023-11-20: I've got a physio appointment at 3"),
    ("My blood test is on Wednesday", "my blood test got cancelled, new one is the 30th", "2023-11-30: My blood test"),
    ("My blood test is on 20 December", "Blood test's been called off. New one is on Friday.",
     "2023-11-17: My blood test"),
    ("My eye test is on 3 January", "they moved my eye test, the new slot is 9 January", "2024-01-09: My eye test"),
])  # fmt: skip
def test_another_day_in_few_words_takes_the_place_of_the_one_told(
    brain: Brain, first: str, then: str, now: str
) -> None:
    """The old day stayed, or the one that was denied ("isn't Tuesday") was learned."""
    assert held(brain, first, then) == [now]


@pytest.mark.parametrize(("first", "then"), [
    ("I have a dentist appointment on Friday", "it isn't Friday yet, is it?"),
    ("I have a dentist appointment on Friday", "my brother's appointment isn't Friday, it's Monday"),
    ("I have a dentist appointment on Friday", "Monday isn't good for me, Tuesday is"),
    ("I have a scan on Monday", "what happens if the scan's moved to Tuesday?"),
    ("The launch is on 3 March", "my order got pushed to 9 March"),
    ("The launch is on 3 March", "my order got cancelled, new one is 9 March"),
])  # fmt: skip
def test_days_of_other_things_move_nothing(brain: Brain, first: str, then: str) -> None:
    [told] = held(brain, first)
    assert told in held(brain, first, then)


def test_an_event_named_without_an_article_is_called_off(brain: Brain) -> None:
    assert held(brain, "My driving test is on 3 March", "driving test cancelled") == []


@pytest.mark.parametrize(("first", "then", "now"), [
    ("I take azathioprine 100mg in the morning", "azathioprine's gone up to 150",
     "The user takes azathioprine 150mg in the morning"),
    ("I take propranolol 40mg", "my propranolol's been cut to 20mg", "The user takes propranolol 20mg"),
    ("I take propranolol 40mg", "gp put my propranolol up to 80", "The user takes propranolol 80mg"),
    ("I take propranolol 40mg twice a day", "propranolol's once a day now",
     "The user takes propranolol 40mg once a day"),
    ("I'm on sertraline 50mg", "my sertraline dose is 100mg now", "The user is on sertraline 100mg"),
    ("I take metformin", "they've upped my metformin to 1000", "The user takes metformin 1000"),
    ("My dad takes warfarin 3mg", "dad's warfarin's gone up to 5mg", "Fact: My dad takes warfarin 5mg"),
    ("I take warfarin so I have to be careful with greens", "I've been put on apixaban instead of warfarin",
     "The user takes apixaban"),
    ("I'm on citalopram 20mg", "they've moved me off citalopram onto mirtazapine", "The user takes mirtazapine"),
    ("I'm on citalopram 20mg", "doctor switched me from citalopram to vortioxetine", "The user takes vortioxetine"),
    ("I'm on citalopram 20mg", "taking mirtazapine now instead of citalopram", "The user takes mirtazapine"),
    ("I take warfarin", "I've come off warfarin and started apixaban", "The user takes apixaban"),
    ("I'm vegan", "I'm veggie now, not vegan", "The user is vegetarian"),
    ("I'm vegan", "not vegan any more, just veggie", "The user is vegetarian"),
])  # fmt: skip
def test_another_dose_medicine_or_diet_takes_the_place_of_the_one_told(
    brain: Brain, first: str, then: str, now: str
) -> None:
    """The old one stayed, and the new one was lost or a guess beside it."""
    assert held(brain, first, then) == [now]


@pytest.mark.parametrize(("first", "then"), [
    ("I take sertraline 50mg", "what if sertraline went up to 100?"),
    ("I take warfarin", "should I take apixaban instead of warfarin?"),
    ("I take warfarin", "my dad takes apixaban instead of warfarin"),
    ("I'm on citalopram 20mg", "she switched from citalopram to mirtazapine"),
    ("I'm on citalopram 20mg", "I'm thinking of asking to switch from citalopram to mirtazapine"),
    ("I'm vegan", "my sister is veggie now, not vegan"),
    ("I'm vegetarian", "is tofu vegan, not vegetarian?"),
    ("my son is allergic to kiwi", "turns out it's not kiwi he's allergic to, it's mango"),
])  # fmt: skip
def test_what_is_asked_or_of_another_changes_no_medicine_or_diet(brain: Brain, first: str, then: str) -> None:
    [told] = held(brain, first)
    assert told in held(brain, first, then)


@pytest.mark.parametrize(("text", "told"), [
    ("Sarah's been diagnosed with gestational diabetes so no sugar",
     "Fact: Sarah's been diagnosed with gestational diabetes so no sugar"),
    ("my sister's got MS", "Fact: my sister's got MS"),
    ("my mum got diagnosed with dementia", "Fact: my mum got diagnosed with dementia"),
    ("also Crohn's, got diagnosed last year", "Health of the user: Crohn's, got diagnosed last year"),
    ("I've got Crohn's", "The user has Crohn's"),
    ("no nuts no seeds no popcorn, it wrecks my gut",
     "Diet of the user: no nuts no seeds no popcorn, it wrecks my gut"),
    ("no milk or cream, it sets off my IBS", "Diet of the user: no milk or cream, it sets off my IBS"),
])  # fmt: skip
def test_what_somebody_suffers_from_or_leaves_out_is_kept(brain: Brain, text: str, told: str) -> None:
    assert held(brain, text) == [told]


@pytest.mark.parametrize(
    "text", ["no worries, it hurts a bit", "I have pots and pans", "no tests, it hurts performance"]
)
def test_what_is_no_illness_or_food_is_left_alone(brain: Brain, text: str) -> None:
    assert held(brain, text) == []


@pytest.mark.parametrize(("first", "then", "now"), [
    ("Rent is 1100 a month.", "Rent went up on the first, it's 1150 now", "Fact: Rent is 1150 a month"),
    ("Rent is 1100 a month.", "rent's gone up, it's 1150", "Fact: Rent is 1150 a month"),
    ("Rent is 1100 a month.", "landlord put the rent up again, it's 1150 now", "Fact: Rent is 1150 a month"),
    ("day rate is 450 euro", "put my rate up, it's 520 now", "Fact: day rate is 520 euro"),
    ("day rate is 450 euro", "my rate went up, 520 now", "Fact: day rate is 520 euro"),
    ("My gym costs 30 a month", "gym's gone up, it's 35 now", "Fact: My gym costs 35 a month"),
    ("My commute is 40 minutes", "they changed the train times. it's 50 minutes now",
     "Fact: My commute is 50 minutes"),
])  # fmt: skip
def test_what_went_up_has_the_value_told_behind_it(brain: Brain, first: str, then: str, now: str) -> None:
    """The old one was doubted beside the new sentence under another key, or lost its subject: "it's 50 minutes"."""
    assert held(brain, first, then) == [now]


@pytest.mark.parametrize("then", [
    "my sister's rent went up, it's 1150 now",
    "if the rent goes up, it's 1150",
    "rent went up. I'm 42 now",
    "food prices went up, it's 50 quid a week now",
])  # fmt: skip
def test_what_went_up_of_another_leaves_the_value(brain: Brain, then: str) -> None:
    assert "Fact: Rent is 1100 a month" in held(brain, "Rent is 1100 a month.", then)


@pytest.mark.parametrize(("first", "then", "now"), [
    ("My accountant is Helen at Marsh & Co", "changed accountants, it's a guy called Deepak now", "accountant: Deepak"),
    ("My consultant is Dr Okafor", "my consultant's now Dr Lee, Okafor's retired", "consultant: Dr Lee"),
    ("My GP is Dr Shah", "switched GP, it's Dr Moss now", "gp: Dr Moss"),
    ("My dentist is Dr Hall", "I changed dentists. It's Dr Kaur now", "dentist: Dr Kaur"),
    ("My therapist is Anna", "new therapist: Ben", "therapist: Ben"),
    ("My therapist is Anna", "got a new therapist, she's called Bea", "therapist: Bea"),
])  # fmt: skip
def test_who_follows_in_a_role_ends_the_other(brain: Brain, first: str, then: str, now: str) -> None:
    told = held(brain, first, then)
    assert now in told
    role = now.partition(":")[0]
    assert not any(line.lower().endswith(f"role: {role}") for line in told), told


@pytest.mark.parametrize("then", [
    "my sister changed accountants, it's Deepak now",
    "thinking of a new accountant, Deepak maybe",
    "changed accountants. Maria, my wife, is happy",
])  # fmt: skip
def test_nobody_follows_where_nobody_is_said_to(brain: Brain, then: str) -> None:
    assert "accountant: Helen" in held(brain, "My accountant is Helen", then)


@pytest.mark.parametrize(("first", "then"), [
    ("please always give me code without comments", "actually you can add comments again, helps my junior"),
    ("Never use emojis", "emojis are fine again tbh"),
    ("Never use emojis", "you can use emojis again"),
    ("Don't use semicolons", "ok semicolons are fine now"),
])  # fmt: skip
def test_what_may_be_done_again_is_forbidden_no_more(brain: Brain, first: str, then: str) -> None:
    assert held(brain, first, then) == []


@pytest.mark.parametrize(("first", "then"), [
    ("Don't add comments to my code", "you can add a comment at line 5"),
    ("No nuts please, I'm allergic", "nuts are ok again"),
])  # fmt: skip
def test_one_exception_and_what_is_vital_end_nothing(brain: Brain, first: str, then: str) -> None:
    assert held(brain, first, then) == held(brain, first)


@pytest.mark.parametrize(("text", "told"), [
    ("call my mum Baba", "The user calls their mum Baba"),
    ("I call my mum Baba", "The user calls their mum Baba"),
    ("please call my wife Bee, not Beatrice", "The user calls their wife Bee"),
    ("I quit smoking 3 weeks ago", "The user quit smoking 3 weeks ago"),
])  # fmt: skip
def test_names_and_what_was_quit_read_as_they_were_meant(brain: Brain, text: str, told: str) -> None:
    assert held(brain, text) == [told]


def test_to_call_somebody_some_day_is_no_name(brain: Brain) -> None:
    assert not any("calls their" in line for line in held(brain, "call my mum Sunday | Call my mum Tomorrow"))


def test_what_was_to_be_cancelled_is_done_when_it_is(brain: Brain) -> None:
    """The task was withdrawn, and with it the errand told beside it."""
    told = held(brain, "need to cancel the broadband and redirect the post", "broadband's cancelled")
    assert [line for line in told if "done" in line] == ["Task: cancel the broadband Status: done"]
    assert "Task: redirect the post Status: todo" in told


@pytest.mark.parametrize("then", [
    "Beth can't make it, she's coming in February instead",
    "Beth isn't coming after all",
    "Beth's not coming any more",
    "turns out Beth won't make it",
])  # fmt: skip
def test_who_cannot_come_is_expected_no_more(brain: Brain, then: str) -> None:
    told = held(brain, "Beth's visiting from the 18th to the 30th of December", then)
    assert not any(line.startswith("2023-12-18") for line in told), told


@pytest.mark.parametrize("then", [
    "Tom can't make it", "I can't make it", "if Beth can't make it I'll cry", "Beth can't come to the phone",
])  # fmt: skip
def test_who_else_cannot_come_changes_no_visit(brain: Brain, then: str) -> None:
    told = held(brain, "Beth's visiting from the 18th to the 30th of December", then)
    assert any(line.startswith("2023-12-18") for line in told), told


@pytest.mark.parametrize(("first", "then", "now"), [
    ("I've got epilepsy, on lamotrigine 100mg twice a day", "lamotrigine's up to 150 twice a day now",
     "The user has epilepsy, on lamotrigine 150mg twice a day"),
    ("I've got epilepsy, on lamotrigine 100mg twice a day", "they swapped me from lamotrigine to levetiracetam",
     "The user has epilepsy, on levetiracetam"),
    ("I have rheumatoid arthritis, on methotrexate 15mg every Friday", "methotrexate's been upped to 20",
     "The user has rheumatoid arthritis, on methotrexate 20mg every Friday"),
    ("I have rheumatoid arthritis, on methotrexate 15mg every Friday",
     "they switched me from methotrexate to baricitinib 4mg", "The user has rheumatoid arthritis, on baricitinib 4mg"),
    ("I'm a bus driver in Leeds", "I've retired! last shift was Friday", "role: retired"),
    ("flights are booked for the 2nd of Feb, 7am from Stansted", "flights got changed to the 1st, 9am",
     "2024-02-01: flights are booked, 9am from Stansted"),
    ("My wife died in spring, it's just me and the dog, Bess, now", "ok",
     "Fact: My wife died in spring, it's just me and the dog, Bess, now"),
])  # fmt: skip
def test_what_is_told_beside_is_kept(brain: Brain, first: str, then: str, now: str) -> None:
    assert now in held(brain, first, then)
