"""What a rule of the work asked or forbade, and is so no more: "pnpm is out", "pushing to main is ok now"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from brain_core.extract.english.target import supposed
from brain_core.extract.english.vocabulary import pattern
from brain_core.extract.known import denial, value_of
from brain_core.extract.language import Found, Rule, Scene
from brain_core.extract.vital import is_vital_item
from brain_core.text.words import terms

_OF_WORK = ("coding", "tools")


def _rules(scene: Scene) -> Iterator[tuple[str, Found]]:
    """Yield what each known rule of the work says, in small letters, and its denial."""
    for item in scene.known.active("preferences"):
        value = value_of(item)
        if value.get("scope") in _OF_WORK:
            yield str(value["value"]).lower(), Found(denial(item), type="preferences", denies=True)


def _left(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read that a tool is used no more: the only rule that asks for it ends."""
    tool = re.escape((match["a"] or match["b"]).lower())
    asking = [
        found
        for said, found in _rules(scene)
        if re.search(rf"(?<![\w-]){tool}(?![\w-])", said)
        and not re.search(
            rf"\b(?:not|never|no|don['’]t|avoid|instead of|rather than|over)\b[^,;]*(?<![\w-]){tool}(?![\w-])", said
        )
    ]
    if len(asking) == 1 and not supposed(scene):
        yield from asking


def _allowed(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read that something may be done from now on: the only rule that forbids just that ends."""
    wanted = set(terms(match["what"]))
    forbidding = [found for said, found in _rules(scene) if _FORBIDS.search(said) and wanted <= set(terms(said))]
    if wanted and len(forbidding) == 1 and not supposed(scene):
        yield from forbidding


def _again(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read "you can add comments again", "emojis are fine again": the only wish against just that ends."""
    wanted = set(terms(match["what"] or match["what2"])) - _LEADS
    forbidding = [
        Found(denial(item), type="preferences", denies=True)
        for item in scene.known.active("preferences")
        if not is_vital_item(item)
        and _FORBIDS.search(said := str(value_of(item)["value"]).lower())
        and wanted <= set(terms(said))
    ]
    if wanted and len(forbidding) == 1 and not supposed(scene):
        yield from forbidding


_LEADS = frozenset(terms("add use include put write the some my again them"))
_FORBIDS = pattern(r"\b(?:never|no|not|don['’]?t|avoid|without|stop|forbidden|must not|mustn['’]t)\b")
_FROM_NOW = r"(?:now|again|from (?:today|now|tomorrow)(?: on)?|as of (?:today|now)|these days|going forward)"

RULES = (
    Rule("tool_left", "preferences", "forget ditch out gone history dead", pattern(
        r"(?:^|[,;] |\band )(?:forget|ditch|we(?:'ve|’ve| have)? ditched) (?P<a>[\w.+-]{2,30})$|"
        r"(?:^|[,;] |\band )(?P<b>[\w.+-]{2,30}) is (?:out|gone|history|dead)(?: now)?$"),
        _left, shares=True),
    Rule("allowed_now", "preferences", "ok okay fine allowed", pattern(
        rf"^(?P<what>[a-z]+ing [\w /.-]{{2,40}}?) is (?:ok|okay|fine|allowed)(?: {_FROM_NOW})+$"),
        _allowed, shares=True),
    Rule("allowed_again", "preferences", "again now", pattern(
        r"^(?:(?:actually|ok|okay|so)[, ]+)*(?:you can|feel free to|it['’]?s (?:ok|okay|fine) to|"
        r"go ahead and)(?: now)? "
        rf"(?:add|use|include|put|write|do) (?P<what>[\w /-]{{3,40}}?) again"
        rf"(?: {_FROM_NOW})*(?: tbh| lol| thanks)?(?:,.{{2,80}})?$|"
        rf"^(?:(?:actually|ok|okay|so)[, ]+)*(?P<what2>[\w /-]{{3,40}}?) (?:is|are) (?:ok|okay|fine|allowed|welcome)"
        rf"(?: {_FROM_NOW})+(?: tbh| lol| thanks)?(?:,.{{2,80}})?$"), _again, vital=True),
)  # fmt: skip
