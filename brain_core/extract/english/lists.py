"""Tasks that are put on a list: after its head, line by line below it, one by one."""

from __future__ import annotations

import re
from collections.abc import Iterable

from brain_core.extract.english.tasks import ERRAND, NO_TASK, put
from brain_core.extract.english.values import clean
from brain_core.extract.english.vocabulary import pattern
from brain_core.extract.headed import is_entry
from brain_core.extract.language import Found, Rule, Scene
from brain_core.text.expression import Expression


def _listed(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read what stands after the head of a list, up to the end of the sentence: one task for each entry."""
    reminder = "reminder" in match[0][: match.start("title") - match.start()].lower()
    for entry in _ENTRIES.split(scene.clause.whole[match.start("title") :]):
        title = clean(entry.strip("\"'‘’“”` "))
        named = len(title) > 3 and not (NO_TASK.match(title) or _GOES_ON.match(title) or _AMOUNT.fullmatch(title))
        if named and (not reminder or ERRAND.match(title)):
            yield from put(match, scene, title, "")


_GOES_ON = pattern(r"(?:i|we|he|she|it|they|that|this|which|because|since|so|but|if|when)(?:['’]\w+)?\b")
"""Begins what is told of an entry, not another one."""
_AMOUNT = Expression(r"(?:[A-Z]{3} ?|[$€£¥])?\d[\d.,]*(?: ?(?:[A-Z]{3}|[$€£¥%]|[km]))?", re.IGNORECASE)
"""Says how much, and names nothing to be done."""
_ENTRIES = Expression(
    r"\s*(?:^|[,;]?\s)\d{1,2}[.)]\s+|;\s+(?:and\s+)?|,\s+(?:and\s+)?(?:then\s+)?|\s+(?:and\s+)?then\s+|"
    r"\s+and\s+(?=(?:send|call|"
    r"return|pay|buy|book|write|finish|pick|clean|order|get|fix|update|check|review|submit|e-?mail|prepare|ask|"
    r"take|bring|"
    r"drop|sort|sign|renew|file|plan|cancel)\b)",
    re.IGNORECASE,
)


def _put_on_list(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read one new task, or several where something parts them for sure."""
    for title in _several(match, scene) or [clean(match["title"])]:
        if len(title) > 3 and (not NO_TASK.match(title) or ERRAND.match(title)):
            yield from put(match, scene, title, "")


def _kept_track_of(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read several new tasks: of one thing alone one may keep track in other ways."""
    for title in _several(match, scene):
        if len(title) > 3 and not NO_TASK.match(title):
            yield from put(match, scene, title, "")


def _several(match: re.Match[str], scene: Scene) -> list[str]:
    """Return entries that numbers or semicolons part, or of which each begins as an errand does; else none."""
    listed = scene.clause.whole[match.start("title") :]
    if _NUMBERED.match(listed):
        titles = [clean(entry) for entry in _NUMBER.split(listed) if entry.strip()]
    else:
        titles = [clean(entry) for entry in _ENTRIES.split(listed)]
        if ";" not in listed and not all(map(ERRAND.match, titles)):
            return []
    return titles if len(titles) > 1 else []


_NUMBER = Expression(r"\s*(?:^|[,;]?\s)\d{1,2}[.)]\s+")
_NUMBERED = Expression(r"\s*1[.)]\s")


def _entry(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read a line of a list under a heading that asks for tasks; one that is ticked is done."""
    if is_entry(scene.message, scene.clause.start) and not NO_TASK.match(match["title"]):
        yield from put(match, scene, clean(match["title"]), "")


RULES = (
    Rule("task_entry", "tasks", "", pattern(r"^(?:\[ ?\] ?)?(?P<title>[^\[\]:?]{4,160})$"), _entry, insists=True),
    Rule("new_task", "tasks", "todo todos do dos task tasks item items", pattern(
        r"^(?:my |our |a )?(?:new |another |one more )?(?:to-?do|task|action item)s?(?: for (?:me|us|today|tomorrow|"
        r"\w+day))?\s*[:–—-]\s*(?P<title>.{3,300})$"), _put_on_list),
    Rule("tracked_tasks", "tasks", "track", pattern(
        r"^(?:please |pls |can you |could you )*keep track(?: for (?:me|us))?(?: please| pls)?\s*[:–—-]\s*"
        r"(?P<title>.{3,300})$"), _kept_track_of),
    Rule("task_list", "tasks",
        "todo todos do dos task tasks list ticket tickets things action items reminder agenda plate", pattern(
        r"^(?:(?:please |pls |can you )*(?:add|put|note|new|another|one more|next|open|create|log) )?(?:[\w' "
        r"-]{0,40}?)\b(?:to-?dos?|tasks?|(?:to-?do )?list|tickets?|things to (?:do|get done|finish|take "
        r"care of)|action items?|reminders?|agenda)(?: [\w' -]{0,40}?)?: ?(?P<title>.{4,400})$"), _listed),
    Rule("list_head", "tasks",
        "left todo plate list outstanding remaining still do action next steps jobs errands chores pending",
        pattern(
            r"^[^:?]{0,60}?\b(?:to-?dos?|left (?:to do|for me|on|before)|(?:still )?to do|on my (?:plate|list|"
            r"agenda|desk)|"
            r"outstanding|remaining|pending|action (?:items?|points?)|next steps?|jobs|errands|"
            r"chores)\b[^:?]{0,40}?: ?"
            r"(?P<title>.{4,400})"), _listed),
)  # fmt: skip
