"""Dated happenings worth recalling, past and planned."""

from __future__ import annotations

import re
from collections.abc import Iterable

from brain_core.extract.dates import first_day
from brain_core.extract.english.standing import says_something
from brain_core.extract.english.tenses import (
    CALENDAR,
    PAST_DATED,
    SOME_TIME_AGO,
    day_now,
    is_due,
    is_given_up,
    is_loose,
    is_over,
    is_weekly,
    lies_ahead,
    names_a_group,
    names_no_matter,
    told_day,
)
from brain_core.extract.english.values import event
from brain_core.extract.english.vocabulary import pattern
from brain_core.extract.language import Clause, Found, Rule, Scene
from brain_core.text.expression import Expression

_NOUNS = (
    r"appointment|meeting|interview|exam|test results?|surgery|operation|wedding|funeral|conference|launch|"
    r"release|deadline|flight|trip|holiday|vacation|"
    r"demo|kick-?off|review|workshop|concert|marathon|race|tournament|match|game|party|birthday|anniversary|"
    r"ceremony|graduation|defen[cs]e|viva|audit|inspection|"
    r"go-?live|migration|outage|incident|hearing|trial|check-?up|scan|mri|viewing|closing|move|moving "
    r"day|delivery|election|board meeting|call|standup|retro|presentation|"
    r"talk|lecture|class|course|lesson|first day|last day|reunion|festival|retreat|offsite|dinner|lunch|"
    r"reservation|train|ferry|visit|pitch|hackathon|recital|opening|exhibition|session|"
    r"webinar|summit|fair|open day|parents' evening|school play|due date|checkout|check-?in|handover|cutover|"
    r"sprint review|vote|draw|camp|cruise|tour|gig|premiere|rehearsal|baptism|christening|engagement|inauguratio"
    r"n|"
    r"dentist|vaccination|therapy|tasting|final|quali\w+|semester|term|baby|shower|safari|expedition|pilgrimage|"
    r"internship|residency|treatment|chemo|physio|(?:blood|driving|eye|hearing|theory|smear) test|haircut|ultrasound|"
    r"jab|biopsy|infusion|x-?ray|parents evening|induction|bootcamp"
)
_PAST_VERBS = (
    r"launched|released|shipped|deployed|moved|married|got married|engaged|was born|were born|died|passed "
    r"away|graduated|started|began|joined|left|quit|resigned|retired|"
    r"got promoted|was promoted|got hired|was hired|got fired|was fired|laid off|flew|travel+ed|signed|"
    r"bought|sold|adopted|broke|diagnosed|finished|completed|won(?!['’]t)|lost|passed|failed|"
    r"accepted|rejected|crashed|went (?:down|live|viral|bankrupt|out)|flooded|burned|burnt|stolen|hacked|"
    r"published|gave birth|had (?:a|an|our|my)|ran (?:a|the|my)|burst|exploded|vanished|expired|ran out|"
    r"resumed|reopened|caught|inherited|withdrew|elected|voted|evacuated|extended|doubled|ended|confirmed|"
    r"did (?:an?|the|my|our)|announced|cancelled|canceled|postponed|arrested|pitched|demoed|removed|lost|"
    r"ordered the|received|"
    r"got the|agreed to sell|arrived|closed|opened|merged|acquired|"
    r"founded|met with|visited|returned|came back|got back|fell|was hit|was robbed|had surgery|gave (?:a|"
    r"my|our)|held|celebrated|turned \d+|hosted|was elected|was approved|was cancelled|got (?:a|the|my|"
    r"our) (?:job|offer|dog|cat|diagnosis|visa|green card|licen[sc]e|promotion|keys|results|puppy|kitten)"
    r"|"
    r"proposed|said yes|filed|submitted|rolled back|rolled out|switched|migrated|upgraded|installed|planted|"
    r"was delivered|was accepted|got accepted|was admitted|was discharged|got engaged|split up|broke up|"
    r"divorced|collapsed|leaked|replaced|renovated|hired|fired|appointed|presented|ran into|had to evacuate|"
    r"took over|down|offline|unavailable|broke into|broken into|stole|robbed|struck|hit (?:a|the)|tore|sprained|"
    r"fractured|caught fire"
)
_NO_PLACE = (
    "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|Q[1-4]|Sprint|Phase|Week|Room|January|February|March|April|"
    "June|July|August|September|October|November|December"
)
_FUTURE_VERBS = (
    r"fly|flying|travel+ing|leave|leaving|move|moving|start|starting|begin|beginning|launch|launching|"
    r"release|releasing|ship|shipping|visit|visiting|get married|getting married|marry|marrying|graduate|"
    r"graduating|retire|retiring|go to|going to|give|giving|present|presenting|host|hosting|meet|meeting|"
    r"have|having|run|running|attend|attending|see|seeing|defend|defending|deploy|deploying|sign|signing|"
    r"open|opening|close|closing|"
    r"take|taking|arrive|arriving|return|returning|go live|going live|drive|driving|celebrate|celebrating|"
    r"turn|turning|expect|expecting|off to|away|out of office|on leave|on holiday|on vacation|pick up|"
    r"picking up|switch|switching|migrate|migrating|hold|holding|join|joining|head|heading|depart|departing|"
    r"speak|speaking|perform|performing|play|playing|race|racing|camp|camping|sail|sailing|cruise|book|"
    r"booked|stay (?:in|at|with)|staying|abroad|out of (?:the country|town|the office)|back (?:in|from)|"
    rf"(?:over |up |down |out )?in (?-i:(?!(?:{_NO_PLACE})\b)[A-Z])[\w'’-]+"
)
_EVENT = Expression(rf"\b(?:{_NOUNS})s?\b", re.IGNORECASE)
_BEFELL = Expression(
    r"\b(?:outages?|incidents?|crash|blackout|power cut|burglary|break-in|breakdown|earthquake)\b", re.IGNORECASE
)
"""What nobody plans, so the day of it is over though no verb says so."""
_PAST = Expression(
    r"^(?:.{0,40}?,? )?(?:i|we|my .{2,30}?|our .{2,40}?|the .{2,50}?|they|he|she|[A-Z]\w+(?: [A-Z]\w+)"
    r"?|there|someone|somebody|an? .{2,40}?)(?:'ve|’ve|'s|’s| has| have| had| was| were| is| got| just|"
    rf" finally| officially| both| all| also| already| accidentally| been| got us| even)*? ?(?:{_PAST_VERBS})"
    r"\b",
    re.IGNORECASE,
)
_PLANNED = Expression(
    r"^(?:.{0,40}?,? )?(?:i|we|my .{2,40}?|our .{2,40}?|the .{2,50}?)(?:'m|’m|'re|’re|'ll|’ll|"
    rf"'s|’s| am| are| will| is| be|'ve got|’ve got| all| both| finally| going to)* ?(?:{_FUTURE_VERBS})"
    r"\b|^(?:(?:and|then|also|so|but|finally|officially) )*(?:moving|flying|travel+ing|leaving|visiting|getting "
    r"(?:married|the keys)|graduating|retiring|hosting|attending|seeing (?!as\b|that\b|how\b|if\b)|returning|driving "
    r"(?:to|up|down)|heading|off to|"
    r"staying (?:at|in|with)|starting (?:at|a|an|my|the|school|work|uni\w*|college|with))\b",
    re.IGNORECASE,
)
_IS_ON = Expression(
    r"^(?:my|our|the|we have|i have|i've got|i’ve got|we've got|there's|there’s|there is|it's|it’s|i got|"
    rf"we got)\b.{{0,80}}\b(?:{_NOUNS})s?\b",
    re.IGNORECASE,
)
_NOUN_FIRST = Expression(
    rf"^(?:(?:another|first|second|final|annual|big|quick|next)? ?)?(?:[\w'’-]+ ){{0,4}}?(?:{_NOUNS})\b(?! "
    r"(?:idea|ideas|tips|recipe|recipes|plan|question)).{0,60}|^(?:[A-Z][\w.-]*|release|version|v\d\S*)"
    rf" (?:[\w.-]+ ){{0,3}}(?:{_PAST_VERBS})\b",
    re.IGNORECASE,
)
_TRIVIAL = Expression(
    r"^(?:please|just|(?:who|which|whose)(?:['’]s)?|here(?:['’]?s| is| are))\b|\b(?:deadline|every|each|weekly|"
    r"daily|always|never)\b|"
    r"^(?:let's|let’s|see you|talk|today is|i have "
    r"(?:some|a) (?:\w+ )?(?:question|trouble|problem|issue)|i (?:want|wanted|need|would like) to)\b|\b(?:talk "
    r"(?:to|with) you|chat with you|question|troubles?|issues|problems?|good news|excited|nervous|had "
    r"it|"
    r"went for a (?:run|walk|swim|ride)|restaurant|'s weather|work has started|you\b(?! and| know)|feel(?:s|"
    r"ing)?|recommend\w*|dreamt?|dreamed|slept|woke|sleep|felt|ate|cooked|watched|watching|netflix|(?:was|"
    r"had) (?:an? )?(?:so|really|awful|great|fun|tired|nice|terrible|boring|horrible|lovely|good|wonderful|"
    r"amazing)|read (?:about|an?)|saw a (?:video|meme|movie|film)|weather|rain(?:s|ing|ed)?|"
    r"sunny|talked about|discussed|asked you|told you|you said|what did|remember when|headache|hungover|"
    r"busy|i['’]ll (?:find|get|look|go look|try|start)|going to (?:find|get|look|try)|touch base|bought (?:milk|"
    r"bread|groceries)|homework)\b",
    re.IGNORECASE,
)
_PLAN_WORD = Expression(
    r"\b(?:will|'ll|going to|am|is|are|'m|'re|scheduled|planned|booked|fixed|set|starts?|begins?|next|"
    r"tomorrow)\b|’(?:ll|m|re)\b",
    re.IGNORECASE,
)
_STRONG = (
    r"(?:i|we|my [\w ]{2,20}|our [\w ]{2,20}) (?:just |finally |'ve |have |has )*(?:got (?:promoted|married|"
    r"engaged|divorced|accepted|hired|fired|laid off|the job|the keys|diagnosed)|gave birth|(?:was|were)"
    r" (?:born|promoted|laid off|diagnosed)|"
    r"passed (?:my|the|her|his) [\w ]{2,40}|signed the (?:lease|contract)|passed away|died|launched [\w "
    r"]{2,40}|adopted (?:a|an|two) \w+|bought (?:a|our first|my first) (?:house|flat|apartment|car|boat)"
    r")"
)


def only_a_day(text: str) -> bool:
    """Return whether a text says when and not what: "June 3rd, a week from today", "I will be out by the 29th"."""
    return _EVENT.search(text) is None and (names_no_matter(text) or not says_something(text))


def _dated(match: re.Match[str], scene: Scene) -> Iterable[Found]:  # noqa: ARG001
    text = scene.clause.text if first_day(scene.clause.text, scene.said) else scene.clause.whole
    if first_day(text, scene.said) is None or _TRIVIAL.search(text) or only_a_day(text):
        return
    if is_given_up(text, scene.clause.sentence, scene.said):
        text = scene.clause.whole
        if day_now(text, scene.said) is None:
            return
    past = _PAST.match(text) is not None or (_BEFELL.search(text) is not None and _SCHEDULED.search(text) is None)
    if not (past or _IS_ON.match(text) or _PLANNED.match(text) or _NOUN_FIRST.match(text)):
        named = first_day(text, scene.said)
        if named is None or not named.exact or not CALENDAR.search(text[named.start : named.stop]):
            return
        past = _PAST_TENSE.search(text) is not None
        if not (past or _SCHEDULED.search(text)) or _REPEATED.search(text):
            return
    if past and not PAST_DATED.search(text) and (_PLAN_WORD.search(text) or lies_ahead(text)):
        past = False
    past = (past or _is_over(text, scene)) and _CALLED_OFF.search(text) is None
    day = told_day(text, scene.said, past, scene.told_before)
    if day is None or is_due(text, day) or names_a_group(text, day) or is_weekly(text, day):
        return
    if not is_loose(text, day) and (day.day != scene.said or _OF_TODAY.search(text)):
        yield Found(event(_named_in(scene.clause, text), day.day.isoformat(), day.last), span=(0, len(text)))


def _is_over(text: str, scene: Scene) -> bool:
    """Return whether the verb beside the day of a text is of the past, and nothing says that it is planned."""
    day = first_day(text, scene.said)
    planned = PAST_DATED.search(text) is None and (_PLAN_WORD.search(text) or lies_ahead(text))
    return day is not None and is_over(text, day) is True and not planned


def _named_in(clause: Clause, text: str) -> str:
    """Return a text with what stands before it in its sentence, where what it tells of is named there and not in it."""
    before = clause.sentence[: max(clause.sentence.find(text), 0)]
    return before + text if _PRONOUN.search(text) and before.strip() else text


_PRONOUN = Expression(
    r"^(?:he|she|they|it)\b|\b(?:moved|pushed|booked|rebooked|rescheduled|changed|switched|postponed|put|set|got|shifted|"
    r"brought) (?:it|them) (?:to|for|on|off|back|until|till|forward)\b",
    re.IGNORECASE,
)
_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_CALLED_OFF = Expression(
    r"\b(?:cancel\w*|postpon\w+|called off|scrapped|moved|pushed|delayed|rescheduled|skipped|confirmed|agreed to|"
    r"accepted)\b"
    rf".{{0,40}}\b{_WEEKDAY}(?:['’]s)? (?:[\w-]+ ){{0,2}}?(?:{_NOUNS})\b|"
    rf"\b{_WEEKDAY}(?:['’]s)? (?:[\w-]+ ){{0,2}}?(?:{_NOUNS})\b.{{0,40}}"
    rf"\b(?:cancel\w*|postpon\w+|called off|scrapped)\b",
    re.IGNORECASE,
)
"""Names a planned thing by its weekday, and what became of the plan: "cancelled the Friday demo" is of the next."""
_PAST_TENSE = Expression(
    r"^(?:.{0,40}?, )?(?:(?:i|we|my \w+|our [\w ]{2,30}?|the [\w ]{2,40}?|they|he|she|someone|somebody|"
    r"(?-i:[A-Z])[\w.]+)(?:'ve| have| has| was| were)? )?"
    r"(?:\w+ly |just |also |both )*(?:\w{3,}ed|broke|went|came|got|had|took|gave|met|lost|won(?!['’]t)|left|began|"
    r"became|"
    r"built|caught|chose|drove|fell|"
    r"flew|found|hit|held|made|paid|ran|rose|sent|shut|sold|spoke|stole|struck|taught|tore|wrote|was|were)\b",
    re.IGNORECASE,
)
_SCHEDULED = Expression(
    r"\b(?:goes|go|going|is|are|'s|’s|'m|’m|'re|’re|will|'ll|’ll|have|has|'ve|starts?|ends?|begins?|lands?|"
    r"launches|ships|opens?|closes?|kicks? off|takes? "
    r"place|happens?|arrives?|leaves?|departs?|booked|scheduled|set|planned|turns?)\b",
    re.IGNORECASE,
)
_REPEATED = Expression(r"\b(?:expires?|valid|open|costs?|until|if|must|need|should|want)\b", re.IGNORECASE)
_OF_TODAY = Expression(
    r"\b(?:launched|released|shipped|deployed|went live|married|engaged|born|died|passed|graduated|got "
    r"promoted|was promoted|hired|fired|laid off|resigned|quit|signed|sold|adopted|diagnosed|won|crashed|"
    r"went down|outage|incident|"
    r"surgery|interview|appointment|exam|wedding|funeral|flight|moving|moved|accepted|rejected|broke|flooded|"
    r"stolen|hacked|birthday|anniversary|deadline|launch|release|first day|last day|job offer|first steps|"
    r"birth)\b",
    re.IGNORECASE,
)
"""What makes a day worth recalling that is called no more than today."""


def _strong(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    found = told_day(scene.clause.whole, scene.said, past=True)
    if found is None and SOME_TIME_AGO.search(scene.clause.whole):
        return
    day = found.day if found is not None else scene.said
    yield Found(event(scene.clause.whole, day.isoformat()), span=(0, max(match.end(), len(scene.clause.whole))))


_CUES = (
    "yesterday today tonight tomorrow tommorow tmrw last next this coming ago in on at since by monday "
    "tuesday wednesday thursday friday saturday sunday "
    "mon tue tues wed thu thurs fri sat sun january february march april may june july august september "
    "october november december jan feb mar apr jun jul aug sep sept oct nov dec st nd rd th"
)
RULES = (
    Rule("event_dated", "events", _CUES, pattern(r"^"), _dated),
    Rule("event_strong", "events",
        "promoted married engaged divorced accepted hired fired laid job keys birth born diagnosed passed "
        "signed died launched adopted bought", pattern(rf"^(?:and |so )?{_STRONG}"), _strong),
)  # fmt: skip
