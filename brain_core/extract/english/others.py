"""What other people, and animals, must be given or not: allergies, diets, conditions, medicines of theirs."""

from __future__ import annotations

import re
from collections.abc import Iterable

from brain_core.extract.english.conditions import ANY_CONDITION
from brain_core.extract.english.medicines import MEDICINES
from brain_core.extract.english.target import supposed
from brain_core.extract.english.values import clean, knowledge, topic
from brain_core.extract.english.vocabulary import NOT_NAMES, PARTNER, kin_of, pattern
from brain_core.extract.language import Build, Found, Rule, Scene
from brain_core.kinds.registry import slug

_LONGEST = 60


def of(sort: str) -> Build:
    """Return what reads what somebody else must be given or not, named by who it is and by what: there may be more."""

    def build(match: re.Match[str], scene: Scene) -> Iterable[Found]:
        who, text = _whose(match), scene.clause.text
        if who and not supposed(scene) and not _PASSING.search(text):
            named = topic(next(part for name in _WHAT if (part := match.groupdict().get(name))), 2)
            value = {"kind": "fact", "slug": slug(f"{who}_{sort}_{named}", _LONGEST), "content": clean(text)}
            yield Found(value, span=(0, len(text)))

    return build


_WHAT = ("what", "b", "c", "d", "e")


def _whose(match: re.Match[str]) -> str:
    """Return who it is, in words of a key; empty where that is nobody in particular."""
    if not match["kin"]:
        name = match["name"].removesuffix("'s").removesuffix("’s")
        return "" if name.lower() in NO_PERSON or name in ANYBODY else slug(name)
    return slug(f"{kin_of(match['kin'])} {match['called'] or ''}".strip())


def _must(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read what a person must do or must not: knowledge of this person, no wish of the user's."""
    text = scene.clause.text
    if not _PASSING.search(text):
        negated = "not " if _NOT.search(match["verb"]) else ""
        name = slug(f"{_whose(match)} must {negated}{topic(match['what'], 3)}", _LONGEST)
        yield Found({**knowledge(text), "slug": name}, span=(0, len(text)))


_NOT = pattern(r"n['’]t|\bnot\b|\bnever\b|cannot")
NO_PERSON = NOT_NAMES - {"leo"}
"""Leo is a sign of the zodiac, too, which cannot eat anything."""
ANYBODY = frozenset(
    "Dogs Cats Babies Kids Children People Vegans Vegetarians Muslims Jews Hindus Birds Horses Infants Toddlers Guests "  # noqa: SIM905
    "Students Everyone Everybody Nobody Somebody Someone Anyone Most Some Many All Both He She They We You It "
    "This That "
    "There Who What Which If When My Our Your His Her Their Adults Humans Pets Patients Women Men".split()
)
_PASSING = pattern(
    r"\b(?:today|tonight|tomorrow|yesterday|right now|at the moment|this (?:morning|evening|week|weekend|afternoon)|"
    r"until|yet|before (?:the|his|her|their)|more than|so much|any ?more|any longer|no longer|not allergic)\b|\?$"
)
_PERSON = (
    rf"(?:{PARTNER}|sons?|daughters?|kids?|child(?:ren)?|mother|mom|"
    r"mum|father|dad|brothers?|sisters?|grandmother|grandma|gran|nan|grandfather|grandpa|grandad|grandparents|uncle|"
    r"aunt|cousin|niece|nephew|twins?|parents|in-laws|(?:mother|father|sister|brother)-in-law|step\w+|toddler|baby|"
    r"goddaughter|godson|boss|manager|colleague|coworker|co-worker|teammate|friend|best friend|neighbou?r|roommate|"
    r"flatmate|housemate|guests?|client|teacher|nanny|babysitter|dogs?|cats?|puppy|kitten|rabbit|parrot|hamster|horse)"
)
A_PERSON = (
    r"(?i:my|our|(?:i|we)(?:['’]ve(?: got)?| have(?: got)?) an?) "
    rf"(?i:(?:older|younger|little|big|oldest|youngest|eldest|new|best|twin) )?(?P<kin>(?i:{_PERSON}))"
    r",?(?: (?P<called>[A-Z][\w’'-]*\w),?)?"
)
WHO = rf"(?:{A_PERSON}|(?P<name>[A-Z][\w’'-]*\w))"
_APART = (
    r"(?:,? (?:named|called) (?-i:[A-Z])[\w’'-]*\w)?"
    r"(?:,? (?!(?:and|but|or|who|is|are|has|have|was) )[^,.;]{1,30}(?=,))?"
)
"""What may stand between whom it is about and what is told: named Bo, a nurse, three."""
_IS = r"(?:,? who)?(?:,? (?:is|are|has|have|has got)|['’]s(?: got)?|,)"
_ADVERBS = (
    r"(?:(?:also|severely|badly|deathly|highly|very|really|a bit|slightly|both|still|actually|strictly|extremely) )*"
)
FOOD = (
    r"(?:(?:any|the|much|too much) )?(?:\w+ )?(?:(?:pea|wal|hazel|cashew )?nuts?|peanut butter|almonds?|"
    r"cashews?|dairy|milk|cheese|cream|"
    r"butter|gluten|wheat|bread|eggs?|fish|shellfish|shrimps?|prawns?|seafood|soy|soya|sesame|sugar|alcohol|wine|beer|"
    r"caffeine|coffee|chocolate|grapes|onions?|garlic|meat|pork|beef|chicken|lamb|gelatin|grapefruit|sweets|candy|"
    r"honey|"
    r"salt|lactose|strawberries|kiwis?|tomatoes|mushrooms|spicy food|fast food|raw \w+|penicillin|aspirin|ibuprofen|"
    r"antibiotics|latex|pollen|bananas?|citrus|mustard|celery|lupin|nightshades|yeast|soft cheese|sushi|bones)\b"
)
_CONDITION = (
    r"(?:(?:type (?:1|2|one|two) )?diabetes|asthma|epilepsy|c(?:o)?eliac disease|dementia|alzheimer'?s|"
    r"parkinson'?s|adhd|"
    r"autism|high blood pressure|hypertension|(?:an? )?(?:weak heart|heart condition|heart disease|pacemaker|"
    r"kidney disease|thyroid condition|seizures)|multiple sclerosis|cancer|crohn'?s(?: disease)?|migraines|arthritis)\b"
)
_NEVER = (
    r"(?:must(?: not|n['’]t| never)|can(?:['’]t|not| not| never)|may not|(?:is|are)(?: not|n['’]t) (?:allowed|"
    r"supposed) to|"
    r"should(?: not|n['’]t| never)|(?:do|does)(?: not|n['’]t)|never)"
)
_ALLERGIC = (
    r"(?:allergic|intolerant) (?:to|of) (?P<what>(?!change\b|work\b|mondays\b|mornings\b|commitment\b|exercise\b|"
    r"effort\b|people\b|responsibility\b|fun\b|deadlines\b|meetings\b|rules\b).{3,80})"
)
_CUES = "allergic allergy allergies intolerant intolerance"
RULES = (
    Rule("allergy_of_another", "knowledge", _CUES,
        pattern(
            rf"^(?-i:{WHO}){_APART}(?:(?<!['’][sm]) {_ALLERGIC.replace('what', 'e')}|"
            rf"{_IS}(?: been)? {_ADVERBS}(?:{_ALLERGIC}|"
            rf"(?P<b>[\w -]{{3,20}}) (?:allergic|intolerant)\b.{{0,60}}|"
            r"(?:an? )?(?:(?:severe|bad|mild|serious|strong) )*(?:allergy|intolerance) to (?P<c>.{3,60})|"
            r"(?:an? )?(?:(?:severe|bad|mild|serious|strong) )*(?P<d>[\w -]{3,20}?) (?:allerg(?:y|ies)|intolerance)\b"
            r".{0,60}))"),
        of("allergy"), vital=True),
    Rule("food_of_another", "knowledge", "eat eats drink drinks have touch avoid given get allowed",
        pattern(
            rf"^(?-i:{WHO}) (?:{_NEVER} (?:(?:eat|drink|touch|be given|be fed) (?P<what>(?!fast\b(?! food)|"
            rf".*\benough\b|anything\b|much\b|enough\b|"
            r"well\b|this\b|that\b|it\b|breakfast\b|lunch\b|dinner\b|properly\b|out\b|with\b|at\b|on\b|in\b).{3,80})|"
            rf"(?:have|get|tolerate|digest) (?P<b>{FOOD}.{{0,60}}))|"
            rf"(?:is|are)(?: not|n['’]t) allowed (?P<e>{FOOD}.{{0,60}})|"
            rf"(?:must|has to|have to|needs to|need to|should) (?:avoid|stay away from) (?P<c>{FOOD}.{{0,60}})|"
            rf"(?:won['’]t|will not|will never|refuses? to) (?:eat|drink|touch|have) (?P<d>{FOOD}.{{0,40}}))$"),
        of("diet"), vital=True),
    Rule("no_food_for", "knowledge", "no",
        pattern(
            rf"^(?:so |also |and |please )?no(?: more)? (?P<what>{FOOD}(?: or {FOOD})?) for (?-i:{WHO})\b.{{0,60}}$"),
        of("diet"), vital=True),
    Rule("diet_of_another", "knowledge",
        "vegetarian vegan pescatarian kosher halal gluten celiac coeliac dairy",
        pattern(
            rf"^(?-i:{WHO}){_APART}(?:{_IS}| keeps?| eats?| only eats?)(?: been)? {_ADVERBS}(?:an? )?"
            r"(?P<what>vegetarian|vegan|pescatarian|kosher|halal|gluten[- ]free|dairy[- ]free|c(?:o)?eliac)s?"
            r"(?=$|,| (?:and|but|so|since|now|because|too|for|these days|at home|again|diet)\b).{0,60}$"),
        of("diet"), vital=True),
    Rule("condition_of_another", "knowledge",
        "diabetes asthma epilepsy disease dementia alzheimer's parkinson's adhd autism pressure hypertension heart "
        "condition pacemaker seizures sclerosis cancer crohn's migraines arthritis diagnosed ms crohns leukemia "
        "leukaemia lymphoma anemia anaemia",
        pattern(
            rf"^(?-i:{WHO})(?:(?:['’]s| has| have) got| has| have| suffers from|(?:['’]s| has| have| was| were| got|"
            rf" is| just|"
            rf" recently| both| been| now)+ diagnosed (?:with|as)| lives with|(?<!['’]s)['’]s(?= (?:ms\b|"
            rf"got\b))) {_ADVERBS}"
            rf"(?:an? )?(?P<what>{_CONDITION}|{ANY_CONDITION}\b).{{0,60}}$"),
        of("health"), vital=True),
    Rule("medicine_of_another", "knowledge", MEDICINES,
        pattern(
            rf"^(?-i:{WHO}) (?:takes?|is (?:on|taking)|are (?:on|taking)|needs?|uses?) .{{0,30}}?"
            rf"\b(?P<what>{'|'.join(MEDICINES.split())})\b.{{0,60}}$"),
        of("medicine"), vital=True),
    Rule("another_must", "knowledge", "must has have may allowed should needs can't cannot",
        pattern(
            rf"^(?-i:{A_PERSON}) (?P<verb>must(?: not|n['’]t| never)?|has to|"
            r"have to|may not|(?:is|are) not allowed to|should never|should always|can't be|"
            r"cannot be) (?P<what>.{4,160})"),
        _must),
)  # fmt: skip
