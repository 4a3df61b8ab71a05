"""A bare word in the place of the part of a task that it is like: "call mum … I mean dad", "feed the cat … the dog"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from brain_core.extract.dates import first_day
from brain_core.extract.english.vocabulary import JOB, PARTNER, pattern
from brain_core.extract.known import value_of
from brain_core.extract.language import Found, Scene


def meant(text: str, scene: Scene) -> Iterator[Found]:
    """Yield the one task told last in the session that has a part like a bare text, with the text there.

    Nothing where two tasks have such a part, or none has.
    """
    told = [item for item in scene.known.active("tasks") if item.session_id == scene.session]
    last = max((item.updated_at.ToMicroseconds() for item in told), default=0)
    values = [value_of(item) for item in told if item.updated_at.ToMicroseconds() == last]
    fitting = [(value, title) for value in values if (title := _with(str(value["title"]), text, scene))]
    if len(fitting) == 1:
        value, title = fitting[0]
        fields = {name: part for name, part in value.items() if isinstance(part, str)}
        yield Found({**fields, "title": title}, type="tasks", span=(0, len(scene.clause.whole)))


def _with(title: str, text: str, scene: Scene) -> str:
    """Return a title with a bare text instead of its last part of that form and sort; empty where it has none."""
    new = _PART.fullmatch(text)
    if new is None or first_day(text, scene.said) is not None or text.lower() in title.lower():
        return ""
    same_word = list(re.finditer(rf"\b{re.escape(new['head'].split()[-1])}\b", title, re.IGNORECASE))
    if same_word:
        return title[: same_word[0].start()] + text + title[same_word[0].end() :] if len(same_word) == 1 else ""
    parts = [part for part in _PART_OF.finditer(title) if _are_alike(part, new)]
    if not parts or (_LISTED.match(title, parts[-1].end()) and not _PART_OF.match(title, parts[-1].end() + 1)):
        return ""
    start, stop = parts[-1].span("part")
    return title[:start] + text + title[stop:]


def _are_alike(part: re.Match[str], new: re.Match[str]) -> bool:
    sort = _sort(new["head"])
    same_form = (part["determiner"] or "").lower() == (new["determiner"] or "").lower()
    return _sort(part["head"]) == sort and (same_form or sort == "person")


def _sort(head: str) -> str:
    if _PERSON.fullmatch(head):
        return "person"
    if head[:1].isupper():
        return "name"
    return "thing"


_NO_HEAD = r"(?!(?:and|or|to|for|in|on|at|by|with|from|of|it|that|this|so|not|yes|no|really|well|the|an?|my)\b)"
_HEAD = rf"(?P<head>{_NO_HEAD}[\w'’-]+(?: {_NO_HEAD}[\w'’-]+)?)"
_DETERMINER = r"(?:(?P<determiner>the|an?|my|our|some|his|her) )?"
_LISTED = pattern(r",? (?:and|or) |, ")
_PART = pattern(rf"{_DETERMINER}{_HEAD}(?P<tail> (?:in|at|on|from|for|of) [\w'’ -]{{2,30}})?")
_PART_OF = pattern(
    rf"(?:^|\b(?:and|then) )[\w-]+(?: (?:up|out|back|off|in|to|for|with|from))? (?P<part>{_DETERMINER}{_HEAD})"
    r"(?=$|,|\.| (?:and|or|to|for|in|on|at|by|with|from|of)\b)"
)
"""What a verb at the head of a title, or of its last part, is about."""
_PERSON = pattern(
    rf"{JOB}|{PARTNER}|mums?|moms?|mothers?|dads?|fathers?|parents|sisters?|brothers?|sons?|daughters?|kids?|gran\w*|"
    r"uncle|aunt|cousin|niece|nephew|neighbou?rs?|friend|boss|landlord|landlady"
)
