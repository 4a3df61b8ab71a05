"""What the user tells to be known, and whom and what the user names."""

from __future__ import annotations

import re
from collections.abc import Iterable

from brain_core.extract.english.values import clean, knowledge
from brain_core.extract.language import Found, Rule, Scene


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)


_CONCRETE = re.compile(
    r"\d|`|\b(?:only|every|each|must|has to|have to|needs? to|requires?|without|until|unless|at least|"
    r"at most|after each|instead of|by default|means|"
    r"stands for|manually|first|otherwise|everyone|nobody|monthly|weekly|daily|nightly|two|three|four|"
    r"five|six|ten|automatically|called(?! off)|named|because|mostly|usually|(?:under|behind|next to|inside|in|"
    r"on|at) (?:the|our|my)|mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|saturdays?|sundays?)\b|"
    r"(?<=[a-z,] )[A-Z][\w-]+",
)
_STRICT = re.compile(
    r"\d|`|(?<=[a-z,] )[A-Z][\w-]+|\b(?:every|each|mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|"
    r"floor|room)\b"
)
_SUBJECTIVE = re.compile(
    r"\b(?:great|awful|nice|terrible|boring|horrible|lovely|beautiful|ugly|annoying|fun|funny|amazing|"
    r"awesome|weird|crazy|stupid|perfect|fine|good|bad|best|worst|delicious|cute|slow|broken|hot|cold|"
    r"rain\w*|sunny|today|"
    r"tonight|tomorrow|yesterday|right now|this (?:morning|week)|me|fault|joke|idea|question|problem|point|"
    r"feeling|weather|answer|error|result|output)\b",
    re.IGNORECASE,
)
_RELATION = (
    r"account manager|manager|boss|lead|tech lead|team lead|cto|ceo|cfo|coo|colleague|coworker|co-worker|"
    r"teammate|client|customer|supplier|vendor|partner|contact|contact person|lawyer|accountant|doctor|"
    r"gp|dentist|therapist|landlord|landlady|"
    r"teacher|tutor|coach|trainer|advisor|adviser|supervisor|mentor|intern|assistant|designer|developer|"
    r"architect|contractor|plumber|electrician|gardener|nanny|babysitter|vet|neighbou?r|friend|best friend|"
    r"flatmate|roommate|"
    r"provider|isp|host|hosting provider|bank|insurer|insurance|agency|competitor|subsidiary|parent company|"
    r"project|codename|product|product owner|scrum master|admin|sysadmin|dba|editor|publisher|agent|broker|"
    r"investor|sponsor|school|university|"
    r"clinic|gym|warehouse|landscaper|caterer|photographer|pharmacist|physio|midwife|hairdresser|mechanic|"
    r"cleaner|driver|pm|project manager|hr|recruiter|liaison|rep|consultant|auditor|notary|builder|professor|"
    r"headteacher|principal|"
    r"staging server|server|main repo|repo|repository|tool|crm|erp|wiki|tracker|dashboard|mascot|team|"
    r"office|branch|store|shop|supplier for [\w ]+|partner for [\w ]+"
)
_PROPER = r"(?-i:[A-Z][\w&’'.-]*(?: (?:[A-Z&][\w&’'.-]*|of|de|van|von)){0,3})"
_ORG_WORD = re.compile(
    r"provider|isp|host|bank|insur|agency|competitor|subsidiary|company|school|university|clinic|gym|supplier|"
    r"vendor|client|customer|partner|publisher|sponsor|shop|store|warehouse|office|branch|team",
    re.IGNORECASE,
)
_ORG_NAME = re.compile(
    r"\b(?:GmbH|Inc|Ltd|LLC|AG|Corp|Co|Physio|Bank|Labs?|Studios?|Systems|Group|University|School|Clinic|"
    r"Partners|Solutions|Services|Logistics|Foods|&)\b|&"
)
_NOT_PEOPLE = frozenset(
    [
        "this",
        "that",
        "it",
        "here",
        "there",
        "what",
        "he",
        "she",
        "they",
        "everything",
        "nothing",
        "today",
        "tomorrow",
        "my",
        "the",
        "our",
        "your",
        "its",
    ]
)


def _told(match: re.Match[str], scene: Scene) -> Iterable[Found]:  # noqa: ARG001
    yield Found(
        knowledge(scene.clause.whole, "procedure" if _HOW.match(scene.clause.whole) else "fact"),
        span=(0, len(scene.clause.whole)),
    )


_ENOUGH_OF_OURS = 6
_OURS = re.compile(
    r"\b(?:our|us|we|my)\b|\d|\b(?:two|three|four|five|six|ten|automatically|manually|only|every)\b", re.IGNORECASE
)
_OF_THE_TEXT = re.compile(
    r"(?:the|this|that|my|every|each|both) (?:\w+ ){0,3}?(?:code|functions?|tests?|errors?|movie|film|"
    r"books?|chapters?|paragraphs?|sentences?|tables?|images?|pictures?|answers?|questions?|loop|lists?|"
    r"arrays?|users?|models?|outputs?|results?|"
    r"trains?|triangles?|numbers?|words?|columns?|rows?|slides?|characters?|story|stories|games?|match|"
    r"plot|author|scenes?|episodes?|songs?|essay|texts?|exercises?|programs?|query|queries|class|method|"
    r"variables?|problem|task|program|app crashes|"
    r"cat|dog|kids?|children|hands?|head|heart|mind|life|day|night|fault|thing|point|way|only|best|worst|"
    r"same|first|second|third|last|next|other|one|two|part|reason|rest)\b",
    re.IGNORECASE,
)
_HOW = re.compile(
    r"to \w+ .{2,80}?,? (?:you|just|first|run|press|hold|use|go|open|click|turn|set|call|type|enter)\b", re.IGNORECASE
)
_MARKED = re.compile(
    r"^(?:(?:so|ok|oh|and|also|btw|hey)[, ]+)*(?:fyi|for your information|just so (?:you|we) know|so you "
    r"know|you should know|heads[- ]up|for anyone|for (?:context|background|reference)|note|worth knowing|"
    r"good to know|in case you|"
    r"keep in mind|important)\b",
    re.IGNORECASE,
)


def _stated(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read a statement on how something of the user's is, if it says so, or says something that can be looked up."""
    clause = scene.clause
    text = clause.whole
    if _OF_THE_TEXT.match(text):
        return
    if len(text.split()) < 4 or (_MARKED.match(clause.sentence) is None and not _weighty(text, match)):
        return
    yield from _told(match, scene)


def _weighty(text: str, match: re.Match[str]) -> bool:
    rest = text[match.end() :]
    concrete = _STRICT if text[:3].lower() == "my " else _CONCRETE
    if text[:4].lower() == "our " and len(text.split()) >= _ENOUGH_OF_OURS:
        return _SUBJECTIVE.search(text) is None
    return concrete.search(rest) is not None and _SUBJECTIVE.search(text) is None


def _procedure(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    yield from _told(match, scene)


def _asked(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    text = scene.clause.text
    if scene.clause.asked and len(text) > 3 and _SAYS_SOMETHING.search(text) and not _COMFORT.match(text):
        yield from _told(match, scene)


_SAYS_SOMETHING = re.compile(
    r"\d|:|\b(?:is|are|was|were|be|am|has|have|had|does|do|can|can't|will|won't|must|should|need\w*|want\w*|"
    r"live\w*|work\w*|like\w*|hate\w*|prefer\w*|use\w*|take\w*|go|goes|come\w*|start\w*|end\w*|get\w*|"
    r"keep\w*|say\w*|expire\w*|belong\w*|"
    r"cost\w*|open\w*|close\w*|eat\w*|drink\w*|speak\w*|own\w*|call\w*|run\w*|move\w*|stop\w*|pay\w*|leave\w*|"
    r"\w+ed|\w+es|only|always|never|no|not)\b|['’](?:s|m|re|ve|d|ll)\b",
    re.IGNORECASE,
)
_COMFORT = re.compile(
    r"(?:you(?:'re|’re| are)?|it(?:'s|’s| is) (?:never|ok|okay|not|always|all|about)|it takes|believe|"
    r"the (?:journey|experience)|even (?:the )?small|progress|every (?:small|little|step)|to\b|we(?:'re|"
    r"’re)? (?:all|in this)|life|everyone|nobody|there(?:'s|’s| is) (?:always|no))\b",
    re.IGNORECASE,
)


def _named(match: re.Match[str], scene: Scene) -> Iterable[Found]:  # noqa: ARG001
    name, role = match["name"].strip(" '’\""), match["role"]
    if re.search(r"\b(?:favou?rite|preferred|go-to|ideal|dream)\b", match["what"], re.IGNORECASE):
        return
    if name.split()[0].lower() in _NOT_PEOPLE or name.lower() == "i":
        return
    kind = "org" if _ORG_WORD.search(role) or _ORG_NAME.search(name) else "person"
    if re.search(r"project|codename|product\b|tool|crm|erp|wiki|tracker|dashboard|server|mascot", role, re.IGNORECASE):
        kind = "topic"
    if re.search(r"\brepo", role, re.IGNORECASE):
        kind = "repo"
    yield Found({"kind": kind, "canonical": name, "attrs": {"role": clean(match["what"])}})


def _called(match: re.Match[str], scene: Scene) -> Iterable[Found]:  # noqa: ARG001
    yield Found({"kind": "topic", "canonical": match["name"].strip(" '’\"“”"), "attrs": {"role": clean(match["what"])}})


_VERBS = (
    r"is|are|was|lives?|runs?|needs?|requires?|expires?|takes?|uses?|works?|has|have|goes|go|costs?|opens?|"
    r"closes?|belongs?|listens?|starts?|ends?|must|can only|can't|cannot|won't|only|always|never|means?|"
    r"sits?|stays?|comes?|"
    r"resets?|renews?|happens?|contains?|holds?|gets?|stops?|fails?|breaks?|depends?|returns?|expects?|"
    r"accepts?|supports?|reports?|ships?|publishes|syncs?|refreshes|rotates?|keeps?|moved|changed|charges?|"
    r"allows?|stands for|points?|reads?|writes?|leads?|covers?|serves?"
)


NAMES = (
    Rule("named_is_our", "entities", "is's is our my the are", _pattern(
        rf"^(?P<name>{_PROPER})(?:'s|’s| is| are| will be| has become)(?: now)? (?P<what>(?:our|my|the)"
        rf"(?: new| main| current| only| old)? (?:[\w'’-]+ ){{0,3}}?(?P<role>{_RELATION})\b.{{0,60}})"), _named),
    Rule("colleague", "entities", "colleague boss manager friend coworker teammate neighbour neighbor landlord",
        re.compile(
        r"^(?:My|my|Our|our) (?P<what>(?:[\w-]+ )?(?P<role>colleague|boss|manager|co-?worker|teammate|"
        r"team lead|tech lead|supervisor|landlord|landlady|neighbou?r|therapist|accountant|lawyer|doctor|"
        rf"tutor|coach|assistant|friend)),? (?P<name>{_PROPER}),? (?:handles|runs|is|does|takes|leads|manages|"
        r"lives|owns|works|looks after|can|will|has|who)\b"), _named),
    Rule("in_charge", "entities", "handles runs manages leads owns care after charge responsible", re.compile(
        r"^(?P<name>[A-Z][\w'’-]+ (?:(?:de|van|von|da) )?[A-Z][\w'’-]+) (?P<what>(?:(?P<role>handles|runs|"
        r"manages|leads|owns|does|takes care of|looks after|is in charge of|is responsible for) (?:our|"
        r"my|the|all) .{2,60}))"), _named),
    Rule("we_are_called", "entities", "called", re.compile(
        rf"^(?:We['’]re|we['’]re|We are|we are) (?P<what>called) (?P<name>{_PROPER})"), _called),
    Rule("our_is_named", "entities", _RELATION.replace("|", " ").replace("?", "") + " name neighbor neighbour",
        _pattern(
        rf"^(?:our|my) (?P<what>(?:[\w'’-]+ ){{0,3}}?(?P<role>{_RELATION}))(?:'s name)?(?:'s|’s| is|,| "
        rf"is called| is named)(?: now)? (?:called |named )?(?P<name>{_PROPER})(?=$|[,.;(]| (?:and|is|from|"
        r"at|who|handles|said|wants|will)\b)"), _named),
    Rule("project_called", "entities", "called named codename codenamed", _pattern(
        r"^(?:(?:i|we)(?:'re|’re| are|'m)? ?\w* ?(?:on|building|developing|have|run)? ?)?(?:our|my|the|"
        r"a|this)(?: new| internal| side)? (?P<what>(?:[\w-]+ ){0,2}?(?:project|product|app|tool|team|"
        r"company|startup|repo|service|band|boat|store|shop|podcast|blog|newsletter|game))(?:'s| is|,)"
        rf"? (?:is )?(?:code-?named|called|named) (?P<name>[\"“']?{_PROPER}[\"”']?)"), _called),
)  # fmt: skip

RULES = (
    Rule("asked_to_remember", "knowledge", "", _pattern(r"^"), _asked),
    Rule("procedure", "knowledge", "to if when", _pattern(
        r"^(?:if|when|whenever) (?:the|our) [\w -]{2,60}, (?:you (?:have to|need to|must|can|should)|just|"
        r"unplug|press|restart|hold|reboot|turn|switch|call|use|run)\b .{5,300}|^(?:if you want |in order "
        r")?to (?!be\b|me\b|my\b|your\b|him|her|them|be honest|sum up)\w+ .{3,100}?,? (?:you (?:have to|"
        r"need to|must|first|just|hold|press|run|go|set|turn|open|use|can only|should)|one (?:has to|must)"
        r"|first|always|just|hold|press|run)\b .{5,400}"), _procedure),
    Rule("in_our_team", "knowledge", "in at on here for means", _pattern(
        r"^(?:in|at|on|for|with) (?:our|my) (?:team|company|office|project|repo|codebase|firm|school|department|"
        r"house|family|lab|org|setup|system|building|street|branch|shop|practice|clinic)\b,? (?P<x>.{8,400})"),
            _procedure),
    Rule("stated_bare", "knowledge",
        "need needs require requires take takes cost costs must expire expires open opens close closes "
        "deploys runs restarts go goes live lives", _pattern(
        r"^(?!(?:i|you|we|he|she|it|they|this|that|there|these|those|what|who|how|if|let|please|a|an|the|"
        r"my|our|your|and|but|so|it's|things|people|everything|nothing|some|women|men|humans|animals)\b)"
        r"(?:[\w.,'’/-]+ ){1,6}?(?:needs?|requires?|takes?|costs?|must|expires?|opens?|closes?|deploys|"
        r"runs|restarts|goes?|lives?) .{5,300}"),
        lambda m, s: _told(m, s) if _OURS.search(m[0]) and not _SUBJECTIVE.search(m[0]) and not _OF_THE_TEXT.match(
            m[0]) else ()),
    Rule("is_called", "knowledge", "call means stands short refers term", _pattern(
        r"^[\"“']?[\w -]{2,40}[\"”']? (?:is what (?:we|i) call|means (?!a (?:lot|great|ton)|so|the world|"
        r"everything|much|nothing|well|more|something)|stands for (?!the journey)|refers to|is short for|"
        r"is our (?:word|name|term) for) .{4,200}"), lambda m, s: _told(m, s) if not re.match(
        r"(?:it|this|that|which|what|he|she|nothing|i|your?|the (?:woman|man))\b", m[0], re.IGNORECASE) else ()),
    Rule("stated", "knowledge", "", _pattern(
        r"^(?:the|our|my|all|every|each|both|one of (?:our|the)|(?!There|We|This|That|He|She|It|They|You|"
        rf"What|If|When|In|On|At|For|To|But|And|So|Here|These|Those|Yes|No|Then|I)(?-i:[A-Z]{2,}\w*|[A-Z][a-z]+[A"
        rf"-Z]\w*|[A-Z][\w-]+ [A-Z][\w-]+|[A-Z][a-z]+day)(?:'s)?) (?:[\w'’./()#&+-]+,? ){{0,9}}?(?:{_VERBS}|"
        r"'s)\b[ :]"), _stated),
    Rule("marked", "knowledge", "", _pattern(
        r"^(?!(?:i|i'm|i've|you|we're|he|she|can|could|what|how|please)\b).{12,400}"), lambda m, s: _told(m,
            s) if _MARKED.match(s.clause.sentence) and s.clause.sentence.startswith(s.clause.sentence[: 3]) else ()),
)  # fmt: skip
