"""What one speaks, does or where one lives besides: a second value, which takes the place of none."""

from __future__ import annotations

import re
from collections.abc import Iterable

from brain_core.extract.english.facts import own_fact
from brain_core.extract.english.several import LANGUAGE
from brain_core.extract.english.target import supposed
from brain_core.extract.english.values import profile
from brain_core.extract.english.vocabulary import pattern
from brain_core.extract.known import known_facts
from brain_core.extract.language import Found, Rule, Scene


def _bit_of(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read "a bit of German too": a language that one speaks, where another one is known."""
    if not supposed(scene) and any(k == "language" for k, _ in known_facts(scene.known)):
        yield own_fact("language", match["value"], scene)


def _second_job(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read what one also does: beside where one works, if that is known."""
    if not supposed(scene) and any(k in {"employer", "work", "role"} for k, _ in known_facts(scene.known)):
        yield Found(profile(("second_job", match["value"])))


def _part_of_the_time(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    if not supposed(scene):
        yield Found(profile(("home_weekends", match["value"])))


RULES = (
    Rule("bit_of_language", "profile", "bit little some", pattern(
        rf"^(?:(?:i|and) (?:also )?(?:know |speak |have )?)?(?P<value>(?:a (?:bit|little)(?: bit)?(?: of)?|some) "
        rf"{LANGUAGE})(?:,? (?:too|as well|also))?$"), _bit_of, vital=True),
    Rule("second_job", "profile", "work", pattern(
        r"^i (?:also work|work (?=.{2,60} (?:too|as well|on the side)$)) (?P<value>(?:at|for|in|as) (?!home\b)"
        r"(?:an?|the|my|our|[A-Z])\b.{2,80}?)"
        r"(?:,? (?:too|as well|on the side))?$"), _second_job, vital=True),
    Rule("home_at_weekends", "profile", "live", pattern(
        r"^(?:i|we) (?:also )?live (?P<value>(?:in|at|near) .{2,40}? (?:on|at|over)(?: the)? weekends?)$"),
        _part_of_the_time, vital=True),
)  # fmt: skip
