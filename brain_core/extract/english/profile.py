"""Lasting facts about the user: name, age, birthday, home, origin, languages, addresses."""

from __future__ import annotations

import re
from collections.abc import Iterable

from brain_core.extract.english.facts import (
    I_AM,
    NAME,
    PLACE,
    any_group,
    event_of,
    lives_there,
    one_fact,
    own_fact,
    year_of,
)
from brain_core.extract.english.target import supposed
from brain_core.extract.english.values import profile, scope_of
from brain_core.extract.english.vocabulary import NOT_NAMES, PARTNER, kin_of, pattern
from brain_core.extract.language import Found, Rule, Scene
from brain_core.extract.software import is_no_place
from brain_core.text.expression import Expression

_SAME_NAME = {"number": "phone_number", "address": "home", "new_address": "home"}


def _named_value(match: re.Match[str], scene: Scene) -> Iterable[Found]:  # noqa: ARG001
    """Read "my phone number is …": the fact's name is what it is called. "My phone is at 4 %" tells none."""
    if _A_STATE.match(match["value"]):
        return
    name = match["k"].lower().replace("-", "").replace(" ", "_").removeprefix("new_")
    yield Found(profile((_SAME_NAME.get(name, name), match["value"])))


_A_STATE = Expression(
    r"(?:(?:at|on|in|off|dead|broken|full|gone|lost|not|about|almost|nearly|really|so|too|still|out|back|down|up|"
    r"old|new|slow|locked|blocked|closed|wrong|dirty|empty|\w+ing)\b)",
    re.IGNORECASE,
)


def _lives(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    if lives_there(match[0], scene) and not _APART.search(match["value"]):
        yield own_fact("home", _AND_DOES.sub("", match["value"]), scene)


_APART = pattern(r"^in (?:(?:\w+ )?(?:different|separate|opposite|neighbou?ring)|the same) ")
"""Where several live who do not live together."""
_AND_DOES = pattern(
    r",? and (?:(?:currently|now|also|mostly) )*(?:work|study|teach|go|commute|run|have|love|like|am|are|drive|play|"
    r"own|speak|do)\b.*$"
)
"""After where one lives, what one does."""


def _moved_home(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read where the user has moved; a team moves to another tool."""
    place = next(named for named in match.groupdict().values() if named)
    if (
        supposed(scene)
        or is_no_place(place)
        or scope_of(place) != "other"
        or _FOR_A_USE.match(scene.clause.text[match.end() :])
    ):
        return
    yield Found(profile(("home", place), since=year_of(scene)))
    yield from event_of(scene)


_FOR_A_USE = Expression(r" for (?!my|our|his|her|work|good|a\b|the\b|love|family|studies|university|school)[a-z]+s?$")


def _after_moving(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read "we moved, we're in Cardiff now"; where somebody is who has not moved, is for now."""
    if _HAS_MOVED.search(scene.before):
        yield from _moved_home(match, scene)


_HAS_MOVED = pattern(
    r"^(?:i|we)(?:['’]ve| have)?(?: just| finally| recently)* moved(?: (?:house|home|flats?|"
    r"away|again))?$"
)


def _number_now(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read "I changed my number, it's … now"."""
    k = "email" if "@" in match["value"] else "phone_number"
    if _NEW[k].search(scene.before):
        yield Found(profile((k, match["value"])))


_NEW = {
    "phone_number": pattern(r"\b(?:new|changed|change of|got)\b.{0,20}\b(?:number|phone|mobile)\b"),
    "email": pattern(r"\b(?:new|changed|change of|got)\b.{0,20}\b(?:e-?mail|mail|address)\b"),
}


def _born(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    yield Found(profile(("birth", scene.clause.whole[match.start("value") :])))


def _name(match: re.Match[str], scene: Scene) -> Iterable[Found]:  # noqa: ARG001
    if match["name"].split()[0].lower() not in NOT_NAMES:
        yield Found(profile(("name", match["name"])))


def _i_am(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    name = match["name"]
    sentence = scene.clause.sentence.lstrip()
    introduced = (
        re.match(r"(?:hi|hello|hey|good (?:morning|evening|afternoon))\b", sentence, re.IGNORECASE)
        or " " not in name
        or "here" in scene.clause.text
    )
    first = name.split()[0]
    if introduced and first.lower() not in NOT_NAMES and not first.isupper() and scene.clause.text[:2].lower() != "it":
        yield Found(profile(("name", name)))


def _call_kin(match: re.Match[str], scene: Scene) -> Iterable[Found]:  # noqa: ARG001
    """Read what the user calls a relative, or asks to have one called."""
    if match["name"].lower() not in NOT_NAMES and not _A_TIME.match(match["name"]):
        yield Found(profile((f"{kin_of(match['kin'])}_called", f"I call my {match['kin']} {match['name']}")))


_A_TIME = pattern(
    r"(?:today|tomorrow|tonight|now|later|back|first|asap|again|please|jan|feb|mar(?:ch)?\b|apr|may\b|jun|jul|aug|"
    r"sep|oct|"
    r"nov|dec|christmas|easter)"
)
_KIN = (
    r"(?:grand(?:mother|ma|father|pa|ad)|mother|mom|mum|father|dad|gran|nan|brother|sister|son|daughter|uncle|aunt|"
    rf"{PARTNER}|mother-in-law|father-in-law|stepdad|stepmum|stepfather|stepmother)"
)
RULES = (
    Rule("call_kin", "profile", "call", Expression(
        rf"^(?:[Pp]lease |[Jj]ust |[Ff]rom now on,? )*(?:(?:I|i|We|we) (?:always |just )*)?[Cc]all (?:my|"
        rf"our) (?P<kin>{_KIN}) "
        r"[\"“]?(?P<name>[A-Z][a-z]+(?:-[A-Z][a-z]+)?)[\"”]?(?=[.!]*$|,? (?:please|from now on|not|because|since)\b)"),
        _call_kin, vital=True),
    Rule("mother_tongue", "profile", "tongue language native", pattern(
        r"^(?P<value>\w+ is my (?:mother tongue|native (?:language|tongue)|first language|second language)"
        r")\b"), one_fact("language")),
    Rule("heritage", "profile", "half part", pattern(
        rf"^{I_AM} (?P<value>(?:half|part|quarter) (?-i:[A-Z])\w+.{{0,80}})"), one_fact("origin")),
    Rule("new_value", "profile", "new address place home number phone email mail", pattern(
        r"^(?:my|our|the)? ?new (?P<k>address|home|e-?mail(?: address)?|phone number|number|phone)(?:'s|"
        r"’s| is|:) (?P<value>.{2,100})"), _named_value),
    Rule("number_now", "profile", "it's it is", pattern(
        r"^it(?:['’]s| is)(?: now)? (?P<value>\+?\d[\d ()/-]{5,20}\d|[\w.+-]+@[\w-]+\.[\w.-]*\w)(?: now|"
        r" from now on)?$"),
        _number_now, vital=True),
    Rule("moved_and_now", "profile", "in", Expression(
        rf"^(?:I|i|We|we)(?:['’](?:m|re)| am| are)(?: now)?(?: living)? in (?P<value>{PLACE})(?: now|"
        r" these days)?$"),
        _after_moving, vital=True),
    Rule("moved_house", "profile", "moved relocated", Expression(
        r"^(?:I|i|We|we)(?:['’]ve| have| just| recently| finally| actually)* (?:relocated|moved (?:house|home|flats?|"
        rf"apartments?|away|abroad|cities))(?: from .{{2,40}})?,? to (?P<value>{PLACE})|"
        r"^(?:I|i|We|we)(?:['’]ve| have| just| recently| finally| actually)* moved to "
        rf"(?P<b>{PLACE}) for (?:my|our|his|her) |"
        r"^(?:I|i|We|we)(?:['’]ve| have| just| recently| finally| actually)* moved (?:to|into) (?:my|our|an?) "
        r"(?:[a-z]+ ){0,3}"
        r"(?:flat|apartment|house|place|home|studio|condo|cottage|bungalow|loft|room)"
        rf"(?: (?:in|on|near) |,? )(?P<c>{PLACE})"), _moved_home, vital=True),
    Rule("moved_home", "profile", "moved relocated", Expression(
        r"^(?:I|i|We|we)(?:'ve|’ve| have| just| recently| finally| actually)* (?:moved|relocated)(?: (?:here|"
        rf"back|over))? (?:from .{{2,40}} )?to (?P<value>{PLACE})|"
        rf"^(?:[Jj]ust|[Ff]inally|[Rr]ecently)(?: finally)? (?:moved|relocated) to (?P<briefly>{PLACE})(?=$|[ ,])"),
        _moved_home),
    Rule("goes_by", "profile", "go everyone people friends calls call", Expression(
        rf"^(?:I go by|(?:[Ee]veryone|[Pp]eople|[Mm]y friends|[Ff]riends|[Mm]ost people) calls? me) (?P<name>{NAME}"
        r")"), _name),
    Rule("call_me", "profile", "call address", Expression(
        r"^(?:[Pp]lease |[Jj]ust |[Yy]ou can )*(?:[Cc]all|[Aa]ddress) me (?:as )?\"?(?P<name>[A-Z][\w'’-]{1,30})"
        r"(?=[\"”.,!]*(?: (?:please|from now on|instead|now|going forward)\b.*)?$)"), _name, vital=True),
    Rule("name", "profile", "name name's", pattern(
        rf"^(?:my (?:full |first |real |given )?name(?:'s|’s| is)|(?:the )?name(?:'s|’s| is)) (?P<name>(?-i:{NAME}"
        r"))"), _name),
    Rule("i_am_name", "profile", "i'm i im here", Expression(
        rf"^(?:[Ii]['’]?m|[Ii] am|[Tt]his is|[Ii]t['’]s) (?P<name>{NAME})(?= here\b|$| (?:and|from|by "
        r"the way)\b|, (?:a|an|the|\d|from)\b)"), _i_am, shares=True),
    Rule("name_here", "profile", "here", Expression(r"^(?P<name>[A-Z][a-z]+(?: [A-Z][a-z]+)?) here\b(?=$|,| from)"),
        _name),
    Rule("age", "profile", "i'm i im turned turn age", pattern(
        rf"^(?:{I_AM} (?:now |already |only |almost )?(?P<value>[1-9]\d)(?= years|$|,| now| and| y/?o|"
        r" next| this)|i(?:'ve)? (?:just )?turned (?P<turned>[1-9]\d)\b|my age is (?P<is>[1-9]\d))"),
         any_group("age")),
    Rule("birthday", "profile", "birthday", pattern(
        r"\bmy birthday(?:'s|’s| is|:)(?: on)? (?P<value>(?!coming|soon|next week|today|tomorrow|over|"
        r"party).{3,40})"), one_fact("birthday")),
    Rule("born", "profile", "born", pattern(r"\bi was born (?P<value>(?:in|on|near|at) .{3,200})"), _born),
    Rule("raised", "profile", "grew raised brought", pattern(
        r"^i (?:grew up|was (?:raised|brought up)) (?P<value>in .{3,80})"), one_fact("origin")),
    Rule("lives", "profile", "live lived living based reside", pattern(
        rf"^(?:i|we|{I_AM}|we're|we are|my (?:wife|husband|partner) and i)(?:'ve|’ve| have)? (?:currently "
        r"|now |actually |still |both |been )*(?:live|lived|living|reside|based)(?: (?!in\b|on\b|at\b|"
        r"near\b|out\b)\w+)? (?P<value>(?:out in|in|on|at|near|outside|just outside|above|next to|with "
        r"my) (?!fear|hope|peace|the (?:moment|past|now)|my head).{2,120})"), _lives),
    Rule("from", "profile", "from", Expression(
        rf"^(?:[Ii]['’]?m|[Ii] am|[Ii] come)(?: originally| actually)? from (?P<value>{PLACE})"), one_fact("origin")),
    Rule("speaks", "profile", "speak speaker fluent native tongue bilingual", pattern(
        r"^(?:i (?:can |also |only |fluently )?speak (?P<a>(?!to\b|with\b|for\b|up\b|at\b|"
        r"about\b).{3,80}?)(?:,? (?:too|as well|also))?$"
        rf"|(?:{I_AM}) (?P<b>(?:a native|fluent|bilingual|native).{{2,80}})|my (?:native|first|mother|"
        r"second) (?:language|tongue) is (?P<c>.{3,60}))"),
         any_group("language")),
    Rule("contact", "profile",
        "email mail e number phone address handle pronouns timezone zone mailing shoe size birthday blood "
        "passport licence license plate iban",
         pattern(
             r"^my (?P<k>(?:new |work |private |home |postal |personal |mobile |best )?(?:e-?mail(?: address)"
             r"?|phone(?: number)?|mobile(?: number)?|address|pronouns|time ?zone|github handle|twitter "
             r"handle|handle|shoe size|blood type|licen[sc]e plate|username))(?: for [\w ]{2,30}| on [\w "
             r"]{2,20})?(?:'s|’s| is| are|:) (?P<value>.{2,120})"),
         _named_value),
)  # fmt: skip
