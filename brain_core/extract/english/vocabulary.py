"""Words that rules share: jobs, relatives, pets."""

from __future__ import annotations

import re

from brain_core.text.expression import Expression


def pattern(text: str) -> Expression:
    """Return a pattern that takes capitals for small letters."""
    return Expression(text, re.IGNORECASE)


JOB = (
    r"(?:\w+er|\w+or|\w+ist|\w+ian|\w+eer|\w+yst|\w+tect|nurse|midwife|teacher|chef|cook|doctor|physician|"
    r"gp|vet|lawyer|attorney|judge|dev|"
    r"dentist|student|undergrad|pupil|phd student|postdoc|mechanic|clerk|agent|assistant|accountant|consultant|"
    r"sergeant|pilot|nanny|"
    r"freelancer|contractor|founder|cofounder|co-founder|ceo|cto|cfo|coo|vp|pm|sre|dba|intern|apprentice|"
    r"trainee|secretary|surgeon|"
    r"paramedic|firefighter|fireman|policeman|soldier|carpenter|plumber|smith|coach|guide|host|priest|"
    r"rabbi|monk|head|lead|chief|"
    r"principal|dean|scientist|pensioner|retiree|homemaker|housewife|stay-at-home \w+|translator|librarian|"
    r"technician|tech|baker|butcher|"
    r"barista|waiter|waitress|au pair|veteran|official|analyst|specialist|representative|rep|executive|"
    r"partner|owner|operative|caregiver|"
    r"electrician|roofer|farmer|welder|tailor|radiographer|sculptor|composer)"
)


NOT_A_JOB = Expression(
    r"\b(?:\w*etarian|bit|little|lover|beginner|believer|winner|loser|sucker|newcomer|newbie|night owl|"
    r"morning person|person|mess|fan|mother|father|monster|disaster|"
    r"member|customer|supporter|user|non-?\w+er|number|killer|stranger|sister|brother|daughter|former|"
    r"weather|dinner|summer|winter|sleepover|layover|shower|computer|hair|ever|under|over|after|never|rather|either|"
    r"together|better|older|younger|faster|later|other|another|smoker|drinker|sleeper|eater|reader|dreamer|"
    r"follower|subscriber|traveller|walker|"
    r"terrible \w+|bad \w+|slow \w+|good \w+|great \w+|fast \w+|light \w+|heavy \w+|big \w+|quick \w+|"
    r"minor|major|outsider|visitor|neighbor|neighbour|passenger|for|or|nor)\b",
    re.IGNORECASE,
)


NOT_NAMES = frozenset(
    (  # noqa: SIM905
        "same ditto likewise over out nothing everything nobody everyone a an the not so very really just in on at "
        "from with back here sorry sure ok okay done fine good glad happy sad tired going trying looking working "
        "using still also always never now afraid american british german french spanish italian dutch chinese "
        "indian english irish scottish canadian australian european swedish danish norwegian polish russian turkish "
        "japanese korean mexican brazilian portuguese greek jewish muslim christian catholic buddhist hindu vegan "
        "vegetarian capricorn aries taurus gemini leo virgo libra scorpio sagittarius aquarius pisces python java "
        "linux windows mac monday tuesday wednesday thursday friday saturday sunday what who how i i'm one your "
        "more"
    ).split()
)
"""What is capitalised, or stands where a name does, and is none."""


FROM_NOW = (
    r"now|nowadays|these days|from (?:now|here) on|(?:since|as of|from) (?:(?:the|this|last|early|late|mid) )?"
    r"(?!(?:i|we|he|she|they|it|my|our|you)\b)[\w:]+(?: (?:week|weekend|month|year|sprint|morning|night|spring|summer|"
    r"autumn|fall|winter|\d+))?"
)
"""Says that something holds now and did not before, in a pattern."""
PARTNER = "wife|husband|partner|girlfriend|boyfriend|fianc[eé]e?|spouse"
"""Any partner, in a pattern."""
ANIMALS = (
    "dog", "cat", "parrot", "rabbit", "hamster", "horse", "tortoise", "turtle", "goldfish", "guinea_pig", "ferret",
    "budgie", "gecko", "snake", "pony",
)  # fmt: skip
"""Pets by the names under which facts of them are kept; some go by other words, too (`kin_of`)."""

_KIN_NAMES = {
    "mom": "mother", "mum": "mother", "dad": "father", "kid": "child", "kids": "children", "grandma": "grandmother",
    "gran": "grandmother", "nan": "grandmother", "grandpa": "grandfather", "grandad": "grandfather",
    "puppy": "dog", "pup": "dog", "mutt": "dog", "dogs": "dog", "labrador": "dog", "lab": "dog", "retriever": "dog",
    "poodle": "dog", "beagle": "dog", "dachshund": "dog", "greyhound": "dog", "collie": "dog", "terrier": "dog",
    "kitten": "cat", "cats": "cat", "rabbits": "rabbit",
}  # fmt: skip


def kin_of(word: str) -> str:
    """Return the name under which facts of a relative, or of a pet of a sort, are kept: each has its own."""
    name = word.lower().replace(" ", "_").replace("fiancé", "fiance").replace("-", "_")
    return _KIN_NAMES.get(name, name)
