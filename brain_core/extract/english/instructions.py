"""Standing instructions: what the user tells to be done always, never, from now on, in all answers."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from brain_core.extract.dates import days
from brain_core.extract.english.values import ATTRIBUTES, clean, preference, topic
from brain_core.extract.english.vocabulary import pattern
from brain_core.extract.language import Found, Rule, Scene
from brain_core.text.expression import Expression

_LASTING = (
    r"(?:from now on|going forward|from here on(?: out)?|in (?:the )?future|as a rule|in general|by default|"
    r"for all (?:my|our) \w+|from today(?: on)?|henceforth|at all times|whenever possible)"
)
_POLITE = Expression(
    r"\b(?:let me know|feel free|don['’]?t hesitate|take care|good luck|keep (?:it up|going|in touch|smiling|"
    r"up the)|reach "
    r"out|ask me|be (?:yourself|kind to yourself|proud))\b",
    re.IGNORECASE,
)
_REQ = (
    r"(?:(?:please|pls|kindly|just|so|and|also|then|hey|can you|could you|would you|will you|i'd like "
    r"you to|i want you to|i need you to|i'd appreciate it if you|"
    r"it would be (?:great|nice) if you(?: could)?|make sure (?:that )?(?:you|to)|be sure to|try to|you "
    r"should|you can|you must|you may|you have to),? )*"
)
_LASTS = (
    r"(?:always|never|from now on|going forward|from here on|in (?:the )?future|by default|as a rule|in "
    r"general|every time|whenever|each time|ever|no exceptions|at all times|permanently|in all (?:my|our)"
    r"|"
    r"in any of (?:my|our)|(?:for|on|with|across|in) (?:all|every|everything|any)\b(?: of)? ?(?:my|our|"
    r"the|your)?|unless i (?:say|ask|tell|specif)|unless (?:told|asked|stated) otherwise|until i say otherwise|"
    r"henceforth|all the time|any time you|"
    r"every (?:answer|reply|response|email|message|file|function|commit|time|single)|no matter what)"
)
_IMPERATIVE = (
    r"(?:use|write|answer|reply|respond|keep|make|give|avoid|stop|don't|don’t|do not|dont|add|put|send|"
    r"format|call|treat|include|leave|drop|skip|stick|speak|talk|show|start|end|sign|check|ask|book|order|"
    r"pick|choose|suggest|recommend|"
    r"address|assume|prefer|follow|run|open|push|commit|deploy|test|name|quote|cite|translate|explain|"
    r"summari[sz]e|list|round|convert|schedule|plan|round|wrap|indent|prefix|tag|save|store|log|refer|"
    r"spell|limit|cap|no|not|nothing|nobody|only|"
    r"never|always|double[- ]check|confirm|verify|"
    r"remind|warn|tell|let|wait|be|take|say|mention|share|touch|delete|rename|"
    r"merge|mark|prioriti[sz]e|begin|finish|do|get|have|set|turn|read|work|number|bold)"
)
_MANNER = (
    r"answers?|replies|reply|responses?|explanations?|paragraphs?|sentences?|e-?mails?|messages?|summar(?:y|ies)|code|"
    r"commits?|comments?|tone|things|it|examples?|texts?|drafts?|wording|language|everything"
)


_OF_ONE_SORT = r"(?:(?:in|for|on) (?:the |our |all |my )?[\w./-]{2,20}(?: [\w-]{2,20})?,? )?"


_BY = Expression(r"\b(?:by|before|due(?: on)?|until|till|no later than)(?: the)? *$", re.IGNORECASE)


def _all_of(scene: Scene) -> str:
    """Return an instruction with what belongs to it in its sentence: not what else is to be done by some day."""
    text, whole = scene.clause.text, scene.clause.whole
    due = (_BY.search(whole, 0, day.start) for day in days(whole, scene.said) if day.start > len(text))
    return text if any(due) else whole


def _standing(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    text = scene.clause.text
    if len(text.split()) >= 3 and not _POLITE.search(text):
        whole = _all_of(scene)
        yield Found(preference(text, whole), span=(match.start(), len(whole)))


def _not_done(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read what is not to be done; "never call me buddy" leaves what the user is called as it is."""
    for found in _standing(match, scene):
        named = {} if found.given["name"] != "address" else {"name": f"not_{topic(match['value'], 3)}"}
        yield replace(found, given={**found.given, **named})


_LASTING_MANNER = pattern(
    r"\b(?:short|brief|concise|formal|informal|casual|simple|under|below|within|at most|no more|to the "
    r"point|lean|neutral|"
    r"polite|friendly|plain|small|dry|max(?:imum)?|unless|longer|shorter|detailed|to (?:one|two|three|four|five|\d))\b"
)
_OF_ALL = pattern(r"\b(?:all|every|each|always|your|any)\b|s$")


def _manner(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read how all answers, mails, … are to be; of one of them it is for now only."""
    what = match[0][: match.start("value") - match.start()]
    if _LASTING_MANNER.search(match["value"]) and match["what"].lower() != "it" and _OF_ALL.search(what):
        whole = _all_of(scene)
        yield Found(preference(scene.clause.text, whole), span=(match.start(), len(whole)))


def _prohibition(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    if not re.search(
        r"\b(?:idea|clue|one|problem|worries|matter|doubt|wonder|thanks|way|need|surprise|luck)\b",
        match["value"],
        re.IGNORECASE,
    ):
        yield Found(preference(scene.clause.text))


def _attribute(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read an instruction on something that has one value at a time, such as the units."""
    fields = preference(match[0])
    if any(fields["name"].startswith(name) for name, _, named in ATTRIBUTES if named.search(match[0])):
        yield Found({**fields, "value": clean(scene.clause.text)})


_HABIT = (
    r"(?:bringing up|mentioning|talking about|suggesting|recommending|reminding me (?:of|about)|"
    r"asking(?: me)?(?: about)?|calling (?:me|him|her|us|them)|saying|using|repeating|apologi[sz]ing|assuming|"
    r"correcting|quoting|lecturing)"
)
_NOT_THIS = r"(?!it\b|that\b|this\b|here\b|now\b)"
RULES = (
    Rule(
        "stop_doing", "preferences", "stop quit",
        pattern(rf"^{_REQ}(?:stop|quit) (?P<value>{_HABIT} {_NOT_THIS}.{{2,120}})$"), _not_done, insists=True,
    ),
    Rule(
        "not_mentioned", "preferences", "mention bring talk suggest recommend remind ask call",
        pattern(
            r"^(?:please )?(?:don['’]?t|do not|never) (?:ever )?(?:mention|bring up|talk about|suggest|recommend|"
            rf"remind me (?:of|about)|ask (?:me )?about|call me) (?P<value>{_NOT_THIS}"
            r"(?!(?:before|after|on|at) ).{2,120})$"
        ), _not_done, insists=True,
    ),
    Rule(
        "hates_being", "preferences", "being",
        pattern(
            r"^(?:i|we) (?:really )?(?:hate|dislike|can['’]t stand|don['’]t like|loathe) being "
            r"(?P<value>(?:called|told|interrupted|rushed|asked|spoken) .{2,80})$"
        ), _standing,
    ),
    Rule(
        "standing", "preferences",
        "now forward here future rule general default time today henceforth possible times all",
        pattern(
            rf"^(?:please )?{_LASTING}\b,? .{{6,300}}|"
            rf"^(?!.* (?:day|week|month|year)s? from |we\b|it\b|the\b|there\b|they\b|"
            r"i['’](?:ll|ve|m)\b|i['’]d (?!like|prefer|rather|appreciate)|i (?!want|need|expect|would like|"
            rf"'d like|prefer)).{{6,300}},? {_LASTING}$|^(?:please )?(?:use|write|answer|reply|keep|make|"
            r"give|avoid|stop|don't|don’t|do not|add|put|send|format|call|treat|include|leave|drop|skip|"
            rf"stick|respond|speak) .{{3,200}} {_LASTING}\b"), _standing,
    ),
    Rule(
        "always_never", "preferences", "always never ever",
        pattern(
            r"^(?:please |you (?:must |should )|and )?(?:always|never|don't ever|don’t ever|do not ever|"
            rf"you must never|you should never) (?={_IMPERATIVE}\b|(?!here|fun|so|up|there|good|nice|great|"
            r"by|worth|at|in|one|on)\w+ (?:the|my|a|an|any|your|our|anything|all)\b)(?!mind|been|\w+ing\b|"
            r"\w+ed\b|seen|had|heard|again|said|have i|did|wanted|ends?|happy|tired|there|works?\b)(?P<value>\w+"
            r" .{2,300})"), _standing,
    ),
    Rule(
        "under_no_circumstances", "preferences", "circumstances stop period allowed whatsoever limits must",
        pattern(
            r"^(?:under no circumstances (?P<a>.{4,200})|(?:i|we) (?:don't|don’t|do not|never|won't) .{3,120}, "
            r"(?:full stop|period|no exceptions|ever|at all|whatsoever)$|(?:(?:everything|all \w+(?: \w+)"
            r"?|any \w+(?: \w+)?|nothing|my [\w ]{2,40}) must(?: not| never)?|(?:it|this|everything|all "
            r"\w+(?: \w+)?|any \w+(?: \w+)?|nothing|my [\w ]{2,40}) (?:has to|have to|may not|is not allowed "
            r"to|should never|should always|needs to stay|can't be|cannot be)) .{4,160})"), _standing,
    ),
    Rule(
        "lasting", "preferences",
        "always never now forward here future default rule general every whenever each ever exceptions "
        "times permanently all any unless until henceforth time matter",
        pattern(
            rf"^{_REQ}(?:for (?!me\b)[^,]{{2,40}}, )?(?:{_IMPERATIVE}\b.{{2,240}}\b{_LASTS}\b.{{0,160}}|"
            rf"{_LASTS},? (?:please )?{_IMPERATIVE}\b.{{3,240}}|(?!(?:i|i'm|i've|we|it|it's|he|she|they|"
            r"the|this|that|there|you|what|how|thanks|best|worst|my|our|as|happens|happened|same|nothing|"
            rf"been|first|not|have|has|let)\b)(?!.*\b(?:you|as|like) {_LASTS})(?:[\w'-]+ ){{1,6}}?[\w'-]+,? "
            rf"{_LASTS}(?:,? please)?)$"), _standing,
    ),
    Rule(
        "attribute", "preferences", "use write answer reply keep format in metric imperial celsius spelling iso "
        "switch back go change move please",
        pattern(
            rf"^{_REQ}{_OF_ONE_SORT}(?:use|stick (?:to|with)|(?:switch|go|change|move) (?:back )?to|write in|"
            r"(?:switching|going|changing|moving) (?:back )?to(?=.{0,60}\bplease\b)|"
            rf"answer in|reply in|format (?:dates|numbers|"
            r"times) (?:as|like|in)) (?P<value>.{3,160})"), _attribute,
    ),
    Rule(
        "always_at_end", "preferences", "always",
        pattern(
            r"^(?:please |so please )?(?:keep|use|write|answer|reply|include|add|put|make|send|give|show|"
            r"format|sign|start|end|check|ask) .{4,200},? always$"), _standing,
    ),
    Rule(
        "whenever", "preferences", "when whenever if every each",
        pattern(
            r"^(?:when|whenever|if|every time|each time|any time) (?:i|you|we) (?:\w+ )?(?:ask|write|send|"
            r"give|show|answer|reply|code|draft|suggest|explain|paste|share|generate|create|review|recommend|"
            r"quote|summari[sz]e|translate|say|need|want|are|use|talk|book|plan)\b.{0,120}?[, ]+"
                 r"(?:please|always|never|just|don't|don’t|do not|use|give|add|include|keep|write|make|"
                 r"put|start|show|leave|i want|i'd like|i like|i prefer|answer|reply|only|assume|skip|"
                 r"ask)\b.{2,200}"), _standing,
    ),
    Rule(
        "rule", "preferences",
        "rule rules constraint requirement requirements request requests wish preference guideline convention "
        "house policy peeve habit must no-go go dealbreaker",
        pattern(
            r"^(?:(?:the |my |our |one |a |another |small |the team's |house |hard |golden |ground |first "
            r"|only |important |standing )+)(?:small |big |tiny |other )?(?:\w+ )?(?:rules?|constraints?|"
            r"requirements?|requests?|wish|preference|guideline|convention|house style|policy|pet peeve|"
            r"habit|must|no-go|deal-?breaker)(?: (?:here|regarding|about|on|for|in|of|about|is|at|to)\b[^:,]{0,6"
            r"0})?(?:\s*[:,–—-]| is(?: that)?| are)\s+(?P<value>.{5,300})"), _standing,
    ),
    Rule(
        "manner", "preferences", "keep make",
        pattern(
            r"^(?:please |just |so please |can you |you can )*(?:keep|make) (?:all |your |the |my |every "
            rf"|each |any )*(?:of (?:your|my) )?(?:\w+ )?(?P<what>{_MANNER})\b(?P<value>.{{3,200}})"), _manner,
    ),
    Rule(
        "no_without", "preferences", "no nothing nobody under",
        pattern(
            r"^(?:no|nothing|nobody|under no circumstances) (?P<value>[\w -]{3,60} (?:without|before|after|"
            r"on|in|unless|longer than|over|under|above|below) .{3,120})"), _prohibition,
    ),
)  # fmt: skip
