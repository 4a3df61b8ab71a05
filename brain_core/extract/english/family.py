"""The user's family, household, pets and health."""

from __future__ import annotations

import re
from collections.abc import Iterable

from brain_core.extract.english.aspects import told_as
from brain_core.extract.english.facts import I_AM, own_fact
from brain_core.extract.english.vocabulary import JOB, PARTNER, kin_of, pattern
from brain_core.extract.language import Build, Found, Rule, Scene
from brain_core.text.expression import Expression

_RELATION = (
    rf"(?:{PARTNER}|son|daughter|kid|child|mother|mom|"
    r"mum|father|dad|brother|sister|"
    r"grandmother|grandma|grandfather|grandpa|uncle|aunt|cousin|niece|nephew|twins?|stepson|stepdaughter|"
    r"step-?(?:mother|father)|"
    r"mother-in-law|father-in-law|sister-in-law|brother-in-law)"
)


_PET = (
    r"(?:dog|cat|puppy|kitten|parrot|rabbit|hamster|horse|tortoise|turtle|goldfish|greyhound|labrador|"
    r"retriever|poodle|beagle|dachshund|guinea pig|ferret|budgie|gecko|snake|pony)"
)


def _whole(k: str) -> Build:
    def build(match: re.Match[str], scene: Scene) -> Iterable[Found]:
        name = kin_of(match["k"]) if "k" in match.re.groupindex and match["k"] else k
        if told_as(name, scene.clause.text) == f"{name}_is" and not _SORT.search(scene.clause.text):
            return
        yield own_fact(name, scene.clause.text, scene)

    return build


_SORT = Expression(r"\b(?:is|are) (?:an? (?!bit\b))?[A-Z]")
"""What one is ("is German", "is a poodle"), not how ("is sick")."""


def _pet(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    sort = _SORT_OF_PET.search(match[0])
    yield from _whole("pet" if sort is None else kin_of(sort[0]))(match, scene)


_SORT_OF_PET = pattern(rf"\b(?:{_PET}s?|hens|chickens|bees)\b")
RULES = (
    Rule("family_turned", "profile", "turned turns is wife husband son daughter kids children mother father", pattern(
        rf"^(?:my|our) (?:(?:older|younger|little|oldest|youngest) )?(?P<k>{_RELATION}),? (?-i:[A-Z][\w-]+)"
        r",? (?:is|turned|turns|just turned|was|has|goes|lives|works|loves|studies|starts|who|and)\b.{2,100}"),
            _whole("family")),
    Rule("household", "profile", "us family household", pattern(
        r"^(?:there are (?P<a>(?:two|three|four|five|six|\d) of us\b.{0,80})|we(?:'re|’re| are) (?P<b>a "
        r"(?:family|household|couple) (?:of|with)\b.{2,80}))"), _whole("family")),
    Rule("family_named", "profile",
        "wife husband partner girlfriend boyfriend son daughter kid kids child children mother mom mum "
        "father dad brother sister twins twin name fiance fiancé fiancée fiancee grandma grandmother "
        "grandpa grandson granddaughter wife's husband's son's daughter's sister's brother's mom's mum's "
        "dad's partner's",
         pattern(
             rf"^(?:my|our) (?:(?:older|younger|little|big|twin|oldest|youngest|eldest|middle|elder) )?"
             rf"(?P<k>{_RELATION}"
             r")(?:'s|’s| is| are) (?:(?:name|names) (?:is|are) |called |named )?(?:(?-i:[A-Z])|\d|(?:an? "
             rf"|the )?(?:\w+ ){{0,2}}{JOB}\b|allergic|vegetarian|vegan|deaf|blind|pregnant|diabetic|from|"
             r"called|named).{0,100}"), _whole("family")),
    Rule("family_moved", "profile", "moved", pattern(
        rf"^(?:my|our) (?:(?:older|younger|little|big|twin|oldest|youngest|eldest) )?(?P<k>{_RELATION}|parents)"
        r"(?: (?-i:[A-Z])\w+)?(?:['’]s| has| have)?(?: just| recently| finally|"
        r" now)* moved (?:back )?to (?-i:[A-Z]).{2,80}"),
        _whole("family"), vital=True),
    Rule("family_lives", "profile",
        "wife husband partner girlfriend boyfriend son daughter mother mom mum father dad brother sister "
        "parents kids twins in-laws",
         pattern(
             rf"^(?:my|our) (?:(?:older|younger|little|big|twin|oldest|youngest|eldest) )?(?P<k>{_RELATION}|"
             r"parents|kids|in-laws),?(?: (?-i:[A-Z]\w+),?)? (?:both )?(?:lives?|works?|stud(?:y|ies)|"
             r"teach(?:es)?|was born|were born|go(?:es)? to (?:school|kindergarten|college|university)"
             r") .{3,100}"), _whole("family")),
    Rule("family_has", "profile",
        "kids kid children child son sons daughter daughters twins married wife husband brother sister "
        "brothers sisters siblings parent father mother dad mum mom widowed divorced single",
         pattern(
             r"^(?:(?:i|we)(?: also)?(?: have|'ve|’ve| 've got|'ve got|’ve got) (?:an? |another |one |two |"
             r"three |four |five "
             r"|\d |no |the )?(?:\w+ )?(?:kids?|child(?:ren)?|sons?|daughters?|twins|boys|girls|brothers?|"
             r"sisters?|siblings|grandchild(?:ren)?|grandkids)\b.{0,100}|"
                  rf"{I_AM} (?:\w+ )?(?:married|divorced|widowed|engaged to|a (?:single )?(?:father|mother|"
                  r"dad|mum|mom|parent|widow|widower|grandmother|grandfather)\b|an only child|the (?:oldest|"
                  r"youngest|middle)(?: child)? of).{0,100}|i live with my .{3,80})"), _whole("family")),
    Rule("pet", "profile",
        "dog dogs cat cats puppy kitten parrot rabbit rabbits hamster horse tortoise turtle greyhound "
        "labrador retriever poodle beagle dachshund pet ferret budgie gecko snake pony dog's cat's hens "
        "chickens bees",
         pattern(
             r"^(?:(?:i|we)(?: also)?(?: have|'ve got|’ve got|'ve|’ve| got| own| keep) (?:an? |another |one |"
             r"two |three |"
             rf"four |\d |some |my )(?:[\w-]+ ){{0,3}}?(?:{_PET}s?|hens|chickens|bees)\b.{{0,100}}|(?:my|"
             rf"our) (?:[\w-]+ )?{_PET}(?:'s|’s)? (?:name )?(?:is|'s|’s|are)? ?(?:called |named )?(?-i:[A-Z]\w+)"
             rf"(?: is| has| and|,|$).{{0,80}}|(?:my|our) (?:[\w-]+ )?{_PET}(?:'s|’s)? (?:name )?(?:is|"
             r"'s|’s) (?:called |named )?(?:(?-i:[A-Z])|\d).{0,80})"), _pet),
    Rule("health", "profile",
        "diabetes asthma adhd dyslexia dyslexic epilepsy diabetic autistic blind deaf migraine migraines "
        "arthritis hypertension condition blood colour color wheelchair handed colourblind colorblind "
        "anaemia anemia glasses pacemaker pregnant back knee knees hip hips heart shoulder wrist lungs ankle",
         pattern(
             rf"^(?:i (?:have|suffer from|use|wear|live with|was diagnosed with|(?:often |sometimes )?get(?= (?:bad |"
             rf"terrible )?migraines))|i've (?:got|had)|{I_AM}|"
             r"(?:as|being) an?|my blood type is) (?P<value>(?:[\w-]+ ){0,4}?(?:diabetes|asthma|adhd|dyslexi[ac]|"
             r"epilepsy|"
             r"diabetic|autistic|blind|deaf|migraines?|arthritis|hypertension|condition|wheelchair|handed|"
             r"left-handed|right-handed|(?:bad|weak|dodgy) (?:back|knees?|hips?|heart|shoulder|wrist|lungs|"
             r"ankle)|colou?r[- ]?blind|ana?emia|pacemaker|pregnant|[abo]{1,2}(?: ?[+-]| positive|"
             r" negative))\b.{0,80})"),
         _whole("health"), vital=True),
)  # fmt: skip
