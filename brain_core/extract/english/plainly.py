"""What the user has, does and does no more, in plain words: "I bought a Mazda", "I play bass", "I don't smoke anymore".

What is owned, and what is done, has a name of its own: one buys a second thing, and has more than one hobby. Names
without capitals are read of who writes none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from brain_core.extract.english.target import supposed
from brain_core.extract.english.values import clean, preference, profile, topic
from brain_core.extract.english.vocabulary import NOT_NAMES, pattern
from brain_core.extract.language import Found, Rule, Scene
from brain_core.kinds.registry import slug
from brain_core.text.expression import Expression


def _bought(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read what one owns from now on; a car and a phone have names of their own."""
    if supposed(scene) or _FOR_ANOTHER.search(scene.clause.text):
        return
    thing = match["make"] or match["thing"]
    if match["make"]:
        k = "car" if _CARS.search(thing) else ""
    else:
        k = next((name for name, words in _OWNED if words.search(thing)), "")
    if k:
        yield Found(profile((k, scene.clause.text if k == "property" else thing)), span=(0, len(scene.clause.text)))


_FOR_ANOTHER = pattern(
    r"\bfor (?:my|our|his|her|the|a|mum|mom|dad|work|him|them)\b|\b(?:toy|lego|poster|ticket|charger|cover|keyring|"
    r"game|model|magazine|share|stock|dealership|garage|factory|plant|shop)s?\b|\bin (?:the game|sims|gta|monopoly)\b"
)
_MAKE = (
    r"(?:toyota|honda|mazda|nissan|subaru|suzuki|mitsubishi|hyundai|kia|ford|chevrolet|chevy|jeep|tesla|volkswagen|vw|"
    r"audi|bmw|mercedes|porsche|opel|vauxhall|skoda|škoda|seat|renault|peugeot|citro[eë]n|dacia|fiat|volvo|saab|"
    r"polestar|byd|lexus|land rover|range rover|jaguar|mini cooper|golf gti|corolla|civic|prius)"
)
_CARS = pattern(rf"\b{_MAKE}\b")
_OWNED = (
    ("property", pattern(r"\b(?:house|flat|apartment|condo|bungalow|cottage)$")),
)  # fmt: skip


def _hobby(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    what = match["plays"] or match["learns"]
    if supposed(scene) or _PASSING.search(scene.clause.text):
        return
    k = slug(f"{'plays' if match['plays'] else 'learning'}_{topic(what, 1)}", 40)
    yield Found(profile((k, scene.clause.text.partition(")")[0])), span=(0, len(scene.clause.text)))


_PASSING = pattern(
    r"\b(?:today|tonight|tomorrow|yesterday|this (?:morning|evening|weekend)|used to|right now|a lot|every|weekly|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?)\b"
)


def _given_up(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read what one does no more: a fact of its own, under what it is."""
    if not supposed(scene) and not _PASSING.search(scene.clause.text):
        yield Found(profile((_HABITS[match[1].lower()], scene.clause.text)), span=(0, len(scene.clause.text)))


_HABITS = {"smoke": "smoking", "drink": "drinking", "vape": "vaping"}


def _saved(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    if not supposed(scene):
        yield Found(profile(("savings", match["value"])))


def _lower_name(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read the name of one of whom there is one, of who writes no capitals: no word of how somebody is."""
    name = match["name"]
    titled = name.lower().startswith(("dr ", "mr ", "mrs ", "ms ", "prof "))
    if _CAPITAL.search(scene.message) or (not titled and _NO_NAME.fullmatch(name.split()[0])):
        return
    given = " ".join(part.capitalize() for part in name.split())
    yield Found(profile((match["k"].lower().replace(" ", "_").replace("neighbour", "neighbor"), given)))


_CAPITAL = Expression(r"(?<![A-Za-z])(?!I\b)[A-Z]")
_NO_NAME = pattern(
    rf"{'|'.join(sorted(NOT_NAMES - {'leo'}))}|"
    r"\w+(?:ing|ed|ful|ous|ive|less|ish|able|ible|est|ly|ier)|(?:great|nice|mean|"
    r"kind|cool|"
    r"awful|awesome|amazing|lovely|rude|strict|new|old|young|away|ill|sick|late|busy|quiet|loud|angry|mad|crazy|cute|"
    r"hot|dead|gone|leaving|out|off|on|up|down|better|worse|best|right|wrong|fair|unfair|unwell|lazy|dumb|stupid|smart|"
    r"clever|funny|weird|strange|evil|toxic|terrible|horrible|decent|chill|easy|hard|tough|pushy|bossy|grumpy|moody|"
    r"happy|upset|free|full|shut|open|closed|far|near|next|my|his|her|their|our|your|that|this|someone|somebody|"
    r"anyone|like|still|no|yes|ok|okay|male|female|pregnant|married|single|retired|foreign|local|remote|useless|"
    r"helpful|hopeless|brilliant|fantastic|excellent|perfect|insane|slow|fast|cheap|expensive|rich|poor|about|"
    r"supposed|due|ready|sure|certain|scared|afraid|blind|deaf|vegan|also|too|pretty|quite|kinda|super|only)"
)
_PERSONS = (
    r"(?:doctor|gp|dentist|therapist|physio|vet|boss|manager|supervisor|landlord|landlady|teacher|tutor|coach|trainer|"
    r"lawyer|accountant|barber|hairdresser|neighbou?r|roommate|flatmate)"
)
_INSTRUMENT = (
    r"(?:(?:the )?(?:bass(?: guitar)?|guitar|piano|drums|violin|viola|cello|flute|clarinet|sax(?:ophone)?|trumpet|"
    r"trombone|harp|ukulele|banjo|mandolin|keyboards?|organ|accordion|harmonica|oboe)|chess|tennis|football|soccer|"
    r"rugby|cricket|badminton|squash|basketball|volleyball|hockey|golf|table tennis|padel|bridge|go|poker|"
    r"netball|handball|water polo|d&d|dungeons and dragons)"
)


def _each_time(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    told = scene.clause.text[match.start("told") :]
    yield Found(preference(match["what"], clean(told), name=topic(match["what"])))


RULES = (
    Rule("bought", "profile", "bought own got purchased have", pattern(
        rf"^(?:i|we)?(?:['’]ve| have)?(?: just| finally| recently| also| now)*(?:^| )(?:bought|own|purchased) "
        rf"(?:an? |my first |our first )(?:(?:new|used|second[- ]hand|small|little|old) )*"
        rf"(?:(?P<make>{_MAKE}\b(?:[ -](?!last\b|this\b|yesterday\b|and\b|in\b|on\b|from\b)[\w-]+){{0,2}})|"
        rf"(?P<thing>house|flat|apartment|condo|bungalow|cottage)\b)"
        r"(?:,? (?:in (?-i:[A-Za-z]\w+)|last \w+|this \w+|yesterday|today|recently|together|now|from .{2,30})){0,4}$"),
        _bought, vital=True),
    Rule("plays_or_learns", "profile", "play learning", pattern(
        rf"^i(?: also| still)? play (?P<plays>{_INSTRUMENT})\b.{{0,60}}$|"
        r"^i(?:['’]m| am)(?: also| currently| now)? learning (?:to (?:speak|play) )?(?P<learns>"
        rf"{_INSTRUMENT}|(?:english|german|french|spanish|portuguese|italian|dutch|swedish|norwegian|danish|finnish|"
        r"polish|russian|greek|turkish|arabic|hebrew|hindi|mandarin|cantonese|chinese|japanese|korean|welsh|irish|"
        r"vietnamese|thai|sign language))\b.{0,60}$"), _hobby, vital=True),
    Rule("given_up_for_good", "profile", "smoke drink vape", pattern(
        r"^i (?:don['’]t|do not|no longer) (smoke|drink|vape)(?: alcohol)?(?: any ?more| any longer)?$"),
        _given_up, vital=True),
    Rule("savings", "profile", "savings saved bank", pattern(
        r"^i(?:['’]ve got| have|['’]ve)(?: about| around| roughly| only| now)? (?P<value>(?:(?:[$£€]|usd |eur )"
        r"\d[\d.,]* ?(?:k|m|thousand|million)?|\d[\d.,]* ?(?:k|thousand|million)?"
        r"(?: (?:dollars|euros?|pounds|usd|eur|gbp))?) "
        r"(?:in (?:my |our )?savings?(?: account)?|saved(?: up)?|in the bank))(?: (?:right )?now| at the moment)?$"),
        _saved,
        vital=True),
    Rule("lower_name", "profile",
        "name doctor gp dentist therapist physio vet boss manager supervisor landlord landlady teacher tutor coach "
        "trainer lawyer accountant barber hairdresser neighbour neighbor roommate flatmate", pattern(
        rf"^my (?:new |current |first )?(?P<k>name|{_PERSONS})(?:['’]s(?: name is)?| is)(?: called| named)? "
        r"(?P<name>(?-i:(?:(?:dr|mr|mrs|ms|prof) )?[a-z]{2,14}))$"), _lower_name, vital=True),
    Rule("each_time", "preferences", "every time whenever when", pattern(
        r"^(?P<told>(?:please |pls )?)(?P<what>(?:correct|fix|check|point out|mark) (?:my|any|all) "
        r".{2,60}? (?:every time|whenever|each time|when(?!.{0,30} (?:the next|this|that|tomorrow|later|tonight)\b)) "
        r"i .{2,80})$"), _each_time, vital=True),
    Rule("stop_giving", "preferences", "stop", pattern(
        r"^(?:[^?]{2,60}, )?(?P<told>(?:please |pls |and )?stop )(?P<what>(?:giving|showing|sending|suggesting|"
        r"recommending|offering) (?:me )?"
        r"(?!(?:me )?(?:that|this|it|these|those|so|up|errors?|trouble|wrong|the same)\b)[\w ./-]{3,80})$"),
        _each_time, vital=True),
)  # fmt: skip
