"""Whether an English clause plainly tells a fact, whatever it is of: somebody or something, a verb, something definite.

For sentences that surely teach something of no type in particular, and for what rules leave of one.
"""

from __future__ import annotations

from dataclasses import replace

from brain_core.extract.dates import first_day
from brain_core.extract.english.clauses import skip_leads
from brain_core.extract.english.knowledge import OF_THE_TEXT, SUBJECTIVE
from brain_core.extract.english.proposals import PROPOSALS
from brain_core.extract.english.tenses import PAST_VERB
from brain_core.extract.english.values import clean, knowledge
from brain_core.extract.english.vocabulary import pattern
from brain_core.extract.language import MASK, Found, Scene
from brain_core.text.expression import Expression

_LONGEST = 30  # words; what is longer tells more than one thing
_NUMBER = (
    r"(?:\d[\d.,:]*|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|sixty|seventy|"
    r"eighty|ninety)"
)
_OF_THE_MIND = (
    r"wants?|wanted|wanna|needs?|needed|hop(?:e|es|ed)|wish\w*|thinks?|thought|feels?|felt|guess|know|knew|mean|meant|"
    r"say|said|hear|heard|lov(?:e|es|ed)|lik(?:e|es|ed)|hat(?:e|es|ed)|enjoy\w*|prefer\w*|would|could|should|might|may|"
    r"will|shall|can|cannot|must|try|tried|plan|planned|worr\w+|wonder\w*|forgot|remember\w*|believe\w*|suppose\w*|"
    r"agree\w*|understand|understood|appreciate\w*|look|looked|seem\w*|decided|consider\w*|not|never|just|so|really|"
    r"very|too|about|talk\w*|ask\w*|told|tell|mention\w*|struggl\w+|focus\w*|start|continu\w+|see (?:that|what|how|why|"
    r"it|the|your)|read (?:it|this|that|your|the)|do|did|has|had|\w+n['’]t"
)
"""What somebody wants, thinks, did or will do has types and rules of its own."""
_SELF = (
    r"(?:i|we)(?: (?:now|also|only|usually|always|mostly|both|all))* "
    rf"(?!(?:{_OF_THE_MIND}|am|are|was|were)\b)(?=[a-z]+\b)|"
    r"(?:i|we)(?:['’](?:m|re)| am| are| were| was)(?: (?:now|both|all))* (?=(?:on|at|in|from|with|an?|the|one of|"
    r"open|closed|shut|off from|"
    rf"off until|off till|{_NUMBER})\b)|"
    r"(?P<plans>(?:i|we)(?:['’](?:m|re)| am| are) (?!going\b|trying\b|looking\b|thinking\b|hoping\b)[a-z]+ing\b)"
)
_VERB = (
    r"(?:is|are|was|were|has|have|had|will be|won['’]t|can['’]t|gets?|got|does|goes|[a-z]{2,}[a-rt-z]s|[a-z]{3,}sses|"
    r"[a-z]{3,}ed|went|came|took|gave|left|sold|bought|began|became|built|made|ran|sent|taught|paid|wrote|won|lost)"
)
_WORD = r"(?!(?:that|which|who|if|when|what|how|and|or|but)\b)[\w'’.&-]+"
_NO_NAME = (
    r"I|We|You|He|She|It|They|This|That|These|Those|There|Here|What|Who|When|Where|Why|How|If|So|But|And|Or|Not|No|Yes|"
    r"Then|In|On|At|For|To|From|With|As|By|Let|Please|Also|Just|Maybe|Perhaps|Since|Because|While|After|Before|Done|"
    r"Everything|Nothing|Something|Someone|Everyone|People|Your|His|Her|Their|Its|All|Some|Any|Each|Every|Both|One|"
    r"Last|"
    r"Next"
)
_NAMED = (
    rf"(?:(?:my|our|the) {_WORD}(?: {_WORD}){{0,4}}?|(?-i:(?!(?:{_NO_NAME})\b)[A-Z])[\w'’.-]+(?:(?: "
    rf"and)? {_WORD}){{0,3}}?)"
    rf"(?:['’]s| (?:also |now |only |always |usually )?(?={_VERB}\b))"
)
_POINTING = (
    r"(?:he|she|they|(?:his|her|their) [\w'’-]+)"
    r"(?:['’](?:s|re|ve|ll)| (?:also |now |only |always )?(?=[a-z]+\b))"
)
_PLAIN = pattern(rf"(?:(?P<points>{_POINTING})|{_SELF}|{_NAMED}) ?(?P<rest>.+)$")
_MONTH = (
    r"january|february|april|june|july|august|september|october|november|december|easter|christmas|"
    r"(?-i:March|May|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)"
)
_COUNTED = pattern(rf"\b(?:{_NUMBER}|hundred|thousand|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|{_MONTH})\b")
_DEFINITE = pattern(
    rf"{_COUNTED.pattern}|(?<=[^.!?] )(?-i:(?!I\b)[A-Z])[\w'’-]*|\b(?:every|each|weekdays?|weekends?|(?:once|twice) a|"
    r"called|named)\b"
)
"""A number, a name, or when: what makes a fact of a statement."""
_OF_THE_MOMENT = pattern(
    r"\b(?:today|tonight|used to|right now|at the moment|this (?:morning|evening|afternoon|time|code|error|bug|problem|"
    r"chat)|"
    r"just now|for now|already|finally|anyway|you|your|yours|let['’]s|please|i (?:think|guess|suppose|hope|mean)|wait|"
    r"above|below|screens?|button|errors?|page \d)\b|[?!]|(?:^| )['‘]"
)
_IN_CHARGE = pattern(
    r"(?-i:[A-Z])[\w'’-]+(?: (?-i:[A-Z])[\w'’-]+)? (?:also |now )?(?:leads|runs|heads|manages|owns|handles|looks after|"
    r"takes care of|is in charge of|is responsible for) (?:the|our|my|all) [\w'’& -]+[.!]*$"
)
"""Who answers for what is definite without any number: "Ines runs the workshop"."""
_IS = Expression(r"\b(?:is|are|am)\b|['’](?:s|re|m)\b")


def told_plainly(scene: Scene) -> Found | None:
    """Return what a clause plainly tells, None if it does not: an event where its day is named, else knowledge.

    With the sentence around it where it tells by a pronoun of whom that names.
    """
    sentence = scene.clause.text
    text = sentence[skip_leads(sentence, 0) :]
    match = _PLAIN.match(text)
    if match is None or MASK in text or len(text.split()) > _LONGEST or OF_THE_TEXT.match(text):
        return None
    if SUBJECTIVE.search(text) or _OF_THE_MOMENT.search(text):
        return None
    if not _is_definite(text, match.start("rest")) and _IN_CHARGE.match(text) is None:
        return None
    if match["points"]:
        whole = scene.clause.sentence
        return Found(knowledge(clean(whole))) if whole.strip() != sentence.strip() else None
    day = first_day(text, scene.said)
    event = PROPOSALS["events"](scene) if day is not None and day.exact else None
    if event is None:
        return None if match["plans"] else PROPOSALS["knowledge"](scene)
    return replace(event, type=event.type or "events")


def _is_definite(text: str, start: int) -> bool:
    """Return whether a text names something definite from `start` on; of what is over, how much of it or when."""
    past = PAST_VERB.search(text)
    over = past is not None and _IS.search(text, 0, past.start()) is None
    return (_COUNTED if over else _DEFINITE).search(text, start) is not None
