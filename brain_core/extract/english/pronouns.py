"""What another person must be given or not, told by a pronoun: "Ravi comes on Saturday, he's allergic to nuts"."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from brain_core.extract.english import others
from brain_core.extract.english.target import supposed
from brain_core.extract.english.vocabulary import NOT_NAMES, pattern
from brain_core.extract.language import Found, Rule, Scene
from brain_core.text.expression import Expression

_LOOKED_BACK = 160  # characters
_ILL = Rule(
    "condition_of_another", "knowledge", "",
    pattern(
        rf"^(?-i:{others.WHO}) is (?:an? )?(?:now |also |severely )?(?P<what>diabetic|epileptic|asthmatic|pregnant|"
        r"colou?r[- ]?blind|deaf|blind)\b.{0,60}$"
    ),
    others.of("health"), vital=False,
)  # fmt: skip


def _by_pronoun(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read what is told of "he" or "she" as told of the one person named before, if there is just one it may be."""
    before = scene.message[max(scene.clause.start - _LOOKED_BACK, 0) : scene.clause.start + match.start("pronoun")]
    who = _named(before, match["pronoun"].lower())
    if not who or supposed(scene):
        return
    text = f"{who}{_IS.sub(' is', match['rest'])}"
    named = replace(scene, clause=replace(scene.clause, text=text))
    for rule in (*others.RULES, _ILL):
        told = rule.pattern.search(text)
        found = [] if told is None else list(rule.build(told, named))
        if found:
            yield from (replace(each, span=(0, len(scene.clause.text))) for each in found)
            return


_IS = pattern(r"^['’]s(?! got\b)")


def _named(before: str, pronoun: str) -> str:
    """Return whom "he" or "she" means, as named in a text: the only person whose words do not say the other sex."""
    his, other = (_HIS, _HERS) if pronoun == "he" else (_HERS, _HIS)
    named: dict[str, str] = {}
    surely: dict[str, str] = {}
    for match in _PERSON.finditer(before):
        kin = (match["kin"] or "").lower()
        name = match["called"] or match["bare"] or ""
        who = match[0].strip() if (match["whose"] or "").lower() in {"my", "our"} else name
        if not who or kin in other or (not kin and not _is_name(match, before)):
            continue
        named[name or who] = who
        if kin in his:
            surely[name or who] = who
    fitting = list((surely if len(surely) == 1 else named).values())
    return fitting[0] if len(fitting) == 1 else ""


def _is_name(match: re.Match[str], text: str) -> bool:
    """Return whether a word with a capital is a name: at the head of a sentence only where it does something."""
    name = match["bare"]
    if name.lower() in NOT_NAMES | _NO_NAMES or name in others.ANYBODY:
        return False
    at_head = _HEAD.search(text[: match.start()]) is not None
    return not at_head or _ACTS.match(text, match.end()) is not None


_HIS = frozenset("husband boyfriend brother son father dad uncle nephew grandfather grandpa grandad".split())  # noqa: SIM905
_HERS = frozenset("wife girlfriend sister daughter mother mum mom aunt niece grandmother grandma gran nan".split())  # noqa: SIM905
_KIN = "|".join(sorted((*_HIS, *_HERS), key=len, reverse=True))
_PERSON = Expression(
    rf"\b(?P<whose>(?i:my|our|her|his)) (?:(?:older|younger|little|big|new|best) )?(?P<kin>(?i:{_KIN}|boss|manager|"
    r"friend|colleague|cousin|neighbou?r|flatmate|roommate|partner|teacher|guest|client))\b(?: (?=[A-Z]))?"
    r"(?P<called>[A-Z][a-z’'-]*[a-z])?\b|\b(?P<bare>[A-Z][a-z]+)\b"
)
_NO_NAMES = frozenset(
    "january february march april may june july august september october november december christmas easter should "  # noqa: SIM905
    "could would can do does did will is are was and but so then also what when where why who how please thanks hi hey "
    "hello ok today tomorrow yesterday english french spanish german italian chinese japanese".split()
)
_HEAD = Expression(r"(?:^|[.!?\n;:]\s*)(?:\W*)$")
_ACTS = pattern(r"(?:['’]s)? (?:and|is|has|was|will|comes?|can|called|just|\w{3,}s|\w{3,}ed)\b")
RULES = (
    Rule("of_him_or_her", "knowledge",
        " ".join(sorted({cue for rule in others.RULES if rule.vital for cue in rule.cue_set} | {
            "diabetic", "epileptic", "asthmatic", "pregnant", "blind", "deaf"})),
        pattern(
            r"(?:^|[,;:] (?:and |but |because |since )?| (?:and|but|because|since) )(?P<pronoun>he|she)"
            r"(?P<rest>(?:['’]s| (?:is|has|can(?:['’]?t|not)|must|may not|never|does|doesn['’]?t|takes?|needs|avoids|"
            r"should|suffers|only|keeps|eats|also)\b).{3,100})$"),
        _by_pronoun, vital=True),
)  # fmt: skip
