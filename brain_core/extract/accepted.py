"""What the assistant proposed and the user accepts in a few words: "ok do that", "option 2 please", 「就按你说的来」.

Only a message that begins with the acceptance counts, right after the assistant's, and only what is to last: no offer
of help, nothing to be done now. One clear proposal is taken for what "that" is; of several the one that is named. What
the user adds or changes is their own word, which other rules read.

The decision is in the words of the proposal, as said by the user. Its `evidence_refs` name the passage in which it was
proposed (`smartbrain://memory/session/turn#message:start-stop`), and it goes when that turn is purged
(`commit/unsay.py`). Where several things were proposed and none is named, a Skip says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from brain_core.extract.assent import Assent
from brain_core.extract.language import Scene
from brain_core.extract.masks import masked, masks
from brain_core.extract.secrets import find_secrets
from brain_core.extract.sentences import sentences
from brain_core.text.expression import group_of
from brain_core.text.words import terms

NONE_NAMED = "several things were proposed, and none of them is named"
NO_SUCH = "what is chosen is none of the options that were named"

_LONGEST = 2000
"""Characters of a message in which a proposal is looked for: in a longer one "that" may be anything."""
_LONGEST_VALUE = 200
_LOOKED_AT = 200
"""Characters after the acceptance in which a change of it is looked for."""


class Accepted(NamedTuple):
    """A decision that a proposal becomes, and where the proposal stands in its message; of what is unclear only why."""

    given: dict[str, Any]
    span: tuple[int, int]
    unmet: str = ""


class _Passage(NamedTuple):
    """Characters [start, stop) of a message, and what they are about beside that."""

    start: int
    stop: int
    about: str = ""


def accepts(words: str, start: int, stop: int, assent: Assent) -> re.Match[str] | None:
    """Return how words [start, stop) of a masked message accept what was proposed.

    None where they do not, or where what follows changes that.
    """
    found = assent.accepts.fullmatch(words, start, stop)
    return None if found is None or assent.changes.match(words, stop, stop + _LOOKED_AT) else found


def accepted(how: re.Match[str], assent: Assent, said: str, proposing: Assent, scene: Scene) -> Accepted | None:
    """Return what is accepted of what the assistant has said, None where that proposes nothing which lasts.

    how: the acceptance, read by `assent`. proposing: of the language of what was said.
    """
    if len(said) > _LONGEST:
        return None
    words = masked(said, masks(said))
    options = _options(words, proposing)
    key, place, named = group_of(how, "key"), group_of(how, "place"), group_of(how, "named")
    found: list[_Passage | None]
    if named:
        found, unmet = _by_words(words, named, options, proposing), ""
    elif key or place:
        found = [_named(options, key, place, assent)]
        unmet = NO_SUCH if options and found == [None] else ""
    else:
        found = [] if options else list(_meant(words, proposing, own=bool(how["own"])))
        unmet = NONE_NAMED if options or len(found) > 1 else ""
    if unmet:
        return Accepted({}, (0, 0), unmet)
    passage = next(iter(found), None)
    return None if passage is None else _read(passage, said, words, proposing, scene)


def _by_words(words: str, named: str, options: list[_Option], assent: Assent) -> list[_Passage | None]:
    """Return what is proposed in the words in which it is taken up; nothing where they fit several things, or none."""
    wanted = set(terms(named))
    passages = [each.passage for each in options] or list(filter(None, _meant(words, assent, own=True)))
    fits: list[_Passage | None] = [
        each for each in passages if wanted and wanted <= set(terms(words[each.start : each.stop]))
    ]
    return fits if len(fits) == 1 else []


def _meant(words: str, assent: Assent, *, own: bool) -> Iterator[_Passage | None]:
    """Yield what "that" may be, of all that a message proposes. own: whether it is called the assistant's proposal."""
    if not assent.opposes.search(words) and (own or not assent.offers.search(words)):
        yield from _proposed(words, assent)


def _proposed(words: str, assent: Assent) -> Iterator[_Passage | None]:
    """Yield what each sentence proposes that proposes something; None for what does not last, or depends."""
    for start, stop in sentences(words):
        found = assent.proposes.fullmatch(words[start:stop])
        if found is None:
            continue
        name = next(each for each, text in found.groupdict().items() if text and each.startswith(("value", "thing")))
        lasts = name.startswith("thing") or assent.lasts.match(found[name]) is not None
        if assent.depends.search(found[0]) or not lasts or assent.passes.search(found[name]):
            yield None
            continue
        first, past = found.span(name)
        yield _Passage(start + first, start + past, (found["about"] or "").strip())


def _read(passage: _Passage, said: str, words: str, assent: Assent, scene: Scene) -> Accepted | None:
    """Return the decision that a passage is; None where it is done at once, is too long or holds a secret."""
    start, stop, about = passage
    if stop - start > _LONGEST_VALUE or assent.passes.search(words, start, stop):
        return None
    if any(first < stop and start < past for first, past, _ in find_secrets(said)):
        return None
    given = assent.read(" ".join(_MARKS.sub("", said[start:stop]).split()), about, scene)
    return Accepted(given, (start, stop)) if given else None


_MARKS = re.compile(r"\*\*|__|`|^[\s>#*-]+")
"""Of Markdown."""


class _Option(NamedTuple):
    key: str
    passage: _Passage


_LABELLED = re.compile(
    r"\b(?:option|variant|choice|alternative|plan|approach|possibility)[  ](?P<key>[a-f]|[1-9])\b"
    r"(?:\s*(?:[:：.)）–—-]|\*\*)+\s*|,? (?:is|would be)(?: to)? )|"
    r"(?:方案|选项|选择|做法|选)\s*(?P<zh>[A-Fa-f1-9一二三四五六甲乙丙丁])\s*(?:(?:[:：.)）、–—-]|\*\*)+\s*|"
    r"，?(?:就是|则是|是))",
    re.IGNORECASE,
)
_LISTED = re.compile(
    r"(?:^|(?<=[\s:：;；。?？(]))(?:\*\*)?\(?(?P<key>[A-F]|[1-9])[.)）、](?:\*\*)?\s*(?=\S)", re.MULTILINE
)
_BODY_ENDS = re.compile(r"\n|[。；;？?！!]|[.](?=\s|$)|$")
_TRIMMED = " \t\n,，、:：.*-–—"
_NUMERALS = {**dict(zip("一二三四五六", "123456", strict=True)), **dict(zip("甲乙丙丁", "abcd", strict=True))}


def _options(words: str, assent: Assent) -> list[_Option]:
    """Return the options that a message lets choose between, at least two, marked from A or 1 on; else none."""
    marks = list(_LABELLED.finditer(words))
    if len(marks) < 2:
        marks = list(_LISTED.finditer(words)) if assent.chooses.search(words) else []
    keys = [_key(mark) for mark in marks]
    order = "abcdef" if keys and keys[0] == "a" else "123456789"
    if len(keys) < 2 or keys != list(order[: len(keys)]) or assent.at_hand.search(words, 0, marks[0].start()):
        return []
    starts = [*(mark.start() for mark in marks[1:]), len(words)]
    return [_Option(key, _body(words, mark.end(), end)) for key, mark, end in zip(keys, marks, starts, strict=True)]


def _key(mark: re.Match[str]) -> str:
    key = mark["key"] or mark["zh"]
    return _NUMERALS.get(key, key.lower())


def _body(words: str, start: int, end: int) -> _Passage:
    stop = start + len(words[start:end].split("\n\n", maxsplit=1)[0].rstrip())
    closing = _BODY_ENDS.search(words, start, stop)
    stop = closing.start() if closing else stop
    return _Passage(start, start + len(words[start:stop].rstrip(_TRIMMED)))


def _named(options: list[_Option], key: str, place: str, assent: Assent) -> _Passage | None:
    """Return the option that is chosen by its mark or by its place."""
    if key:
        wanted = str(assent.places.get(key.lower(), _NUMERALS.get(key, key.lower())))
        return next((passage for mark, passage in options if mark == wanted and passage.stop > passage.start), None)
    number = assent.places.get(place.lower(), 0)
    in_range = 0 < number <= len(options) or number == _LAST
    return options[number - 1 if number > 0 else number].passage if in_range else None


_LAST = -1
