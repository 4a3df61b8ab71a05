"""What the user does for a living, where, and what was learned for it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from brain_core.extract.english.facts import (
    FOR_YEARS,
    I_AM,
    NAME,
    PLACE,
    any_group,
    event_of,
    lives_there,
    may_employ,
    one_fact,
    since_when,
    year_of,
)
from brain_core.extract.english.target import supposed
from brain_core.extract.english.values import clean, profile
from brain_core.extract.english.vocabulary import JOB, NOT_A_JOB, NOT_NAMES, pattern
from brain_core.extract.language import Found, Rule, Scene
from brain_core.text.expression import Expression


def _has_been(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read what the user has been for years; not where he has been since Tuesday, nor with whom."""
    value = match["value"]
    k = _kind_of_being(value)
    if (k == "home" and not lives_there(match[0], scene)) or (k != "role" and not FOR_YEARS.search(value)):
        return
    if k == "employer" and not may_employ(value, scene):
        return
    yield Found(profile((k, value), since=since_when(scene)))


_A_JOB = pattern(rf"\b{JOB}\b")


def _name_and_role(match: re.Match[str], scene: Scene) -> Iterable[Found]:  # noqa: ARG001
    if match["name"].lower() not in NOT_NAMES and _A_JOB.search(match["role"]):
        yield Found(profile(("name", match["name"]), ("role", match["role"])))


def _now_at(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read an employer where work is spoken of: "I'm at Lidl now" tells where one is, "I work with Jo" with whom."""
    working = _WORKS_FOR.match(match[0]) if _WORK.search(match[0]) else _OF_A_JOB.search(scene.message)
    if working and not supposed(scene):
        yield Found(profile(("employer", match["value"])))


_WORK = pattern(r"\bwork\b")
_WORKS_FOR = pattern(r".*\bwork(?: now)? (?:at|for)\b")
_OF_A_JOB = pattern(
    r"\b(?:jobs?|work(?:s|ed|ing)?|employers?|quit|left|joined|hired|laid off|fired|resigned|career|company|"
    r"firm|role|position|gig|contract|offer|switched|changed|moved on)\b|"
    r"\bas (?:an?|the|their|head)\b"
)


def _education(match: re.Match[str], scene: Scene) -> Iterable[Found]:  # noqa: ARG001
    if not re.match(r"stud\w+ (?:for|hard|all|tonight|until|a lot)\b", match["value"], re.IGNORECASE):
        yield Found(profile(("education", match["value"])))


def _job(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    role = match["role"]
    head = match["head"]
    if NOT_A_JOB.search(role[: len(role)] if len(head) == len(role) else f"{head}") or NOT_A_JOB.match(role):
        return
    facts = [("role", clean(match["rest"]))]
    found = _AT.search(match["rest"])
    if found is not None:
        facts.append(("employer", found["org"]))
    place = _IN.search(match["rest"])
    if place is not None:
        facts.append(("home", place["place"]))
    yield Found(profile(*facts, since=since_when(scene)))


_AT = Expression(rf"\b(?:at|for|with) (?P<org>(?:the )?{NAME}(?: (?:&|and) {NAME})?)")


_IN = Expression(rf"\b(?:in|from|based in) (?P<place>{PLACE})")


_WHERE_AT = Expression(
    r"(?:at|for|with) (?P<org>(?:the |a |an )?[\w&'’.-]+(?: [\w&'’.-]+){0,5}?)(?=$| as | in [A-Z]| since|"
    r" doing|,| on the| and )"
)


_AS_WHAT = Expression(r"\bas (?:a|an|the) (?P<role>[\w /-]{3,60}?)(?=$| at | for | in [A-Z]|,| and )")


_NO_ORG = pattern(
    r"(?:fun|me|him|her|them|home|night|nights|it|this|that|least|all|now|free|hours?|a company|a (?:big|small|"
    r"large|good|great|"
    r"new) company|my|the (?:moment|weekend|company)|living|everyone|people|you|others|a few|a while|a "
    r"bit|days?|years?|\d)\b"
)


_FIELD = pattern(
    r"(?!on (?:it|this|that|the|a|an|my|our|some)\b|in (?:progress|the end|a |this))(?:full[- ]time |part[- "
    r"]time |mostly |"
    r"mainly )*(?:in|from|on|remotely|freelance|nights?|days|evenings|weekends|shifts?|part[- ]time|full[- "
    r"]time|four days)"
)


def _employer(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    rest = match["rest"]
    if _JUST_NOW.search(rest):
        return
    facts: list[tuple[str, str]] = []
    org, role = _WHERE_AT.match(rest), _AS_WHAT.search(rest)
    if role is not None:
        facts.append(("role", role["role"]))
        org = org or _WHERE_AT.match(rest[role.end() :].lstrip())
    if org is not None and not rest.lower().startswith("with") and not _NO_ORG.match(org["org"]):
        facts.append(("employer" if re.search(r"[A-Z]", org["org"]) else "work", org["org"]))
    if not facts and _FIELD.match(rest):
        facts.append(("work", rest))
    if facts:
        yield Found(profile(*facts, since=since_when(scene)))


_JUST_NOW = pattern(
    r"\b(?:today|tonight|tomorrow|this (?:morning|afternoon|evening|week)|for (?:the|a) (?:day|week|few days)|"
    r"until (?:\w+day|tomorrow|tonight))\b"
)
"""Where one works for a day or so."""


def _kind_of_being(value: str) -> str:
    if value.startswith("living") or _IN_A_PLACE.match(value):
        return "home"
    if value.startswith("in "):
        return "experience"
    return "employer" if value.startswith(("at ", "with ", "working at", "working for")) else "role"


_IN_A_PLACE = Expression(rf"in {PLACE}")


def _joined(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    text = match[0].lower()
    value = match["value"]
    if re.match(
        r"(?:a|an|the|my) (?:call|meeting|gym|club|class|course|waitlist|discord|queue)\b|(?:in|on|with "
        r"(?:the|a))\b",
        value,
        re.IGNORECASE,
    ):
        return
    k = "role" if re.search(r"\b(?:as|to)\s+\S*$", text[: len(text) - len(value)]) else "employer"
    yield Found(profile((k, value), since=year_of(scene)))
    yield from event_of(scene)


def _list(match: re.Match[str], scene: Scene) -> Iterable[Found]:  # noqa: ARG001
    """Read "34, lead mechanic at Ferrovia Sud, based in Bari since 2019"."""
    facts = [("age", match["age"]), ("role", match["role"])]
    place = _IN.search(match["rest"] or "")
    org = _AT.search(match["role"])
    if org is not None:
        facts.append(("employer", org["org"]))
    if place is not None:
        facts.append(("home", match["rest"]))
    yield Found(profile(*facts))


RULES = (
    Rule("now_at", "profile", "now at with", Expression(
        rf"^(?:[Ii]['’]m|[Ii] am|[Ii] now work|[Ii] work)(?: now)? (?:at|with|for) (?P<value>{NAME})(?: "
        r"now| these days| (?P<tail>as .{3,60}))?$"), _now_at),
    Rule("has_been", "profile", "been worked", pattern(
        r"^(?:i've|i’ve|i have) (?:been|worked as) (?P<value>(?:an? |the |in |with |at |working |living "
        r"|teaching |running )(?!bad|mess|bit|at my (?:current )?(?:company|job)|while|lot|long|"
        r"hell|on (?:it|this)|here\b|a (?:bad|rough|"
        r"long|hard))(?:.{2,100}?)(?: for (?:\d+|[a-z]+|over|about|almost|nearly)[\w ]{0,20} years?|"
        r" since .{3,30}))"), _has_been),
    Rule("retired", "profile", "retired unemployed freelance freelancing pensioner student self-employed self expat",
        pattern(
        rf"^(?:{I_AM}) (?:now |currently |happily |recently |an? )*(?P<value>(?:retired|self[- ]employed|"
        r"freelanc\w+|unemployed|between jobs|on (?:maternity|parental|paternity|sick) leave)\b.{0,100})"), one_fact(
            "role")),
    Rule("as_a", "profile", "as", Expression(
        r"^[Aa]s (?:an? |the )(?P<value>(?:(?!bit|rule|result|whole|matter|side|last|first|next|test|joke|"
        rf"heads|reminder)[\w-]+ ){{0,4}}?{JOB}\b(?: (?:in|at|from|with) [\w .&-]{{2,40}})?), (?:i|we|"
        r"my)\b", re.IGNORECASE), one_fact("role")),
    Rule("name_list", "profile", "i'm i im name", Expression(
        r"^(?:[Hh](?:i|ey|ello),? )?(?:[Ii]['’]?m|[Ii] am|[Mm]y name is) (?P<name>[A-Z][a-z]+), (?P<role>(?:an? "
        r"|the )?[a-z][\w -]{3,50}(?: (?:at|for|in|from|with) [\w &'’.-]{2,40})?)$"), _name_and_role),
    Rule("joined", "profile", "job started offer", pattern(
        r"^(?:i|i've|i’ve|i have)(?: just| recently| finally)* (?:started (?:(?:working )?(?:at|as)|working with)|"
        r"got (?:a|the) job (?:at|as|with)|been promoted to|was "
        r"promoted to|got promoted to|switched jobs to) (?P<value>.{2,80})"), _joined),
    Rule("experience", "profile", "experience background", pattern(
        r"^(?:i have|i've got|i've|with my|my background is) (?P<value>(?:in |(?:over |about |almost )"
        r"?(?:\d+|two|three|four|five|six|ten|no|zero) years? (?:of )?(?:experience|in)|(?:a |an )?[\w "
        r"]{2,30} background|no background).{0,100})"), one_fact("experience")),
    Rule("age_and_role", "profile", "", Expression(
        r"^(?P<age>[1-9]\d)(?: years old| y/?o|, [mf])?, (?P<role>(?!(?:and|but|or|so|not|no|still|then|plus|also|"
        r"if|that|which|it|i)\b)[a-z][\w -]{3,40}(?: (?:at|for) [\w "
        r"&'’.-]{2,40})?)(?:, (?P<rest>.{3,80}))?$"), _list),
    Rule("job", "profile", "i'm i im am", Expression(
        r"^(?:[Ii]['’]?m|[Ii] am)(?: currently| now| actually| also)? (?:an? |the |one of the )(?P<rest>(?P<role"
        rf">(?:[\w/&-]+ ){{0,4}}?(?P<head>{JOB}))\b(?! of yours| so| too).{{0,120}})"), _job),
    Rule("head_of", "profile", "i'm i im head lead director vp run", pattern(
        rf"^(?:{I_AM} (?P<value>(?:the )?(?:head|director|vp|lead|chief|cto|ceo|manager|president|chair|"
        r"owner|founder) (?:of|at|for) .{2,80})|i (?P<run>(?:run|own|manage|lead) (?:a|an|my own|the|"
        r"our) (?:small |little |tiny )?(?:\w+ ){0,2}(?:shop|bakery|cafe|café|business|company|team|"
        r"studio|farm|store|restaurant|agency|practice|clinic|firm|startup|bookshop|blog|podcast|department)"
        r"\b.{0,80}))"),
         any_group("role")),
    Rule("works", "profile", "work working", pattern(
        rf"^(?:i|{I_AM}) (?:currently |now |actually |mostly |still |also |mainly )*(?:work|working|have "
        r"been working|'ve been working) (?P<rest>(?:at|for|as|in|with|from|part|full|nights?|days|evenings|"
        r"weekends|shifts|remote|freelance|mostly|four|mainly)\b.{2,160})"), _employer),
    Rule("does_for_a_living", "profile", "living teach", pattern(
        r"^i (?P<value>(?:\w+ ){1,6}for a living\b.{0,40}|teach (?!you|him|her|them|myself).{3,80})"),
        one_fact("role")),
    Rule("job_is", "profile", "job profession title position occupation role", pattern(
        r"^my (?:(?:day |current |new )?(?:job|profession|occupation|role|title)(?: title)?|job title)"
        r" (?:is|:) (?P<value>(?!to\b|so\b|stable|really|very|not|quite|pretty|too|going|fine|good|great|"
        r"tough|hard|killing|boring|stressful|hard|driving).{3,80})"), one_fact("role")),
    Rule("study", "profile", "study studying degree graduated phd major majoring majored studied", pattern(
        r"^(?:i|i'm|i’m|im|i am|i've) (?:currently |also |a )*(?P<value>(?:study|studying|studied|majored "
        r"in|majoring in|graduated (?:from|in|with)|doing (?:a|my) (?:phd|master|degree|bachelor)|have "
        r"(?:a|an) (?:phd|master|degree|bachelor|ba|bsc|msc|mba|diploma)|did my (?:phd|master|degree|bachelor)"
        r"|hold a)\b.{3,120})"),
         _education),
)  # fmt: skip
