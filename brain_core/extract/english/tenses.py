"""Whether the day that a text names is over or to come."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date

from brain_core.extract.bare_day import in_its_month, in_month_of
from brain_core.extract.dates import MONTHS, Day, day_left, days, first_day, through
from brain_core.text.expression import Expression
from brain_core.text.words import terms

_LAST = (
    r"last (?:night|evening|week|weekend|month|year|spring|summer|autumn|fall|winter|christmas|easter|time|few|couple|"
    r"one|two|three|four|five|six|(?:mon|tues|wednes|thurs|fri|satur|sun)|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"
    r"\w*"
)
"""Not the last fitting, which may lie ahead."""
PAST_VERB = Expression(
    r"\b(?:\w{3,}ed|was|were|had|did|(?<!['’]ve )(?<!have )(?<!has )got|went|came|took|gave|met|lost|won(?!['’]t)|"
    r"left(?! (?:"
    r"one|side|hand|arm|leg|foot|hip|knee|eye|ear|ankle|wrist|shoulder|until|till|before)\b)|broke|born|fell|burst|blew|died|found|"
    r"bought|sold|told|made|began|became|built|caught|chose|drove|ate|saw|flew|held|paid|ran|rose|sent|shut|spoke|spent|"
    rf"stole|struck|taught|tore|wrote|woke|said|heard|done|since|yesterday|{_LAST}|ago)\b",
    re.IGNORECASE,
)
PAST_DATED = Expression(rf"\b(?:yesterday|{_LAST}|ago|this morning)\b", re.IGNORECASE)
_PRESENT_VERB = Expression(
    r"\b(?:(?:have|has|(?<=['’])ve) (?:got|an?|my|our|the|another)|gets?|is|are|am|will|won['’]t|can|ha(?:s|ve) to|"
    r"goes|comes|starts|begins|ends|leaves|arrives|departs|opens|closes|flies|lands|moves|returns|happens|takes|runs|plays|"
    r"needs?|wants?|finishes|expires|turns|marries|graduates|retires|launches|ships|kicks|visits|replaces|joins)\b|"
    r"['’](?:ll|m|re)\b|['’]s (?=closed|shut|booked)",
    re.IGNORECASE,
)
_DONE_TO = Expression(
    r"\b(?:(?:gets?|getting|is|are|am|be|being)\b|(?:have|having|needs?|wants?) (?:the|my|our|his|her|their|it|them|"
    r"this|that|an?)\b)(?: (?!(?:was|were|i|we|you|he|she|they|it)\b)[\w'’-]+){0,4}? (?:"
    r"\w{3,}ed|made|held|sold|taught|built|sent|shut|paid|found|told|lost|done|born)\b|['’]s (?:closed|shut|booked)\b",
    re.IGNORECASE,
)
"""What is or will be done: "he gets the left one replaced", "we are invited", "I have my hair done"."""
_SINCE = Expression(r"\bsince (?:the )?$", re.IGNORECASE)
_BESIDE = Expression(r"\b(?:before|after|until|till|by|ahead of) (?:the |my |our )?$", re.IGNORECASE)
"""Stands before a day on which a thing does not happen, if another day is told."""
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


_PUT_OFF = (
    r"(?:moved|rescheduled|rebooked|pushed|postponed|shifted|changed|delayed|bumped|slipped|slid|switched|"
    r"put (?:off|back)|brought forward)"
)
_FROM_TO = Expression(
    rf"\b{_PUT_OFF}\b[^.;]{{0,60}}?\bfrom (?P<old>[^.,;]{{1,30}}?) (?:to|till|until) (?:the )?(?P<new>[^.;]+)",
    re.IGNORECASE,
)


def moved_day(text: str, said: date) -> Day | None:
    """Return the day to which a text moves something from another: "from April 28 to May 5", on that day or after it.

    None where it names no two days, or is of a move long over: "last year they moved it from May to June".
    """
    match = _FROM_TO.search(text)
    if match is None or PAST_DATED.search(text):
        return None
    old, new = first_day(match["old"], said), first_day(match["new"], said)
    if old is None or new is None or new.start > 0:
        return None
    new = in_month_of(old.day, new, match["new"], first_day, said)
    return replace(new, start=match.start("new"), stop=match.start("new") + new.stop)


_BEFORE_A_DAY = r"(?:(?:to be|on|for|in|at|by|around) )*(?:the )?$"
_NO_LONGER = Expression(
    r"\b(?:(?:was|were|['’]s been|had been) (?:\w+ly |first )?(?:going|meant|supposed|to be\b)|originally|initially|"
    r"could(?:n['’]t| not)|can(?:['’]t|not)|won['’]t|didn['’]t|"
    rf"instead of|rather than)\b[^.,;]{{0,40}}?{_BEFORE_A_DAY}|(?:,? not|\b(?:is|was)n['’]?t) {_BEFORE_A_DAY}",
    re.IGNORECASE,
)
_PLANNED_ONCE = Expression(
    r"\b(?:was|were|had been) (?:\w+ly )?(?:due|planned|scheduled|booked|set|slated|down)\b"
    rf"[^.,;]{{0,40}}?{_BEFORE_A_DAY}",
    re.IGNORECASE,
)
_NOW = Expression(rf"\b(?:now|but|{_PUT_OFF})\b", re.IGNORECASE)


def day_now(text: str, said: date) -> Day | None:
    """Return the day that holds of two, of which the other was meant before: "the 21st, it was going to be the 14th".

    None where a text names no day that was given up, or no other.
    """
    return day_left(text, days(text, said), lambda before, _: _gives_up(text, before))


def is_given_up(text: str, sentence: str, said: date) -> bool:
    """Return whether the only day of a part of a sentence is one given up for a day that another part names."""
    day = first_day(text, said)
    if day is None or not _gives_up(text, text[: day.start]):
        return False
    holds = day_now(sentence, said)
    return holds is not None and holds.day != day.day


def _gives_up(text: str, before: str) -> bool:
    """Return whether what stands before a day of a text says that it was meant once."""
    return _NO_LONGER.search(before) is not None or (
        _PLANNED_ONCE.search(before) is not None and _NOW.search(text) is not None
    )


_CALLED_OFF = Expression(
    r"\b(?:cancel\w*|call(?:ed|ing) (?:it )?off|called .{2,40} off|scrapped|postponed|put off|rescheduled|skipped|"
    r"refunded)\b",
    re.IGNORECASE,
)
CALENDAR = Expression(r"jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|\d(?:st|nd|rd|th)|\d[-/.]\d", re.IGNORECASE)
"""A day of the calendar rather than one counted from today."""
_SOON_DAYS = 92
"""A month that is no further off is rather that of what was called off than of the calling."""


def _is_called_off(part: str, text: str, found: Day, ahead: Day, said: date) -> bool:
    """Return whether the day is that of what was called off, and still ahead: "cancelled Rome for October"."""
    if not _CALLED_OFF.search(part) or not CALENDAR.search(text[found.start : found.stop]):
        return False
    if found.exact or _FOR.search(text[: found.start]):
        return abs(ahead.day - said) < abs(found.day - said)
    return (ahead.day - said).days <= _SOON_DAYS


_FOR = Expression(r"\bfor (?:the )?$", re.IGNORECASE)


def told_day(text: str, said: date, past: bool, before: str = "") -> Day | None:
    """Return the day of a text, or the first and last, an exact one if there is any. past: whether its verb is past.

    The day of another part than that verb's may lie ahead: "I called him, he comes on Thursday", "handed my notice in,
    last day 31 December"; so does what somebody was asked to do. Of what somebody told it is the day of that: "said on
    Monday it will be on 2 April". A past year alone is no exact day. before: the message up to the text, which may name
    the month of a day without one.
    """
    found = moved_day(text, said) or day_now(text, said) or _said_day(text, said) or _day_of_verb(text, said, past)
    if found is None or is_how_long(text, found):
        return None
    return through(text, in_its_month(found, text, said, before, days, first_day), said)


_REPORTS = Expression(
    r"\b(?:told|announced|said|says|confirmed|heard|hears|learn(?:ed|t)|found out|finds out|informed|texted|emailed|"
    r"wrote)\b(?:[^,;.]{0,40}?\bthat\b)?",
    re.IGNORECASE,
)


_WHO_DOES = Expression(
    r"\b(?:i|we|he|she|they|it|you)\b (?!on\b|at\b|in\b|last\b|this\b|about\b|the\b|yesterday\b)[a-z]+", re.IGNORECASE
)


def _said_day(text: str, said: date) -> Day | None:
    """Return the exact day of what somebody told, None where that has no verb beside a day."""
    verb = _REPORTS.search(text)
    if verb is None:
        return None
    what = text[verb.end() :]
    day = first_day(what, said)
    if day is None or not day.exact:
        return None
    over = is_over(what, day)
    if over is None and not _WHO_DOES.search(what[: day.start]):
        return None
    day = _day_of_verb(what, said, over is True)
    return day and replace(day, start=verb.end() + day.start, stop=verb.end() + day.stop)


def is_over(text: str, day: Day) -> bool | None:
    """Return whether the verb beside a day of a text, in its part, is of the past; None where there is none.

    The last verb before the day decides, else the first after it.
    """
    part = _part_of(text, day)
    done_to = {each.end() for each in _DONE_TO.finditer(part[0])}
    verbs = [(each.start(), True) for each in PAST_VERB.finditer(part[0]) if each.end() not in done_to]
    verbs += [(each.start(), False) for each in _PRESENT_VERB.finditer(part[0])]
    if not verbs:
        return None
    before = [verb for verb in verbs if part.start() + verb[0] < day.start]
    return max(before)[1] if before else min(verbs)[1]


def _part_of(text: str, day: Day) -> re.Match[str]:
    return next(part for part in _PART.finditer(text) if part.start() <= day.start < part.end())


def _day_of_verb(text: str, said: date, past: bool) -> Day | None:
    found = _first_day(text, said, past)
    if found is None and past and (year := _YEAR_ALONE.search(text)):
        first = date(int(year["year"]), 1, 1)
        return Day(first, year.start("year"), year.end("year"), exact=False, last=first.replace(month=12, day=31))
    if found is not None and _SINCE.search(text[: found.start]):
        return _first_day(text, said, past=True)
    ahead = _first_day(text, said, past=False) if past else None
    if found is None or ahead is None or ahead.day == found.day:
        return found
    part = _part_of(text, found)
    if _is_called_off(part[0], text, found, ahead, said) or _TO_DO.search(text[part.start() : found.start]):
        return ahead
    over = is_over(text, found)
    if over is None and _OF_THE_CLOCK.fullmatch(text[part.start() : found.start] + text[found.stop : part.end()]):
        over = PAST_VERB.search(_next_to(text, part)) is not None or None
    if over is None and not _SUBJECT.search(part[0]):
        return min((found, ahead), key=lambda one: abs(one.day - said))
    return found if over else ahead


def _next_to(text: str, part: re.Match[str]) -> str:
    """Return the part of a text before one, of the first the part after it."""
    return str(_PART.findall(text[: part.start()])[-2] if part.start() else _PART.findall(text[part.end() :])[0])


def _first_day(text: str, said: date, past: bool) -> Day | None:
    """Return the first day of a text, an exact one if there is any, and rather one on which a thing happens."""
    named = [day for day in days(text, said, past) if day.exact]
    return next((day for day in named if not _BESIDE.search(text[: day.start])), None) or first_day(text, said, past)


_MONTH_ALONE = Expression(rf"(?:{'|'.join(MONTHS)})\W?", re.IGNORECASE)
_LEADS_TO_A_MONTH = Expression(
    r"(?:^|[,;:(–—-]|\b(?:since|from|for|by|until|till|to|of|around|about|before|after|through|during|come|or|and|is|are|was|"
    r"were))\s*$",
    re.IGNORECASE,
)


def is_loose(text: str, day: Day) -> bool:
    """Return whether a month is named so that nobody can tell whether anything happens in it: "I owe her August"."""
    alone = not day.exact and _MONTH_ALONE.fullmatch(text, day.start, day.stop) is not None
    return alone and _LEADS_TO_A_MONTH.search(text[: day.start]) is None


def is_due(text: str, day: Day) -> bool:
    """Return whether a day is that by which somebody has to do something: "I have to choose by Friday"."""
    before = text[: day.start]
    return _BY_THEN.search(before) is not None and _HAS_TO.search(before) is not None


_BY_THEN = Expression(r"\b(?:by|no later than)(?: the| about| around)? $", re.IGNORECASE)
_HAS_TO = Expression(
    r"\b(?:have to|has to|ha(?:ve|s) got to|['’]ve got to|gotta|needs? to|must|should|ought to|supposed to|promised"
    r"(?: \w+)? to|finish\w*|complet\w+|submit\w*|ready|aiming|hop(?:e|ing)|trying|agreed to|on me to|want(?:s|"
    r"ed)? (?:me|us) to)\b",
    re.IGNORECASE,
)
_OF_A_GROUP = Expression(
    r" (?:[\w-]+ )?(?:group|class|course|team|crew|shift|squad|section|choir|club|session|slot)\b", re.IGNORECASE
)
"""What is told apart from others of its sort by its weekday, on which it is held again and again."""
_TO_THE = Expression(r"\b(?:to|into|in|joined) the $", re.IGNORECASE)


def names_a_group(text: str, day: Day) -> bool:
    """Return whether a day only names a group, or a shift, that somebody is in: "moved up to the Thursday group"."""
    return _TO_THE.search(text[: day.start]) is not None and _OF_A_GROUP.match(text, day.stop) is not None


def is_weekly(text: str, day: Day) -> bool:
    """Return whether a text tells of what is so on some days of every week: "open Monday to Friday", not of a stay."""
    return (
        day.last is not None
        and _WEEKDAYS.fullmatch(text, day.start, day.stop) is not None
        and _OF_THIS_TIME.search(text) is None
    )


_A_WEEKDAY = r"(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?"
_WEEKDAYS = Expression(rf"{_A_WEEKDAY}(?:\s*[-–—]\s*|\s+(?:to|till|until|through|thru)\s+){_A_WEEKDAY}", re.IGNORECASE)
_OF_THIS_TIME = Expression(
    r"\b(?:will|going|gonna|away|off|abroad|holidays?|vacation|leave|trip|conference|festival|retreat|camp|workshop|"
    r"training|course|fair|booked|(?:visit|stay|fly|travel|com|host|camp|mov|see)\w*ing|visits?|was|were|had|went|"
    r"this|next|last|coming|out of (?:town|the country|the office|office)|until|over)\b|['’]ll\b|"
    r"\bi(?:['’]m| am) at my [\w'’ -]{2,30}['’]s\b|\bin (?-i:[A-Z])",
    re.IGNORECASE,
)
"""Says that the days are those of one time: a trip, an absence, a visit."""

SOME_TIME_AGO = Expression(
    r"\b(?:recently|lately|the other (?:day|week|night)|a (?:few|couple of) (?:days|weeks|months|years) (?:ago|back)|"
    r"(?:a while|ages|years|months|weeks|some time|long) (?:ago|back)|once|one day|used to|as a (?:kid|child|teenager)|"
    r"when (?:i|we|he|she|they) (?:was|were)|back (?:in|when)|growing up|in the past|years before|over the years|"
    r"(?:in|over|during|last|this|that|back in)(?: the)?(?: early| late)? (?:spring|summer|autumn|fall|winter))\b",
    re.IGNORECASE,
)
"""Says that something has been, on a day that nobody can tell."""


def is_how_long(text: str, day: Day) -> bool:
    """Return whether a count of days says for how long something has not been: "haven't seen her in six months"."""
    return text[day.start : day.start + 3].lower() == "in " and _HAS_NOT.search(text[: day.start]) is not None


_HAS_NOT = Expression(r"\b(?:ha(?:ve|s|d)(?: not|n['’]?t)|never|not)\b[^.;]*$", re.IGNORECASE)

REPEATS = Expression(
    r"\b(?:every|each)(?: (?:other|second|single|two|three))? (?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|day|week|"
    r"month|year|morning|afternoon|evening|night|weekend|fortnight)s?\b|\b(?:once|twice|three times|\d times) an? (?:"
    r"day|week|month|year)\b|\b(?:on|our|my|usual|regular) (?:(?:mon|tues|wednes|thurs|fri|satur|sun)days|weekends)\b",
    re.IGNORECASE,
)
"""What happens again and again is on no one day."""


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
    r"\b(?:will|won['’]t|going to)\b|['’]ll\b|^(?!.*\bhad\b).*\btickets? (?:for|to)\b|"
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
