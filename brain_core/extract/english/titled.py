"""What something of one's own is called: "the working title is Salt Road", and "the title was changed to …" later."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from brain_core.extract.english.values import clean, topic
from brain_core.extract.english.vocabulary import pattern
from brain_core.extract.known import value_of
from brain_core.extract.language import MASK, Found, Rule, Scene

_OF = r"(?: (?:of|for) (?:my|our|the|this) [\w'’ -]{2,40}?)?"
_NAME = (
    r"(?:title|code ?name|slogan|tagline|motto|domain(?: name)?|(?:project|team|band|shop|store|company|brand|product|"
    r"channel|podcast|blog|repo|book|group|club|boat|app|service|package|library) name)"
)
_WHAT = (
    rf"(?P<what>(?:the |my |our |its )?(?:[\w'’-]+ ){{0,3}}?{_NAME}{_OF}|"
    rf"(?:the )?name(?= (?:of|for|was|has|got|changed)\b){_OF})"
)
_CHANGED = r"(?:has |was |got |has been |have |is )?(?:now |since )?(?:been )?(?:changed|renamed|switched)"
_NAMED = (
    r"(?P<named>[\"“«'‘][^\"”»]{2,80}[\"”»'’]|(?-i:[A-Z0-9@#])[^,;.!?]{1,80}?|[\w-]+\.[a-z]{2,8}|"
    rf"{MASK}{{4,90}})"
)
_TITLED = pattern(
    rf"(?:(?:so|ok|okay|and|also|btw|oh|well|by the way|we decided|decided),? )*{_WHAT}"
    r"(?:,? (?:is|will be)(?: now| going to be)?|['’]s(?: now)?|:|"
    rf",? {_CHANGED} (?:to|into)|"
    rf",? {_CHANGED}[,;:.–—-]* ?(?:and )?(?:(?:it|that)(?:['’]?s| is)(?: called)?|now)(?: now)?)"
    rf" {_NAMED}(?= (?:for now|now|instead)\b|[,;.!]|$)"
)
_OWN = pattern(r"(?:(?:the|my|our|its|new|working|final|current|provisional|official) )+")
_ALONE = pattern(rf"(?:{_NAME}|name)$")


def _titled(match: re.Match[str], scene: Scene) -> Iterable[Found]:  # noqa: ARG001
    text = scene.clause.whole
    found = _TITLED.match(text)
    if found is None:
        return
    what, content = _OWN.sub("", found["what"], count=1), clean(text[found.start("what") : found.end()])
    if _ALONE.match(what):
        known = next(_known(scene, what), None)
        if known is None and what == "name":
            return
        if known is not None:
            what = known[0]
            content = content if MASK in content else f"{known[1]}{found['named']}"
    yield Found({"kind": "fact", "slug": _slug(what), "content": content}, span=(0, found.end()))


def _known(scene: Scene, name: str) -> Iterator[tuple[str, str]]:
    """Yield (what a known title is of, how it is told up to the title) of those that a name alone may mean."""
    for item in scene.known.active("knowledge"):
        told = _TITLED.match(str(value_of(item)["content"]))
        if told is not None and re.search(rf"\b{name}\b", told["what"], re.IGNORECASE):
            yield _OWN.sub("", told["what"], count=1), told.string[: told.start("named")]


def _slug(what: str) -> str:
    """Return what names a title in its key, the same for "thesis title" and "title of my thesis"."""
    return "_".join(sorted(topic(what, 5).split("_")))


RULES = (
    Rule(
        "titled",
        "knowledge",
        "title name codename slogan tagline motto domain",
        pattern(r"\b(?:title|name|code ?name|slogan|tagline|motto|domain)\b"),
        _titled,
    ),
)
