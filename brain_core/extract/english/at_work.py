"""What changes in a project: who owns a part of it, when a job runs, which version is out; and what one does where."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from smartbrain.v1.item_pb2 import MemoryItem

from brain_core.extract.english.brief import named_by
from brain_core.extract.english.facts import NAME
from brain_core.extract.english.slots import FILLERS
from brain_core.extract.english.target import changeable, supposed
from brain_core.extract.english.values import profile, topic
from brain_core.extract.english.vocabulary import FROM_NOW, pattern
from brain_core.extract.known import denial, value_of
from brain_core.extract.language import Found, Rule, Scene
from brain_core.extract.replaced import with_value
from brain_core.extract.versions import VERSION, released
from brain_core.text.expression import Expression
from brain_core.text.words import terms


def _released(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read "we released v2.4.1" of the one release of which a lower version is known."""
    if not supposed(scene) and _NOT_SO.search(scene.clause.sentence) is None:
        yield from released(next(text for text in match.groups() if text), _OF_THE_RELEASE.match, scene)


def _runs_at(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read when a job runs now of which one other time is known; a zone that is not named stays."""
    names = named_by(match["what"] or match["what2"])
    if names is None or supposed(scene) or _NOT_SO.search(scene.clause.sentence):
        return
    new, zone = match["new"] or match["new2"], match["zone"] or match["zone2"] or ""
    held = [
        (target, found[0])
        for target in changeable(scene)
        if target.item.type == "knowledge" and names(target.said) and len(found := list(_AT.finditer(target.said))) == 1
    ]
    if len(held) == 1 and held[0][1]["hour"].lower() != new.lower():
        target, old = held[0]
        whole = old[0] if zone else old["hour"]
        yield from with_value(target.item, None, whole, f"{new}{zone}", topic, (0, len(scene.clause.whole)))


def _owns(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read who does now what another did; nothing where no other is known and nothing is said to have changed."""
    who, does, what = match["who"], match["does"].lower(), match["what"]
    if supposed(scene) or _NOT_SO.search(scene.clause.sentence):
        return
    span = (0, len(scene.clause.whole))
    wanted = frozenset(terms(what)) - FILLERS
    changed = _CHANGED.search(scene.clause.sentence) is not None
    met = [
        (item, known["who"])
        for item, known in _owners(scene)
        if wanted and known["who"] != who and (_is_part(wanted, item) if changed else _is_same(wanted, does, known))
    ]
    for item, old in met:
        if item.type == "entities":
            yield Found(denial(item), type="entities", denies=True, span=span)
        else:
            yield from with_value(item, None, old, who, topic, span)
    if met or (changed and wanted):
        given = {"kind": "person", "canonical": who, "attrs": {"role": f"{does} {what}"}}
        yield Found(given, type="entities", span=span)


def _is_part(wanted: frozenset[str], item: MemoryItem) -> bool:
    return wanted <= frozenset(terms(_said(item)))


def _is_same(wanted: frozenset[str], does: str, known: re.Match[str]) -> bool:
    return known["does"].lower() == does and wanted == frozenset(terms(known["what"])) - FILLERS


def _owners(scene: Scene) -> Iterator[tuple[MemoryItem, re.Match[str]]]:
    """Yield what is known of who does what."""
    for name in ("entities", "knowledge"):
        for item in scene.known.active(name):
            found = _DOES.search(_said(item)) if item.source_message_id != scene.message_id else None
            if found is not None:
                yield item, found


def _said(item: MemoryItem) -> str:
    value = value_of(item)
    if item.type == "entities":
        return f"{value['canonical']} {value.get('attrs', {}).get('role', '')}"
    return str(value.get("content", ""))


def _field_at(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read "I do data eng at Finch"."""
    if not supposed(scene):
        yield Found(profile(("role", match["field"]), ("employer", match["org"])))


_NOT_SO = pattern(
    r"\?|\b(?:if|should|could|might|may|maybe|perhaps|want|wants|plan|planning|plans|will|going to|next|tomorrow|"
    r"for (?:now|today|tonight)|temporarily|tonight|until|never|not yet|used to|think|staging|test|dev|beta|rc|alpha|"
    r"their|they|his|her)\b|n['’]t\b"
)
_OF_THE_RELEASE = pattern(
    r"(?:(?:the|our|we(?:['’]re| are)|it(?:['’]s| is)) )?(?:(?:current|latest|last|newest|prod|production|live|"
    r"stable) )*"
    r"(?:release|version|build|tag|on|at|prod|production)?(?: (?:in prod|in production|version|release|tag))?"
    r"(?: (?:is|are|runs|on|at|now|still|currently|version)){0,3}(?: on| at)? v?\d"
)
"""A statement of nothing but the version that is out."""
_ZONE = r"(?: ?(?:utc|gmt|cet|cest|est|edt|et|pst|pdt|pt|bst|ist|jst))?"
_HOUR = r"(?:\d{1,2}(?::\d\d)? ?(?:am|pm)|\d{1,2}:\d\d|noon|midnight|\d{1,2}(?= (?i:utc|gmt|cet)))"
_AT = pattern(rf"(?<![\w:.])(?P<hour>{_HOUR}(?![\w:]|\.\d))(?P<zone>{_ZONE})\b")
_WHY = r"(?:,? (?:because|so|since|as|due to|now|for|after|from|every) .{2,100}|,? now|, .{2,100})?$"
_FIRST = r"^(?:(?:so|and|but|ok|fyi|update|heads up|also|anyway),? )*"
_HAVE = r"(?:['’]ve| have)?(?: just| finally| now| also)*"
_WHO = (
    r"(?-i:(?!I\b|It\b|We\b|You\b|They\b|She\b|He\b|The\b|This\b|That\b|My\b|Our\b|Nobody\b|Who\b|Everyone\b|Someone\b)"
    r"[A-Z][\w’'-]*\w(?: [A-Z][\w’'-]*\w)?)"
)
_VERB = (
    r"(?:owns|maintains|leads|runs|manages|handles|heads|looks after|takes care of|is in charge of|is responsible for)"
)
_DOES = Expression(rf"(?P<who>{_WHO}) (?i:(?:also |now )?(?P<does>{_VERB}))\b(?P<what>.*)")
_CHANGED = pattern(
    r"\b(?:now|nowadays|left|quit|gone|resigned|retired|moved|instead|these days|leave|took over|from here on)\b"
)
_PART = r"(?P<what>(?:(?:the|our|all) )?[\w./-]+(?: (?!now\b|because|since|so\b|and\b|as\b)[\w./-]+){0,3}?)"
_FIELDS = (
    "eng engineering ops devops infra infrastructure backend frontend design qa testing security support research "
    "analytics data science ml ai platform sre product marketing sales finance accounting hr it legal recruiting "
    "consulting mobile embedded firmware databases procurement logistics"
)
_FIELD = rf"(?P<field>(?:[\w/+-]+ ){{0,2}}?(?:{'|'.join(_FIELDS.split())}))"
RULES = (
    Rule("release_out", "knowledge", "released shipped tagged cut published pushed launched rolled out live we're",
         pattern(
        rf"{_FIRST}(?:(?:we|i){_HAVE} )?(?:released|shipped|tagged|cut|published|rolled out|launched|pushed out) "
        rf"(?:the )?(?:release |version )?(?P<new>{VERSION})(?! of\b)(?:,? .{{0,120}})?$|"
        rf"{_FIRST}(?:we(?:['’]re| are) (?:now )?(?:on|at) )(?P<new2>{VERSION})(?: now)?(?:,? .{{0,60}})?$|"
        rf"{_FIRST}(?P<new3>{VERSION}) (?:is|went)(?: now| finally)? (?:out|live|released)\b.{{0,80}}$"),
        _released, vital=True),
    Rule("runs_at_now", "knowledge", "moved shifted rescheduled changed pushed brought runs starts run start fires",
         pattern(
        rf"{_FIRST}(?:(?:we|i){_HAVE} )?(?:moved|shifted|rescheduled|changed|pushed|brought) (?:the|our) "
        rf"(?P<what>[\w-]+(?: [\w-]+){{0,3}}?)(?: back| forward| up| out| from {_HOUR}{_ZONE})* to "
        rf"(?P<new>{_HOUR})(?P<zone>{_ZONE}){_WHY}|"
        rf"{_FIRST}(?:the|our) (?P<what2>[\w-]+(?: [\w-]+){{0,3}}?) (?=.*\b(?:now|instead)\b)(?:now )?(?:runs?|"
        rf"starts?|fires|"
        rf"kicks off)(?: now)?(?: every (?:day|night|morning))? at (?P<new2>{_HOUR})(?P<zone2>{_ZONE}){_WHY}"),
        _runs_at, vital=True),
    Rule("owned_now", "entities", "owns maintains leads runs manages handles heads looks takes charge responsible",
         pattern(
        rf"{_FIRST}(?:{_WHO}(?:['’]s| has| is| got)? (?:left|quit|gone|moved (?:on|teams?|to [\w ]{{2,30}})|resigned|"
        rf"retired|"
        rf"on (?:parental |maternity |paternity )?leave),? (?:and |so )*)?(?P<who>{_WHO})"
        rf" (?:now )?(?P<does>{_VERB}) {_PART}"
        rf"(?:,? (?:{FROM_NOW}|instead))?{_WHY}"), _owns, vital=True),
    Rule("field_at", "profile", _FIELDS, Expression(
        rf"^(?i:(?:hi|hey|hello|so|and),? )*(?i:i do|i['’]?m doing|i['’]?m in|i am in|im in|i work in)"
        rf" (?i:{_FIELD}) (?:at|for|over at) "
        rf"(?P<org>(?:the )?{NAME})(?=$|[,.;]| (?i:and|mostly|mainly|on|in|since|with)\b)"), _field_at, vital=True),
)  # fmt: skip
