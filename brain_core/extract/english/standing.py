"""Whether an English sentence that no rule reads may be kept as it stands: alone, and in the form of its type."""

from __future__ import annotations

from collections.abc import Mapping

from brain_core.extract.dates import first_day
from brain_core.extract.english.clauses import skip_leads
from brain_core.extract.english.events import TRIVIAL
from brain_core.extract.english.proposals import area_of
from brain_core.extract.english.vocabulary import pattern
from brain_core.extract.language import Scene
from brain_core.text.expression import Expression

_SHORTEST = 3  # words

_POINTS = pattern(
    r"(?:(?:and|but|so|because|since|well|also|that way),? )*(?:(?:it|they|he|she|him|her|them|one|the other|"
    r"the (?:old|new|first|second|last|next|other) (?:one|ones|two)|same|(?:old|new|other|"
    r"both) ones)(?:['’]\w+)?(?= |$)|"
    r"(?:this|that|these|those)(?:['’](?:s|d|ll|re|ve)| (?:is|are|was|were|has|have|had|will|would|can|could|should|"
    r"means?|works?|sounds?|looks?|feels?|seems?|makes?|gives?|goes|way|kind|sort|ones?)\b))"
)
"""A sentence whose subject was named before it: kept alone, nobody knows of what it is said."""

_ORDERS = pattern(
    r"(?:(?:and|but|so|then|also|now|yes|ok|please|pls|just|can you|could you|you can|you will|let me know|"
    r"let'?s)[, ]+)*(?:just )?(?:"
    r"add|analy[sz]e|answer|ask|begin|book|bring|build|calculate|change|check|choose|come up|compare|confirm|"
    r"continue|"
    r"convert|correct|create|describe|design|draft|draw|edit|elaborate|execute|expand|explain|extend|fill|find|fix|"
    r"focus|format|generate|get|give|go (?:on|ahead|over|through)|help|hold|imagine|improve|include|initiate|insert|"
    r"lay|list|look|make(?! (?:that|it)\b)|mix|move|name|optimi[sz]e|organi[sz]e|outline|pause|plan|prepare|proceed|"
    r"produce|proofread|propose|provide|pull|push|put|read|redo|remove|rephrase|replace|reply|research|resume|"
    r"rewrite|run|search|select|send|set|shorten|show|simulate|solve|sort|start|suggest|summari[sz]e|swap|take|talk|"
    r"tell|translate|try|turn|update|walk|write)"
    r"(?! (?:is|are|was|were|has|have|will|goes|comes|runs|starts|ends|:))\b(?![-'’:])(?! \w+ (?:is|are|was) )"
)
"""What is to be done for the user here and now."""

_GOES_ON = pattern(
    r"\bi['’]?(?:m| am) (?:just |now |still |already |right |also )*(?:off to|about to|all set|ready|"
    r"keen to (?:get|see)|"
    r"here|back\b|by the|on it|waiting|looking (?:at|for|forward)|thinking|wondering|trying to|getting|"
    r"going to (?:go|"
    r"try|get|check|take|start|look|have)|not (?:sure|going to lie))|"
    r"\bi can (?:absolutely|definitely|just)\b|\bi['’]?(?:ve| have) (?:just )?been (?:look|think|try|wait|read|"
    r"work)ing|"
    r"\bi['’]ll (?:definitely|just|try|keep|give|let you|get (?:back|on|into|stuck)|be (?:back|ready|sure))|"
    r"\b(?:right now|as we speak|in a (?:sec|minute|moment)|so far so good|talk soon|"
    r"for a (?:sec|second|minute|moment))\b|\bi (?:distinctly |clearly |definitely )?remember (?!to\b)|"
    r"\bi (?:really |just |also |definitely )*(?:think|guess|feel|want to make sure|want to say|need to know|"
    r"hear you|get (?:it|that))\b"
)
"""What the user is about while writing, or how the talk goes."""


_FORMS: Mapping[str, Expression] = {
    "preferences": pattern(
        r"\b(?:prefer\w*|like|love|hate|dislike|enjoy|favou?rite|rather|always|never(?!.*\bbefore\b)|every ?where|"
        r"every time|no(?! (?:way|idea|doubt|problem|need)\b)|nothing|none|without|only|please(?! (?:help|find|"
        r"suggest|"
        r"give|show|tell|let)\b)|skip|avoid|less|more|instead|sacred|strictly|person|(?:addressed|call(?:ed|ing)) |"
        r"(?:can['’]?t|cannot|won['’]?t|don['’]?t|doesn['’]?t|do not) (?:be|bear|drink|eat|ever|go|handle|have|"
        r"like|need|"
        r"read|stand|take|tolerate|touch|use|want)|from (?:now|this) |by default|usual\w*|better|best|easier|"
        r"short|brief|"
        r"makes? me \w+(?=\W*$|[,;]| and| so| when)|(?:gives?|sends?|suits?) (?:me|us|my)|tops|at most|max|must|"
        r"keep)\b|"
        r"^(?:[\w-]+, )+[\w-]+\W*$"
    ),
    "goals": pattern(
        r"\b(?:goals?|aim\w*|targets?|objective|dream|hop(?:e|ing)|ambition|wish|resolution|mission|working towards|"
        r"going for|someday|one day|mean to|determined to|trying to|"
        r"(?:want|wants|['’]d like|would like|need|must|should)\b.{2,80}\b(?:by|before|until|this year|"
        r"next year|within)|"
        r"(?:want|['’]d (?:like|love)|would (?:like|love)|planning) (?:an?\b|to (?!adjust|ask|change|check|"
        r"confirm|discuss|"
        r"go (?:over|through|back|with)|know|look|make sure|manage|meet|move|restructure|say|see|stick|talk|"
        r"throw|try|"
        r"use)\w))"
    ),
    "tasks": pattern(
        r"\b(?:need(?:s|ed)?(?: to|:)|(?:have|has|['’]ve|['’]s|got) (?:got )?to|gotta|must|should|owe|promised|"
        r"supposed to|(?:don['’]t|can['’]t|mustn['’]t) forget|remind|no rush|to-?do|due|deadline|lapses|"
        r"runs out|still "
        r"(?:to|haven['’]t|need)|haven['’]t|keep track|by|before|stuck|blocked|waiting (?:for|on))\b"
    ),
    "decisions": pattern(
        r"\b(?:decid\w+|decision|agreed|settled|chose|chosen|picked|(?:go|going|went|stick|sticking) with|locked in|"
        r"final|approved|green-?lit|confirmed|signed|won['’]t|cut|ended|off|out|dropped|non-negotiable|instead|"
        r"from (?:now|the|next|monday|january) |it is then|replaces?|has to be|we['’]ll (?:use|do|keep|go|take))\b"
    ),
}
"""What is said of each type, where not all is that stands alone."""

_ACTED = pattern(
    r"\b(?:i|we)(?:['’]ve| have)? (?:also |already |finally |just )*(?!(?:need|embed|always|"
    r"never)\b)(?:\w{3,}ed|been|"
    r"bought|came|did|found|gave|got|had|made|meant|said|saw|sent|sat|took|was|went|were|wrote)\b|"
    r"^(?:just |finally |also )*(?:\w{3,}(?<!ne)ed|got|had|lived|slept|went) (?:a|an|my|our|the|up|all|both)\b"
)
"""What the user has done."""

_ABOUT_ONESELF = pattern(r"\b(?:i|i['’](?:m|ve|d)|me|my|myself|mine|we|we['’](?:re|ve)|our|context)\b")
_PASSING = pattern(
    r"\bi['’]?ve (?:been|done|had|seen|got(?! (?:an?|two|three|my)\b))|\b(?:let['’]s|is sorted|feel like)\b|"
    r"^i (?:really |definitely |just )*(?:don['’]t|do not)\b"
)
_DONE = pattern(r"\b(?:done|finished|completed|updated|sorted|installed|all set|started)\b")
_MEASURES = pattern(r"\b(?:\d\S*|[a-z]+teen|[a-z]+ty|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b")
_SMALL = pattern(
    r"\b(?:the|a|an|of|on|in|at|to|by|from|till|until|and|or|is|it|so|st|nd|rd|th|am|pm|mon|tues|wednes|thurs|fri|"
    r"satur|sun|\w+day|morning|afternoon|evening|night|week|weeks|days?|months?|years?|january|february|march|april|"
    r"may|june|july|august|september|october|november|december)\b"
)


_UNFIT: Mapping[str, Expression] = {
    "preferences": _ACTED,
    "goals": _ACTED,
    "tasks": _DONE,
    "profile": pattern(r"\byou\b(?!.*\b(?:address|call))|^(?:since|because|if|unless|as)\b.*\blet['’]s\b|\bif i\b"),
    "knowledge": pattern(
        r"^(?:i|we)(?:['’]ve| have)? (?:also |already |finally |just )*(?:asked|checked|completed|finished|"
        r"found|looked|"
        r"meant|missed|released|saw|started|tried|went)\b|^(?:just )?(?:finished|missed|started)\b"
    ),
    "events": TRIVIAL,
}
"""What is never said of a type."""


def proposable(item_type: str, scene: Scene) -> bool:
    """Return whether a sentence that no rule reads may be kept as it stands, as of a type."""
    text = scene.clause.text[skip_leads(scene.clause.text, 0) :]
    form = _FORMS.get(item_type)
    if not _stands_alone(item_type, text) or (form is not None and form.search(text) is None):
        return False
    unfit = _UNFIT.get(item_type)
    if unfit is not None and unfit.search(text) is not None:
        return False
    if item_type == "profile":
        return area_of(text) != "" or (_ABOUT_ONESELF.search(text) is not None and _PASSING.search(text) is None)
    return item_type != "events" or _tells_what(text, scene)


def _stands_alone(item_type: str, text: str) -> bool:
    return (
        len(text.split()) >= _SHORTEST
        and (item_type == "goals" or _POINTS.match(text) is None)
        and _ORDERS.match(text) is None
        and _GOES_ON.search(text) is None
    )


def _tells_what(text: str, scene: Scene) -> bool:
    """Return whether a text names a day and, besides it and numbers, what happens then."""
    day = first_day(text, scene.said)
    if day is None or not day.exact:
        return False
    rest = _SMALL.sub(" ", _MEASURES.sub(" ", text[: day.start] + " " + text[day.stop :]))
    return len([word for word in rest.split() if any(map(str.isalpha, word))]) >= _SHORTEST - 1
