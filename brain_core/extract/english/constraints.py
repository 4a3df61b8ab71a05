"""Standing instructions and constraints in general frames: what must, may not, should always be."""

from __future__ import annotations

import re
from collections.abc import Iterable

from brain_core.extract.english.values import preference
from brain_core.extract.english.vocabulary import pattern
from brain_core.extract.language import Found, Rule, Scene
from brain_core.text.expression import Expression

_ONE_OF_THEM = Expression(
    r"\b(?:this|that|the (?:last|first|second|third|next|above|previous)|last|it again|above|here|today|tonight|"
    r"now)\b",
    re.IGNORECASE,
)


def _standing(match: re.Match[str], scene: Scene) -> Iterable[Found]:  # noqa: ARG001
    clause = scene.clause
    if not _ONE_OF_THEM.search(clause.text):
        yield Found(preference(clause.text, clause.whole), span=(0, len(clause.whole)))


def _at_times(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read what is not done at some times; "I won't be in on Monday" is of one Monday."""
    if not _ON_ONE_DAY.match(scene.clause.text):
        yield from _standing(match, scene)


_ON_ONE_DAY = Expression(
    r"(?!.*\b(?:ever|never|any ?more|any longer|as a rule|usually|normally|generally)\b)"
    r"(?:i|we) (?:won['’]t|can['’]t|cannot)\b[^,.;]*?\b(?:on|until|till|before|after) "
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day\b",
    re.IGNORECASE,
)
_TIME = (
    r"(?:\w+days?\b|\d|noon|midnight|lunch|breakfast|dinner|weekends?|mornings?|evenings?|nights?|school|"
    r"holidays?|bed|"
    r"the (?:weekends?|mornings?|evenings?|school|holidays?|night)|work(?:ing)? hours|office hours|sun(?:set|rise|"
    r"down))"
)
RULES = (
    Rule("limits", "preferences", "budget limit max maximum cap ceiling spend afford minimum", pattern(
        r"^(?:(?:my|our|the)(?: \w+){0,3}? (?:budget|limit|max(?:imum)?|cap|ceiling|minimum)(?: \w+){0,4}?(?:'s|"
        r"’s| is|:| can't| "
        r"won't| must| stays?| tops? out| of)\b.{0,10}\S*\d.{0,80}|(?:i|we) (?:can't|can’t|cannot|don't want to|"
        r"won't|can "
        r"(?:only|at most)) (?:spend|pay|afford|go) .{0,20}\d.{0,60})"), _standing),
    Rule("not_at_times", "preferences",
        "before after on during past until between from in at over",
        pattern(
            rf"^(?:please )?(?:(?:i|we) (?:(?:don't|don’t|can't|can’t|cannot|won't|never|only) (?:ever |really "
            rf")?(?!have (?:to|"
            rf"any)|know|think|remember|see|feel|want|need|like)\w+(?: [\w'’-]+){{0,4}}? (?:before|after|on|"
            rf"during|past|until|"
            rf"between|in the|at) {_TIME}|(?:work|eat|sleep|train|study|meet) (?:only )?(?:on|in the|at|from|"
            rf"until) {_TIME}).{{0,80}}|"
            rf"(?:don't|don’t|do not|never|avoid) (?!worry|forget)\w+ing? ?.{{3,80}}? (?:before|after|on|during|"
            rf"past|until|between|"
            rf"from) {_TIME}.{{0,80}}|(?:no|nothing) .{{3,60}} (?:before|after|on|during|past|until|between|from) "
            rf"{_TIME}.{{0,60}})"),
        _at_times),
    Rule("whatever_you_make", "preferences", "you", pattern(
        r"^(?:all|any|every|each|whatever|everything|anything|the)(?: [\w'’-]+){0,4}? (?:that )?(?:you|u) "
        r"(?:write|make|send|"
        r"give|suggest|book|build|generate|produce|draft|create|recommend|plan|propose|show|run|order|pick|choose|"
        r"cook|design|"
        r"schedule|post|publish|commit|add|name)\b.{0,60}?\b(?:must|has to|have to|should|needs? to|can't|cannot|"
        r"may not|ought "
        r"to|had better|better|shouldn't)\b.{3,200}"), _standing),
    Rule("do_not_any", "preferences", "don't not avoid stop never", pattern(
        r"^(?:(?:please|pls|and|also|so|just|can you|could you) )*(?:don't|don’t|dont|do not|never|avoid|stop) "
        r"(?!worry|hesitate|get me|"
        r"know|think|forget|mind|you\b|be\b|tell me|feel|panic|rush|laugh|judge)(?:(?:ever|even) )?\w+ "
        r"(?:[\w'’-]+ ){0,8}?"
        r"(?:anything|anyone|any|ever|without|unless|between|through|until|every|all|at all|in (?:my|our|your)|on "
        r"(?:my|our)|to "
        r"(?:my|our)|with (?:my|our)|for (?:my|our)|from (?:my|our))\b.{0,200}|"
        r"^(?:(?:please|pls|and|also|just|can you|can u|could you) )*(?:keep (?:the|my|our|all|every|any|your)?|"
        r"stay) ?[\w ]{2,40} "
        r"(?:free of|without|out of|off|under|below|away from|within|to) .{2,120}"), _standing),
    Rule("spare_me", "preferences", "bother skip leave drop lose ditch spare cut avoid without", pattern(
        r"^(?:[^,]{0,50}, )?(?:please |pls |and |just |can you |could you |you can )*(?:don't bother with|skip|"
        r"leave out|drop|lose|ditch|spare me|cut(?: out)?|"
        r"go easy on) (?:the |all the |any |all )?(?!it\b|this|that\b|lunch|dinner|class|work|school|him|her|them|"
        r"down|back)[\w'’ -]{3,40}(?:s|fluff|jargon|small talk|"
        r"preamble|chit-?chat|waffle|filler|flattery|praise)\b(?! (?:in|of|from|for) (?:this|that|line|"
        r"the))(?:,.{0,60}|$| .{0,60})"), _standing),
    Rule("ours_is", "preferences", "strictly only exclusively all shop house household team writes", pattern(
        r"^(?:we(?:'re|’re| are)|my team is|our team is) (?:strictly|only|exclusively|purely|all|an? [\w+#.-]+(?: "
        r"[\w+#.-]+)?(?= (?:shop|house|household))|fully|entirely) "
        r".{2,80}|^(?:my|our) team (?:only |mostly )?(?:writes?|uses?|works?|codes?) (?:everything "
        r")?.{2,80}"), _standing),
    Rule("make_sure", "preferences", "sure ensure", pattern(
        r"^(?:please |always |and |just |can you |could you )*(?:make sure|ensure|be sure)(?: that| to)? "
        r"(?=.{0,60}\b(?:every|"
        r"everything|all|always|any|anything|nothing|never|no|each)\b)(?!i\b|we\b).{6,200}"), _standing),
    Rule("in_units", "preferences",
        "temperatures temperature distances weights measurements prices amounts dates times units numbers "
        "currency sizes recipes",
        pattern(
            r"^(?:please |all |my |put |give me |show |write |keep |i (?:want|need|like|prefer) |list "
            r")*(?:temperatures?|distances?|"
            r"weights?|measurements?|prices|amounts|dates|times|units|numbers|currency|quantities)\b.{0,30}? "
            r"(?:in|as|with|to) "
            r".{2,80}"), _standing),
    Rule("take_me_for", "preferences", "assume treat talk explain speak consider", pattern(
        r"^(?:please |just |always |you can )*(?:assume (?:that )?(?:i|we)(?:'m| am| know|'ve| have|'re)? |treat "
        r"me (?:like|as) |"
        r"(?:talk|speak) to me (?:like|as) ).{3,120}"), _standing),
    Rule("ruled", "preferences",
        "rule rules constraint constraints requirement requirements request condition boundary limit limitation "
        "restriction "
        "preference policy convention principle guideline stipulation ask wish",
        pattern(
            r"^(?:(?:the |my |our |one |a |an |another |two |three |only |here's |here is |there's |this is "
            r")+)?(?:[\w'’-]+ ){0,3}?"
            r"(?:rules?|constraints?|requirements?|request|conditions?|boundary|limitations?|restrictions?|"
            r"preference|policy|"
            r"convention|principle|guideline|stipulation|ask|wish)(?: (?!of law)[^:]{0,60})?: ?.{5,300}"), _standing),
)  # fmt: skip
