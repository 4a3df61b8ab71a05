"""Whom and what the user names: people by their part, organisations, projects."""

from __future__ import annotations

import re
from collections.abc import Iterable

from brain_core.extract.english.values import clean
from brain_core.extract.english.vocabulary import JOB, pattern
from brain_core.extract.language import Found, Rule, Scene
from brain_core.text.expression import Expression

_RELATION = (
    r"account manager|manager|boss|lead|tech lead|team lead|cto|ceo|cfo|coo|colleague|coworker|co-worker|"
    r"teammate|client|customer|supplier|vendor|partner|contact|contact person|lawyer|accountant|doctor|"
    r"gp|dentist|therapist|landlord|landlady|"
    r"teacher|tutor|coach|trainer|advisor|adviser|supervisor|mentor|intern|assistant|designer|developer|"
    r"architect|contractor|plumber|electrician|gardener|nanny|babysitter|vet|neighbou?r|friend|best friend|"
    r"flatmate|roommate|"
    r"provider|isp|host|hosting provider|bank|insurer|insurance|agency|competitor|subsidiary|parent company|"
    r"project|codename|product|product owner|scrum master|admin|sysadmin|dba|editor|publisher|agent|broker|"
    r"investor|sponsor|school|university|"
    r"clinic|gym|warehouse|landscaper|caterer|photographer|pharmacist|physio|midwife|hairdresser|mechanic|"
    r"cleaner|driver|pm|project manager|hr|recruiter|liaison|rep|consultant|auditor|notary|builder|professor|"
    r"headteacher|principal|"
    r"staging server|server|main repo|repo|repository|tool|crm|erp|wiki|tracker|dashboard|mascot|team|"
    r"office|branch|store|shop|supplier for [\w ]+|partner for [\w ]+"
)
_PROPER = r"(?-i:[A-Z][\w&’'.-]*(?: (?:[A-Z&][\w&’'.-]*|of|de|van|von)){0,3})"
_ORG_WORD = Expression(
    r"provider|isp|host|bank|insur|agency|competitor|subsidiary|company|school|university|clinic|gym|supplier|"
    r"vendor|client|customer|partner|publisher|sponsor|shop|store|warehouse|office|branch|team",
    re.IGNORECASE,
)
_ORG_NAME = Expression(
    r"\b(?:GmbH|Inc|Ltd|LLC|AG|Corp|Co|Physio|Bank|Labs?|Studios?|Systems|Group|University|School|Clinic|"
    r"Partners|Solutions|Services|Logistics|Foods|&)\b|&"
)
_NOT_PEOPLE = frozenset(
    [
        "this",
        "that",
        "it",
        "here",
        "there",
        "what",
        "he",
        "she",
        "they",
        "everything",
        "nothing",
        "today",
        "tomorrow",
        "my",
        "the",
        "our",
        "your",
        "its",
    ]
)
_ROLE = rf"(?:{_RELATION}|{JOB})"
_FULL_NAME = r"(?-i:[A-Z][\w’'-]+ (?:(?:de|van|von|da) )?[A-Z][\w’'-]+)"


def _named(match: re.Match[str], scene: Scene) -> Iterable[Found]:  # noqa: ARG001
    name, role = match["name"].strip(" '’\""), match["role"]
    if re.search(r"\b(?:favou?rite|preferred|go-to|ideal|dream)\b", match["what"], re.IGNORECASE):
        return
    if name.split()[0].lower() in _NOT_PEOPLE or name.lower() == "i":
        return
    kind = "org" if _ORG_WORD.search(role) or _ORG_NAME.search(name) else "person"
    if re.search(r"project|codename|product\b|tool|crm|erp|wiki|tracker|dashboard|server|mascot", role, re.IGNORECASE):
        kind = "topic"
    if re.search(r"\brepo", role, re.IGNORECASE):
        kind = "repo"
    yield Found({"kind": kind, "canonical": name, "attrs": {"role": clean(match["what"])}})


def _called(match: re.Match[str], scene: Scene) -> Iterable[Found]:  # noqa: ARG001
    yield Found({"kind": "topic", "canonical": match["name"].strip(" '’\"“”"), "attrs": {"role": clean(match["what"])}})


RULES = (
    Rule("named_is_our", "entities", "is's is our my the are", pattern(
        rf"^(?P<name>{_PROPER})(?:'s|’s| is| are| will be| has become)(?: now)? (?P<what>(?:our|my|the)"
        rf"(?: new| main| current| only| old)? (?:[\w'’-]+ ){{0,3}}?(?P<role>{_RELATION})\b.{{0,60}})"), _named),
    Rule("colleague", "entities", "colleague boss manager friend coworker teammate neighbour neighbor landlord",
        Expression(
        r"^(?:My|my|Our|our) (?P<what>(?:[\w-]+ )?(?P<role>colleague|boss|manager|co-?worker|teammate|"
        r"team lead|tech lead|supervisor|landlord|landlady|neighbou?r|therapist|accountant|lawyer|doctor|"
        rf"tutor|coach|assistant|friend)),? (?P<name>{_PROPER}),? (?:handles|runs|is|does|takes|leads|manages|"
        r"lives|owns|works|looks after|can|will|has|who)\b"), _named),
    Rule("in_charge", "entities", "handles runs manages leads owns care after charge responsible", Expression(
        r"^(?P<name>[A-Z][\w'’-]+ (?:(?:de|van|von|da) )?[A-Z][\w'’-]+) (?P<what>(?:(?P<role>handles|runs|"
        r"manages|leads|owns|does|takes care of|looks after|is in charge of|is responsible for) (?:our|"
        r"my|the|all) .{2,60}))"), _named),
    Rule("we_are_called", "entities", "called", Expression(
        rf"^(?:We['’]re|we['’]re|We are|we are) (?P<what>called) (?P<name>{_PROPER})"), _called),
    Rule("our_is_named", "entities", _RELATION.replace("|", " ").replace("?", "") + " name neighbor neighbour",
        pattern(
        rf"^(?:our|my) (?P<what>(?:[\w'’-]+ ){{0,3}}?(?P<role>{_RELATION}))(?:'s name)?(?:'s|’s| is|,| "
        rf"is called| is named)(?: now)? (?:called |named )?(?P<name>{_PROPER})(?=$|[,.;(]| (?:and|is|from|"
        r"at|who|handles|said|wants|will)\b)"), _named),
    Rule("project_called", "entities", "called named codename codenamed", pattern(
        r"^(?:(?:i|we)(?:'re|’re| are|'m)? ?\w* ?(?:on|building|developing|have|run)? ?)?(?:our|my|the|"
        r"a|this)(?: new| internal| side)? (?P<what>(?:[\w-]+ ){0,2}?(?:project|product|app|tool|team|"
        r"company|startup|repo|service|band|boat|store|shop|podcast|blog|newsletter|game))(?:'s| is|,)"
        rf"? (?:is )?(?:code-?named|called|named) (?P<name>[\"“']?{_PROPER}[\"”']?)"), _called),
    Rule("who_is", "entities", "she's he's who's who she he they're they that's", pattern(
        rf"^(?:.{{0,60}}?\b)?(?P<name>{_PROPER})(?:, | \()(?:and )?(?:she|he|they|who|that)(?:'s|’s|'re| is| "
        rf"are)(?: now| also)? (?P<what>(?:our|my|the|"
        rf"an?)(?: new| main| current)? (?:[\w'’-]+ ){{0,3}}?(?P<role>{_ROLE})\b.{{0,60}})"), _named),
    Rule("our_one_is", "entities", "called named is's are is", pattern(
        rf"^(?:.{{0,20}}?\b)?(?:our|my) (?P<what>(?:[\w'’-]+ ){{0,3}}?(?P<role>{_ROLE}))(?: (?:on|for|at|in|from|"
        rf"over at) [\w'’ -]{{2,40}}?)?(?:'s name)?"
        rf"(?:'s|’s| is| are)(?: now)? (?:(?:an? |the )(?:[\w-]+ ){{0,3}}?)?(?:called |named "
        rf")?(?P<name>{_PROPER})(?=$|[,.;(]| (?:and|from|at|who|she|he)\b)"),
        _named),
    Rule("our_one_comma", "entities", "our my the", pattern(
        rf"^(?:.{{0,40}}?\b)?(?:our|my|the) (?P<what>(?:[\w'’-]+ ){{0,2}}?(?P<role>{_RELATION}))(?:, | "
        rf")(?P<name>{_FULL_NAME}|(?-i:Dr|Mr|Mrs|Ms)\.? (?-i:[A-Z])\w+)(?=$|,|\)| (?:is|has|"
        r"handles|pays|wants|takes|runs|does|will|said|from|at)\b)"), _named, shares=True),
    Rule("from_there_does", "entities", "approves handles signs does runs manages owns looks takes pays", Expression(
        r"^(?P<name>[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)?) (?P<what>(?P<role>(?:from|in|at) (?:the )?[\w ]{2,20}?) "
        r"(?:approves|handles|signs|does|runs|manages|owns|"
        r"looks after|takes care of|pays) .{3,80})"), _named),
    Rule("apposition", "entities", "our my", pattern(
        rf"^(?:.{{0,60}}?\b)?(?P<name>{_FULL_NAME})(?:, | \(| is )(?P<what>(?:our|my) (?:[\w'’-]+ "
        rf"){{0,3}}?(?P<role>{_ROLE})\b)"), _named, shares=True),
    Rule("does_for_us", "entities", "handles runs manages leads owns does looks charge responsible heads takes "
        "covers signs maintains", Expression(
        r"^(?P<name>[A-Z][\w'’-]+(?: (?:(?:de|van|von|da) )?[A-Z][\w'’-]+)?) (?P<what>(?P<role>handles|manages|"
        r"leads|owns|runs(?! (?:on|at|every|in|from|daily|nightly|under|against|out|late)\b)|heads|"
        r"looks after|takes care of|is in charge of|is responsible for|signs off|covers|maintains(?! that\b)) (?!me\b|"
        r"it\b).{3,80})"), _named),
)  # fmt: skip
