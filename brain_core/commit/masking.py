"""What is secret in a draft, and the draft without it: in its words, and in what makes its key."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from brain_core.extract.secrets import MASKED, find_secrets
from brain_core.kinds.draft import Draft
from brain_core.kinds.kind import Kind, slug

_ENDS = ".!?)。！？）"
_SHORTEST = 3
_SHORTEST_CUT = 2
_LEAST_RUN = 4
"""Characters of a secret in a row that are masked in a key, whatever they stand in."""

_FACT_NAME = "k"
_WORD = re.compile(r"[^\W_]+")
_IN_KEY = re.compile(r"[^_]")
_END = re.compile(r"[.!?！？。]")


@dataclass(frozen=True, slots=True)
class Secrets:
    """The secrets of a text. forms: as they may stand in words, longest first. runs: of each its words, run together.

    firsts, lasts: what of them is before and past a mark at which sentences end, longest first: the text may be cut
    there. words: of all of them. said: the words that the text says besides.
    """

    forms: tuple[str, ...] = ()
    firsts: tuple[str, ...] = ()
    lasts: tuple[str, ...] = ()
    runs: tuple[str, ...] = ()
    words: frozenset[str] = frozenset()
    said: frozenset[str] = frozenset()

    def masked(self, draft: Draft) -> Draft:
        """Return a draft without them."""
        if self == _NONE:
            return draft
        given = self._without(draft.given, _makes_key(draft.kind))
        return replace(
            draft,
            given=given,
            disclosure=self._in_words(draft.disclosure),
            evidence_refs=tuple(map(self._in_words, draft.evidence_refs)),
        )

    def _without(self, value: Any, makes_key: Callable[[str], bool], name: str = "") -> Any:  # noqa: ANN401  of JSON
        if isinstance(value, str):
            return self._in_words(self._in_key(value) if makes_key(name) else value)
        if isinstance(value, Mapping):
            return {each: self._without(part, makes_key, each) for each, part in value.items()}
        if isinstance(value, list):
            return [self._without(part, makes_key, name) for part in value]
        return value

    def _in_words(self, text: str) -> str:
        for form in self.forms:
            text = text.replace(form, MASKED)
        first = next((each for each in self.firsts if text.endswith(each)), "")
        last = next((each for each in self.lasts if text.startswith(each)), "")
        text = text.removesuffix(first) + MASKED if first else text
        return MASKED + text.removeprefix(last) if last else text

    def _in_key(self, text: str) -> str:
        """Return a part of a key without what it holds of secrets: keys leave marks and words out, and are cut."""
        hidden = [False] * len(text)
        for start, stop in self._told(text):
            hidden[start:stop] = [True] * (stop - start)
        for place in range(1, len(text) - 1):
            hidden[place] |= text[place] == "_" and hidden[place - 1] and hidden[place + 1]
        kept = [MASKED if now else each for now, each in zip(hidden, text, strict=True)]
        return "".join(each for place, each in enumerate(kept) if not (place and hidden[place] and hidden[place - 1]))

    def _told(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield where a part of a key tells of a secret: one of its words, or a run of its characters."""
        for word in _WORD.finditer(text):
            if word[0] in self.words and word[0] not in self.said:
                yield word.span()
        places = [found.start() for found in _IN_KEY.finditer(text)]
        letters = "".join(text[place] for place in places)
        for cut in self.firsts:
            if letters.endswith(run := "".join(_words(cut))) and run:
                yield places[-len(run)], places[-1] + 1
        start = 0
        while start < len(letters):
            stop = start
            while stop < len(letters) and any(letters[start : stop + 1] in run for run in self.runs):
                stop += 1
            if stop - start >= _LEAST_RUN and letters[start:stop] not in self.said:
                yield places[start], places[stop - 1] + 1
            start = max(stop, start + 1)


_NONE = Secrets()


def secrets_in(text: str) -> Secrets:
    """Return the secrets of a text, as they may stand in words, at the end of a sentence, and in keys."""
    found = [text[start:stop] for start, stop, _ in find_secrets(text)]
    if not found:
        return _NONE
    forms = {form for secret in found for form in (secret, secret.rstrip(_ENDS), slug(secret))}
    cuts = [(secret[: end.start()], secret[end.end() :]) for secret in found for end in _END.finditer(secret)]
    told = [_words(secret) for secret in found]
    rest = text
    for secret in sorted(found, key=len, reverse=True):
        rest = rest.replace(secret, " ")
    words = frozenset(word for each in told for word in each if len(word) > 1)
    return Secrets(
        _longest_first(forms, _SHORTEST),
        _longest_first({first for first, _ in cuts}, _SHORTEST_CUT),
        _longest_first({last for _, last in cuts}, _SHORTEST_CUT),
        tuple("".join(each) for each in told),
        words,
        frozenset(_words(rest)),
    )


def _longest_first(some: Iterable[str], shortest: int) -> tuple[str, ...]:
    return tuple(sorted((each for each in some if len(each) >= shortest), key=lambda each: (-len(each), each)))


def texts(value: object) -> list[str]:
    """Return the strings of a JSON value, `name: text` for those that have a name, for a name tells what a text is."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, Mapping):
        named = _named(value)
        return [*named, *(f"{name}: {each}" for name, part in value.items() for each in texts(part))]
    if isinstance(value, list):
        return [each for part in value for each in texts(part)]
    return []


def _named(value: Mapping[str, Any]) -> list[str]:
    """Return `name: value` for a value that carries its name beside it: a preference, or a fact of a profile."""
    pairs = (("name", "value"), ("k", "v"), ("topic", "decision"))
    return [f"{value[name]}: {value[held]}" for name, held in pairs if name in value and held in value]


def _makes_key(kind: Kind) -> Callable[[str], bool]:
    """Return what says whether a field makes the key of an item or of a fact, but for days."""
    parts = {*kind.parts, *(kind.slugged or ())[:1], _FACT_NAME} - {kind.dated, kind.lasting}
    return lambda name: name in parts


def _words(text: str) -> list[str]:
    return _WORD.findall(unicodedata.normalize("NFKC", text).casefold())
