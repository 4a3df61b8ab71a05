"""Under which name a fact is kept: what tells of another side of the same takes the place of nothing.

A fact replaces another of the same name, so a name must be no wider than what has one value at a time: `wife`,
`wife_works` and `wife_lives` are three.
"""

from __future__ import annotations

import re

from brain_core.extract.english.vocabulary import ANIMALS, JOB, NOT_A_JOB, NOT_NAMES, kin_of, pattern
from brain_core.kinds.registry import slug
from brain_core.text.expression import Expression

_LONGEST = 40

_OF_HEALTH = pattern(
    r"\b(?P<blood>blood type)|\b(?P<hand>\w+[- ]handed)\b|\b(?P<pregnant>pregnan\w+)|"
    r"\b(?P<of>diabet\w+|asthma\w*|adhd|dyslexi\w+|epilep\w+|autis\w+|blind|deaf\w*|migraines?|arthritis|hypertension|"
    r"an(?:a)?emi\w+|pacemaker|wheelchair|glasses|contact lenses|hearing aids?|colou?r[- ]?blind\w*|coeliac|celiac|"
    r"insulin|inhaler|prosthetic|implant|knees?|back|hips?|heart|eyes?|ears?|hearing|sight|vision|shoulder|wrist|"
    r"blood pressure|lungs)\b"
)
_HEALTH_NAMES = {"blood": "blood_type", "hand": "handedness", "pregnant": "pregnancy"}
_OF_FAMILY = (
    ("marital_status", pattern(r"\b(?:married|divorced|widow(?:ed|er)?|engaged|single(?! (?:mum|mom|dad|parent)))\b")),
    ("household", pattern(r"\blive with\b|\bof us\b|\b(?:family|household|couple) (?:of|with)\b")),
    (
        "children",
        pattern(
            r"\b(?:kids?|child(?:ren)?|sons|daughters|twins|boys|girls)\b|\b(?:son|daughter)\b.*\b(?:son|daughter)\b"
        ),
    ),
    ("siblings", pattern(r"\b(?:brothers|sisters|siblings)\b|\b(?:brother|sister)\b.*\b(?:brother|sister)\b")),
)
_OF_KIN = (
    ("lives", pattern(r"\blives?\b|\bmoved (?:back )?to\b|\bliving in\b|\bis (?:from|in|based)\b")),
    ("goes", pattern(r"\bgo(?:es)? to\b|\battends?\b")),
    ("studies", pattern(r"\bstud(?:y|ies|ying)\b")),
    ("birthday", pattern(r"\bbirthday\b|\b(?:was|were) born\b")),
    ("age", pattern(r"\b(?:is|are|turn(?:s|ed)?|just) (?:only |almost |nearly |now )?\d+\b|\byears? old\b")),
    ("health", pattern(
        r"\b(?:allerg\w+|diabet\w+|pregnan\w+|blind|deaf|autis\w+|vegan|vegetarian|asthma\w*|dementia)\b")),
    ("marriage", pattern(r"\b(?:is|are|got) (?:now |getting )?(?:married|engaged|divorced|widowed)\b")),
    ("works", pattern(
        rf"\bworks?\b|\bteach(?:es)?\b|^(?!.*{NOT_A_JOB.pattern}).*\b(?:is|are|became) (?:now )?(?:"
        rf"(?:an? |the )(?:[\w-]+ ){{0,2}}{JOB}|{JOB}(?=$|,| at\b| in\b| for\b| and\b))\b")),
)  # fmt: skip


def told_as(k: str, v: str) -> str:
    """Return the name of a fact: of health by what it is about, of relatives by what is told of them."""
    if k == "health":
        found = _OF_HEALTH.search(v)
        return k if found is None else _HEALTH_NAMES.get(str(found.lastgroup), slug(f"health {found[0]}", _LONGEST))
    if k == "family":
        return next((name for name, words in _OF_FAMILY if words.search(v)), _relative_in(v) or k)
    if k in _KINS and len(v.split()) > 1:
        side = next((name for name, words in _OF_KIN if words.search(v)), "")
        return f"{k}_{side}" if side else _unless_of_state(k, v)
    if k in _PETS and len(v.split()) > 1:
        return f"{k}_age" if _AGED.search(v) else _unless_of_state(k, v)
    if k == "work":
        return next((name for name, words in _OF_WORK if words.match(v)), k)
    return _of_home(v) if k == "home" else k


def _unless_of_state(k: str, v: str) -> str:
    """Return the key of a name, or of who there is; how somebody is has another one, and takes no name's place."""
    if _NAMED.search(v) is not None or _IS.search(v) is None:
        return k
    who = _IS_CALLED.search(v)
    return k if who is not None and (who[1] or who[2]).lower() not in NOT_NAMES else f"{k}_is"


def _of_home(v: str) -> str:
    if _STOREY.fullmatch(v):
        return "floor"
    if _WITH.match(v):
        return "household"
    return "home" if _A_PLACE.search(v) or not _BESIDE_SOMETHING.match(v) else "residence"


def _relative_in(text: str) -> str:
    found = _RELATIVE.search(text)
    return "" if found is None else kin_of(found[0])


_NAMED = Expression(r"\b(?:[Cc]alled|[Nn]amed|[Nn]ames?)\b")
_IS = Expression(r"(?:['’](?:s|re)|\b(?:is|are|was|were))\b", re.IGNORECASE)
_IS_CALLED = Expression(
    r"(?:['’](?:s|re)|\b(?:is|are)) ([A-Z][\w'’-]+)(?=$|,| and\b| [A-Z])|\b[a-z]+,? ([A-Z][\w'’-]+),? (?:is|was)\b"
)
_AGED = pattern(r"\b(?:is|are|turn(?:s|ed)?|just) (?:only |almost |nearly |now )?\d+\b|\byears? old\b")
_WITH = pattern(r"with\b")
_A_PLACE = Expression(
    r"(?:^|\b(?:[Ii]n|[Nn]ear|[Oo]utside|[Aa]t|[Oo]n|[Oo]f|[Ii]nto)\b) ?(?:the |down\w+ |central |north |south |"
    r"east |west )*(?-i:[A-Z])"
)
_BESIDE_SOMETHING = pattern(
    r"(?:(?:just )?(?:near|next to|above|outside)|(?:in|at|on) (?:a|an|the same|the|my|our|one|some)) "
)
_OF_WORK = (
    ("work_place", pattern(r"(?:mostly |mainly )*(?:from|remote(?:ly)?)\b")),
    ("work_hours", pattern(r"(?:mostly |mainly )*(?:part|full|nights?|days|evenings|weekends|shifts?|four days)\b")),
)
_STOREY = pattern(r"(?:on |at )?(?:the )?(?:\w+ )?(?:floor|storey|story|basement|attic)(?: .{0,20})?")
_RELATIVE = pattern(r"\b(?:son|daughter|brother|sister|grandchild(?:ren)?|grandkids)\b")
_PETS = frozenset({*ANIMALS, "pet"})
_KINS = frozenset(
    (  # noqa: SIM905
        "wife husband partner girlfriend boyfriend fiance fiancee spouse son daughter child children mother father "
        "brother sister grandmother grandfather uncle aunt cousin niece nephew twins twin parents in_laws stepson "
        "stepdaughter sons daughters brothers sisters boys girls toddler baby ex"
    ).split()
)
