"""Likes and dislikes in general frames: what is liked, avoided, chosen over something else."""

from __future__ import annotations

import re
from collections.abc import Iterable

from brain_core.extract.english.values import preference
from brain_core.extract.english.vocabulary import pattern
from brain_core.extract.language import Found, Rule, Scene
from brain_core.text.expression import Expression

_NOT_LASTING = Expression(
    r"\b(?:today|tonight|right now|this (?:song|one|movie|film|bug|code|error|week|morning|chat|idea|version|answer)|"
    r"yesterday|lately|at the moment|mess|bad|good|terrible|horrible|sad|happy|lucky|nice|awful|people|changed|"
    r"different|better|worse|lost) ?(?:person|guy|girl)?\b|\b(?:it|this|that|him|her|them|you|these|those)$",
    re.IGNORECASE,
)


def _leaning(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    text = scene.clause.text
    if not _NOT_LASTING.search(match[0]):
        groups = match.groupdict()
        named = next((part for name, part in groups.items() if part), text)
        yield Found(preference(named, text), span=(match.start(), len(text)))


_I = r"(?:(?:personally|honestly|generally|usually|sadly|really|always|tbh),? )*(?:i|we|the \w+ and i|my \w+ and i)"
_I_AM = (
    r"(?:(?:i|we)(?:'m|’m|'re|’re| am| are|'ve been|’ve been| have been|'ve always been|’ve always been|"
    r" have always been| was always)|been|always been|im)"
)
_MUCH = (
    r"(?:(?:really|very much|much|way|far|definitely|just|more|rather|quite|such|still|always|kind of|a bit|"
    r"not|never|so) )*"
)
RULES = (
    Rule("fan_of", "preferences", "fan sucker into keen fond partial obsessed big hooked addicted wild mad crazy "
        "team hater", pattern(
        rf"^(?:{_I_AM} )?{_MUCH}(?:an? )?(?:(?:big|huge|great|massive|real|total|lifelong|major|enormous) "
        rf")?(?:fan of|sucker "
        r"for|keen on|fond of|partial to|obsessed with|big on|hooked on|addicted to|wild about|mad about|crazy about) "
        r"(?P<value>(?!it\b|this\b|that\b|him|her|them|you).{2,120})"), _leaning),
    Rule("sort_of_person", "preferences",
        "person guy gal girl lover drinker eater household family hater type man woman fiend addict snob bird owl "
        "sleeper "
        "traveller traveler walker reader listener learner",
        pattern(
            rf"^.{{0,40}}?\b{_I_AM} {_MUCH}(?:of )?(?:an? )?(?P<value>[\w'’-]+(?: [\w'’-]+){{0,2}}?[ -](?:person|"
            rf"guy|gal|girl|lover|"
            r"drinker|eater|household|hater|fiend|addict|snob|bird|owl|sleeper|learner|kind of (?:person|guy|"
            r"girl)))\b.{0,80}"),
        _leaning),
    Rule("beats", "preferences", "beat beats over any trump trumps wins win way", pattern(
        r"^(?:and )?(?!you|he|she|they|it\b|that|this|nobody)(?P<value>[\w'’ -]{2,50}? (?:beats?|trumps?|wins? "
        r"over|over) "
        r"[\w'’ -]{2,50}?),? (?:for me|for us|any day|every time|hands down|always|in my book|all the way)\b.{0,60}|"
        rf"^{_I}(?:'d|’d| would)?(?: always| rather| sooner)? (?:take|pick|choose|have|go for) (?P<b>.{{2,60}} "
        rf"over .{{2,60}})"),
        _leaning),
    Rule("can_not_take", "preferences",
        "can't cannot stand bear eat drink handle tolerate abide stomach cant do don't avoid steer clear away "
        "hate never refuse",
        pattern(
            rf"^{_I} (?:really |just |simply |absolutely |physically )*(?:(?:can't|can’t|cannot|cant|could never) "
            rf"(?:stand|bear|"
            r"eat|drink|have|tolerate|abide|stomach|wear|do(?! (?:it|this|that|anything|everything|more|math))|digest|"
            r"process)|(?:don't|don’t|never|won't|refuse to|do not|hardly ever|rarely) (?:do(?= (?!not|this|that|"
            r"it|much|well|"
            r"anything|any|enough|so|you)\w+)|eat|drink|use|wear|fly|drive|touch|buy|smoke|watch|cook|own)|avoid|"
            r"steer clear of|"
            r"stay (?:away from|clear of)) (?P<value>(?!it\b|this|that\b|him|her|them|you|"
            r"anything$).{2,120})"), _leaning),
    Rule("goes_for", "preferences",
        "swear stick go default live rely lean take run wear drink eat use cook read drive",
        pattern(
            rf"^{_I}(?: always| usually| mostly| tend to| normally| generally| only| exclusively| still| "
            rf"typically)* (?:swear by|"
            r"stick (?:to|with)|default to|rely on|lean towards?|go for(?! a)|take my (?:coffee|tea)|like my|want "
            r"my|keep my) "
            r"(?P<value>(?!it\b|this|that\b|him|her|them|you).{2,120})|"
            rf"^{_I} (?:always|usually|mostly|only|exclusively|typically|normally|generally|mainly) (?:use|drink|"
            rf"eat|wear|"
            r"buy|fly|take|order|cook|read|write|code|work|listen|watch|travel|book|sit|drive|cycle|shop|choose|"
            r"pick|go "
            r"(?:for|with)) (?P<b>(?!it\b|this|that\b|him|her|them|you).{2,120})"),
        _leaning),
    Rule("my_way", "preferences", "drink take eat like have write sign format spell best speed gone easier prefer "
        "better", pattern(
        rf"^{_I}(?: always| usually| only)* (?:drink|take|eat|have|write|sign|format|spell|order|wear|fold) (?:my|"
        rf"our) (?P<value>[\w'’ -]{{3,60}})(?<!yet)(?<!now)$|"
        r"^(?P<b>(?!it|this|that|these|those|he|she)[\w'’ -]{3,50}? (?:is|are|works?|suits?|fits?) (?:much |far |"
        r"way |usually |always )*(?:(?:best|better|easier|"
        r"easiest|ideal|worst|hard|tough) for (?:me|us)|more my (?:speed|thing|style)|my (?:thing|speed|jam|style|"
        r"go-to|default)|me (?:best|better)))\b.{0,60}|"
        rf"^{_I}(?:'ve|’ve| have) (?:gone off|switched to|moved to|converted to|taken to|stopped using) "
        rf"(?P<c>(?!it|this|that)[\w'’ .+#-]{{2,60}})"), _leaning),
    Rule("nothing_like", "preferences", "nothing live enough better", pattern(
        rf"^(?:nothing (?:beats|tops) (?P<value>.{{3,80}})|{_I} (?:can't|could never|can’t) (?:live|work|function|"
        rf"start (?:my|the) "
        r"day|get) (?:without|enough of) (?P<b>.{3,80})|the (?:shorter|simpler|fewer|less|more|plainer|spicier|"
        r"darker|quieter|"
        r"cheaper) (?P<c>.{0,40}the better)\b)"), _leaning),
    Rule("what_i_like", "preferences", "what like prefer hate want matters", pattern(
        r"^what (?:i|we) (?:really |always )?(?:like|love|prefer|hate|dislike)(?: most| best)? (?:is|are) "
        r"(?P<value>.{3,160})"),
        _leaning),
    Rule("not_for_me", "preferences", "for thing no", pattern(
        r"^(?!(?:it|this|that|these|those|he|she)\b)(?P<value>[\w'’ -]{3,60}?) (?:isn't|aren't|is not|are not|is|"
        r"are|was never)"
        r"(?: really| just| simply| so)* (?:for me$|my thing|a (?:hard |big )?no(?:-go)? for (?:me|us)|not for me|"
        r"off limits)\b"
        r".{0,60}"), _leaning),
)  # fmt: skip
