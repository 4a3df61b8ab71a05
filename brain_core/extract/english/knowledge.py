"""What the user tells to be known."""

from __future__ import annotations

import re
from collections.abc import Iterable

from brain_core.extract.english.values import knowledge
from brain_core.extract.english.vocabulary import pattern
from brain_core.extract.language import Found, Rule, Scene
from brain_core.text.expression import Expression

_CONCRETE = Expression(
    r"\d|`|\b(?:only|every|each|must|has to|have to|needs? to|requires?|without|until|unless|at least|"
    r"at most|after each|instead of|by default|means|"
    r"stands for|manually|first|otherwise|everyone|nobody|monthly|weekly|daily|nightly|two|three|four|"
    r"five|six|ten|automatically|called(?! off)|named|because|mostly|usually|(?:under|behind|next to|inside|in|"
    r"on|at) (?:the|our|my)|mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|saturdays?|sundays?)\b|"
    r"(?<=[a-z,] )[A-Z][\w-]+",
)
_STRICT = Expression(
    r"\d|`|(?<=[a-z,] )[A-Z][\w-]+|\b(?:every|each|mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|"
    r"floor|room)\b"
)
SUBJECTIVE = Expression(
    r"\b(?:great|awful|nice|terrible|boring|horrible|lovely|beautiful|ugly|annoying|fun|funny|amazing|"
    r"awesome|weird|crazy|stupid|perfect|fine|good|bad|best|worst|delicious|cute|slow|broken|hot|cold|"
    r"rain\w*|sunny|today|"
    r"tonight|tomorrow|yesterday|right now|this (?:morning|week)|me|fault|joke|idea|question|problem|point|"
    r"feeling|weather|answer|error|result|output|exactly|definitely|absolutely|massive|helpful|solid|locked in|"
    r"on hold|"
    r"noted|online|still (?:\w+ing|on)|(?:the|my|our) (?:current )?focus)\b",
    re.IGNORECASE,
)


def _told(match: re.Match[str], scene: Scene) -> Iterable[Found]:  # noqa: ARG001
    yield Found(
        knowledge(scene.clause.whole, "procedure" if _HOW.match(scene.clause.whole) else "fact"),
        span=(0, len(scene.clause.whole)),
    )


_ENOUGH_OF_OURS = 6
_FEWEST = 4
OF_THE_TEXT = Expression(
    r"(?:the|this|that|my|every|each|both) (?!(?:door|gate|alarm|access|entry|zip|post|postal|promo|booking|key|"
    r"pin|lock) )(?:\w+ )?(?:code|functions?|tests?|errors?|movie|film|"
    r"books?|chapters?|paragraphs?|sentences?|tables?|images?|pictures?|answers?|questions?|loop|lists?|"
    r"arrays?|users?|models?|outputs?|results?|"
    r"trains?|triangles?|numbers?|words?|columns?|rows?|slides?|characters?|story|stories|games?|match|"
    r"plot|author|scenes?|episodes?|songs?|essay|texts?|exercises?|programs?|query|queries|class|method|"
    r"variables?|problem|task|program|app crashes|"
    r"cat|dog|kids?|children|hands?|head|heart|mind|life|day|night|fault|thing|point|way|only|best|worst|"
    r"same|first|second|third|last|next|other|one|two|part|reason|rest)\b",
    re.IGNORECASE,
)
_HOW = Expression(
    r"to \w+ .{2,80}?,? (?:you|just|first|run|press|hold|use|go|open|click|turn|set|call|type|enter)\b", re.IGNORECASE
)
_MARKED = Expression(
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
    if OF_THE_TEXT.match(text) or _SOMEBODY.fullmatch(text) or (_IS_EVENT.search(text) and not _REPEATED.search(text)):
        return
    if len(text.split()) < 4 or (_MARKED.match(clause.sentence) is None and not _weighty(text, match)):
        return
    yield from _told(match, scene)


_FOR_NOW = r"until (?:\d|noon|one|two|three|four|five|six|seven|eight|nine|ten|then|later|he|she)\b"
_IS_EVENT = Expression(
    r"\b(?:yesterday|tomorrow|tonight|last (?:night|week|month|year|\w+day)|next (?:week|month|\w+day)|\w+ ago|"
    r"this (?:morning|week|afternoon))\b|" + _FOR_NOW,
    re.IGNORECASE,
)
_REPEATED = Expression(
    r"\b(?:every|each|always|only|(?!" + _FOR_NOW + r")until|expires?|changed)\b|\b\w+days\b",
    re.IGNORECASE,
)


def _weighty(text: str, match: re.Match[str]) -> bool:
    rest = text[match.end() :]
    concrete = _STRICT if text[:3].lower() == "my " else _CONCRETE
    if text[:4].lower() == "our " and len(text.split()) >= _ENOUGH_OF_OURS:
        return SUBJECTIVE.search(text) is None
    return concrete.search(rest) is not None and SUBJECTIVE.search(text) is None


def _procedure(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    yield from _told(match, scene)


def _asked(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    text = scene.clause.text
    if (
        scene.clause.asked
        and not _WHETHER_REMEMBERED.match(scene.clause.sentence)
        and len(text) > 3
        and _SAYS_SOMETHING.search(text)
        and not _COMFORT.match(text)
        and not _TO_A_FRIEND.search(text)
        and not _TELLS_NOTHING.fullmatch(text)
    ):
        yield from _told(match, scene)


_WHETHER_REMEMBERED = Expression(r"(?:(?:and|but|so|do you|you),? )*remember\b[^?]*\?\W*$", re.IGNORECASE)
"""Asks whether it is remembered: "Remember the recipe you gave me?"."""
_SAYS_SOMETHING = Expression(
    r"\d|:|\b(?:is|are|was|were|be|am|has|have|had|does|do|can|can't|will|won't|must|should|need\w*|want\w*|"
    r"live\w*|work\w*|like\w*|hate\w*|prefer\w*|use\w*|take\w*|go|goes|come\w*|start\w*|end\w*|get\w*|"
    r"keep\w*|say\w*|expire\w*|belong\w*|"
    r"cost\w*|open\w*|close\w*|eat\w*|drink\w*|speak\w*|own\w*|call\w*|run\w*|move\w*|stop\w*|pay\w*|leave\w*|"
    r"\w+ed|\w+es|only|always|never|no|not)\b|['’](?:s|m|re|ve|d|ll)\b",
    re.IGNORECASE,
)
_TELLS_NOTHING = Expression(
    r"(?:(?:my|our|your|his|her|their)|(?-i:[A-Z])\w+['’]s)(?: [\w-]+(?:['’]s)?){0,3} (?:birthday|anniversary|name|"
    r"address|number|e-?mail|age|job|party|wedding|appointment|preferences?|allerg(?:y|ies)|diet|favou?rites?)",
    re.IGNORECASE,
)
"""Names what somebody has and says nothing of it: "don't forget my wife's birthday"."""
_TO_A_FRIEND = Expression(
    r"\byourself\b|\bif you (?:need|want) to (?:chat|talk)|\b(?:forgiveness|healing|growth|recovery) is\b|"
    r"\bi['’]m (?:always |right )*here\b|\b(?:we|i) (?:talked|spoke|chatted|was talking|were talking) about\b",
    re.IGNORECASE,
)
"""Is said to somebody, or recalls a talk: nothing to hold."""
_COMFORT = Expression(
    r"(?:you(?:'re|’re| are)?|it(?:'s|’s| is) (?:never|ok|okay|not|always|all|about)|it takes|believe|"
    r"the (?:journey|experience)|even (?:the )?small|progress|every (?:small|little|step)|to\b|we(?:'re|"
    r"’re)? (?:all|in this)|life|everyone|nobody|there(?:'s|’s| is) (?:always|no))\b",
    re.IGNORECASE,
)


_VERBS = (
    r"is|are|was|lives?|runs?|needs?|requires?|expires?|takes?|uses?|works?|has|have|goes|go|costs?|opens?|"
    r"closes?|belongs?|listens?|starts?|ends?|must|can only|can't|cannot|won't|only|always|never|means?|"
    r"sits?|stays?|comes?|"
    r"resets?|renews?|happens?|contains?|holds?|gets?|stops?|fails?|breaks?|depends?|returns?|expects?|"
    r"accepts?|supports?|reports?|ships?|publishes|syncs?|refreshes|rotates?|keeps?|moved|changed|charges?|"
    r"allows?|stands for|points?|reads?|writes?|leads?|covers?|serves?"
)
_SOMEBODY = pattern(
    rf"(?:my|our) (?:(?!(?:{_VERBS}|called|named|about|at|for|from|in|of|on|to|with)\b)[a-z]+ ){{1,2}}"
    r"(?-i:[A-Z])[\w'’-]+(?: (?-i:[A-Z])[\w'’-]+)?"
)
"""Names a person, of whom a relative clause tells something that stands outside."""


def _asked_around(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read what stands before "remember that", a sentence of its own, as the thing to be remembered."""
    if len(scene.before.split()) > 2 and not scene.before.endswith("?"):
        yield Found(knowledge(scene.before), span=match.span())


def _after_request(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    if _REQUEST.fullmatch(scene.before) and len(scene.clause.text) > 3:
        yield from _told(match, scene)


_REQUEST = Expression(
    r"(?:(?:please|pls|and|also|so|can you|could you|just|do|i need you to|i want you to|i'd like you to) "
    r")*(?:remember|keep|note|save|store|"
    r"write|jot|log|file|don'?t forget|bear|make a note(?: of)?|take note(?: of)?|memori[sz]e|record)(?: (?:that|"
    r"this|these|it|"
    r"one|something|the following))?(?: (?:down|in mind|away|please|pls|for .{2,40}|going forward|somewhere(?: "
    r"safe)?|thanks|"
    r"too|in your \w+|now)){0,4}",
    re.IGNORECASE,
)

RULES = (
    Rule("remember_that", "knowledge",
        "remember keep note save store write jot log file forget bear memorise memorize record", Expression(
        r"^(?=.*\b(?:that|this|these|it)\b)" + _REQUEST.pattern + r"$", re.IGNORECASE), _asked_around, insists=True),
    Rule("after_request", "knowledge", "", pattern(r"^"), _after_request),
    Rule("asked_to_remember", "knowledge", "", pattern(r"^"), _asked),
    Rule("procedure", "knowledge", "to if when", pattern(
        r"^(?:if|when|whenever) (?:the|our) [\w -]{2,60}, (?:you (?:have to|need to|must|can|should)|just|"
        r"unplug|press|restart|hold|reboot|turn|switch|call|use|run)\b .{5,300}|^(?:if you want |in order "
        r")?to (?!be\b|me\b|my\b|your\b|him|her|them|be honest|sum up)\w+ .{3,100}?,? (?:you (?:have to|"
        r"need to|must|first|just|hold|press|run|go|set|turn|open|use|can only|should)|one (?:has to|must)"
        r"|first|always|just|hold|press|run)\b .{5,400}"), _procedure),
    Rule("in_our_team", "knowledge", "in at on here for means", pattern(
        r"^(?:in|at|on|for|with) (?:our|my) (?:\w+(?=,)|parish|church|village|club|council|court|district|band|"
        r"ward|unit|region|town|class|gym|team|company|office|project|repo|codebase|firm|school|department|"
        r"house|family|lab|org|setup|system|building|street|branch|shop|practice|clinic)\b,? (?P<x>.{8,400})"),
            _procedure),
    Rule("is_called", "knowledge", "call means stands short refers term", pattern(
        r"^[\"“']?[\w -]{2,40}[\"”']? (?:is what (?:we|i) call|means (?!a (?:lot|great|ton)|so|the world|"
        r"everything|much|nothing|well|more|something)|stands for (?!the journey)|refers to|is short for|"
        r"is our (?:word|name|term) for) .{4,200}"), lambda m, s: _told(m, s) if not re.match(
        r"(?:it|this|that|which|what|he|she|nothing|i|your?|the (?:woman|man))\b", m[0], re.IGNORECASE) else ()),
    Rule("stated", "knowledge", "", pattern(
        r"^(?:the|our|my|all|every|each|both|one of (?:our|the)|(?!There|We|This|That|He|"
        rf"She|It|They|You|What|If|When|In|On|At|For|To|But|And|So|Here|These|Those|Yes|No|Then|I)(?-i:[A-Z]{2,}\w*|[A-Z][a-z]+[A"
        rf"-Z]\w*|[A-Z][\w-]+ [A-Z][\w-]+|[A-Z][a-z]+day)(?:'s)?) (?:[\w'’./()#&+-]+,? ){{0,9}}?(?:{_VERBS}|"
        r"(?!this|its|was|has|plus|less|always|looks|seems|feels|sounds|appears|smells|tastes|"
        r"says)(?-i:[a-z]{2,}[a-z]s)(?= [^(]|$)|'s)\b(?:[ :]|$)"), _stated, general=True),
    Rule("routine", "knowledge", "every on a", pattern(
        r"^(?:i|we)(?: also| usually| always| mostly| both| all)? (?!(?:need|want|hope|wish|think|feel|guess|know|mean|"
        r"see|say|hear|love|like|hate|enjoy|prefer|do(?! (?:the|my|our) )|"
        r"was|were|am|are|have to|had|did|went|would|could|should|might|"
        r"will|can|tried|try|get|got|got to|plan|worry|wonder|forget|remember|learn|struggle)\b)(?!\w+ed\b)[a-z]+\b"
        r"(?! to have)[^?]{0,80}?\b(?:every (?:other |second )?(?:(?:sun|mon|tues|wednes|thurs|fri|satur)day|day|"
        r"morning|afternoon|evening|night|week|weekday|weekend|month|year|spring|summer|autumn|fall|winter)|"
        r"on (?:sun|mon|tues|wednes|thurs|fri|satur)days|(?:once|twice|three times|four times) a (?:week|month|year|"
        r"day))\b[^?]*$"), _told, general=True),
    Rule("not_that", "knowledge", "not", pattern(
        r"^(?:no,? |that's wrong,? |wrong,? |actually,? )*(?:it(?:'s|’s| is| has| goes| takes| returns)|"
        r"they(?:'re| are)|our|the|that(?:'s| is)) "
        r"?.{2,100}?,? (?:and )?not (?!just|only|sure|that|yet|at all|really|to|even|a (?:big|huge))[\w'’.,:/ "
        r"-]{1,50}$"),
        lambda m, s: _told(m, s) if len(m[0].split()) > _FEWEST and not SUBJECTIVE.search(m[0]) else ()),
    Rule("set_right", "knowledge", "wrong off incorrect right outdated mixed backwards mistaken mistake", pattern(
        r"^(?:no,? )*(?:you(?:'ve|’ve| have|'re| keep)?|that|that's|your|the|this|small correction|"
        r"correction)\b[^:;]{0,50}?\b(?:wrong|off|"
        r"incorrect|not (?:quite )?right|outdated|mixed up|backwards|mistaken|a mistake)[:;,] (?P<rest>.{8,300})"),
        lambda m, s: [Found(knowledge(m["rest"], "correction"))] if s.clause.text else ()),
    Rule("we_do", "knowledge",
        "we", pattern(
            r"^(?:(?:at work|here|internally|at home|in general|historically|by convention),? )?we (?:always |"
            r"never |only |usually |now |"
            r"all |still |currently |generally )*(?:keep|store|use|deploy|release|ship|host|run|call|bill|charge|"
            r"pay|close|open|invoice|log|"
            r"track|tag|name|version|back up|rotate|freeze|count|measure|label|number|define|treat|meet|order|"
            r"park|lock|sort|recycle|"
            r"archive|sign|review|merge|test|build|publish|refer to|abbreviate|say|mean) (?!it\b|this|that|them|"
            r"you).{6,300}"),
        lambda m, s: _told(m, s) if _CONCRETE.search(m[0]) and not SUBJECTIVE.search(m[0]) else ()),
    Rule("there_is", "knowledge", "there's there", pattern(
        r"^there(?:'s|’s| is| are) (?:an? |two |three |no |only |a second |another )(?!way|reason|chance|need|"
        r"point|time|lot|few|problem|issue)"
        r".{4,120}? (?:in|at|under|behind|on|next to|inside|above|below|near) (?:the|our|my) .{3,120}"),
        lambda m, s: _told(m, s) if not SUBJECTIVE.search(m[0]) else ()),
    Rule("equals", "knowledge", "", pattern(
        r"^(?!(?:let|var|const|int|x|y|a|b|i|n)\b)[A-Za-z][\w'’ -]{2,40} (?:=|->|"
        r"→) [\w'’./:@+ -]{2,80}$"), _procedure),
    Rule("when_i_say", "knowledge", "mean means", pattern(
        r"^(?:when|if|whenever) (?:i|we) (?:say|write|call) .{2,60}?,? (?:i|we|it) means? (?!it\b|business\b).{3,200}"),
        _procedure, insists=True),
    Rule("we_mean", "knowledge", "mean say means call", pattern(
        r"^(?:by .{2,40}? (?:i|we) mean|when (?:people here|they) (?:say|write|call) .{2,60}?,? (?:i|we|they|"
        r"it) means?) .{3,200}"),
        _procedure),
)  # fmt: skip
