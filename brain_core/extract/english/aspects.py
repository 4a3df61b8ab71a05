"""Under which name a fact is kept: what tells of another side of the same takes the place of nothing."""

from __future__ import annotations

from brain_core.extract.english.vocabulary import JOB, kin_of, pattern
from brain_core.kinds.registry import slug

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
    ("children", pattern(r"\b(?:kids?|child(?:ren)?|sons?|daughters?|twins|boys|girls)\b")),
    ("siblings", pattern(r"\b(?:brothers|sisters|siblings)\b")),
)
_OF_KIN = (
    ("lives", pattern(r"\blives?\b|\bliving in\b|\bis (?:from|in|based)\b")),
    ("goes", pattern(r"\bgo(?:es)? to\b|\battends?\b")),
    ("studies", pattern(r"\bstud(?:y|ies|ying)\b")),
    ("birthday", pattern(r"\bbirthday\b|\b(?:was|were) born\b")),
    ("age", pattern(r"\b(?:is|are|turn(?:s|ed)?|just) (?:only |almost |nearly |now )?\d+\b|\byears? old\b")),
    ("health", pattern(
        r"\b(?:allerg\w+|diabet\w+|pregnan\w+|blind|deaf|autis\w+|vegan|vegetarian|asthma\w*|dementia)\b")),
    ("works", pattern(
        rf"\bworks?\b|\bteach(?:es)?\b|\b(?:is|are|became) (?:now )?(?:an? |the )?(?:[\w-]+ ){{0,2}}{JOB}\b")),
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
        return f"{k}_{side}" if side else k
    if k == "home" and _STOREY.fullmatch(v):
        return "floor"
    return k


def _relative_in(text: str) -> str:
    found = _RELATIVE.search(text)
    return "" if found is None else kin_of(found[0])


_STOREY = pattern(r"(?:on |at )?(?:the )?(?:\w+ )?(?:floor|storey|story|basement|attic)(?: .{0,20})?")
_RELATIVE = pattern(r"\b(?:brother|sister|grandchild(?:ren)?|grandkids)\b")
_KINS = frozenset(
    (  # noqa: SIM905
        "wife husband partner girlfriend boyfriend fiance fiancee spouse son daughter child children mother father "
        "brother sister grandmother grandfather uncle aunt cousin niece nephew twins twin parents in_laws stepson "
        "stepdaughter sons daughters brothers sisters boys girls toddler baby ex"
    ).split()
)
