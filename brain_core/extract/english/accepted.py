"""How English proposes and accepts: "I suggest we use Postgres", "option B: …"; "ok do that", "option 2 please"."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from brain_core.extract.assent import Assent
from brain_core.extract.english.choices import decision
from brain_core.extract.english.values import clean
from brain_core.extract.english.vocabulary import pattern
from brain_core.extract.language import Clause, Scene
from brain_core.text.expression import Expression

_THEIRS = r"(?:suggestion|recommendation|proposal|idea|advice|plan|approach|choice|pick|solution)"
_SUGGESTED = r"(?:suggest(?:ed)?|propos(?:e|ed)|recommend(?:ed)?|advised?|said|say)"
_NICE = (
    r"(?:ok(?:ay)?|yes|yeah|yep|yup|sure|great|perfect|excellent|alright|all right|fine|cool|agreed|right|deal|nice|"
    r"thanks|thank you|good(?: (?:idea|call|plan|point|thinking))?|great (?:idea|plan|call)|sounds (?:good|great|"
    r"right|perfect|"
    r"fine|like a plan)|makes sense|fair enough|works for me|that works|(?:i )?(?:like|"
    r"love) (?:it|that)|true|hm+|ah|oh|"
    r"lovely|awesome|done|very well|exactly|please|so|then|and)"
)
_WE = r"(?:(?:let['’]?s|let us|we['’]ll|we will|we can|we should|i['’]ll|i will|we|i|please|just|then) )*"
_TAKE = r"(?:do|go (?:ahead )?(?:with|for)|going with|take|use|adopt|follow|choose|pick|accept|stick (?:with|to))"

_SOME_WORDS = r"(?!(?:it|that|this|one|so|not|your|the|option|number)\b)[\w.+#'’/-]+(?: [\w.+#'’/-]+){0,4}?"
_ACCEPTS = pattern(
    rf"(?:{_NICE}[,.!;:– —-]+)*(?:"
    rf"{_WE}{_TAKE} (?:it )?(?:that|it|this)(?: one)?(?: way)?(?: then)?|"
    r"(?:that['’]s|that is|it['’]s|it is) (?:settled|decided|agreed)(?: then)?|"
    rf"(?P<own>{_WE}{_TAKE} (?:with )?(?:your|the|that|this) {_THEIRS}|{_WE}(?:(?!not\b)\w+ )?(?:it )?(?:as|what|like) "
    rf"you(?:['’]ve| have)? (?:just )?{_SUGGESTED}|i (?:agree|am fine|accept)(?: with| to)? (?:your|that|the|"
    rf"this) {_THEIRS}|"
    rf"your {_THEIRS} it is)|"
    rf"{_WE}(?:(?:{_TAKE}|want|prefer|like) )?(?:the )?(?:(?:option|number|no\.?|variant|choice|alternative|"
    rf"approach|proposal|"
    r"plan|#) ?#?(?P<key>[a-f]|[1-9]|one|two|three|four)|(?P<place>first|second|third|fourth|fifth|last|1st|2nd|"
    r"3rd|4th)"
    r"(?: (?:one|option|variant|choice|plan|approach|alternative|suggestion|proposal|idea))?|(?P<key2>[b-f]|[1-9]))"
    r"(?: (?:it is|sounds (?:good|best|great)|is (?:fine|best|good)|works(?: (?:for me|best))?|wins))?|"
    rf"{_WE}{_TAKE} (?:the |an? |your )?(?P<named>{_SOME_WORDS})|"
    rf"(?:the |an? |your )?(?P<named2>{_SOME_WORDS}) (?:it is|then|sounds (?:good|best|great)|works(?: for me)?)"
    r")(?:,? (?:then|please|pls|thanks|thank you|thx|because .{3,120}|since .{3,120})){0,4}[.! ]*"
)
_CHANGES = pattern(
    r"\W*(?:but|except|however|although|though|only|unless|wait|actually|no|not|nah|hm+|or|instead|maybe|perhaps|"
    r"if|with|"
    r"without|just (?:not|with|without)|on second thought|later|kidding|just kidding)\b|[^.!?\n]*\b(?:instead|"
    r"except|rather)\b"
)

_BASES = (
    "use using|adopt adopting|choose choosing|pick picking|go_with going_with|go_for going_for|opt_for opting_for|"
    "stick_with sticking_with|stick_to sticking_to|settle_on settling_on|keep keeping|switch switching|move moving|"
    "migrate migrating|standardi[sz]e standardi[sz]ing|store storing|host hosting|deploy deploying|limit limiting|"
    "cap capping|hold holding|rent renting|buy buying|lease leasing|sell selling|hire hiring|invest investing|"
    "paint painting|plant planting|feed feeding|split splitting|separate separating|rely_on relying_on|"
    "base basing|stay staying|live living|replace replacing|drop_support dropping_support|require requiring|"
    "forbid forbidding|ban banning|avoid avoiding|renew renewing|meet meeting|charge charging|save saving|"
    "assign assigning|travel travelling|sleep sleeping|name naming|schedule scheduling|share sharing|"
    "encrypt encrypting|release releasing|log logging|"
    "version versioning|make making|set setting|call calling|take taking|write writing"
)
_GERUNDS = {
    one[1].replace("_", " "): one[0].replace("_", " ")
    for one in (pair.split() for pair in _BASES.split("|"))
    if "[" not in one[0]
}
_VERBS = "|".join(word.replace("_", " ") for word in sorted(_BASES.replace("|", " ").split(), key=len, reverse=True))
_LASTS = Expression(
    r"(?:always |never |only |all |not |to )*(?:(?!(?:keep|keeping) (?:going|trying|an eye|in mind|me|it up|looking)|"
    r"(?:make|making) (?:an?|sure|some|it|changes)\b|(?:set|setting) (?:up|it up|a timer|an alarm)|"
    r"(?:take|taking) (?!the (?:[\w-]+ ){0,3}(?:train|bus|ferry|offer|job|flat|apartment|house|room|plan|route|"
    r"loan|policy|course|package|position)\b)|(?:call|calling) (?!(?:it|him|her|them|this|that|the \w+|our \w+|"
    r"your \w+) "
    r"(?-i:[A-Z\"“'\ufffc]))|(?:write|writing) (?!(?:it|this|that|the \w+|everything) in\b)|"
    r"(?:hold|holding) (?:on|off|your|back)|(?:log|logging) (?:in|out|on|off)\b)"
    rf"(?:{_VERBS})\b)",
    re.IGNORECASE,
)
_PASSES = pattern(
    r"\b(?:now|right away|immediately|at once|tonight|today|this (?:time|once|morning|afternoon|evening)|"
    r"for the moment|later|"
    r"quick(?:ly)?|in a (?:moment|minute|second)|temporar\w+|meanwhile|asap|again)\b|\bfirst$|"
    r"\b(?:this|that|these|the) (?:\w+ )?(?:functions?|methods?|loops?|files?|lines?|class(?:es)?|strings?|variables?|"
    r"scripts?|snippets?|regex|quer(?:y|ies)|typos?|bugs?|tests?|commits?|branch(?:es)?|errors?|paragraphs?|sentences?|"
    r"words?|drafts?|e-?mails?|messages?|logs?|code|command)\b|"
    r"^(?:to )?(?:re-?)?(?:run|start|check|look|show|send|draft|fix|commit|push|pull|print|search|open|close|"
    r"install|try|test|debug|"
    r"generat|translat|summari[sz]|explain|creat|delet|remov|add|updat|renam|review|ask|tell|wait|continu|skip|"
    r"retry|cancel|stop|"
    r"writ|edit|list|read|ignor|do|restart|reboot|inspect|investigat|pick a|choos\w+ a)(?:e|ing|n?ning|p?ping|"
    r"t?ting)?\b"
    r"(?! (?:on|in|with|every|at) (?:\w+ ?){1,4}$)|"
    r"^(?:an?|some|the|one|another) (?:(?:short|brief|small|little|fresh|nice|good|funny) )*(?:joke|break|walk|"
    r"nap|test|check|look|"
    r"call|restart|reboot|moment|minutes?|glass|cup|pause|rest|chat|game|story|song|quiz|poem|name|second|try|summary|"
    r"following|refactor\w*|approach|plan|fix|change|retry|rewrite)\b|^(?:following|doing|having|it|that|this|so|"
    r"not|us|me|nothing)\b|"
    r"\b(?:i|i['’]\w+|me|my|mine)\b|\?"
)
_ABOUT = r"(?P<about>(?:for|as|on|in|regarding) (?:the |our |your )?[\w' -]{2,40}?)?,? ?"
_MAY = r"(?:should |could |might |can |both |all |simply |just |also |instead |rather )*"
_AFTER = (
    r"(?:[,;]? (?:what do you think|does that|would that|okay|ok|if you (?:like|agree|want)|"
    r"if (?:that|it) (?:works|suits)).*)?"
)
_PROPOSES = pattern(
    r"\W*(?:(?:so|then|ok(?:ay)?|yes|sure|right|well|honestly|personally|overall|in that case|given [^,]{2,60}|"
    r"based on [^,]{2,60}|thanks),? ){0,4}"
    rf"{_ABOUT}(?:"
    rf"(?:(?:i(?:['’]d| would)?|we(?:['’]d| would)?) (?:strongly |really |still |also |rather )*(?:suggest|"
    rf"recommend|propose|advise|"
    r"vote for|opt for|go (?:with|for))|my (?:suggestion|recommendation|proposal|advice|preference|pick|choice)"
    rf"(?: is| would be|:|,)+)(?: that)?:?(?: (?:we|you) {_MAY}| to)? ?(?!(?:we|you|to|that)\b)(?:(?P<thing>"
    r"(?:the|our|your|an?) (?![\w ]+ing\b)[^?!]{3,}?|(?-i:[A-Z\ufffc*`])[^?!]{2,}?)|(?P<value>[^?!]{4,}?))|"
    rf"(?:i (?:think|believe|['’]d say|would say)|i['’]d say|in my (?:view|opinion),?) (?:that )?(?:we|"
    rf"you) {_MAY}(?P<value2>[^?!]{{4,}}?)|"
    rf"(?:we|you) (?:should|could|ought to|might want to) {_MAY}(?P<value3>[^?!]{{4,}}?)|"
    r"(?:let['’]?s|let us|why don['’]t we|why not|shall we|should we|how about(?: we)?|what about(?: we)?|"
    r"perhaps we could) "
    r"(?:(?P<thing2>(?-i:[A-Z])[^?!]{3,}?)|(?P<value4>[^?!]{4,}?))|"
    r"it(?:['’]d| would| might| is|['’]s) (?:probably )?be(?:st|tter)? ?(?:best|better|good|wise|"
    r"sensible)? ?to (?P<value5>[^?!]{4,}?)"
    rf"){_AFTER}[.?!* ]*"
)

_OFFERS = pattern(
    r"\b(?:shall|should|can|may) i\b|\b(?:do you want|would you like|want|like) me to\b|\bi(?: can|['’]ll| will|"
    r"['’]m going to|"
    r" could) (?!(?:see|think|imagine|understand)\b)\w+|\blet me\b"
)
_OPPOSES = pattern(
    r"\b(?:scratch that|never ?mind|on the other hand|alternatively|then again|another (?:option|way) |"
    r"or we could|(?:you|we) could "
    r"also)\b|\b(?:wouldn['’]t|would not|not|don['’]t|never) (?:really |necessarily )?(?:recommend|suggest|advise|"
    r"propose|go (?:with|for))"
)
_DEPENDS = pattern(
    r"\b(?:or|either|unless|depending|in case|assuming|provided|otherwise|if)\b(?! (?:that|it|this) (?:works|"
    r"suits)| you (?:like|agree|"
    r"want))"
)
_CHOOSES = pattern(
    r"\b(?:options?|alternatives?|choices?|variants?|(?:two|three|four|several|some|different|possible) ways|"
    r"possibilities|either|"
    r"which (?:one|of|would|do|should)|pick|choose|prefer|decide)\b"
)
_AT_HAND = pattern(
    r"\b(?:drafts?|versions?|wordings?|subject lines?|headlines?|captions?|taglines?|phrasings?|sentences?|"
    r"paragraphs?|repl(?:y|ies)|"
    r"tone|quiz|trivia|riddles?|question \d+|which of the following|correct|capital of|tavern|dungeon|adventure|"
    r"quest|character|story|"
    r"stories|steps|you (?:are in|stand|enter|find yourself|wake))\b"
)
_PLACES = {
    "one": 1, "two": 2, "three": 3, "four": 4, "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5,
    "1st": 1, "2nd": 2, "3rd": 3, "4th": 4, "last": -1,
}  # fmt: skip


def _read(said: str, about: str, scene: Scene) -> dict[str, Any]:
    """Return a decision of what was proposed, as the user would say it."""
    value = _OF_THE_USER.sub(lambda match: _MINE[match[0].lower()], clean(said).rstrip("?"))
    if _YOU.search(value):
        return {}
    verb = _LEADING.match(value)
    if verb is not None:
        value = f"{_GERUNDS.get(verb[0].lower(), verb[0])}{value[verb.end() :]}"
    value = f"{value} {about[0].lower()}{about[1:]}" if about else value
    proposed = replace(scene, clause=Clause(value, 0, value, value), before="")
    return decision(proposed, value, _TAKES.sub("", value))


_OF_THE_USER = pattern(r"\byour(?:s|self)?\b")
_MINE = {"your": "my", "yours": "mine", "yourself": "myself"}
_YOU = pattern(r"\byou\b")
_LEADING = pattern("|".join(sorted(_GERUNDS, key=len, reverse=True)) + r"\b")
_TAKES = pattern(
    r"^(?:use|adopt|choose|pick|go with|go for|opt for|stick with|stick to|settle on|take|buy|rent|the|an?) "
)

ASSENT = Assent(
    accepts=_ACCEPTS,
    changes=_CHANGES,
    proposes=_PROPOSES,
    offers=_OFFERS,
    opposes=_OPPOSES,
    depends=_DEPENDS,
    lasts=_LASTS,
    passes=_PASSES,
    chooses=_CHOOSES,
    at_hand=_AT_HAND,
    places=_PLACES,
    read=_read,
)
