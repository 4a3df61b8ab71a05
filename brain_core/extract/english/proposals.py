"""What an English sentence is that no rule reads: plain values of each type, the sentence as it stands."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from brain_core.extract.dates import MONTHLY
from brain_core.extract.english.choices import is_next_step, topic_of
from brain_core.extract.english.clauses import before_question, skip_leads
from brain_core.extract.english.events import only_a_day
from brain_core.extract.english.progress import is_not_yet, status_in
from brain_core.extract.english.tasks import due_day
from brain_core.extract.english.tenses import (
    PAST_VERB,
    REPEATS,
    SOME_TIME_AGO,
    is_due,
    is_loose,
    is_weekly,
    lies_ahead,
    names_a_group,
    told_day,
)
from brain_core.extract.english.values import clean, event, knowledge, preference, profile, task, topic
from brain_core.extract.english.vocabulary import pattern
from brain_core.extract.known import body_of, words_of
from brain_core.extract.language import MASK, Found, Propose, Scene
from brain_core.extract.software import is_no_place
from brain_core.extract.vital import is_vital_item
from brain_core.text.expression import Expression
from brain_core.text.words import first_person_words

_LONGEST = 400  # characters; what is longer tells more than one thing
_LEAD_IN = Expression(
    r"(?:(?:i|we)(?:'ve|’ve| have|'m|’m| am|'re|’re| are)? (?:still |also |just |really )?(?:have to|has to|got to|"
    r"need to|must|should|ought to|supposed to|said i'd|promised to|owe)|gotta|need to|have to|must|"
    r"don't let me .{0,20}without|remind me to|on my list(?: for [\w ]{2,20})?:|(?:my )?to-?dos?:|"
    r"next(?: up| on [\w ]{2,20})?:) ",
    re.IGNORECASE,
)
_AREAS = tuple((area, pattern(words)) for area, words in (
    ("name", r"\b(?:my name|i'm called|call me|goes? by|known as|addressed)\b"),
    ("pet", r"\b(?:dogs?|cats?|puppy|kitten|hens?|rooster|horse|pony|rabbits?|parrot|hamster|\w+hound|terrier)\b"),
    ("health", r"\b(?:allerg\w+|diabet\w+|type [12]\b|arthritis|asthma\w*|coeliac|celiac|dyslexi\w+|deaf|blind|"
               r"pregnan\w+|insulin|metformin|thinners|knees?|hip|wrist|heart|surgery|diagnos\w+|migraines?|"
               r"medication|tablets|pills|gp|physio|wheelchair|stroke|cancer|adhd|autis\w+|"
               r"colou?r[- ]blind|plaster)\b"),
    ("age", r"\b(?:years? old|i'm (?:\w+ty(?:-\w+)?|\d\d)\b|turn(?:ed|ing)? (?:\w+ty|\d\d)|my age|born in|"
            r"aged|i am (?:\w+ty(?:-\w+)?|\d\d)\b)\b"),
    ("language", r"\b(?:speak|native|mother tongue|fluent|bilingual)\b"),
    ("education", r"\b(?:uni(?:versity)?|college|degree|stud(?:y|ying|ent)|phd|school|term|semester|apprentice\w*)\b"),
    ("family", r"\b(?:wife|husband|partner|sons?|daughters?|kids?|child(?:ren)?|twins?|mum|mom|mother|dad|father|"
               r"sister|brother|gran\w*|nephew|niece|divorced?|married|widow\w*|single|teenagers?|family|"
               r"toddler|baby)\b"),
    ("work", r"\b(?:work(?:s|ing|ed)?|jobs?|shifts?|teach(?:er)?|nurse|ward|driver|shop|bakery|team|boss|manager|run|"
             r"company|office|firm|freelance\w*|retired?|dev(?:eloper)?|engineer|payroll|clients|nights|accounts)\b"),
    ("home", r"\b(?:live|living|flat|house|apartment|rent(?:ing)?|landlord|moved to|(?:am|'m|are|'re|"
             r"come) from|native of|village|town|city|floor|garden|"
             r"allotment|based)\b"),
    ("body", r"\b(?:weigh(?:t|s)?|kilos?|tall|height|waist|left-handed|right-handed|glasses|eyes|shoe size|size)\b"),
    ("belongings", r"\b(?:car|van|bike|bicycle|laptop|phone|boat|piano|guitar|camera|tractor|oven)\b"),
    ("money", r"\b(?:pension|salary|wage|income|budget|mortgage|debt)\b"),
    ("habits", r"\b(?:every|always|mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|choir|club|church|gym|play|"
               r"get up)\b"),
))  # fmt: skip
"""What a fact about the user is about, by its words: the first that is found names it."""


def is_about(text: str, area: str) -> bool:
    """Return whether a text has words of what a fact may be about."""
    return any(name == area and words.search(text) for name, words in _AREAS)


_NAMED_FIRST = Expression(
    r"(?:(?i:actually|well|and|but|so|also|btw|by the way),? )*"
    r"(?!(?:I|It|This|That|There|These|Those|We|You|Not|No|The|My|Our|Mine|Always|Please)\b)"
    r"(?:He|She|They|(?:His|Her|Their|Its) \w+(?: [A-Z]\w+)?|[A-Z][a-z]+(?: (?:and|&) [A-Z][a-z]+)?)"
    r"(?:['’]s \w+(?: \w+){0,2}?)? (?:(?:also|always|never|still|really|often|usually) )?"
    r"(?:is|are|was|were|has|have|had|will|can|do|does|did|used|gets?|got|gave|went|can['’]t|won['’]t|\w+n['’]t|"
    r"\w+(?<!s)s|\w{2,}ed) "
)
"""Begins with somebody who has a name, or was named before."""


def tells_of_another(scene: Scene) -> bool:
    """Return whether a sentence is about somebody else, and nothing of the user's."""
    text = scene.clause.text
    return _NAMED_FIRST.match(text) is not None and not first_person_words(text)


_HOLD_ON = pattern(r"(?:(?:oh|no|but) )?(?:wait|hold on|hang on)\b(?: a (?:sec|second|minute))?[,.!…–—-]+\s*")


def _text(scene: Scene) -> str:
    sentence = before_question(scene.clause.text)
    place = skip_leads(sentence, 0)
    held = _HOLD_ON.match(sentence, place)
    return clean(sentence[place if held is None else held.end() :])[:_LONGEST]


_POINTS_BACK = pattern(
    r"(?:(?:she|he|they|it)(?:['’](?:s|re|ll|d|ve))?|(?:we|i)(?:['’](?:ve|ll|d))? (?:\w+ )?\w+ (?:it|them|him|her))\b"
)
_ENDED = re.compile(r"[.!?…\n]+\s*")


def _with_whom(scene: Scene) -> str:
    """Return the sentence, behind the one before it in the message where it says by a pronoun alone of whom it tells.

    "Our cat is Mochi. she comes home on the 14th" tells nothing without the first half.
    """
    text = _text(scene)
    if _POINTS_BACK.match(text) is None:
        return text
    before = scene.message[max(scene.clause.start - _LONGEST // 2, 0) : scene.clause.start]
    told = [part for part in _ENDED.split(before) if part.strip()]
    if not told or MASK in told[-1] or len(told[-1].split()) < 2:
        return text
    first = clean(told[-1][skip_leads(told[-1], 0) :])
    return f"{first}. {text}"[:_LONGEST] if first else text


def _preference(scene: Scene) -> Found | None:
    """Return the sentence as a preference; not an order to leave out what the user must not have anyway."""
    text = _text(scene)
    swap = _SWAP.match(text)
    if swap is not None:
        out = words_of(next(part for part in swap.groups() if part))
        held = [*scene.known.active("preferences"), *scene.known.active("knowledge")]
        if any(is_vital_item(item) and words_of(body_of(item)) & out for item in held):
            return None
    return None if _AT_WORK.match(text) or _PLANS.match(text) else Found(preference(text))


_AT_WORK = pattern(
    r"(?:i(?:['’]m| am)|we(?:['’]re| are))(?: (?:kinda|currently|still|also|just|now|really))* (?:looking (?:for|at|"
    r"into)|trying|deciding|considering|wondering|thinking|debating|working on|having (?:trouble|a hard time|"
    r"difficulty)|"
    r"struggling|experiencing|stuck|confused)\b"
)
"""Says what one is at for now."""
_PLANS = pattern(r"(?:i|we)(?:['’]ll| will|(?:['’]m| am|['’]re| are) (?:going to|gonna))\b")


_SWAP = pattern(
    r"(?:(?:please|just|can you|could you|let['’]?s) )*(?:(?:use|take|try|add|put|make it with|go with|get|"
    r"buy) .{2,60} "
    r"(?:instead of|rather than) (?P<out>.{2,60})|(?:replace|swap|substitute) (?P<b>.{2,60}) (?:with|by|for) .{2,60})"
)


def _goal(scene: Scene) -> Found | None:
    """Return the sentence as a goal, None where it says nothing of what is to be, or that one tries to understand."""
    text = _text(scene)
    if _AIMS.search(text) is None or _FOR_AN_ANSWER.match(text):
        return None
    return Found({"name": topic(text), "description": text})


_AIMS = pattern(
    r"\b(?:want\w*|wanna|try|tries|trying|plan\w*|goals?|aim\w*|targets?|hop(?:e|es|ing)|dream\w*|needs?|must|should|"
    r"ha(?:ve|s) to|got to|gotta|will|would|going to|gonna|intend\w*|determined|working|saving|training|preparing|"
    r"practi[sc]ing|studying|learning|building|get(?:ting)?|by|until|till|before|within|one day|some ?day|eventually|"
    r"deadline|objectives?|mission|resolutions?|challenge|commit\w*|vow\w*|promis\w*|keen|eager|looking to|so|to|for|"
    r"due|towards?|next|this year)\b|['’](?:ll|d)\b|[→>]"
)
"""What says that something is still to be."""
_FOR_AN_ANSWER = pattern(
    r"(?:i(?:['’]m| am)|we(?:['’]re| are))(?: (?:kinda|just|really|still|also))* (?:trying|looking|"
    r"hoping) to (?:figure "
    r"out|understand|find out|know|see|decide|make sense of|work out|wrap)\b"
)


def _task(scene: Scene) -> Found | None:
    text = _text(scene)
    if is_not_yet(scene, text) or _HAS_DONE.match(text) or _IS_DONE.match(text):
        return None
    lead = _LEAD_IN.match(text)
    title = text[lead.end() :] if lead else text
    due = due_day(scene, scene.clause.text)
    status = status_in(text)
    return Found(task(title, "" if status == "done" and due > scene.said.isoformat() else status, due))


_HAS_DONE = pattern(
    r"(?:i|we)(?:['’]ve| have)(?: (?:now|just|already|finally|also|both|successfully))* "
    r"(?:managed to|\w+ed|done|made|sent|found|gotten|written|put|set|met|read|bought|sold|paid)\b(?! to\b)"
)
_IS_DONE = pattern(
    r"(?!(?:get|have|need|want|must|should|please|i|we)\b)(?:(?!(?:be|gets?|have|has|needs?|wants?|must|should|will|not|to|"
    r"never|once|when|until|if|half|nearly|almost)\b)[\w'’-]+ ){1,5}?(?:done|finished|sorted)"
    r"(?: (?:on|at|last|this|yesterday|today|already|now|in)\b|[,.;!]|$)"
)
"""Names first what is over: "flu jab done on Saturday"."""


def _decision(scene: Scene) -> Found | None:
    text = _text(scene)
    if is_next_step(text) or _MANAGED.match(text):
        return None
    return Found({"topic": topic_of(text), "decision": text, "made_at": scene.said.isoformat()})


_IS_TO_US = pattern(
    r"(?-i:[A-Z])[\w'’-]+(?: (?-i:[A-Z])[\w'’-]+)?(?:['’]s| is) (?:now )?(?:my|our) (?!birthday|turn)[a-z]+"
)
"""Says who somebody is to the user, which holds whatever day is named beside it."""
_MANAGED = pattern(r"(?:i|we)(?:['’]ve| have)?(?: (?:now|just|already|finally|also))* managed to\b")


def _event(scene: Scene) -> Found | None:
    text = scene.clause.text
    if only_a_day(text):
        return None
    if MONTHLY.search(text) or REPEATS.search(text) or _IS_TO_US.match(text):
        return Found(knowledge(_text(scene)), type="knowledge")
    past = PAST_VERB.search(text) is not None
    found = told_day(text, scene.said, past and not lies_ahead(text), scene.told_before)
    if found is None and not past:
        return None
    if found is not None and (is_loose(text, found) or is_due(text, found) or names_a_group(text, found)):
        return None
    if (found is not None and is_weekly(text, found)) or (found is None and SOME_TIME_AGO.search(text)):
        return Found(knowledge(_text(scene)), type="knowledge")
    day, until = (found.day, found.last) if found else (scene.said, None)
    return Found(event(_with_whom(scene), day.isoformat(), until))


def _profile(scene: Scene) -> Found | None:
    """Return the sentence as a fact of the user, what happened on a day as an event; None for what one is at now."""
    text = _text(scene)
    if _AT_WORK.match(text):
        return None
    if _PASSING_DAY.search(text) and not REPEATS.search(text):
        return _as_event(scene)
    moved = _MOVED_TO.search(text)
    if moved is not None and is_no_place(moved["where"]):
        return Found(knowledge(text), type="knowledge")
    area = next((area for area, words in _AREAS if words.search(text)), "about")
    return Found(profile((f"{area}_{topic(text, 2)}", text)))


def _as_event(scene: Scene) -> Found | None:
    found = _event(scene)
    return None if found is None else replace(found, type=found.type or "events")


_PASSING_DAY = pattern(
    r"\b(?:yesterday|last night|tonight|tomorrow|next week(?!s)|this (?:morning|afternoon|evening|weekend))\b"
)
"""What is told of such a day is no lasting fact."""
_MOVED_TO = Expression(r"\b(?:moved|moving|migrated) (?:over )?to (?P<where>\S.*)")


def _knowledge(scene: Scene) -> Found | None:
    """Return the sentence as a fact, None where it tells of what is named nowhere in the message: "It rains a lot"."""
    text = _with_whom(scene)
    return None if _OF_IT.match(text) or _PLANS.match(text) or _AT_WORK.match(text) else Found(knowledge(text))


_OF_IT = pattern(
    r"(?:it|this|that|these|those)(?:['’](?:s|re|ll|d))?(?: (?:also|just|really|now|still|only|always|never))* "
    r"(?:[a-z]+(?:['’]t)?)\b(?!\W*$)"
)


PROPOSALS: Mapping[str, Propose] = {
    "preferences": _preference,
    "goals": _goal,
    "tasks": _task,
    "decisions": _decision,
    "events": _event,
    "profile": _profile,
    "knowledge": _knowledge,
}
"""By type. An event needs a day, or to be over."""
