"""English rules, case by case: what a sentence writes, why another writes nothing."""

from __future__ import annotations

from typing import Any

import pytest

from brain_core.kinds.draft import Draft
from tests.extraction.reading import drafts, item, read, skips

# sentence, type, fields of the value
WRITES: list[tuple[str, str, dict[str, Any]]] = [
    ("I prefer tabs over spaces.", "preferences", {"scope": "coding", "name": "indentation"}),
    ("Please use dark mode from now on.", "preferences", {"scope": "ui", "name": "theme"}),
    ("Could you always put the code before the explanation?", "preferences", {"scope": "coding"}),
    ("Never deploy on Fridays.", "preferences", {"scope": "coding"}),
    ("I can't stand olives.", "preferences", {"scope": "other"}),
    ("My favourite colour is teal.", "preferences", {"name": "colour"}),
    ("Keep your answers under 100 words.", "preferences", {"scope": "writing", "name": "answer_length"}),
    ("Use metric units, I never got the hang of inches.", "preferences", {"name": "units"}),
    ("I'm allergic to shellfish.", "preferences", {"name": "allergy_shellfish"}),
    ("I'm vegan, by the way.", "preferences", {"name": "diet"}),
    ("One rule here: no third-party trackers without my approval.", "preferences", {}),
    ("We decided to host everything on Hetzner.", "decisions", {"topic": "cloud", "made_at": "2026-03-18"}),
    ("Let's go with SQLite for the cache.", "decisions", {"topic": "database"}),
    ("Fine, Svelte it is.", "decisions", {"topic": "frontend"}),
    ("The committee chose the second draft.", "decisions", {}),
    ("I've made up my mind, I'm selling the boat.", "decisions", {}),
    ("Our goal is to halve the waiting time.", "goals", {"name": "halve_waiting_time"}),
    ("I want to run a marathon this year.", "goals", {"name": "run_marathon"}),
    ("I'm saving up for a camper van.", "goals", {}),
    ("I still have to file the tax return by Friday.", "tasks", {"due": "2026-03-20", "title": "file the tax return"}),
    ("Remind me to water the plants tomorrow.", "tasks", {"due": "2026-03-19", "task_id": "water_plants"}),
    ("todo: fix the login redirect", "tasks", {"task_id": "fix_login_redirect"}),
    ("Don't forget to renew the domain.", "tasks", {"title": "renew the domain"}),
    ("The grant application must be in by 30 June.", "tasks", {"due": "2026-06-30"}),
    ("My name is Ana Costa.", "profile", {"facts": [{"k": "name", "v": "Ana Costa"}]}),
    ("I live in Oslo.", "profile", {"facts": [{"k": "home", "v": "in Oslo"}]}),
    ("I work at Globex since 2021.", "profile", {"facts": [{"k": "employer", "v": "Globex", "since": "2021"}]}),
    ("I'm a paediatric nurse.", "profile", {"facts": [{"k": "role", "v": "paediatric nurse"}]}),
    ("I'm 34 years old.", "profile", {"facts": [{"k": "age", "v": "34"}]}),
    ("My birthday is November 3rd.", "profile", {"facts": [{"k": "birthday", "v": "November 3rd"}]}),
    ("My wife's name is Ida.", "profile", {"facts": [{"k": "wife", "v": "My wife's name is Ida"}]}),
    ("We launched version 2 last Friday.", "events", {"date": "2026-03-13"}),
    ("I have a dentist appointment on Tuesday at 3.", "events", {"date": "2026-03-24"}),
    ("Our wedding is on June 12.", "events", {"date": "2026-06-12"}),
    ("I got promoted!", "events", {"date": "2026-03-18"}),
    ("Remember that the spare key is under the third pot.", "knowledge", {"kind": "fact"}),
    ("Note for the future: the boiler takes size 312 batteries.", "knowledge", {}),
    ("The staging database listens on port 5433.", "knowledge", {"kind": "fact"}),
    ("To restart the boiler you hold the reset button for ten seconds.", "knowledge", {"kind": "procedure"}),
    ("Priya Raman is our account manager.", "entities", {"kind": "person", "canonical": "Priya Raman"}),
    ("Our new client is called Bluefin Media.", "entities", {"kind": "org", "canonical": "Bluefin Media"}),
    ("The code is at https://github.com/acme/rocket.", "entities", {"kind": "repo", "canonical": "acme/rocket"}),
    ("See https://docs.acme.dev/setup please", "entities", {"kind": "url", "canonical": "https://docs.acme.dev/setup"}),
    ("why does src/billing/prorate.ts round twice?", "entities", {"kind": "file", "aliases": ["prorate.ts"]}),
]

# sentence, rule of the skip
SKIPPED = [
    ("I live in Oslo?", "question"),
    ("I prefer the window seat, hypothetically.", "hypothetical"),
    ("I love queues at the tax office, said nobody ever.", "sarcasm"),
    ("My name is Bob, for example.", "example"),
    ("We decided to use tabs, she says.", "reported"),
    ("Write a poem. My name is Bob.", "fiction"),
    ("We decided to maybe use tabs.", "unsure"),
    ('He wrote "I prefer tea, my name is Tom and I live in Rome".', "quoted"),
    ("```\n# I live in Oslo\n```", "code"),
    ("> I live in Oslo\n\nwhat does he mean", "email"),
]

NOTHING = [
    "Do I live in Oslo?",
    "If I moved to Berlin, I'd quit my job.",
    "What if we decided to use Oracle?",
    "Suppose we decided to use Oracle.",
    "My boss says she prefers tabs.",
    "She told me she decided to quit her job.",
    "Yesterday was awful.",
    "Do you remember when we met?",
    "Is it true that we decided to use tabs?",
    "Make this shorter, please.",
    "I'm so tired today.",
    "I hate this bug.",
    "I love this song!",
    "Thanks, that's perfect!",
    "I had pizza yesterday and it was amazing.",
    "I need a regex that matches dates.",
    "Let's use a different word here.",
    "I like the second version better.",
    "Today only, give me the harsh version.",
    "Can you explain how garbage collection works?",
    "The function returns None every time.",
    "I'm a bit confused by this error.",
    "My code doesn't work, I get error 500.",
]


@pytest.mark.parametrize(("text", "item_type", "fields"), WRITES, ids=[text for text, _, _ in WRITES])
def test_writes(text: str, item_type: str, fields: dict[str, Any]) -> None:
    found = [draft for draft in drafts(text) if draft.kind.type == item_type]
    assert found, read(text)
    assert any(fields.items() <= draft.given.items() for draft in found), found
    for draft in found:
        assert draft.confidence >= 0.8
        assert draft.rule
        assert draft.span is not None
        assert 0 <= draft.span[0] < draft.span[1] <= len(text)


@pytest.mark.parametrize(("text", "rule"), SKIPPED, ids=[text for text, _ in SKIPPED])
def test_passes_over_with_a_reason(text: str, rule: str) -> None:
    assert drafts(text) == []
    assert skips(text) == [rule]


@pytest.mark.parametrize("text", NOTHING)
def test_writes_nothing(text: str) -> None:
    assert drafts(text) == []


def test_a_request_to_remember_is_not_undone_by_a_skip_rule() -> None:
    [draft] = drafts("Can you remember that the meter reading was 8814?")
    assert (draft.kind.type, draft.given["content"]) == ("knowledge", "the meter reading was 8814")


def test_what_is_asked_after_a_statement_does_not_undo_it() -> None:
    [draft] = drafts("I'm vegetarian, can you suggest a dinner?")
    assert draft.given == {"scope": "other", "name": "diet", "value": "I'm vegetarian"}


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("The tax return is done!", "done"),
        ("I submitted the tax return.", "done"),
        ("I started on the tax return.", "doing"),
        ("The tax return is stuck until the bank answers.", "blocked"),
    ],
)
def test_a_transition_is_of_the_task_that_is_known(text: str, status: str) -> None:
    known = item("tasks", task_id="file_tax_return", title="file the tax return", due="2026-03-20")
    [draft] = drafts(text, known)
    assert draft.kind.type == "tasks"
    assert (draft.key, draft.given["status"], draft.given["due"]) == (known.key, status, "2026-03-20")


def test_a_transition_of_no_known_task_writes_no_task() -> None:
    assert [draft for draft in drafts("The slides are done.") if draft.kind.type == "tasks"] == []


def test_a_task_that_is_not_yet_done_stays_open() -> None:
    known = item("tasks", task_id="file_tax_return", title="file the tax return")
    assert drafts("The tax return isn't done yet.", known) == []


def test_a_new_value_replaces_the_old_one_under_its_key() -> None:
    known = item("decisions", topic="database", decision="We decided to use MySQL")
    [draft] = drafts("We changed our minds: Postgres instead of MySQL.", known)
    assert (draft.key, draft.given["decision"]) == (known.key, "We decided to use Postgres")


def test_a_corrected_number_goes_where_the_old_one_stood() -> None:
    known = item("knowledge", slug="budget", content="The budget is 3000 euros")
    [draft] = drafts("sorry, I meant 4000", known)
    assert (draft.key, draft.given["content"]) == (known.key, "The budget is 4000 euros")


def test_a_moved_event_is_denied_on_its_old_day_and_told_on_the_new() -> None:
    known = item("events", date="2026-03-19", title="The demo is on Thursday", slug="demo")
    denied, told = drafts("The demo was moved to Friday.", known)
    assert (denied.denies, denied.key) == (True, known.key)
    assert (told.denies, told.given["date"], told.given["title"]) == (False, "2026-03-20", "The demo")


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("I no longer use Vim", item("preferences", scope="tools", name="editor", value="Vim")),
        ("The wedding is called off.", item("events", date="2026-07-04", title="The wedding is on 4 July", slug="w")),
        ("I gave up on the marathon.", item("goals", name="run_marathon", description="My goal is to run a marathon")),
        ("Turns out I'm not allergic to nuts", item("preferences", name="allergy_nuts", value="I'm allergic to nuts")),
    ],
)
def test_a_denial_is_of_the_item_it_speaks_of(text: str, known: Any) -> None:  # noqa: ANN401
    found = drafts(text, known)
    assert [(draft.denies, draft.key) for draft in found][:1] == [(True, known.key)]


def test_a_denied_fact_of_a_profile_names_the_fact() -> None:
    known = item("profile", facts=[{"k": "employer", "v": "Acme"}, {"k": "home", "v": "Oslo"}])
    [draft] = drafts("I no longer work at Acme.", known)
    assert draft.denies
    assert draft.given["facts"] == [{"k": "employer", "v": "Acme"}]


@pytest.mark.parametrize("text", ["I no longer use Vim", "The launch is called off.", "Scratch that."])
def test_a_denial_of_nothing_known_writes_nothing(text: str) -> None:
    assert drafts(text) == []


def test_the_same_fact_in_other_words_has_the_same_key() -> None:
    keys = [
        {draft.key for text in texts for draft in drafts(text)}
        for texts in (
            ("I prefer dark mode.", "Please always use the dark theme."),
            ("The gate code is 4455", "Remember that the gate code is 7812."),
            ("I'm vegan.", "I'm vegetarian."),
        )
    ]
    assert [len(each) for each in keys] == [1, 1, 1], keys


def test_drafts_of_both_scripts_in_one_message() -> None:
    found = read("I live in Oslo. 记住小区门禁码是 2580。")
    assert {each.kind.type for each in found if isinstance(each, Draft)} == {"profile", "knowledge"}


@pytest.mark.parametrize(
    ("text", "titles"),
    [
        ("todo: 1) glaze test 2) new price list 3) return it", ["glaze test", "new price list", "return it"]),
        ("pls keep track for me: 1) glaze test 2) new price list", ["glaze test", "new price list"]),
        ("Please keep track: call the glazier, pay the deposit", ["call the glazier", "pay the deposit"]),
        ("todo: fix 3) in the form", ["fix 3) in the form"]),
        ("keep track of the score: 1-0", []),
        ("please keep track: my weight is 81 kg", []),
    ],
)  # fmt: skip
def test_numbered_tasks_are_one_task_each(text: str, titles: list[str]) -> None:
    assert [each.given["title"] for each in drafts(text) if each.kind.type == "tasks"] == titles
