"""Of two days of one thing the one that holds is told, and not the one that was meant before."""

from __future__ import annotations

import pytest

from tests.extraction.reading import drafts, item

ONE_MESSAGE = [
    ("Actually the studio opening moved to the 21st of November, it was going to be the 14th", "2026-11-21"),
    ("The exam was meant to be on 3 October but it's now on 10 October.", "2026-10-10"),
    ("My flight to Rome was originally on October 5, now it leaves October 7.", "2026-10-07"),
    ("My interview is on Oct 5 instead of Oct 3", "2026-10-05"),
    ("The dentist is on Tuesday now, it was supposed to be Monday.", "2026-03-24"),
    ("We moved the launch to May 3, originally May 1.", "2026-05-03"),
    ("The exam was scheduled for 3 October, results on 20 October.", "2026-10-03"),
    ("考试本来是10月3号，现在改成10月10号了。", "2026-10-10"),
    ("考试原定10月3号，结果10月10号才考。", "2026-10-10"),
    ("飞罗马的航班原来是10月5号，现在10月7号起飞。", "2026-10-07"),
    ("我周五的牙医改到下周二了，原本是周五。", "2026-03-24"),
    ("面试改到10月21号了，本来是14号。", "2026-10-21"),
]


@pytest.mark.parametrize(("text", "day"), ONE_MESSAGE)
def test_the_day_that_holds_is_told(text: str, day: str) -> None:
    told = [draft for draft in drafts(text) if draft.kind.type == "events" and not draft.denies]
    assert {draft.given["date"] for draft in told} == {day}


def test_a_bare_day_is_of_the_month_from_which_something_is_moved() -> None:
    known = item("events", date="2026-11-14", title="The studio opening is on the 14th of November", slug="opening")
    denied, told = drafts("the opening has been moved to the 21st", known)
    assert denied.denies
    assert (told.given["date"], told.given["title"]) == ("2026-11-21", "The studio opening")


def test_a_moved_event_that_says_of_what_day_it_was_is_not_told_again() -> None:
    known = item("events", date="2026-10-10", title="考试本来是10月3号，现在改成10月10号了", slug="考试")
    told = [draft for draft in drafts("考试改到10月10号了。", known) if not draft.denies]
    assert all(draft.given["date"] == "2026-10-10" for draft in told)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Ellie isn't working out, she left on Friday.", "Ellie isn't working out, she left on Friday"),
        ("小王不合适，他上周五离职了。", "小王不合适，他上周五离职了"),
    ],
)
def test_who_is_named_before_a_pronoun_is_in_the_title(text: str, title: str) -> None:
    assert [draft.given["title"] for draft in drafts(text) if draft.kind.type == "events"] == [title]
