"""How the user wants things: likes and dislikes, habits, diet."""

from __future__ import annotations

import re
from collections.abc import Iterable

from brain_core.extract.applies import applied_to
from brain_core.extract.english.values import clean, preference, topic
from brain_core.extract.english.vocabulary import pattern
from brain_core.extract.language import Found, Rule, Scene
from brain_core.extract.scopes import joined
from brain_core.text.expression import Expression

_ADVERBS = (
    r"(?:(?:really|much|just|usually|generally|always|strongly|honestly|actually|still|also|definitely|"
    r"absolutely|normally|typically|tend to|do|particularly|personally|mostly|would|simply|truly|secretly)"
    r" )*"
)
_POINTING = Expression(r"^(?:[\w'-]+ ){0,3}(?:it|this|that|these|those|them|him|her)\b", re.IGNORECASE)
_VAGUE = Expression(
    r"^(?:it|this|that|these|those|you|your (?!answers|replies|responses|emails|style)|how (?!you)|what|"
    r"where|the (?:idea|second|first|third|last|new|other|sound|one|look|way|plan)|"
    r"him|her|them|to (?:know|see|hear|think|say|believe|thank|ask)|when (?!you)|being|everyone|people|"
    r"my (?:life|job|boss|mom|dad|wife|husband|kids?)|"
    r"our chats?|talking|mondays|monday|so much|both|all of|option|number|version|some|a (?:few|bit|second)"
    r"|nothing|everything|myself)\b",
    re.IGNORECASE,
)
_AT_HAND = Expression(
    r"(?:the (?!(?:sea|ocean|beach|outdoors|mountains|countryside|cold|heat|rain|snow|sun|theatre|theater|cinema)\b)|"
    r"[#\d]|['\"‘“])",
    re.IGNORECASE,
)
"""What is liked of what was just shown: "the second draft", "#4"; what is liked in general has no "the"."""


def _liked(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    value = match["value"]
    if _VAGUE.match(value) or len(value) < 3 or _POINTING.match(value):
        return
    text = scene.clause.text
    if _AT_HAND.match(value):
        return
    negative = match["verb"].lower() not in {"prefer", "like", "love", "enjoy", "adore", "favor", "favour"}
    yield Found(preference(value if not negative else text, clean(value) if not negative else text))


def _wanted(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    text = scene.clause.text
    if _CHOOSES_NOW.search(text):
        return
    yield Found(preference(match["value"] if match.start("verb") < 12 else text))


_CHOOSES_NOW = Expression(
    r"\bi think (?:i|we)\b|\brather (?:dive|get back|start|go|stick|wait|skip this)\b|\bback to\b|\bsomething more\b",
    re.IGNORECASE,
)
"""What is to come next, not what is preferred: "I think I'd rather start with the intro"."""


def _favourite(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    if not re.match(r"(?:thing|part|moment|bit)\b", match["what"], re.IGNORECASE):
        yield Found(preference(f"favourite {match['what']}", scene.clause.text, name=topic(match["what"])))


def _clause(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    yield Found(preference(match["value"] if "value" in match.re.groupindex else scene.clause.text, scene.clause.text))


def _answered_in(match: re.Match[str], scene: Scene) -> Iterable[Found]:  # noqa: ARG001
    sort = applied_to(scene.clause.text)
    yield Found(preference(scene.clause.text, name=joined("language", [sort])))


def _allergy(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    what = _ASIDE.sub("", match["what"])
    if _NOT_SO.search(scene.clause.text[: match.start("what")]):
        return
    named = topic(_ALLERGIC.sub("", what) or what, 2)
    told = _ASIDE.sub("", scene.clause.text)
    yield Found(preference(told, told, name=f"allergy_{named}"))


_ASIDE = pattern(r",\s*(?:so|same|remember|just (?:like|so|as)|which|as you|in case)\b.*$")
"""What follows from it, or is said to those who listen: "allergic to shellfish, so no sushi for me"."""
_NOT_SO = pattern(r"\b(?:not|never|no|isn't|ain't)\b")
"""Before what one is not allergic to: that keeps nobody from anything."""
_ALLERGIC = pattern(r"[ -]*\b(?:intoleran(?:t|ce)|allerg(?:ic|y|ies))$")


def _not_eaten(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read what is not eaten or drunk as a part of the diet, whatever the hour."""
    what = match["what"]
    if what is None or _AT_TIMES.search(what):
        yield from _clause(match, scene)
    else:
        told = _ASIDE.sub("", scene.clause.text)
        yield Found({"scope": "other", "name": f"diet_{topic(_ASIDE.sub('', what), 2)}", "value": clean(told)})


_AT_TIMES = pattern(
    r"\b(?:after|before|on|in|at|during|while|when|alone|late|past|between|with|much|enough|"
    r"breakfast|lunch|dinner)\b"
)


def _diet(match: re.Match[str], scene: Scene) -> Iterable[Found]:  # noqa: ARG001
    yield Found({"scope": "other", "name": "diet", "value": clean(scene.clause.text)})


RULES = (
    Rule(
        "allergy", "preferences", "allergic allergy intolerant intolerance",
        pattern(
            r"^(?:i'm|i’m|i am|im|i have|i've got|i’ve got|i've|i've been) (?:(?:\w+ )?\w+ )?(?:allergic to|"
            r"(?:an? )?allergy to|intolerant (?:to|of)|"
            r"(?:an? )?intolerance to) (?P<what>.{3,80})"), _allergy, vital=True,
    ),
    Rule(
        "allergy_adjective", "preferences", "intolerant intolerance allergic allergy allergies celiac coeliac",
        pattern(
            r"^(?:i'm|i’m|i am|i have|i've got|i’ve got|i've) (?:an? )?(?:(?:severe|bad|mild|serious|nasty|strong|"
            r"slight|also|seasonal) )*(?P<what>(?!got\b|no\b|not\b|never\b|any\b|many\b|some\b|to\b|"
            r"really\b)[a-z]+(?: [a-z]+)?"
            r"[ -](?:intoleran(?:t|ce)|allerg(?:ic|y|ies))(?=$|[,;.]| (?:and|so|but|since|that|which|is|are|"
            r"acts?|means)\b)|"
            r"celiac|coeliac)"), _allergy, vital=True,
    ),
    Rule(
        "diet", "preferences", "vegetarian vegan pescatarian kosher halal gluten keto teetotal sober plant",
        pattern(
            r"^(?:i'm|i’m|i am|im|as|being|i eat|i've (?:gone|been|turned)|we're|we are|i went|i only eat|"
            r"we eat|(?:i|we) keep(?= (?:an? )?(?:strict(?:ly)? )?\S+"
            r"(?:$|[,.;]| (?:home|house|household|kitchen|diet|at)\b))) (?!not\b|no longer\b|never\b)(?:\w+ ){0,3}?"
            r"(?:vegetarian|vegan|pescatarian|kosher|"
            r"halal|gluten[- ]free|"
                 r"dairy[- ]free|keto|teetotal|plant[- ]based|lactose[- ]free)\b"), _diet, vital=True,
    ),
    Rule(
        "eats", "preferences", "eat drink",
        pattern(r"^(?:i|we) (?:eat|drink) (?P<value>(?:everything|anything|meat|fish|only|no|mostly|all)\b.{0,80})"),
            _diet,
    ),
    Rule(
        "does_not_eat", "preferences", "eat drink smoke touch",
        pattern(
            r"^(?:i|we)(?:['’]m| am)? (?:really |just |simply |also )?(?:don't|don’t|do not|never|can't|can’t|cannot|"
            r"must not|mustn['’]t|may not|not allowed to|no longer) (?:really |ever |"
            r"actually )?(?P<value>(?:(?:eat|drink)(?= (?P<what>.{2,80}))|smoke|touch) (?!with|this|"
            r"that|it|much today|anything).{2,80})"), _not_eaten,
    ),
    Rule(
        "on_a_diet", "preferences", "diet off table me only never not always",
        pattern(
            r"^(?:(?P<a>(?:i'm|i’m|i am|we're) on (?:an? |the )[\w -]{3,40} diet\b.{0,60})|(?P<b>(?:no|"
            r"anything with|everything with|nothing with) [\w -]{2,40} (?:for (?:me|us)|is off (?:the "
            r"table|limits)(?: for (?:me|us))?|is out|is not an option)\b.{0,80})|"
                 r"(?P<c>(?!(?:i|it|that|this|he|she|we|they|you|there|one|read|members|staff|not|if|just)"
                 r"\b)(?:[\w-]+ ){1,4}only(?:,? please)?(?=$|,).{0,100})|(?P<d>(?!(?:i|it|that|this|he|"
                 r"she|we|they|you|there)\b)(?!for |with |your |so )[\w -]{4,60}?(?:,| please,) (?:never|"
                 r"always) [\w ./-]{2,60}))$"), _clause,
    ),
    Rule(
        "uses", "preferences", "use using",
        pattern(
            r"^(?:i|we)(?:'m|’m)? (?:mostly |mainly |personally |only |all )*(?:use|using) (?P<value>(?!to\b|"
            r"it\b|this\b|that\b|the (?:same|following|code|function|first)\b|them\b|you\b|up\b).{2,60}? "
            r"(?:for (?:everything|all|most|my|our|work|notes|editing|coding|writing|email|development|"
            r"version|project|chat|tasks|planning|builds?|tests?|deploy\w*|\w+ing\b)|as (?:my|our)|every "
            r"day|daily|at work|exclusively)\b.{0,80})"), _clause,
    ),
    Rule(
        "wants_things_so", "preferences", "want need expect like every all each your",
        pattern(
            r"^(?:i|we|i'd|i’d|we'd)(?: really| just| always)? ?(?:want|need|expect|would like|like|prefer)"
            r" (?P<value>(?:every|all|each|any|your|my) (?:\w+ ){0,2}?(?:answers?|repl(?:y|ies)|responses?|"
            r"summar(?:y|ies)|emails?|mails?|messages?|reports?|code|commits?|functions?|explanations?|"
            r"lists?|prices|dates|numbers|times|texts?|drafts?|files?|tests?|charts?|reminders?|recipes?|"
            r"suggestions?|links?|notes|documents?|letters?|results?)\b.{3,160})"), _clause,
    ),
    Rule(
        "works_for_me", "preferences",
        "best crazy nuts thing jam person swear avoid better drives tolerate handle deal easier annoying "
        "hate comfortable priority important matters",
        pattern(
            r"^(?:(?P<a>i (?:work|learn|think|focus|sleep|concentrate|study|read) (?:best|better) .{3,160})"
            r"|(?P<b>.{3,80} (?:drives? me (?:crazy|nuts|mad|insane|up the wall)|(?:is|are) (?:not |so "
            r"not )?(?:my (?:thing|jam|cup of tea|go-to|pet peeve))|(?:doesn't|don't) agree with me|makes? "
            r"me (?:sick|ill|nauseous)|gives? me (?:migraines|heartburn|hives|a rash))\b.{0,60})|"
                 r"(?P<c>(?:i'm|i’m|i am)(?: more of| very much| definitely| strictly)? an? (?:[\w-]+ "
                 r"){1,3}(?:person|guy|girl|lover|drinker|eater|kind of person|type)\b.{0,80})|(?P<d>i "
                 r"(?:swear by|can't tolerate|can't handle|can't deal with|avoid|stay away from|try to "
                 r"avoid|am comfortable with|could live on|don't do|don't use|won't use|refuse to|insist "
                 r"on|care (?:a lot )?about|can't read|can't see|can't hear) (?!it\b|that\b|this\b|him|"
                 r"her|them|you|any ?more).{3,160})|"
                 r"(?P<e>i find .{3,80} (?:annoying|hard to read|confusing|easier(?: to .{2,60})?|unreadable|"
                 r"distracting|tiring|helpful|useful)\b.{0,80}))"), _clause,
    ),
    Rule(
        "prefers", "preferences", "prefer prefers rather",
        pattern(
            rf"^(?:(?!if|she|he|they|my \w+ (?:says|said)).{{0,60}}?[ ,])??(?:i|we|personally,? i|i'd|i’d|we'd) "
            rf"{_ADVERBS}(?P<verb>prefer|rather) (?:(?:to )"
            r"?have |to (?:get|see) |it if you |that you |you to |if you )?(?P<value>.{3,240})"), _wanted,
    ),
    Rule(
        "favourite", "preferences", "favourite favorite fave preferred go default usual",
        pattern(
            r"^(?:my|our) (?:all-time |absolute |new |current |now )*(?:favou?rite|fave|preferred|go-to|default|"
            r"usual) "
            r"(?P<what>[\w -]{2,40}?)(?: is| are|:|'s| will always be| has always been|"
            r" remains?) (?P<value>.{2,120})"),
            _favourite,
    ),
    Rule(
        "preference_is", "preferences", "preference go choice comfort style",
        pattern(
            r"^my (?:\w+ )?(?:preference|go-to|choice|comfort zone|style)(?: \w+){0,4}(?: is| are|:|"
            r" has always been) "
            r"(?P<value>.{3,240})"), _clause,
    ),
    Rule(
        "best_for_me", "preferences", "best",
        pattern(r"^(?P<value>[\w -]{3,60}) (?:works?|suits?|fits?) (?:best for me|me best|me better)\b"), _clause,
    ),
    Rule(
        "dislikes", "preferences", "stand hate dislike detest despise loathe fan bear",
        pattern(
            rf"^(?:(?:when|for|in|on|as|with|at|and) .{{0,50}}?,? (?=i |we ))?(?:(?:i|we) "
            rf")?{_ADVERBS}(?P<verb>can't stand|can’t stand|cannot stand|cant stand|"
            r"can't bear|hate|dislike|detest|despise|loathe) (?:it when (?=you)|when (?=you))?(?P<value>.{3,160"
            r"})"), _liked,
    ),
    Rule(
        "not_a_fan", "preferences", "fan into like love keen fond partial",
        pattern(
            r"^(?:i'm|i’m|i am|im|we're|not) (?:not )?(?:really |much )?(?:a |an )?(?:(?:big|huge|great|"
            r"massive|real) )?(?:fan of|into|keen on|fond of|partial to) (?P<value>(?!it\b|this\b|that\b|"
            r"the \w+th\b|you\b|my \w+th\b).{3,120})"), _clause,
    ),
    Rule(
        "does_not_like", "preferences", "like want love enjoy",
        pattern(
            r"^(?:i|we) (?:really |just )?(?:don't|don’t|do not|never) (?:really |ever |particularly )"
            r"?(?P<verb>like|enjoy|want) (?P<value>(?!it\b|that\b|this\b|to\b|him\b|her\b|the (?:idea|"
            r"look|sound|second|first)\b|any(?:thing|one)\b).{3,160})"), _clause,
    ),
    Rule(
        "likes", "preferences", "like love enjoy adore loves",
        pattern(rf"^(?:(?:when|whenever|for|in|on|as|with|at|and) .{{0,50}}?,? )?(?:i|we) {_ADVERBS}(?P<verb>like|"
        rf"love|enjoy|adore|favou?r) (?P<value>.{{3,160}})"), _liked,
    ),
    Rule(
        "no_manner", "preferences",
        "don't no stop avoid drop skip without leave spare save lose enough less fewer more cut",
        pattern(
            r"^(?:please |pls |just |and |also )*(?:don't|don’t|do not|spare|stop|avoid|drop|skip|leave "
            r"out|no more|no|cut|spare me|save me|lose|enough with|enough of|no need for|less|fewer|more|"
            r"drop all) (?P<value>(?:ever )?(?:\w+ing )?(?:use|using|add|adding|include|including|give|"
            r"giving|start|starting|end|ending|suggest|suggesting|recommend|send|sending|call|calling|"
            r"sign|address|"
                 r"write|put|the )?\s*(?:(?:me|any|the|your|my|those|all|so many|with)\s+)*(?:exclamation|"
                 r"emojis?|cheering|jargon|buzzwords?|bullet|markdown|disclaimers?|apolog|small ?talk|"
                 r"pleasantr|warnings?|caveats?|hedging|lectur|moraliz|smileys?|hashtags?|adverbs?|superlatives?"
                 r"|slang|filler|preamble|intro|greeting|sir|madam|mr|ms|comments|semicolons|abbreviations|"
                 r"acronyms|oxford|em[- ]dash|passive|clich|flattery|compliment|sugar)\w*.{0,160})"), _clause,
    ),
    Rule(
        "only_uses", "preferences",
        "only always never usually exclusively typically generally mostly tend normally mainly",
        pattern(
            r"^(?:(?:for|in|on|with|when|as for) [^,]{2,60}?,? )?(?:i|we) (?P<value>(?:only|exclusively|"
            r"always|never|usually|typically|generally|mostly|mainly|normally|tend to|strictly) (?:ever "
            r")?(?!(?:know|knew|think|thought|feel|felt|forget|forgot|wonder|get|got|seem|have|had|end|"
            r"remember|understand|understood|saw|met|said|heard|been|be|meant|mean|need|want|wanted|want|"
            r"just|imagine|believe|expected|noticed|lose|miss|a|one|the|so|too|struggle|cry|really|consider|"
            r"pair|find|worry|fail|miss|hope|wish|try)\b)\w+\b(?! (?:it|this|that|him|her|"
            r"them)\b).{2,200})"), _clause,
    ),
    Rule(
        "answer_in", "preferences", "answer reply respond write talk speak use",
        pattern(
            r"^(?:please |pls |just |you can |always )*(?:answer|reply|respond|write|talk|speak)(?: to "
            r"me| me| back)?(?: only)? in (?P<value>(?:plain |simple |british |american |formal )?(?:english|"
            r"german|french|spanish|italian|portuguese|dutch|chinese|japanese|polish|swedish|danish|norwegian|"
            r"finnish|turkish|arabic|hindi|korean|russian)\b.{0,80})"), _answered_in,
    ),
)  # fmt: skip
