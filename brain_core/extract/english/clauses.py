"""English sentences cut into clauses: lead-ins off, requests to remember recognised, questions kept apart."""

from __future__ import annotations

import re
from collections.abc import Iterator

from brain_core.extract.language import Clause
from brain_core.text.expression import Expression

_LEAD = Expression(
    r"(?:(?:so|well|ok(?:ay)?|alright|hey|hi|hello|also|oh|btw|by the way|anyway|and|but|plus|yeah|yes|"
    r"yep|nope|honestly|"
    r"look|listen|right|thanks|thank you|great|cool|perfect|good|nice|sure|hm+|uh|um|ah|haha|lol|fyi|"
    r"quick (?:thing|note|one|update|question)(?: before we start)?|one (?:more )?thing|another thing|heads[- ]up|"
    r"before i forget|since you asked|as you know|(?:first|second)(?! (?:day|week|month|time|thing|of)\b)|then|"
    r"now|ps|p\.s\.|for (?:context|background|"
    r"what it's worth)|"
    r"in case (?:it helps|you need it)|to be (?:clear|honest)|update(?! (?:the|all|our|every)\b)|morning|"
    r"good morning|just to be clear|"
    r"for the record|"
    r"just so (?:you|we) (?:know|talk about [^,:]{1,30})|so you know|you should know(?: that)?|for your information|"
    r"(?:it'?s|it is) official|good news|great news|big news|bad news|guess what|anyways|incidentally|as it happens|"
    r"i (?:guess|suppose|think|reckon) (?:you should know|i should (?:mention|say|add|tell you))(?: that)?|"
    r"(?:i should|i forgot to|let me|i'd better|might as well|may as well|just to|just wanted to) (?:mention|say|add|"
    r"point out|flag|note|warn you|let you know|tell you)(?: here)?(?: that)?|worth (?:knowing|mentioning|noting|"
    r"saying)"
    r"(?: that)?|you (?:might|may|ought to) (?:want|like|need)? ?to know(?: that)?|(?:just )?(?:a )?(?:quick |"
    r"small |little )?"
    r"(?:fyi|heads[- ]up)|full disclosure|fun fact|tbh|ngl|basically|frankly|in short|long story short|thing is|"
    r"the thing is|in case (?:it|that) matters|just in case|side note|on a side note|some background|"
    r"actually|correction|(?:it |as it )?turns out(?: that)?|"
    r"not sure (?:i|if i) (?:mentioned|told you|said)(?: this| it)?(?: but)?|as of (?:now|today))\b\s*[,:;.!…–—-]*\s+|"
    r"(?:since|because|as|given(?: that)?|seeing (?:as|that)|considering(?: that)?)\s+"
    r"(?=(?:i'm|i’m|im|i am|i have|i've|i’ve)\b[^?,]{1,120},[^?]{1,200}\?)|"
    r"[-*•–—]\s+|\d{1,2}[.)]\s+)",
    re.IGNORECASE,
)
_ASKS = Expression(
    r"(?:(?:please|pls|also|and|just|anyway|hey|ok)[, ]+){0,2}"
    r"(?:(?:can|could|will|would) you (?:please |kindly |just )?|do me a favou?r and |i(?:'d| would) (?:like|"
    r"want) you to |"
    r"i want you to |you (?:should|must|need to|might want to) |(?:it'?s )?important to |(?:i )?need you to )?"
    r"(?:please )?(?:"
    r"(?:always )?(?:remember|memori[sz]e|keep (?:this |that |it |these )?in mind|bear (?:this |that |"
    r"it )?in mind|don'?t (?:ever )?forget|do not forget|log|"
    r"(?:take |make a |make )?note(?: (?:down|to self|for (?:the future|later|next time|yourself)))?|jot down|record|"
    r"write (?:this |that |it )?down|save|store|keep (?:a )?note|mark (?:this |that |it )?down|commit (?:this |"
    r"that |it )?to memory|"
    r"(?:take|put|jot|get) (?:this|that|it) down|file (?:this|that|it)(?: away)?|(?:hang|hold) on ?to (?:this|"
    r"that|it)|stash "
    r"(?:this|that|it)|make (?:a |yourself a )?(?:mental )?note|add (?:this |that |it )?to your (?:notes|memory|"
    r"records)|keep "
    r"(?:this|that|it) on file|keep track of|retain|have (?:this|that) on file|for your (?:records|notes|memory|"
    r"files))\b"
    r"(?P<object>(?: of)?(?: (?:this|that|it|these)(?: one)?)?(?: down| in mind| in (?:your )?memory)?"
    r"(?: (?:for|from) (?:me|(?:the )?future|later|next time|our next session|future (?:reference|sessions?)|now "
    r"on|all (?:our )?"
    r"(?:later|future|next) \w+|(?:any|the) (?:later|next|rest)(?: \w+)*))?(?: (?:going forward|please|"
    r"somewhere(?: safe)?|"
    r"somehow|permanently|for good|for the record))*)"
    r"|put (?:this|that|it) in (?:your )?(?:memory|notes)|note to self|for (?:future|later) reference)"
    r"(?P<link>\s*[:,–—-]\s*|,? that |\s+(?=(?:the|my|our|i|i'm|i've|we|we're|she|he|they|it|its|it's|"
    r"in|on|for|not|no)\b))",
    re.IGNORECASE,
)
_ASKS_AFTER = Expression(
    r"(?P<body>.{8,600}?)(?:[,;.]|\s[–—-]+)\s+(?:so |and |please |pls |can you |could you |just |do )*(?:remember|"
    r"keep|note|save|"
    r"store|write|jot|log|file|don'?t forget|bear|make a note of|take note of|memori[sz]e|record) (?:that|this|"
    r"it)(?: (?:down|in mind|"
    r"away|please|pls|for .{2,30}|going forward|somewhere|ok|okay|thanks|too|in your .{3,12})){0,4}[.!?]*$",
    re.IGNORECASE,
)
_NOT_ASKING = Expression(
    r"(?:\w+[, ]+){0,2}(?:remember|save|store|record|note)\s+(?:to|when|how|what|why|who|where|the (?:time|"
    r"day|good old)|"
    r"that (?:time|day|song|movie|film|one)|those|old|me|on the|as|in\b)",
    re.IGNORECASE,
)
_QUESTION = (
    r"(?:(?:so|and|but|then|also)\s+)?(?:can|could|would|will|do|does|did|is|are|was|should|shall|may)"
    r" (?:you|we|i|it|there|"
    r"that|this|they|the|my|any|one)\b|(?:(?:so|and|but)\s+)?(?:what(?:'s|’s)?|how|where|which|why|"
    r"who(?=[^?]*\?)|any (?:idea|chance|tips|"
    r"thoughts|suggestions|advice|ideas)|anything|suggest|help me|please (?:write|draft|suggest|give|help)|got any)\b"
)
_SUBJECT = (
    r"i|i'm|i’m|i've|i’ve|i'd|i’d|i'll|i’ll|im|ive|my|we|we're|we’re|we've|we’ve|we'll|our|please|let's|let’s|don't|"
    r"don’t|never|always|you|(?:he|she|they)(?! (?:is|are) (?:our|my|the)\b|['’](?:s|re) (?:our|my|the)\b)|her|his"
)
_ANY_QUESTION = r"(?:(?:so|and|but)\s+)?(?:is|are|does|do|did|can|could|would|will|should)\s[^?]{1,120}\?"
_RUN_ON = (
    r"(?<!\bknow)(?<!\btell)(?<!\bask)(?<!\basked)(?<!\bwonder)(?<!\bidea)(?<!\bsure)(?<!\babout)(?<!\bsee)(?<!\bof)(?<!\bme)"
    r"(?<!\bexplain)(?<!\bto)(?<!\bin)(?<!\bon)(?<!\bfor)(?<!\bis)(?<!\band)(?<!\bor)(?<!\bbut)\s+"
    r"(?=(?:what|which|how|where|who|why)(?: \w+){0,2}? (?:can|should|could|would|do|does|did|may|shall) (?:i|we|she|"
    r"he|they|"
    r"you)\b)|"
    r"(?<!\bi)(?<!\byou)(?<!\bwe)(?<!\bthat)(?<!\bwhat)(?<!\bhow)(?<!\bwhich)(?<!\bwhere)(?<!\bwhen)(?<!\bplease)(?<!\bpls)(?<!\bas)"
    r"(?<!\band)(?<!\bbut)(?<!\bor)(?<!\bso)(?<!\bonly)(?<!\bnor)\s+(?=(?:can|should|may) (?:i|we|she|he|"
    r"they) \w+(?: \w+){0,6}$)"
)
"""Before a question that follows without a mark: "i have asthma what mask should i get"."""
_CUTS = Expression(
    rf"(?P<ask>,\s+(?={_QUESTION}|{_ANY_QUESTION})|(?:\s+and)?\s+so\s+(?={_QUESTION})|{_RUN_ON})|"
    r"(?P<reason>,?\s+(?:since|because|given(?: that)?|seeing (?:as|that)|considering(?: that)?)\s+"
    r"(?=(?:i'm|i’m|im|i am|i have|i've|i’ve)\b[^?]{1,120}\?[\s\"')]*$))|"
    rf",\s+(?:(?:and|but|so|also|plus|yet|though)\s+)?(?=(?:{_SUBJECT}|the|it|it's|it’s|that(?!['’]s (?:now "
    r")?(?:settled|decided|agreed|final))|there)\b)|"
    r"\s+(?:and|but|so)\s+(?=(?:honestly|basically|tbh|frankly|anyway|yeah|yes please|obviously|apparently)\b)|"
    rf"\s+(?:and|but|so)\s+(?=(?:i|i'm|i’m|i've|i’ve|i'd|i'll|my|we|we're|we've|our|please|let's|don't)\b)|"
    r",\s+(?:and |while )?(?=(?-i:[A-Z])[\w’'-]+ (?:(?-i:[A-Z])[\w’'-]+ )?(?:is|handles|runs|leads|manages|owns|"
    r"does)\b)|"
    r",\s+(?:and |but |while )?(?=(?-i:[A-Z])[\w’-]+?(?:['’]s (?:\w+ly )?(?:allergic|intolerant|lactose|gluten|"
    r"vegetarian|vegan|diabetic|c(?:o)?eliac)| (?:can['’]t|cannot|won['’]t|doesn['’]t|must not|never) "
    r"(?:eats?|drinks?|have|touch(?:es)?))\b)|"
    r",\s+(?:but )?(?=(?:maybe|perhaps|probably|not sure if|might have)\s+(?:i|you|we|mentioned|told|said)\b)|"
    r";\s+|\s+[–—-]{1,2}\s+|…\s*|\.{2,3}\s*|,\s+but\s+",
    re.IGNORECASE,
)
_OPEN = Expression(
    r"^(?:i|we)(?:'ve|’ve| have)? (?:finally |now )?(?:made up (?:my|our) minds?|made (?:a|the|my|our)"
    r" (?:final )?(?:decision|choice|call))$|^(?:so )?(?:it's|it is|that's) (?:settled|decided|final)$|"
    r"^[^,]{0,30}\bdecision made:?$|"
    r"^(?:when|whenever|if|every time|each time|any time|after (?:much|a lot|long|some|all|weeks|days|"
    r"comparing|talking|discussing|thinking))\b[^,]*$|"
    r"^(?:dates|times|numbers|prices|names|files|tabs|spaces|seats?|\w+ seats?)\b[^,]*(?:, please)?$",
    re.IGNORECASE,
)
"""What a clause does not end after, since it only opens it."""

_WORD = Expression(r"[a-z]+(?:['’][a-z]+)?")
_TRAILING = " \t.!…,;:"


def words(clause: str) -> set[str]:
    """Return the lower-case words of a clause, apostrophes straight."""
    return set(_WORD.findall(clause.lower().replace("’", "'")))


def clauses(sentence: str, start: int) -> Iterator[Clause]:
    """Cut a sentence that starts at `start` of its message into the clauses that are read on their own."""
    place = skip_leads(sentence, 0)
    request = _ASKS.match(sentence, place)
    if request is not None and not _NOT_ASKING.match(sentence, place):
        place = skip_leads(sentence, request.end())
        body = sentence[place:].rstrip(_TRAILING + "?")
        if body:
            yield Clause(body, start + place, sentence, body, asked=True)
        return
    after = _ASKS_AFTER.match(sentence, place)
    if after is not None:
        yield Clause(after["body"], start + place, sentence, after["body"], asked=True)
        return
    cuts = [cut for cut in _CUTS.finditer(sentence, place) if not _OPEN.search(sentence[place : cut.start()])]
    stops = [*(cut.start() for cut in cuts), len(sentence)]
    limits = _limits(cuts, len(sentence))
    for number, stop in enumerate(stops):
        left = skip_leads(sentence, place) if number else place
        gives_reason = number > 0 and cuts[number - 1]["reason"] is not None
        text = sentence[left:stop].rstrip(_TRAILING + "?" if gives_reason else _TRAILING)
        if text:
            yield Clause(text, start + left, sentence, sentence[left : limits[number]].rstrip(_TRAILING))
        if number < len(cuts):
            place = cuts[number].end()


def before_question(sentence: str) -> str:
    """Return what a sentence tells before it goes on to ask: "I want to save more, can you help me?"."""
    place = skip_leads(sentence, 0)
    first = next((cut for cut in _CUTS.finditer(sentence, place) if cut["ask"] is not None), None)
    return sentence if first is None else sentence[: first.start()]


def _limits(cuts: list[re.Match[str]], end: int) -> list[int]:
    """Return for each clause where the next question or request begins."""
    limits = [end]
    for cut in reversed(cuts):
        limits.append(cut.start() if cut["ask"] is not None else limits[-1])
    return limits[::-1]


def skip_leads(text: str, place: int) -> int:
    """Return where what is said begins, from a place on: behind greetings, fillers and marks of lists."""
    for _ in range(4):
        lead = _LEAD.match(text, place)
        if lead is None:
            break
        place = lead.end()
    return place
