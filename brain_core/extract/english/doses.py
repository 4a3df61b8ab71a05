"""Another dose of a known medicine, or another medicine: "sertraline's up to 100 now", "on apixaban, not warfarin"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from brain_core.extract.english.denials import deny
from brain_core.extract.english.medicines import MEDICINES
from brain_core.extract.english.replacing import replaced
from brain_core.extract.english.target import Target, supposed, targets
from brain_core.extract.english.values import profile
from brain_core.extract.english.vocabulary import kin_of, pattern
from brain_core.extract.known import words_of
from brain_core.extract.language import Found, Rule, Scene
from brain_core.kinds.registry import slug
from brain_core.text.expression import group_of


def _dose(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read "she upped it to 1000" after a medicine was told of in this session, or where its name is said."""
    what, new, clause = group_of(match, "what"), group_of(match, "new"), scene.clause
    besides = replace(clause, text=clause.text.replace(new, ""))  # "once a day" supposes nothing
    if supposed(replace(scene, clause=besides)) or clause.sentence.rstrip().endswith("?"):
        return
    held = list(_held(scene))
    named = _named(what, match["whose"] or "", held, scene)
    if not named and len(held) == 1 and _IT.fullmatch(what) and held[0].item.session_id == scene.session:
        named = held
    if len(named) == 1:
        yield from _dosed(named[0], what, new, scene)
    elif not named and not match["whose"] and match["surely"]:
        medicine = next((word for word in what.lower().split() if word in _MEDICINES), "")
        if medicine:
            text = scene.clause.text
            yield Found(profile((f"medicine_{medicine}", text)), span=(0, len(text)))


def _held(scene: Scene) -> Iterator[Target]:
    """Yield the user's medicines, and what he suffers from, which may be told with what is taken for it."""
    for told in targets(scene, ("profile",)):
        if told.fact is not None and told.slot.name in {"medicine", "health"}:
            yield told


def _with_its_dose(medicine: str, said: str) -> str:
    """Return a medicine as a text has it, with the dose behind it."""
    found = re.search(rf"{re.escape(medicine)}(?: {_WITH_UNIT.pattern})?(?: (?:{_HOW_OFTEN}))?", said, re.IGNORECASE)
    return medicine if found is None else found[0]


def _named(what: str, whose: str, held: list[Target], scene: Scene) -> list[Target]:
    """Return what is known of the medicine that is named: the user's, or what is told of whose it is."""
    wanted = words_of(_OF_DOSES.sub("", what))
    own = [told for told in held if wanted & words_of(told.said)]
    if not wanted or (own and not whose):
        return own
    of_others = [told for told in targets(scene, ("knowledge", "profile")) if told not in held]
    of_others = [told for told in of_others if wanted & words_of(told.said) and _TAKES.search(told.said)]
    who = kin_of(whose)
    return [told for told in of_others if not whose or who in {kin_of(word) for word in _WORD.findall(told.said)}]


def _dosed(told: Target, what: str, new: str, scene: Scene) -> Iterator[Found]:
    """Yield a medicine with another dose, or taken so often, in the place of the one told; behind its name if none was.

    Where several were told, the new statement takes the place of the old one.
    """
    form = _OFTEN if _OFTEN.fullmatch(new) else _WITH_UNIT
    olds = [each[0] for each in form.finditer(told.said)] or ([] if form is _OFTEN else _NUMBER.findall(told.said))
    if len(olds) == 1:
        unit = _UNIT_AT_END.search(olds[0])
        old = olds[0] if unit is None or _UNIT_AT_END.search(new) else olds[0][: unit.start()].rstrip()
        yield from replaced(told, old, new, scene)
    elif not olds:
        name = next((word for word in what.split() if word.lower() in told.said.lower()), "")
        yield from replaced(told, name, f"{name} {new}", scene) if name else ()
    elif told.fact is not None:
        yield from replaced(told, told.said, scene.clause.text, scene)


def _swapped(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read which medicine the user takes instead of a known one; its dose is not that of the other."""
    if supposed(scene) or scene.clause.sentence.rstrip().endswith("?"):
        return
    old, new = group_of(match, "old"), group_of(match, "new")
    held = list(_held(scene))
    over = [told for told in held if words_of(old) <= words_of(f"{told.said} {told.fact and told.fact['k']}")]
    if over and words_of(new) != words_of(old) and _is_medicine(new):
        for told in over:
            if told.slot.name == "medicine":
                yield from deny(told, scene)
            else:  # what it is taken for stays
                yield from replaced(told, _with_its_dose(old, told.said), new, scene)
        if any(told.slot.name != "medicine" for told in over):
            return
        name = new.lower().split()[0]
        yield Found(profile((f"medicine_{slug(name, 32)}", f"I take {new}")), span=(0, len(scene.clause.text)))


def _is_medicine(named: str) -> bool:
    """Return whether words name a medicine: one that is known for such, one with a dose, or by how it ends."""
    name = named.lower().split()[0]
    return name in _MEDICINES or any(letter.isdigit() for letter in named) or _ENDS_AS_ONE.fullmatch(name) is not None


_ENDS_AS_ONE = pattern(
    r"[a-z]{3,20}(?:ine|ol|mab|nib|pril|statin|sartan|azole|zine|pam|lam|ide|one|ate|ium|mycin|cillin|xaban|gliptin|"
    r"tide|"
    r"triptan|profen|dipine|sone|lone|vir|setron|prazole|parin|trel|oxin|amine)"
)
_MEDICINES = frozenset(MEDICINES.split())
_WORD = pattern(r"[a-z]+")
_TAKES = pattern(r"\b(?:takes?|taking|is on|needs?|gets?|prescribed)\b")
_IT = pattern(r"it|the dose|that|the dosage")
_OF_DOSES = pattern(r"\b(?:my|the|doses?|dosages?|of|it|that)\b")
_SPELLED = (
    r"(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|twenty[- ]five|thirty|forty|fifty|"
    r"sixty|seventy[- ]five|eighty|a hundred|two hundred|half an?)"
)
_UNIT = r"(?:mg|mcg|ml|g|iu|units?|milligrams?|micrograms?|tablets?|pills?|drops?|puffs?)"
_UNIT_AT_END = pattern(rf" ?{_UNIT}$")
_DOSED = (
    r"(?:upped|raised|increased|lowered|reduced|cut|bumped|doubled|halved|dropped|brought|put|taken|gone|went|goes)"
)
_HOW_OFTEN = (
    r"(?:once|twice|(?:one|two|three|four|five|six|\d) times) (?:a|per|every) (?:day|week)|every (?:\w+ )?(?:hours?|"
    r"days?|weeks?|(?:mon|tues|wednes|thurs|fri|satur|sun)day|"
    r"morning|night|evening)|(?:one|two|three|four|five|six|\d) (?:a|per) day"
)
_OFTEN = pattern(rf"\b(?:{_HOW_OFTEN})\b")
_NUMBER = pattern(r"(?<![\d:.])\d+(?:[.,]\d+)?\b(?!:)")
_WITH_UNIT = pattern(rf"\b(?:\d+(?:[.,]\d+)?|{_SPELLED}) ?{_UNIT}\b")
_NEW = rf"{_HOW_OFTEN}|\d+(?:[.,]\d+)?(?: ?{_UNIT}\b)?|{_SPELLED} {_UNIT}\b"
_TAIL = (
    rf"(?: (?:{_HOW_OFTEN}))?"
    r"(?: (?:a|per) day| daily| now| instead| these days)*"
    r"(?:,? (?:from|as of|since|starting|because|so|and|but) .{2,80})?$"
)
_THEY = (
    r"(?:he|she|they|we|i|dr\.? (?-i:[A-Z])[\w'’-]+|(?:(?:my|the|his|her) )?(?:doctor|doc|gp|consultant|psychiatrist|"
    r"cardiologist|endocrinologist|specialist|nurse|vet|hospital))"
)
_A_MEDICINE = r"[a-z][a-z-]{3,24}(?: (?:tablets|pills|injections))?"
_WITH_DOSE = rf"{_A_MEDICINE}(?: \d+(?:[.,]\d+)? ?{_UNIT}\b)?"
_NOW = r"(?: (?:now|just|been|today|instead|already|recently|finally))*"
_I_HAVE = rf"(?:i|we)(?:['’]ve|['’]m| have| was| am)?{_NOW} (?:been )?"
_THEY_ME = rf"{_THEY}(?:['’]ve|['’]s| have| has)?{_NOW} (?=\w+(?: \w+)?? (?:me|my)\b)"
_LEAD = r"^(?:(?:so|and|but|ok|the nurse said|(?:my |the )?(?:doc|doctor|gp) (?:said|says))[, ]+)*(?:that )?"
RULES = (
    Rule("medicine_swapped", "profile", "instead not place from swapped switched changed moved replaced off stopped",
        pattern(
            rf"{_LEAD}(?:(?:i(?:['’]m| am|['’]ve| have|['’]ve been| was)?{_NOW} )?(?:(?:been )?(?:put|started|switched|"
            rf"moved|changed)(?: over)? (?:on|onto|on to|to)|on|taking|take|prescribed) (?P<new>{_WITH_DOSE}){_NOW},? "
            rf"(?:instead of|rather than|in place of|not) (?:the )?(?P<old>{_A_MEDICINE})|"
            rf"(?:{_I_HAVE}|{_THEY_ME}|been )?(?:switched|swapped|changed|moved|taken|took)(?: me)?(?: over)?"
            rf"(?: from| off)? (?:my |the )?(?P<old2>{_A_MEDICINE}),? (?:to|for|onto|on to|and (?:put me )?on(?:to)?) "
            rf"(?P<new2>{_WITH_DOSE})|"
            rf"(?:{_I_HAVE}|{_THEY_ME})?replaced (?:my |the )?(?P<old3>{_A_MEDICINE}) (?:with|"
            rf"by) (?P<new3>{_WITH_DOSE})|"
            rf"{_I_HAVE}(?:come off|came off|stopped|off)(?: the| my)? (?P<old4>{_A_MEDICINE}),? "
            rf"(?:and|so)(?: i['’]?m| i['’]ve| i)?{_NOW} (?:started|begun|on|onto|taking|take) (?P<new4>{_WITH_DOSE}))"
            rf"(?=$|[,;.]|{_NOW}$| (?:now|today|since|because|so|as|from)\b)"),
        _swapped, vital=True),
    Rule("dose", "profile",
        "upped raised increased lowered reduced cut doubled halved dropped bumped put up down now goes gone went taken "
        "dose",
        pattern(
            rf"{_LEAD}(?:(?P<surely>my (?:dose of )?(?P<what2>[a-z]+)(?: dose)?(?:['’]s| is| was| has been| got)"
            rf"(?: just| now| been)? {_DOSED}(?: back)?(?: up| down)? to (?P<new2>{_NEW})|"
            rf"{_THEY}(?:['’]s| has| have|['’]ve)?(?: just)? {_DOSED} (?P<what>(?:my |the )?(?:dose of |dosage of )?"
            rf"[a-z]+)(?: dose)?(?: back)?(?: up| down)? to (?P<new>{_NEW}))|"
            r"(?:(?:(?:my|our) )?(?P<whose>(?!it\b|that\b)[a-z]+)['’]s )?(?:my |the )?"
            rf"(?P<what3>(?!(?:{_DOSED}|been|just|now)\b)[a-z]{{4,24}})"
            rf"(?: (?:tablets|pills))?(?: (?:dose|dosage)(?:['’]s| is) (?P<new5>{_NEW})|(?:['’]s| is) (?P<new4>{_NEW})"
            rf"(?= now| these days)|(?: dose| dosage)?(?:['’]s| is| was| has| been| got| just| now)*(?: {_DOSED})?"
            rf"(?: back)? (?:up to|down to|to|now)(?: at)? (?P<new3>{_NEW}))){_TAIL}"),
        _dose, vital=True),
)  # fmt: skip
