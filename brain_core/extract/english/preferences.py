"""How the user wants things: likes and dislikes, standing instructions, habits, diet."""

from __future__ import annotations

import re
from collections.abc import Iterable

from brain_core.extract.english.values import ATTRIBUTES, clean, preference, topic
from brain_core.extract.language import Found, Rule, Scene


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)


_ADVERBS = (
    r"(?:(?:really|much|just|usually|generally|always|strongly|honestly|actually|still|also|definitely|"
    r"absolutely|normally|typically|tend to|do|particularly|personally|mostly|would|simply|truly|secretly)"
    r" )*"
)
_LASTING = (
    r"(?:from now on|going forward|from here on(?: out)?|in (?:the )?future|as a rule|in general|by default|"
    r"for all (?:my|our) \w+|from today(?: on)?|henceforth|at all times|whenever possible)"
)
_POINTING = re.compile(r"^(?:[\w'-]+ ){0,3}(?:it|this|that|these|those|them|him|her)\b", re.IGNORECASE)
_POLITE = re.compile(
    r"\b(?:let me know|feel free|take care|good luck|keep (?:it up|going|in touch|smiling|up the)|reach "
    r"out|ask me|be (?:yourself|kind to yourself|proud))\b",
    re.IGNORECASE,
)
_VAGUE = re.compile(
    r"^(?:it|this|that|these|those|you|your (?!answers|replies|responses|emails|style)|how (?!you)|what|"
    r"where|the (?:idea|second|first|third|last|new|other|sound|one|look|way|plan)|"
    r"him|her|them|to (?:know|see|hear|think|say|believe|thank|ask)|when (?!you)|being|everyone|people|"
    r"my (?:life|job|boss|mom|dad|wife|husband|kids?)|"
    r"our chats?|talking|mondays|monday|so much|both|all of|option|number|version|some|a (?:few|bit|second)"
    r"|nothing|everything|myself)\b",
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
    r"never|always|double-check|remind|warn|tell|let|wait|be|take|say|mention|share|touch|delete|rename|"
    r"merge|mark|prioriti[sz]e|begin|finish|do|get|have|set|turn|read|work|number|bold)"
)
_FOR = r"(?:(?:for|with|in|on|when it comes to|as for|regarding|at) (?!me\b)[^,]{2,40}?,? )?"
_MANNER = (
    r"answers?|replies|reply|responses?|explanations?|paragraphs?|sentences?|e-?mails?|messages?|summar(?:y|ies)|code|"
    r"commits?|comments?|tone|things|it|examples?|texts?|drafts?|wording|language|everything"
)


def _liked(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    value = match["value"]
    if _VAGUE.match(value) or len(value) < 3 or _POINTING.match(value):
        return
    text = scene.clause.text
    negative = match["verb"].lower() not in {"prefer", "like", "love", "enjoy", "adore", "favor", "favour"}
    yield Found(preference(value if not negative else text, clean(value) if not negative else text))


def _wanted(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    text = scene.clause.text
    yield Found(preference(match["value"] if match.start("verb") < 12 else text))


def _favourite(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    if not re.match(r"(?:thing|part|moment|bit)\b", match["what"], re.IGNORECASE):
        yield Found(preference(f"favourite {match['what']}", scene.clause.text, name=topic(match["what"])))


def _standing(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    text = scene.clause.text
    if len(text.split()) >= 3 and not _POLITE.search(text):
        yield Found(preference(text, scene.clause.whole), span=(match.start(), len(scene.clause.whole)))


def _clause(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    yield Found(preference(match["value"] if "value" in match.re.groupindex else scene.clause.text, scene.clause.text))


def _allergy(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    yield Found(preference(scene.clause.text, scene.clause.text, name=f"allergy_{topic(match['what'], 2)}"))


def _diet(match: re.Match[str], scene: Scene) -> Iterable[Found]:  # noqa: ARG001
    yield Found({"scope": "other", "name": "diet", "value": clean(scene.clause.text)})


def _called(match: re.Match[str], scene: Scene) -> Iterable[Found]:  # noqa: ARG001
    if match["name"].lower() not in {
        "later",
        "back",
        "when",
        "crazy",
        "if",
        "tomorrow",
        "today",
        "at",
        "on",
        "an",
        "a",
        "the",
        "old",
    }:
        name = match["name"]
        yield Found({"subject": "user", "facts": [{"k": "name", "v": name}]}, type="profile")


_LASTING_MANNER = _pattern(
    r"\b(?:short|brief|concise|formal|informal|casual|simple|under|below|within|at most|no more|to the "
    r"point|lean|neutral|"
    r"polite|friendly|plain|small|dry|max(?:imum)?|unless|longer|shorter|detailed|to (?:one|two|three|four|five|\d))\b"
)
_OF_ALL = _pattern(r"\b(?:all|every|each|always|your|any)\b|s$")


def _manner(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read how all answers, mails, … are to be; of one of them it is for now only."""
    what = match[0][: match.start("value") - match.start()]
    if _LASTING_MANNER.search(match["value"]) and match["what"].lower() != "it" and _OF_ALL.search(what):
        whole = scene.clause.whole
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
    fields = preference(match["value"])
    if any(name == fields["name"] for name, _, pattern in ATTRIBUTES if pattern.search(match["value"])):
        yield Found({**fields, "value": clean(scene.clause.text)})


RULES = (
    Rule(
        "call_me", "profile", "call address",
        re.compile(
        r"^(?:[Pp]lease |[Jj]ust |[Yy]ou can )*(?:[Cc]all|[Aa]ddress) me (?:as )?\"?(?P<name>[A-Z][\w'’-]{1,30})"),
            _called, shares=True,
    ),
    Rule(
        "allergy", "preferences", "allergic allergy intolerant intolerance",
        _pattern(
            r"^(?:i'm|i’m|i am|im|i have|i've got) (?:\w+ )?(?:allergic to|an? allergy to|intolerant (?:to|"
            r"of)|an? intolerance to) (?P<what>.{3,80})"), _allergy,
    ),
    Rule(
        "allergy_adjective", "preferences", "intolerant allergy celiac coeliac",
        _pattern(
            r"^(?:i'm|i’m|i am|i have) (?:an? )?(?P<what>(?:lactose|gluten|nut|peanut|shellfish|egg|pollen|"
            r"dairy|soy)[ -](?:intoleran|allerg)|celiac|coeliac)"), _allergy,
    ),
    Rule(
        "diet", "preferences", "vegetarian vegan pescatarian kosher halal gluten keto teetotal sober plant",
        _pattern(
            r"^(?:i'm|i’m|i am|im|i eat|i've (?:gone|been|turned)|we're|we are|i went|i keep|i only eat|"
            r"we eat|we keep) (?:\w+ ){0,3}?(?:vegetarian|vegan|pescatarian|kosher|halal|gluten[- ]free|"
                 r"dairy[- ]free|keto|teetotal|plant[- ]based|lactose[- ]free)\b"), _diet,
    ),
    Rule(
        "eats", "preferences", "eat drink",
        _pattern(r"^(?:i|we) (?:eat|drink) (?P<value>(?:everything|anything|meat|fish|only|no|mostly|all)\b.{0,80})"),
            _diet,
    ),
    Rule(
        "does_not_eat", "preferences", "eat drink smoke touch",
        _pattern(
            r"^(?:i|we) (?:really |just |simply |also )?(?:don't|don’t|do not|never|can't|can’t|cannot|"
            r"no longer) (?:really |ever |actually )?(?P<value>(?:eat|drink|smoke|touch) (?!with|this|"
            r"that|it|much today).{2,80})"), _clause,
    ),
    Rule(
        "standing", "preferences",
        "now forward here future rule general default time today henceforth possible times all",
        _pattern(
            rf"^(?:please )?{_LASTING}\b,? .{{6,300}}|^(?!we\b|it\b|the\b|i (?!want|need|expect|would like|"
            rf"'d like|prefer)).{{6,300}},? {_LASTING}$|^(?:please )?(?:use|write|answer|reply|keep|make|"
            r"give|avoid|stop|don't|don’t|do not|add|put|send|format|call|treat|include|leave|drop|skip|"
            rf"stick|respond|speak) .{{3,200}} {_LASTING}\b"), _standing,
    ),
    Rule(
        "always_never", "preferences", "always never ever",
        _pattern(
            r"^(?:please |you (?:must |should )|and )?(?:always|never|don't ever|don’t ever|do not ever|"
            rf"you must never|you should never) (?={_IMPERATIVE}\b|(?!here|fun|so|up|there|good|nice|great|"
            r"by|worth|at|in|one|on)\w+ (?:the|my|a|an|any|your|our|anything|all)\b)(?!mind|been|\w+ing\b|"
            r"\w+ed\b|seen|had|heard|again|said|have i|did|wanted|ends?|happy|tired|there|works?\b)(?P<value>\w+"
            r" .{2,300})"), _standing,
    ),
    Rule(
        "on_a_diet", "preferences", "diet off table me only never not always",
        _pattern(
            r"^(?:(?P<a>(?:i'm|i’m|i am|we're) on (?:an? |the )[\w -]{3,40} diet\b.{0,60})|(?P<b>(?:no|"
            r"anything with|everything with|nothing with) [\w -]{2,40} (?:for (?:me|us)|is off (?:the "
            r"table|limits)(?: for (?:me|us))?|is out|is not an option)\b.{0,80})|"
                 r"(?P<c>(?!(?:i|it|that|this|he|she|we|they|you|there|one|read|members|staff|not|if|just)"
                 r"\b)(?:[\w-]+ ){1,4}only(?:,? please)?(?=$|,).{0,100})|(?P<d>(?!(?:i|it|that|this|he|"
                 r"she|we|they|you|there)\b)(?!for |with |your |so )[\w -]{4,60}?(?:,| please,) (?:never|"
                 r"always) [\w ./-]{2,60}))$"), _clause,
    ),
    Rule(
        "under_no_circumstances", "preferences", "circumstances stop period allowed whatsoever limits must",
        _pattern(
            r"^(?:under no circumstances (?P<a>.{4,200})|(?:i|we) (?:don't|don’t|do not|never|won't) .{3,120}, "
            r"(?:full stop|period|no exceptions|ever|at all|whatsoever)$|(?:(?:everything|all \w+(?: \w+)"
            r"?|any \w+(?: \w+)?|nothing|my [\w ]{2,40}) must(?: not| never)?|(?:it|this|everything|all "
            r"\w+(?: \w+)?|any \w+(?: \w+)?|nothing|my [\w ]{2,40}) (?:has to|have to|may not|is not allowed "
            r"to|should never|should always|needs to stay|can't be|cannot be)) .{4,160})"), _standing,
    ),
    Rule(
        "uses", "preferences", "use using",
        _pattern(
            r"^(?:i|we)(?:'m|’m)? (?:mostly |mainly |personally |only |all )*(?:use|using) (?P<value>(?!to\b|"
            r"it\b|this\b|that\b|the (?:same|following|code|function|first)\b|them\b|you\b|up\b).{2,60}? "
            r"(?:for (?:everything|all|most|my|our|work|notes|editing|coding|writing|email|development|"
            r"version|project|chat|tasks|planning|builds?|tests?|deploy\w*|\w+ing\b)|as (?:my|our)|every "
            r"day|daily|at work|exclusively)\b.{0,80})"), _clause,
    ),
    Rule(
        "wants_things_so", "preferences", "want need expect like every all each your",
        _pattern(
            r"^(?:i|we|i'd|i’d|we'd)(?: really| just| always)? ?(?:want|need|expect|would like|like|prefer)"
            r" (?P<value>(?:every|all|each|any|your|my) (?:\w+ ){0,2}?(?:answers?|repl(?:y|ies)|responses?|"
            r"summar(?:y|ies)|emails?|mails?|messages?|reports?|code|commits?|functions?|explanations?|"
            r"lists?|prices|dates|numbers|times|texts?|drafts?|files?|tests?|charts?|reminders?|recipes?|"
            r"suggestions?|links?|notes|documents?|letters?|results?)\b.{3,160})"), _clause,
    ),
    Rule(
        "lasting", "preferences",
        "always never now forward here future default rule general every whenever each ever exceptions "
        "times permanently all any unless until henceforth time matter",
        _pattern(
            rf"^{_REQ}(?:for (?!me\b)[^,]{{2,40}}, )?(?:{_IMPERATIVE}\b.{{2,240}}\b{_LASTS}\b.{{0,160}}|"
            rf"{_LASTS},? (?:please )?{_IMPERATIVE}\b.{{3,240}}|(?!(?:i|i'm|i've|we|it|it's|he|she|they|"
            r"the|this|that|there|you|what|how|thanks|best|worst|my|our|as|happens|happened|same|nothing|"
            rf"been|first|not|have|has|let)\b)(?!.*\b(?:you|as|like) {_LASTS})(?:[\w'-]+ ){{1,6}}?[\w'-]+,? "
            rf"{_LASTS}(?:,? please)?)$"), _standing,
    ),
    Rule(
        "attribute", "preferences", "use write answer reply keep format in metric imperial celsius spelling iso",
        _pattern(
            rf"^{_REQ}(?:use|stick (?:to|with)|switch to|write in|answer in|reply in|format (?:dates|numbers|"
            r"times) (?:as|like|in)) (?P<value>.{3,160})"), _attribute,
    ),
    Rule(
        "works_for_me", "preferences",
        "best crazy nuts thing jam person swear avoid better drives tolerate handle deal easier annoying "
        "hate comfortable priority important matters",
        _pattern(
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
        "always_at_end", "preferences", "always",
        _pattern(
            r"^(?:please |so please )?(?:keep|use|write|answer|reply|include|add|put|make|send|give|show|"
            r"format|sign|start|end|check|ask) .{4,200},? always$"), _standing,
    ),
    Rule(
        "whenever", "preferences", "when whenever if every each",
        _pattern(
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
        _pattern(
            r"^(?:(?:the |my |our |one |a |another |small |the team's |house |hard |golden |ground |first "
            r"|only |important |standing )+)(?:small |big |tiny |other )?(?:\w+ )?(?:rules?|constraints?|"
            r"requirements?|requests?|wish|preference|guideline|convention|house style|policy|pet peeve|"
            r"habit|must|no-go|deal-?breaker)(?: (?:here|regarding|about|on|for|in|of|about|is|at|to)\b[^:,]{0,6"
            r"0})?(?:\s*[:,–—-]| is(?: that)?| are)\s+(?P<value>.{5,300})"), _standing,
    ),
    Rule(
        "prefers", "preferences", "prefer prefers rather",
        _pattern(
            rf"^{_FOR}(?:i|we|personally,? i|i'd|i’d|we'd) {_ADVERBS}(?P<verb>prefer|rather) (?:(?:to )"
            r"?have |to (?:get|see) |it if you |that you |you to |if you )?(?P<value>.{3,240})"), _wanted,
    ),
    Rule(
        "preference_is", "preferences", "preference preferred go choice comfort style",
        _pattern(
            r"^my (?:\w+ )?(?:preference|preferred \w+|go-to(?: \w+)?|choice|comfort zone|style|default "
            r"\w+|usual \w+)(?: \w+){0,4}(?: is| are|:| has always been) (?P<value>.{3,240})"), _clause,
    ),
    Rule(
        "favourite", "preferences", "favourite favorite fave",
        _pattern(
            r"^(?:my|our) (?:all-time |absolute |new |current )*(?:favou?rite|fave) (?P<what>[\w -]{2,40}?)"
            r"(?: is| are|:|'s| will always be| has always been| remains?) (?P<value>.{2,120})"), _favourite,
    ),
    Rule(
        "best_for_me", "preferences", "best",
        _pattern(r"^(?P<value>[\w -]{3,60}) (?:works?|suits?|fits?) (?:best for me|me best|me better)\b"), _clause,
    ),
    Rule(
        "dislikes", "preferences", "stand hate dislike detest despise loathe fan bear",
        _pattern(
            rf"^{_FOR}(?:(?:i|we) )?{_ADVERBS}(?P<verb>can't stand|can’t stand|cannot stand|cant stand|"
            r"can't bear|hate|dislike|detest|despise|loathe) (?:it when (?=you)|when (?=you))?(?P<value>.{3,160"
            r"})"), _liked,
    ),
    Rule(
        "not_a_fan", "preferences", "fan into like love keen fond partial",
        _pattern(
            r"^(?:i'm|i’m|i am|im|we're|not) (?:not )?(?:really |much )?(?:a |an )?(?:(?:big|huge|great|"
            r"massive|real) )?(?:fan of|into|keen on|fond of|partial to) (?P<value>(?!it\b|this\b|that\b|"
            r"the \w+th\b|you\b|my \w+th\b).{3,120})"), _clause,
    ),
    Rule(
        "does_not_like", "preferences", "like want love enjoy",
        _pattern(
            r"^(?:i|we) (?:really |just )?(?:don't|don’t|do not|never) (?:really |ever |particularly )"
            r"?(?P<verb>like|enjoy|want) (?P<value>(?!it\b|that\b|this\b|to\b|him\b|her\b|the (?:idea|"
            r"look|sound|second|first)\b|any(?:thing|one)\b).{3,160})"), _clause,
    ),
    Rule(
        "likes", "preferences", "like love enjoy adore loves",
        _pattern(rf"^{_FOR}(?:i|we) {_ADVERBS}(?P<verb>like|love|enjoy|adore|favou?r) (?P<value>.{{3,160}})"), _liked,
    ),
    Rule(
        "manner", "preferences", "keep make",
        _pattern(
            r"^(?:please |just |so please |can you |you can )*(?:keep|make) (?:all |your |the |my |every "
            rf"|each |any )*(?:of (?:your|my) )?(?:\w+ )?(?P<what>{_MANNER})\b(?P<value>.{{3,200}})"), _manner,
    ),
    Rule(
        "no_manner", "preferences",
        "don't no stop avoid drop skip without leave spare save lose enough less fewer more cut",
        _pattern(
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
        _pattern(
            r"^(?:(?:for|in|on|with|when|as for) [^,]{2,60}?,? )?(?:i|we) (?P<value>(?:only|exclusively|"
            r"always|never|usually|typically|generally|mostly|mainly|normally|tend to|strictly) (?:ever "
            r")?(?!(?:know|knew|think|thought|feel|felt|forget|forgot|wonder|get|got|seem|have|had|end|"
            r"remember|understand|understood|saw|met|said|heard|been|be|meant|mean|need|want|wanted|want|"
            r"just|imagine|believe|expected|noticed|lose|miss|a|one|the|so|too|struggle|cry|really|consider|"
            r"pair|find|worry|fail|miss|hope|wish|try)\b)\w+\b(?! (?:it|this|that|him|her|them)\b).{2,200})"), _clause,
    ),
    Rule(
        "no_without", "preferences", "no nothing nobody under",
        _pattern(
            r"^(?:no|nothing|nobody|under no circumstances) (?P<value>[\w -]{3,60} (?:without|before|after|"
            r"on|in|unless|longer than|over|under|above|below) .{3,120})"), _prohibition,
    ),
    Rule(
        "answer_in", "preferences", "answer reply respond write talk speak use",
        _pattern(
            r"^(?:please |pls |just |you can |always )*(?:answer|reply|respond|write|talk|speak)(?: to "
            r"me| me| back)?(?: only)? in (?P<value>(?:plain |simple |british |american |formal )?(?:english|"
            r"german|french|spanish|italian|portuguese|dutch|chinese|japanese|polish|swedish|danish|norwegian|"
            r"finnish|turkish|arabic|hindi|korean|russian)\b.{0,80})"), _clause,
    ),
)  # fmt: skip
