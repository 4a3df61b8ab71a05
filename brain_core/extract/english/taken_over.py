"""Who or what comes in the place of one that is over: "Dr. Patel retired, so it's Dr. Meyer from now on"."""

from __future__ import annotations

import re
from collections.abc import Iterable

from brain_core.extract.english.mentioned import content
from brain_core.extract.english.replacing import replaced, rewritten
from brain_core.extract.english.swaps import alike
from brain_core.extract.english.target import Target, changeable, supposed
from brain_core.extract.english.values import clean
from brain_core.extract.english.vocabulary import FROM_NOW, pattern
from brain_core.extract.known import words_of
from brain_core.extract.language import Found, Rule, Scene
from brain_core.text.expression import group_of
from brain_core.text.words import terms

_LOOKED_BACK = 160
"""Characters of the message before a clause, in which what is over may stand."""


def _follows(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read whom one has now, or where one goes, after whom or what the message has said to be over."""
    new = clean(group_of(match, "new"))
    before = scene.message[max(scene.clause.start - _LOOKED_BACK, 0) : scene.clause.start]
    if supposed(scene) or _FOR_A_TIME.search(f"{before} {scene.clause.sentence}"):
        return
    for over in reversed(list(_OVER.finditer(f"{before}{scene.clause.text[: match.start('by')]}"))):
        old = next(text for text in over.groups() if text).replace("’", "'").removesuffix("'s")
        held = [(target, known) for target in changeable(scene) if (known := _named(target, old)) is not None]
        if len(held) == 1:
            target, known = held[0]
            if not new:
                yield from _restated(target, old, scene)
            elif known != new and alike(known, new):
                yield from replaced(target, known, new, scene)
            return


def _restated(target: Target, old: str, scene: Scene) -> Iterable[Found]:
    """Yield what a clause without a name says in the place of what it shares a word with, besides what is over."""
    both = content(scene.clause.text) & words_of(target.said)
    if both - words_of(old):
        yield from rewritten(target, clean(scene.clause.text), scene)


def _named(target: Target, old: str) -> str | None:
    """Return how a name stands in what is known, with its title and where it is, None where it does not."""
    found = re.search(
        rf"\b(?:(?:Mr|Mrs|Ms|Dr|Prof)\.? )?{re.escape(_TITLE.sub('', old))}(?![\w'’])(?: (?:on|in|at|near) [^,;.]+)?",
        target.said,
    )
    return None if found is None else found[0]


def _does_it_now(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read "Lukas signs off the designs from here on" of what another is known to do."""
    if supposed(scene) or _FOR_A_TIME.search(scene.clause.sentence):
        return
    does = frozenset(terms(match["does"])) - _SAYS_NOTHING
    held = []
    for target in changeable(scene):
        known = _DOES.match(target.said)
        if (
            known is not None
            and frozenset(terms(known["does"])) - _SAYS_NOTHING == does
            and known["who"] != match["who"]
        ):
            held.append((target, known["who"]))
    if len(does) > 1 and len(held) == 1:
        yield from replaced(*held[0], match["who"], scene)


_NAME = (
    r"(?-i:(?!I\b|It\b|We\b|You\b|They\b|She\b|He\b|The\b|This\b|That\b|My\b|Our\b|So\b|And\b)(?:(?:Mr|Mrs|"
    r"Ms|Dr|Prof)\.? )?[A-Z][\w’'-]*\w(?: [A-Z][\w’'-]*\w)?)"
)
_TITLE = pattern(r"^(?:Mr|Mrs|Ms|Dr|Prof)\.? ")
_IS = r"(?:['’]s| is| has| was| got|['’]ve| have)?(?: just| now| finally| sadly| also)*"
_OVER = pattern(
    rf"\b({_NAME}){_IS} (?:retir(?:ed|es|ing)|left|leaving|quit|resigned|moved (?:away|on|to|back)|died|passed "
    rf"away|gone|"
    r"sold|stepped down|(?:on|off on|going on) (?:maternity|parental|paternity) leave|let go|fired|transferred|"
    r"closed|shut(?: down)?|went (?:bust|bankrupt|under)|(?:(?:way |far |just )?too (?:crowded|expensive|far|"
    r"busy|full|slow))|"
    r"can['’]t (?:do|make) it any ?more|stopped|has too much on)\b|"
    rf"\b(?:cancell?ed|left|quit|ditched|dropped|dumped|done with|gave up|given up|stopped (?:going to|using|seeing)|"
    rf"fired|let|sacked|broke with) (?:the |my |our )?({_NAME})"
)
"""What is over, or who."""
_FOR_A_TIME = pattern(
    r"\?|\b(?:for (?:now|today|tonight|a (?:bit|while|day|week|few \w+)|the (?:day|week|moment|time being))|until|till|"
    r"temporarily|this (?:week|time|morning|afternoon)|today|tonight|on holiday|if|might|maybe|filled in)\b"
)
_MARK = rf"(?:,? (?:{FROM_NOW}|instead))"
_WITH = r"(?:to|with|at|by|on|from|in)"
_PLACE = r"(?:(?:the|an?) (?:[\w-]+ ){1,4}(?:called|named) )?"
_REST = r"(?:,? (?:for|about|when|because|since|who|she|he|they|which|and|twice|once|every|on \w+days?) ?.{0,60})?"
_SAYS_NOTHING = frozenset(terms("is are will the a an our my all does do has have up off"))
_DOES = pattern(
    rf"^(?P<who>{_NAME}(?: (?:from|at|of|in) [\w ]{{2,24}}?)?)(?: is| will| has)? "
    r"(?P<does>(?!(?:is|was|are|has|have|and|or|in|on|at|to)\b)[a-z]\w+ .{3,80})$"
)
RULES = (
    Rule("comes_after", "", "it's it that's see go with have got use train work shop bank swim climb eat practise play "
         "taking took takes new replaces replaced seeing going using report now days nowadays instead", pattern(
        rf"^.*?(?P<by>\b)(?:(?:it['’]s|it is|that['’]s)(?: now)? (?P<newi>{_NAME}){_MARK}{{1,8}}|"
        rf"(?:i|we)(?:['’]m|['’]re|['’]ve| am| are| have)?(?: now| just)* (?:see(?:ing)?|have|got|use|using|"
        rf"(?:go|going|"
        rf"report|train|work(?:ing)?(?: out)?|shop|bank|swim|climb|eat|practise|play|talk|switched|changed|"
        rf"moved)? ?{_WITH}) "
        rf"{_PLACE}(?P<newv>{_NAME})(?: now)?{_REST}{_MARK}{{0,8}}|"
        rf"(?:i|we)(?:['’]m|['’]re| am| are)? (?!(?:am|are|was|were|think|hope|need|want)\b)[a-z]+ "
        rf".{{3,80}}?{_MARK}{{1,8}}{_REST}|"
        rf"(?:the |our |my )?new (?:one|owner|boss|guy|person|landlord|landlady|doctor|dentist|place)(?:['’]s| is)"
        rf"(?: called| named| an?)* (?P<newn>{_NAME})|"
        rf"(?P<newt>{_NAME})(?:['’]s| is| has)?(?: now)? (?:taking over|took over|takes over|taken over|"
        rf"replac(?:es|ed|ing) "
        rf"(?:him|her|them)|(?:his|her|the) replacement)\b.{{0,60}})$"), _follows, vital=True),
    Rule("does_it_now", "knowledge", "now days nowadays on since as instead", pattern(
        rf"^(?:(?:so|and|but)[, ]+)?(?:{_NAME}['’]s \w+ )?(?P<who>{_NAME})(?: is| will| has)? (?P<does>[a-z]\w+ "
        rf".{{3,80}}?){_MARK}{{1,8}}$"),
        _does_it_now, vital=True),
)  # fmt: skip
