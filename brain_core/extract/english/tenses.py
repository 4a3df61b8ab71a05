"""Whether the day that a text names is over or to come."""

from __future__ import annotations

import re
from datetime import date

from brain_core.extract.dates import Day, first_day
from brain_core.text.expression import Expression
from brain_core.text.words import terms

PAST_VERB = Expression(
    r"\b(?:\w{3,}ed|was|were|had|got|went|came|took|gave|met|lost|won|left|broke|born|fell|burst|blew|died|found|"
    r"bought|sold|told|made|signed|since|yesterday|last(?! day)|ago)\b",
    re.IGNORECASE,
)
PAST_DATED = Expression(r"\b(?:yesterday|last(?! day)|ago|this morning)\b", re.IGNORECASE)
_PART = Expression(r"[^,;:]*[,;:]?")
_SUBJECT = Expression(r"\b(?:i|we|he|she|they|it|you|who)\b", re.IGNORECASE)
_YEAR_ALONE = Expression(r"\b(?:in|since|during|around) (?P<year>(?:19|20)\d\d)\b", re.IGNORECASE)
_TO_DO = Expression(
    r"\b(?:asked|told|invited|reminded|begged|agreed|promised|offered|decided|arranged|want(?:s|ed)?|need(?:s|ed)?|"
    r"hop(?:es?|ed|ing)|plan(?:s|ned|ning)?|due|supposed)(?: [\w'’-]+){0,3}? (?:not )?to [a-z]+",
    re.IGNORECASE,
)
_OF_THE_CLOCK = Expression(
    r"(?:\W|\d|\b(?:on|in|at|the|of|from|to|and|till|until|around|about|early|late|noon|midnight|am|pm|morning|afternoon|"
    r"evening|night|back|again|here|there)\b)*",
    re.IGNORECASE,
)
"""What may stand beside a day that belongs to the verb before: "I went to Rome, 5 May in the evening"."""


def told_day(text: str, said: date, past: bool) -> Day | None:
    """Return the day of a text, an exact one if there is any. past: whether its verb is of the past.

    The day of another part than that verb's may lie ahead: "I called him, he comes on Thursday", "handed my notice in,
    last day 31 December"; so does what somebody was asked to do. A past year alone is its first day, not exact.
    """
    found = first_day(text, said, past)
    if found is None and past and (year := _YEAR_ALONE.search(text)):
        return Day(date(int(year["year"]), 1, 1), year.start("year"), year.end("year"), exact=False)
    ahead = first_day(text, said) if past else None
    if found is None or ahead is None or ahead.day == found.day:
        return found
    part = next(part for part in _PART.finditer(text) if part.start() <= found.start < part.end())
    if _TO_DO.search(text[part.start() : found.start]):
        return ahead
    beside = text[part.start() : found.start] + text[found.stop : part.end()]
    if PAST_VERB.search(part[0]) or _OF_THE_CLOCK.fullmatch(beside):
        return found
    if _SUBJECT.search(part[0]):
        return ahead
    return min((found, ahead), key=lambda one: abs(one.day - said))


def names_no_matter(text: str) -> bool:
    """Return whether a text has no words but those of days, and of saying so."""
    return all(word in _OF_DAYS or word[0].isdigit() for word in terms(text))


def lies_ahead(text: str) -> bool:
    """Return whether a text tells of what is to come, though with a verb of the past: "got tickets for June"."""
    return _AHEAD.search(text) is not None and PAST_DATED.search(text) is None


_NO_DAY = r"\d+(?:st|nd|rd|th) (?:floor|ward|team|grade|row|desk|room|office|building|line|place|class|form|division)\b"
"""Numbers what somebody or something is moved to, in a pattern: "moved me to the 4th floor"."""
_AHEAD = Expression(
    r"(?:\b(?:i|we)(?:['’](?:m|re)| am| are)|\b(?:is|are)|['’]s)(?: \w+ly| all| both| finally)? (?:getting|"
    r"having|flying|"
    r"going|running|moving|starting|leaving|travell?ing|seeing|meeting|hosting|attending|marrying|visiting)\b|"
    r"\b(?:will|going to)\b|['’]ll\b|^(?!.*\bhad\b).*\btickets? (?:for|to)\b|"
    r"\b(?:booked|registered|signed up|reserved|scheduled|invited)\b.{0,40}\bfor\b|"
    r"\b(?:moved|postponed|rescheduled|rebooked|pushed|delayed|put off|shifted|changed|brought forward)"
    r"(?: back| forward)?(?: (?:(?:it|the|my|our|your|his|her|their|this|that)\b(?: [\w'’-]+){0,3}?|"
    r"(?:me|us|him|them|everyone|everybody)(?: all| both)?|(?-i:[A-Z])[\w'’-]+(?: and \w+)?))?(?: back| forward)? "
    rf"(?:to|until|till|by) (?:the )?(?!{_NO_DAY})(?:\d|next\b|this\b|tomorrow|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|jan|feb|mar|apr|may\b|jun|jul|aug|sep|oct|nov|dec)",
    re.IGNORECASE,
)


_OF_DAYS = frozenset(
    terms(
        "january february march april may june july august september october november december jan feb mar apr jun jul "
        "aug sep sept oct nov dec monday tuesday wednesday thursday friday saturday sunday mon tue tues thu thurs "
        "fri sat sun day days week weeks weekend month months year years morning afternoon evening night noon midnight "
        "today tonight tomorrow yesterday date dates now then end ends ended beginning start starts middle half "
        "quarter first second third last next early late later soon from till until through only just rather instead "
        "one two three four five six seven eight nine ten eleven twelve thirty thirty-five twenty "
        "hear heard say said says tell told ring rang call called look looked mean meant think thought guess hope "
        "come came go going goes get got move moved make made be am was were will would out back "
        "something nothing anything it that this she he they them her him i we you me my our"
    )
)
"""Words that name no matter of their own beside a day."""
