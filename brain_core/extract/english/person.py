"""Lasting facts about the user in general frames; the whole clause is the value where its parts are unclear."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from brain_core.extract.english.aspects import told_as
from brain_core.extract.english.facts import (
    FOR_YEARS,
    NAME,
    PLACE,
    lives_there,
    may_employ,
    one_fact,
    own_fact,
    since_when,
)
from brain_core.extract.english.values import profile
from brain_core.extract.english.vocabulary import JOB, NOT_A_JOB, PARTNER, kin_of, pattern
from brain_core.extract.language import Build, Found, Rule, Scene
from brain_core.kinds.registry import slug
from brain_core.text.expression import Expression

_PASSING = Expression(
    r"\b(?:today|tonight|tomorrow|yesterday|right now|this (?:morning|evening|week|weekend|afternoon|code|"
    r"error|bug|problem)|at the moment|stuck|trying to|error|bug|feel|feeling|for (?:hours|days|ages|minutes|an hour|"
    r"a while|\w+ (?:hours|days|minutes))|all (?:day|morning|night)|tired|ill|sick of|angry|sad|crying|you|"
    r"looking (?:for|at|forward)|thinking|wondering|waiting|staring|arguing|fighting|joking|dreaming|asleep|awake|"
    r"sleeping|barking|hungry|still|already|finally)\b",
    re.IGNORECASE,
)


def _fact(k: str) -> Build:
    """Return what reads the whole clause, or the pattern's value, as the fact k."""

    def build(match: re.Match[str], scene: Scene) -> Iterable[Found]:
        text = scene.clause.text
        if not _PASSING.search(text):
            value = match["value"] if "value" in match.re.groupindex and match["value"] else text
            yield replace(own_fact(k, value, scene), span=(0, len(text)))

    return build


def _home(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    if lives_there(match[0], scene):
        yield from _fact("home")(match, scene)


def _of_kin(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read what is told of a relative, by the relative and what he or she does: another relative's stays.

    How one is just now ("is sick", "is on the phone") is no fact.
    """
    k = "family"
    if match["kin"]:
        verb = match["verb"]
        is_so = verb[0].isupper() or verb.lower() in {"is", "are", "called", "named"}
        k = kin_of(match["kin"]) if is_so else slug(f"{kin_of(match['kin'])} {verb}", _LONGEST_KEY)
        if is_so and told_as(k, scene.clause.text) == f"{k}_is":
            return
    yield from _fact(k)(match, scene)


_LONGEST_KEY = 40


def _pet_of(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    k = kin_of(match["one"] or match["some"])
    if told_as(k, scene.clause.text) != f"{k}_is":
        yield from _fact(k)(match, scene)


def _of_one(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    k = match["k"].lower().replace(" ", "_").replace("neighbour", "neighbor").replace("best_mate", "best_friend")
    yield Found(profile((k, match["value"]), since=since_when(scene)))


def _tenure(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    text = scene.clause.text
    if _PASSING.search(text) or _DIET.search(text):
        return
    org = _AT_ORG.search(text)
    k = "home" if _LIVING.search(text) else "employer" if org is not None else "experience"
    if org is None and _A_JOB.search(text) and not NOT_A_JOB.search(text):
        k = "role"
    if not FOR_YEARS.search(text) or not lives_there(text, scene) or (k == "employer" and not may_employ(text, scene)):
        return
    yield Found(profile((k, text), since=since_when(scene)), span=(match.start(), len(text)))


_DIET = Expression(r"\b(?:vegetarian|vegan|pescatarian|kosher|halal|teetotal|gluten[- ]free)\b", re.IGNORECASE)
"""Of these rules of diets read how one lives."""
_AT_ORG = Expression(rf"\b(?:at|with|for) (?:the )?{NAME}")
_LIVING = Expression(r"\b(?:liv(?:e|ed|ing)|based|settled|in [A-Z])\b")
_A_JOB = Expression(rf"\b(?:an?|the) (?:[\w-]+ ){{0,3}}{JOB}\b", re.IGNORECASE)
_KIN = (
    rf"(?:{PARTNER}|sons?|daughters?|kids?|child(?:ren)?|mother|"
    r"mom|mum|"
    r"father|dad|brothers?|sisters?|grandmother|grandma|gran|nan|grandfather|grandpa|grandad|uncle|aunt|cousin|"
    r"niece|nephew|twins?|"
    r"boys|girls|parents|in-laws|step\w+|toddler|baby|teenager|eldest|youngest|oldest|godson|goddaughter|ex)"
)
_PET = (
    r"(?:dogs?|cats?|puppy|kitten|parrot|rabbits?|hamster|horse|tortoise|pup|mutt|\w+hound|lab|collie|terrier|"
    r"hens|chickens|bees|pony)"
)
_OF_ONE = (
    r"(?:doctor|gp|dentist|therapist|physio|vet|boss|manager|supervisor|landlord|landlady|teacher|tutor|coach|trainer|"
    r"lawyer|accountant|barber|hairdresser|neighbou?r|roommate|flatmate|best (?:friend|mate)|gym|bank|school|"
    r"university|insurer|"
    r"employer|church|club|car|bike|motorbike|van|phone|laptop|computer|camera|tablet)"
)
"""Of which one has one at a time: another one takes its place."""
_NAMED = r"(?-i:[A-Z][\w’'.&-]*(?: (?:[A-Z&\d][\w’'.&-]*|of|de|van|von)){0,4})"
_YEARS = (
    r"(?:(?:over|about|almost|nearly|more than|around|roughly|going on) )?(?:\d{1,2}|an?|[a-z]+teen|one|two|"
    r"three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|[a-z]+ty-\w+)(?: and a "
    r"half)? (?:years?|decades?)"
)
RULES = (
    Rule("tenure", "profile", "years year since decade decades", pattern(
        rf"^.{{0,60}}?\b(?:i|we|been|my)\b.{{0,40}}?\b{_YEARS} (?:at|with|for|in|as|of) (?!you|this|a row|a "
        rf"while).{{2,120}}|"
        rf"^.{{0,40}}?\b(?:(?:i|we)(?:'ve|’ve| have| had)?(?: now| also| only)?|been|having) ?(?:been|worked|"
        rf"lived|taught|run|owned|studied|"
        rf"managed|played|coded|programmed|practi[sc]ed|been \w+ing|had|used|served|driven|cooked|known|"
        rf"coached)?\b.{{0,80}}? "
        rf"(?:for {_YEARS}|since (?:(?:19|20)\d\d|i was|(?-i:[A-Z])\w+ (?:19|20)\d\d|(?:last )?(?-i:[A-Z])\w+|"
        rf"childhood|birth|school|uni\w*|"
        r"college|the (?:start|nineties|eighties|pandemic))).{0,80}"), _tenure),
    Rule("been_there", "profile", "years year months", pattern(
        rf"^(?:i've |i’ve |i have |we've |we have )?been (?P<value>(?:in|at|with|on) (?!it\b|a (?:meeting|"
        rf"row))[\w .&'’-]{{2,50}} (?:for )?{_YEARS}.{{0,40}})"), _tenure),
    Rule("turns", "profile", "turn turning turned age aged old year 'm birthday", pattern(
        r"^.{0,40}?\b(?:i|i'm|i’m|i'll|i'll be|me)(?: am| just| be| only| now)* (?:turn(?:ing|ed)?|aged?|be) "
        r"(?P<value>[1-9]\d)\b.{0,60}|"
        r"^(?:at|being|aged) (?P<b>[1-9]\d)\b.{0,60}|\bi(?:'m|’m| am) an? (?P<c>[1-9]\d)[- ]year[- "
        r"]old\b"), _fact("age")),
    Rule("work_verb", "profile",
        "teach run own manage lead drive nurse bake design sell repair study volunteer freelance consult "
        "translate research farm "
        "coach practise practice work head edit supervise operate direct conduct train tutor",
        pattern(
            r"^(?:as it happens,? |at work,? |by day,? |these days,? )?(?:i|we)(?: currently| now| mostly| also| "
            r"still| mainly| actually| "
            r"just)* (?:teach|run(?= (?:an?|the|my|our)\b)|own|manage|lead|"
            r"drive(?= (?:an? |the )?(?:(?:school )?bus|truck|lorry|taxi|cab|tram|train|forklift|ambulance|for)\b)|"
            r"nurse|bake|sell|repair|study|volunteer|freelance|consult|"
            r"translate|farm|"
            r"coach|edit|supervise|operate|head(?: up)?|direct|tutor)"
            r"(?! (?:into|out|late|away|it|this|that|you|"
            r"me|him|her|them|to|"
            r"a (?:test|query|script|command)|the (?:test|query|script|command|code|build))\b)(?= (?:a|an|the|my|"
            r"our|at|for|in|with|"
            r"as|[\w-]+)\b) .{3,160}"), _fact("role")),
    Rule("by_trade", "profile", "trade profession training living day occupation job", pattern(
        r"^.{0,60}?\b(?:i|i'm|i’m|my)\b.{1,80}? (?:by (?:trade|profession|training|day)|for a living|"
        r"professionally)\b.{0,60}|"
        r"^.{0,40}?\b(?:in|at|for|from) my (?:day )?(?:job|work|role|position) (?:as|at|with|in) .{3,80}"),
        _fact("role")),
    Rule("as_one", "profile", "as being", Expression(
        rf"^(?:[Aa]s|[Bb]eing) (?:an?|the) (?P<value>(?!result|rule|bonus|side|matter|test|joke|heads|reminder|"
        rf"last|first|whole|(?:[\w-]+ ){{0,3}}?(?:vegetarian|vegan|diabetic|asthmatic|epileptic|celiac|coeliac))"
        rf"(?:[\w-]+ ){{0,4}}?{JOB}\b(?: (?:in|at|for|of|from|with) [\w .&'’-]{{2,40}})?)"), _fact("role")),
    Rule("my_place_of_work", "profile",
        "company employer firm business startup practice clinic school office students patients thesis phd "
        "dissertation shift "
        "shifts shop bakery studio job",
        pattern(
            r"^.{0,40}?\b(?:my|our) (?:\w+ )?(?:company|employer|firm|business|start-?up|practice|clinic|shop|"
            r"bakery|studio|job|"
            r"office|school)(?:'s|’s| is|,)? (?:called |named |at |with )?(?=(?-i:[A-Z])).{2,100}"), _fact("employer")),
    Rule("home_is", "profile",
        "home live living based moved settled flat apartment house from relocated reside born raised native",
        pattern(
            rf"^.{{0,60}}?\b(?:home(?:'s| is|base is)(?: now)?|(?:i|we)(?:'m|’m|'re|’re|'ve|’ve| am| are| "
            rf"have)?(?: now| currently| both| all| "
            r"just| recently| originally| actually| moved and)* (?:live|living|lived|based|reside|settled|"
            r"relocated|hail|come|grew up|"
            r"(?:was|were) (?:born|raised)|from)(?: (?:down|up|out|over|right|just|here|now|and raised|alone|"
            r"together))*)(?: (?:in|near|"
            rf"outside|at|on|from|to|by))? (?P<value>(?-i:{PLACE})(?: (?:now|these days))?)"),
        _home, shares=True),
    Rule("kin_is", "profile",
        "wife husband partner girlfriend boyfriend fiancé fiancée spouse son sons daughter daughters kid kids "
        "child children mother "
        "mom mum father dad brother brothers sister sisters grandmother grandma gran nan grandfather grandpa "
        "grandad uncle aunt twins "
        "twin boys girls parents in-laws laws toddler baby teenager eldest youngest oldest ex",
        pattern(
            rf"^.{{0,40}}?\b(?:my|our) (?:[\w-]+ ){{0,2}}?(?P<kin>{_KIN})"
            rf"(?:,? (?-i:[A-Z]\w+),?)?(?:'s|’s|'re)?"
            rf"(?: both| also| all)? ?(?P<verb>is|are|has|have|"
            r"lives?|works?|stud(?:y|ies)|speaks?|goes|go|turn(?:s|ed)|was born|were born|carr(?:y|ies)|takes?|"
            r"needs?|can't|teach(?:es)?|"
            r"plays?|uses?|eats?|doesn't|don't|just (?:turned|started)|called|named|(?-i:[A-Z])\w+(?=$|,| is))\b "
            r".{2,120}|"
            rf"^.{{0,40}}?\b(?:i|we)(?:'ve| have|'ve got| got| had| live with| am| are|'m|'re)(?: got)? (?:(?:an?|"
            rf"my|our|the|one|two|three|four|"
            rf"five|six|seven|\d|no|[\w-]+-old|twin|grown-up|young|little|small|identical|proud|single|mother|"
            rf"father|parents?|mum|mom|dad) (?:of )?)+"
            rf"(?:[\w-]+ )?{_KIN}\b.{{0,100}}|^.{{0,20}}?\b(?:i'm|i’m|i am|we're|being)(?: a)?(?: single| proud| "
            rf"new)? (?:mum|mom|dad|mother|father|parents?)"
            r" (?:of|to) .{2,60}"), _of_kin),
    Rule("pet_is", "profile",
        "dog dogs cat cats puppy kitten parrot rabbit rabbits hamster horse tortoise pup mutt lab collie terrier "
        "hens chickens bees pony",
        pattern(
            rf"^.{{0,40}}?\b(?:(?:my|our) (?:[\w-]+ ){{0,3}}?(?P<one>{_PET})(?:,? (?-i:[A-Z]\w+),?|'s|’s| is| has| are|"
            rf" called| named)\b.{{0,100}}|(?:i|we)"
            rf"(?:'ve| have|'ve got| keep| own| share .{{0,30}}?with)(?: got)? (?:an?|two|three|four|\d|some|my|"
            rf"our) (?:[\w-]+ ){{0,3}}?(?P<some>{_PET})\b"
            r".{0,100})"), _pet_of),
    Rule("my_one_is", "profile",
        "doctor gp dentist therapist physio vet boss manager supervisor landlord landlady teacher tutor coach trainer "
        "lawyer accountant barber hairdresser neighbour neighbor roommate flatmate friend gym bank school university "
        "insurer employer church club car bike motorbike van phone laptop computer camera tablet",
        pattern(
            rf"^my (?:new |current )?(?P<k>{_OF_ONE})(?:'s name)?(?:'s|’s| is)(?: now| currently)? (?:called |named )?"
            rf"(?P<value>(?:an? (?:new |old |used )?)?{_NAMED})(?: now| these days| from now on)?$"),
            _of_one, shares=True),
    Rule("have_new_one", "profile", "new", pattern(
        rf"^(?:i|we)(?: have|['’]ve got| got)? (?:an? )?new (?P<k>{_OF_ONE})(?:,|:| called| named|, it['’]s| who is) "
        rf"(?P<value>{_NAMED})$"), _of_one, shares=True),
    Rule("is_my_one", "profile", "is my", pattern(
        rf"^(?P<value>{_NAMED}) is (?:now )?my (?:new |current )?(?P<k>{_OF_ONE})(?: now| these days)?$"), _of_one,
        shares=True),
    Rule("drives", "profile", "drive driving", pattern(
        rf"^i(?:'m|’m| am)? (?:now |currently |still )?driv(?:e|ing) (?P<value>an? (?:new |old |used )?{_NAMED})"
        r"(?: now| these days)?$"), one_fact("car")),
    Rule("banks_with", "profile", "bank", pattern(
        rf"^i (?:now |currently )?bank with (?P<value>{_NAMED})(?: now| these days)?$"), one_fact("bank")),
    Rule("body", "profile",
        "knee knees back hip heart eyes ear ears hearing sight vision shoulder wrist hand hands leg foot lungs "
        "blood pressure diagnosed "
        "condition disease syndrome disorder diabetes asthma adhd epilepsy arthritis migraines pacemaker insulin "
        "wheelchair glasses "
        "aid aids implant prosthetic allergy allergic intolerance pregnant inhaler",
        pattern(
            r"^.{0,40}?\b(?:my (?:left |right |bad |lower |upper )?(?:knees?|back|hips?|heart|eyes|ears?|hearing|"
            r"sight|vision|shoulder|wrist|"
            r"blood pressure|lungs)(?:'s|’s| is| are) (?!kill|beat|break|rac|full|melt|hurt|ach|on fire|"
            r"sing).{3,80}|(?:i|i've|i’ve|i'm|i’m|i am)(?: have| had| got| "
            r"was| am| also)* ?(?:been )?(?:diagnosed with|live with|wear|use|on insulin|have|got|with|born with|"
            r"suffer from|pregnant|(?:[\w-]+ ){0,2}?"
            r"(?:diabetic|epileptic|asthmatic|dyslexic|colou?r-?blind|deaf|autistic))\b(?: ?an?)?(?: "
            r"[\w-]+){0,3}? ?(?:condition|disease|syndrome|"
            r"disorder|diabetes|asthma|adhd|epilepsy|arthritis|migraines|pacemaker|insulin|wheelchair|glasses|"
            r"hearing aids?|implant|"
            r"prosthetic|inhaler|pregnant|diabetic|dyslexic|deaf|autistic)\b.{0,80})"), _fact("health"), vital=True),
    Rule("tongue", "profile",
        "speak speaker fluent native tongue bilingual language languages english german french spanish italian "
        "portuguese dutch",
        pattern(
            r"^.{0,40}?\b(?:(?:i|we)(?: can| also| only| fluently| both| mostly)* speak "
            r"(?P<value>(?-i:[A-Z])\w+.{0,80})|my (?:first|second|third|native|"
            r"mother|home|main) (?:language|tongue)(?:'s| is| was| isn't) .{3,60}|(?-i:[A-Z])\w+ (?:is|isn't) my "
            r"(?:first|second|third|native|mother|"
            r"main) (?:language|tongue)\b.{0,60})"), _fact("language")),
    Rule("schooling", "profile",
        "degree phd masters master's bachelor bachelor's diploma thesis dissertation graduated uni university "
        "college studying "
        "major undergrad semester year student",
        pattern(
            r"^.{0,40}?\b(?:i|i'm|i’m|i've|i’ve|my)\b.{0,30}?\b(?:phd|master'?s|bachelor'?s|degree|diploma|thesis|"
            r"dissertation|(?:first|second|third|"
            r"fourth|final|last)[- ]year (?:of|student|at)|(?:first|second|third|fourth|final|last) (?:year|"
            r"semester) of)\b.{0,30}?\b(?:in|on|at|"
            r"from|about|of|is)\b .{3,100}"), _fact("education")),
)  # fmt: skip
