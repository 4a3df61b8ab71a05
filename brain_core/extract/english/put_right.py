"""How English puts right what was just told: "correction: 45k", "second floor, sorry", "I said blue, meant green"."""

from __future__ import annotations

from dataclasses import replace

from brain_core.extract.dates import first_day
from brain_core.extract.english.values import clean
from brain_core.extract.english.vocabulary import pattern
from brain_core.extract.righting import Opened, Openings, Righting, Slip

_MARKS = r"[,.!:;…–— -]*"
_OPENS = pattern(
    r"(?:no(?=[,.!;…–— -]*[,.!;…–—]| (?:wait|sorry|hang|hold|actually|i mean))|oh|o|ah|a+rgh|ugh|nope|wait|hang on|"
    r"hold on|h+m+|ok(?:ay)?|so|and|but|well|er+m?|u+m+|lol|haha+|damn|shoot|"
    rf"yikes|actually|or|rather|you know what|(?:make|call) (?:that|it))\b(?!['’]){_MARKS}"
)
_OPENS_WITH_DOUBT = pattern(r"(?:make|call) (?:that|it)\b|no\b|nope|wait|hang on|hold on|actually|a+rgh|ugh|h+m+")
_SORRY = (
    r"(?:whoops|oops(?:ie)?|sorry|sry|apologies|pardon|my (?:bad|mistake|fault|error)|brain (?:fart|fog)|silly me|"
    r"i (?:keep|always) (?:forgetting|mixing (?:that|it|them) up)|(?:stupid |damn )?auto ?correct\w*|"
    r"(?:fat|clumsy) (?:fingers|thumbs)|(?:my )?(?:(?:stupid|damn|bloody) (?:phone|keyboard)|phone (?:changed|"
    r"corrected) (?:it|that))|"
    r"i (?:meant|mean))\b"
)
_REGRETS = pattern(
    rf"{_SORRY}(?: (?:about|for) that)?(?:[,.!:;…–—-]{_MARKS}|\s+(?=(?:it|that)['’]?s\b|i (?:mean|meant|was|mis|got|"
    r"mix|had|keep|for)|brain|auto|my (?:bad|m|f|e)|\S*\d)|$)"
)
_REGRETS_AFTER = pattern(
    rf"(?:[,.!… ]+|^)(?:{_SORRY}(?: (?:about|for) that)?|to be (?:exact|precise|accurate)|technically|"
    r"(?P<weak>actually|rather|lol|haha+))[ .!]*$"
)
_LETTERS = r"with(?:out)? (?:an? |the |one |two |double |no )['\"]?[a-z]['\"]?(?![\w'])"
"""How something is spelled: "with one n"."""
_TOLD_WRONG = pattern(
    rf"(?:{_LETTERS}(?=[,.:;!–—-])|(?:small |minor |quick )?corrections?(?: (?:to|of|about) [^:]{{2,60}}(?=:))?"
    r"(?= ?[,:;.!–—-])|typo|"
    r"(?:that|it|this|what i (?:said|wrote))(?:['’]?s| is| was) (?:(?:a )?typo|wrong|incorrect|not (?:right|true|"
    r"correct)|a (?:mistake|slip|lie)|outdated|a joke)|(?:not|isn['’]?t|wasn['’]?t) (?:right|true|correct)|"
    r"(?:i|we)(?: just| must have|['’]ve| have)? (?:mis(?:spoke|said|typed|read|counted|remembered|heard|wrote|"
    r"calculated|stated|labell?ed|spelled|spelt)(?: that| it| (?:the|my|our|his|her) [\w' ]{2,20}?(?=[,.:;–—-]))?|"
    r"(?:got|had|mixed|muddled|confused) (?:that|it|this|them|those|things)(?: all)?(?: wrong| mixed up| backwards|"
    r" up)?|(?:was|were) (?:wrong|mistaken|joking|kidding|confused|off)(?: (?:about|on|with) (?P<about>(?:the|my|our) "
    r"[\w' ]{2,30}?|[\w-]{3,20})(?=[,.:;–—-]))?)|"
    r"let me (?:rephrase|correct (?:that|myself|this)|fix that|try (?:that )?again|restate that)|"
    r"(?:on )?second thoughts?|on reflection|(?:that['’]?s )?(?:the )?wrong(?: \w+|(?=[,.:;!–—-]))|(?:scratch|"
    r"strike) that(?=[,.:;!–—-]|"
    r"$)|"
    r"(?:i )?(?:just |now )?(?:(?:double[- ]?|re-?)?(?:checked|counted|read)|looked it up|re-?read|asked)"
    r"(?: again| twice| (?:the|my|our|with|it)\b[\w' ]{0,25}?)?(?=[,.:;–—-])|"
    r"(?:please )?(?:change|correct|fix) (?:that|it) to|(?:it )?should (?:be|read|say|have (?:been|said|read))|"
    rf"i should have (?:said|written))\b{_MARKS}"
)
_LOOKED_UP = pattern(r"(?:i )?(?:just |now )?(?:double|re-?|check|count|look|read|ask)")
_FRAME = pattern(
    r"^(?:(?:it|that|this|he|she|they|there|i|we|(?:the|my|our|his|her|its|their) [\w-]+(?: [\w-]+)?)"
    r"(?:['’](?:s|re|m|ve)| is| are| am| was| were| says?| reads?| has| have| should (?:be|read|say))|"
    r"should (?:be|read|say)|make (?:that|it)|spel(?:led|t))(?: (?:actually|really|only|supposed to be|called|named))*"
    r"[:,]? (?!not\b)"
)
_NOT_BUT = pattern(
    r"(?:(?:it|that)(?:['’]?s| was| is) )?not (?P<old>[\w#@][\w .:/#%'’@-]{0,25}?)[,;.!] (?:but |(?:it|"
    r"that)(?:['’]?s| was) |"
    r"rather )*(?P<new>[^,;]+)"
)
_BUT_NOT = pattern(
    r"(?P<new>[^,;]+?)(?:(?:,| [–—-]) not (?P<old>[\w][\w .'’@-]{0,25}?)(?=[,;]|$)|"
    r"(?<!\bbut)(?<!\bif)(?<!\bwhy)(?<!\band)(?<!['’]s)(?<!['’]m)(?<!['’]re)(?<!\bis)(?<!\bare)(?<!\bwas)(?<!\bam)"
    r"(?<!\bdo)(?<!\bdid)(?<!\bdoes)(?<!\bcan)(?<!\bcould)(?<!\bwill)(?<!\bhave)(?<!\bhas) not "
    r"(?P<old2>[\w][\w.'’@-]*(?: [\w][\w.'’@-]*){0,2})(?=[,;]|$))"
)
_NOT_WHO_BUT = pattern(
    r"(?:it|that) (?:isn['’]?t|wasn['’]?t|is not|was not) (?P<old>[\w][\w .'’-]{0,25}?) (?:who|that|"
    r"which)\b[^,;]{2,60}[,;] "
    r"(?:but |it(?:['’]?s| is| was) )+(?P<new>[^,;.]+)"
)
_SAID_MEANT = pattern(
    r"(?:i|we) (?:said|wrote|typed|put|told you) (?P<old>[\w][\w .'’@-]{0,25}?)[, ]+(?:but |and |when |where )?"
    r"(?:i |we )?(?:meant|should have (?:said|written))(?: to say)? (?P<new>[^,;]+)"
)
_RECORD = (
    r"(?:[\w']+ )?(?:signs?|letter|contract|website|web ?site|site|app|card|label|receipt|box|invoice|calendar|"
    r"e?-?mail|"
    r"ticket|bill|menu|form|system|dashboard|docs?|page|board|packet|leaflet|poster|timetable|schedule|notes?|"
    r"confirmation|booking|statement|screen|map|list|passport|licen[cs]e)"
)
_SEEN = pattern(
    r"(?:now that i (?:look|think|check|see)\b|(?:i(?:['’]ve)? )?(?:just |only )?(?:re-?|double[- ]?)?(?:checked|"
    r"looked|"
    rf"counted|asked|read it) |(?:the|my|our|his|her|their) {_RECORD} says\b|says (?:the|my|our|his|her) {_RECORD}\b|"
    rf"{_LETTERS})"
)
"""Says behind what holds instead how one knows, or how it is spelled."""
_CLEFT = pattern(
    r"(?:it|that)(?:['’]?s| was| is) (?P<who>(?:my |our |his |her )?[\w' -]{2,30}?),? (?:who|that)(?P<verb>['’]s|"
    r"['’]ve| is|"
    r" was| has| are| \w+s)(?P<rest> [^,;]{2,60})"
)
_BREAK = pattern(
    rf"[,;]|\s[–—(-]|"
    rf"(?<!\bst)(?<!\bmr)(?<!\bms)(?<!\bdr)(?<!\bmrs)\.\s| (?:now that|because|since|as it) | (?={_LETTERS})"
)
"""Behind what holds instead: why, or how it came about."""
_GOES_ON = pattern(
    r"(?:i|we)(?:['’]ll| will|['’]d| can)\b|let['’]?s\b|(?:just|please|can|could|what|how|tell|write|show)\b"
)
_ASKS = r"(?:please |pls |can you |could you |just |you can )*"
_TAKES_BACK = tuple(
    pattern(
        rf"{_ASKS}(?:ignore|disregard|forget|delete|remove|scratch|strike|erase|un-?remember|never ?mind|drop|skip|"
        rf"take(?= (?:that|it|this) (?:out|off|back|away))) {form}(?: out| off| back| away)?(?:[, ]+(?:please|pls|then|"
        r"now|again|ok|okay|thanks|sorry|will you))*"
        r"(?P<why>[,.;:!–—-]+ ?(?!.*\b(?:instead|if|unless|when|until)\b)[^?]{0,80})?[.! ]*"
    )
    for form in (
        r"(?:about )?(?:what i (?:just )?(?:said|told you|wrote|mentioned)|everything i said|anything i said|"
        r"the (?:bit|part|"
        r"thing|stuff)) (?:about|on|regarding|with) (?:the |my |our )?(?P<about>[\w][\w .'’-]{1,40}?)",
        r"(?:the|my|our) (?P<about>[\w][\w .'’-]{1,40}?) (?:decision|thing|plan|bit|part|task|note|reminder|preference|"
        r"event|appointment|idea|goal)",
        r"about (?:the |my |our )(?P<about>[\w][\w'’-]{2,20}(?: [\w][\w'’-]{2,20})?)",
        r"(?P<about>)(?:that|this|(?<!forget )(?<!drop )(?<!skip )(?<!mind )it|those|the last (?:one|bit|part|message|"
        r"thing)|(?:that|this) (?:one|bit|part|message|thing)|my last (?:one|message)|"
        r"what i (?:just )?(?:said|told you|wrote|typed))",
    )
)
_PARTS = pattern(r"[,;] (?:so |and |please )*")
_STATES = pattern(
    r"(?:i|we|you|he|she|they|it|there|let['’]?s|please|can|could|what|how|why|when|who|is|are|do|does|so|then|"
    r"thanks?|thx|ty|yes|yeah|yep|yup|no|nah|ok|okay|k|fine|good|great|right|true|sure|perfect|awesome|cool|nice|super|"
    r"exactly|correct|wonderful|amazing|lovely|brilliant|excellent|cheers|ta|noted|understood|agreed|done|sweet|wow|"
    r"ha+|"
    r"bye|goodnight|morning|hello|hi|hey|damn|fair|indeed|absolutely|definitely|same|ditto|solid|roger|merci|danke|"
    r"gracias|"
    r"ciao|welcome|congrats|phew|yay|lol|omg|stop|next|more|again|continue|go|well|never|always|still|even|only|just|"
    r"maybe|perhaps|about)\b"
)
_DENIES = pattern(r"n['’]t\b|\b(?:not|no|never|none|nothing|without)\b")
_CUE = pattern(
    r"\b(?:sorry|sry|apologies|pardon|oops\w*|whoops|kidding|take|my (?:bad|mistake|fault|error)|brain|silly|"
    r"forgetting|mixing|"
    r"auto ?correct\w*|fingers|thumbs|phone|keyboard|corrections?|correct|typo|wrong|incorrect|mistake|slip|lie|joke|"
    r"joking|right|true|outdated|mis\w+|mean|meant|mixed|muddled|confused|mistaken|was off|rephrase|fix|restate|again|"
    r"thoughts?|reflection|scratch|strike|checked|looked|counted|re-?read|asked|change|should|make|call|isn['’]?t|wasn['’]?t|not|no|nope|"
    r"wait|hang|hold|actually|h+m+|ugh|a+rgh|ignore|disregard|forget|delete|remove|erase|remember|mind|drop|skip|"
    r"rather|read|says|exact|precise|accurate|technically|need|rule|look|see|without|with (?:an?|one|two|double))\b"
)
_LONGEST = 160
"""Characters of a sentence that only puts right what was told."""
_MOST_WORDS = 5
"""Of what holds instead."""


_OPENINGS = Openings(_TOLD_WRONG, _LOOKED_UP, _REGRETS, _OPENS, _OPENS_WITH_DOUBT)


def _read(sentence: str) -> Slip | None:
    text = sentence.strip()
    if len(text) > _LONGEST or text.endswith("?"):
        return None
    edited = _EDITED.fullmatch(text)
    if edited is not None:
        return _slip(edited["new"], edited["old"], "")
    if _CUE.search(text) is None:
        return _bare(text)
    told = text.rstrip(" .!…")
    opened = _OPENINGS.of(told, told)
    return _taken_back(opened) or _of_both(opened) or _put_right(opened)


def _taken_back(opened: Opened) -> Slip | None:
    """Return what a sentence takes back without anything instead."""
    parts = _PARTS.split(opened.rest)
    scratched = not opened.rest and _SCRATCHES.search(opened.opens) is not None
    if scratched or any(_NO_NEED.fullmatch(part) for part in parts):
        return Slip()
    tries = ((form, part) for part in (opened.rest, *parts[1:]) for form in _TAKES_BACK)
    taken = next((match for form, part in tries if (match := form.fullmatch(part))), None)
    if taken is None or _GOES_ON.match((taken["why"] or "").lstrip(" ,.;:!–—-")):
        return None
    return Slip(about=taken["about"])


def _of_both(opened: Opened) -> Slip | None:
    """Return what holds, and what does not, of a sentence that names both."""
    tries = (form.match(opened.rest) for form in (_SAID_MEANT, _NOT_WHO_BUT, _NOT_BUT))
    match = next((each for each in tries if each is not None), None)
    return None if match is None else _slip(match["new"], match["old"], opened.about)


def _put_right(opened: Opened) -> Slip | None:
    """Return what holds instead, where the sentence says no more than that, or that what was told was a joke."""
    slip = _instead(opened) if opened.rest else None
    if opened.wrong and _JOKED.search(opened.opens) and (slip is None or slip.whole):
        return Slip()
    if slip is None:
        return _bare(opened.rest)
    if slip.whole and not opened.wrong:
        return None
    return replace(slip, excuses=opened.regrets and not opened.wrong and not slip.old)


def _bare(text: str) -> Slip | None:
    """Return a few words that stand alone, before a break if anything follows."""
    stop = _BREAK_OF_BARE.search(text)
    told = text if stop is None else text[: stop.start()]
    new = clean(told.strip("*…. "))
    new = _IT_IS.sub("", new)
    if not new or len(new.split()) > _MOST_BARE or _STATES.match(new) or _SAYS_MORE.search(new):
        return None
    starred = told.strip().startswith("*") or told.strip().endswith("*")
    return Slip(new, surely=starred, bare=True)


_MOST_BARE = 4
"""Words of what stands alone."""
_IT_IS = pattern(r"^(?:it|that)['’]?s ")
_SAYS_MORE = pattern(
    r"^(?:for|in|on|by|from|with|of|and|but|if|when|while|as|use|add|make|try|go|get|let|give|also|another|plus|or|"
    r"next|"
    r"last|this|every|my|our|your|all|some|any|more|less|about|like|love|hate|happy|see|hi|hey|hello|dear|forget|"
    r"remember|delete|remove|remind|note|save|write|change|set|tell|show|"
    r"find|check|book|buy|call|e?mail|send|ask|help|explain|stop|start|keep|do|read|open|close|cancel|move|put|take|"
    r"ignore|"
    r"skip|prefer|need|want|think|draft|list|summari[sz]e|translate|fix|run|look)\b|"
    r"['’](?:s|m|re|ve|ll|d)\b|\b(?:is|are|was|were|am|be|been|do|does|did|have|has|had|will|would|can|could|should|"
    r"must|"
    r"may|might|(?<!\d )to|too|also|either|\w+ed|\w+ing)\b"
)
_EDITED = pattern(r"s/(?P<old>[^/]{1,40})/(?P<new>[^/]{1,40})/?g?")
"""How those write who edit by commands: "s/1.27/1.29/"."""
_SCRATCHES = pattern(r"\b(?:scratch|strike) that\b")
_NO_NEED = pattern(
    r"(?:there['’]?s )?no need(?: any ?more| after all| now| for that)?|"
    r"(?:please )?don['’]?t make a rule (?:out )?of (?:it|that)"
)
_JOKED = pattern(r"\b(?:joking|kidding|joke)\b")
_BREAK_OF_BARE = pattern(
    r"[,;!(](?!\d)| (?=(?:with|including|incl\.?|plus|counting|without) )|:(?!\d)|\s[–—-]|"
    r"(?<!\bmr)(?<!\bms)(?<!\bmrs)(?<!\bdr)\.(?:\s|$)|\.{2}|[^\x00-\u024f‘’“”–—…*]"
)


def _instead(opened: Opened) -> Slip | None:
    """Return what holds instead of what was told before, where the sentence says so."""
    surely, doubts, text = opened.surely, opened.doubts, opened.rest
    cleft = _CLEFT.match(text) if surely or doubts else None
    if cleft is not None:
        return Slip(about=cleft["rest"].strip(), states=clean(f"{cleft['who']}{cleft['verb']}{cleft['rest']}"))
    after = _REGRETS_AFTER.search(text)
    text = _FRAME.sub("", text if after is None else text[: after.start()], count=1)
    both = _BUT_NOT.match(text)
    if both is not None:
        slip = _slip(both["new"], both["old"] or both["old2"], opened.about)
        return None if slip is None or slip.whole else slip
    stop = _BREAK.search(text)
    new, rest = (text, "") if stop is None else (text[: stop.start()], text[stop.start() :].lstrip(" ,;.–—(-"))
    behind = _REGRETS_AFTER.search(new) or _REGRETS_AFTER.search(rest) or _REGRETS.match(rest) or _SEEN.match(rest)
    behind = behind or after
    surely = surely or (behind is not None and not behind.groupdict().get("weak"))
    if not (surely or doubts or behind):
        return None
    return _slip(new if behind is None else _REGRETS_AFTER.sub("", new), "", opened.about, surely=surely)


def _slip(new: str, old: str, about: str, *, surely: bool = True) -> Slip | None:
    new = clean(new)
    whole = len(new.split()) > _MOST_WORDS or _STATES.match(new) is not None
    if not new or (whole and (not surely or old or _DENIES.search(new))):
        return None
    return Slip(new, clean(old), about, surely=surely, whole=whole)


_ERRED = pattern(
    r"\b(?:wrong|auto ?correct\w*|mix (?:him|her|them|it|that|those) up|mis(?:read|heard|spoke|said|typed|counted|"
    r"took|remembered|wrote|calculated)|mixed|muddled|confus\w+|"
    r"typo|"
    r"slip|sorry|oops|whoops|correct(?:ion|ed)|re-?(?:read|checked|counted|measured|weighed)|double-?checked|"
    r"(?:look|looked|looking) (?:it |them )?(?:up|again|at the)|(?:i )?(?:just |only )?(?:checked|found(?= out\b| it\b|"
    rf" that\b| (?:the|my|our|his|her|their) {_RECORD}\b))|turns out|"
    r"my (?:bad|mistake)|outdated|out of date|(?:old|last year['’]s|wrong) (?:one|number|letter|price|version|list|"
    r"page|"
    rf"card)|(?:(?:the|my|our) {_RECORD}|mum|mom|dad|\w+) says(?= (?:it['’]?s |we['’]?re )?\d)|fat fingers|forgot|"
    r"in fact|should (?:read|say)|did i say|"
    r"mind you|replace|informs? me|corrected me|pointed out|was looking at|old habits|(?:out|force) of habit|"
    r"per the \w+|"
    r"shouldn['’]?t have said|"
    r"not \S*\d\S*!)\b"
)
RIGHTING = Righting(_read, _ERRED, first_day)
