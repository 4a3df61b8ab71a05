"""What users of coding agents tell of their project and how to work in it; beside it, what is asked for now alone.

In English and Chinese: conventions, exceptions to wishes, versions, times of jobs, who owns what.
"""

from __future__ import annotations

import pytest
from smartbrain.v1.item_pb2 import MemoryItem

from brain_core import Brain
from tests.building import active, fresh, say

_DAY = 86_400
_AT = 1_790_000_000
_WISHES = ("preferences", "knowledge", "decisions")


def _held(brain: Brain, *texts: str) -> list[MemoryItem]:
    """Return what is active after these turns of one memory, each in a session of its own a day after the last."""
    memory = fresh()
    for number, text in enumerate(texts):
        brain.commit_turn(say(memory, f"s{number}", text, at=_AT + number * _DAY))
    return active(brain, memory)


def _told(brain: Brain, *texts: str) -> str:
    return "\n".join(item.text for item in _held(brain, *texts))


def _wishes(brain: Brain, text: str) -> list[str]:
    return [item.text for item in _held(brain, text) if item.type in _WISHES]


@pytest.mark.parametrize(
    "text",
    [
        "this repo uses pnpm, never npm",
        "our backend uses poetry, not pip",
        "the project is on pytest, no unittest",
        "we always use kebab-case, never snake_case",
        "use httpx, not requests",
        "Please use podman instead of docker",
        "All timestamps are UTC in this codebase",
        "IDs are UUIDs everywhere",
        "tests live next to the source file, not in a tests folder",
        "Integration tests go under tests/integration",
        "commit messages should be imperative, max 50 chars",
        "Secrets must never be committed",
        "PRs should be under 400 lines and link the ticket",
        "dates in the reports should be in Berlin time",
        "run ruff and mypy before you say you're done",
        "show me the diff before you write to disk",
        "check the plan before applying",
        "update the docs with every PR",
        "Write shell scripts with set -euo pipefail.",
        "name branches after the ticket",
        "Use dataclasses for models",
        "Use thiserror for library errors and anyhow in the binary.",
        "No default exports please.",
        "no console.logs in production code",
        "the changelog is kept in CHANGES.md, update it with every PR",
        "the orders table has a soft delete flag, is_deleted, so always filter on it",
        "always filter out soft-deleted rows in orders",
    ],
)
def test_a_convention_is_kept_with_all_that_is_said_of_it(brain: Brain, text: str) -> None:
    assert text.rstrip(".").removesuffix(" please").removeprefix("Please ") in _told(brain, text)


@pytest.mark.parametrize(
    "text",
    [
        "use pnpm this time, not npm",
        "can you use pnpm, not npm?",
        "the tests should pass now",
        "tests should be green again soon",
        "PRs should be merged by Friday",
        "show me the diff before you commit that",
        "show me the output before you continue",
        "write tests for the login form",
        "use pandas for this",
        "no errors in the log",
        "no tests yet",
        "if this repo used pnpm, not npm, would CI be faster?",
        "the docs say commit messages should be imperative",
        "the style guide says all dates are stored in UTC",
        "at my old company branch names had to start with JIRA ids",
        "logs are in the way",
        "check the logs after the deploy finishes",
        "add a test for the parser before you refactor it",
        "this query should always filter on tenant",
        "the error is fine in tests",
    ],
)
def test_what_is_asked_of_the_thing_at_hand_is_no_convention(brain: Brain, text: str) -> None:
    assert _wishes(brain, text) == []


@pytest.mark.parametrize(
    ("wish", "exception"),
    [
        ("don't use select star, ever", "for one-off queries select star is fine"),
        ("never use print in our code", "print is fine in scripts"),
    ],
)
def test_an_exception_is_kept_with_the_wish_that_it_limits(brain: Brain, wish: str, exception: str) -> None:
    assert f"{wish}; {exception}" in _told(brain, wish, exception)


def test_to_what_a_manner_only_applies_takes_the_place_of_the_wish(brain: Brain) -> None:
    told = _told(
        brain, "keep answers short", "short answers only apply to code questions, for design talk take your time"
    )
    assert told.count("short") == 1
    assert "for design talk take your time" in told


@pytest.mark.parametrize(
    ("before", "now", "told"),
    [
        ("The release is v2.4.0", "we released v2.4.1 today because of the auth bug", "The release is v2.4.1"),
        ("The latest version is v3.1.0", "shipped v3.2.0 this morning", "The latest version is v3.2.0"),
        ("The current release is 2.0.1", "2.1.0 is out", "The current release is 2.1.0"),
        (
            "The nightly job runs at 2am UTC",
            "moved the nightly job to 3:30 UTC because of the backups",
            "The nightly job runs at 3:30 UTC",
        ),
        (
            "the nightly build runs at 23:00 CET",
            "shifted the nightly build to 1am because of the load",
            "the nightly build runs at 1am CET",
        ),
        ("Our ETL runs at 05:00 UTC", "the ETL now runs at 06:30 UTC", "Our ETL runs at 06:30 UTC"),
    ],
)
def test_another_version_or_time_takes_the_place_of_the_known_one(
    brain: Brain, before: str, now: str, told: str
) -> None:
    held = _held(brain, before, now)
    assert [item.text.partition("Fact: ")[2] for item in held] == [told]


@pytest.mark.parametrize(
    ("before", "now"),
    [
        ("The release is v2.4.0", "should we release v2.5.0 today?"),
        ("The release is v2.4.0", "they released v3.0.0 of React yesterday"),
        ("The release is v2.4.0", "if we released v2.5.0 today, what would break?"),
        ("Our Postgres is 15.2", "we released v16.0 today"),
        ("The release is v2.4.0", "we released v2.3.9 for the old customers"),
        ("The nightly job runs at 2am UTC", "should we move the nightly job to 3am?"),
        ("The nightly job runs at 2am UTC", "move the nightly job to 3am for tonight"),
        ("The nightly job runs at 2am UTC", "we moved the standup to 10am"),
    ],
)
def test_a_version_or_time_of_something_else_leaves_the_known_one(brain: Brain, before: str, now: str) -> None:
    assert f"Fact: {before}" in _told(brain, before, now)


@pytest.mark.parametrize(
    ("before", "now", "gone", "role"),
    [
        (
            "Tom owns the payments module",
            "Priya owns the payments module now, Tom left",
            "Tom",
            "owns the payments module",
        ),
        ("Jo leads the mobile team", "Sam leads the mobile team now", "Jo", "leads the mobile team"),
        ("Dana Reed owns billing", "Dana Reed left, so Kofi owns billing now", "Dana", "owns billing"),
        (
            "Ana maintains the search service",
            "Viktor maintains the search service now",
            "Ana",
            "maintains the search service",
        ),
    ],
)
def test_who_owns_a_part_now_takes_the_place_of_who_did(
    brain: Brain, before: str, now: str, gone: str, role: str
) -> None:
    told = _told(brain, before, now)
    assert f"role: {role}" in told
    assert gone not in told


@pytest.mark.parametrize(
    ("before", "now"),
    [
        ("Tom owns the payments module", "Priya owns the billing module now"),
        ("Tom owns the payments module", "Priya also owns the payments module"),
        ("Tom runs the team offsite", "Priya manages the team"),
        ("Tom owns the payments module", "maybe Priya owns the payments module now?"),
    ],
)
def test_an_owner_of_another_part_leaves_the_known_one(brain: Brain, before: str, now: str) -> None:
    assert "person: Tom" in _told(brain, before, now)


@pytest.mark.parametrize(
    ("text", "role", "employer"),
    [
        ("I do data eng at Finch", "data eng", "Finch"),
        ("I'm in data engineering at Finch", "data engineering", "Finch"),
        ("Hey, I'm Dana, I do data eng at Finch", "data eng", "Finch"),
        ("I do infra at Orrin, mostly Terraform and a bit of Go.", "infra", "Orrin"),
    ],
)
def test_the_field_that_one_does_and_where_are_read(brain: Brain, text: str, role: str, employer: str) -> None:
    told = _told(brain, text)
    assert f"role: {role}" in told
    assert f"employer: {employer}" in told


@pytest.mark.parametrize(
    "text",
    ["I'm in a meeting at Finch", "my sister does data eng at Finch", "if I do data eng at Finch, will I learn?"],
)
def test_where_one_is_or_another_works_is_no_employer(brain: Brain, text: str) -> None:
    assert "employer" not in _told(brain, text)


def test_a_consent_that_ends_a_wish_is_kept(brain: Brain) -> None:
    assert "never apply without my ok" in _told(brain, "always run plan first and never apply without my ok.")
